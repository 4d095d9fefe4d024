// Copies and fills of further shapes: rows, words, and those described in device memory.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/memory/copy.h"
#include "kernel/device/memory/memory.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::on_stream;
using api::refuse_value;
using api::require_non_null;
using StreamPointer = std::shared_ptr<device::Stream>;

constexpr std::size_t most_bytes_in_row = 5'000'000, most_rows = 5'242'880;

/// A copy row by row.
struct RowCopy {
  const char* function;
  void* destination;
  std::size_t destination_pitch;
  const void* source;
  std::size_t source_pitch, width, height;
  aclrtMemcpyKind kind;
};

aclError check_rows(const RowCopy& rows) {
  if (const aclError code =
          require_non_null(rows.function, {{"dst", rows.destination}, {"src", rows.source}}))
    return code;
  if (rows.kind < ACL_MEMCPY_HOST_TO_DEVICE || rows.kind > ACL_MEMCPY_DEVICE_TO_DEVICE)
    return refuse_value(ACL_ERROR_INVALID_PARAM, rows.function, "kind", static_cast<int>(rows.kind),
                        "1 to 3");
  const std::size_t widest =
      std::min({rows.destination_pitch, rows.source_pitch, most_bytes_in_row});
  if (rows.width == 0 || rows.width > widest)
    return refuse_value(ACL_ERROR_INVALID_PARAM, rows.function, "width", rows.width,
                        fmt::format("1 to {}", widest));
  if (rows.height == 0 || rows.height > most_rows)
    return refuse_value(ACL_ERROR_INVALID_PARAM, rows.function, "height", rows.height,
                        fmt::format("1 to {}", most_rows));
  return 0;
}

/// `copy_row` on each row in turn, until one fails.
template <class CopyRow>
aclError for_each_row(const RowCopy& rows, CopyRow copy_row) {
  for (std::size_t row = 0; row < rows.height; ++row) {
    const aclError code = copy_row(device::Copy{
        .function = rows.function,
        .destination = static_cast<std::byte*>(rows.destination) + row * rows.destination_pitch,
        .destination_size = rows.width,
        .source = static_cast<const std::byte*>(rows.source) + row * rows.source_pitch,
        .count = rows.width,
        .kind = rows.kind});
    if (code != 0) return code;
  }
  return 0;
}

/// Words of a fill; 0 words are no work and are not checked.
aclError check_words(const char* function, void* pointer, std::size_t room, std::size_t words) {
  constexpr std::size_t word = sizeof(std::uint32_t);
  if (const aclError code = require_non_null(function, {{"ptr", pointer}})) return code;
  if (reinterpret_cast<std::uintptr_t>(pointer) % word != 0)
    return refuse_value(ACL_ERROR_INVALID_PARAM, function, "ptr", pointer, "multiples of 4");
  if (words <= room / word) return 0;
  return refuse_value(ACL_ERROR_INVALID_PARAM, function, "N", words,
                      fmt::format("what fits into memSize, {}", room / word));
}

/// A copy that a program describes in device memory.
struct CopyDescription {
  std::array<char, 16> mark;
  std::int64_t kind;
  std::uint64_t source, destination, count;
};
constexpr std::size_t description_bytes = 64;
constexpr std::array<char, 16> description_mark{"gradproof copy"};
static_assert(sizeof(CopyDescription) <= description_bytes);

aclError check_description_kind(const char* function, aclrtMemcpyKind kind) {
  if (kind >= ACL_MEMCPY_HOST_TO_HOST && kind <= ACL_MEMCPY_INTER_DEVICE_TO_DEVICE) return 0;
  return refuse_value(ACL_ERROR_INVALID_PARAM, function, "kind", static_cast<int>(kind), "0 to 7");
}

/// The description's bytes, held, or no bytes after refusing.
device::HeldView require_copy_description(const char* function, void* address) {
  device::HeldView view = device::held_view(address, description_bytes);
  if (view.bytes == nullptr) {
    device::refuse(ACL_ERROR_RT_PARAM_INVALID,
                   fmt::format("EE1001: {}: desc {} {}; 64 bytes of device memory are needed there",
                               function, address, device::describe_address(address)));
  }
  return view;
}

/// An address behind the one that a program keeps at `place`, in memory of the host or of the
/// device; null where that memory is gone.
std::byte* kept_address(const void* place, std::size_t offset) {
  const device::HeldView view = device::held_view(place, sizeof(void*));
  if (view.is_on_device && view.bytes == nullptr) return nullptr;
  std::byte* address = nullptr;
  std::memcpy(&address, view.is_on_device ? view.bytes : place, sizeof address);
  return address + offset;
}

// NOLINTBEGIN(performance-no-int-to-ptr): device addresses
void* pointer_of(std::uint64_t address) { return reinterpret_cast<void*>(address); }
// NOLINTEND(performance-no-int-to-ptr)

}  // namespace

extern "C" {

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  return entry([&] {
    const RowCopy rows{"aclrtMemcpy2d", dst, dpitch, src, spitch, width, height, kind};
    if (const aclError code = check_rows(rows)) return code;
    if (device::require_context("aclrtMemcpy2d") == nullptr) return device::last_error();
    return for_each_row(rows, device::copy_now);
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return entry([&] {
    const RowCopy rows{"aclrtMemcpy2dAsync", dst, dpitch, src, spitch, width, height, kind};
    if (const aclError code = check_rows(rows)) return code;
    const auto found = device::require_stream("aclrtMemcpy2dAsync", stream);
    if (found == nullptr) return device::last_error();
    return for_each_row(
        rows, [&](const device::Copy& copy) { return device::copy_in_stream(copy, *found); });
  });
}

aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t words) {
  const char* const function = "aclrtMemsetD32";
  return entry([&]() -> aclError {
    if (words == 0) return 0;
    if (const aclError code = check_words(function, ptr, memSize, words)) return code;
    if (device::require_context(function) == nullptr) return device::last_error();
    return device::fill_words_now({function, ptr, value, words});
  });
}

aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value, size_t words,
                             aclrtStream stream) {
  const char* const function = "aclrtMemsetD32Async";
  if (words == 0) return 0;
  return on_stream(function, stream, {}, [&](const StreamPointer& found) -> aclError {
    if (const aclError code = check_words(function, ptr, memSize, words)) return code;
    return device::fill_words_in_stream({function, ptr, value, words}, *found);
  });
}

aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
  return aclrtMemcpyAsync(dst, destMax, src, count, kind, stream);
}

aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t destMax, size_t dstDataOffset,
                                    const void** src, size_t count, size_t srcDataOffset,
                                    aclrtMemcpyKind kind, aclrtStream stream) {
  const char* const function = "aclrtMemcpyAsyncWithOffset";
  return on_stream(
      function, stream, {{"dst", dst}, {"src", src}}, [&](const StreamPointer& found) -> aclError {
        if (count == 0) return 0;
        const device::Copy checked{function, dst, destMax, src, count, kind};
        if (const aclError code = api::check_copy(checked, ACL_MEMCPY_INTER_DEVICE_TO_DEVICE))
          return code;
        // Where to is read when the task runs: the program may write it until then.
        const auto task = [=] {
          return device::copy_now({function, kept_address(dst, dstDataOffset), destMax,
                                   kept_address(src, srcDataOffset), count, kind});
        };
        return device::enqueue_on(function, *found, task, {});
      });
}

aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize) {
  const char* const function = "aclrtGetMemcpyDescSize";
  return entry(function, {{"descSize", descSize}}, [&]() -> aclError {
    if (const aclError code = check_description_kind(function, kind)) return code;
    *descSize = description_bytes;
    return 0;
  });
}

aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr, void* dstAddr,
                            size_t count, void*) {
  const char* const function = "aclrtSetMemcpyDesc";
  return entry(function, {{"desc", desc}, {"srcAddr", srcAddr}, {"dstAddr", dstAddr}},
               [&]() -> aclError {
                 if (const aclError code = check_description_kind(function, kind)) return code;
                 const device::HeldView view = require_copy_description(function, desc);
                 if (view.bytes == nullptr) return device::last_error();
                 const CopyDescription description{description_mark, kind,
                                                   reinterpret_cast<std::uint64_t>(srcAddr),
                                                   reinterpret_cast<std::uint64_t>(dstAddr), count};
                 std::memcpy(view.bytes, &description, sizeof description);
                 return 0;
               });
}

aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream) {
  const char* const function = "aclrtMemcpyAsyncWithDesc";
  return on_stream(function, stream, {{"desc", desc}}, [&](const StreamPointer& found) -> aclError {
    if (const aclError code = check_description_kind(function, kind)) return code;
    const device::HeldView view = require_copy_description(function, desc);
    if (view.bytes == nullptr) return device::last_error();
    CopyDescription description{};
    std::memcpy(&description, view.bytes, sizeof description);
    if (description.mark != description_mark) {
      return device::refuse(
          ACL_ERROR_RT_PARAM_INVALID,
          fmt::format("EE1001: {}: desc was not set; call aclrtSetMemcpyDesc", function));
    }
    if (description.count == 0) return 0;
    return device::copy_in_stream({function, pointer_of(description.destination), description.count,
                                   pointer_of(description.source), description.count, kind},
                                  *found);
  });
}

}  // extern "C"
