#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "corpus/observation.h"

namespace gradproof::targets {

/// Memory of a process that is there, in bytes; 0 where it is gone.
std::uint64_t resident_bytes(std::int32_t process);

/// "signal 11 (SIGSEGV)".
std::string signal_words(int signal);

/// The observation of a case during which the target ended its process, or damaged it.
corpus::Observation ended(std::string how);

/// The observation of a case that was not run, or not to its end.
corpus::Observation unsupported(std::string_view why);

/// True if the child can continue.
bool survives(const corpus::Observation& seen);

/// True if the case was given up because the run has no time left.
bool is_for_time(const corpus::Observation& seen);

/// Describes how a child ended, where the same case alone does not end one.
std::string damaged_before(const corpus::Observation& seen);

}  // namespace gradproof::targets
