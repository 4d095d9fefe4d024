#include "properties/runs/gate/gate_target.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "corpus/product_row.h"
#include "properties/targets/session/tensor_memory.h"
#include "properties/targets/session/unwritten.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::Observation;
using targets::RunSettings;
using Clock = Candidate::Clock;

/// Devices of every product: a case's says nothing to a candidate.
class NoLibrary : public targets::Library {
 public:
  NoLibrary() : Library(introduced()) {}
  std::unique_ptr<targets::Target> new_target() const override { return nullptr; }

 private:
  static targets::Introduction introduced() {
    targets::Introduction introduction;
    introduction.apis = {corpus::Api::ConvolutionBackward};
    for (const corpus::ProductRow& row : corpus::product_rows) {
      introduction.devices.push_back({0, std::string(corpus::name_of(row.product)), row.product});
    }
    return introduction;
  }
};

class AskedCandidate : public targets::Target {
 public:
  AskedCandidate(Candidate& candidate, Clock::time_point until)
      : Target(std::make_shared<NoLibrary>()), candidate_(candidate), until_(until) {}

  tl::expected<std::uint64_t, std::string> free_memory() override {
    return tl::unexpected(std::string("a candidate has no device"));
  }
  bool gains_by_batches() const override { return false; }
  bool endangers_this_process() const override { return false; }

 private:
  Observation run_one(const Case& test_case, const RunSettings& settings) override {
    constexpr std::chrono::milliseconds most{2'000};
    if (const char* why = targets::why_no_call_of_tensors(test_case, settings.status_only)) {
      return corpus::not_run(why);
    }
    if (!is_alive_ || Clock::now() >= until_) return corpus::not_run("the time is up");
    const GateCall call = call_of(test_case);
    auto reply = candidate_.ask({&call, 1}, std::min(until_, Clock::now() + most));
    is_alive_ = !reply.fate;
    return is_alive_ ? std::move(reply.seen.front()) : corpus::not_run(*reply.fate);
  }

  std::vector<Observation> run_several(std::span<const Case> cases,
                                       const RunSettings& settings) override {
    std::vector<Observation> seen;
    for (const Case& test_case : cases) seen.push_back(run_one(test_case, settings));
    return seen;
  }

  std::vector<Observation> run_together(std::span<const Case> cases, const RunSettings&) override {
    return {cases.size(), corpus::not_run("a candidate has no streams")};
  }

  Candidate& candidate_;
  Clock::time_point until_;
  bool is_alive_ = true;
};

}  // namespace

GateCall call_of(const Case& test_case) {
  GateCall call{test_case, {}};
  for (const auto role : corpus::input_roles) {
    call.operands.at(static_cast<std::size_t>(role)) =
        targets::operand_bytes(test_case, role, targets::OperandLayout::Dense);
  }
  return call;
}

Case listed_case(const GateCall& call) {
  Case listed = call.test_case;
  listed.data.emplace().distribution = corpus::Distribution::Listed;
  for (const auto role : corpus::input_roles) {
    const auto& tensor = *corpus::tensor(call.test_case, role);
    const auto& bytes = call.operands.at(static_cast<std::size_t>(role));
    const std::size_t width = corpus::size_bytes(tensor.dtype);
    for (std::size_t i = 0; i < elements_of(call.test_case, role); ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + i * width, width);
      if (bits == 0) continue;
      std::vector<std::int64_t> at(tensor.shape.size());
      auto rest = static_cast<std::int64_t>(i);
      for (std::size_t axis = at.size(); axis-- > 0; rest /= tensor.shape[axis]) {
        at[axis] = rest % tensor.shape[axis];
      }
      listed.data->listed.at(static_cast<std::size_t>(role)).push_back({std::move(at), bits});
    }
  }
  return listed;
}

std::unique_ptr<targets::Target> target_of(Candidate& candidate, Clock::time_point until) {
  return std::make_unique<AskedCandidate>(candidate, until);
}

}  // namespace gradproof::runs
