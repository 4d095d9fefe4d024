#include "kernel/ascendc/tile_parts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include <fmt/core.h>

namespace gradproof::kernel::ascendc {
namespace {

constexpr std::uint64_t global_alignment = 32;  // bytes

/// Negative where the value's magnitude is above the limit, or it is a NaN: without their signs,
/// FLOATs are ordered as their bits are.
std::int32_t room_below(float limit, float value) {
  constexpr std::uint32_t magnitude = 0x7FFFFFFF;
  return static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(limit) -
                                   (std::bit_cast<std::uint32_t>(value) & magnitude));
}

}  // namespace

Element element_of(ConvBackpropApi::simulation::ElementType type) {
  using Type = ConvBackpropApi::simulation::ElementType;
  if (type == Type::BFloat16) return {numeric::Format::BFloat16, 2};
  if (type == Type::Float) return {numeric::Format::Binary32, 4};
  return {numeric::Format::Half, 2};
}

void require_aligned(Core& core, const char* call, const GlobalWindow& window) {
  const auto start = std::bit_cast<std::uintptr_t>(window.start);
  if ((start + window.offset * window.elementBytes) % global_alignment == 0) return;
  core.stop(call,
            fmt::format("the tensor's address is not a multiple of {} bytes", global_alignment));
}

void require_transfer(Core& core, const char* call, std::uint8_t atomic, bool is_sequential) {
  if (atomic > 1) {
    core.stop(call, fmt::format("enAtomic is {}; it must be 0 (store) or 1 (add)", atomic));
  }
  if (is_sequential) {
    core.stop(call,
              "enSequentialWrite is true: nothing would be moved and L0C would stay occupied; pass "
              "false");
  }
}

std::span<float> allocate(Core& core, const char* call, cube::LocalBuffer& buffer,
                          std::int64_t elements, std::int64_t element_bytes) {
  const auto allocated = buffer.allocate(elements, element_bytes);
  if (!allocated) core.stop(call, allocated.error());
  return *allocated;
}

std::optional<numeric::Hf32> hf32_of(const Core& core, bool is_wanted, const Element& element) {
  if (!is_wanted || element.format != numeric::Format::Binary32) return std::nullopt;
  return numeric::Hf32{.rounding = core.settings().hf32_rounding};
}

bool are_finite(std::span<const float> values, bool rounds_to_hf32) {
  const float limit = rounds_to_hf32 ? 0x1p127F : std::numeric_limits<float>::max();
  // Nearly always all are: so no early end, and whole groups, which compilers turn into vectors.
  std::array<std::int32_t, 16> beyond{};  // negative: some value of this lane is
  const std::size_t whole = values.size() - values.size() % beyond.size();
  for (std::size_t first = 0; first < whole; first += beyond.size()) {
    for (std::size_t lane = 0; lane < beyond.size(); ++lane) {
      beyond[lane] |= room_below(limit, values[first + lane]);
    }
  }
  std::int32_t any = 0;
  for (const std::int32_t lane : beyond) any |= lane;
  for (const float value : values.subspan(whole)) any |= room_below(limit, value);
  return any >= 0;
}

void Staging::clear(std::int64_t bytes) {
  used_ = 0;
  bytes_.resize(std::max(bytes_.size(), static_cast<std::size_t>(bytes)));
}

void Staging::append(Core& core, const Touch& touch, const GlobalWindow& window,
                     std::uint64_t first, std::int64_t count) {
  const auto elements = static_cast<std::uint64_t>(count);
  const std::size_t end = used_ + elements * window.elementBytes;
  bytes_.resize(std::max(bytes_.size(), end));
  copy_in(core, touch, window, first, elements, bytes_.data() + used_);
  used_ = end;
}

FinishedTile::FinishedTile(const Core& core, std::span<const float> l0c, const Shape& shape,
                           numeric::Format format)
    : shape_(shape),
      format_(format),
      bytes_(static_cast<std::size_t>(shape.rows * shape.columns) * numeric::size_of(format)) {
  cube::fixpipe({.m = shape.rows,
                 .n = shape.columns,
                 .overflow = core.settings().overflow,
                 .destination = cube::channel_blocks(bytes_.data(), format, shape.c0, shape.rows)},
                l0c);
}

void FinishedTile::move(Core& core, const Touch& touch, const GlobalWindow& output,
                        std::int64_t block, std::uint64_t first, bool adds) const {
  const std::int64_t count = shape_.rows * shape_.c0;
  const auto elements = static_cast<std::uint64_t>(count);
  const std::byte* from =
      bytes_.data() + static_cast<std::size_t>(block * count) * numeric::size_of(format_);
  if (!adds) return copy_out(core, touch, output, first, elements, from);
  add_out(core, touch, output, first, elements, format_, from);
}

}  // namespace gradproof::kernel::ascendc
