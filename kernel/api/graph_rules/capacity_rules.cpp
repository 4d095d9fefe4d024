#include <algorithm>

#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/graph_rules/rule.h"
#include "kernel/operators/call/checked.h"

// What the released tiling of the graph operators has no room for on a core.
namespace gradproof::kernel::api::graph_checks {
namespace {

using operators::Checked;
using parameter_checks::text;

constexpr std::int64_t l1 = 524'288;

/// H and W with the dilated filter's window on H, and the element's size.
struct L1Tile {
  SpatialAxis depth, height, width;
  std::int64_t element_bytes, window_height;
};

/// Tile of a call whose axes, dilations and dtype are in order, on Ascend910B or 910_93.
std::optional<L1Tile> tile_of(const Call& call) {
  if (call.set() != ProductSet::A23 || !call.out_backprop.value) return std::nullopt;
  const auto depth = spatial_axis(call, 'D'), height = spatial_axis(call, 'H'),
             width = spatial_axis(call, 'W');
  if (!depth || !height || !width) return std::nullopt;
  const std::int64_t dilations[] = {depth->sizes.dilation, height->sizes.dilation,
                                    width->sizes.dilation};
  if (std::ranges::min(dilations) < 1) return std::nullopt;
  const aclDataType type = call.out_backprop.value->data_type;
  if (type != ACL_FLOAT && type != ACL_FLOAT16 && type != ACL_BF16) return std::nullopt;
  const auto window = height->sizes.window().value();
  if (!window) return std::nullopt;
  return L1Tile{*depth, *height, *width, type == ACL_FLOAT ? 4 : 2, *window};
}

Finding without_room(std::optional<std::int64_t> bytes) {
  if (bytes && *bytes <= l1) return std::nullopt;
  return text("the least tile takes ", bytes ? std::to_string(*bytes) : "2^63",
              " bytes of L1, of which a core has ", l1);
}

/// Quotient rounded towards plus infinity; callers keep the sums of both within 64 bits.
std::int64_t ceil_divided(std::int64_t count, std::int64_t unit) {
  return count / unit + (count % unit == 0 ? 0 : 1);
}

/// Rows of outBackprop, zeros between them, for 16 positions of y.
Checked rows_loaded(const L1Tile& tile) {
  const std::int64_t wi = tile.width.sizes.big;
  std::int64_t more = 1;
  if (wi <= 16) more = 16 / wi - 1 + (16 % wi == 0 ? 0 : 2);
  const Checked rows = Checked(tile.window_height) + more;
  const Checked all = Checked(tile.height.sizes.small) * tile.height.stride;
  const bool all_are_fewer = all.value() && (!rows.value() || *all.value() < *rows.value());
  return all_are_fewer ? all : rows;
}

std::int64_t planes_loaded(const Call& call, const SpatialAxis& depth) {
  if (depth.sizes.window().value() == depth.stride) return 1;
  const std::int64_t block = call.out_backprop.value->data_type == ACL_FLOAT ? 8 : 16;
  const std::int64_t taps = *length(call.out_backprop, 'C') <= block ? depth.sizes.kernel : 1;
  return std::min(ceil_divided(taps - 1, depth.stride) + 1, depth.sizes.small);
}

Finding no_room_for_grad_input(const Call& call) {
  const auto tile = tile_of(call);
  if (!tile) return std::nullopt;
  const Checked loaded = rows_loaded(*tile) * tile->width.sizes.small * tile->width.stride *
                         planes_loaded(call, tile->depth) * 32;
  const Checked filter = Checked(tile->height.sizes.kernel) * tile->width.sizes.kernel * 512;
  const std::int64_t table = tile->element_bytes == 2 ? 512 : 0;
  return without_room((loaded + filter + table).value());
}

Finding row_too_long(const Call& call) {
  constexpr std::int64_t longest = 4096;
  const auto tile = tile_of(call);
  if (!tile) return std::nullopt;
  const auto expanded = (Checked(tile->width.sizes.small) * tile->width.stride).value();
  if (expanded && std::max(*expanded, tile->width.sizes.big) <= longest) return std::nullopt;
  return text("W of y is ", tile->width.sizes.big, ", W of outBackprop ", tile->width.sizes.small,
              " at stride ", tile->width.stride,
              "; neither y nor outBackprop with its gaps may "
              "be wider than ",
              longest);
}

/// Finds an axis on which the transposed convolution would pad outBackprop beyond a byte.
Finding transposed_pad_too_large(const Call& call) {
  constexpr std::int64_t largest = 255;
  const auto tile = tile_of(call);
  if (!tile) return std::nullopt;
  for (const SpatialAxis* axis : {&tile->height, &tile->width}) {
    const auto& sizes = axis->sizes;
    const auto before = (sizes.window() - 1 - sizes.padding_begin).value();
    const auto after =
        (Checked(sizes.big) - Checked(sizes.small) * axis->stride + sizes.padding_begin).value();
    if (before && after && std::max(*before, *after) <= largest) continue;
    return text("axis ", axis->name, " of outBackprop needs a pad beyond ", largest,
                " on one of its sides");
  }
  return std::nullopt;
}

/// Positions of x that 16 of outBackprop read.
std::optional<std::int64_t> positions_loaded(const Call& call, const L1Tile& tile) {
  const std::int64_t wi = tile.width.sizes.big, wo = tile.width.sizes.small;
  const bool rows_apart =
      tile.height.sizes.kernel == 1 && *pad_begin(call, 'H') == 0 && *pad_end(call, 'H') == 0;
  const std::int64_t step = rows_apart ? 1 : tile.height.stride;
  if (wo >= 16) return ((Checked(tile.window_height) + (wo % 16 == 0 ? 0 : step)) * wi).value();
  const std::int64_t rows = ceil_divided(16, wo) + (16 % wo == 0 ? 0 : 1);
  const auto positions = ((Checked(rows - 1) * step + tile.window_height) * wi + 15).value();
  if (!positions) return std::nullopt;
  return *positions / 16 * 16;
}

Finding no_room_for_grad_weight(const Call& call) {
  const auto tile = tile_of(call);
  if (!tile) return std::nullopt;
  const auto positions = positions_loaded(call, *tile);
  if (!positions) return without_room(std::nullopt);
  return without_room(((Checked(*positions) + 16) * (16 * tile->element_bytes)).value());
}

Finding untiled_dtype(const Call& call) {
  if (!call.on_a5() || !call.feature.value || call.feature.value->data_type != ACL_HIFLOAT8) {
    return std::nullopt;
  }
  return "x is HIFLOAT8; no tiling of one byte elements is released";
}

constexpr GraphRule rows_of_dx[] = {
    {"HW-02", "limits of the device", permitted, refused, no_room_for_grad_input},
    {"HW-03", "limits of the device", permitted, refused, row_too_long},
    {"HW-04", "limits of the device", permitted, refused, transposed_pad_too_large},
};

constexpr GraphRule rows_of_dw[] = {
    {"HW-05", "limits of the device", permitted, refused, no_room_for_grad_weight},
    {"HW-06", "limits of the device", permitted, refused, untiled_dtype},
};

}  // namespace

Rules capacity_rules(Operator kind) {
  if (kind == Operator::InputV2) return rows_of_dx;
  return rows_of_dw;
}

}  // namespace gradproof::kernel::api::graph_checks
