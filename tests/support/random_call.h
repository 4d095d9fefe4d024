#pragma once

#include <cstdint>

#include "corpus/case.h"

namespace gradproof::oracle {

/// A call drawn from a seed: half of them legal, the others with one to three things wrong. The
/// same on every platform.
corpus::Case random_call(std::uint64_t seed);

}  // namespace gradproof::oracle
