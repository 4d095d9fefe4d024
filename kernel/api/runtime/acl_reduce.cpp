// Reductions of device memory in a stream.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/process_record.h"
#include "kernel/numeric/bfloat16.h"
#include "kernel/numeric/half.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::refuse_value;
using StreamPointer = std::shared_ptr<device::Stream>;

constexpr const char* reduce_name = "aclrtReduceAsync";

/// A type whose elements are reduced as they are, in integers or FLOAT.
template <class Number>
struct Plain {
  using Stored = Number;
  static Number decode(Number stored) { return stored; }
  static Number encode(Number value) { return value; }
};

/// One that is decoded to FLOAT, and each result rounded back.
template <class Format>
struct Rounded {
  using Stored = typename Format::Bits;
  static float decode(Stored stored) { return Format::decode(stored); }
  static Stored encode(float value) {
    return Format::encode(value, device::running_overflow_mode() == ACL_RT_OVERFLOW_MODE_SATURATION
                                     ? numeric::OverflowMode::Saturation
                                     : numeric::OverflowMode::InfNan);
  }
};

/// Integers stop at the ends of their range.
template <class Number>
Number sum(Number a, Number b) {
  if constexpr (std::is_floating_point_v<Number>) {
    return a + b;
  } else {
    const auto wide = static_cast<std::int64_t>(a) + static_cast<std::int64_t>(b);
    using Limits = std::numeric_limits<Number>;
    return static_cast<Number>(std::clamp<std::int64_t>(wide, Limits::min(), Limits::max()));
  }
}

using Reduction = std::function<void(std::byte* to, const std::byte* from, std::size_t count)>;

template <class Type>
Reduction reduction_of(aclrtReduceKind kind) {
  return [kind](std::byte* to, const std::byte* from, std::size_t count) {
    using Stored = typename Type::Stored;
    for (std::size_t at = 0; at < count; at += sizeof(Stored)) {
      Stored a, b;
      std::memcpy(&a, to + at, sizeof a);
      std::memcpy(&b, from + at, sizeof b);
      const auto x = Type::decode(a), y = Type::decode(b);
      a = Type::encode(kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM   ? sum(x, y)
                       : kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX ? std::max(x, y)
                                                                  : std::min(x, y));
      std::memcpy(to + at, &a, sizeof a);
    }
  };
}

/// True if the chip's architecture reduces the type. Source: CANN runtime, aclrtReduceAsync.
bool has_type(int architecture, aclDataType type) {
  constexpr int first = 1001, half = 2002, half_b = 3002, latest = 3510;
  const bool is_half = architecture == half || architecture == half_b;
  switch (type) {
    case ACL_FLOAT:
      return true;
    case ACL_FLOAT16:
    case ACL_INT16:
      return architecture != first;
    case ACL_INT8:
    case ACL_INT32:
    case ACL_BF16:
      return architecture != first && !is_half;
    case ACL_UINT32:
      return architecture == latest;
    default:
      return false;
  }
}

/// Reduction of a type; null for a type that is not reduced anywhere.
Reduction reduction_in(aclDataType type, aclrtReduceKind kind) {
  switch (type) {
    case ACL_INT8:
      return reduction_of<Plain<std::int8_t>>(kind);
    case ACL_INT16:
      return reduction_of<Plain<std::int16_t>>(kind);
    case ACL_INT32:
      return reduction_of<Plain<std::int32_t>>(kind);
    case ACL_UINT32:
      return reduction_of<Plain<std::uint32_t>>(kind);
    case ACL_FLOAT:
      return reduction_of<Plain<float>>(kind);
    case ACL_FLOAT16:
      return reduction_of<Rounded<numeric::Half>>(kind);
    case ACL_BF16:
      return reduction_of<Rounded<numeric::BFloat16>>(kind);
    default:
      return nullptr;
  }
}

aclError check_kind_and_type(aclrtReduceKind kind, aclDataType type, int index) {
  if (kind < ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM || kind > ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL)
    return refuse_value(ACL_ERROR_INVALID_PARAM, reduce_name, "kind", static_cast<int>(kind),
                        "10 (sum), 11 (max), 12 (min)");
  const auto& soc = *device::current_machine()->devices.at(static_cast<std::size_t>(index));
  if (!has_type(device::limits_of(soc.product).npu_architecture, type)) {
    return refuse_value(ACL_ERROR_INVALID_PARAM, reduce_name, "type", static_cast<int>(type),
                        fmt::format("what {} reduces", soc.name));
  }
  if (kind != ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL) return 0;
  return device::refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                        "EE1001: aclrtReduceAsync: kind is 13 (equal), which no simulated device "
                        "has");
}

aclError find_bytes(const char* parameter, const void* address, std::size_t count,
                    std::vector<device::MemoryHold>& holds, std::byte*& bytes) {
  device::HeldView view = device::held_view(address, count);
  if (view.bytes == nullptr) {
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format(
            "EE1001: aclrtReduceAsync: {} {} {}; {} bytes of device memory are needed there",
            parameter, address, device::describe_address(address), count));
  }
  bytes = view.bytes;
  holds.push_back(std::move(view.hold));
  return 0;
}

}  // namespace

extern "C" {

aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind,
                          aclDataType type, aclrtStream stream, void* reserve) {
  return api::on_stream(reduce_name, stream, {{"dst", dst}, {"src", src}},
                        [&](const StreamPointer& found) -> aclError {
                          if (reserve != nullptr)
                            return refuse_value(ACL_ERROR_INVALID_PARAM, reduce_name, "reserve",
                                                reserve, "null");
                          if (const aclError code = check_kind_and_type(kind, type, found->device))
                            return code;
                          if (count == 0 || count % aclDataTypeSize(type) != 0)
                            return refuse_value(ACL_ERROR_RT_PARAM_INVALID, reduce_name, "count",
                                                count, "bytes of whole elements, at least one");
                          std::vector<device::MemoryHold> holds;
                          std::byte *to = nullptr, *from = nullptr;
                          if (const aclError code = find_bytes("dst", dst, count, holds, to))
                            return code;
                          if (const aclError code = find_bytes("src", src, count, holds, from))
                            return code;
                          const auto task = [reduce = reduction_in(type, kind), to, from, count] {
                            reduce(to, from, count);
                            return aclError{0};
                          };
                          return device::enqueue_on(reduce_name, *found, task, std::move(holds));
                        });
}

}  // extern "C"
