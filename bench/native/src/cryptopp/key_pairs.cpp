// Crypto++'s operations with key pairs.
#define CRYPTOPP_ENABLE_NAMESPACE_WEAK 1
#include <crypto++/dsa.h>
#include <crypto++/eccrypto.h>
#include <crypto++/md5.h>
#include <crypto++/oids.h>
#include <crypto++/rsa.h>
#include <crypto++/sha.h>
#include <crypto++/xed25519.h>

#include "cryptopp.h"

namespace jcarerun {
namespace {

using namespace CryptoPP;

Bytes bytes_of(ByteQueue& from) {
  Bytes made(from.CurrentSize());
  from.Get(made.data(), made.size());
  return made;
}

template <typename Scheme>
class RsaCipher : public Work {
 public:
  explicit RsaCipher(const Request& request) : Work(request), encrypts(request.operation == "encrypt") {
    load(secret, request.private_key);
    open = RSA::PublicKey(secret);
    init();
  }

  void run() override {
    if (request.init_inside) init();
    if (encrypts) {
      out.resize(encryptor->FixedCiphertextLength());
      encryptor->Encrypt(random, request.text.data(), request.text.size(), out.data());
    } else {
      out.resize(decryptor->FixedMaxPlaintextLength());
      const DecodingResult found = decryptor->Decrypt(random, request.input.data(), request.input.size(), out.data());
      if (!found.isValidCoding) throw std::runtime_error("the padding is broken");
      out.resize(found.messageLength);
    }
  }

 private:
  void init() {
    if (encrypts) {
      encryptor = std::make_unique<typename Scheme::Encryptor>(open);
    } else {
      decryptor = std::make_unique<typename Scheme::Decryptor>(secret);
    }
  }

  const bool encrypts;
  AutoSeededRandomPool random;
  RSA::PrivateKey secret;
  RSA::PublicKey open;
  std::unique_ptr<typename Scheme::Encryptor> encryptor;
  std::unique_ptr<typename Scheme::Decryptor> decryptor;
};

// Signatures of (EC)DSA are DER outside, as in the JCA, and plain inside.
template <typename Scheme, bool Der>
class Signature : public Work {
 public:
  explicit Signature(const Request& request) : Work(request), signs(request.operation == "sign") {
    typename Scheme::Signer reader;
    load(reader.AccessPrivateKey(), request.private_key);
    signer = std::make_unique<typename Scheme::Signer>(reader);
    verifier = std::make_unique<typename Scheme::Verifier>(*signer);
    plain.resize(signer->SignatureLength());
    template_signer = *signer;
    template_verifier = *verifier;
  }

  void run() override {
    if (request.init_inside) init();
    if (signs) {
      made = signer->SignMessage(random, request.text.data(), request.text.size(), plain.data());
      out = plain;
      if constexpr (Der) {
        out.resize(made + 16);
        out.resize(DSAConvertSignatureFormat(out.data(), out.size(), DSA_DER, plain.data(), made, DSA_P1363));
      }
    } else {
      const Byte* given = request.input.data();
      std::size_t length = request.input.size();
      if constexpr (Der) {
        length = DSAConvertSignatureFormat(plain.data(), plain.size(), DSA_P1363, given, length, DSA_DER);
        given = plain.data();
      }
      out = {verifier->VerifyMessage(request.text.data(), request.text.size(), given, length)};
    }
  }

 private:
  void init() {
    if (signs) {
      *signer = template_signer;
    } else {
      *verifier = template_verifier;
    }
  }

  const bool signs;
  AutoSeededRandomPool random;
  std::unique_ptr<typename Scheme::Signer> signer;
  std::unique_ptr<typename Scheme::Verifier> verifier;
  typename Scheme::Signer template_signer;
  typename Scheme::Verifier template_verifier;
  std::size_t made = 0;
  Bytes plain;
};

template <typename Hash>
std::unique_ptr<Work> signature_of(const Request& request, const std::string& kind) {
  if (kind == "RSA") return std::make_unique<Signature<RSASS<PKCS1v15, Hash>, false>>(request);
  if constexpr (!std::is_same_v<Hash, Weak::MD5>) {
    if (kind == "ECDSA") return std::make_unique<Signature<ECDSA<ECP, Hash>, true>>(request);
    if (kind == "DSA") return std::make_unique<Signature<DSA2<Hash>, true>>(request);
  }
  not_offered(request);
}

std::unique_ptr<Work> make_signature(const Request& request) {
  const auto [digest, kind] = signature_parts(request.algorithm);
  if (kind == "Ed25519" && digest.empty()) return std::make_unique<Signature<ed25519, false>>(request);
  if (digest == "MD5") return signature_of<Weak::MD5>(request, kind);
  if (digest == "SHA-1") return signature_of<SHA1>(request, kind);
  if (digest == "SHA-224") return signature_of<SHA224>(request, kind);
  if (digest == "SHA-256") return signature_of<SHA256>(request, kind);
  if (digest == "SHA-384") return signature_of<SHA384>(request, kind);
  if (digest == "SHA-512") return signature_of<SHA512>(request, kind);
  not_offered(request);
}

class Generation : public Work {
 public:
  explicit Generation(const Request& request) : Work(request) {
    const std::string& name = request.algorithm;
    if (name == "EC") {
      curve = request.bits == 521 ? ASN1::secp521r1() : request.bits == 384 ? ASN1::secp384r1() : ASN1::secp256r1();
      curve_name(request.bits);
    } else if (name != "RSA" && name != "X25519" && name != "Ed25519") {
      not_offered(request);
    }
  }

  void run() override {
    if (request.algorithm == "RSA") {
      rsa.GenerateRandomWithKeySize(random, static_cast<unsigned>(request.bits));
    } else if (request.algorithm == "EC") {
      ec.Initialize(random, curve);
      ec.MakePublicKey(ec_open);
    } else if (request.algorithm == "X25519") {
      x = x25519(random);
    } else {
      ed = ed25519::Signer(random);
    }
  }

  Bytes result() override {
    ByteQueue made;
    if (request.algorithm == "RSA") {
      RSA::PublicKey(rsa).Save(made);
    } else if (request.algorithm == "EC") {
      ec_open.Save(made);
    } else if (request.algorithm == "X25519") {
      x.Save(made);
    } else {
      ed.GetMaterial().Save(made);
    }
    return bytes_of(made);
  }

 private:
  AutoSeededRandomPool random;
  OID curve;
  RSA::PrivateKey rsa;
  DL_PrivateKey_EC<ECP> ec;
  DL_PublicKey_EC<ECP> ec_open;
  x25519 x;
  ed25519::Signer ed;
};

}  // namespace

std::unique_ptr<Work> make_key_pair_work(const Request& request) {
  if (request.operation == "generate") return std::make_unique<Generation>(request);
  if (request.operation == "agree") return make_agreement(request);
  if (request.operation == "sign" || request.operation == "verify") return make_signature(request);
  if (request.padding == "PKCS1Padding") return std::make_unique<RsaCipher<RSAES<PKCS1v15>>>(request);
  if (request.padding == "OAEPPadding") return std::make_unique<RsaCipher<RSAES<OAEP<SHA1>>>>(request);
  not_offered(request);
}

}  // namespace jcarerun
