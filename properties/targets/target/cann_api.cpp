#include "properties/targets/target/cann_api.h"

#include <algorithm>
#include <type_traits>

namespace gradproof::targets {
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
constexpr EntryPoint needed(std::string_view name) {
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
    needed<&CannApi::init>("aclInit"),
    needed<&CannApi::finalize>("aclFinalize"),
    optional<&CannApi::recent_error_message>("aclGetRecentErrMsg"),
    optional<&CannApi::device_count>("aclrtGetDeviceCount"),
    needed<&CannApi::set_device>("aclrtSetDevice"),
    needed<&CannApi::reset_device>("aclrtResetDevice"),
    needed<&CannApi::soc_name>("aclrtGetSocName"),
    optional<&CannApi::create_context>("aclrtCreateContext"),
    optional<&CannApi::destroy_context>("aclrtDestroyContext"),
    optional<&CannApi::set_current_context>("aclrtSetCurrentContext"),
    optional<&CannApi::set_context_option>("aclrtCtxSetSysParamOpt"),
    optional<&CannApi::set_process_option>("aclrtSetSysParamOpt"),
    needed<&CannApi::create_stream>("aclrtCreateStream"),
    needed<&CannApi::destroy_stream>("aclrtDestroyStream"),
    needed<&CannApi::synchronize_stream>("aclrtSynchronizeStream"),
    needed<&CannApi::allocate>("aclrtMalloc"),
    needed<&CannApi::release>("aclrtFree"),
    needed<&CannApi::copy>("aclrtMemcpy"),
    optional<&CannApi::fill>("aclrtMemset"),
    optional<&CannApi::memory_info>("aclrtGetMemInfo"),
    needed<&CannApi::create_tensor>("aclCreateTensor"),
    needed<&CannApi::destroy_tensor>("aclDestroyTensor"),
    needed<&CannApi::create_int_array>("aclCreateIntArray"),
    needed<&CannApi::destroy_int_array>("aclDestroyIntArray"),
    needed<&CannApi::create_bool_array>("aclCreateBoolArray"),
    needed<&CannApi::destroy_bool_array>("aclDestroyBoolArray"),
    optional<&CannApi::destroy_executor>("aclDestroyAclOpExecutor"),
    optional<&CannApi::set_executor_repeatable>("aclSetAclOpExecutorRepeatable"),
    optional<&CannApi::set_input_address>("aclSetInputTensorAddr"),
    optional<&CannApi::set_output_address>("aclSetOutputTensorAddr"),
    needed<&CannApi::backward_workspace_size>("aclnnConvolutionBackwardGetWorkspaceSize"),
    needed<&CannApi::backward>("aclnnConvolutionBackward"),
    own<&CannApi::conv_tbc_workspace_size>("aclnnConvTbcBackwardGetWorkspaceSize"),
    own<&CannApi::conv_tbc>("aclnnConvTbcBackward"),
    own<&CannApi::forward_workspace_size>("aclnnConvolutionGetWorkspaceSize"),
    own<&CannApi::forward>("aclnnConvolution"),
    own<&CannApi::forward_tbc_workspace_size>("aclnnConvTbcGetWorkspaceSize"),
    own<&CannApi::forward_tbc>("aclnnConvTbc"),
    own<&CannApi::depthwise_workspace_size>("aclnnConvDepthwise2dGetWorkspaceSize"),
    own<&CannApi::depthwise>("aclnnConvDepthwise2d"),
    own<&CannApi::set_for_thread>("gradproofSetForThread"),
    own<&CannApi::input_v2_workspace_size>("gradproofConv3DBackpropInputV2GetWorkspaceSize"),
    own<&CannApi::input_v2>("gradproofConv3DBackpropInputV2"),
    own<&CannApi::filter_v2_workspace_size>("gradproofConv3DBackpropFilterV2GetWorkspaceSize"),
    own<&CannApi::filter_v2>("gradproofConv3DBackpropFilterV2"),
    own<&CannApi::input_tiling>("gradproofConv3DBpInputTiling"),
    own<&CannApi::filter_tiling>("gradproofConv3dBpFilterTiling"),
    own<&CannApi::input_tiling_run>("gradproofConv3DBpInputTilingRun"),
    own<&CannApi::filter_tiling_run>("gradproofConv3dBpFilterTilingRun"),
};

struct PhaseTwoRow {
  corpus::Api called;
  decltype(&::aclnnConvolutionBackward) CannApi::*function;
};

constexpr PhaseTwoRow phases_two[] = {{corpus::Api::ConvolutionBackward, &CannApi::backward},
                                      {corpus::Api::Conv3DBackpropInputV2, &CannApi::input_v2},
                                      {corpus::Api::Conv3DBackpropFilterV2, &CannApi::filter_v2},
                                      {corpus::Api::ConvTbcBackward, &CannApi::conv_tbc},
                                      {corpus::Api::Convolution, &CannApi::forward},
                                      {corpus::Api::ConvTbc, &CannApi::forward_tbc},
                                      {corpus::Api::ConvDepthwise2d, &CannApi::depthwise}};

}  // namespace

std::span<const EntryPoint> entry_points() { return rows; }

decltype(&::aclnnConvolutionBackward) phase_two_of(const CannApi& api, corpus::Api called) {
  return api.*(std::ranges::find(phases_two, called, &PhaseTwoRow::called)->function);
}

/// Entry points bear the name of what is called, and what they do with it; those that every target
/// has are looked at when it is loaded.
std::string_view missing_for(const CannApi& api, corpus::Api called) {
  const std::string_view name = corpus::name_of(called);
  for (const EntryPoint& row : rows) {
    const std::size_t begin = row.name.find(name);
    const std::string_view rest =
        begin == std::string_view::npos ? row.name : row.name.substr(begin + name.size());
    const bool is_its = rest.empty() || rest == "GetWorkspaceSize" || rest == "Run";
    if (is_its && row.need != Need::Required && !row.is_present(api)) return row.name;
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

}  // namespace gradproof::targets
