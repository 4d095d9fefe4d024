#include "properties/cases/generators/frame.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace gradproof::cases {
namespace {

using corpus::DataType;
using corpus::Product;

/// Ascend950 has the most paths of its own (device_paths/): half as often again as its row says.
std::int64_t weight_of(const corpus::ProductRow& row) {
  return 2 * row.weight + (row.product == Product::Ascend950 ? row.weight : 0);
}

struct RankRow {
  int rank;
  std::int64_t weight;
};
constexpr RankRow ranks[] = {{3, 20}, {4, 48}, {5, 32}};

struct TypeRow {
  std::optional<DataType> dtype;  ///< none: mixed
  /// All of which a selection must admit; of a mix, at least two of them.
  std::vector<DataType> members;
  std::int64_t weight;
};
constexpr std::int64_t weight_of_mixes = 10;

/// One type each, and the mix of wide ones behind these; DOUBLE where it is asked for and can be.
std::vector<TypeRow> type_rows(const Selection& selection) {
  std::vector<TypeRow> rows;
  const auto add = [&](DataType type) {
    rows.push_back({type, {type}, corpus::row_of(type).weight});
  };
  constexpr std::array wide_types = corpus::data_types_where<corpus::is_wide_float>();
  std::ranges::for_each(wide_types, add);
  rows.push_back({std::nullopt, {wide_types.begin(), wide_types.end()}, weight_of_mixes});
  std::ranges::for_each(corpus::eight_bit_types, add);
  const bool has_double = selection.of_tensors && !selection.dtypes.empty();
  if (has_double) add(DataType::Double);
  return rows;
}

bool admits_row(const std::vector<DataType>& chosen, const TypeRow& row) {
  const auto admitted =
      std::ranges::count_if(row.members, [&](DataType type) { return admits(chosen, type); });
  return admitted >= (row.dtype ? 1 : 2);
}

/// True if the frame is legal by the table of products and F8-01: rank, types, direction.
bool is_legal(const Frame& frame) {
  if (frame.dtype == DataType::Double) return true;
  if (is_first_generation(frame.product)) {
    return frame.rank <= 4 && frame.dtype != DataType::BFloat16 && is_wide(frame);
  }
  if (is_wide(frame)) return true;
  return corpus::row_of(frame.product).generation == corpus::Generation::EightBit &&
         frame.transposed;
}

std::vector<Frame> wished(const Selection& selection) {
  std::vector<Frame> frames;
  const std::vector<TypeRow> all_types = type_rows(selection);
  for (const corpus::ProductRow& product : corpus::product_rows) {
    if (!corpus::has_convolution(product)) continue;
    for (const RankRow& rank : ranks) {
      for (const TypeRow& types : all_types) {
        for (const bool transposed : {false, true}) {
          if (!admits(selection.products, product.product) || !admits(selection.ranks, rank.rank) ||
              !admits_row(selection.dtypes, types) ||
              selection.transposed.value_or(transposed) != transposed) {
            continue;
          }
          frames.push_back(
              {.product = product.product,
               .rank = rank.rank,
               .transposed = transposed,
               .dtype = types.dtype,
               .weight = weight_of(product) * rank.weight * types.weight * (transposed ? 40 : 60),
               .domain = selection.domain});
        }
      }
    }
  }
  return frames;
}

constexpr std::string_view what_is_legal =
    "Ascend310 and Ascend310B support no convolution; Ascend310P and Ascend910 only ranks 3 and 4 "
    "with FLOAT and FLOAT16; 8-bit floats only Ascend950 with --transposed yes; DOUBLE is a type "
    "of "
    "functions alone (--target pipe:CMD, Python)";

}  // namespace

bool is_wide(const Frame& frame) { return !frame.dtype || corpus::is_wide_float(*frame.dtype); }

bool is_first_generation(Product product) {
  return corpus::row_of(product).generation == corpus::Generation::First;
}
bool is_second_generation(Product product) {
  return corpus::row_of(product).generation == corpus::Generation::Second;
}

tl::expected<std::vector<Frame>, std::string> frames_of(const Selection& selection) {
  std::vector<Frame> frames = wished(selection);
  std::erase_if(frames, [](const Frame& frame) { return !is_legal(frame); });
  if (frames.empty()) {
    return tl::unexpected(fmt::format("the selection{} admits no valid call: {}",
                                      options_of(selection), what_is_legal));
  }
  return frames;
}

const Frame& draw_frame(const std::vector<Frame>& frames, corpus::RandomSource& random) {
  const std::int64_t total =
      std::accumulate(frames.begin(), frames.end(), std::int64_t{0},
                      [](std::int64_t sum, const Frame& frame) { return sum + frame.weight; });
  std::int64_t drawn = random.between(0, total - 1);
  for (const Frame& frame : frames) {
    drawn -= frame.weight;
    if (drawn < 0) return frame;
  }
  return frames.back();
}

}  // namespace gradproof::cases
