#include "properties/advice/logs/reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/advice/explain/explanation.h"
#include "properties/advice/explain/typical_error.h"
#include "properties/advice/logs/scan.h"
#include "properties/cases/calls/case_convolution.h"

namespace gradproof::advice {
namespace {

/// Where the input is no whole number of strides, its last elements take no part. Elements that are
/// not read lie in the padding first.
void note_unread_elements(Reading& reading) {
  for (FoundCall& found : reading.calls) {
    const auto call =
        found.is_complete() ? call_from_texts(found.words) : tl::unexpected(std::string());
    const auto convolution = call ? cases::convolution_of(*call) : std::nullopt;
    if (!convolution || convolution->transposed) continue;
    Integers left;
    for (const cases::SpatialAxis& axis : convolution->axes)
      left.push_back(std::max<std::int64_t>(cases::unread_length(axis) - axis.padding_end, 0));
    if (std::ranges::all_of(left, [](auto one) { return one == 0; })) continue;
    found.notes.push_back(fmt::format(
        "the last {} elements of input along its axes are read by no output: their gradient is 0",
        with_commas(left)));
  }
}

/// Notes the error that a right library shows for the first call whose numbers differ.
void add_typical_errors(Reading& reading) {
  const auto first = std::ranges::find_if(reading.calls, &FoundCall::is_complete);
  if (std::ranges::find(reading.kinds, LogKind::Precision) == reading.kinds.end() ||
      first == reading.calls.end())
    return;
  const auto call = call_from_texts(first->words);
  if (!call) return;
  corpus::Case test_case = *call;
  test_case.soc =
      corpus::name_of(reading.product && reading.product->product ? *reading.product->product
                                                                  : corpus::Product::Ascend910B);
  ExplanationSettings settings;
  settings.data = uniform_law(-1, 1);
  const Explanation explained = explanation_of(test_case, settings);
  if (!explained.computation) return;
  for (const GradientComputation& gradient : explained.computation->gradients) {
    if (!gradient.typical) continue;
    const auto worst = gradient.tolerance(settings.data->largest);
    first->notes.push_back(
        fmt::format("{} of operands that are uniform on [-1, 1]: {}; none exceeds {:.2g} + {:.2g} "
                    "of the result",
                    corpus::name_of(gradient.role), typical_words(gradient.typical), worst.absolute,
                    worst.relative));
  }
}

/// "[1, 1024, 1024, 3]" with a weight of 3 channels.
void note_channels_last(Reading& reading) {
  for (FoundCall& call : reading.calls) {
    const auto input = integers_of_line(call.words.input.value_or(""));
    const auto weight = integers_of_line(call.words.weight.value_or(""));
    if (!input || !weight || input->size() != weight->size() || input->size() < 3) continue;
    if (call.words.transposed && *call.words.transposed != "no" &&
        *call.words.transposed != "False")
      continue;
    const std::int64_t groups = integer_of(call.words.groups.value_or("1")).value_or(1);
    if (groups < 1 || groups > 65535 || (*weight)[1] > (std::int64_t{1} << 31U)) continue;
    const std::int64_t channels = (*weight)[1] * groups;
    if ((*input)[1] == channels || input->back() != channels) continue;
    call.notes.emplace_back(
        "input's last length, not its second, fits the weight: it may have its channels last "
        "(NHWC), and would have to be permuted");
  }
}

}  // namespace

void add_notes(Reading& reading) {
  note_channels_last(reading);
  note_unread_elements(reading);
  add_typical_errors(reading);
}

}  // namespace gradproof::advice
