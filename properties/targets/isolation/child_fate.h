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

inline constexpr std::string_view out_of_memory =
    "the host lacks memory: the system ended the call's process each time";

/// Number of processes that the system has ended so far because memory ran out; 0: unknown.
std::uint64_t kills_for_memory();

/// The observation of a call that is late in a child which has answered the same others before it,
/// and not where it runs alone.
corpus::Observation late_after_others();

/// Describes how a child ended, where the same case alone does not end one.
std::string damaged_before(const corpus::Observation& seen);

}  // namespace gradproof::targets
