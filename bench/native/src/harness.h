// What the shared program and a library's part say to each other: one request, one piece of work, and the kinds of failure.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace jcarerun {

using Bytes = std::vector<std::uint8_t>;

// The caller's mistake: one line, exit status 2.
struct UserError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The library lacks the operation: one line, exit status 3.
struct NotOffered : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A wrong answer: one line, exit status 1. Nothing is timed then.
struct CheckFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One operation with all that it works on. Algorithms, modes and paddings have the JCA's names.
struct Request {
  std::string operation;      // key-setup, encrypt, decrypt, digest, hmac, sign, verify, generate, agree
  std::string algorithm;      // AES, DESede, SHA-256, HmacSHA256, SHA256withRSA, RSA, EC, ECDH, ...
  std::string mode;           // ECB, CBC, CTR, GCM; empty where the algorithm has none
  std::string padding;        // PKCS5Padding, NoPadding; of RSA PKCS1Padding, OAEPPadding
  int bits = 0;               // length of the key
  bool init_inside = true;    // whether the key is set within the timed operation
  Bytes key;                  // secret key
  Bytes iv;                   // initialization vector or nonce; empty where the mode has none
  Bytes text;                 // plain text or message
  Bytes input;                // cipher text of decrypt, signature of verify
  Bytes private_key, peer;    // PKCS#8, DER

  bool is_asymmetric() const { return algorithm == "RSA"; }
  bool is_aead() const { return mode == "GCM" || algorithm == "ChaCha20-Poly1305"; }
};

// An operation that is ready to be run any number of times. `run` is what is timed.
class Work {
 public:
  explicit Work(const Request& asked) : request(asked) {}
  virtual ~Work() = default;
  virtual void run() = 0;
  // What the last run made: cipher text, digest, signature, secret; public key (SubjectPublicKeyInfo) of generate; of verify one byte, 1 if right.
  virtual Bytes result() { return out; }

 protected:
  // The first bytes of `out`, which may be longer than what was made.
  Bytes first(std::size_t count) const { return Bytes(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count)); }

  const Request request;
  Bytes out;
};

// Encryption or decryption with a secret key, or the set-up of the key alone.
class CipherWork : public Work {
 protected:
  explicit CipherWork(const Request& asked)
      : Work(asked), encrypts(asked.operation != "decrypt"), only_key(asked.operation == "key-setup"), in(encrypts ? asked.text : asked.input) {}

  // Whole blocks by `blocks(from, to, bytes)`. PKCS#5 padding is put on and taken off here; `out` has room for a block more than `in`.
  template <typename Blocks>
  void run_blocks(std::size_t block, bool padded, Blocks blocks) {
    made = padded ? in.size() / block * block : in.size();
    blocks(in.data(), out.data(), made);
    if (padded && encrypts) {
      const std::size_t left = in.size() - made;
      std::memcpy(out.data() + made, in.data() + made, left);
      std::memset(out.data() + in.size(), static_cast<int>(block - left), block - left);
      blocks(out.data() + made, out.data() + made, block);
      made += block;
    } else if (padded && made > 0) {
      const std::size_t count = out[made - 1];
      if (count < 1 || count > block) throw std::runtime_error("the padding is broken");
      made -= count;
    }
  }

  const bool encrypts, only_key;
  const Bytes in;
  std::size_t made = 0;
};

// Length in bytes of the authentication tag that follows an AEAD cipher's text, as in the JCA.
constexpr std::size_t TAG_BYTES = 16;

// What each library's part defines.
std::string library_name();
std::string library_version();
// Names of the CPU's features that the library uses, in its own words.
std::string library_cpu_features();
// Called once before anything else; brings the library's own variables to effect.
void library_start();
// Throws NotOffered.
std::unique_ptr<Work> make_work(const Request& request);

[[noreturn]] void not_offered(const Request& request);
// Length in bytes of the block of a cipher with that JCA name, 0 for a stream cipher. Throws UserError.
std::size_t block_bytes(const std::string& algorithm);
// `SHA256withRSA` as {SHA-256, RSA}; {"", algorithm} without a `with`.
std::pair<std::string, std::string> signature_parts(const std::string& algorithm);
// `HmacSHA256` as SHA-256. Throws UserError.
std::string hmac_digest(const std::string& algorithm);
// `SHA256` as SHA-256; what is spelt with a hyphen already stays.
std::string digest_name(const std::string& plain);
// 256, 384 or 521 as the NIST curve's name in X9.62 and SEC 2 words. Throws UserError.
std::string curve_name(int bits);

}  // namespace jcarerun
