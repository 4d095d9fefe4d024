#include "corpus/case.h"
#include "corpus/json/json_object.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/element_encoding.h"

namespace gradproof::corpus {
namespace {

using Integers = std::vector<std::int64_t>;

TensorFill read_fill(JsonObject object, Distribution distribution) {
  TensorFill fill;
  fill.density = static_cast<std::uint32_t>(object.integer("density", 0, 65536));
  if (distribution == Distribution::ExactGrid) {
    fill.magnitude = object.integer("magnitude", 1, std::int64_t{1} << 53);
    fill.exponent = static_cast<std::int32_t>(object.integer("exponent", -1000, 900));
  } else {
    fill.exponent_low = static_cast<std::int32_t>(object.integer("exponentLow", -1000, 1000));
    fill.exponent_high =
        static_cast<std::int32_t>(object.integer("exponentHigh", fill.exponent_low, 1000));
  }
  object.refuse_unread();
  return fill;
}

/// A number that the dtype represents exactly, or "0x..." for the bits themselves.
std::optional<std::uint64_t> read_bits(const nlohmann::json& value, DataType dtype) {
  if (value.is_number()) return encode_exactly(dtype, value.get<double>());
  if (!value.is_string()) return std::nullopt;
  const auto text = value.get<std::string>();
  if (!text.starts_with("0x")) return std::nullopt;
  std::uint64_t bits = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + 2, end, bits, 16);
  const std::size_t size = size_bytes(dtype);
  const bool fits = size >= sizeof bits || (bits >> (size * 8)) == 0;
  if (error != std::errc{} || rest != end || !fits) return std::nullopt;
  return bits;
}

bool is_coordinate(const nlohmann::json& value, const Integers& shape) {
  if (!value.is_array() || value.size() != shape.size()) return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (!value[axis].is_number_unsigned()) return false;
    if (value[axis].get<std::uint64_t>() >= static_cast<std::uint64_t>(shape[axis])) return false;
  }
  return true;
}

std::vector<ListedElement> read_listed(JsonObject& object, std::string_view key,
                                       const std::optional<TensorCase>& tensor) {
  std::vector<ListedElement> elements;
  if (!object.has(key)) return elements;
  for (const auto& entry : object.array(key)) {
    const std::string place = fmt::format("{}[{}]", key, elements.size());
    const bool is_pair = tensor && entry.is_array() && entry.size() == 2;
    if (!is_pair || !is_coordinate(entry[0], tensor->shape)) {
      object.fail(place, "expected [coordinate inside the tensor's shape, value]");
      return {};
    }
    const auto bits = read_bits(entry[1], tensor->dtype);
    if (!bits) {
      object.fail(place, fmt::format("expected a number that {} represents exactly, or its bits as "
                                     "\"0x...\"",
                                     name_of(tensor->dtype)));
      return {};
    }
    elements.push_back({entry[0].get<Integers>(), *bits});
  }
  return elements;
}

void read_range(JsonObject& object, DataRecipe& recipe) {
  const auto& range = object.array("range");
  const bool is_range = range.size() == 2 && range[0].is_number() && range[1].is_number() &&
                        range[0].get<double>() <= range[1].get<double>();
  if (!is_range) return object.fail("range", "expected [low, high] with low <= high");
  recipe.range_low = range[0].get<double>();
  recipe.range_high = range[1].get<double>();
}

void read_fills(JsonObject& object, const Case& test_case, DataRecipe& recipe) {
  if (!object.has(name_of(test_case, InputRole::GradOutput))) return;  // to be planned
  PerInput<TensorFill> fills;
  for (const InputRole role : input_roles) {
    fills[role] = read_fill(object.object(name_of(test_case, role)), recipe.distribution);
  }
  recipe.fills = fills;
}

}  // namespace

DataRecipe read_data(JsonObject object, const Case& test_case) {
  DataRecipe recipe;
  recipe.distribution = object.named("distribution", "distribution", distribution_named);
  if (object.has("seed")) recipe.seed = object.natural("seed");
  if (has_fills(recipe.distribution)) read_fills(object, test_case, recipe);
  if (recipe.distribution == Distribution::Uniform) read_range(object, recipe);
  if (recipe.distribution == Distribution::Listed) {
    for (const InputRole role : input_roles) {
      recipe.listed[role] = read_listed(object, name_of(test_case, role), tensor(test_case, role));
    }
  }
  object.refuse_unread();
  return recipe;
}

}  // namespace gradproof::corpus
