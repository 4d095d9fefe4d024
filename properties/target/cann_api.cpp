#include "properties/target/cann_api.h"

#include <type_traits>

namespace gradproof::properties {
namespace {

template <auto member>
void assign(CannApi& api, void* address) {
  using Function = std::remove_reference_t<decltype(api.*member)>;
  api.*member = reinterpret_cast<Function>(address);
}

template <auto member>
bool is_present(const CannApi& api) {
  return api.*member != nullptr;
}

template <auto member>
constexpr EntryPoint required(std::string_view name) {
  return {name, Need::Required, assign<member>, is_present<member>};
}

template <auto member>
constexpr EntryPoint optional(std::string_view name) {
  return {name, Need::Optional, assign<member>, is_present<member>};
}

template <auto member>
constexpr EntryPoint own(std::string_view name) {
  return {name, Need::Own, assign<member>, is_present<member>};
}

constexpr EntryPoint rows[] = {
    required<&CannApi::init>("aclInit"),
    required<&CannApi::finalize>("aclFinalize"),
    optional<&CannApi::recent_error_message>("aclGetRecentErrMsg"),
    optional<&CannApi::device_count>("aclrtGetDeviceCount"),
    required<&CannApi::set_device>("aclrtSetDevice"),
    required<&CannApi::reset_device>("aclrtResetDevice"),
    required<&CannApi::soc_name>("aclrtGetSocName"),
    optional<&CannApi::create_context>("aclrtCreateContext"),
    optional<&CannApi::destroy_context>("aclrtDestroyContext"),
    optional<&CannApi::set_current_context>("aclrtSetCurrentContext"),
    optional<&CannApi::set_context_option>("aclrtCtxSetSysParamOpt"),
    optional<&CannApi::set_process_option>("aclrtSetSysParamOpt"),
    required<&CannApi::create_stream>("aclrtCreateStream"),
    required<&CannApi::destroy_stream>("aclrtDestroyStream"),
    required<&CannApi::synchronize_stream>("aclrtSynchronizeStream"),
    required<&CannApi::allocate>("aclrtMalloc"),
    required<&CannApi::release>("aclrtFree"),
    required<&CannApi::copy>("aclrtMemcpy"),
    optional<&CannApi::fill>("aclrtMemset"),
    optional<&CannApi::memory_info>("aclrtGetMemInfo"),
    required<&CannApi::create_tensor>("aclCreateTensor"),
    required<&CannApi::destroy_tensor>("aclDestroyTensor"),
    required<&CannApi::create_int_array>("aclCreateIntArray"),
    required<&CannApi::destroy_int_array>("aclDestroyIntArray"),
    required<&CannApi::create_bool_array>("aclCreateBoolArray"),
    required<&CannApi::destroy_bool_array>("aclDestroyBoolArray"),
    optional<&CannApi::destroy_executor>("aclDestroyAclOpExecutor"),
    optional<&CannApi::set_executor_repeatable>("aclSetAclOpExecutorRepeatable"),
    required<&CannApi::backward_workspace_size>("aclnnConvolutionBackwardGetWorkspaceSize"),
    required<&CannApi::backward>("aclnnConvolutionBackward"),
    own<&CannApi::set_for_thread>("gradproofSetForThread"),
    own<&CannApi::input_v2_workspace_size>("gradproofConv3DBackpropInputV2GetWorkspaceSize"),
    own<&CannApi::input_v2>("gradproofConv3DBackpropInputV2"),
    own<&CannApi::filter_v2_workspace_size>("gradproofConv3DBackpropFilterV2GetWorkspaceSize"),
    own<&CannApi::filter_v2>("gradproofConv3DBackpropFilterV2"),
};

/// What an entry point's name has to begin with to belong to a graph operator; empty for others.
std::string_view prefix_of(corpus::Api called) {
  if (called == corpus::Api::Conv3DBackpropInputV2) return "gradproofConv3DBackpropInputV2";
  if (called == corpus::Api::Conv3DBackpropFilterV2) return "gradproofConv3DBackpropFilterV2";
  return {};
}

}  // namespace

std::span<const EntryPoint> entry_points() { return rows; }

decltype(&::aclnnConvolutionBackward) phase_two_of(const CannApi& api, corpus::Api called) {
  if (called == corpus::Api::Conv3DBackpropInputV2) return api.input_v2;
  if (called == corpus::Api::Conv3DBackpropFilterV2) return api.filter_v2;
  return api.backward;
}

std::string_view missing_for(const CannApi& api, corpus::Api called) {
  const std::string_view prefix = prefix_of(called);
  if (prefix.empty()) return {};
  for (const EntryPoint& row : rows) {
    if (row.name.starts_with(prefix) && !row.is_present(api)) return row.name;
  }
  return {};
}

std::vector<std::string> missing_functions(const CannApi& api) {
  std::vector<std::string> missing;
  for (const EntryPoint& row : rows) {
    if (row.need == Need::Required && !row.is_present(api)) missing.emplace_back(row.name);
  }
  return missing;
}

}  // namespace gradproof::properties
