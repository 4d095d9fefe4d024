#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "properties/target/cann_api.h"

namespace gradproof::properties {

/// Bytes before and after every block: a wrong index lands here and is seen. A multiple of the 64
/// bytes to which device addresses are aligned.
inline constexpr std::size_t guard_bytes = 256;

/// What fills guard zones and the gaps of strided tensors. Read as FLOAT, FLOAT16 or BF16 it is a
/// NaN, so that a value computed from it shows.
std::vector<std::byte> gap_bytes(std::size_t count);

/// A device allocation with a guard zone on both sides, and the bytes that it was given.
class GuardedBlock {
 public:
  /// A block whose payload is `payload`, guards included in one copy to the device, `shift` bytes
  /// behind the begin of its allocation. Errors: the runtime call that failed.
  static tl::expected<GuardedBlock, std::string> with_payload(const CannApi& api,
                                                              const std::vector<std::byte>& payload,
                                                              std::size_t shift = 0);
  /// A block of `size` bytes, each `filler`. Its payload is not remembered: only the guards can be
  /// compared.
  static tl::expected<GuardedBlock, std::string> filled(const CannApi& api, std::size_t size,
                                                        std::byte filler);

  GuardedBlock(GuardedBlock&& other) noexcept { swap(other); }
  GuardedBlock& operator=(GuardedBlock&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GuardedBlock();

  /// Device address of the payload.
  void* address() const { return static_cast<std::byte*>(base_) + guard_bytes; }

  /// Payload and guards as they are now, guard_bytes before the payload included.
  tl::expected<std::vector<std::byte>, std::string> read() const;

  /// The bytes that were written to the block, guards included; for a filled block only the guards'
  /// are meaningful.
  const std::vector<std::byte>& written() const { return written_; }

  /// First byte of the two guard zones that changed, relative to the payload's begin.
  tl::expected<std::optional<std::int64_t>, std::string> changed_guard() const;

  /// Writes `payload` again, the guards too.
  std::optional<std::string> rewrite(const std::vector<std::byte>& payload);
  /// Fills the payload again.
  std::optional<std::string> refill(std::byte filler);

 private:
  explicit GuardedBlock(const CannApi& api) : api_(&api) {}
  std::optional<std::string> allocate(std::size_t payload_bytes, std::size_t shift = 0);
  std::optional<std::string> write(std::size_t from, std::size_t count);
  void swap(GuardedBlock& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(allocation_, other.allocation_);
    std::swap(base_, other.base_);
    std::swap(payload_bytes_, other.payload_bytes_);
    std::swap(written_, other.written_);
  }

  const CannApi* api_ = nullptr;
  void* allocation_ = nullptr;
  void* base_ = nullptr;  ///< of the guard zone before the payload
  std::size_t payload_bytes_ = 0;
  std::vector<std::byte> written_;
};

/// First position at which two images of a block differ, relative to the payload's begin.
std::optional<std::int64_t> first_difference(const std::vector<std::byte>& before,
                                             const std::vector<std::byte>& after);

}  // namespace gradproof::properties
