// Parameters alone, of any size: what the kernel says of a call against what the rules admit.

#include "fuzz/engine/checks.h"
#include "fuzz/engine/run_one.h"

namespace gradproof::fuzz {

const CaseTarget case_target{.name = "fuzz_status", .case_of = bare_case, .check = check_status};

}  // namespace gradproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gradproof::fuzz::run_one(gradproof::fuzz::case_target, {data, size});
  return 0;
}
