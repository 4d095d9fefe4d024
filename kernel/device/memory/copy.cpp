#include "kernel/device/memory/copy.h"

#include "kernel/device/device_notes.h"
#include "kernel/device/error_text.h"
#include "kernel/device/memory/backing.h"
#include "kernel/device/memory/host_memory.h"
#include "kernel/device/memory/memory.h"

#include <fmt/core.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace gradproof::kernel::device {
namespace {

/// One end of a copy: where its bytes are in host memory, and what keeps them there.
struct End {
  std::byte* bytes = nullptr;
  bool is_on_device = false;
  bool may_be_used_later = false;  // device memory, or pinned
  MemoryHold hold;
};

/// True if a program can have memory there at all: not in the first page, and below what any
/// processor gives to programs. Handles of this library are above.
bool can_be_host_memory(const void* address) {
  constexpr std::uintptr_t first = 4096;
  constexpr std::uintptr_t end = std::uintptr_t{1} << 56U;
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  return number >= first && number < end;
}

/// Resolves one end of a copy; nullopt after refusing with 107000.
std::optional<End> resolve(const char* function, const char* parameter, const void* address,
                           std::size_t bytes) {
  HeldView view = held_view(address, bytes, Reach::Granted);
  if (!view.is_on_device && can_be_host_memory(address)) {
    auto* host = static_cast<std::byte*>(const_cast<void*>(address));
    return End{.bytes = host,
               .is_on_device = false,
               .may_be_used_later = is_pinned(address, bytes),
               .hold = {}};
  }
  if (view.bytes != nullptr) return End{view.bytes, true, true, std::move(view.hold)};
  refuse(ACL_ERROR_RT_PARAM_INVALID,
         fmt::format("EE1001: {}: {} {} {}; {} bytes from there are not one live allocation's",
                     function, parameter, address, describe_address(address), bytes));
  return std::nullopt;
}

struct Sides {
  bool source_on_device, destination_on_device;
};

/// Sides that the kind names, or nullopt for the kind that leaves it to the pointers.
std::optional<Sides> sides_of(aclrtMemcpyKind kind) {
  switch (kind) {
    case ACL_MEMCPY_HOST_TO_HOST:
      return Sides{false, false};
    case ACL_MEMCPY_HOST_TO_DEVICE:
    case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE:
      return Sides{false, true};
    case ACL_MEMCPY_DEVICE_TO_HOST:
      return Sides{true, false};
    case ACL_MEMCPY_DEVICE_TO_DEVICE:
    case ACL_MEMCPY_INNER_DEVICE_TO_DEVICE:
    case ACL_MEMCPY_INTER_DEVICE_TO_DEVICE:
      return Sides{true, true};
    case ACL_MEMCPY_DEFAULT:
      break;
  }
  return std::nullopt;
}

const char* side(bool on_device) { return on_device ? "device" : "host"; }

/// Tells the program that a copy's kind differs from the direction of its pointers, which the copy
/// takes.
void diagnose_kind(const Copy& copy, const End& source, const End& destination) {
  const auto said = sides_of(copy.kind);
  if (!said.has_value()) return;
  if (said->source_on_device == source.is_on_device &&
      said->destination_on_device == destination.is_on_device)
    return;
  report_error(fmt::format(
      "EE1001: {}: kind {} says {} to {}, but src is {} memory and dst is {} memory; copied as the "
      "pointers say",
      copy.function, static_cast<int>(copy.kind), side(said->source_on_device),
      side(said->destination_on_device), side(source.is_on_device),
      side(destination.is_on_device)));
}

/// Queues `work`, and waits for it where memory of the program is used that may be gone when the
/// call returns.
aclError in_stream(const char* function, Stream& stream, std::function<void()> work,
                   std::vector<MemoryHold> holds, bool wait_for_it) {
  if (wait_for_it) {
    if (const aclError code = refuse_inside_task(function)) return code;
    if (const aclError code = refuse_at_once(function)) return code;
  }
  const auto task = [work = std::move(work)] {
    work();
    return aclError{0};
  };
  if (const aclError code = enqueue_on(function, stream, task, std::move(holds))) return code;
  if (wait_for_it && stream.capture.get() == nullptr) stream.queue.wait(stream.queue.last());
  return 0;
}

std::vector<MemoryHold> holds_of(End& first, End& second) {
  std::vector<MemoryHold> holds;
  holds.push_back(std::move(first.hold));
  holds.push_back(std::move(second.hold));
  return holds;
}

/// Resolves the end of a fill; nullopt after refusing what is neither the device's nor pinned.
std::optional<End> resolve(const Fill& fill) {
  auto end = resolve(fill.function, "devPtr", fill.destination, fill.count);
  if (!end.has_value() || end->may_be_used_later) return end;
  refuse(ACL_ERROR_RT_PARAM_INVALID,
         fmt::format("EE1001: {}: devPtr {} is neither device memory nor pinned host memory of "
                     "{} bytes",
                     fill.function, fill.destination, fill.count));
  return std::nullopt;
}

Fill bytes_of(const WordFill& fill) {
  return {fill.function, fill.destination, 0, fill.count * sizeof fill.value};
}

void write_words(std::byte* bytes, std::uint32_t value, std::size_t count) {
  for (std::size_t at = 0; at < count; ++at)
    std::memcpy(bytes + at * sizeof value, &value, sizeof value);
}

/// Tells the program of a copy without access to the peer: it works here, perhaps not on hardware.
void diagnose_peer(const Copy& copy, const End& source, const End& destination) {
  if (!source.is_on_device || !destination.is_on_device) return;
  const int from = device_of(copy.source), to = device_of(copy.destination);
  if (from == to || from < 0 || to < 0) return;
  if (device_notes(from).settings.get().peers.contains(to) ||
      device_notes(to).settings.get().peers.contains(from))
    return;
  report_error(
      fmt::format("EE1001: {}: copied from device {} to device {} without "
                  "aclrtDeviceEnablePeerAccess",
                  copy.function, from, to));
}

}  // namespace

aclError copy_now(const Copy& copy) {
  if (const aclError code = refuse_at_once(copy.function)) return code;
  const auto source = resolve(copy.function, "src", copy.source, copy.count);
  if (!source.has_value()) return last_error();
  const auto destination = resolve(copy.function, "dst", copy.destination, copy.count);
  if (!destination.has_value()) return last_error();
  diagnose_kind(copy, *source, *destination);
  diagnose_peer(copy, *source, *destination);
  std::memmove(destination->bytes, source->bytes, copy.count);
  return 0;
}

aclError copy_in_stream(const Copy& copy, Stream& stream) {
  auto source = resolve(copy.function, "src", copy.source, copy.count);
  if (!source.has_value()) return last_error();
  auto destination = resolve(copy.function, "dst", copy.destination, copy.count);
  if (!destination.has_value()) return last_error();
  if (!source->is_on_device && !destination->is_on_device) {
    return refuse(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        fmt::format(
            "EE1001: {}: src and dst are both host memory; a stream copies from or to a device",
            copy.function));
  }
  diagnose_kind(copy, *source, *destination);
  diagnose_peer(copy, *source, *destination);
  const bool wait_for_it = !source->may_be_used_later || !destination->may_be_used_later;
  const auto work = [to = destination->bytes, from = source->bytes, count = copy.count] {
    std::memmove(to, from, count);
  };
  return in_stream(copy.function, stream, work, holds_of(*source, *destination), wait_for_it);
}

aclError fill_now(const Fill& fill) {
  if (const aclError code = refuse_at_once(fill.function)) return code;
  if (std::byte(fill.value) == poison && is_untouched(fill.destination, fill.count)) return 0;
  const auto end = resolve(fill);
  if (!end.has_value()) return last_error();
  std::memset(end->bytes, fill.value, fill.count);
  return 0;
}

aclError fill_in_stream(const Fill& fill, Stream& stream) {
  auto end = resolve(fill);
  if (!end.has_value()) return last_error();
  const auto work = [bytes = end->bytes, value = fill.value, count = fill.count] {
    std::memset(bytes, value, count);
  };
  End none;
  return in_stream(fill.function, stream, work, holds_of(*end, none), false);
}

aclError fill_words_now(const WordFill& fill) {
  const auto end = resolve(bytes_of(fill));
  if (!end.has_value()) return last_error();
  write_words(end->bytes, fill.value, fill.count);
  return 0;
}

aclError fill_words_in_stream(const WordFill& fill, Stream& stream) {
  auto end = resolve(bytes_of(fill));
  if (!end.has_value()) return last_error();
  const auto work = [bytes = end->bytes, value = fill.value, count = fill.count] {
    write_words(bytes, value, count);
  };
  End none;
  return in_stream(fill.function, stream, work, holds_of(*end, none), false);
}

}  // namespace gradproof::kernel::device
