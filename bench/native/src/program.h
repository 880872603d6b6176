// What the parts of the shared program offer each other: options, inputs, checks, timing.
#pragma once

#include "harness.h"

namespace jcarerun {

// The command line.
struct Options {
  std::map<std::string, std::string> given;
  bool has(const std::string& name) const { return given.count(name) > 0; }
  std::string text(const std::string& name, const std::string& otherwise) const;
  // A whole number from 1 on. Throws UserError.
  long number(const std::string& name, long otherwise) const;
};

// Throws UserError for what is not known.
Options parse(int argc, char** argv);
// The request that the options stand for, with its text, key and initialization vector; what decrypt and verify work on is made by the library itself.
Request request_of(const Options& options);

// Texts, keys and initialization vectors are byte for byte those of the Java side, where a content means the same (Contents, SecretInputs).

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

// Right or not: published answers, round trips, and both sides of an agreement. Run before anything is timed.

// The request with what it works on: the cipher text or signature that the same library makes of the text.
Request with_input(const Request& request);
// Throws CheckFailed, naming what is wrong.
void check(const Request& request, Work& work);
// A digest by the library itself.
Bytes digest(const std::string& algorithm, const Bytes& content);

// Timing as JMH times: average time in iterations of a given length, or single shots.

// Times the work as the options say; appends a row for every iteration to --rows, writes JMH's JSON to --json.
void time_work(const Options& options, const Request& request, Work& work);

}  // namespace jcarerun
