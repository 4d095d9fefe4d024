#include "properties/targets/isolation/request_size.h"

#include <algorithm>

#include "oracle/geometry/workload.h"
#include "properties/targets/session/case_memory.h"

namespace gradproof::targets {
namespace {

using corpus::Case;

constexpr double macs_per_second = 1e7, bytes_per_second = 32.0 * (1U << 20U);
/// Larger cases are sent one at a time: batching would save nothing compared with their run time.
constexpr std::uint64_t most_bytes_together = std::uint64_t{1} << 21;
/// A case that ends the child makes all of its companions run again.
constexpr std::size_t most_cases_together = 32;

/// Memory of a case that is handed over. For a case without data phase one alone runs, on no more
/// than a few tensors' bytes, whatever it says about their lengths.
std::uint64_t bytes_in_flight(const Case& test_case) {
  return test_case.data ? memory_bytes(test_case).value_or(0) : 0;
}

}  // namespace

std::uint64_t own_need(std::span<const Case> cases) {
  std::uint64_t bytes = 0;
  for (const Case& test_case : cases) bytes += memory_bytes(test_case).value_or(0);
  return bytes;
}

std::size_t count_together(std::span<const Case> cases) {
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  while (count < std::min(cases.size(), most_cases_together)) {
    bytes += bytes_in_flight(cases[count]);
    if (bytes > most_bytes_together) break;
    ++count;
  }
  return std::max<std::size_t>(count, 1);
}

std::chrono::milliseconds time_for(const Request& request, std::span<const Case> cases,
                                   std::chrono::milliseconds timeout) {
  double macs = 0, bytes = 0;
  for (const Case& test_case : cases) {
    const bool computes = test_case.data && !request.settings.status_only;
    if (!computes) continue;  // phase one alone, whatever the tensors' lengths are
    macs += static_cast<double>(oracle::mac_count(test_case).value_or(0));
    const std::uint64_t filled = bytes_in_flight(test_case);
    const bool is_run = filled <= request.settings.memory_limit_bytes;
    bytes += is_run ? static_cast<double>(filled) : 0.0;
  }
  constexpr double most_seconds = 1e6;
  const double seconds = std::min(macs / macs_per_second + bytes / bytes_per_second, most_seconds);
  const bool is_together = request.kind == RequestKind::RunStreams;
  const auto count = static_cast<std::int64_t>(is_together ? cases.size() : 1);
  return timeout * count + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
}

std::size_t output_bytes(const Response& response) {
  std::size_t bytes = 0;
  for (const corpus::Observation& seen : response.seen) {
    for (const auto& output : seen.outputs) bytes += output.bits.size() + output.before.size();
  }
  return bytes;
}

}  // namespace gradproof::targets
