#pragma once

#include <cstdint>

namespace gradproof::bench {

/// Seconds of processor time that all threads of this process have used, and those of another one
/// (0: none): what can be compared on a machine that others use too.
double processor_seconds(std::int32_t other_process = 0);

/// The most memory that the process (0: this one) ever had resident.
double peak_megabytes(std::int32_t process = 0);

}  // namespace gradproof::bench
