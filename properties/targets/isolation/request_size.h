#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "corpus/case.h"
#include "properties/targets/isolation/wire.h"

namespace gradproof::targets {

/// Memory that the cases need whatever the target: their tensors, and as much to look at them.
std::uint64_t own_need(std::span<const corpus::Case> cases);

/// Number of the first cases that are handed to a child at once, at least one.
std::size_t count_together(std::span<const corpus::Case> cases);

/// Time for each case of the request; for all of them where they run together.
std::chrono::milliseconds time_for(const Request& request, std::span<const corpus::Case> cases,
                                   std::chrono::milliseconds timeout);

/// Size of the outputs as they are now and were before.
std::size_t output_bytes(const Response& response);

}  // namespace gradproof::targets
