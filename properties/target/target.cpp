#include "properties/target/target.h"

#include "properties/isolation/child_target.h"

#include <fmt/core.h>

#include <algorithm>

namespace gradproof::properties {
namespace {

std::string failed(std::string_view function, aclError status) {
  return fmt::format("{} failed with {}", function, status);
}

bool has_contexts(const CannApi& api) {
  return api.create_context && api.destroy_context && api.set_current_context;
}

}  // namespace

Target::Target(std::shared_ptr<const Library> library) : library_(std::move(library)) {
  if (ForkServer* server = library_->fork_server()) child_ = std::make_unique<ChildTarget>(*server);
}

Target::~Target() {
  for (const auto& [product, seat] : seats_) {
    if (!enter(seat)) continue;
    api().destroy_stream(seat.stream);
    if (seat.context) api().destroy_context(seat.context);
    api().reset_device(seat.device);
  }
}

tl::expected<aclrtStream, std::string> Target::stream_on(corpus::Product product) {
  auto found = seats_.find(product);
  if (found == seats_.end()) {
    const auto devices = library_->devices();
    const auto device = std::ranges::find(devices, product, &Device::product);
    if (device == devices.end()) {
      return tl::unexpected(fmt::format("no {} device", corpus::name_of(product)));
    }
    const auto seat = take_seat(*device);
    current_ = nullptr;
    if (!seat) return tl::unexpected(seat.error());
    found = seats_.emplace(product, *seat).first;
    current_ = &found->second;
  }
  const Seat& seat = found->second;
  if (current_ != &seat && !enter(seat)) {
    return tl::unexpected(fmt::format("device {} cannot be made current", seat.device));
  }
  return seat.stream;
}

tl::expected<std::uint64_t, std::string> Target::free_memory() {
  if (child_) return child_->free_memory();
  if (api().memory_info == nullptr)
    return tl::unexpected(std::string("the target lacks aclrtGetMemInfo"));
  std::size_t free = 0;
  std::size_t total = 0;
  for (const aclrtMemAttr kind : {ACL_HBM_MEM, ACL_DDR_MEM}) {
    if (api().memory_info(kind, &free, &total) == ACL_SUCCESS && total > 0) return free;
  }
  return tl::unexpected(std::string("aclrtGetMemInfo fails"));
}

tl::expected<Target::Seat, std::string> Target::take_seat(const Device& device) {
  Seat seat{.device = device.id};
  if (const aclError status = api().set_device(device.id); status != ACL_SUCCESS) {
    return tl::unexpected(failed("aclrtSetDevice", status));
  }
  // A context of its own keeps one worker's determinism option from another's calls.
  if (has_contexts(api())) {
    const aclError status = api().create_context(&seat.context, device.id);
    if (status != ACL_SUCCESS) return tl::unexpected(failed("aclrtCreateContext", status));
  }
  if (!enter(seat)) return tl::unexpected(failed("aclrtSetCurrentContext", ACL_ERROR_FAILURE));
  const aclError status = api().create_stream(&seat.stream);
  if (status != ACL_SUCCESS) return tl::unexpected(failed("aclrtCreateStream", status));
  return seat;
}

bool Target::enter(const Seat& seat) {
  const aclError status =
      seat.context ? api().set_current_context(seat.context) : api().set_device(seat.device);
  current_ = status == ACL_SUCCESS ? &seat : nullptr;
  return status == ACL_SUCCESS;
}

}  // namespace gradproof::properties
