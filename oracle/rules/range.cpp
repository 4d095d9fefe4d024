#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;

// Documented upper limits. The lower ones are bound.cpp's, so that a stride of 0 breaks one rule
// and not two. A weight axis of 0 is an empty problem, which these limits exempt.

constexpr Paths all_but_empty_on_a1{Path::Ordinary, Path::EmptyInput, Path::EmptyGradOutput};
constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
// 2^31 - 2, the documented largest size.
constexpr std::int64_t largest_size = 2147483646;

enum class Parameter : std::uint8_t { Weight, Stride, Padding, Dilation };
enum class Ranks : std::uint8_t { All, Only5, Only3And4 };

/// The limits of one parameter: of D, and of H, W and L.
struct DocumentedRange {
  Parameter parameter;
  std::int64_t lowest;
  std::int64_t depth_limit;
  std::int64_t plane_limit;
  bool transposed;
  Ranks ranks = Ranks::All;
};

/// One value of the parameter as the caller wrote it.
struct Entry {
  std::size_t index;  ///< in the array, or the axis of the weight
  std::int64_t value;
  bool is_depth;
};

std::string_view name_of(Parameter parameter) {
  constexpr std::string_view names[] = {"weight", "stride", "padding", "dilation"};
  return names[to_size(parameter)];
}

bool speaks_of(Ranks ranks, std::size_t rank) {
  if (rank == 0) return false;
  return ranks == Ranks::All || (ranks == Ranks::Only5) == (rank == 5);
}

/// The values that have limits; nothing where the array is not there or has a length that is
/// refused.
std::span<const std::int64_t> values_of(const Facts& facts, Parameter parameter) {
  switch (parameter) {
    case Parameter::Weight:
      break;
    case Parameter::Stride:
      return facts.stride_fits ? *facts.stride : std::span<const std::int64_t>{};
    case Parameter::Padding:
      return facts.padding_fits ? *facts.padding : std::span<const std::int64_t>{};
    case Parameter::Dilation:
      return facts.dilation_fits ? *facts.dilation : std::span<const std::int64_t>{};
  }
  const bool spatial = facts.weight && facts.weight->shape.size() == facts.rank;
  return spatial ? std::span(facts.weight->shape).subspan(2) : std::span<const std::int64_t>{};
}

std::optional<Entry> first_beyond(const Facts& facts, const DocumentedRange& range) {
  const auto values = values_of(facts, range.parameter);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_depth = facts.rank == 5 && i == 0;
    const std::int64_t limit = is_depth ? range.depth_limit : range.plane_limit;
    if (values[i] > limit) return Entry{i, values[i], is_depth};
  }
  return std::nullopt;
}

/// Each row speaks of one direction, and of some ranks: of other calls it is undefined, so that
/// coverage does not count them.
template <const DocumentedRange& range>
Standing is_within(const Facts& facts) {
  if (facts.transposed() != range.transposed || !speaks_of(range.ranks, facts.rank)) {
    return Standing::Undefined;
  }
  if (values_of(facts, range.parameter).empty()) return Standing::Undefined;
  return met_if(!first_beyond(facts, range));
}

template <const DocumentedRange& range>
std::string words_for_range(const Facts& facts) {
  const Entry entry = first_beyond(facts, range).value_or(Entry{});
  const bool weight = range.parameter == Parameter::Weight;
  const std::string_view tensor_axis = axis_name(facts.rank, entry.index);
  const std::string place =
      weight ? fmt::format("'s {}", tensor_axis) : fmt::format("[{}]", entry.index);
  return fmt::format("{}{} is {}; on {}, {}, the documented range is [{}, {}]",
                     name_of(range.parameter), place, entry.value, chip(facts), direction(facts),
                     range.lowest, entry.is_depth ? range.depth_limit : range.plane_limit);
}

/// The released checks ask none of these; the device refuses some and computes others. An empty
/// problem is not computed.
Consequence beyond_documented(const Facts& facts) {
  const StatusSet accepted{success, invalid, inner};
  if (facts.path == Path::EmptyInput) return {success, success, accepted};
  return {inner, {success, inner}, accepted};
}

template <const DocumentedRange& range>
constexpr StatusRule limited(std::string_view id, Products products, Clause demand,
                             std::string_view source) {
  return {.id = id,
          .demand = demand,
          .source = source,
          .products = products,
          .paths = all_but_empty_on_a1,
          .standing = is_within<range>,
          .consequence = beyond_documented,
          .words = words_for_range<range>};
}

constexpr DocumentedRange weight_of_ordinary{Parameter::Weight, 1, unlimited, 255, false};
constexpr DocumentedRange weight_of_transposed{Parameter::Weight, 1, unlimited, 255, true};
constexpr DocumentedRange stride_3d{Parameter::Stride, 1, unlimited, 63, false, Ranks::Only5};
constexpr DocumentedRange stride_of_transposed{Parameter::Stride, 1, 1000000, 63, true};
constexpr DocumentedRange padding_3d{Parameter::Padding, 0, unlimited, 255, false, Ranks::Only5};
constexpr DocumentedRange padding_1d_2d{Parameter::Padding, 0, 255, 255, false, Ranks::Only3And4};
constexpr DocumentedRange padding_of_transposed{Parameter::Padding, 0, 1000000, 255, true};
constexpr DocumentedRange dilation_of_ordinary{Parameter::Dilation, 1, 255, 255, false};
constexpr DocumentedRange dilation_of_transposed{Parameter::Dilation, 1, 1000000, 255, true};

// RANGE-11. Our kernel leaves these sizes alone but refuses a call whose arithmetic leaves int64.

std::optional<std::int64_t> first_huge(std::span<const std::int64_t> values) {
  const auto huge = std::ranges::find_if(values, [](auto value) { return value > largest_size; });
  if (huge == values.end()) return std::nullopt;
  return *huge;
}

bool has_documented_sizes(const Facts& facts) {
  return facts.product_class == ProductClass::A23 && !facts.transposed();
}

/// The first size, stride or D padding above the documented largest one, with the parameter's name.
std::optional<std::pair<std::string_view, std::int64_t>> huge_value(const Facts& facts) {
  for (const auto role : corpus::input_roles) {
    const auto* tensor = facts.inputs()[role];
    const auto huge = tensor ? first_huge(tensor->shape) : std::nullopt;
    if (huge) return std::pair{corpus::name_of(role), *huge};
  }
  const auto strides = values_of(facts, Parameter::Stride);
  if (const auto huge = first_huge(strides)) return std::pair{name_of(Parameter::Stride), *huge};
  const auto paddings = values_of(facts, Parameter::Padding);
  const auto depth = paddings.first(facts.rank == 5 && !paddings.empty() ? 1 : 0);
  if (const auto huge = first_huge(depth)) return std::pair{name_of(Parameter::Padding), *huge};
  return std::nullopt;
}

/// Two demands in one row: sizes within the documented limit, and arithmetic over them within int64
/// (Facts::arithmetic_overflows). The second is broken on every product.
Standing sizes_can_be_computed(const Facts& facts) {
  if (facts.arithmetic_overflows) return Standing::Broken;
  return has_documented_sizes(facts) ? met_if(!huge_value(facts)) : Standing::Undefined;
}

/// An empty problem needs none of these numbers.
Consequence sizes_beyond_reach(const Facts& facts) {
  const bool is_empty_problem = facts.path == Path::EmptyInput;
  if (facts.arithmetic_overflows) {
    const StatusSet anything{is_empty_problem ? StatusSet(success) : success_without_values,
                             invalid, inner};
    return {is_empty_problem ? success : inner, anything, anything};
  }
  const StatusSet released = is_empty_problem ? StatusSet(success) : StatusSet{success, inner};
  return {success, released, {success, invalid, inner}};
}

std::string words_for_sizes(const Facts& facts) {
  if (facts.arithmetic_overflows) {
    return "the sizes and attributes lead to numbers that do not fit into 64 bits";
  }
  const auto [name, value] = huge_value(facts).value_or(std::pair{std::string_view{}, 0});
  return fmt::format("{} has the value {}; on {}, {}, the documented largest is {}", name, value,
                     chip(facts), direction(facts), largest_size);
}

constexpr StatusRule range_rows[] = {
    limited<weight_of_ordinary>("RANGE-01", on_a23,
                                {"not transposed: weight H, W, L <= 255",
                                 "非转置卷积：卷积核 weight 的 H、W、L 须小于等于 255"},
                                "aclnnConvolutionBackward, parameter weight"),
    limited<weight_of_transposed>(
        "RANGE-02", on_a5,
        {"transposed: weight H, W, L <= 255", "转置卷积：卷积核 weight 的 H、W、L 须小于等于 255"},
        "aclnnConvolutionBackward, parameter weight"),
    limited<stride_3d>("RANGE-03", on_a23,
                       {"not transposed, 3D: stride H, W <= 63",
                        "非转置的 3D 卷积：步长 stride 在 H、W 方向须小于等于 63"},
                       "aclnnConvolutionBackward, parameter stride"),
    limited<stride_of_transposed>(
        "RANGE-04", on_a5,
        {"transposed: stride D <= 1000000, H, W, L <= 63",
         "转置卷积：步长 stride 在 D 方向须小于等于 1000000，在 H、W、L 方向须小于等于 63"},
        "aclnnConvolutionBackward, parameter stride"),
    limited<padding_3d>("RANGE-05", on_a23,
                        {"not transposed, 3D: padding H, W <= 255",
                         "非转置的 3D 卷积：填充 padding 在 H、W 方向须小于等于 255"},
                        "aclnnConvolutionBackward, parameter padding"),
    limited<padding_1d_2d>("RANGE-06", on_a23,
                           {"not transposed, 1D and 2D: every padding <= 255",
                            "非转置的 1D、2D 卷积：填充 padding 的每个值须小于等于 255"},
                           "aclnnConvolutionBackward, parameter padding"),
    limited<padding_of_transposed>(
        "RANGE-07", on_a5,
        {"transposed: padding D <= 1000000, H, W, L <= 255",
         "转置卷积：填充 padding 在 D 方向须小于等于 1000000，在 H、W、L 方向须小于等于 255"},
        "aclnnConvolutionBackward, parameter padding"),
    limited<dilation_of_ordinary>("RANGE-08", on_a23,
                                  {"not transposed: every dilation <= 255",
                                   "非转置卷积：膨胀 dilation 的每个值须小于等于 255"},
                                  "aclnnConvolutionBackward, parameter dilation"),
    limited<dilation_of_transposed>(
        "RANGE-09", on_a5,
        {"transposed: dilation D <= 1000000, H, W, L <= 255",
         "转置卷积：膨胀 dilation 在 D 方向须小于等于 1000000，在 H、W、L 方向须小于等于 255"},
        "aclnnConvolutionBackward, parameter dilation"),
    {.id = "RANGE-10",
     .demand = {"groups <= 65535", "分组数 groups 须小于等于 65535"},
     .source = "aclnnConvolutionBackward, parameter groups",
     .paths = all_but_empty_on_a1,
     .standing = [](const Facts& facts) { return met_if(facts.test_case.groups <= 65535); },
     .consequence = beyond_documented,
     .words =
         [](const Facts& facts) {
           return fmt::format("groups is {}; the documented range is [1, 65535]",
                              facts.test_case.groups);
         }},
    {.id = "RANGE-11",
     .demand = {"sizes, strides, D padding <= 2147483646; what they lead to fits into 64 bits",
                "各维长度、步长 stride 和 D 方向的填充 padding 须小于等于 "
                "2147483646，由它们算出的数须能用 64 位表示"},
     .source = "aclnnConvolutionBackward (oldest edition), value ranges",
     .paths = all_but_empty_on_a1,
     .standing = sizes_can_be_computed,
     .consequence = sizes_beyond_reach,
     .words = words_for_sizes},
};

}  // namespace

std::span<const StatusRule> range_rules() { return range_rows; }

}  // namespace gradproof::oracle::rules
