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

/// Requirement for a function: a target without it can still be driven, or not.
enum class Need : unsigned char {
  Required,
  Optional,
  Own,  ///< optional, and never the simulated backend's in another library's stead
};

/// CANN's functions as a case needs them: need, member and name of each. Tiling classes are C++: a
/// library of ours, linked to them, asks them (tiling_classes.cpp).
#define GRADPROOF_CANN_FUNCTIONS(ROW)                                                 \
  ROW(Required, init, aclInit)                                                        \
  ROW(Required, finalize, aclFinalize)                                                \
  ROW(Optional, recent_error_message, aclGetRecentErrMsg)                             \
  ROW(Optional, device_count, aclrtGetDeviceCount)                                    \
  ROW(Required, set_device, aclrtSetDevice)                                           \
  ROW(Required, reset_device, aclrtResetDevice)                                       \
  ROW(Required, soc_name, aclrtGetSocName)                                            \
  ROW(Optional, create_context, aclrtCreateContext)                                   \
  ROW(Optional, destroy_context, aclrtDestroyContext)                                 \
  ROW(Optional, set_current_context, aclrtSetCurrentContext)                          \
  ROW(Optional, set_context_option, aclrtCtxSetSysParamOpt)                           \
  ROW(Optional, set_process_option, aclrtSetSysParamOpt)                              \
  ROW(Required, create_stream, aclrtCreateStream)                                     \
  ROW(Required, destroy_stream, aclrtDestroyStream)                                   \
  ROW(Required, synchronize_stream, aclrtSynchronizeStream)                           \
  ROW(Required, allocate, aclrtMalloc)                                                \
  ROW(Required, release, aclrtFree)                                                   \
  ROW(Required, copy, aclrtMemcpy)                                                    \
  ROW(Optional, copy_in_stream, aclrtMemcpyAsync)                                     \
  ROW(Optional, fill, aclrtMemset)                                                    \
  ROW(Optional, memory_info, aclrtGetMemInfo)                                         \
  ROW(Required, create_tensor, aclCreateTensor)                                       \
  ROW(Required, destroy_tensor, aclDestroyTensor)                                     \
  ROW(Required, create_int_array, aclCreateIntArray)                                  \
  ROW(Required, destroy_int_array, aclDestroyIntArray)                                \
  ROW(Required, create_bool_array, aclCreateBoolArray)                                \
  ROW(Required, destroy_bool_array, aclDestroyBoolArray)                              \
  ROW(Optional, destroy_executor, aclDestroyAclOpExecutor)                            \
  ROW(Optional, set_executor_repeatable, aclSetAclOpExecutorRepeatable)               \
  ROW(Optional, set_input_address, aclSetInputTensorAddr)                             \
  ROW(Optional, set_output_address, aclSetOutputTensorAddr)                           \
  ROW(Required, backward_workspace_size, aclnnConvolutionBackwardGetWorkspaceSize)    \
  ROW(Required, backward, aclnnConvolutionBackward)                                   \
  ROW(Own, conv_tbc_workspace_size, aclnnConvTbcBackwardGetWorkspaceSize)             \
  ROW(Own, conv_tbc, aclnnConvTbcBackward)                                            \
  ROW(Own, forward_workspace_size, aclnnConvolutionGetWorkspaceSize)                  \
  ROW(Own, forward, aclnnConvolution)                                                 \
  ROW(Own, forward_tbc_workspace_size, aclnnConvTbcGetWorkspaceSize)                  \
  ROW(Own, forward_tbc, aclnnConvTbc)                                                 \
  ROW(Own, depthwise_workspace_size, aclnnConvDepthwise2dGetWorkspaceSize)            \
  ROW(Own, depthwise, aclnnConvDepthwise2d)                                           \
  ROW(Own, set_for_thread, gradproofSetForThread)                                     \
  ROW(Own, input_v2_workspace_size, gradproofConv3DBackpropInputV2GetWorkspaceSize)   \
  ROW(Own, input_v2, gradproofConv3DBackpropInputV2)                                  \
  ROW(Own, filter_v2_workspace_size, gradproofConv3DBackpropFilterV2GetWorkspaceSize) \
  ROW(Own, filter_v2, gradproofConv3DBackpropFilterV2)                                \
  ROW(Own, input_tiling, gradproofConv3DBpInputTiling)                                \
  ROW(Own, filter_tiling, gradproofConv3dBpFilterTiling)                              \
  ROW(Own, input_tiling_run, gradproofConv3DBpInputTilingRun)                         \
  ROW(Own, filter_tiling_run, gradproofConv3dBpFilterTilingRun)

// NOLINTNEXTLINE(bugprone-macro-parentheses): a name that is declared
#define GRADPROOF_CANN_MEMBER(need, member, function) decltype(&(function)) member = nullptr;

/// Those functions, from wherever they were found. A null pointer: the target lacks it.
struct CannApi {
  GRADPROOF_CANN_FUNCTIONS(GRADPROOF_CANN_MEMBER)
};

#undef GRADPROOF_CANN_MEMBER

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
