#include "properties/advice/explain/call_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "corpus/data_type_row.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

/// Calls `use` with the name of each tensor and the tensor, in the order of the parameters.
void for_each_tensor(const Case& test_case, auto use) {
  for (const auto role : corpus::input_roles) use(name_of(role), corpus::tensor(test_case, role));
  for (const auto role : corpus::output_roles) use(name_of(role), corpus::tensor(test_case, role));
}

// ---- Python

std::string python_tensor(std::string_view name, const std::optional<TensorCase>& tensor) {
  if (!tensor) return fmt::format("{} = None  # a null pointer\n", name);
  const std::string_view own = corpus::row_of(tensor->dtype).torch;
  const std::string_view type = own.empty() ? "torch.float32" : own;
  std::string text = fmt::format("{} = torch.randn({}).to({})", name, tensor->shape, type);
  if (tensor->strides) {
    text = fmt::format("{0} = torch.randn({1}).to({2}).as_strided({3}, {4}, {5})", name,
                       corpus::storage_element_count(*tensor).value_or(0), type, tensor->shape,
                       *tensor->strides, tensor->offset);
  }
  if (own.empty()) text += fmt::format("  # PyTorch has no {}", corpus::name_of(tensor->dtype));
  return text + "\n";
}

std::string python_list(const std::optional<Lengths>& values) {
  return values ? fmt::format("{}", *values) : std::string("None");
}

std::string python_mask(const std::optional<std::vector<bool>>& mask) {
  std::vector<std::string_view> words;
  for (const bool bit : mask.value_or(std::vector<bool>{})) words.push_back(bit ? "True" : "False");
  return fmt::format("[{}]", fmt::join(words, ", "));
}

/// Paddings as PyTorch has them: one value for each axis. nullopt where the two ends differ.
std::optional<Lengths> one_padding_per_axis(const Case& test_case) {
  if (!test_case.padding || test_case.padding->size() != 4 || !test_case.input ||
      test_case.input->shape.size() != 4) {
    return test_case.padding;
  }
  const Lengths& four = *test_case.padding;
  if (four[0] != four[1] || four[2] != four[3]) return std::nullopt;
  return Lengths{four[0], four[2]};
}

// ---- C

std::string c_array(std::string_view name, const Lengths& values) {
  if (values.empty()) return fmt::format("  const int64_t {}[] = {{0}};  /* none */\n", name);
  return fmt::format("  const int64_t {}[] = {{{}}};\n", name, fmt::join(values, ", "));
}

std::string c_format(corpus::Format format) {
  if (format == corpus::Format::FractalZ3d) return "ACL_FRACTAL_Z_3D";
  return fmt::format("ACL_FORMAT_{}", corpus::name_of(format));
}

std::string c_tensor(std::string_view name, const std::optional<TensorCase>& tensor) {
  if (!tensor) return fmt::format("  aclTensor* {} = NULL;\n", name);
  const Lengths strides = tensor->strides.value_or(corpus::row_major_strides(tensor->shape));
  const Lengths storage = tensor->storage_shape.value_or(tensor->shape);
  std::string text = c_array(fmt::format("{}Shape", name), tensor->shape) +
                     c_array(fmt::format("{}Strides", name), strides) +
                     c_array(fmt::format("{}Storage", name), storage);
  fmt::format_to(std::back_inserter(text),
                 "  aclTensor* {0} = aclCreateTensor({0}Shape, {1}, ACL_{2}, {0}Strides, {3}, "
                 "{4}, {0}Storage, {5}, {0}Data);\n",
                 name, tensor->shape.size(), corpus::name_of(tensor->dtype), tensor->offset,
                 c_format(tensor->format), storage.size());
  return text;
}

std::string c_int_array(std::string_view name, const std::optional<Lengths>& values) {
  if (!values) return fmt::format("  aclIntArray* {} = NULL;\n", name);
  return c_array(fmt::format("{}Values", name), *values) +
         fmt::format("  aclIntArray* {0} = aclCreateIntArray({0}Values, {1});\n", name,
                     values->size());
}

std::string c_mask(const std::optional<std::vector<bool>>& mask) {
  if (!mask) return "  aclBoolArray* outputMask = NULL;\n";
  std::vector<int> bits(mask->begin(), mask->end());
  const std::size_t size = bits.size();
  if (bits.empty()) bits.push_back(0);
  return fmt::format(
      "  const bool outputMaskValues[] = {{{}}};\n"
      "  aclBoolArray* outputMask = aclCreateBoolArray(outputMaskValues, {});\n",
      fmt::join(bits, ", "), size);
}

}  // namespace

std::string python_call(const Case& test_case) {
  std::string text = "import torch\n";
  for (const auto role : corpus::input_roles)
    text += python_tensor(name_of(role), corpus::tensor(test_case, role));
  const auto padding = one_padding_per_axis(test_case);
  if (test_case.padding && !padding) {
    text +=
        fmt::format("# PyTorch has one padding per axis; this call has {}\n", *test_case.padding);
  }
  fmt::format_to(std::back_inserter(text),
                 "gradInput, gradWeight, gradBias = torch.ops.aten.convolution_backward(\n"
                 "    gradOutput, input, weight, {}, {}, {}, {},\n"
                 "    {}, {}, {}, {})\n",
                 python_list(test_case.bias_sizes), python_list(test_case.stride),
                 python_list(padding), python_list(test_case.dilation),
                 test_case.transposed ? "True" : "False", python_list(test_case.output_padding),
                 test_case.groups, python_mask(test_case.output_mask));
  return text;
}

std::string c_call(const Case& test_case) {
  std::string text =
      "#include <stdbool.h>\n#include <stdint.h>\n\n#include \"acl/acl.h\"\n"
      "#include \"aclnnop/aclnn_convolution_backward.h\"\n\n"
      "aclnnStatus call(void* gradOutputData, void* inputData, void* weightData, void* "
      "gradInputData,\n"
      "                 void* gradWeightData, void* gradBiasData, aclrtStream stream) {\n";
  for_each_tensor(test_case, [&](auto name, auto& tensor) { text += c_tensor(name, tensor); });
  text += c_int_array("biasSizes", test_case.bias_sizes) + c_int_array("stride", test_case.stride) +
          c_int_array("padding", test_case.padding) + c_int_array("dilation", test_case.dilation) +
          c_int_array("outputPadding", test_case.output_padding) + c_mask(test_case.output_mask);
  for_each_tensor(test_case, [&](auto name, auto& tensor) {
    if (!tensor) text += fmt::format("  (void){}Data;\n", name);
  });
  fmt::format_to(std::back_inserter(text),
                 "  uint64_t workspaceSize = 0;\n"
                 "  aclOpExecutor* executor = NULL;\n"
                 "  aclnnStatus status = aclnnConvolutionBackwardGetWorkspaceSize(\n"
                 "      gradOutput, input, weight, biasSizes, stride, padding, dilation, {},\n"
                 "      outputPadding, {}, outputMask, {}, gradInput, gradWeight, gradBias,\n"
                 "      &workspaceSize, &executor);\n",
                 test_case.transposed ? "true" : "false", test_case.groups,
                 test_case.cube_math_type);
  text +=
      "  void* workspace = NULL;\n"
      "  if (status == 0 && workspaceSize > 0) {\n"
      "    status = aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST);\n"
      "  }\n"
      "  if (status == 0) status = aclnnConvolutionBackward(workspace, workspaceSize, executor, "
      "stream);\n"
      "  if (status == 0) status = aclrtSynchronizeStream(stream);\n"
      "  if (workspace != NULL) aclrtFree(workspace);\n"
      "  return status;  /* the tensors and arrays are the caller's to destroy */\n"
      "}\n";
  return text;
}

}  // namespace gradproof::advice
