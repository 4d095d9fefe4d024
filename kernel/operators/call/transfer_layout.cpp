#include "kernel/operators/call/transfer_layout.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <variant>

#include <fmt/core.h>

#include "kernel/cube/dense_layout.h"
#include "kernel/cube/feature_map_layout.h"
#include "kernel/cube/fractal.h"
#include "kernel/cube/matrix_layout.h"
#include "kernel/cube/weight_layout.h"

namespace gradproof::kernel::operators {
namespace {

using Error = tl::unexpected<std::string>;
using AnyLayout = std::variant<cube::DenseLayout, cube::FeatureMapLayout, cube::WeightLayout,
                               cube::NzTensorLayout>;

enum class Kind : std::uint8_t { Dense, FeatureMap, Weight, Matrix };

struct Row {
  Layout layout;
  std::string_view name;
  Kind kind;
  bool has_depth;          // false: D must be 1
  std::string_view order;  // of a dense layout; D where it has length 1 may stand anywhere
};

constexpr Row rows[] = {
    {Layout::Nchw, "NCHW", Kind::Dense, false, "NCDHW"},
    {Layout::Nhwc, "NHWC", Kind::Dense, false, "NDHWC"},
    {Layout::Hwcn, "HWCN", Kind::Dense, false, "DHWCN"},
    {Layout::Nd, "ND", Kind::Dense, true, "NCDHW"},
    {Layout::Ncdhw, "NCDHW", Kind::Dense, true, "NCDHW"},
    {Layout::Ndhwc, "NDHWC", Kind::Dense, true, "NDHWC"},
    {Layout::Dhwcn, "DHWCN", Kind::Dense, true, "DHWCN"},
    {Layout::Nc1hwc0, "NC1HWC0", Kind::FeatureMap, false, ""},
    {Layout::Ndc1hwc0, "NDC1HWC0", Kind::FeatureMap, true, ""},
    {Layout::FractalZ, "FRACTAL_Z", Kind::Weight, false, ""},
    {Layout::FractalZ3d, "FRACTAL_Z_3D", Kind::Weight, true, ""},
    {Layout::FractalNz, "FRACTAL_NZ", Kind::Matrix, true, ""},
};

const Row& row_of(Layout layout) { return *std::ranges::find(rows, layout, &Row::layout); }

struct Pair {
  Layout from, to;
};

constexpr Pair transferable[] = {
    {Layout::Nchw, Layout::Nc1hwc0},     {Layout::Nc1hwc0, Layout::Nchw},
    {Layout::Nhwc, Layout::Nc1hwc0},     {Layout::Nc1hwc0, Layout::Nhwc},
    {Layout::Nchw, Layout::FractalZ},    {Layout::FractalZ, Layout::Nchw},
    {Layout::Hwcn, Layout::FractalZ},    {Layout::FractalZ, Layout::Hwcn},
    {Layout::Nd, Layout::FractalNz},     {Layout::FractalNz, Layout::Nd},
    {Layout::Ncdhw, Layout::Ndc1hwc0},   {Layout::Ndc1hwc0, Layout::Ncdhw},
    {Layout::Ndhwc, Layout::Ndc1hwc0},   {Layout::Ndc1hwc0, Layout::Ndhwc},
    {Layout::Ncdhw, Layout::FractalZ3d}, {Layout::FractalZ3d, Layout::Ncdhw},
    {Layout::Dhwcn, Layout::FractalZ3d}, {Layout::FractalZ3d, Layout::Dhwcn},
    {Layout::FractalZ3d, Layout::Ndhwc},
};

AnyLayout layout_of(const LayoutTransfer& transfer, Layout layout) {
  const Row& row = row_of(layout);
  switch (row.kind) {
    case Kind::FeatureMap:
      return cube::FeatureMapLayout{transfer.extents, transfer.c0};
    case Kind::Weight:
      return cube::WeightLayout{transfer.extents, transfer.groups, transfer.c0};
    case Kind::Matrix:
      return cube::NzTensorLayout{transfer.extents, transfer.c0};
    case Kind::Dense:
      break;
  }
  return cube::DenseLayout{transfer.extents, row.order};
}

// Reason, or nullopt where groups are as they must be.
std::optional<std::string> groups_problem(const LayoutTransfer& transfer) {
  const bool is_weight =
      row_of(transfer.from).kind == Kind::Weight || row_of(transfer.to).kind == Kind::Weight;
  if (!is_weight && transfer.groups != 1) {
    return fmt::format(
        "groups is {}; only FRACTAL_Z and FRACTAL_Z_3D are packed by groups, all "
        "other layouts take 1",
        transfer.groups);
  }
  if (transfer.groups < 1) {
    return fmt::format("groups is {}; it must be at least 1", transfer.groups);
  }
  if (is_weight && (transfer.extents.n < 1 || transfer.extents.n % transfer.groups != 0)) {
    return fmt::format("N is {}; weights need a positive multiple of groups, {}",
                       transfer.extents.n, transfer.groups);
  }
  return std::nullopt;
}

std::optional<std::string> numbers_problem(const LayoutTransfer& transfer) {
  const auto is_one_of = [](std::int64_t value, std::initializer_list<std::int64_t> allowed) {
    return std::ranges::find(allowed, value) != allowed.end();
  };
  if (!is_one_of(transfer.element_bytes, {1, 2, 4})) {
    return fmt::format("element_bytes is {}; it must be 1, 2 or 4", transfer.element_bytes);
  }
  if (!is_one_of(transfer.c0, {8, 16, 32})) {
    return fmt::format("C0 is {}; it must be 8, 16 or 32", transfer.c0);
  }
  for (const std::int64_t length : transfer.extents.lengths()) {
    // No padding of one axis overflows below this, so that only products need a check.
    if (length < 0 || length > (std::int64_t{1} << 48)) {
      return fmt::format("a length is {}; each must lie in [0, 2^48]", length);
    }
  }
  return std::nullopt;
}

std::optional<std::string> problem_of(const LayoutTransfer& transfer) {
  if (!is_transferable(transfer.from, transfer.to)) {
    return fmt::format("no transfer leads from {} to {}", name_of(transfer.from),
                       name_of(transfer.to));
  }
  if (auto problem = numbers_problem(transfer)) return problem;
  for (const Layout layout : {transfer.from, transfer.to}) {
    if (!row_of(layout).has_depth && transfer.extents.d != 1) {
      return fmt::format("D is {}; {} has no such axis, so it must be 1", transfer.extents.d,
                         name_of(layout));
    }
  }
  return groups_problem(transfer);
}

std::optional<std::int64_t> bytes_of(const LayoutTransfer& transfer, Layout layout) {
  const auto elements =
      std::visit([](const auto& placed) { return cube::element_count(placed.storage_shape()); },
                 layout_of(transfer, layout));
  std::int64_t bytes = 0;
  if (!elements || __builtin_mul_overflow(*elements, transfer.element_bytes, &bytes)) {
    return std::nullopt;
  }
  return bytes;
}

std::optional<std::string> size_problem(const LayoutTransfer& transfer, Layout layout,
                                        std::size_t given_bytes, std::string_view role) {
  const auto needed = bytes_of(transfer, layout);
  if (!needed) {
    return fmt::format("{} in {} is larger than 2^63 - 1 bytes", role, name_of(layout));
  }
  if (static_cast<std::size_t>(*needed) == given_bytes) return std::nullopt;
  return fmt::format("{} has {} bytes; in {} it takes {}", role, given_bytes, name_of(layout),
                     *needed);
}

}  // namespace

std::string_view name_of(Layout layout) { return row_of(layout).name; }

bool is_transferable(Layout from, Layout to) {
  return std::ranges::any_of(transferable,
                             [&](const Pair& pair) { return pair.from == from && pair.to == to; });
}

tl::expected<std::int64_t, std::string> storage_bytes(const LayoutTransfer& transfer,
                                                      Layout layout) {
  if (auto problem = problem_of(transfer)) return Error(*problem);
  if (layout != transfer.from && layout != transfer.to) {
    return Error(fmt::format("{} is neither side of the transfer from {} to {}", name_of(layout),
                             name_of(transfer.from), name_of(transfer.to)));
  }
  const auto bytes = bytes_of(transfer, layout);
  if (!bytes) {
    return Error(fmt::format("the tensor in {} is larger than 2^63 - 1 bytes", name_of(layout)));
  }
  return *bytes;
}

tl::expected<void, std::string> transfer_layout(const LayoutTransfer& transfer,
                                                std::span<const std::byte> source,
                                                std::span<std::byte> destination) {
  if (auto problem = problem_of(transfer)) return Error(*problem);
  if (auto problem = size_problem(transfer, transfer.from, source.size(), "source")) {
    return Error(*problem);
  }
  if (auto problem = size_problem(transfer, transfer.to, destination.size(), "destination")) {
    return Error(*problem);
  }
  std::ranges::fill(destination, std::byte{0});
  const auto width = static_cast<std::size_t>(transfer.element_bytes);
  const auto copy = [&](const auto& from, const auto& to) {
    cube::for_each_position(transfer.extents, [&](const cube::Extents& at) {
      std::memcpy(destination.data() + static_cast<std::size_t>(to.index(at)) * width,
                  source.data() + static_cast<std::size_t>(from.index(at)) * width, width);
    });
  };
  std::visit(copy, layout_of(transfer, transfer.from), layout_of(transfer, transfer.to));
  return {};
}

}  // namespace gradproof::kernel::operators
