#include "properties/advice/logs/draft.h"

#include <algorithm>

#include "properties/advice/logs/layout.h"

namespace gradproof::advice {

std::optional<PaddingEnds> ends_of_pairs(const Value& padding, const std::string& layout,
                                         std::size_t axes) {
  std::vector<Value> items = padding.items;
  if (axes > 0 && items.size() == axes + 2) {
    Integers places;
    for (std::size_t i = 0; i < items.size(); ++i) places.push_back(static_cast<std::int64_t>(i));
    std::vector<Value> spatial;
    for (const std::int64_t at : spatial_alone(places, layout, axes))
      spatial.push_back(items[static_cast<std::size_t>(at)]);
    items = std::move(spatial);
  }
  PaddingEnds both;
  for (const Value& item : items) {
    const auto pair = item.integers();
    if (!item.is(Value::Kind::List) || !pair || pair->size() != 2) return std::nullopt;
    both.begins.push_back((*pair)[0]);
    both.ends.push_back((*pair)[1]);
  }
  return both.begins.empty() ? std::nullopt : std::optional(both);
}

PaddingEnds halves(const Integers& values, const Draft& draft) {
  const bool from_last = draft.means("pairs") == "last" || draft.is_true("reversed");
  const bool pairs = draft.is_true("pairs") || from_last;
  PaddingEnds both;
  const std::size_t axes = values.size() / 2;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    both.begins.push_back(values[pairs ? 2 * axis : axis]);
    both.ends.push_back(values[pairs ? 2 * axis + 1 : axis + axes]);
  }
  if (from_last) {
    std::ranges::reverse(both.begins);
    std::ranges::reverse(both.ends);
  }
  return both;
}

Value stated_padding(Draft& draft) {
  if (draft.fields.find("attributes") != nullptr && draft.call.words.padding) return {};
  // TOSA adds to the result what a padding takes away; more at the ends is output padding.
  if (const auto added = draft.fields.value("cropping").integers();
      added && draft.is_of(Form::Call)) {
    Integers begins;
    for (std::size_t i = 0; i < added->size(); i += 2) begins.push_back(-(*added)[i]);
    if (std::ranges::any_of(begins, [](auto one) { return one < 0; }))
      draft.lack("a padding that is no longer result");
    return Value::of(begins);
  }
  if (const Field* field = draft.fields.find("explicit"); field && !field->value.items.empty())
    return field->value;
  // ncnn's numbers for "same".
  const auto by_number = [](const Value& value) {
    const auto all = value.integers();
    const std::int64_t first = all && !all->empty() ? (*all)[0] : 0;
    return first == -233   ? Value::named("same")
           : first == -234 ? Value::named("same_lower")
                           : value;
  };
  const Field* field = draft.fields.find("padding");
  if (field != nullptr && !(field->value.is(Value::Kind::Nothing) && draft.is_true("padding"))) {
    return field->value.is(Value::Kind::Unknown)
               ? Value::named(std::string(field->text.substr(0, 60)))
               : by_number(field->value);
  }
  if (const auto values = draft.fields.by_axis("padding")) return by_number(Value::of(*values));
  return draft.is_true("padding") ? Value::named(draft.means("padding")) : Value{};
}

}  // namespace gradproof::advice
