// Both phases of small calls: statuses against the rules, gradients against the exact ones.

#include "fuzz/engine/checks.h"
#include "fuzz/engine/run_one.h"

namespace gradproof::fuzz {

const CaseTarget case_target{.name = "fuzz_values", .case_of = small_case, .check = check_values};

}  // namespace gradproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gradproof::fuzz::run_one(gradproof::fuzz::case_target, {data, size});
  return 0;
}
