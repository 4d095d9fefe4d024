#include "properties/generators/frame.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace gradproof::properties {
namespace {

using corpus::DataType;
using corpus::Product;

struct RankRow {
  int rank;
  std::int64_t weight;
};
constexpr RankRow ranks[] = {{3, 20}, {4, 48}, {5, 32}};

struct TypeRow {
  TypeMix types;
  std::vector<DataType>
      members;  ///< all of which a selection must admit; Mixed: at least two of them
  std::int64_t weight;
};
const std::vector<TypeRow>& type_rows() {
  static const std::vector<TypeRow> rows{
      {TypeMix::Float, {DataType::Float}, 35},
      {TypeMix::Float16, {DataType::Float16}, 28},
      {TypeMix::BFloat16, {DataType::BFloat16}, 20},
      {TypeMix::Mixed, {DataType::Float, DataType::Float16, DataType::BFloat16}, 10},
      {TypeMix::HiFloat8, {DataType::HiFloat8}, 35},
      {TypeMix::Float8E4M3FN, {DataType::Float8E4M3FN}, 35}};
  return rows;
}

bool admits_row(const std::vector<DataType>& chosen, const TypeRow& row) {
  const auto admitted =
      std::ranges::count_if(row.members, [&](DataType type) { return admits(chosen, type); });
  return admitted >= (row.types == TypeMix::Mixed ? 2 : 1);
}

bool is_8_bit(TypeMix types) {
  return types == TypeMix::HiFloat8 || types == TypeMix::Float8E4M3FN;
}

/// The table of products, F8-01: products against ranks, types and direction.
bool is_legal(const Frame& frame) {
  if (is_first_generation(frame.product)) {
    return frame.rank <= 4 && frame.types != TypeMix::BFloat16 && !is_8_bit(frame.types);
  }
  if (!is_8_bit(frame.types)) return true;
  return corpus::row_of(frame.product).generation == corpus::Generation::EightBit &&
         frame.transposed;
}

std::vector<Frame> wished(const Selection& selection) {
  std::vector<Frame> frames;
  for (const corpus::ProductRow& product : corpus::product_rows) {
    if (!corpus::has_convolution(product)) continue;
    for (const RankRow& rank : ranks) {
      for (const TypeRow& types : type_rows()) {
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
               .types = types.types,
               .weight = product.weight * rank.weight * types.weight * (transposed ? 40 : 60)});
        }
      }
    }
  }
  return frames;
}

constexpr std::string_view what_is_legal =
    "Ascend310 and Ascend310B support no convolution; Ascend310P and Ascend910 only ranks 3 and 4 "
    "with FLOAT and FLOAT16; HIFLOAT8 and FLOAT8_E4M3FN only Ascend950 with --transposed yes";

}  // namespace

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

}  // namespace gradproof::properties
