// What a call says of its padding, and what it may follow from.

#include <fmt/format.h>

#include <algorithm>

#include "properties/advice/logs/draft.h"
#include "properties/advice/logs/layout.h"

namespace gradproof::advice {
namespace {

using Sort = Value::Kind;

constexpr std::int64_t largest = Draft::too_large;

struct PaddingProblem {
  Draft& draft;  ///< shapes, stride and dilation are there
  std::string layout;
  bool transposed = false;
  CallTexts& words = draft.call.words;
  std::size_t axes = draft.axes;
};

/// Lengths of each axis, where all are known and far from overflow.
struct Axes {
  Integers input, kernel, stride, dilation, output;  ///< output may be empty

  std::int64_t extent(std::size_t axis) const { return dilation[axis] * (kernel[axis] - 1) + 1; }
};

Integers behind_two(const std::optional<std::string>& word) {
  const auto values = integers_of_line(word.value_or(""));
  return values && values->size() > 2 ? Integers(values->begin() + 2, values->end()) : Integers{};
}

Integers of_each_axis(const std::optional<std::string>& word, std::size_t axes) {
  auto values = integers_of_line(word.value_or("1")).value_or(Integers{});
  if (values.size() == 1) values.resize(axes, values[0]);
  return values;
}

/// nullopt: something is missing, or not between 0 and 2^31.
std::optional<Axes> axes_of(const PaddingProblem& problem, bool needs_input) {
  Axes axes;
  axes.input = behind_two(problem.words.input);
  axes.kernel = behind_two(problem.words.weight);
  const std::size_t count = axes.kernel.size();
  axes.stride = of_each_axis(problem.words.stride, count);
  axes.dilation = of_each_axis(problem.words.dilation, count);
  axes.output = behind_two(problem.words.grad_output);
  if (axes.input.empty() && !needs_input) axes.input.assign(count, 0);
  if (axes.output.size() != count) axes.output.clear();
  if (count == 0) return std::nullopt;
  for (const Integers* values : {&axes.input, &axes.kernel, &axes.stride, &axes.dilation}) {
    const auto is_small = [](std::int64_t value) { return value >= 0 && value < largest; };
    if (values->size() != count || !std::ranges::all_of(*values, is_small)) return std::nullopt;
  }
  const bool has_stride = std::ranges::all_of(axes.stride, [](auto value) { return value > 0; });
  const bool is_small =
      std::ranges::all_of(axes.output, [](auto value) { return value >= 0 && value < largest; });
  return has_stride && is_small ? std::optional(axes) : std::nullopt;
}

void put(const PaddingProblem& problem, const PaddingEnds& both) {
  if (both.begins == both.ends) {
    problem.words.padding = with_commas(both.begins);
    return;
  }
  if (both.begins.size() == 2) {
    problem.words.padding =
        with_commas({both.begins[0], both.ends[0], both.begins[1], both.ends[1]});
    return;
  }
  problem.draft.lack(
      fmt::format("paddings that are the same at both ends (2D alone may differ): {} at the begins "
                  "of the axes, {} at their ends",
                  with_commas(both.begins), with_commas(both.ends)));
}

/// Of a transposed convolution, "same" means a result of the input times the stride.
void put_same_of_transposed(const PaddingProblem& problem, const Axes& axes) {
  Integers padding, beyond;
  for (std::size_t axis = 0; axis < axes.kernel.size(); ++axis) {
    const std::int64_t total = axes.extent(axis) - axes.stride[axis];
    if (total > 0 && total % 2 != 0) {
      problem.draft.lack(
          "a padding that is the same at both ends, which \"same\" does not mean here");
      return;
    }
    padding.push_back(std::max<std::int64_t>(total, 0) / 2);
    beyond.push_back(std::max<std::int64_t>(-total, 0));
  }
  problem.words.padding = with_commas(padding);
  const bool any = std::ranges::any_of(beyond, [](auto value) { return value > 0; });
  if (any) problem.words.output_padding = with_commas(beyond);
  problem.draft.note("the padding follows from \"same\": the result is the input times the stride");
}

/// "same": the result is the input over the stride, rounded up; the odd one is at the end.
void put_same(const PaddingProblem& problem, bool lower) {
  const bool is_plain = of_each_axis(problem.words.stride, 1) == Integers(1, 1);
  const auto axes = axes_of(problem, !is_plain);
  if (axes && problem.transposed) return put_same_of_transposed(problem, *axes);
  if (!axes) {
    problem.words.padding = "same";
    problem.draft.lack("the lengths that a padding of \"same\" follows from");
    return;
  }
  PaddingEnds both;
  for (std::size_t axis = 0; axis < axes->kernel.size(); ++axis) {
    const std::int64_t stride = axes->stride[axis];
    const std::int64_t length = axes->input[axis];
    const std::int64_t reach =
        stride == 1 ? length - 1 : (length + stride - 1) / stride * stride - stride;
    const std::int64_t total = std::max<std::int64_t>(reach + axes->extent(axis) - length, 0);
    const std::int64_t less = total / 2;
    both.begins.push_back(lower ? total - less : less);
    both.ends.push_back(lower ? less : total - less);
  }
  problem.draft.note(fmt::format(
      "the padding follows from \"same\": {} at the begins of the axes, {} at their ends",
      with_commas(both.begins), with_commas(both.ends)));
  put(problem, both);
}

/// Half of the kernel, or all but one element of it, at each end.
void put_share_of_kernel(const PaddingProblem& problem, std::string_view mode) {
  const auto axes = axes_of(problem, false);
  Integers padding;
  for (std::size_t axis = 0; axes && axis < axes->kernel.size(); ++axis)
    padding.push_back(mode == "half" ? axes->extent(axis) / 2 : axes->extent(axis) - 1);
  if (!axes) return problem.draft.lack("the kernel that the padding follows from");
  if (mode == "causal") return put(problem, {padding, Integers(padding.size(), 0)});
  problem.words.padding = with_commas(padding);
}

/// The padding at the ends, where the stated result asks for another than at the begins.
void put_following_ends(const PaddingProblem& problem) {
  const auto begins = integers_of_line(problem.words.padding.value_or(""));
  const auto axes = axes_of(problem, true);
  if (!axes || axes->output.empty() || problem.transposed) return;
  PaddingEnds both;
  const bool stated = begins && begins->size() == axes->kernel.size();
  for (std::size_t axis = 0; axis < axes->kernel.size(); ++axis) {
    const std::int64_t needed =
        (axes->output[axis] - 1) * axes->stride[axis] + axes->extent(axis) - axes->input[axis];
    const std::int64_t begin = stated ? (*begins)[axis] : std::max<std::int64_t>(needed, 0) / 2;
    const std::int64_t room = axes->input[axis] + 2 * begin - axes->extent(axis);
    const bool follows =
        begin < largest && room >= 0 && room / axes->stride[axis] + 1 == axes->output[axis];
    both.begins.push_back(begin);
    both.ends.push_back(follows ? begin : needed - begin);
  }
  if (!stated) problem.draft.note("padding is left out: half of what the lengths ask for");
  if (both.ends == both.begins) return put(problem, both);
  const bool can_be_said = both.ends.size() == 2 && both.ends[0] >= 0 && both.ends[1] >= 0;
  if (!can_be_said) {
    problem.draft.lack(
        fmt::format("a padding that leads to the stated lengths: {} at the begins of the axes "
                    "would need {} at their ends",
                    with_commas(both.begins), with_commas(both.ends)));
    return;
  }
  problem.draft.note(fmt::format("padding at the ends, {}, follows from the stated lengths",
                                 with_commas(both.ends)));
  put(problem, both);
}

/// What is stated of the output padding; of a transposed convolution, what the stated lengths
/// leave.
void put_output_padding(const PaddingProblem& problem) {
  const Fields& fields = problem.draft.fields;
  if (const Field* field = fields.find("output_padding")) {
    const auto values = field->value.integers();
    if (values && !values->empty()) {
      problem.words.output_padding = with_commas(*values);
      return;
    }
    if (!values && !field->value.is(Sort::Nothing))
      problem.draft.lack(fmt::format("output_padding ({})", field->text.substr(0, 60)));
  }
  if (const auto values = fields.by_axis("output_padding")) {
    problem.words.output_padding = with_commas(*values);
    return;
  }
  const auto axes = axes_of(problem, true);
  const auto padding =
      of_each_axis(problem.words.padding.value_or("0"), axes ? axes->kernel.size() : 0);
  if (!problem.transposed || !axes || padding.size() != axes->kernel.size()) return;
  Integers output = axes->output;
  if (const auto stated = fields.value("output").integers())
    output = spatial_alone(*stated, problem.layout, problem.axes);
  if (output.size() != padding.size()) return;
  Integers left;
  for (std::size_t axis = 0; axis < output.size(); ++axis) {
    if (output[axis] < 0 || output[axis] >= largest || padding[axis] >= largest) return;
    left.push_back(output[axis] - (axes->input[axis] - 1) * axes->stride[axis] + 2 * padding[axis] -
                   axes->extent(axis));
  }
  if (std::ranges::all_of(left, [](auto value) { return value == 0; })) return;
  problem.words.output_padding = with_commas(left);
  problem.draft.note(
      fmt::format("output padding {} follows from the stated lengths", with_commas(left)));
}

/// Puts the paddings of a gradient that is lowered to a convolution: what they leave of the kernel.
void put_lowered(const PaddingProblem& problem, const PaddingEnds& both) {
  const auto axes = axes_of(problem, true);
  if (!axes || both.begins.size() != axes->kernel.size()) {
    problem.draft.lack("padding");
    return;
  }
  Integers padding, beyond;
  for (std::size_t axis = 0; axis < both.begins.size(); ++axis) {
    padding.push_back(axes->extent(axis) - 1 - both.begins[axis]);
    beyond.push_back(both.ends[axis] - both.begins[axis]);
    if (padding[axis] < 0 || beyond[axis] < 0 || beyond[axis] >= axes->stride[axis])
      problem.draft.lack("a padding that a transposed convolution has");
  }
  problem.words.padding = with_commas(padding);
  if (std::ranges::any_of(beyond, [](auto one) { return one != 0; }))
    problem.words.output_padding = with_commas(beyond);
}

void put_stated(const PaddingProblem& problem, const Value& padding) {
  auto values = padding.integers();
  auto ends = problem.draft.fields.value("ends").integers();
  if (!ends) ends = problem.draft.fields.by_axis("ends");
  if (values && ends && *ends != *values && ends->size() == values->size())
    return put(problem, {.begins = *values, .ends = *ends});
  if (!values) {
    if (const auto both = ends_of_pairs(padding, problem.layout, problem.axes))
      return problem.draft.is_lowered ? put_lowered(problem, *both) : put(problem, *both);
    if (!padding.is(Sort::Nothing))
      problem.draft.lack(
          fmt::format("padding ({})", padding.word.empty() ? "no number" : padding.word));
    return;
  }
  const bool cuts = problem.draft.fields.cuts || problem.draft.is_true("cut");
  if (problem.axes > 0 && values->size() > problem.axes && cuts) {
    problem.draft.note(fmt::format(
        "padding: only the first {} of {} values are taken; the rest is an artefact of the message",
        problem.axes, values->size()));
    values->resize(problem.axes);
  }
  // The API itself has four values in 2D: both ends of each axis in turn.
  // TensorFlow's explicit list has both ends of every axis, batch and channels too.
  if (problem.axes > 0 && values->size() == 2 * (problem.axes + 2)) {
    Value pairs{.kind = Sort::List};
    for (std::size_t i = 0; i < values->size(); i += 2)
      pairs.items.push_back(Value::of(Integers{(*values)[i], (*values)[i + 1]}));
    if (const auto ends = ends_of_pairs(pairs, problem.layout, problem.axes))
      return put(problem, *ends);
  }
  const bool both = problem.axes > 0 && values->size() == 2 * problem.axes;
  if (both && !problem.draft.is_true("raw")) return put(problem, halves(*values, problem.draft));
  if (problem.axes > 0 && values->size() > problem.axes && !problem.draft.is_true("raw"))
    return problem.draft.lack(fmt::format("padding ({} values)", values->size()));
  if (problem.draft.is_true("reversed") && problem.draft.fields.find("padding") != nullptr)
    std::ranges::reverse(*values);
  problem.words.padding = with_commas(*values);
}

}  // namespace

void add_paddings(Draft& draft, const std::string& layout, bool transposed) {
  const PaddingProblem problem{.draft = draft, .layout = layout, .transposed = transposed};
  const Value padding = stated_padding(draft);
  const Field* stated = draft.fields.find("pad_mode");
  std::string mode = in_small_letters(stated != nullptr ? std::string_view(stated->value.word)
                                                        : draft.means("pad_mode"));
  if (mode.starts_with("tf_")) mode.erase(0, 3);
  const std::string word = in_small_letters(padding.is(Sort::Word) ? padding.word : "");
  if (word.starts_with("same") || word == "valid" || word == "half" || word == "full" ||
      word == "causal")
    mode = word;
  if (mode.starts_with("same")) {
    put_same(problem, mode == "same_lower");
  } else if (mode == "half" || mode == "full" || mode == "causal") {
    put_share_of_kernel(problem, mode);
  } else if (mode == "valid") {
    problem.words.padding = with_commas(Integers(problem.axes > 0 ? problem.axes : 1, 0));
  } else if (!padding.is(Sort::Unknown)) {
    put_stated(problem, padding);
  }
  if (draft.is_true("ends")) put_following_ends(problem);
  put_output_padding(problem);
}

}  // namespace gradproof::advice
