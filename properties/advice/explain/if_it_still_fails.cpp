#include <fmt/core.h>

#include "properties/advice/explain/explanation.h"

namespace gradproof::advice {

std::string if_it_still_fails(const Explanation& explanation) {
  const corpus::Case& test_case = explanation.test_case;
  if (!explanation.is_legal() || test_case.api != corpus::Api::ConvolutionBackward) return "";
  return fmt::format(
      "if it fails or differs all the same:\n"
      "  a log with E69999 or Conv2DBackpropInput, Conv3DBackpropFilter ... is of the graph "
      "operator: torch_npu calls this one after torch.npu.set_compile_mode(jit_compile=False) and "
      "torch.npu.config.allow_internal_format = False\n"
      "  torch_npu makes cubeMathType of conv.allow_hf32, on by default, and allow_fp32_to_fp16: "
      "off/off 0, off/on 2, on/off 3, on/on 1; here it is {}\n"
      "  gradproof explain CODE says what a status or message code means (older releases refuse "
      "more, resources may be short)\n",
      static_cast<int>(test_case.cube_math_type));
}

}  // namespace gradproof::advice
