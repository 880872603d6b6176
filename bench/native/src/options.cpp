#include "program.h"

#include <unistd.h>

#include <set>
#include <sstream>

namespace jcarerun {
namespace {

const std::set<std::string> SWITCHES = {"check", "digest", "version", "cpu-features"};
const std::set<std::string> VALUES = {
    "operation", "algorithm", "mode",  "padding", "transformation",    "bits",         "bytes", "content", "init", "keys",
    "key",       "iv",        "input", "bench-mode", "iteration-ms", "least-times", "fork",  "rows",    "json", "iterations", "output", "benchmark",
};
const std::set<std::string> OPERATIONS = {
    "key-setup", "encrypt", "decrypt", "digest", "hmac", "sign", "verify", "generate", "agree",
};

std::string list(const std::set<std::string>& words) {
  std::string made;
  for (const auto& word : words) made += (made.empty() ? "" : ", ") + word;
  return made;
}

// The directory of keys beside the program.
std::string own_keys() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const std::string self(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  return self.substr(0, self.rfind('/') + 1) + "keys";
}

// Whether the operation works on a key pair, and then the name of its file without the length.
std::string key_file(const Request& request) {
  std::string kind = request.algorithm;
  if (request.operation == "sign" || request.operation == "verify") {
    kind = signature_parts(request.algorithm).second;
  } else if (request.operation != "agree" && (!request.is_asymmetric() || request.operation == "generate")) {
    return "";
  }
  const std::map<std::string, std::string> files = {{"ECDSA", "EC"}, {"ECDH", "EC"}, {"Ed25519", "EdDSA"}, {"X25519", "XDH"}};
  const auto found = files.find(kind);
  return found == files.end() ? kind : found->second;
}

// `AES/CBC/PKCS5Padding` as algorithm, mode and padding, or the three by themselves. Java's ECB of RSA says nothing.
void add_algorithm(const Options& options, Request& request) {
  if (options.has("transformation") == options.has("algorithm")) {
    throw UserError("--algorithm: give it or --transformation, in the JCA's words, such as AES or AES/CBC/PKCS5Padding");
  }
  std::istringstream words(options.text("transformation", options.text("algorithm", "")));
  std::getline(words, request.algorithm, '/');
  std::getline(words, request.mode, '/');
  std::getline(words, request.padding);
  request.mode = options.text("mode", request.mode);
  request.padding = options.text("padding", request.padding);
  if (request.is_asymmetric()) {
    request.mode.clear();
    if (request.padding.rfind("OAEPWithSHA1", 0) == 0 || request.padding.rfind("OAEPWithSHA-1A", 0) == 0) request.padding = "OAEPPadding";
    if (request.padding.empty() && request.operation != "generate") request.padding = "PKCS1Padding";
  } else if (request.padding.empty() && (request.mode == "ECB" || request.mode == "CBC")) {
    request.padding = "PKCS5Padding";
  }
}

void add_secret(const Options& options, Request& request, bool fixed) {
  const bool mac = request.operation == "hmac";
  if (options.has("key")) {
    request.key = from_hex("--key", options.text("key", ""));
  } else {
    request.key = make_key(request.algorithm, request.bits, fixed);
  }
  if (mac) return;
  const std::size_t block = block_bytes(request.algorithm);
  const std::size_t length = request.is_aead() ? 12 : request.mode.empty() || request.mode == "ECB" ? 0 : block;
  request.iv = options.has("iv") ? from_hex("--iv", options.text("iv", "")) : make_iv(length, fixed, request.is_aead());
}

}  // namespace

std::string Options::text(const std::string& name, const std::string& otherwise) const {
  const auto found = given.find(name);
  return found == given.end() ? otherwise : found->second;
}

long Options::number(const std::string& name, long otherwise) const {
  if (!has(name)) return otherwise;
  const std::string word = text(name, "");
  if (word.empty() || word.size() > 12 || word.find_first_not_of("0123456789") != std::string::npos || std::stol(word) < 1) {
    throw UserError("--" + name + " " + word + ": write a whole number from 1 on");
  }
  return std::stol(word);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int at = 1; at < argc; at++) {
    const std::string word = argv[at];
    const std::string name = word.rfind("--", 0) == 0 ? word.substr(2) : "";
    if (SWITCHES.count(name) > 0) {
      options.given[name] = "";
    } else if (VALUES.count(name) == 0) {
      throw UserError(word + ": unknown option; known: " + list(SWITCHES) + ", " + list(VALUES));
    } else if (at + 1 == argc) {
      throw UserError(word + ": a value must follow it");
    } else {
      options.given[name] = argv[++at];
    }
  }
  return options;
}

Request request_of(const Options& options) {
  Request request;
  request.operation = options.text("operation", "");
  if (OPERATIONS.count(request.operation) == 0) {
    throw UserError("--operation " + request.operation + ": unknown operation; choose one of " + list(OPERATIONS));
  }
  add_algorithm(options, request);
  const std::string content = options.text("content", "fixed");
  request.bits = static_cast<int>(options.number("bits", 0));
  const std::string init = options.text("init", "inside");
  if (init != "inside" && init != "outside") throw UserError("--init " + init + ": choose inside or outside");
  request.init_inside = init == "inside";
  const std::string file = key_file(request);
  const bool secret = file.empty() && (request.operation == "hmac" || request.operation == "key-setup" ||
                                       request.operation == "encrypt" || request.operation == "decrypt");
  if (secret) add_secret(options, request, content == "fixed");
  if (!file.empty()) {
    const std::string folder = options.text("keys", own_keys());
    const int bits = file == "EdDSA" || file == "XDH" ? 256 : request.bits;
    request.private_key = read_key(folder, file + "-" + std::to_string(bits));
    // As in Java's Agreement: private and public key of one pair.
    if (request.operation == "agree") request.peer = request.private_key;
  }
  if (request.operation != "generate" && request.operation != "agree") {
    const long usual = request.is_asymmetric() ? 32 : file.empty() ? 1048576 : 1024;
    request.text = make_text(content, static_cast<std::size_t>(options.number("bytes", usual)));
  }
  if (options.has("input")) request.input = read_file(options.text("input", ""));
  return request;
}

}  // namespace jcarerun
