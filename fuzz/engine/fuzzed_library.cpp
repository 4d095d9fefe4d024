#include "fuzz/engine/fuzzed_library.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "properties/targets/target/simulated_backend.h"

namespace gradproof::fuzz {
namespace {

using targets::LoadedLibrary;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string foreign_libraries() { return variable("GRADPROOF_FUZZ_TARGET"); }

std::vector<std::filesystem::path> split(const std::string& names) {
  std::vector<std::filesystem::path> paths;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    if (end > begin) paths.emplace_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return paths;
}

targets::LoadedLibrary::Pointer open_library() {
  targets::furnish_simulated_machine();
  const auto foreign = split(foreign_libraries());
  auto library = foreign.empty()
                     ? LoadedLibrary::of(linked_api(), std::string(targets::simulated_name))
                     : LoadedLibrary::load(foreign);
  if (library) return *library;
  std::fprintf(stderr, "fuzz: %s\n", library.error().c_str());
  std::exit(3);  // as gradproof does where a target cannot be used
}

targets::CannApi linked_operators() {
  return {.init = aclInit,
          .finalize = aclFinalize,
          .recent_error_message = aclGetRecentErrMsg,
          .device_count = aclrtGetDeviceCount,
          .set_device = aclrtSetDevice,
          .reset_device = aclrtResetDevice,
          .soc_name = aclrtGetSocName,
          .create_context = aclrtCreateContext,
          .destroy_context = aclrtDestroyContext,
          .set_current_context = aclrtSetCurrentContext,
          .set_context_option = aclrtCtxSetSysParamOpt,
          .set_process_option = aclrtSetSysParamOpt,
          .create_stream = aclrtCreateStream,
          .destroy_stream = aclrtDestroyStream,
          .synchronize_stream = aclrtSynchronizeStream,
          .allocate = aclrtMalloc,
          .release = aclrtFree,
          .copy = aclrtMemcpy,
          .fill = aclrtMemset,
          .memory_info = aclrtGetMemInfo,
          .create_tensor = aclCreateTensor,
          .destroy_tensor = aclDestroyTensor,
          .create_int_array = aclCreateIntArray,
          .destroy_int_array = aclDestroyIntArray,
          .create_bool_array = aclCreateBoolArray,
          .destroy_bool_array = aclDestroyBoolArray,
          .destroy_executor = aclDestroyAclOpExecutor,
          .set_executor_repeatable = aclSetAclOpExecutorRepeatable,
          .backward_workspace_size = aclnnConvolutionBackwardGetWorkspaceSize,
          .backward = aclnnConvolutionBackward,
          .conv_tbc_workspace_size = aclnnConvTbcBackwardGetWorkspaceSize,
          .conv_tbc = aclnnConvTbcBackward,
          .set_for_thread = gradproofSetForThread,
          .input_v2_workspace_size = gradproofConv3DBackpropInputV2GetWorkspaceSize,
          .input_v2 = gradproofConv3DBackpropInputV2,
          .filter_v2_workspace_size = gradproofConv3DBackpropFilterV2GetWorkspaceSize,
          .filter_v2 = gradproofConv3DBackpropFilterV2};
}

}  // namespace

targets::CannApi linked_api() {
  targets::CannApi api = linked_operators();
  api.forward_workspace_size = aclnnConvolutionGetWorkspaceSize;
  api.forward = aclnnConvolution;
  api.forward_tbc_workspace_size = aclnnConvTbcGetWorkspaceSize;
  api.forward_tbc = aclnnConvTbc;
  api.depthwise_workspace_size = aclnnConvDepthwise2dGetWorkspaceSize;
  api.depthwise = aclnnConvDepthwise2d;
  api.set_input_address = aclSetInputTensorAddr;
  api.set_output_address = aclSetOutputTensorAddr;
  api.input_tiling = targets::gradproofConv3DBpInputTiling;
  api.filter_tiling = targets::gradproofConv3dBpFilterTiling;
  api.input_tiling_run = targets::gradproofConv3DBpInputTilingRun;
  api.filter_tiling_run = targets::gradproofConv3dBpFilterTilingRun;
  return api;
}

targets::LoadedTarget& fuzzed_target() {
  static const auto target = open_library()->new_loaded_target();
  return *target;
}

oracle::JudgeSettings judge_settings() {
  oracle::JudgeSettings settings;
  if (!foreign_libraries().empty()) {
    settings.profile = oracle::Profile::Tolerant;
    settings.adder = oracle::Adder::Block;
    settings.hf32_rounding = oracle::Hf32Rounding::Unknown;
    return settings;
  }
  // What the linked kernel reads itself when it starts.
  if (variable("GRADPROOF_PROFILE") == "released") settings.profile = oracle::Profile::Released;
  if (variable("GRADPROOF_HF32_ROUNDING") == "away") {
    settings.hf32_rounding = oracle::Hf32Rounding::NearestAway;
  }
  return settings;
}

std::string replay_options() {
  const std::string foreign = foreign_libraries();
  if (!foreign.empty()) return " --target " + foreign;
  const bool released = judge_settings().profile == oracle::Profile::Released;
  return released ? " --profile released" : "";
}

}  // namespace gradproof::fuzz
