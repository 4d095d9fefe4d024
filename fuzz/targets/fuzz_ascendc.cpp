// Ascend C: what the tiling classes are told against their rules, and programs of calls on a
// simulated core against the published order of calls and the exact gradient.

#include <fmt/core.h>

#include <cstdlib>

#include "fuzz/ascendc/ascendc_program.h"
#include "fuzz/ascendc/ascendc_tiling.h"
#include "fuzz/engine/finding.h"
#include "fuzz/engine/run_one.h"

namespace gradproof::fuzz {

const CaseTarget case_target{.name = "fuzz_ascendc", .case_of = tiling_case, .check = check_tiling};

namespace {

void run_program(std::span<const std::uint8_t> bytes) {
  const AscendcProgram smallest = shortened_ascendc(bytes);
  if (!smallest.failure) return;
  print_time_of_finding("fuzz_ascendc");
  fmt::print(stderr, "fuzz_ascendc: the core does not do what the documents say: {}\n",
             *smallest.failure);
  for (const std::string& step : smallest.steps) fmt::print(stderr, "step: {}\n", step);
  std::abort();
}

}  // namespace
}  // namespace gradproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradproof::fuzz;
  if (is_program({data, size})) {
    run_program({data, size});
  } else {
    run_one(case_target, {data, size});
  }
  return 0;
}
