#include "program.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace jcarerun {
namespace {

constexpr std::int64_t CONTENTS_SEED = 20130801;
const std::string KEYS_SEED = "jca-rerun";

const char* const WORDS[] = {
    "the",   "of",   "and",   "a",    "to",   "in",     "is",     "that",   "it",     "was",     "for",     "on",       "with",    "as",
    "be",    "at",   "by",    "this", "had",  "not",    "from",   "or",     "have",   "an",      "they",    "which",    "one",     "were",
    "all",   "their", "when", "there", "water", "letter", "number", "people", "between", "country", "through", "question", "morning", "together",
};

// java.util.Random, as its documentation gives it.
class JavaRandom {
 public:
  explicit JavaRandom(std::int64_t seed) : state((static_cast<std::uint64_t>(seed) ^ MULTIPLIER) & MASK) {}

  std::int32_t next(int bits) {
    state = (state * MULTIPLIER + 0xB) & MASK;
    return static_cast<std::int32_t>(static_cast<std::int64_t>(state << 16) >> (64 - bits));
  }

  Bytes bytes(std::size_t count) {
    Bytes made(count);
    for (std::size_t at = 0; at < count;) {
      auto word = static_cast<std::uint32_t>(next(32));
      for (int left = 4; left > 0 && at < count; left--, word >>= 8) made[at++] = static_cast<std::uint8_t>(word);
    }
    return made;
  }

  double next_double() {
    const std::int64_t high = static_cast<std::int64_t>(next(26)) << 27;
    return static_cast<double>(high + next(27)) * 0x1.0p-53;
  }

 private:
  static constexpr std::uint64_t MULTIPLIER = 0x5DEECE66D, MASK = (std::uint64_t{1} << 48) - 1;
  std::uint64_t state;
};

// The JDK's SHA1PRNG after setSeed and before any other call.
Bytes sha1prng(const std::string& seed, std::size_t count) {
  Bytes state = digest("SHA-1", Bytes(seed.begin(), seed.end())), made;
  while (made.size() < count) {
    const Bytes output = digest("SHA-1", state);
    int carry = 1;
    bool changed = false;
    for (std::size_t i = 0; i < state.size(); i++) {
      const int sum = static_cast<std::int8_t>(state[i]) + static_cast<std::int8_t>(output[i]) + carry;
      const auto byte = static_cast<std::uint8_t>(sum);
      changed = changed || byte != state[i];
      state[i] = byte;
      carry = sum >> 8;
    }
    if (!changed) state[0]++;
    made.insert(made.end(), output.begin(), output.end());
  }
  made.resize(count);
  return made;
}

void set_odd_parity(Bytes& key) {
  for (auto& byte : key) {
    byte = static_cast<std::uint8_t>((byte & 0xfe) | !(__builtin_popcount(byte & 0xfe) & 1));
  }
}

Bytes counted(int first, std::size_t count) {
  Bytes made;
  for (std::size_t i = 0; i < count; i++) made.push_back(static_cast<std::uint8_t>(static_cast<std::size_t>(first) + i));
  return made;
}

// Printable ASCII from a linear congruence modulo 2 to the power of 64.
Bytes fixed_text(std::size_t count) {
  Bytes made;
  made.reserve(count);
  for (std::uint64_t state = 1; made.size() < count;) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    made.push_back(static_cast<std::uint8_t>(' ' + (state >> 33) % 95));
  }
  return made;
}

Bytes words(std::size_t count) {
  Bytes made;
  JavaRandom random(CONTENTS_SEED);
  for (int n = 1; made.size() < count; n++) {
    const double place = random.next_double();
    std::string word = WORDS[static_cast<std::size_t>(place * place * std::size(WORDS))];
    word += n % 12 == 0 ? ".\n" : " ";
    made.insert(made.end(), word.begin(), word.end());
  }
  made.resize(count);
  return made;
}

}  // namespace

Bytes make_text(const std::string& content, std::size_t bytes) {
  if (content == "fixed") return fixed_text(bytes);
  if (content == "random") return JavaRandom(CONTENTS_SEED).bytes(bytes);
  if (content == "text") return words(bytes);
  if (content == "message") {
    const std::string message = "hello world";
    return Bytes(message.begin(), message.end());
  }
  throw UserError("--content " + content + ": unknown content; choose fixed, random, text or message");
}

Bytes make_key(const std::string& algorithm, int bits, bool fixed) {
  const bool des = algorithm == "DES" || algorithm == "DESede";
  if (des && bits != (algorithm == "DES" ? 56 : bits == 112 ? 112 : 168)) {
    throw UserError("--bits " + std::to_string(bits) + ": DES has 56, DESede 112 or 168");
  }
  if (bits <= 0 || (!des && bits % 8 != 0)) throw UserError("--bits " + std::to_string(bits) + ": a key has a positive number of whole bytes");
  const auto length = static_cast<std::size_t>(des ? bits / 7 : bits / 8);
  Bytes key = fixed ? counted(1, length) : sha1prng(KEYS_SEED, length);
  if (des) set_odd_parity(key);
  if (algorithm == "DESede" && bits == 112) key.insert(key.end(), key.begin(), key.begin() + 8);
  return key;
}

Bytes make_iv(std::size_t bytes, bool fixed, bool aead) {
  if (!fixed) return JavaRandom(1).bytes(bytes);
  Bytes made = counted(0xa0, bytes);
  if (aead) std::fill_n(made.begin(), 4, std::uint8_t{0});
  return made;
}

Bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UserError(path + ": can't be read; give a file that is there");
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

void write_file(const std::string& path, const Bytes& content) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  if (!file.flush()) throw UserError(path + ": can't be written");
}

Bytes read_key(const std::string& folder, const std::string& name) {
  static const std::string DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string path = folder + "/" + name + ".pem";
  std::ifstream file(path);
  if (!file) throw UserError(path + ": there is no key of that algorithm and length; add one, or choose another --bits");
  Bytes made;
  unsigned held = 0;
  int bits = 0;
  bool reading = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("-----BEGIN", 0) == 0) reading = line.find("PRIVATE") != std::string::npos;
    if (!reading || line.rfind("-----", 0) == 0) continue;
    for (const char digit : line) {
      const auto value = DIGITS.find(digit);
      if (value == std::string::npos) continue;
      held = (held << 6) | static_cast<unsigned>(value);
      bits += 6;
      if (bits >= 8) made.push_back(static_cast<std::uint8_t>(held >> (bits -= 8)));
    }
  }
  return made;
}

Bytes from_hex(const std::string& option, const std::string& hex) {
  if (hex.size() % 2 != 0 || hex.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
    throw UserError(option + " " + hex + ": write an even number of hexadecimal digits");
  }
  Bytes made;
  for (std::size_t at = 0; at < hex.size(); at += 2) made.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  return made;
}

std::string to_hex(const Bytes& bytes) {
  static const char* const DIGITS = "0123456789abcdef";
  std::string made;
  for (const auto byte : bytes) {
    made += DIGITS[byte >> 4];
    made += DIGITS[byte & 15];
  }
  return made;
}

}  // namespace jcarerun
