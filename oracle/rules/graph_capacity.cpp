#include <fmt/core.h>

#include "oracle/facts/on_chip_room.h"
#include "oracle/rules/all.h"
#include "oracle/rules/operator_rules.h"

namespace gradproof::oracle::rules {
namespace {

// What the graph operators' released tiling has no room for. The documents do not speak of it, so
// that both verdicts conform.

constexpr Calls dx{corpus::Api::Conv3DBackpropInputV2};
constexpr Calls dw{corpus::Api::Conv3DBackpropFilterV2};
constexpr std::string_view source = "CANN ops-nn, tiling of the V2 operators";

constexpr StatusRule capacity_row(std::string_view id, Clause demand, Calls calls,
                                  Products products, Standing (*standing)(const Facts&),
                                  std::string (*words)(const Facts&)) {
  return {.id = id,
          .demand = demand,
          .source = source,
          .products = products,
          .standing = standing,
          .consequence = legal_unless_released,
          .words = words,
          .calls = calls};
}

/// Bytes of an element, or none: axes or dtype leave undefined what a tile needs.
std::optional<std::int64_t> element_bytes(const Facts& facts) {
  const OperatorFacts& it = graph(facts);
  if (!has_ordinary_axes(it)) return std::nullopt;
  const std::size_t bytes = corpus::size_bytes(it.out_backprop->dtype);
  if (bytes != 2 && bytes != 4) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

using TileSize = CheckedInteger (*)(const OperatorFacts&, std::int64_t);

template <TileSize tile>
Standing tile_fits(const Facts& facts) {
  const auto bytes = element_bytes(facts);
  return bytes ? met_if(is_at_most(tile(graph(facts), *bytes), l1_bytes)) : Standing::Undefined;
}

template <TileSize tile>
std::string words_for_tile(const Facts& facts) {
  const auto need = tile(graph(facts), *element_bytes(facts)).value();
  return fmt::format("the smallest tile needs {} bytes of L1; a core of {} has {}",
                     need ? std::to_string(*need) : "more than 2^63", facts.test_case.soc,
                     l1_bytes);
}

// HW-03

constexpr std::int64_t longest_row = 4096;

Standing rows_are_short(const Facts& facts) {
  if (!has_ordinary_axes(graph(facts))) return Standing::Undefined;
  const SpatialAxis& w = graph(facts).axes.values[2];
  return met_if(w.big <= longest_row &&
                is_at_most(CheckedInteger(w.small) * w.stride, longest_row));
}

std::string words_for_rows(const Facts& facts) {
  const SpatialAxis& w = graph(facts).axes.values[2];
  return fmt::format("W of y is {}, W of out_backprop {} at stride {}; a row has at most {}", w.big,
                     w.small, w.stride, longest_row);
}

// HW-04: dx is a convolution of the expanded out_backprop, whose own pads these are.

struct Pads {
  CheckedInteger begin, end;
};

Pads pads_of_dx(const SpatialAxis& axis) {
  return {axis.kernel_extent() - 1 - axis.padding_begin,
          CheckedInteger(axis.big) - CheckedInteger(axis.small) * axis.stride + axis.padding_begin};
}

constexpr std::int64_t largest_pad = 255;

Standing pads_of_dx_fit(const Facts& facts) {
  if (!has_ordinary_axes(graph(facts))) return Standing::Undefined;
  const auto fits = [](const SpatialAxis& axis) {
    const auto [begin, end] = pads_of_dx(axis);
    return is_at_most(begin, largest_pad) && is_at_most(end, largest_pad);
  };
  const auto& axes = graph(facts).axes.values;
  return met_if(fits(axes[1]) && fits(axes[2]));
}

std::string words_for_pads_of_dx(const Facts& facts) {
  const auto& axes = graph(facts).axes.values;
  const auto text = [](CheckedInteger pad) {
    return pad.value() ? std::to_string(*pad.value()) : std::string("more than 2^63");
  };
  const auto h = pads_of_dx(axes[1]), w = pads_of_dx(axes[2]);
  return fmt::format(
      "dx pads the expanded out_backprop with {}, {} along H and {}, {} along W; {} "
      "is the most",
      text(h.begin), text(h.end), text(w.begin), text(w.end), largest_pad);
}

// HW-06

Standing dw_has_a_tiling(const Facts& facts) {
  const auto* x = graph(facts).feature_map;
  return x ? met_if(x->dtype != corpus::DataType::HiFloat8) : Standing::Undefined;
}

constexpr StatusRule graph_capacity_rows[] = {
    capacity_row("HW-02", {"dx: the smallest tile fits in L1", "dx：L1 须放得下最小的分块"}, dx,
                 on_a23, tile_fits<smallest_tile_of_dx>, words_for_tile<smallest_tile_of_dx>),
    capacity_row("HW-03",
                 {"dx: W of y, and of the expanded out_backprop, <= 4096",
                  "dx：y 的 W 和展开后的 out_backprop 的 W 须小于等于 4096"},
                 dx, on_a23, rows_are_short, words_for_rows),
    capacity_row("HW-04",
                 {"dx: the pads of the expanded out_backprop <= 255 on H and W",
                  "dx：展开后的 out_backprop 在 H、W 方向的填充 pads 须小于等于 255"},
                 dx, on_a23, pads_of_dx_fit, words_for_pads_of_dx),
    capacity_row("HW-05", {"dw: the smallest tile fits in L1", "dw：L1 须放得下最小的分块"}, dw,
                 on_a23, tile_fits<smallest_tile_of_dw>, words_for_tile<smallest_tile_of_dw>),
    capacity_row("HW-06", {"dw: dtypes of 2 or 4 bytes", "dw：数据类型须为 2 字节或 4 字节"}, dw,
                 on_a5, dw_has_a_tiling,
                 [](const Facts&) {
                   return std::string("x has dtype HIFLOAT8, for which no tiling is released");
                 }),
};

}  // namespace

std::span<const StatusRule> graph_capacity_rules() { return graph_capacity_rows; }

}  // namespace gradproof::oracle::rules
