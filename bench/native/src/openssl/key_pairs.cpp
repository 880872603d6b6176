// OpenSSL's operations with key pairs.
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "openssl.h"

namespace jcarerun {
namespace {

Owned<EVP_PKEY> load(const Bytes& der) {
  const std::uint8_t* at = der.data();
  Owned<EVP_PKEY> key(d2i_AutoPrivateKey(nullptr, &at, static_cast<long>(der.size())));
  require(key != nullptr);
  return key;
}

Owned<EVP_PKEY_CTX> context_of(const Owned<EVP_PKEY>& key) { return Owned<EVP_PKEY_CTX>(EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr)); }

Bytes public_part(EVP_PKEY* key) {
  std::uint8_t* der = nullptr;
  const int length = i2d_PUBKEY(key, &der);
  require(length > 0);
  Bytes made(der, der + length);
  OPENSSL_free(der);
  return made;
}

class RsaCipher : public Work {
 public:
  explicit RsaCipher(const Request& request) : Work(request), encrypts(request.operation == "encrypt"), key(load(request.private_key)), context(context_of(key)) {
    if (request.padding != "PKCS1Padding" && request.padding != "OAEPPadding") not_offered(request);
    out.resize(static_cast<std::size_t>(EVP_PKEY_get_size(key.get())));
    init();
  }

  void run() override {
    if (request.init_inside) init();
    made = out.size();
    const Bytes& in = encrypts ? request.text : request.input;
    require((encrypts ? EVP_PKEY_encrypt : EVP_PKEY_decrypt)(context.get(), out.data(), &made, in.data(), in.size()) > 0);
  }

  Bytes result() override { return first(made); }

 private:
  void init() {
    require((encrypts ? EVP_PKEY_encrypt_init : EVP_PKEY_decrypt_init)(context.get()) > 0);
    require(EVP_PKEY_CTX_set_rsa_padding(context.get(), request.padding == "OAEPPadding" ? RSA_PKCS1_OAEP_PADDING : RSA_PKCS1_PADDING) > 0);
  }

  const bool encrypts;
  Owned<EVP_PKEY> key;
  Owned<EVP_PKEY_CTX> context;
  std::size_t made = 0;
};

// Digest, then signature of the digest, so that the key's part can be initialised apart.
class Signature : public Work {
 public:
  explicit Signature(const Request& request)
      : Work(request), signs(request.operation == "sign"), key(load(request.private_key)), context(context_of(key)),
        digest(EVP_MD_fetch(nullptr, openssl_digest(signature_parts(request.algorithm).first).c_str(), nullptr)), hash(EVP_MD_CTX_new()) {
    if (!digest) not_offered(request);
    hashed.resize(static_cast<std::size_t>(EVP_MD_get_size(digest.get())));
    out.resize(static_cast<std::size_t>(EVP_PKEY_get_size(key.get())));
    init();
    require(EVP_DigestInit_ex2(hash.get(), digest.get(), nullptr));
  }

  void run() override {
    if (request.init_inside) init();
    require(EVP_DigestInit_ex2(hash.get(), nullptr, nullptr) && EVP_DigestUpdate(hash.get(), request.text.data(), request.text.size()) &&
            EVP_DigestFinal_ex(hash.get(), hashed.data(), nullptr));
    if (signs) {
      made = out.size();
      require(EVP_PKEY_sign(context.get(), out.data(), &made, hashed.data(), hashed.size()) > 0);
    } else {
      out[0] = EVP_PKEY_verify(context.get(), request.input.data(), request.input.size(), hashed.data(), hashed.size()) == 1;
      made = 1;
      if (out[0] == 0) ERR_clear_error();
    }
  }

  Bytes result() override { return first(made); }

 private:
  void init() {
    require((signs ? EVP_PKEY_sign_init : EVP_PKEY_verify_init)(context.get()) > 0);
    require(EVP_PKEY_CTX_set_signature_md(context.get(), digest.get()) > 0);
  }

  const bool signs;
  Owned<EVP_PKEY> key;
  Owned<EVP_PKEY_CTX> context;
  Owned<EVP_MD> digest;
  Owned<EVP_MD_CTX> hash;
  std::size_t made = 0;
  Bytes hashed;
};

// Ed25519 hashes by itself: one call, which always initialises.
class EdSignature : public Work {
 public:
  explicit EdSignature(const Request& request) : Work(request), signs(request.operation == "sign"), key(load(request.private_key)), context(EVP_MD_CTX_new()) {
    out.resize(64);
  }

  void run() override {
    std::size_t length = out.size();
    const Bytes& text = request.text;
    if (signs) {
      require(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) > 0 &&
              EVP_DigestSign(context.get(), out.data(), &length, text.data(), text.size()) > 0);
    } else {
      require(EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) > 0);
      right = EVP_DigestVerify(context.get(), request.input.data(), request.input.size(), text.data(), text.size()) == 1;
      if (!right) ERR_clear_error();
    }
    EVP_MD_CTX_reset(context.get());
  }

  Bytes result() override { return signs ? out : Bytes{right}; }

 private:
  const bool signs;
  Owned<EVP_PKEY> key;
  Owned<EVP_MD_CTX> context;
  bool right = false;
};

class Agreement : public Work {
 public:
  explicit Agreement(const Request& request) : Work(request), key(load(request.private_key)), peer(load(request.peer)), context(context_of(key)) { init(); }

  void run() override {
    if (request.init_inside) init();
    require(EVP_PKEY_derive_set_peer(context.get(), peer.get()) > 0);
    std::size_t length = 0;
    require(EVP_PKEY_derive(context.get(), nullptr, &length) > 0);
    out.resize(length);
    require(EVP_PKEY_derive(context.get(), out.data(), &length) > 0);
    out.resize(length);
  }

 private:
  void init() {
    require(EVP_PKEY_derive_init(context.get()) > 0);
    if (request.algorithm == "DH") {
      unsigned pad = 1;
      const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_uint(OSSL_EXCHANGE_PARAM_PAD, &pad), OSSL_PARAM_construct_end()};
      require(EVP_PKEY_CTX_set_params(context.get(), parameters) > 0);
    }
  }

  Owned<EVP_PKEY> key, peer;
  Owned<EVP_PKEY_CTX> context;
};

class Generation : public Work {
 public:
  explicit Generation(const Request& request) : Work(request), context(EVP_PKEY_CTX_new_from_name(nullptr, request.algorithm.c_str(), nullptr)) {
    const std::string& name = request.algorithm;
    if (!context || (name != "RSA" && name != "EC" && name != "DH" && name != "X25519" && name != "Ed25519")) not_offered(request);
    if (name == "EC") group = curve_name(request.bits) == "secp256r1" ? "P-256" : curve_name(request.bits);
    if (name == "DH") group = "ffdhe" + std::to_string(request.bits);
    init();
  }

  void run() override {
    if (request.init_inside) init();
    EVP_PKEY* made = nullptr;
    require(EVP_PKEY_generate(context.get(), &made) > 0);
    key.reset(made);
  }

  Bytes result() override { return public_part(key.get()); }

 private:
  void init() {
    require(EVP_PKEY_keygen_init(context.get()) > 0);
    if (request.algorithm == "RSA") require(EVP_PKEY_CTX_set_rsa_keygen_bits(context.get(), request.bits) > 0);
    if (!group.empty()) require(EVP_PKEY_CTX_set_group_name(context.get(), group.c_str()) > 0);
  }

  Owned<EVP_PKEY_CTX> context;
  Owned<EVP_PKEY> key;
  std::string group;
};

}  // namespace

std::unique_ptr<Work> make_key_pair_work(const Request& request) {
  if (request.operation == "generate") return std::make_unique<Generation>(request);
  if (request.operation == "agree") return std::make_unique<Agreement>(request);
  if (request.operation == "encrypt" || request.operation == "decrypt") return std::make_unique<RsaCipher>(request);
  if (signature_parts(request.algorithm).first.empty()) return std::make_unique<EdSignature>(request);
  return std::make_unique<Signature>(request);
}

}  // namespace jcarerun
