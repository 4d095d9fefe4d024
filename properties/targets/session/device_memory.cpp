#include "properties/targets/session/device_memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace gradproof::targets {
namespace {

std::string failed(std::string_view function, std::size_t size_bytes, aclError status) {
  return fmt::format("{} of {} bytes failed with {}", function, size_bytes, status);
}

const std::vector<std::byte>& guard() {
  static const std::vector<std::byte> image = gap_bytes(guard_bytes);
  return image;
}

}  // namespace

std::vector<std::byte> repeated(std::span<const std::byte> pattern, std::size_t count) {
  std::vector<std::byte> bytes(count);
  std::size_t done = std::min(count, pattern.size());
  std::copy_n(pattern.begin(), done, bytes.begin());
  // The filled part is copied behind itself and so doubles: a few long copies for any length.
  while (done < count) {
    const std::size_t step = std::min(done, count - done);
    std::memcpy(bytes.data() + done, bytes.data(), step);
    done += step;
  }
  return bytes;
}

std::vector<std::byte> gap_bytes(std::size_t count) {
  // 0xFFDA and 0xFFDAFFDA: the exponent all ones, the significand not zero.
  constexpr std::array pattern{std::byte{0xDA}, std::byte{0xFF}};
  // Most images are small: they are copied once, and not cleared before.
  static const std::vector<std::byte> kept = repeated(pattern, std::size_t{1} << 16);
  if (count <= kept.size()) return {kept.data(), kept.data() + count};
  return repeated(pattern, count);
}

tl::expected<GuardedBlock, std::string> GuardedBlock::with_image(const CannApi& api,
                                                                 std::vector<std::byte> image,
                                                                 std::size_t shift) {
  GuardedBlock block(api);
  if (auto problem = block.allocate(image.size() - 2 * guard_bytes, shift)) {
    return tl::unexpected(*problem);
  }
  block.written_ = std::move(image);
  if (auto problem = block.rewrite()) return tl::unexpected(*problem);
  return block;
}

tl::expected<GuardedBlock, std::string> GuardedBlock::filled(const CannApi& api, std::size_t size,
                                                             std::byte filler, std::size_t shift) {
  GuardedBlock block(api);
  if (auto problem = block.allocate(size, shift)) return tl::unexpected(*problem);
  if (auto problem = block.refill(filler)) return tl::unexpected(*problem);
  for (const std::size_t begin : {std::size_t{0}, guard_bytes + size}) {
    if (auto problem = block.write(begin, guard())) return tl::unexpected(*problem);
  }
  return block;
}

GuardedBlock::~GuardedBlock() {
  if (allocation_ != nullptr) api_->release(allocation_);
}

std::optional<std::string> GuardedBlock::allocate(std::size_t payload_bytes, std::size_t shift) {
  const std::size_t size = payload_bytes + 2 * guard_bytes;
  const aclError status = api_->allocate(&allocation_, shift + size, ACL_MEM_MALLOC_HUGE_FIRST);
  if (status != ACL_SUCCESS) {
    allocation_ = nullptr;
    return failed("aclrtMalloc", shift + size, status);
  }
  base_ = static_cast<std::byte*>(allocation_) + shift;
  payload_bytes_ = payload_bytes;
  return std::nullopt;
}

std::optional<std::string> GuardedBlock::write(std::size_t to, std::span<const std::byte> bytes) {
  const std::size_t room = payload_bytes_ + 2 * guard_bytes - to;
  const aclError status = api_->copy(static_cast<std::byte*>(base_) + to, room, bytes.data(),
                                     bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE);
  if (status != ACL_SUCCESS) return failed("aclrtMemcpy to the device", bytes.size(), status);
  return std::nullopt;
}

std::optional<std::string> GuardedBlock::rewrite() { return write(0, written_); }

std::optional<std::string> GuardedBlock::write_instead(std::span<const std::byte> image) {
  return write(0, image);
}

std::optional<std::string> GuardedBlock::copy_in_stream(const GuardedBlock& source, std::size_t to,
                                                        std::size_t count, aclrtStream stream) {
  const std::size_t room = payload_bytes_ + 2 * guard_bytes - to;
  const aclError status =
      api_->copy_in_stream(static_cast<std::byte*>(base_) + to, room, source.base_, count,
                           ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
  if (status != ACL_SUCCESS) return failed("aclrtMemcpyAsync", count, status);
  return std::nullopt;
}

std::optional<std::string> GuardedBlock::refill(std::byte filler) {
  if (payload_bytes_ == 0) return std::nullopt;
  if (api_->fill == nullptr) {
    return write(guard_bytes, std::vector<std::byte>(payload_bytes_, filler));
  }
  const aclError status =
      api_->fill(address(), payload_bytes_, std::to_integer<int>(filler), payload_bytes_);
  if (status != ACL_SUCCESS) return failed("aclrtMemset", payload_bytes_, status);
  return std::nullopt;
}

std::optional<std::string> GuardedBlock::read(std::span<std::byte> now) const {
  const std::size_t size = written_.size();
  const aclError status =
      api_->copy(now.data(), now.size(), base_, size, ACL_MEMCPY_DEVICE_TO_HOST);
  if (status != ACL_SUCCESS) return failed("aclrtMemcpy to the host", size, status);
  return std::nullopt;
}

tl::expected<std::optional<std::int64_t>, std::string> GuardedBlock::changed_guard() const {
  std::array<std::byte, guard_bytes> now{};
  for (const std::size_t begin : {std::size_t{0}, guard_bytes + payload_bytes_}) {
    const aclError status =
        api_->copy(now.data(), now.size(), static_cast<const std::byte*>(base_) + begin, now.size(),
                   ACL_MEMCPY_DEVICE_TO_HOST);
    if (status != ACL_SUCCESS) {
      return tl::unexpected(failed("aclrtMemcpy to the host", now.size(), status));
    }
    const auto [changed, unused] = std::ranges::mismatch(now, guard());
    if (changed == now.end()) continue;
    return static_cast<std::int64_t>(begin) + (changed - now.begin()) -
           static_cast<std::int64_t>(guard_bytes);
  }
  return std::nullopt;
}

std::optional<std::int64_t> first_difference(std::span<const std::byte> before,
                                             std::span<const std::byte> after) {
  // Images are nearly always equal, and equality is much faster to establish than the first
  // difference.
  if (std::memcmp(before.data(), after.data(), before.size()) == 0) return std::nullopt;
  const auto changed = std::ranges::mismatch(before, after).in1;
  return (changed - before.begin()) - static_cast<std::int64_t>(guard_bytes);
}

}  // namespace gradproof::targets
