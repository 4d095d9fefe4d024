#include "tests/library/drawn_options.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "corpus/product.h"
#include "corpus/random_source.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/generators/random_case.h"

namespace gradproof::tests {
namespace {

using cases::Kind;
using cases::Selection;
using corpus::Case;
using corpus::DataType;

/// Each of the values with the same chance; none: no restriction.
template <typename Value>
std::vector<Value> some_of(std::initializer_list<Value> values, corpus::RandomSource& random) {
  std::vector<Value> chosen;
  for (const Value value : values) {
    if (random.chance(30)) chosen.push_back(value);
  }
  return chosen;
}

void draw_calls(Selection& options, corpus::RandomSource& random) {
  options.dtypes = some_of({DataType::Float, DataType::Float16, DataType::BFloat16}, random);
  options.ranks = some_of({3, 4, 5}, random);
  if (random.chance(50)) options.transposed = random.chance(50);
  if (random.chance(50)) {
    options.max_macs = random.one_of<std::int64_t>({30, 300, 3'000});
    options.max_macs_binds = true;
  }
}

const std::optional<corpus::TensorCase>& operand(const Case& call, std::size_t index) {
  return *std::array{&call.grad_output, &call.input, &call.weight}.at(index);
}

/// Of one gradient of a legal call: each element of the smaller map meets every tap and channel of
/// its group once.
double products_of(const Case& call) {
  if (call.api != corpus::Api::ConvolutionBackward || !oracle::broken_rules(call).empty()) return 0;
  double products = 1;
  for (const auto length : (call.transposed ? call.input : call.grad_output)->shape) {
    products *= static_cast<double>(length);
  }
  for (std::size_t i = 1; i < call.weight->shape.size(); ++i) {
    products *= static_cast<double>(call.weight->shape[i]);
  }
  return products;
}

}  // namespace

Selection drawn_options(std::uint64_t number) {
  for (std::uint64_t redraw = 0;; ++redraw) {
    corpus::RandomSource random(number, redraw);
    Selection options;
    draw_calls(options, random);
    options.apis = some_of({corpus::Api::ConvolutionBackward, corpus::Api::Conv3DBackpropInputV2,
                            corpus::Api::Conv3DBackpropFilterV2},
                           random);
    if (options.apis.empty()) options.apis = cases::generated_apis;
    options.products = some_of({corpus::Product::Ascend910B, corpus::Product::Ascend950}, random);
    options.kind = random.one_of({Kind::All, Kind::Valid, Kind::Invalid});
    if (cases::CaseSource::of(options)) return options;
  }
}

Selection drawn_options_of_a_function(std::uint64_t number, std::string& json) {
  for (std::uint64_t redraw = 0;; ++redraw) {
    corpus::RandomSource random(number, redraw);
    Selection options;
    options.kind = Kind::Valid;
    draw_calls(options, random);
    options.max_macs_binds = true;
    options.max_macs = std::min<std::int64_t>(options.max_macs, 10'000);
    if (options.dtypes.empty()) options.dtypes = {DataType::Float};
    options.products = {random.one_of({corpus::Product::Ascend910B, corpus::Product::Ascend950})};
    options.cube_math_type = random.one_of({0, 0, 1});
    options.mixed = random.chance(30);
    options.empty = random.chance(30);
    if (!cases::CaseSource::of(options)) continue;
    nlohmann::json keys{{"rank", options.ranks},
                        {"max_macs", options.max_macs},
                        {"cube_math_type", *options.cube_math_type},
                        {"mixed", options.mixed},
                        {"empty", options.empty},
                        {"soc", corpus::name_of(options.products.front())}};
    for (const DataType type : options.dtypes) keys["dtype"].push_back(corpus::name_of(type));
    if (options.transposed) keys["transposed"] = *options.transposed;
    json = keys.dump();
    return options;
  }
}

std::string outside(const Selection& options, const Case& call) {
  const auto is_none_of = [](const auto& list, const auto& value) {
    return !list.empty() && std::ranges::find(list, value) == list.end();
  };
  if (is_none_of(options.apis, call.api)) return "api";
  const auto product = corpus::product_named(call.soc);
  if (!options.products.empty() && (!product || is_none_of(options.products, *product))) {
    return "product";
  }
  if (options.transposed && call.transposed != *options.transposed) return "direction";
  std::uint64_t least = UINT64_MAX;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& tensor = operand(call, i);
    if (!tensor) continue;
    const bool is_result = call.api == corpus::Api::Conv3DBackpropFilterV2 && i == 2;
    if (!is_result && is_none_of(options.dtypes, tensor->dtype)) return "dtype";
    const bool says_rank = call.api == corpus::Api::ConvolutionBackward ? i == 1 : i == 0;
    if (says_rank && is_none_of(options.ranks, static_cast<int>(tensor->shape.size()))) {
      return "rank";
    }
    const auto count = corpus::element_count(tensor->shape);
    if (count) least = std::min<std::uint64_t>(least, static_cast<std::uint64_t>(*count));
  }
  if (!options.empty && least == 0) return "empty";
  if (options.cube_math_type && call.cube_math_type != *options.cube_math_type) return "mode";
  if (!options.mixed && call.input && call.grad_output && call.weight &&
      (call.input->dtype != call.grad_output->dtype ||
       call.weight->dtype != call.grad_output->dtype)) {
    return "mixed";
  }
  if (options.max_macs_binds && least > 0 &&
      products_of(call) > static_cast<double>(options.max_macs)) {
    return "multiply-accumulates";
  }
  const auto broken = oracle::broken_rules(call);
  const bool is_refused = std::ranges::any_of(broken, [](const oracle::BrokenRule& rule) {
    return rule.documented != corpus::Status::Success && rule.id != "HW-01";
  });
  if (options.kind == Kind::Valid && is_refused) return "kind: a rule refuses it";
  if (options.kind == Kind::Invalid && broken.empty()) return "kind: it breaks no rule";
  return {};
}

}  // namespace gradproof::tests
