#include "properties/targets/session/streams.h"

#include <fmt/core.h>

#include <algorithm>

namespace gradproof::targets {
namespace {

std::string failed_call(std::string_view function, aclError status) {
  return fmt::format("{} failed with {}", function, status);
}

bool has_contexts(const CannApi& api) {
  return api.create_context && api.destroy_context && api.set_current_context;
}

}  // namespace

Streams::~Streams() {
  for (const auto& [product, opened] : device_streams_) {
    if (!enter(opened)) continue;
    api().destroy_stream(opened.stream);
    if (opened.context) api().destroy_context(opened.context);
    api().reset_device(opened.device);
  }
}

tl::expected<aclrtStream, std::string> Streams::stream_on(corpus::Product product) {
  auto found = device_streams_.find(product);
  if (found == device_streams_.end()) {
    const auto device = std::ranges::find(cann_.devices, product, &Device::product);
    if (device == cann_.devices.end()) {
      return tl::unexpected(fmt::format("no {} device", corpus::name_of(product)));
    }
    current_ = nullptr;
    const auto opened = open_stream(*device);
    if (!opened) return tl::unexpected(opened.error());
    found = device_streams_.emplace(product, *opened).first;
    current_ = &found->second;
  }
  const DeviceStream& opened = found->second;
  if (current_ != &opened) current_ = enter(opened) ? &opened : nullptr;
  if (current_ == nullptr) {
    return tl::unexpected(fmt::format("device {} cannot be made current", opened.device));
  }
  return opened.stream;
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

tl::expected<Streams::DeviceStream, std::string> Streams::open_stream(const Device& device) const {
  DeviceStream opened{.device = device.id};
  if (const aclError status = api().set_device(device.id); status != ACL_SUCCESS) {
    return tl::unexpected(failed_call("aclrtSetDevice", status));
  }
  // A context of its own keeps one worker's determinism option from another's calls.
  if (has_contexts(api())) {
    const aclError status = api().create_context(&opened.context, device.id);
    if (status != ACL_SUCCESS) return tl::unexpected(failed_call("aclrtCreateContext", status));
  }
  if (!enter(opened))
    return tl::unexpected(failed_call("aclrtSetCurrentContext", ACL_ERROR_FAILURE));
  const aclError status = api().create_stream(&opened.stream);
  if (status != ACL_SUCCESS) return tl::unexpected(failed_call("aclrtCreateStream", status));
  return opened;
}

bool Streams::enter(const DeviceStream& opened) const {
  return ACL_SUCCESS == (opened.context ? api().set_current_context(opened.context)
                                        : api().set_device(opened.device));
}

}  // namespace gradproof::targets
