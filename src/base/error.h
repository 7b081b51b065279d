// Errors carry a message for the person who can fix it; the library never prints or exits.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace scree {

// Something failed: a file, a device, a run. The command line exits with 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The request itself was wrong: an unknown key, a value out of range. The command line exits
// with 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

// A run was cancelled by its owner (Ctrl-C); state is whole and can be written.
class Cancelled : public Error {
 public:
  using Error::Error;
};

// Joins its arguments as text; the core has no formatting dependency.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

}  // namespace scree
