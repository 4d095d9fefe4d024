#include "kernel/cube/local_buffers.h"

#include <algorithm>

#include <fmt/core.h>

#include "kernel/cube/fractal.h"
#include "kernel/cube/marks.h"

namespace gradproof::kernel::cube {
namespace {

// Starts of tensors. Source: asc-devkit, LoadData and Mmad, address alignment.
constexpr std::int64_t l1_alignment = 32, l0_alignment = 512, l0c_alignment = 1024;

}  // namespace

BufferCapacities capacities_of(device::Product product) {
  const device::ProductLimits& limits = device::limits_of(product);
  const auto& [l1, l0a, l0b, l0c] = limits.cube_memories;
  return {.l1 = l1, .l0a = l0a, .l0b = l0b, .l0c = l0c, .ub = limits.unified_buffer};
}

LocalBuffer::LocalBuffer(std::string_view name, std::int64_t capacity_bytes, std::int64_t alignment)
    : name_(name),
      capacity_bytes_(capacity_bytes),
      alignment_(alignment),
      words_(std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(capacity_bytes))) {}

tl::expected<std::span<float>, std::string> LocalBuffer::allocate(std::int64_t elements,
                                                                  std::int64_t element_bytes) {
  // Compared before it is multiplied: what callers ask for may be any number.
  const bool fits = elements >= 0 && elements <= free_bytes() / element_bytes &&
                    rounded_up(elements * element_bytes, alignment_) <= free_bytes();
  if (!fits) {
    return tl::unexpected(fmt::format(
        "{} overflows: {} elements of {} bytes do not fit in the {} bytes left of its {}", name_,
        elements, element_bytes, free_bytes(), capacity_bytes_));
  }
  const std::span<float> allocated(words_.get() + used_.words, static_cast<std::size_t>(elements));
  std::ranges::fill(allocated, poison);
  used_.words += elements;
  used_.bytes += rounded_up(elements * element_bytes, alignment_);
  return allocated;
}

LocalBuffers::LocalBuffers(const BufferCapacities& capacities)
    : l1("L1", capacities.l1, l1_alignment),
      l0a("L0A", capacities.l0a, l0_alignment),
      l0b("L0B", capacities.l0b, l0_alignment),
      l0c("L0C", capacities.l0c, l0c_alignment),
      ub("UB", capacities.ub, l1_alignment) {}

void LocalBuffers::release() {
  for (LocalBuffer* buffer : {&l1, &l0a, &l0b, &l0c, &ub}) buffer->release();
}

}  // namespace gradproof::kernel::cube
