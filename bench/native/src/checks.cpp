#include "program.h"

#include <algorithm>

namespace jcarerun {
namespace {

struct Vector {
  const char *key, *plain, *encrypted;
};

// As in the Java side's KnownAnswers: FIPS 81, SP 800-67, FIPS 197, and Eric Young's list; Camellia from RFC 3713.
const std::map<std::string, Vector> CIPHERS = {
    {"DES", {"0123456789abcdef", "4e6f772069732074", "3fa40e8a984d4815"}},
    {"DESede", {"0123456789abcdef23456789abcdef01456789abcdef0123", "5468652071756663", "a826fd8ce53b855f"}},
    {"AES", {"000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"}},
    {"Blowfish", {"fedcba9876543210", "0123456789abcdef", "0aceab0fc6a0a28d"}},
    {"Camellia", {"0123456789abcdeffedcba9876543210", "0123456789abcdeffedcba9876543210", "67673138549669730857065648eabe43"}},
};

// Digests of "abc": RFC 1321, RFC 1320, FIPS 180-2, FIPS 202, and the home page of RIPEMD-160.
const std::map<std::string, const char*> DIGESTS = {
    {"MD4", "a448017aaf21d8525fc10ae87aa6729d"},
    {"MD5", "900150983cd24fb0d6963f7d28e17f72"},
    {"RIPEMD160", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"},
    {"SHA-1", "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {"SHA-224", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"},
    {"SHA-256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"SHA-384", "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"},
    {"SHA-512",
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
    {"SHA3-256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
};

// HMAC of "what do ya want for nothing?" under the key "Jefe": RFC 2202, case 2, and RFC 4231, case 2.
const std::map<std::string, const char*> MACS = {
    {"HmacMD5", "750c783e6ab0b503eaa86e310a5db738"},
    {"HmacSHA1", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"},
    {"HmacSHA256", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
    {"HmacSHA512",
     "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"},
};

Bytes ascii(const std::string& text) { return Bytes(text.begin(), text.end()); }

Bytes once(const Request& request) {
  auto work = make_work(request);
  work->run();
  return work->result();
}

void that(const Request& request, const std::string& what, bool right) {
  if (!right) throw CheckFailed(library_name() + " " + library_version() + ", " + request.operation + " " + request.algorithm + ": " + what);
}

void known_cipher(const Request& request) {
  const auto found = CIPHERS.find(request.algorithm);
  if (found == CIPHERS.end()) return;
  Request known = request;
  known.operation = "encrypt";
  known.mode = "ECB";
  known.padding = "NoPadding";
  known.iv.clear();
  known.key = from_hex("key", found->second.key);
  known.text = from_hex("plain", found->second.plain);
  const Bytes encrypted = from_hex("encrypted", found->second.encrypted);
  that(request, "not the published cipher text", once(known) == encrypted);
  known.operation = "decrypt";
  known.input = encrypted;
  that(request, "not the published plain text", once(known) == known.text);
}

template <typename Known>
void known_text(const Request& request, const Known& answers, const std::string& text, const std::string& key) {
  const auto found = answers.find(request.algorithm);
  if (found == answers.end()) return;
  Request known = request;
  known.text = ascii(text);
  known.key = ascii(key);
  that(request, "not the published answer", once(known) == from_hex("answer", found->second));
}

void round_trip(const Request& request, Work& work) {
  Request back = request;
  if (request.operation == "decrypt") {
    work.run();
    that(request, "what is decrypted is not the text", work.result() == request.text);
    return;
  }
  if (request.operation == "encrypt") {
    work.run();
    back.input = work.result();
  } else {
    back.operation = "encrypt";
    back.input = once(back);
  }
  that(request, "cipher text is the plain text", request.text.empty() || back.input != request.text);
  back.operation = "decrypt";
  that(request, "what is encrypted and decrypted is not the text", once(back) == request.text);
  if (request.is_aead()) {
    back.input.back() ^= 1;
    bool refused = false;
    try {
      refused = once(back) != request.text;
    } catch (const NotOffered&) {
      throw;
    } catch (const std::exception&) {
      refused = true;
    }
    that(request, "a cipher text with a broken tag is taken", refused);
  }
}

void signature(const Request& request, Work& work) {
  work.run();
  Request verify = request;
  verify.operation = "verify";
  if (request.operation == "sign") {
    verify.input = work.result();
    that(request, "the signature does not verify", once(verify) == Bytes{1});
  } else {
    that(request, "the signature does not verify", work.result() == Bytes{1});
  }
  verify.text.back() ^= 1;
  that(request, "the signature verifies another text", once(verify) != Bytes{1});
}

}  // namespace

Request with_input(const Request& request) {
  Request made = request;
  if (request.input.empty() && (request.operation == "decrypt" || request.operation == "verify")) {
    made.operation = request.operation == "decrypt" ? "encrypt" : "sign";
    made.input = once(made);
    made.operation = request.operation;
  }
  return made;
}

void check(const Request& request, Work& work) {
  if (request.operation == "digest") return known_text(request, DIGESTS, "abc", "");
  if (request.operation == "hmac") return known_text(request, MACS, "what do ya want for nothing?", "Jefe");
  if (request.operation == "sign" || request.operation == "verify") return signature(request, work);
  if (request.operation == "generate") {
    work.run();
    const Bytes first = work.result();
    work.run();
    return that(request, "two key pairs are equal", first != work.result());
  }
  if (request.operation == "agree") {
    work.run();
    return that(request, "the same keys give another secret again", work.result() == once(request));
  }
  if (!request.is_asymmetric() && block_bytes(request.algorithm) > 0) known_cipher(request);
  if (request.operation == "key-setup") work.run();
  round_trip(request, work);
}

Bytes digest(const std::string& algorithm, const Bytes& content) {
  Request request;
  request.operation = "digest";
  request.algorithm = algorithm;
  request.text = content;
  return once(request);
}

}  // namespace jcarerun
