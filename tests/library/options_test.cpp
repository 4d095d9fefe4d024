// libgradproof asks for no call outside of the options that a run was opened with.

#include <gradproof/gradproof.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "tests/library/drawn_options.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::tests {
namespace {

/// Answers zeros, which are wrong, so that calls are asked to make them small and to explain them.
void answer_zeros(gradproof_run* run, const corpus::Case& call) {
  for (const corpus::OutputRole role : corpus::output_roles) {
    const auto& tensor = corpus::tensor(call, role);
    if (!tensor || !corpus::is_requested(call, role)) continue;
    const auto count = to_size(*corpus::element_count(tensor->shape));
    const std::vector<std::byte> zeros(count * corpus::size_bytes(tensor->dtype));
    const auto index = GRADPROOF_GRAD_INPUT + static_cast<int>(role);
    gradproof_result(run, static_cast<gradproof_tensor>(index), zeros.data(), zeros.size());
  }
  gradproof_tell(run);
}

/// The calls of a run, up to so many.
std::vector<corpus::Case> asked(nlohmann::json options, std::size_t most) {
  const ScratchFolder folder;
  options["out"] = folder.path().string();
  options["cases"] = 60;
  options["findings"] = 2;
  gradproof_run* const run = gradproof_open(options.dump().c_str());
  EXPECT_NE(run, nullptr) << gradproof_error() << options;
  std::vector<corpus::Case> calls;
  while (run != nullptr && calls.size() < most && gradproof_next(run) == GRADPROOF_OK) {
    calls.push_back(*corpus::parse_case(gradproof_call(run)));
    answer_zeros(run, calls.back());
  }
  gradproof_close(run);
  return calls;
}

TEST(LibraryOptions, BindEveryCallThatIsAsked) {
  std::size_t calls = 0;
  for (std::uint64_t set = 0; set < 200; ++set) {
    std::string json;
    const auto options = drawn_options_of_a_function(set, json);
    for (const corpus::Case& call : asked(nlohmann::json::parse(json), 50)) {
      EXPECT_EQ(outside(options, call), "") << json << corpus::to_json_line(call);
      ++calls;
    }
  }
  EXPECT_GT(calls, 5'000U);
}

TEST(LibraryOptions, FindingsOfOneTargetAreAskedOfNoOther) {
  const ScratchFolder folder;
  const auto first_call = [&](const char* target) {
    const nlohmann::json options{{"out", folder.path().string()},
                                 {"target", target},
                                 {"cases", 40},
                                 {"findings", 1},
                                 {"seed", 5}};
    gradproof_run* const run = gradproof_open(options.dump().c_str());
    std::string first;
    while (gradproof_next(run) == GRADPROOF_OK) {
      const auto call = *corpus::parse_case(gradproof_call(run));
      if (first.empty()) first = corpus::to_json_line(call);
      answer_zeros(run, call);
    }
    const bool has_finding = gradproof_findings(run) == 1;
    gradproof_close(run);
    return has_finding ? first : "no finding";
  };
  const std::string drawn = first_call("f");
  const std::string again = first_call("f");
  EXPECT_EQ(first_call("g"), drawn) << "nothing of f's is asked of g";
  EXPECT_NE(again, drawn) << "f's finding comes first";
  const std::filesystem::directory_iterator files(folder / "findings");
  EXPECT_EQ(std::distance(begin(files), end(files)), 2) << "each keeps its own";
}

}  // namespace
}  // namespace gradproof::tests
