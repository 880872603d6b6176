// OpenSSL 3, with its legacy provider beside the default one.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/provider.h>

#include <algorithm>

#include "openssl.h"

namespace jcarerun {

std::string library_name() { return "openssl"; }

std::string library_version() { return OpenSSL_version(OPENSSL_VERSION_STRING); }

std::string library_cpu_features() {
  const char* found = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);
  return found == nullptr ? "" : found;
}

void library_start() {
  // MD4, Blowfish, DES and their like live there; without it, what they are asked for is not offered.
  OSSL_PROVIDER_load(nullptr, "legacy");
  OSSL_PROVIDER_load(nullptr, "default");
  ERR_clear_error();
}

void require(bool yes) {
  if (yes) return;
  char words[256] = "no message";
  if (const unsigned long code = ERR_get_error()) ERR_error_string_n(code, words, sizeof words);
  ERR_clear_error();
  throw std::runtime_error(words);
}

std::string openssl_digest(const std::string& name) { return name == "SHA-1" ? "SHA1" : name.rfind("SHA-", 0) == 0 ? "SHA2-" + name.substr(4) : name; }

namespace {

std::string cipher_name(const Request& request) {
  const std::string bits = std::to_string(8 * request.key.size());
  const std::map<std::string, std::string> names = {
      {"AES", "AES-" + bits},  {"Camellia", "CAMELLIA-" + bits}, {"DES", "DES"},   {"DESede", "DES-EDE3"},
      {"Blowfish", "BF"},      {"CAST5", "CAST5"},               {"IDEA", "IDEA"}, {"ARCFOUR", "RC4"},
      {"ChaCha20-Poly1305", "ChaCha20-Poly1305"},
  };
  const auto found = names.find(request.algorithm);
  if (found == names.end()) not_offered(request);
  return request.mode.empty() ? found->second : found->second + "-" + request.mode;
}

class Cipher : public CipherWork {
 public:
  explicit Cipher(const Request& request)
      : CipherWork(request), tag(request.is_aead() ? TAG_BYTES : 0), cipher(EVP_CIPHER_fetch(nullptr, cipher_name(request).c_str(), nullptr)),
        context(EVP_CIPHER_CTX_new()) {
    if (!cipher) not_offered(request);
    if (!encrypts && in.size() < tag) throw UserError("--input: shorter than the tag of " + std::to_string(tag) + " bytes");
    in_bytes = encrypts ? in.size() : in.size() - tag;
    out.resize(in.size() + 32);
    require(EVP_CipherInit_ex2(context.get(), cipher.get(), nullptr, nullptr, encrypts, nullptr));
    if (EVP_CIPHER_CTX_get_key_length(context.get()) != static_cast<int>(request.key.size()) &&
        !EVP_CIPHER_CTX_set_key_length(context.get(), static_cast<int>(request.key.size()))) {
      not_offered(request);
    }
    if (request.padding == "NoPadding") EVP_CIPHER_CTX_set_padding(context.get(), 0);
    init(true);
  }

  void run() override {
    init(request.init_inside || only_key);
    if (only_key) return;
    int updated = 0, last = 0;
    require(EVP_CipherUpdate(context.get(), out.data(), &updated, in.data(), static_cast<int>(in_bytes)));
    if (tag > 0 && !encrypts) {
      auto* expected = const_cast<std::uint8_t*>(in.data() + in_bytes);
      require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(tag), expected));
    }
    require(EVP_CipherFinal_ex(context.get(), out.data() + updated, &last));
    made = static_cast<std::size_t>(updated + last);
    if (tag > 0 && encrypts) {
      require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, static_cast<int>(tag), out.data() + made));
      made += tag;
    }
  }

  Bytes result() override { return first(made); }

 private:
  void init(bool with_key) {
    const std::uint8_t* iv = request.iv.empty() ? nullptr : request.iv.data();
    require(EVP_CipherInit_ex2(context.get(), nullptr, with_key ? request.key.data() : nullptr, iv, encrypts, nullptr));
  }

  const std::size_t tag;
  Owned<EVP_CIPHER> cipher;
  Owned<EVP_CIPHER_CTX> context;
  std::size_t in_bytes = 0;
};

class Digest : public Work {
 public:
  explicit Digest(const Request& request)
      : Work(request), digest(EVP_MD_fetch(nullptr, openssl_digest(request.algorithm).c_str(), nullptr)), context(EVP_MD_CTX_new()) {
    if (!digest) not_offered(request);
    out.resize(static_cast<std::size_t>(EVP_MD_get_size(digest.get())));
    require(EVP_DigestInit_ex2(context.get(), digest.get(), nullptr));
  }

  void run() override {
    require(EVP_DigestInit_ex2(context.get(), nullptr, nullptr) && EVP_DigestUpdate(context.get(), request.text.data(), request.text.size()) &&
            EVP_DigestFinal_ex(context.get(), out.data(), nullptr));
  }

 private:
  Owned<EVP_MD> digest;
  Owned<EVP_MD_CTX> context;
};

class Hmac : public Work {
 public:
  explicit Hmac(const Request& request) : Work(request), mac(EVP_MAC_fetch(nullptr, "HMAC", nullptr)), context(EVP_MAC_CTX_new(mac.get())) {
    std::string digest = openssl_digest(hmac_digest(request.algorithm));
    const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0), OSSL_PARAM_construct_end()};
    if (!EVP_MAC_init(context.get(), request.key.data(), request.key.size(), parameters)) {
      ERR_clear_error();
      not_offered(request);
    }
    out.resize(EVP_MAC_CTX_get_mac_size(context.get()));
  }

  void run() override {
    std::size_t length = 0;
    const bool with_key = request.init_inside;
    require(EVP_MAC_init(context.get(), with_key ? request.key.data() : nullptr, with_key ? request.key.size() : 0, nullptr) &&
            EVP_MAC_update(context.get(), request.text.data(), request.text.size()) &&
            EVP_MAC_final(context.get(), out.data(), &length, out.size()));
  }

 private:
  Owned<EVP_MAC> mac;
  Owned<EVP_MAC_CTX> context;
};

}  // namespace

std::unique_ptr<Work> make_work(const Request& request) {
  if (request.operation == "digest") return std::make_unique<Digest>(request);
  if (request.operation == "hmac") return std::make_unique<Hmac>(request);
  if (!request.private_key.empty() || request.operation == "generate") return make_key_pair_work(request);
  return std::make_unique<Cipher>(request);
}

}  // namespace jcarerun
