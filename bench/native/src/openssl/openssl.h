// Small things that OpenSSL's parts share.
#pragma once

#include <openssl/evp.h>

#include "../harness.h"

namespace jcarerun {

struct Free {
  void operator()(EVP_CIPHER* p) const { EVP_CIPHER_free(p); }
  void operator()(EVP_CIPHER_CTX* p) const { EVP_CIPHER_CTX_free(p); }
  void operator()(EVP_MD* p) const { EVP_MD_free(p); }
  void operator()(EVP_MD_CTX* p) const { EVP_MD_CTX_free(p); }
  void operator()(EVP_MAC* p) const { EVP_MAC_free(p); }
  void operator()(EVP_MAC_CTX* p) const { EVP_MAC_CTX_free(p); }
  void operator()(EVP_PKEY* p) const { EVP_PKEY_free(p); }
  void operator()(EVP_PKEY_CTX* p) const { EVP_PKEY_CTX_free(p); }
};

template <typename T>
using Owned = std::unique_ptr<T, Free>;

// Throws with the library's own words unless it said yes.
void require(bool yes);
// OpenSSL's name of a digest.
std::string openssl_digest(const std::string& name);
std::unique_ptr<Work> make_key_pair_work(const Request& request);

}  // namespace jcarerun
