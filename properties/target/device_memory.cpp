#include "properties/target/device_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gradproof::properties {
namespace {

std::string failed(std::string_view function, std::size_t size_bytes, aclError status) {
  return fmt::format("{} of {} bytes failed with {}", function, size_bytes, status);
}

const std::vector<std::byte>& guard() {
  static const std::vector<std::byte> image = gap_bytes(guard_bytes);
  return image;
}

}  // namespace

std::vector<std::byte> gap_bytes(std::size_t count) {
  // 0xFFDA and 0xFFDAFFDA: the exponent all ones, the significand not zero.
  constexpr std::array pattern{std::byte{0xDA}, std::byte{0xFF}};
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = pattern[i % pattern.size()];
  return bytes;
}

tl::expected<GuardedBlock, std::string> GuardedBlock::with_payload(
    const CannApi& api, const std::vector<std::byte>& payload, std::size_t shift) {
  GuardedBlock block(api);
  if (auto problem = block.allocate(payload.size(), shift)) return tl::unexpected(*problem);
  if (auto problem = block.rewrite(payload)) return tl::unexpected(*problem);
  return block;
}

tl::expected<GuardedBlock, std::string> GuardedBlock::filled(const CannApi& api, std::size_t size,
                                                             std::byte filler) {
  GuardedBlock block(api);
  if (auto problem = block.allocate(size)) return tl::unexpected(*problem);
  if (auto problem = block.refill(filler)) return tl::unexpected(*problem);
  if (auto problem = block.write(0, guard_bytes)) return tl::unexpected(*problem);
  if (auto problem = block.write(guard_bytes + size, guard_bytes)) return tl::unexpected(*problem);
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
  written_.resize(size);
  std::ranges::copy(guard(), written_.begin());
  std::ranges::copy(guard(), written_.end() - guard_bytes);
  return std::nullopt;
}

std::optional<std::string> GuardedBlock::write(std::size_t from, std::size_t count) {
  auto* destination = static_cast<std::byte*>(base_) + from;
  const aclError status = api_->copy(destination, written_.size() - from, written_.data() + from,
                                     count, ACL_MEMCPY_HOST_TO_DEVICE);
  if (status != ACL_SUCCESS) return failed("aclrtMemcpy to the device", count, status);
  return std::nullopt;
}

std::optional<std::string> GuardedBlock::rewrite(const std::vector<std::byte>& payload) {
  std::ranges::copy(payload, written_.begin() + guard_bytes);
  return write(0, written_.size());
}

std::optional<std::string> GuardedBlock::refill(std::byte filler) {
  if (payload_bytes_ == 0) return std::nullopt;
  if (api_->fill != nullptr) {
    const aclError status =
        api_->fill(address(), payload_bytes_, std::to_integer<int>(filler), payload_bytes_);
    if (status == ACL_SUCCESS) return std::nullopt;
    return failed("aclrtMemset", payload_bytes_, status);
  }
  std::fill_n(written_.begin() + guard_bytes, payload_bytes_, filler);
  return write(guard_bytes, payload_bytes_);
}

tl::expected<std::vector<std::byte>, std::string> GuardedBlock::read() const {
  std::vector<std::byte> now(written_.size());
  const aclError status =
      api_->copy(now.data(), now.size(), base_, now.size(), ACL_MEMCPY_DEVICE_TO_HOST);
  if (status != ACL_SUCCESS) {
    return tl::unexpected(failed("aclrtMemcpy to the host", now.size(), status));
  }
  return now;
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

std::optional<std::int64_t> first_difference(const std::vector<std::byte>& before,
                                             const std::vector<std::byte>& after) {
  if (before == after) return std::nullopt;  // nearly always, and much faster than a search
  const auto [old, now] = std::ranges::mismatch(before, after);
  if (old == before.end()) return std::nullopt;
  return (old - before.begin()) - static_cast<std::int64_t>(guard_bytes);
}

}  // namespace gradproof::properties
