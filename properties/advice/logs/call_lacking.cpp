// What a verdict needs and a text does not state, and what was left at its default.

#include "properties/advice/logs/draft.h"

namespace gradproof::advice {
namespace {

/// The option of a row of words that is not there, by its own names.
void lack_option(Draft& draft, std::string_view role) {
  if (!draft.is_of(Form::Words) || draft.fields.find("attributes") != nullptr) return;
  for (const char axis : std::string_view(draft.axes == 3 ? "dhw" : draft.axes == 2 ? "hw" : "w")) {
    const std::string name = std::string(role) + "." + axis;
    if (draft.fields.find(name) != nullptr || integer_of(draft.means(role))) continue;
    std::string options;
    for (const std::string_view part : parts_between(draft.fields.row->keys, " ")) {
      if (part.ends_with(":" + name))
        options += (options.empty() ? "" : " or ") +
                   std::string(part.substr(0, part.size() - name.size() - 1));
    }
    if (!options.empty() && !draft.fields.by_axis(role)) draft.lack(options);
  }
}

bool has_too_large(const std::optional<std::string>& word) {
  const auto values = integers_of_line(word.value_or(""));
  return values &&
         std::ranges::any_of(*values, [](auto value) { return value >= Draft::too_large; });
}

}  // namespace

void add_lacking(Draft& draft) {
  const CallTexts& words = draft.call.words;
  if (!words.input)
    draft.lack(std::string(draft.is_true("module") ? lacking_input : "input's shape"));
  if (!words.weight) draft.lack("weight's shape");
  for (const std::string_view role : parts_between(draft.means("must"), ",")) {
    if (role == "stride" && !words.stride) draft.lack("stride");
    if (role == "padding" && !words.padding) draft.lack("padding");
    if (role == "dilation" && !words.dilation) draft.lack("dilation");
    if (role == "dilation?" && !words.dilation) {
      // In prose 1 is left out often, where the rest is said.
      draft.call.is_complete() ? draft.note("dilation is not stated: 1") : draft.lack("dilation");
    }
    if (role == "attributes" && !words.stride) draft.lack("paddings, strides and dilations");
    lack_option(draft, role);
  }
  for (const auto* word : {&words.input, &words.weight, &words.grad_output, &words.stride,
                           &words.padding, &words.dilation}) {
    if (draft.is_of(Form::Words) && has_too_large(*word)) draft.lack("sizes below 2^31");
  }
  if (!words.dtype) draft.note("dtype is not stated: FLOAT");
  if (!words.grad_output && draft.call.is_complete())
    draft.note("gradOutput's shape follows from the rest");
  if (draft.is_true("square")) draft.note("a width that is left out equals the height");
}

}  // namespace gradproof::advice
