#include "kernel/ascendc/core/window.h"

#include <atomic>
#include <bit>
#include <cstring>
#include <string>

#include <fmt/core.h>

#include "kernel/device/memory/memory.h"

namespace gradproof::kernel::ascendc {
namespace {

enum class Direction : std::uint8_t { Read, Write };

struct ElementRange {
  std::uint64_t first, count;  // elements from the window's position
};

[[noreturn]] void stop(Core& core, const Touch& touch, Direction direction,
                       const std::string& what) {
  const aclError code = direction == Direction::Read ? ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW
                                                     : ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW;
  core.stop(touch.call, fmt::format("{} {}", touch.tensor, what), code);
}

std::string name_of(const ElementRange& range, std::uint64_t first) {
  const auto start = static_cast<std::int64_t>(first);  // a position before the start is negative
  if (range.count == 1) return fmt::format("element {}", start);
  return fmt::format("elements {} to {}", start,
                     static_cast<std::int64_t>(first + range.count - 1));
}

bool is_inside(const GlobalWindow& window, std::uint64_t first, std::uint64_t count) {
  return first <= window.size && count <= window.size - first;
}

/// Elements of other sizes are copied byte by byte.
std::uint64_t alignment_of(std::uint32_t bytes) {
  return bytes == 2 || bytes == 4 || bytes == 8 ? bytes : 1;
}

/// Host bytes of the range, all checks passed.
std::byte* checked(Core& core, const Touch& touch, Direction direction, const GlobalWindow& window,
                   const ElementRange& range) {
  if (window.start == nullptr) {
    stop(core, touch, direction, "has no buffer; call SetGlobalBuffer with a device address first");
  }
  const std::uint64_t first = window.offset + range.first;
  if (!is_inside(window, first, range.count)) {
    stop(core, touch, direction,
         fmt::format("is {} out of bounds at {}: SetGlobalBuffer gave {} elements",
                     direction == Direction::Read ? "read" : "written", name_of(range, first),
                     window.size));
  }
  std::uint64_t offset = 0, bytes = 0;
  const std::uintptr_t start = std::bit_cast<std::uintptr_t>(window.start);
  std::uintptr_t address = 0;
  std::byte* found = nullptr;
  if (!__builtin_mul_overflow(first, window.elementBytes, &offset) &&
      !__builtin_mul_overflow(range.count, window.elementBytes, &bytes) &&
      !__builtin_add_overflow(start, offset, &address)) {
    found = core.memory().view(address, bytes);
  }
  if (found == nullptr) {
    stop(core, touch, direction,
         fmt::format("is {} outside of device memory at {}: its buffer {}",
                     direction == Direction::Read ? "read" : "written", name_of(range, first),
                     device::describe_address(window.start)));
  }
  if (std::bit_cast<std::uintptr_t>(found) % alignment_of(window.elementBytes) != 0) {
    stop(core, touch, direction,
         fmt::format("is not aligned to its elements of {} bytes", window.elementBytes));
  }
  return found;
}

// Element by element, each an atomic access without order: cores that race see some value that was
// written, as on the device, and the behaviour stays defined.
template <typename Element>
void read_all(const std::byte* from, std::uint64_t count, void* to) {
  auto* elements = reinterpret_cast<Element*>(const_cast<std::byte*>(from));
  auto* values = static_cast<std::byte*>(to);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Element value = std::atomic_ref(elements[i]).load(std::memory_order_relaxed);
    std::memcpy(values + i * sizeof(Element), &value, sizeof(Element));
  }
}

template <typename Element>
void write_all(std::byte* to, std::uint64_t count, const void* from) {
  auto* elements = reinterpret_cast<Element*>(to);
  const auto* values = static_cast<const std::byte*>(from);
  for (std::uint64_t i = 0; i < count; ++i) {
    Element value;
    std::memcpy(&value, values + i * sizeof(Element), sizeof(Element));
    std::atomic_ref(elements[i]).store(value, std::memory_order_relaxed);
  }
}

template <typename Codec>
void add_all(std::byte* to, std::uint64_t count, const std::byte* from,
             numeric::OverflowMode mode) {
  using Bits = typename Codec::Bits;
  auto* elements = reinterpret_cast<Bits*>(to);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::atomic_ref element(elements[i]);
    const float before = Codec::decode(element.load(std::memory_order_relaxed));
    const float term = numeric::load<Codec>(from, static_cast<std::int64_t>(i));
    element.store(Codec::encode(before + term, mode), std::memory_order_relaxed);
  }
}

}  // namespace

void copy_in(Core& core, const Touch& touch, const GlobalWindow& window, std::uint64_t first,
             std::uint64_t count, void* values) {
  const std::byte* from = checked(core, touch, Direction::Read, window, {first, count});
  switch (window.elementBytes) {
    case 2:
      return read_all<std::uint16_t>(from, count, values);
    case 4:
      return read_all<std::uint32_t>(from, count, values);
    case 8:
      return read_all<std::uint64_t>(from, count, values);
    default:
      return read_all<std::uint8_t>(from, count * window.elementBytes, values);
  }
}

void copy_out(Core& core, const Touch& touch, const GlobalWindow& window, std::uint64_t first,
              std::uint64_t count, const void* values) {
  std::byte* to = checked(core, touch, Direction::Write, window, {first, count});
  switch (window.elementBytes) {
    case 2:
      return write_all<std::uint16_t>(to, count, values);
    case 4:
      return write_all<std::uint32_t>(to, count, values);
    case 8:
      return write_all<std::uint64_t>(to, count, values);
    default:
      return write_all<std::uint8_t>(to, count * window.elementBytes, values);
  }
}

void add_out(Core& core, const Touch& touch, const GlobalWindow& window, std::uint64_t first,
             std::uint64_t count, numeric::Format format, const std::byte* values) {
  std::byte* to = checked(core, touch, Direction::Write, window, {first, count});
  core.await_turn();
  numeric::with_codec(format, [&](auto codec) {
    add_all<decltype(codec)>(to, count, values, core.settings().overflow);
  });
}

}  // namespace gradproof::kernel::ascendc
