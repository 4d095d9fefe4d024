// Fields of a call, looked up by the role of what they speak of.

#include <algorithm>

#include "properties/advice/logs/fields.h"
#include "properties/advice/logs/layout.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {

std::optional<Integers> Fields::by_axis(std::string_view role) const {
  if (auto list = value(role).integers(); list && list->size() > 1) return list;
  Integers values;
  const auto stated = number("axes");
  const bool has_h = find("size.h") != nullptr || find(std::string(role) + ".h") != nullptr;
  const std::string_view present = find("size.d") != nullptr || stated == 3 ? "dhw"
                                   : has_h || stated == 2                   ? "hw"
                                                                            : "w";
  bool any = false;
  for (const char axis : present) {
    const Value here = value(std::string(role) + "." + axis);
    any = any || here.is(Value::Kind::Integer);
    if (here.is(Value::Kind::Integer)) {
      values.push_back(here.integer);
    } else if (!meaning_of(*row, "square").empty() && !values.empty()) {
      values.push_back(values.back());
    } else if (const Value w = value(std::string(role) + ".w");
               meaning_of(*row, "square") == "w" && w.is(Value::Kind::Integer)) {
      values.push_back(w.integer);
    } else if (const auto otherwise = integer_of(meaning_of(*row, role))) {
      values.push_back(*otherwise);
    } else {
      return std::nullopt;
    }
  }
  return any || integer_of(meaning_of(*row, role)) ? std::optional(values) : std::nullopt;
}

std::optional<std::int64_t> Fields::number(std::string_view role) const {
  const Field* field = find(role);
  const auto both = value("channels").integers();  // "[4, 6]"
  if (field == nullptr && both && both->size() == 2 && (role == "in" || role == "out"))
    return (*both)[role == "in" ? 0 : 1];
  if (field == nullptr) return integer_of(meaning_of(*row, role));
  const auto values = field->value.integers();
  return values && values->size() == 1 ? std::optional((*values)[0]) : std::nullopt;
}

std::string Fields::layout(std::string_view role, std::string_view meant) const {
  const Field* labels = find("dim_labels");
  const std::size_t place = role == "layout" ? 0 : role == "weight_layout" ? 1 : 2;
  if (labels != nullptr) {
    if (const auto found = dim_labels(labels->text)) {
      return place == 0 ? found->input : place == 1 ? found->weight : found->output;
    }
    const auto& items = labels->value.items;
    if (items.size() == 3 && items[place].is(Value::Kind::Word)) return items[place].word;
    return labels->value.is(Value::Kind::Nothing) ? std::string(place == 1 ? "OIS" : "NCS") : "?";
  }
  const Value stated = value(role);
  const std::string word = in_small_letters(stated.word);
  if (word == "channels_last") return role == "layout" ? "NSC" : "SIO";
  if (word == "channels_first") return role == "layout" ? "NCS" : std::string(meant);
  if (stated.is(Value::Kind::Word)) return stated.word;
  const bool is_left_out = find(role) == nullptr || stated.is(Value::Kind::Nothing);
  return is_left_out ? std::string(meant) : "?";  // a name that the text does not bind
}

std::optional<std::int64_t> counted_channels(const Fields& fields, std::optional<std::int64_t> out,
                                             const std::optional<Integers>& kernel,
                                             std::int64_t groups) {
  const std::int64_t count = fields.number("count").value_or(0);
  std::int64_t each = out.value_or(0);
  for (const std::int64_t length : kernel.value_or(Integers{0})) {
    if (__builtin_mul_overflow(each, length, &each)) return std::nullopt;
  }
  const bool is_whole = each > 0 && count > 0 && count % each == 0;
  constexpr std::int64_t too_large = std::int64_t{1} << 31U;
  const bool is_small = groups < too_large && count < too_large;
  return is_whole && is_small ? std::optional(count / each * groups) : std::nullopt;
}

std::optional<Integers> from_sizes(const Fields& fields, std::string_view channels,
                                   const Integers& lengths) {
  const auto batch = fields.number("batch"), planes = fields.number(channels);
  if (!batch || !planes) return std::nullopt;
  Integers shape{*batch, *planes};
  shape.insert(shape.end(), lengths.begin(), lengths.end());
  return shape;
}

std::optional<std::int64_t> channels_of_groups(const Fields& fields, std::string_view role,
                                               std::int64_t groups) {
  constexpr std::int64_t too_large = std::int64_t{1} << 31U;
  const auto each = fields.number(role);
  return each && *each < too_large && groups < too_large ? std::optional(*each * groups)
                                                         : std::nullopt;
}

bool add_batch(const Fields& fields, std::optional<Integers>& lengths) {
  const auto axes =
      fields.axes > 0 ? static_cast<std::int64_t>(fields.axes) : fields.number("axes").value_or(0);
  const bool is_single =
      lengths && axes > 0 && std::ssize(*lengths) == axes + 1 &&
      is_one_of("|module|PyTorch, functional|Equinox|Equinox, transposed|Keras|Keras, transposed|",
                fields.row->notation);
  if (is_single) lengths->insert(lengths->begin(), 1);
  return is_single;
}

std::string_view role_of(const CallRow& row, std::string_view key) {
  std::string_view role;
  const bool is_own = any_part(row.keys, ' ', [&](std::string_view part) {
    const bool is_it = part.starts_with(key) && part.rfind(':') == key.size();
    if (is_it) role = part.substr(key.size() + 1);
    return is_it;
  });
  if (is_own) return role;
  // Torch-MLIR writes torch.onnx.strides.
  return row.form == Form::Call || row.form == Form::Block
             ? role_of_key(key.substr(key.rfind('.') + 1))
             : std::string_view{};
}

std::string_view weight_of_channels_last(const Fields& fields) {
  const auto input = fields.value("input").lengths(), weight = fields.value("weight").lengths();
  const bool may_be = input && weight && input->size() == weight->size() && input->size() > 2;
  if (!may_be || fields.find("groups") != nullptr || (*input)[1] == (*weight)[1] ||
      input->back() == (*weight)[1])
    return {};
  const bool is_last = input->back() == weight->back();
  const bool is_before = input->back() == (*weight)[weight->size() - 2];
  return is_last == is_before ? "" : is_last ? "OSI" : "SIO";
}

}  // namespace gradproof::advice
