// Botan 2 and 3.
#include "botan.h"

#include <botan/block_cipher.h>
#include <botan/hash.h>
#include <botan/mac.h>
#if BOTAN_VERSION_MAJOR >= 3
// The library has it for its own tests, the installed headers do not.
namespace Botan {
class CPUID {
 public:
  static std::string to_string();
};
}  // namespace Botan
#else
#include <botan/cpuid.h>
#endif

#include <cstdlib>
#include <sstream>

namespace jcarerun {

std::string library_name() { return "botan"; }

std::string library_version() {
  return std::to_string(Botan::version_major()) + "." + std::to_string(Botan::version_minor()) + "." + std::to_string(Botan::version_patch());
}

std::string library_cpu_features() { return Botan::CPUID::to_string(); }

// BOTAN_CLEAR_CPUID is Botan 3's own affair; Botan 2 has the switches, and no variable for them.
void library_start() {
#if BOTAN_VERSION_MAJOR < 3
  const char* cleared = std::getenv("BOTAN_CLEAR_CPUID");
  std::istringstream words(cleared == nullptr ? "" : cleared);
  for (std::string word; std::getline(words, word, ',');) {
    for (const auto bit : Botan::CPUID::bit_from_string(word)) Botan::CPUID::clear_cpuid_bit(bit);
    // Two that it prints and has no words for.
    if (word == "avx512dq") Botan::CPUID::clear_cpuid_bit(Botan::CPUID::CPUID_AVX512DQ_BIT);
    if (word == "avx512bw") Botan::CPUID::clear_cpuid_bit(Botan::CPUID::CPUID_AVX512BW_BIT);
  }
#endif
}

std::string botan_digest(const std::string& name) {
  if (name == "RIPEMD160") return "RIPEMD-160";
  if (name.rfind("SHA3-", 0) == 0) return "SHA-3(" + name.substr(5) + ")";
  return name;
}

namespace {

std::string block_name(const Request& request) {
  const std::string& name = request.algorithm;
  if (name == "AES" || name == "Camellia") return name + "-" + std::to_string(8 * request.key.size());
  if (name == "DESede") return "TripleDES";
  if (name == "CAST5") return "CAST-128";
  return name;
}

std::string mode_name(const Request& request) {
  if (request.algorithm == "ARCFOUR") return "RC4";
  if (request.algorithm == "ChaCha20-Poly1305") return "ChaCha20Poly1305";
  const std::string block = block_name(request);
  if (request.mode == "CBC") return block + "/CBC/" + (request.padding == "NoPadding" ? "NoPadding" : "PKCS7");
  if (request.mode == "CTR") return "CTR-BE(" + block + ")";
  return block + "/" + request.mode;
}

// Botan's modes work in place, so the text is copied first: a program that keeps its text must do so too.
class Cipher : public CipherWork {
 public:
  explicit Cipher(const Request& request)
      : CipherWork(request),
        mode(Botan::Cipher_Mode::create(mode_name(request), request.operation == "decrypt" ? DECRYPTION : ENCRYPTION)) {
    if (!mode || !mode->valid_keylength(request.key.size())) not_offered(request);
    buffer.reserve(in.size() + 64);
    mode->set_key(request.key);
  }

  void run() override {
    if (request.init_inside || only_key) mode->set_key(request.key);
    if (only_key) return;
    mode->start(request.iv);
    buffer.assign(in.begin(), in.end());
    mode->finish(buffer);
  }

  Bytes result() override { return Bytes(buffer.begin(), buffer.end()); }

 private:
  std::unique_ptr<Botan::Cipher_Mode> mode;
  Botan::secure_vector<std::uint8_t> buffer;
};

// ECB, for which Botan has no mode: many blocks in one call of the block cipher, and our own PKCS#5 padding.
class Ecb : public CipherWork {
 public:
  explicit Ecb(const Request& request) : CipherWork(request), cipher(Botan::BlockCipher::create(block_name(request))) {
    if (!cipher || !cipher->valid_keylength(request.key.size())) not_offered(request);
    block = cipher->block_size();
    padded = request.padding != "NoPadding";
    if ((!padded || !encrypts) && in.size() % block != 0) throw UserError("the text is not a whole number of blocks");
    out.resize(in.size() + block);
    cipher->set_key(request.key);
  }

  void run() override {
    if (request.init_inside || only_key) cipher->set_key(request.key);
    if (only_key) return;
    run_blocks(block, padded, [this](const std::uint8_t* from, std::uint8_t* to, std::size_t bytes) {
      if (encrypts) {
        cipher->encrypt_n(from, to, bytes / block);
      } else {
        cipher->decrypt_n(from, to, bytes / block);
      }
    });
  }

  Bytes result() override { return first(made); }

 private:
  std::unique_ptr<Botan::BlockCipher> cipher;
  std::size_t block = 0;
  bool padded = false;
};

class Digest : public Work {
 public:
  explicit Digest(const Request& request) : Work(request), hash(Botan::HashFunction::create(botan_digest(request.algorithm))) {
    if (!hash) not_offered(request);
    out.resize(hash->output_length());
  }

  void run() override {
    hash->update(request.text.data(), request.text.size());
    hash->final(out.data());
  }

 private:
  std::unique_ptr<Botan::HashFunction> hash;
};

class Hmac : public Work {
 public:
  explicit Hmac(const Request& request)
      : Work(request), mac(Botan::MessageAuthenticationCode::create("HMAC(" + botan_digest(hmac_digest(request.algorithm)) + ")")) {
    if (!mac) not_offered(request);
    out.resize(mac->output_length());
    mac->set_key(request.key);
  }

  void run() override {
    if (request.init_inside) mac->set_key(request.key);
    mac->update(request.text.data(), request.text.size());
    mac->final(out.data());
  }

 private:
  std::unique_ptr<Botan::MessageAuthenticationCode> mac;
};

}  // namespace

std::unique_ptr<Work> make_work(const Request& request) {
  if (request.operation == "digest") return std::make_unique<Digest>(request);
  if (request.operation == "hmac") return std::make_unique<Hmac>(request);
  if (!request.private_key.empty() || request.operation == "generate") return make_key_pair_work(request);
  if (request.mode == "ECB") return std::make_unique<Ecb>(request);
  return std::make_unique<Cipher>(request);
}

}  // namespace jcarerun
