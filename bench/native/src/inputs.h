// Texts, keys and initialization vectors: byte for byte those of the Java side, where a content means the same (Contents, SecretInputs).
#pragma once

#include "harness.h"

namespace jcarerun {

// The text of a content (fixed, random, text, message) and length in bytes. Throws UserError.
Bytes make_text(const std::string& content, std::size_t bytes);
// A secret key: 01 02 03 ... where fixed, else as SunJCE draws it from its seeded SHA1PRNG. DES keys have odd parity, 112 bits of DESede
// repeat the first key.
Bytes make_key(const std::string& algorithm, int bits, bool fixed);
// a0 a1 a2 ... where fixed, of an AEAD cipher with zeros for the first four; else the first bytes of java.util.Random(1).
Bytes make_iv(std::size_t bytes, bool fixed, bool aead);
// The private key (PKCS#8, DER) in `<folder>/<name>.pem`. Throws UserError.
Bytes read_key(const std::string& folder, const std::string& name);
// A whole file. Throws UserError.
Bytes read_file(const std::string& path);
void write_file(const std::string& path, const Bytes& content);
Bytes from_hex(const std::string& option, const std::string& hex);
std::string to_hex(const Bytes& bytes);

}  // namespace jcarerun
