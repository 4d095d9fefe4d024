// Strided views of small calls: gradients against the exact ones, and against those of other
// layouts.

#include "fuzz/engine/checks.h"
#include "fuzz/engine/run_one.h"

namespace gradproof::fuzz {

const CaseTarget case_target{
    .name = "fuzz_layouts", .case_of = strided_case, .check = check_layouts};

}  // namespace gradproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gradproof::fuzz::run_one(gradproof::fuzz::case_target, {data, size});
  return 0;
}
