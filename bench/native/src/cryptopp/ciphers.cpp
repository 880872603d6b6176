// Crypto++'s ciphers.
#define CRYPTOPP_ENABLE_NAMESPACE_WEAK 1
#include <crypto++/aes.h>
#include <crypto++/arc4.h>
#include <crypto++/blowfish.h>
#include <crypto++/camellia.h>
#include <crypto++/cast.h>
#include <crypto++/chachapoly.h>
#include <crypto++/des.h>
#include <crypto++/gcm.h>
#include <crypto++/idea.h>
#include <crypto++/modes.h>
#include <crypto++/rc2.h>
#include <crypto++/serpent.h>
#include <crypto++/twofish.h>

#include "cryptopp.h"

namespace jcarerun {
namespace {

// Whole blocks in one call.
class Cipher : public CipherWork {
 public:
  Cipher(const Request& request, std::unique_ptr<CryptoPP::SymmetricCipher> made_cipher)
      : CipherWork(request), block(block_bytes(request.algorithm)),
        padded((request.mode == "ECB" || request.mode == "CBC") && request.padding != "NoPadding"), cipher(std::move(made_cipher)) {
    if (!cipher->IsValidKeyLength(request.key.size())) not_offered(request);
    if ((request.mode == "ECB" || request.mode == "CBC") && (!padded || !encrypts) && in.size() % block != 0) {
      throw UserError("the text is not a whole number of blocks");
    }
    out.resize(in.size() + block);
    set_key();
  }

  void run() override {
    if (request.init_inside || only_key) {
      set_key();
    } else if (!request.iv.empty()) {
      cipher->Resynchronize(request.iv.data(), static_cast<int>(request.iv.size()));
    }
    if (only_key) return;
    run_blocks(block, padded, [this](const Byte* from, Byte* to, std::size_t bytes) { cipher->ProcessData(to, from, bytes); });
  }

  Bytes result() override { return first(made); }

 private:
  void set_key() {
    if (request.iv.empty()) {
      cipher->SetKey(request.key.data(), request.key.size());
    } else {
      cipher->SetKeyWithIV(request.key.data(), request.key.size(), request.iv.data(), request.iv.size());
    }
  }

  const std::size_t block;
  const bool padded;
  std::unique_ptr<CryptoPP::SymmetricCipher> cipher;
};

class Aead : public CipherWork {
 public:
  Aead(const Request& request, std::unique_ptr<CryptoPP::AuthenticatedSymmetricCipher> made_cipher)
      : CipherWork(request), cipher(std::move(made_cipher)) {
    if (!cipher->IsValidKeyLength(request.key.size())) not_offered(request);
    if (!encrypts && in.size() < TAG_BYTES) throw UserError("--input: shorter than the tag of " + std::to_string(TAG_BYTES) + " bytes");
    out.resize(encrypts ? in.size() + TAG_BYTES : in.size() - TAG_BYTES);
    set_key();
  }

  void run() override {
    if (request.init_inside || only_key) set_key();
    if (only_key) return;
    const auto iv_bytes = static_cast<int>(request.iv.size());
    const std::size_t count = encrypts ? in.size() : out.size();
    if (encrypts) {
      cipher->EncryptAndAuthenticate(out.data(), out.data() + count, TAG_BYTES, request.iv.data(), iv_bytes, nullptr, 0, in.data(), count);
    } else if (!cipher->DecryptAndVerify(out.data(), in.data() + count, TAG_BYTES, request.iv.data(), iv_bytes, nullptr, 0, in.data(), count)) {
      throw std::runtime_error("the tag is wrong");
    }
  }

  Bytes result() override { return only_key ? Bytes{} : out; }

 private:
  void set_key() { cipher->SetKeyWithIV(request.key.data(), request.key.size(), request.iv.data(), request.iv.size()); }

  std::unique_ptr<CryptoPP::AuthenticatedSymmetricCipher> cipher;
};

template <typename Kind>
std::unique_ptr<Work> direction(const Request& request) {
  if (request.operation == "decrypt") return std::make_unique<Cipher>(request, std::make_unique<typename Kind::Decryption>());
  return std::make_unique<Cipher>(request, std::make_unique<typename Kind::Encryption>());
}

template <typename Kind>
std::unique_ptr<Work> aead(const Request& request) {
  if (request.operation == "decrypt") return std::make_unique<Aead>(request, std::make_unique<typename Kind::Decryption>());
  return std::make_unique<Aead>(request, std::make_unique<typename Kind::Encryption>());
}

template <typename Block>
std::unique_ptr<Work> in_mode(const Request& request) {
  if (request.mode == "ECB") return direction<CryptoPP::ECB_Mode<Block>>(request);
  if (request.mode == "CBC") return direction<CryptoPP::CBC_Mode<Block>>(request);
  if (request.mode == "CTR") return direction<CryptoPP::CTR_Mode<Block>>(request);
  if constexpr (Block::BLOCKSIZE == 16) {
    if (request.mode == "GCM") return aead<CryptoPP::GCM<Block>>(request);
  }
  not_offered(request);
}

}  // namespace

std::unique_ptr<Work> make_cipher(const Request& request) {
  const std::string& name = request.algorithm;
  if (name == "AES") return in_mode<CryptoPP::AES>(request);
  if (name == "DES") return in_mode<CryptoPP::DES>(request);
  if (name == "DESede") return in_mode<CryptoPP::DES_EDE3>(request);
  if (name == "Blowfish") return in_mode<CryptoPP::Blowfish>(request);
  if (name == "Camellia") return in_mode<CryptoPP::Camellia>(request);
  if (name == "Twofish") return in_mode<CryptoPP::Twofish>(request);
  if (name == "Serpent") return in_mode<CryptoPP::Serpent>(request);
  if (name == "CAST5") return in_mode<CryptoPP::CAST128>(request);
  if (name == "IDEA") return in_mode<CryptoPP::IDEA>(request);
  if (name == "RC2") return in_mode<CryptoPP::RC2>(request);
  if (name == "ARCFOUR") return direction<CryptoPP::Weak::ARC4>(request);
  if (name == "ChaCha20-Poly1305") return aead<CryptoPP::ChaCha20Poly1305>(request);
  not_offered(request);
}

}  // namespace jcarerun
