// Small things that Crypto++'s parts share.
#pragma once

#include <crypto++/cryptlib.h>
#include <crypto++/osrng.h>
#include <crypto++/queue.h>

#include "../harness.h"

namespace jcarerun {

using Byte = CryptoPP::byte;

std::unique_ptr<Work> make_cipher(const Request& request);
std::unique_ptr<Work> make_key_pair_work(const Request& request);
std::unique_ptr<Work> make_agreement(const Request& request);
std::unique_ptr<CryptoPP::HashTransformation> make_digest(const Request& request, const std::string& name);

inline CryptoPP::ByteQueue queue(const Bytes& der) {
  CryptoPP::ByteQueue made;
  made.Put(der.data(), der.size());
  made.MessageEnd();
  return made;
}

// Reads a key from PKCS#8.
template <typename Key>
void load(Key& key, const Bytes& der) {
  CryptoPP::ByteQueue source = queue(der);
  key.Load(source);
}

}  // namespace jcarerun
