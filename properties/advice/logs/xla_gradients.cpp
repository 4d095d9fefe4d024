// PyTorch/XLA's gradient of a convolution.

#include "properties/advice/logs/found_call.h"
#include "properties/advice/logs/scan.h"
#include "properties/advice/logs/xla_text.h"

namespace gradproof::properties {
namespace {

FoundCall gradient_call(std::string_view line, const XlaDefinitions& definitions) {
  FoundCall call{.notation = "aten in XLA"};
  const std::size_t open = line.find("= (");
  const auto results = open == std::string_view::npos
                           ? std::vector<XlaTensor>{}
                           : tensors_in(line.substr(open, line.find(" aten::") - open));
  if (results.size() != 3) {
    call.lacking.emplace_back("the three results with their shapes");
    return call;
  }
  call.words.input = with_commas(results[0].shape);
  call.words.weight = with_commas(results[1].shape);
  call.words.dtype = results[0].dtype;
  call.words.bias = "yes";
  const auto operands = behind(line, "_overrideable(").value_or("");
  if (const auto gradient = defined(definitions, name_of(operands))) {
    call.words.grad_output = with_commas(gradient->shape);
  } else {
    call.notes.emplace_back("gradOutput's shape follows from the rest");
  }
  take_integers(call.words.stride, line, " stride=");
  take_integers(call.words.padding, line, " padding=");
  take_integers(call.words.dilation, line, " dilation=");
  take_integers(call.words.transposed, line, " transposed=");
  take_integers(call.words.output_padding, line, " output_padding=");
  take_integers(call.words.groups, line, " groups=");
  if (!call.words.stride) call.lacking.emplace_back("stride");
  if (!call.words.padding) call.lacking.emplace_back("padding");
  return call;
}

}  // namespace

std::vector<FoundCall> xla_gradient_calls(std::string_view text) {
  std::vector<FoundCall> calls;
  if (text.find("convolution_backward_overrideable(") == std::string_view::npos) return calls;
  const XlaDefinitions definitions = definitions_of(text);
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.find("aten::convolution_backward_overrideable(") == std::string_view::npos) continue;
    calls.push_back(gradient_call(line, definitions));
    calls.back().line = number;
  }
  return calls;
}

}  // namespace gradproof::properties
