// Botan's operations with key pairs.
#include <botan/ber_dec.h>
#include <botan/bigint.h>
#include <botan/data_src.h>
#include <botan/dh.h>
#include <botan/dl_group.h>
#include <botan/ecdh.h>
#include <botan/pk_algs.h>
#include <botan/pkcs8.h>
#include <botan/x509_key.h>

#include "botan.h"

namespace jcarerun {
namespace {

std::unique_ptr<Botan::Private_Key> load(const Bytes& der) {
  Botan::DataSource_Memory source(der);
  return Botan::PKCS8::load_key(source);
}

Botan::BER_Decoder sequence(Botan::BER_Decoder& from) {
#if BOTAN_VERSION_MAJOR >= 3
  return from.start_sequence();
#else
  return from.start_cons(Botan::SEQUENCE);
#endif
}

// A key of Diffie and Hellman in PKCS#3's form, whose identifier Botan does not read.
std::unique_ptr<Botan::Private_Key> load_dh(const Bytes& der, Botan::RandomNumberGenerator& random) {
  std::size_t version = 0;
  Botan::BER_Decoder decoder(der);
  Botan::AlgorithmIdentifier identifier;
  Botan::secure_vector<std::uint8_t> inner;
  sequence(decoder).decode(version).decode(identifier).decode(inner, OCTETS).discard_remaining();
  Botan::BigInt p, g, x;
#if BOTAN_VERSION_MAJOR >= 3
  Botan::BER_Decoder parameters(identifier.parameters());
#else
  Botan::BER_Decoder parameters(identifier.get_parameters());
#endif
  sequence(parameters).decode(p).decode(g).discard_remaining();
  Botan::BER_Decoder(inner).decode(x);
#if BOTAN_VERSION_MAJOR >= 3
  (void)random;
  return std::make_unique<Botan::DH_PrivateKey>(Botan::DL_Group(p, g), x);
#else
  return std::make_unique<Botan::DH_PrivateKey>(random, Botan::DL_Group(p, g), x);
#endif
}

// A key for agreement; a key on a curve says ECDSA of itself until it is told otherwise.
std::unique_ptr<Botan::Private_Key> load_agreement(const Request& request, const Bytes& der, Botan::RandomNumberGenerator& random) {
  if (request.algorithm == "DH") return load_dh(der, random);
  auto key = load(der);
  if (request.algorithm != "ECDH") return key;
  return std::make_unique<Botan::ECDH_PrivateKey>(key->pkcs8_algorithm_identifier(), key->private_key_bits());
}

template <typename Container>
Bytes plain(const Container& content) {
  return Bytes(content.begin(), content.end());
}

class RsaCipher : public Work {
 public:
  explicit RsaCipher(const Request& request) : Work(request), encrypts(request.operation == "encrypt"), key(load(request.private_key)) {
    // As the JCA's OAEPPadding: SHA-1 for both.
    padding = request.padding == "PKCS1Padding" ? "PKCS1v15" : "OAEP(SHA-1)";
    if (request.padding != "PKCS1Padding" && request.padding != "OAEPPadding") not_offered(request);
    init();
  }

  void run() override {
    if (request.init_inside) init();
    out = encrypts ? plain(encryptor->encrypt(request.text, random)) : plain(decryptor->decrypt(request.input));
  }

 private:
  void init() {
    if (encrypts) {
      encryptor = std::make_unique<Botan::PK_Encryptor_EME>(*key, random, padding);
    } else {
      decryptor = std::make_unique<Botan::PK_Decryptor_EME>(*key, random, padding);
    }
  }

  const bool encrypts;
  std::string padding;
  Botan::AutoSeeded_RNG random;
  std::unique_ptr<Botan::Private_Key> key;
  std::unique_ptr<Botan::PK_Encryptor_EME> encryptor;
  std::unique_ptr<Botan::PK_Decryptor_EME> decryptor;
};

class Signature : public Work {
 public:
  explicit Signature(const Request& request) : Work(request), signs(request.operation == "sign"), key(load(request.private_key)) {
    const auto [digest, kind] = signature_parts(request.algorithm);
    const std::string hash = botan_digest(digest);
    scheme = kind == "RSA" ? "EMSA3(" + hash + ")" : kind == "Ed25519" ? "Pure" : "EMSA1(" + hash + ")";
    format = kind == "ECDSA" || kind == "DSA" ? DER : PLAIN;
    init();
  }

  void run() override {
    if (request.init_inside) init();
    if (signs) {
      out = signer->sign_message(request.text, random);
    } else {
      out = {verifier->verify_message(request.text, request.input)};
    }
  }

 private:
  void init() {
    if (signs) {
      signer = std::make_unique<Botan::PK_Signer>(*key, random, scheme, format);
    } else {
      verifier = std::make_unique<Botan::PK_Verifier>(*key, scheme, format);
    }
  }

  const bool signs;
  std::string scheme;
  std::remove_const_t<decltype(DER)> format = DER;
  Botan::AutoSeeded_RNG random;
  std::unique_ptr<Botan::Private_Key> key;
  std::unique_ptr<Botan::PK_Signer> signer;
  std::unique_ptr<Botan::PK_Verifier> verifier;
};

class Agreement : public Work {
 public:
  explicit Agreement(const Request& request) : Work(request), key(load_agreement(request, request.private_key, random)) {
    const auto other = load_agreement(request, request.peer, random);
    const auto* side = dynamic_cast<const Botan::PK_Key_Agreement_Key*>(other.get());
    if (side == nullptr) not_offered(request);
    peer = plain(side->public_value());
    init();
  }

  void run() override {
    if (request.init_inside) init();
    out = plain(agreement->derive_key(0, peer).bits_of());
  }

 private:
  void init() { agreement = std::make_unique<Botan::PK_Key_Agreement>(*key, random, "Raw"); }

  Botan::AutoSeeded_RNG random;
  std::unique_ptr<Botan::Private_Key> key;
  std::unique_ptr<Botan::PK_Key_Agreement> agreement;
  Bytes peer;
};

class Generation : public Work {
 public:
  explicit Generation(const Request& request) : Work(request) {
    const std::string& algorithm = request.algorithm;
    if (algorithm == "RSA") parameters = std::to_string(request.bits);
    else if (algorithm == "EC") parameters = curve_name(request.bits);
    else if (algorithm == "DH") parameters = "ffdhe/ietf/" + std::to_string(request.bits);
    else if (algorithm != "X25519" && algorithm != "Ed25519") not_offered(request);
    name = algorithm == "EC" ? "ECDSA" : algorithm == "X25519" ? X25519 : algorithm;
  }

  void run() override { key = Botan::create_private_key(name, random, parameters); }

  Bytes result() override { return plain(Botan::X509::BER_encode(*key)); }

 private:
  std::string name, parameters;
  Botan::AutoSeeded_RNG random;
  std::unique_ptr<Botan::Private_Key> key;
};

}  // namespace

std::unique_ptr<Work> make_key_pair_work(const Request& request) {
  if (request.operation == "generate") return std::make_unique<Generation>(request);
  if (request.operation == "agree") return std::make_unique<Agreement>(request);
  if (request.operation == "encrypt" || request.operation == "decrypt") return std::make_unique<RsaCipher>(request);
  return std::make_unique<Signature>(request);
}

}  // namespace jcarerun
