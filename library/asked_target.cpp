#include "library/asked_target.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "properties/target/target.h"

namespace gradproof::library {
namespace {

using corpus::Case;
using corpus::Observation;

bool is_empty(const std::optional<corpus::TensorCase>& tensor) {
  return tensor && corpus::element_count(tensor->shape).value_or(0) == 0;
}

bool is_any_empty(const Case& problem) {
  return is_empty(problem.grad_output) || is_empty(problem.input) || is_empty(problem.weight);
}

bool has_one_dtype(const Case& problem) {
  const auto dtype = problem.grad_output->dtype;
  const auto is_other = [&](const auto role) {
    const auto& tensor = corpus::tensor(problem, role);
    return tensor && tensor->dtype != dtype;
  };
  return std::ranges::none_of(corpus::input_roles, is_other) &&
         std::ranges::none_of(corpus::output_roles, is_other);
}

/// A value for each spatial axis: what every library's arguments can say.
bool has_a_value_for_each_axis(const Case& problem) {
  const std::size_t axes = problem.input->shape.size() - 2;
  const auto fits = [&](const auto& values) { return values && values->size() == axes; };
  return fits(problem.stride) && fits(problem.padding) && fits(problem.dilation) &&
         (!problem.output_padding || fits(problem.output_padding));
}

/// Why the call is not for a function of tensors; null: it is.
const char* why_not(const Case& problem, const Options& options,
                    const properties::RunSettings& settings) {
  if (problem.api != corpus::Api::ConvolutionBackward) return "not aclnnConvolutionBackward";
  const bool has_operands = problem.grad_output && problem.input && problem.weight;
  if (settings.status_only || !problem.data || !problem.shape_consistent || !has_operands) {
    return "a status alone is asked for";
  }
  if (problem.input->shape.size() < 3 || !has_a_value_for_each_axis(problem)) {
    return "attributes without a value for each axis";
  }
  if (problem.cube_math_type != options.cube_math_type) return "another cubeMathType";
  if (!options.mixed && !has_one_dtype(problem)) return "dtypes are mixed";
  if (!options.empty && is_any_empty(problem)) return "tensors without elements";
  const auto asks_for = [&](auto role) { return corpus::is_requested(problem, role); };
  if (std::ranges::none_of(corpus::output_roles, asks_for)) return "no gradient is asked for";
  return nullptr;
}

class AskedTarget final : public properties::Target {
 public:
  AskedTarget(std::shared_ptr<const properties::Library> library, Exchange& exchange,
              const Options& options)
      : Target(std::move(library)), exchange_(exchange), options_(options) {}

  tl::expected<std::uint64_t, std::string> free_memory() override {
    return tl::unexpected(std::string("a function of tensors has no device"));
  }
  bool gains_by_batches() const override { return false; }
  /// The caller's code runs in this process.
  bool endangers_this_process() const override { return true; }

 private:
  Observation run_one(const Case& problem, const properties::RunSettings& settings) override {
    if (const char* why = why_not(problem, options_, settings)) return corpus::not_run(why);
    return exchange_.ask(problem);
  }
  std::vector<Observation> run_several(std::span<const Case> cases,
                                       const properties::RunSettings& settings) override {
    std::vector<Observation> seen;
    for (const Case& problem : cases) seen.push_back(run_one(problem, settings));
    return seen;
  }
  std::vector<Observation> run_together(std::span<const Case> cases,
                                        const properties::RunSettings&) override {
    return {cases.size(), corpus::not_run("a function of tensors has no streams")};
  }

  Exchange& exchange_;
  const Options& options_;
};

class AskedLibrary final : public properties::Library,
                           public std::enable_shared_from_this<AskedLibrary> {
 public:
  AskedLibrary(Exchange& exchange, const Options& options)
      : Library({.name = options.name,
                 .devices = {{0, options.soc, options.product}},
                 .remarks = {},
                 .apis = {corpus::Api::ConvolutionBackward}}),
        exchange_(exchange),
        options_(options) {}

  std::unique_ptr<properties::Target> new_target() const override {
    return std::make_unique<AskedTarget>(shared_from_this(), exchange_, options_);
  }

 private:
  Exchange& exchange_;
  Options options_;
};

}  // namespace

std::shared_ptr<const properties::Library> asked_library(Exchange& exchange,
                                                         const Options& options) {
  return std::make_shared<AskedLibrary>(exchange, options);
}

}  // namespace gradproof::library
