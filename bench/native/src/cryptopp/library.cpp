// Crypto++ 8: digests, MACs, and the switches of the CPU's features.
#include <crypto++/config.h>
#include <crypto++/cpu.h>
#include <crypto++/hmac.h>
#include <crypto++/ripemd.h>
#include <crypto++/sha.h>
#include <crypto++/sha3.h>
#include <crypto++/whrlpool.h>
#define CRYPTOPP_ENABLE_NAMESPACE_WEAK 1
#include <crypto++/md2.h>
#include <crypto++/md4.h>
#include <crypto++/md5.h>

#include <cstdlib>
#include <sstream>

#include "cryptopp.h"

namespace jcarerun {
namespace {

// The library asks these before it takes a faster way, in every call; it has no variable of its own for them.
const std::map<std::string, bool*> FEATURES = {
    {"ssse3", &CryptoPP::g_hasSSSE3}, {"sse41", &CryptoPP::g_hasSSE41}, {"sse42", &CryptoPP::g_hasSSE42},   {"movbe", &CryptoPP::g_hasMOVBE},
    {"aesni", &CryptoPP::g_hasAESNI}, {"clmul", &CryptoPP::g_hasCLMUL}, {"avx", &CryptoPP::g_hasAVX},       {"avx2", &CryptoPP::g_hasAVX2},
    {"sha", &CryptoPP::g_hasSHA},     {"adx", &CryptoPP::g_hasADX},     {"rdrand", &CryptoPP::g_hasRDRAND}, {"rdseed", &CryptoPP::g_hasRDSEED},
};

}  // namespace

std::string library_name() { return "cryptopp"; }

std::string library_version() {
  const int version = CryptoPP::LibraryVersion();
  return std::to_string(version / 100) + "." + std::to_string(version / 10 % 10) + "." + std::to_string(version % 10);
}

std::string library_cpu_features() {
  std::string made;
  for (const auto& [name, on] : FEATURES) {
    if (*on) made += (made.empty() ? "" : " ") + name;
  }
  return made;
}

void library_start() {
  CryptoPP::HasSSE2();  // the library looks at the CPU here, and never again
  const char* cleared = std::getenv("CRYPTOPP_CLEAR_CPUID");
  std::istringstream words(cleared == nullptr ? "" : cleared);
  for (std::string word; std::getline(words, word, ',');) {
    const auto found = FEATURES.find(word);
    if (found == FEATURES.end()) throw UserError("CRYPTOPP_CLEAR_CPUID: " + word + ": unknown feature");
    *found->second = false;
  }
}

std::unique_ptr<CryptoPP::HashTransformation> make_digest(const Request& request, const std::string& name) {
  using namespace CryptoPP;
  if (name == "MD2") return std::make_unique<Weak::MD2>();
  if (name == "MD4") return std::make_unique<Weak::MD4>();
  if (name == "MD5") return std::make_unique<Weak::MD5>();
  if (name == "RIPEMD160") return std::make_unique<RIPEMD160>();
  if (name == "SHA-1") return std::make_unique<SHA1>();
  if (name == "SHA-224") return std::make_unique<SHA224>();
  if (name == "SHA-256") return std::make_unique<SHA256>();
  if (name == "SHA-384") return std::make_unique<SHA384>();
  if (name == "SHA-512") return std::make_unique<SHA512>();
  if (name == "SHA3-224") return std::make_unique<SHA3_224>();
  if (name == "SHA3-256") return std::make_unique<SHA3_256>();
  if (name == "SHA3-384") return std::make_unique<SHA3_384>();
  if (name == "SHA3-512") return std::make_unique<SHA3_512>();
  if (name == "Whirlpool") return std::make_unique<Whirlpool>();
  not_offered(request);
}

namespace {

class Digest : public Work {
 public:
  explicit Digest(const Request& request) : Work(request), hash(make_digest(request, request.algorithm)) { out.resize(hash->DigestSize()); }
  void run() override { hash->CalculateDigest(out.data(), request.text.data(), request.text.size()); }

 private:
  std::unique_ptr<CryptoPP::HashTransformation> hash;
};

template <typename Hash>
class Hmac : public Work {
 public:
  explicit Hmac(const Request& request) : Work(request) {
    out.resize(Hash::DIGESTSIZE);
    mac.SetKey(request.key.data(), request.key.size());
  }

  void run() override {
    if (request.init_inside) mac.SetKey(request.key.data(), request.key.size());
    mac.CalculateDigest(out.data(), request.text.data(), request.text.size());
  }

 private:
  CryptoPP::HMAC<Hash> mac;
};

std::unique_ptr<Work> make_hmac(const Request& request) {
  using namespace CryptoPP;
  const std::string name = hmac_digest(request.algorithm);
  if (name == "MD5") return std::make_unique<Hmac<Weak::MD5>>(request);
  if (name == "RIPEMD160") return std::make_unique<Hmac<RIPEMD160>>(request);
  if (name == "SHA-1") return std::make_unique<Hmac<SHA1>>(request);
  if (name == "SHA-224") return std::make_unique<Hmac<SHA224>>(request);
  if (name == "SHA-256") return std::make_unique<Hmac<SHA256>>(request);
  if (name == "SHA-384") return std::make_unique<Hmac<SHA384>>(request);
  if (name == "SHA-512") return std::make_unique<Hmac<SHA512>>(request);
  not_offered(request);
}

}  // namespace

std::unique_ptr<Work> make_work(const Request& request) {
  if (request.operation == "digest") return std::make_unique<Digest>(request);
  if (request.operation == "hmac") return make_hmac(request);
  if (!request.private_key.empty() || request.operation == "generate") return make_key_pair_work(request);
  return make_cipher(request);
}

}  // namespace jcarerun
