// Crypto++'s key agreements.
#include <crypto++/dh.h>
#include <crypto++/eccrypto.h>
#include <crypto++/nbtheory.h>
#include <crypto++/oids.h>
#include <crypto++/xed25519.h>

#include <algorithm>

#include "cryptopp.h"

namespace jcarerun {
namespace {

using namespace CryptoPP;

// A domain of agreement with both sides' keys in the form that it takes.
class Agreement : public Work {
 public:
  explicit Agreement(const Request& request) : Work(request) {
    if (request.algorithm == "ECDH") {
      read_curve();
    } else if (request.algorithm == "X25519") {
      read_x25519();
    } else if (request.algorithm == "DH") {
      read_dh();
    } else {
      not_offered(request);
    }
    out.resize(domain->AgreedValueLength());
  }

  void run() override {
    if (!domain->Agree(out.data(), secret.data(), peer.data())) throw std::runtime_error("the keys don't agree");
  }

 private:
  void read_curve() {
    DL_PrivateKey_EC<ECP> own, other;
    load(own, request.private_key);
    load(other, request.peer);
    auto made = std::make_unique<ECDH<ECP>::Domain>(own.GetGroupParameters());
    secret.resize(made->PrivateKeyLength());
    own.GetPrivateExponent().Encode(secret.data(), secret.size());
    peer.resize(made->PublicKeyLength());
    other.GetGroupParameters().GetCurve().EncodePoint(peer.data(), other.GetGroupParameters().ExponentiateBase(other.GetPrivateExponent()), false);
    domain = std::move(made);
  }

  void read_x25519() {
    auto made = std::make_unique<x25519>();
    load(*made, request.private_key);
    x25519 other;
    load(other, request.peer);
    secret.resize(made->PrivateKeyLength());
    peer.resize(made->PublicKeyLength());
    // What a key file holds, its last 32 bytes; GeneratePublicKey then gives the other's public part.
    std::copy(request.private_key.end() - 32, request.private_key.end(), secret.begin());
    Bytes theirs(request.peer.end() - 32, request.peer.end());
    other.GeneratePublicKey(random, theirs.data(), peer.data());
    domain = std::move(made);
  }

  void read_dh() {
    Integer p, g, own, other;
    read_pkcs3(request.private_key, p, g, own);
    read_pkcs3(request.peer, p, g, other);
    // A safe prime, so that q is (p - 1) / 2.
    auto made = std::make_unique<DH>(p, (p - 1) / 2, g);
    secret.resize(made->PrivateKeyLength());
    own.Encode(secret.data(), secret.size());
    peer.resize(made->PublicKeyLength());
    ModularExponentiation(g, other, p).Encode(peer.data(), peer.size());
    domain = std::move(made);
  }

  static void read_pkcs3(const Bytes& der, Integer& p, Integer& g, Integer& x) {
    ByteQueue source = queue(der);
    word32 version = 0;
    BERSequenceDecoder whole(source);
    BERDecodeUnsigned(whole, version);
    BERSequenceDecoder identifier(whole);
    OID kind(identifier);
    BERSequenceDecoder parameters(identifier);
    p.BERDecode(parameters);
    g.BERDecode(parameters);
    parameters.SkipAll();
    identifier.SkipAll();
    SecByteBlock inner;
    BERDecodeOctetString(whole, inner);
    x.BERDecode(inner.data(), inner.size());
    whole.SkipAll();
  }

  AutoSeededRandomPool random;
  std::unique_ptr<SimpleKeyAgreementDomain> domain;
  Bytes secret, peer;
};

}  // namespace

std::unique_ptr<Work> make_agreement(const Request& request) { return std::make_unique<Agreement>(request); }

}  // namespace jcarerun
