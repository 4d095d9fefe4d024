#include "properties/advice/interop/foreign_call.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "corpus/words/words.h"
#include "properties/advice/explain/parameter_words.h"
#include "properties/advice/interop/foreign_value.h"
#include "properties/targets/target/derived_shapes.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

constexpr std::array argument_names{"gradOutput", "input",      "weight",      "gradInput",
                                    "gradWeight", "gradBias",   "biasSizes",   "stride",
                                    "padding",    "dilation",   "transposed",  "outputPadding",
                                    "groups",     "outputMask", "cubeMathType"};

/// Understands one argument after the other; the first problem is kept.
class CallReader {
 public:
  explicit CallReader(const ForeignCall& call) : call_(call) {}

  tl::expected<Case, corpus::CaseError> operator()() {
    case_.id = call_.id;
    case_.source = call_.source;
    read_inputs();
    read_attributes();
    if (!problem_) read_outputs();
    if (!problem_) read_data();
    if (problem_) return tl::unexpected(*problem_);
    return std::move(case_);
  }

 private:
  void fail(const std::string& key, std::string problem) {
    if (!problem_) problem_ = corpus::CaseError{{}, call_.line, key, std::move(problem)};
  }

  /// The value; its problem is kept.
  template <typename Value>
  Value kept(const std::string& key, tl::expected<Value, std::string> read) {
    if (!read) fail(key, read.error());
    return read ? std::move(*read) : Value{};
  }

  Lengths integers(const std::string& key, const nlohmann::json& given) {
    return kept(key, integers_of(given));
  }

  // Tensors.

  const ForeignTensor* described(const std::string& name) const {
    const auto found = call_.tensors.find(name);
    return found == call_.tensors.end() ? nullptr : &found->second;
  }

  TensorCase tensor(const ForeignTensor& words) {
    TensorCase result;
    result.shape = integers(words.key, words.shape);
    if (std::ranges::any_of(result.shape, [](auto length) { return length < 0; })) {
      fail(words.key, fmt::format("shape {} has a negative length", shown(words.shape)));
    }
    const auto dtype = corpus::data_type_from_words(words.dtype);
    if (!dtype) fail(words.key, dtype.error());
    result.dtype = dtype.value_or(corpus::DataType::Float);
    result.format = corpus::plain_format(result.shape.size());
    if (!words.format.empty()) read_format(words, result);
    if (!words.strides.is_null()) result.strides = integers(words.key, words.strides);
    if (result.strides == corpus::row_major_strides(result.shape)) result.strides.reset();
    if (!words.offset.is_null())
      result.offset = kept(words.key, integer_of<std::int64_t>(words.offset));
    if (!words.storage_shape.is_null()) {
      result.storage_shape = integers(words.key, words.storage_shape);
    }
    if (result.storage_shape == result.shape) result.storage_shape.reset();
    refuse_strides_that_do_not_fit(words, result);
    return result;
  }

  void read_format(const ForeignTensor& words, TensorCase& result) {
    const auto memory = corpus::memory_format_from_words(words.format, result.shape.size());
    if (!memory) return fail(words.key, memory.error());
    result.format = memory->format;
    if (memory->channels_last) result.strides = corpus::channels_last_strides(result.shape);
  }

  void refuse_strides_that_do_not_fit(const ForeignTensor& words, const TensorCase& result) {
    if (!corpus::element_count(result.shape)) {
      fail(words.key, "the number of elements overflows 64 bits");
    }
    if (result.strides && result.strides->size() != result.shape.size()) {
      fail(words.key,
           fmt::format("{} strides for {} axes", result.strides->size(), result.shape.size()));
    }
  }

  void read_inputs() {
    for (const corpus::InputRole role : corpus::input_roles) {
      const std::string name(name_of(role));
      const ForeignTensor* words = described(name);
      if (words && !words->shape.is_null()) corpus::tensor(case_, role) = tensor(*words);
      if (!words && role != corpus::InputRole::GradOutput) {
        fail(call_.key, fmt::format("{} is missing: give its shape and dtype", name));
      }
    }
    if (case_.input) axes_ = case_.input->shape.size();
    if (case_.weight) axes_ = std::max(axes_, case_.weight->shape.size());
    axes_ = axes_ < 3 ? 1 : axes_ - 2;
  }

  // Attributes.

  const ForeignValue* given(const std::string& name) const {
    const auto found = call_.values.find(name);
    return found == call_.values.end() ? nullptr : &found->second;
  }

  const ForeignValue* needed(const std::string& name) {
    const ForeignValue* value = given(name);
    if (!value) fail(call_.key, fmt::format("{} is missing", name));
    return value;
  }

  /// Reads a value for each axis; null means that a null pointer is passed.
  std::optional<Lengths> for_each_axis(const std::string& name) {
    const ForeignValue* words = needed(name);
    if (!words || words->value.is_null()) return std::nullopt;
    Lengths values = integers(words->key, words->value);
    if (!plain_value(words->value).is_array()) values.resize(axes_, values.empty() ? 0 : values[0]);
    return values;
  }

  std::optional<Lengths> padding() {
    const ForeignValue* words = given("padding");
    const bool is_word = words && words->value.is_string() && plain_value(words->value).is_string();
    if (!is_word) return for_each_axis("padding");
    if (words->value == "valid") return Lengths(axes_, 0);
    fail(words->key,
         fmt::format("{}: write the padding as numbers, one for each axis", shown(words->value)));
    return std::nullopt;
  }

  void read_attributes() {
    case_.stride = for_each_axis("stride");
    case_.padding = padding();
    case_.dilation = for_each_axis("dilation");
    case_.output_padding = for_each_axis("outputPadding");
    if (const auto* words = needed("transposed")) {
      case_.transposed = kept(words->key, truth_of(words->value));
    }
    if (const auto* words = needed("groups")) {
      case_.groups = kept(words->key, integer_of<std::int32_t>(words->value));
    }
    if (const auto* words = given("cubeMathType")) {
      case_.cube_math_type = kept(words->key, integer_of<std::int8_t>(words->value));
    }
    if (const auto* words = given("biasSizes"); words && !words->value.is_null()) {
      case_.bias_sizes = integers(words->key, words->value);
    }
    read_mask();
  }

  void read_mask() {
    const ForeignValue* words = needed("outputMask");
    if (!words || words->value.is_null()) return;
    const nlohmann::json items = plain_value(words->value);
    if (!items.is_array()) return fail(words->key, "expected a list of three truths");
    std::vector<bool> mask;
    for (const nlohmann::json& item : items) mask.push_back(kept(words->key, truth_of(item)));
    case_.output_mask = mask;
  }

  // What follows from the rest.

  void read_outputs() {
    if (!described("gradOutput")) derive_grad_output();
    const bool derives = case_.grad_output && case_.input && case_.weight;
    for (const corpus::OutputRole role : corpus::output_roles) {
      const ForeignTensor* words = described(std::string(name_of(role)));
      auto& output = corpus::tensor(case_, role);
      if (words && !words->shape.is_null()) output = tensor(*words);
      if (!words && derives) output = targets::fitting_output(case_, role);
    }
  }

  void derive_grad_output() {
    const auto shape = targets::derived_grad_output(case_);
    if (!shape) return fail(call_.key, "gradOutput is missing, and " + shape.error());
    case_.grad_output = targets::contiguous(*shape, case_.input->dtype, case_.input->format);
  }

  void read_data() {
    corpus::DataRecipe recipe;
    recipe.seed = call_.seed;
    bool is_given = false;
    for (const auto& [name, words] : call_.tensors) {
      if (words.range.is_null()) continue;
      const auto range = range_of(words);
      if (!range) return;
      recipe.range_low = is_given ? std::min(recipe.range_low, range->first) : range->first;
      recipe.range_high = is_given ? std::max(recipe.range_high, range->second) : range->second;
      is_given = true;
    }
    if (is_given) case_.data = recipe;
  }

  std::optional<std::pair<double, double>> range_of(const ForeignTensor& words) {
    const nlohmann::json& range = words.range;
    const bool is_pair =
        range.is_array() && range.size() == 2 && range[0].is_number() && range[1].is_number();
    if (is_pair) {
      const std::pair ends{range[0].get<double>(), range[1].get<double>()};
      const bool is_finite = std::isfinite(ends.first) && std::isfinite(ends.second);
      if (is_finite && ends.first <= ends.second) return ends;
    }
    fail(words.key, fmt::format("{} is no range of finite numbers [low, high]; leave it out, and "
                                "the case is run with the default recipes",
                                shown(range)));
    return std::nullopt;
  }

  const ForeignCall& call_;
  Case case_;
  std::optional<corpus::CaseError> problem_;
  std::size_t axes_ = 1;
};

}  // namespace

std::string argument_named(const std::string& name) {
  const auto found = std::ranges::find(argument_names, key_of_word(name), key_of_word);
  return found == argument_names.end() ? std::string() : std::string(*found);
}

tl::expected<Case, corpus::CaseError> case_of(const ForeignCall& call) {
  return CallReader(call)();
}

}  // namespace gradproof::advice
