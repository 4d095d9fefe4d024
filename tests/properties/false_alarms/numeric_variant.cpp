#include "tests/properties/false_alarms/numeric_variant.h"

#include <utility>

#include "oracle/geometry/geometry.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/generators/frame.h"
#include "properties/targets/target/target.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::Observation;
using corpus::Status;

/// Of a problem without products: every gradient that is asked for is zero.
Observation zeros(const Case& test_case) {
  Observation seen;
  seen.phase_one = seen.phase_two = seen.synchronise = Status::Success;
  for (const auto role : corpus::output_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    if (!tensor) continue;
    auto& output = seen.outputs[role];
    const auto count = to_size(corpus::element_count(tensor->shape).value_or(0));
    output.before.assign(count * corpus::size_bytes(tensor->dtype), std::byte{0xA7});
    output.bits = output.before;
    if (corpus::is_requested(test_case, role)) output.bits.assign(output.bits.size(), std::byte{0});
  }
  return seen;
}

class NumericTarget final : public targets::Target {
 public:
  NumericTarget(std::shared_ptr<const targets::Library> library, Computation computation)
      : targets::Target(std::move(library)), computation_(std::move(computation)) {}

  tl::expected<std::uint64_t, std::string> free_memory() override { return std::uint64_t{1} << 30; }
  bool gains_by_batches() const override { return false; }
  bool endangers_this_process() const override { return false; }

 private:
  Observation run_one(const Case& test_case, const targets::RunSettings& settings) override {
    const auto admissible = oracle::admissible_statuses(test_case, oracle::Profile::Documented);
    if (admissible.statuses.empty()) return corpus::not_run("no rule speaks of the call");
    Observation seen;
    seen.phase_one = admissible.statuses.front();
    seen.out_parameters_untouched = seen.phase_one != Status::Success;
    const bool computes =
        !settings.status_only && test_case.shape_consistent && test_case.data.has_value();
    if (seen.phase_one != Status::Success || !computes) return seen;
    const auto geometry = oracle::geometry_of(test_case);
    seen = geometry ? computation_(test_case) : zeros(test_case);
    seen.repeated = test_case.deterministic;
    return seen;
  }

  std::vector<Observation> run_several(std::span<const Case> cases,
                                       const targets::RunSettings& settings) override {
    std::vector<Observation> seen;
    for (const Case& test_case : cases) seen.push_back(run_one(test_case, settings));
    return seen;
  }
  std::vector<Observation> run_together(std::span<const Case> cases,
                                        const targets::RunSettings& settings) override {
    return run_several(cases, settings);
  }

  Computation computation_;
};

class NumericLibrary final : public targets::Library,
                             public std::enable_shared_from_this<NumericLibrary> {
 public:
  NumericLibrary(targets::Introduction introduction, Computation computation)
      : targets::Library(std::move(introduction)), computation_(std::move(computation)) {}

  std::unique_ptr<targets::Target> new_target() const override {
    return std::make_unique<NumericTarget>(shared_from_this(), computation_);
  }

 private:
  Computation computation_;
};

}  // namespace

std::shared_ptr<const targets::Library> numeric_variant(std::string name, Computation computation) {
  targets::Introduction introduction{.name = std::move(name),
                                     .devices = {},
                                     .remarks = {},
                                     .apis = {corpus::Api::ConvolutionBackward}};
  for (const corpus::Product product : cases::supported_products) {
    introduction.devices.push_back({0, std::string(corpus::name_of(product)), product});
  }
  return std::make_shared<NumericLibrary>(std::move(introduction), std::move(computation));
}

}  // namespace gradproof::runs
