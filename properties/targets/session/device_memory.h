#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "properties/targets/target/cann_api.h"

namespace gradproof::targets {

/// Bytes before and after every block: a wrong index lands here and is seen. A multiple of the 64
/// bytes to which device addresses are aligned.
inline constexpr std::size_t guard_bytes = 256;

/// `count` bytes that repeat the pattern, which must not be empty.
std::vector<std::byte> repeated(std::span<const std::byte> pattern, std::size_t count);

/// Bytes that fill guard zones and the gaps of strided tensors. Read as FLOAT, FLOAT16 or BF16 it
/// is a NaN, so that a value computed from it shows.
std::vector<std::byte> gap_bytes(std::size_t count);

/// A device allocation with a guard zone on both sides, and the bytes that it was given.
class GuardedBlock {
 public:
  /// A block with these bytes: a payload with guard_bytes of guard on both sides, as gap_bytes made
  /// them, `shift` bytes behind the begin of its allocation. One copy to the device. Errors: the
  /// runtime call that failed.
  static tl::expected<GuardedBlock, std::string> with_image(const CannApi& api,
                                                            std::vector<std::byte> image,
                                                            std::size_t shift = 0);
  /// A block of `size` bytes, each `filler`. Nothing of it is remembered: only the guards can be
  /// compared.
  static tl::expected<GuardedBlock, std::string> filled(const CannApi& api, std::size_t size,
                                                        std::byte filler, std::size_t shift = 0);

  GuardedBlock(GuardedBlock&& other) noexcept { swap(other); }
  GuardedBlock& operator=(GuardedBlock&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GuardedBlock();

  /// Device address of the payload.
  void* address() const { return static_cast<std::byte*>(base_) + guard_bytes; }

  std::size_t payload_bytes() const { return payload_bytes_; }

  /// The image that the block was made with.
  const std::vector<std::byte>& written() const { return written_; }

  /// Payload and guards as they are now, as many bytes as were written; `now` must have room.
  std::optional<std::string> read(std::span<std::byte> now) const;

  /// First byte of the two guard zones that changed, relative to the payload's begin.
  tl::expected<std::optional<std::int64_t>, std::string> changed_guard() const;

  /// Writes the image again.
  std::optional<std::string> rewrite();
  /// Writes other bytes in its stead, as many; the image is still remembered.
  std::optional<std::string> write_instead(std::span<const std::byte> image);
  /// Queues a copy in the stream: the first `count` bytes of `source`, guards included, to where
  /// this has its own `to`. Both must live until the stream has come to it.
  std::optional<std::string> copy_in_stream(const GuardedBlock& source, std::size_t to,
                                            std::size_t count, aclrtStream stream);
  /// Fills the payload again.
  std::optional<std::string> refill(std::byte filler);

 private:
  explicit GuardedBlock(const CannApi& api) : api_(&api) {}
  std::optional<std::string> allocate(std::size_t payload_bytes, std::size_t shift = 0);
  std::optional<std::string> write(std::size_t to, std::span<const std::byte> bytes);
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

/// First position at which two images of a block differ, relative to the payload's begin; both have
/// the same length.
std::optional<std::int64_t> first_difference(std::span<const std::byte> before,
                                             std::span<const std::byte> after);

}  // namespace gradproof::targets
