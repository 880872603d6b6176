// Right or not: published answers, round trips, and both sides of an agreement. Run before anything is timed.
#pragma once

#include "harness.h"

namespace jcarerun {

// The request with what it works on: the cipher text or signature that the same library makes of the text.
Request with_input(const Request& request);
// Throws CheckFailed, naming what is wrong.
void check(const Request& request, Work& work);
// SHA-256 in hexadecimal, by the library itself.
std::string sha256(const Bytes& content);

}  // namespace jcarerun
