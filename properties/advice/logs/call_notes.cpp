#include "properties/advice/logs/reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/advice/explain/explanation.h"
#include "properties/advice/explain/typical_error.h"
#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/differences/difference_lines.h"
#include "properties/advice/logs/scan.h"
#include "properties/cases/calls/case_convolution.h"

namespace gradproof::advice {
namespace {

/// Completes the note on the output's shape. Where the input is no whole number of strides, its
/// last elements take no part; those that are not read lie in the padding first.
void note_lengths(Reading& reading) {
  for (FoundCall& found : reading.calls) {
    const auto call =
        found.is_complete() ? call_from_texts(found.words) : tl::unexpected(std::string());
    const auto follows = std::ranges::find(found.notes, following_output);
    if (call && call->grad_output && follows != found.notes.end())
      *follows += fmt::format(": [{}]", with_commas(call->grad_output->shape));
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

bool has_elements(const Integers& shape, std::int64_t count) {
  std::int64_t all = 1;
  const bool is_small = std::ranges::none_of(
      shape, [&](auto length) { return __builtin_mul_overflow(all, length, &all); });
  return is_small && all == count;
}

/// False where a place that a text states is none of a tensor of that shape.
bool holds(const Integers& shape, const Differences& found) {
  return std::ranges::all_of(found.all, [&](const Difference& one) {
    std::size_t axis = 0;
    return std::ranges::all_of(words_in(one.place), [&](const Word& word) {
      const auto index = integer_of(word.text);
      return !index || (axis < shape.size() && *index < shape[axis++]);
    });
  });
}

/// Says what a count of wrong elements is of a tensor that has so many: one place of an axis, or
/// the last of each spatial one.
std::string counted_part(const Difference& wrong, const Differences& found,
                         const corpus::Case& call) {
  const auto count = integer_of(wrong.value), total = integer_of(wrong.reference);
  if (!count || !total || *count >= *total) return {};
  Integers shape;
  for (const auto* tensor : {&call.grad_output, &call.weight, &call.input}) {
    if (!*tensor || !has_elements((*tensor)->shape, *total) || !holds((*tensor)->shape, found))
      continue;
    if (!shape.empty() && shape != (*tensor)->shape) return {};  // of which one?
    shape = (*tensor)->shape;
  }
  if (shape.size() < 3) return {};
  std::int64_t inner = 1;
  bool is_slice = false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    inner *= i < 2 ? shape[i] : shape[i] - 1;
    is_slice = is_slice ||
               (i > 1 && shape[i] > 1 && *total % shape[i] == 0 && *count == *total / shape[i]);
  }
  const std::string_view part = *count == *total - inner
                                    ? "the last places of all spatial axes have together"
                                : is_slice ? "one place of a spatial axis has"
                                           : "";
  if (part.empty()) return {};
  return fmt::format(
      "{} of {} wrong elements are as many as {} in [{}]: rows or columns that are not computed, "
      "no rounding",
      *count, *total, part, with_commas(shape));
}

/// Says that a difference is far beyond what any right kernel shows.
void add_wrong_values(const corpus::Case& call, double bound, Reading& reading) {
  constexpr double far = 1000;
  for (const Difference& one : reading.differences.all) {
    if (one.measure == "wrong elements") {
      if (std::string words = counted_part(one, reading.differences, call); !words.empty())
        reading.next.insert(reading.next.begin(), std::move(words));
    }
    const double value = number_in(one.value);
    if (one.measure != absolute_difference || !(bound > 0) || !(value > far * bound)) continue;
    std::erase_if(reading.next,
                  [](auto& words) { return has_any(words, "that one tiny element"); });
    reading.next.insert(
        reading.next.begin(),
        fmt::format("a difference of {} is {:.2g} times what no right kernel exceeds for operands "
                    "up to 1: unless these are that much larger, values are wrong, not rounded",
                    one.value, value / bound));
    return;
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
  double bound = 0;
  for (const GradientComputation& gradient : explained.computation->gradients) {
    if (!gradient.typical) continue;
    const auto worst = gradient.tolerance(settings.data->largest);
    bound = std::max(bound, worst.absolute + worst.relative);
    first->notes.push_back(
        fmt::format("{} of operands that are uniform on [-1, 1]: {}; none exceeds {:.2g} + {:.2g} "
                    "of the result",
                    corpus::name_of(gradient.role), typical_words(gradient.typical), worst.absolute,
                    worst.relative));
  }
  add_wrong_values(test_case, bound, reading);
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

bool is_echo(const FoundCall& one, const FoundCall& other) {
  const auto row = std::ranges::find(call_rows(), one.notation, &CallRow::notation);
  const bool may_be =
      row->form == Form::Prose || (row->form == Form::Words && one.notation == other.notation);
  const CallTexts &a = one.words, &b = other.words;
  if (!may_be || &one == &other || !a.weight || a.input != b.input || a.weight != b.weight ||
      a.stride != b.stride || a.padding != b.padding || a.dilation != b.dilation)
    return false;
  const std::string words = other.line_of_words() + " ", own = one.line_of_words();
  const auto parts = parts_between(own, " ");
  return own.size() + 1 < words.size() && std::ranges::all_of(parts, [&](auto part) {
           return words.find(std::string(part) + " ") != words.npos;
         });
}

void add_notes(Reading& reading) {
  note_channels_last(reading);
  note_lengths(reading);
  add_typical_errors(reading);
}

}  // namespace gradproof::advice
