#include <fmt/core.h>

#include "properties/explain/explanation.h"

namespace gradproof::properties {

std::string if_it_still_fails(const Explanation& explanation) {
  const corpus::Case& problem = explanation.problem;
  if (!explanation.is_legal() || problem.api != corpus::Api::ConvolutionBackward) return "";
  return fmt::format(
      "if it fails or differs all the same:\n"
      "  path: a log with E69999 or with Conv2DBackpropInput, Conv3DBackpropFilter, "
      "Conv3DTranspose ... is of the graph operator, not of this call;\n"
      "    torch_npu calls this one after torch.npu.set_compile_mode(jit_compile=False) and "
      "torch.npu.config.allow_internal_format = False\n"
      "  mode: torch_npu makes cubeMathType of conv.allow_hf32 and allow_fp32_to_fp16: off/off 0, "
      "off/on 2, on/off 3, on/on 1; here it is {}\n"
      "  version: the rules are those of today's documents; older releases refuse more (CANN "
      "8.0.RC3: 3D with groups other than 1 and all channels)\n"
      "  resources: 207001 is memory; 561103, 507015 or a crash in a legal call is the library's "
      "or "
      "its kernel package's: do its release, the driver and torch_npu belong together?\n",
      static_cast<int>(problem.cube_math_type));
}

}  // namespace gradproof::properties
