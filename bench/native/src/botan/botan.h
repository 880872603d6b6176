// What differs between Botan 2 and Botan 3.
#pragma once

#include <botan/asn1_obj.h>
#include <botan/auto_rng.h>
#include <botan/cipher_mode.h>
#include <botan/pubkey.h>
#include <botan/version.h>

#include "../harness.h"

namespace jcarerun {

#if BOTAN_VERSION_MAJOR >= 3
constexpr auto ENCRYPTION = Botan::Cipher_Dir::Encryption, DECRYPTION = Botan::Cipher_Dir::Decryption;
constexpr auto DER = Botan::Signature_Format::DerSequence, PLAIN = Botan::Signature_Format::Standard;
constexpr auto OCTETS = Botan::ASN1_Type::OctetString;
const std::string X25519 = "X25519";
#else
constexpr auto ENCRYPTION = Botan::ENCRYPTION, DECRYPTION = Botan::DECRYPTION;
constexpr auto DER = Botan::DER_SEQUENCE, PLAIN = Botan::IEEE_1363;
constexpr auto OCTETS = Botan::OCTET_STRING;
const std::string X25519 = "Curve25519";
#endif

// Botan's name of a digest: the JCA's, but for two.
std::string botan_digest(const std::string& name);
std::unique_ptr<Work> make_key_pair_work(const Request& request);

}  // namespace jcarerun
