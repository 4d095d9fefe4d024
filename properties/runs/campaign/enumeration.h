#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/status/status_oracle.h"

namespace gradproof::runs {

/// Calls that are all to be run, numbered from 0. Immutable, so that any number of workers may
/// share it.
class Enumeration {
 public:
  virtual ~Enumeration() = default;

  virtual std::uint64_t size() const = 0;

  /// A pure function of the number; without data.
  virtual corpus::Case call(std::uint64_t number) const = 0;

  /// The runs of that call, each with its data; at least one. `ruling`: on the call.
  virtual std::vector<corpus::Case> runs(const corpus::Case& test_case, std::uint64_t number,
                                         const oracle::Ruling& ruling) const = 0;

  /// The command that runs them all.
  virtual std::string command() const = 0;

 protected:
  Enumeration() = default;
  Enumeration(const Enumeration&) = default;
  Enumeration(Enumeration&&) = default;
  Enumeration& operator=(const Enumeration&) = default;
  Enumeration& operator=(Enumeration&&) = default;
};

}  // namespace gradproof::runs
