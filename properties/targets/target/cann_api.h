#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "corpus/case.h"
#include "gradproof/graph_operators.h"
#include "gradproof/machine.h"
#include "properties/targets/tiling/tiling_classes.h"

namespace gradproof::targets {

/// CANN's functions as a case needs them, from wherever they were found. A null pointer: the target
/// lacks it.
struct CannApi {
  decltype(&::aclInit) init = nullptr;
  decltype(&::aclFinalize) finalize = nullptr;
  decltype(&::aclGetRecentErrMsg) recent_error_message = nullptr;
  decltype(&::aclrtGetDeviceCount) device_count = nullptr;
  decltype(&::aclrtSetDevice) set_device = nullptr;
  decltype(&::aclrtResetDevice) reset_device = nullptr;
  decltype(&::aclrtGetSocName) soc_name = nullptr;
  decltype(&::aclrtCreateContext) create_context = nullptr;
  decltype(&::aclrtDestroyContext) destroy_context = nullptr;
  decltype(&::aclrtSetCurrentContext) set_current_context = nullptr;
  decltype(&::aclrtCtxSetSysParamOpt) set_context_option = nullptr;
  decltype(&::aclrtSetSysParamOpt) set_process_option = nullptr;
  decltype(&::aclrtCreateStream) create_stream = nullptr;
  decltype(&::aclrtDestroyStream) destroy_stream = nullptr;
  decltype(&::aclrtSynchronizeStream) synchronize_stream = nullptr;
  decltype(&::aclrtMalloc) allocate = nullptr;
  decltype(&::aclrtFree) release = nullptr;
  decltype(&::aclrtMemcpy) copy = nullptr;
  decltype(&::aclrtMemset) fill = nullptr;
  decltype(&::aclrtGetMemInfo) memory_info = nullptr;
  decltype(&::aclCreateTensor) create_tensor = nullptr;
  decltype(&::aclDestroyTensor) destroy_tensor = nullptr;
  decltype(&::aclCreateIntArray) create_int_array = nullptr;
  decltype(&::aclDestroyIntArray) destroy_int_array = nullptr;
  decltype(&::aclCreateBoolArray) create_bool_array = nullptr;
  decltype(&::aclDestroyBoolArray) destroy_bool_array = nullptr;
  decltype(&::aclDestroyAclOpExecutor) destroy_executor = nullptr;
  decltype(&::aclSetAclOpExecutorRepeatable) set_executor_repeatable = nullptr;
  decltype(&::aclSetInputTensorAddr) set_input_address = nullptr;
  decltype(&::aclSetOutputTensorAddr) set_output_address = nullptr;
  decltype(&::aclnnConvolutionBackwardGetWorkspaceSize) backward_workspace_size = nullptr;
  decltype(&::aclnnConvolutionBackward) backward = nullptr;
  decltype(&::aclnnConvTbcBackwardGetWorkspaceSize) conv_tbc_workspace_size = nullptr;
  decltype(&::aclnnConvTbcBackward) conv_tbc = nullptr;
  decltype(&::aclnnConvolutionGetWorkspaceSize) forward_workspace_size = nullptr;
  decltype(&::aclnnConvolution) forward = nullptr;
  decltype(&::aclnnConvTbcGetWorkspaceSize) forward_tbc_workspace_size = nullptr;
  decltype(&::aclnnConvTbc) forward_tbc = nullptr;
  decltype(&::aclnnConvDepthwise2dGetWorkspaceSize) depthwise_workspace_size = nullptr;
  decltype(&::aclnnConvDepthwise2d) depthwise = nullptr;
  decltype(&::gradproofSetForThread) set_for_thread = nullptr;
  decltype(&::gradproofConv3DBackpropInputV2GetWorkspaceSize) input_v2_workspace_size = nullptr;
  decltype(&::gradproofConv3DBackpropInputV2) input_v2 = nullptr;
  decltype(&::gradproofConv3DBackpropFilterV2GetWorkspaceSize) filter_v2_workspace_size = nullptr;
  decltype(&::gradproofConv3DBackpropFilterV2) filter_v2 = nullptr;
  /// Tiling classes are C++: a library of ours, linked to them, asks them (tiling_classes.cpp).
  decltype(&gradproofConv3DBpInputTiling) input_tiling = nullptr;
  decltype(&gradproofConv3dBpFilterTiling) filter_tiling = nullptr;
  decltype(&gradproofConv3DBpInputTilingRun) input_tiling_run = nullptr;
  decltype(&gradproofConv3dBpFilterTilingRun) filter_tiling_run = nullptr;
};

/// Requirement for a function: a target without it can still be driven, or not.
enum class Need : unsigned char {
  Required,
  Optional,
  Own,  ///< optional, and never the simulated backend's in another library's stead
};

/// One function of CANN's: the name it is exported under and the pointer that it fills.
struct EntryPoint {
  std::string_view name;
  Need need;
  void (*assign)(CannApi&, void* address);
  bool (*is_present)(const CannApi&);
};

std::span<const EntryPoint> entry_points();

/// Phase two of what a case calls; they have one signature. Not for a tiling class.
decltype(&::aclnnConvolutionBackward) phase_two_of(const CannApi& api, corpus::Api called);

/// The first function that a case of this api needs and the target lacks; empty if there is none.
std::string_view missing_for(const CannApi& api, corpus::Api called);

/// Names of the required functions that are not there.
std::vector<std::string> missing_functions(const CannApi& api);

}  // namespace gradproof::targets
