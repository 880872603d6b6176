// The command line.
#pragma once

#include "harness.h"

namespace jcarerun {

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

}  // namespace jcarerun
