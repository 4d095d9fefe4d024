#include "properties/advice/logs/call_lacking.h"

#include <algorithm>

namespace gradproof::advice {
namespace {

class Lacking {
 public:
  Lacking(const Fields& fields, std::size_t axes, FoundCall& call)
      : fields_(fields), row_(*fields.row), axes_(axes), call_(call) {}

  void add() {
    demand();
    note_defaults();
  }

 private:
  static constexpr std::int64_t too_large = std::int64_t{1} << 31U;

  std::string_view means(std::string_view key) const { return meaning_of(row_, key); }
  void lack(std::string what) {
    if (std::ranges::find(call_.lacking, what) == call_.lacking.end())
      call_.lacking.push_back(std::move(what));
  }
  void note(std::string_view what) { call_.notes.emplace_back(what); }

  void demand() {
    const CallWords& words = call_.words;
    const bool is_layer = !means("module").empty();
    if (!words.input) lack(is_layer ? std::string(lacking_input) : "input's shape");
    if (!words.weight) lack("weight's shape");
    for (const std::string_view role : parts_between(means("must"), ",")) {
      if (role == "stride" && !words.stride) lack("stride");
      if (role == "padding" && !words.padding) lack("padding");
      if (role == "dilation" && !words.dilation) lack("dilation");
      if (role == "attributes" && !words.stride) lack("paddings, strides and dilations");
      lack_option(role);
    }
    for (const auto* word : {&words.input, &words.weight, &words.grad_output, &words.stride,
                             &words.padding, &words.dilation}) {
      const auto values = integers_of_line(word->value_or(""));
      if (row_.form == Form::Words && values &&
          std::ranges::any_of(*values, [](auto value) { return value >= too_large; }))
        lack("sizes below 2^31");
    }
  }

  /// The option of a row of words that is not there, by its own names.
  void lack_option(std::string_view role) {
    if (row_.form != Form::Words) return;
    for (const char axis : std::string_view(axes_ == 3 ? "dhw" : axes_ == 2 ? "hw" : "w")) {
      const std::string name = std::string(role) + "." + axis;
      if (fields_.find(name) != nullptr || integer_of(means(role)) ||
          fields_.find("attributes") != nullptr)
        continue;
      std::string options;
      for (const std::string_view part : parts_between(row_.keys, " ")) {
        if (part.ends_with(":" + name))
          options += (options.empty() ? "" : " or ") +
                     std::string(part.substr(0, part.size() - name.size() - 1));
      }
      if (!options.empty() && !fields_.by_axis(role)) lack(options);
    }
  }

  void note_defaults() {
    const CallWords& words = call_.words;
    if (!words.dtype) note("dtype is not stated: FLOAT");
    if (!words.grad_output && call_.is_complete()) note("gradOutput's shape follows from the rest");
    if (!means("square").empty()) note("a width that is left out equals the height");
  }

  const Fields& fields_;
  const CallRow& row_;
  std::size_t axes_;
  FoundCall& call_;
};

}  // namespace

void add_lacking(const Fields& fields, std::size_t axes, FoundCall& call) {
  Lacking(fields, axes, call).add();
}

}  // namespace gradproof::advice
