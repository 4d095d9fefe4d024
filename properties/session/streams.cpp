#include "properties/session/streams.h"

#include <fmt/core.h>

#include <algorithm>

namespace gradproof::properties {
namespace {

std::string failed_call(std::string_view function, aclError status) {
  return fmt::format("{} failed with {}", function, status);
}

bool has_contexts(const CannApi& api) {
  return api.create_context && api.destroy_context && api.set_current_context;
}

}  // namespace

Streams::~Streams() {
  for (const auto& [product, seat] : seats_) {
    if (!enter(seat)) continue;
    api().destroy_stream(seat.stream);
    if (seat.context) api().destroy_context(seat.context);
    api().reset_device(seat.device);
  }
}

tl::expected<aclrtStream, std::string> Streams::stream_on(corpus::Product product) {
  auto found = seats_.find(product);
  if (found == seats_.end()) {
    const auto device = std::ranges::find(cann_.devices, product, &Device::product);
    if (device == cann_.devices.end()) {
      return tl::unexpected(fmt::format("no {} device", corpus::name_of(product)));
    }
    current_ = nullptr;
    const auto seat = take_seat(*device);
    if (!seat) return tl::unexpected(seat.error());
    found = seats_.emplace(product, *seat).first;
    current_ = &found->second;
  }
  const Seat& seat = found->second;
  if (current_ != &seat) current_ = enter(seat) ? &seat : nullptr;
  if (current_ == nullptr) {
    return tl::unexpected(fmt::format("device {} cannot be made current", seat.device));
  }
  return seat.stream;
}

tl::expected<std::uint64_t, std::string> Streams::free_memory() const {
  if (api().memory_info == nullptr)
    return tl::unexpected(std::string("the target lacks aclrtGetMemInfo"));
  std::size_t free = 0;
  std::size_t total = 0;
  for (const aclrtMemAttr kind : {ACL_HBM_MEM, ACL_DDR_MEM}) {
    if (api().memory_info(kind, &free, &total) == ACL_SUCCESS && total > 0) return free;
  }
  return tl::unexpected(std::string("aclrtGetMemInfo fails"));
}

tl::expected<Streams::Seat, std::string> Streams::take_seat(const Device& device) const {
  Seat seat{.device = device.id};
  if (const aclError status = api().set_device(device.id); status != ACL_SUCCESS) {
    return tl::unexpected(failed_call("aclrtSetDevice", status));
  }
  // A context of its own keeps one worker's determinism option from another's calls.
  if (has_contexts(api())) {
    const aclError status = api().create_context(&seat.context, device.id);
    if (status != ACL_SUCCESS) return tl::unexpected(failed_call("aclrtCreateContext", status));
  }
  if (!enter(seat)) return tl::unexpected(failed_call("aclrtSetCurrentContext", ACL_ERROR_FAILURE));
  const aclError status = api().create_stream(&seat.stream);
  if (status != ACL_SUCCESS) return tl::unexpected(failed_call("aclrtCreateStream", status));
  return seat;
}

bool Streams::enter(const Seat& seat) const {
  return ACL_SUCCESS ==
         (seat.context ? api().set_current_context(seat.context) : api().set_device(seat.device));
}

}  // namespace gradproof::properties
