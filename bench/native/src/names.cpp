// The JCA's names of algorithms, taken apart.
#include "harness.h"

namespace jcarerun {

void not_offered(const Request& request) {
  std::string words = request.operation + " " + request.algorithm;
  for (const auto& part : {request.mode, request.padding}) {
    if (!part.empty()) words += "/" + part;
  }
  if (request.bits > 0) words += ", " + std::to_string(request.bits) + " bits";
  throw NotOffered(words + ", by " + library_name() + " " + library_version());
}

std::size_t block_bytes(const std::string& algorithm) {
  static const std::map<std::string, std::size_t> known = {
      {"AES", 16},      {"Camellia", 16}, {"Twofish", 16}, {"Serpent", 16}, {"DES", 8},     {"DESede", 8},
      {"Blowfish", 8},  {"CAST5", 8},     {"IDEA", 8},     {"RC2", 8},      {"ARCFOUR", 0}, {"ChaCha20-Poly1305", 0},
  };
  const auto found = known.find(algorithm);
  if (found == known.end()) throw UserError("--algorithm " + algorithm + ": no cipher of that name is known");
  return found->second;
}

std::string digest_name(const std::string& plain) {
  if (plain.rfind("SHA", 0) == 0 && plain.size() > 3 && plain[3] != '-' && plain.find('-') == std::string::npos) {
    return "SHA-" + plain.substr(3);
  }
  return plain;
}

std::pair<std::string, std::string> signature_parts(const std::string& algorithm) {
  const auto at = algorithm.find("with");
  if (at == std::string::npos) return {"", algorithm};
  return {digest_name(algorithm.substr(0, at)), algorithm.substr(at + 4)};
}

std::string hmac_digest(const std::string& algorithm) {
  if (algorithm.rfind("Hmac", 0) != 0) {
    throw UserError("--algorithm " + algorithm + ": no MAC of that name is known; write it as HmacSHA256");
  }
  return digest_name(algorithm.substr(4));
}

std::string curve_name(int bits) {
  if (bits == 256) return "secp256r1";
  if (bits == 384) return "secp384r1";
  if (bits == 521) return "secp521r1";
  throw UserError("--bits " + std::to_string(bits) + ": the curves have 256, 384 or 521");
}

}  // namespace jcarerun
