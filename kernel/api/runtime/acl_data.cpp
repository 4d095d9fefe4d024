// Data: element sizes, the two half-precision helpers, data buffers, the application's log.

#include "acl/acl_base.h"
#include "kernel/api/runtime/data_type_row.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/device/error_text.h"
#include "kernel/device/registry.h"

#include <fmt/core.h>

#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct aclDataBuffer;

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;

struct DataBuffer {
  void* address;
  std::size_t size;
};

device::Registry<DataBuffer>& data_buffers() {
  static auto& registry = *new device::Registry<DataBuffer>(device::HandleKind::DataBuffer);
  return registry;
}

/// The buffer, or nullptr after refusing in the name of `function`.
std::shared_ptr<DataBuffer> require_buffer(const char* function, const aclDataBuffer* buffer) {
  if (api::require_non_null(function, {{"dataBuffer", buffer}}) != 0) return nullptr;
  auto found = data_buffers().find(buffer);
  if (found == nullptr) {
    device::refuse(ACL_ERROR_RT_INVALID_HANDLE,
                   fmt::format("EE1001: {}: dataBuffer {} {}", function,
                               static_cast<const void*>(buffer), data_buffers().standing(buffer)));
  }
  return found;
}

constexpr std::size_t message_limit = 1024;  // bytes, the terminating zero included
constexpr const char truncation_mark[] = "...[truncated]";

/// Level from which messages are written, as CANN's own variable says: 3 (errors) if it says
/// nothing.
int log_level() {
  const char* level = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
  return level != nullptr && level[0] >= '0' && level[0] <= '4' && level[1] == '\0' ? level[0] - '0'
                                                                                    : ACL_ERROR;
}

bool logs_to_standard_output() {
  const char* value = std::getenv("ASCEND_SLOG_PRINT_TO_STDOUT");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

}  // namespace

extern "C" {

size_t aclDataTypeSize(aclDataType dataType) {
  const auto* row = gradproof::kernel::api::row_of(dataType);
  return row != nullptr ? row->bytes : 0;
}

float aclFloat16ToFloat(aclFloat16 value) {
  // Every exponent is an ordinary one: this function knows neither infinities nor NaN.
  const std::uint32_t exponent = (value >> 10U) & 0x1FU;
  const std::uint32_t mantissa = value & 0x3FFU;
  const float magnitude = exponent == 0
                              ? static_cast<float>(mantissa) * 0x1p-24F
                              : std::bit_cast<float>((exponent + 112U) << 23U | mantissa << 13U);
  return (value & 0x8000U) != 0 ? -magnitude : magnitude;
}

aclFloat16 aclFloatToFloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint32_t>(bits >> 16U & 0x8000U);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return 0x7BFF;  // NaN has no sign here
  if (magnitude >= 0x477FE000U) return static_cast<aclFloat16>(sign | 0x7BFFU);
  std::uint32_t rounded = 0;
  if (magnitude < 0x38800000U) {
    // Below the smallest normal number, adding 0.5 leaves the result in the low bits, rounded to
    // nearest even.
    rounded = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F000000U;
  } else {
    const std::uint32_t odd = magnitude >> 13U & 1U;
    rounded = (magnitude - 0x38000000U + 0xFFFU + odd) >> 13U;
  }
  return static_cast<aclFloat16>(sign | rounded);
}

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  aclDataBuffer* created = nullptr;
  entry([&] {
    created = static_cast<aclDataBuffer*>(
        data_buffers().add(std::make_shared<DataBuffer>(DataBuffer{data, size})));
  });
  return created;
}

aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  return entry([&] {
    if (require_buffer("aclDestroyDataBuffer", dataBuffer) == nullptr) return device::last_error();
    data_buffers().remove(dataBuffer);
    return aclError{0};
  });
}

aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  return entry([&] {
    if (require_buffer("aclUpdateDataBuffer", dataBuffer) == nullptr) return device::last_error();
    data_buffers().replace(dataBuffer, std::make_shared<DataBuffer>(DataBuffer{data, size}));
    return aclError{0};
  });
}

void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  void* address = nullptr;
  entry([&] {
    if (const auto found = require_buffer("aclGetDataBufferAddr", dataBuffer))
      address = found->address;
  });
  return address;
}

uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return static_cast<uint32_t>(aclGetDataBufferSizeV2(dataBuffer));
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  std::size_t size = 0;
  entry([&] {
    if (const auto found = require_buffer("aclGetDataBufferSizeV2", dataBuffer)) size = found->size;
  });
  return size;
}

void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
               const char* fmt, ...) {
  if (fmt == nullptr || static_cast<int>(logLevel) < log_level()) return;
  char message[message_limit];
  std::va_list arguments;
  va_start(arguments, fmt);
  const int length = std::vsnprintf(message, sizeof message, fmt, arguments);
  va_end(arguments);
  if (length < 0) return;
  if (static_cast<std::size_t>(length) >= sizeof message) {
    std::memcpy(message + sizeof message - sizeof truncation_mark, truncation_mark,
                sizeof truncation_mark);
  }
  constexpr const char* names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  const bool is_known = logLevel >= ACL_DEBUG && logLevel <= ACL_ERROR;
  std::fprintf(logs_to_standard_output() ? stdout : stderr, "[%s] %s:%u %s: %s\n",
               is_known ? names[logLevel] : "?", file == nullptr ? "" : file, line,
               func == nullptr ? "" : func, message);
}

}  // extern "C"
