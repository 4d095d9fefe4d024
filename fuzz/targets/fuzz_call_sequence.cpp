// Programs of runtime and aclnn calls, right and wrong ones mixed, against the model of the
// runtime.

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

#include "fuzz/engine/finding.h"
#include "fuzz/runtime/call_sequence.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradproof::fuzz;
  if (!carry_out({data, size}).failure) return 0;
  print_time_of_finding("fuzz_call_sequence");
  const CallSequence smallest = carry_out(shortened({data, data + size}));
  fmt::print(stderr, "fuzz_call_sequence: the runtime does not follow its model: {}\n",
             smallest.failure.value_or("not when it is repeated"));
  for (const std::string& step : smallest.steps) fmt::print(stderr, "step: {}\n", step);
  std::abort();
}
