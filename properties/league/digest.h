#pragma once

#include <cstdint>

#include "corpus/case.h"
#include "corpus/observation.h"

namespace gradproof::properties {

/// What a run showed in two words of 64 bits, to see whether a kernel with a fault shows the same.
struct Digest {
  std::uint64_t values = 0;      ///< how a call ended, and the bits of the outputs asked for
  std::uint64_t everything = 0;  ///< also: memory around them, inputs, workspace, repeats

  friend bool operator==(const Digest&, const Digest&) = default;
};

/// Time and messages take no part.
Digest digest_of(const corpus::Case& problem, const corpus::Observation& seen);

}  // namespace gradproof::properties
