#include "properties/findings/picture/picture_json.h"

#include <algorithm>

#include "corpus/json/plain_members.h"

namespace gradproof::findings {
namespace {

using Json = nlohmann::ordered_json;
using corpus::PlainMembers;

/// True if the tensor has as many elements as its box has, and as many axes everywhere.
bool is_whole(const DrawnTensor& tensor) {
  const std::size_t rank = tensor.axes.size();
  if (rank == 0 || tensor.shape.size() != rank || tensor.from.size() != rank ||
      tensor.size.size() != rank) {
    return false;
  }
  std::uint64_t elements = 1;
  for (const std::int64_t length : tensor.size) {
    if (length < 1 || elements > tensor.values.size()) return false;
    elements *= static_cast<std::uint64_t>(length);
  }
  return elements == tensor.values.size();
}

bool is_whole(const WrongMap& map) {
  const std::size_t rank = map.axes.size();
  if (map.shape.size() != rank || map.per_axis.size() != rank || map.row_axis >= rank ||
      map.column_axis >= rank) {
    return false;
  }
  const bool is_line = map.row_axis == map.column_axis;
  const std::size_t rows = is_line ? 1 : map.per_axis[map.row_axis].size();
  return map.counts.size() == rows * map.per_axis[map.column_axis].size();
}

bool is_whole(const Picture& picture) {
  const std::size_t cells = picture.computed.values.size();
  return is_whole(picture.computed) && picture.exact.size() == cells &&
         picture.bound.size() == cells && picture.expected.size() == cells &&
         picture.states.size() == cells && picture.element.size() == picture.computed.axes.size() &&
         std::ranges::all_of(picture.operands,
                             [](const DrawnTensor& operand) { return is_whole(operand); }) &&
         (!picture.map || is_whole(*picture.map));
}

}  // namespace

void members(PlainMembers& json, DrawnTensor& tensor) {
  json("name", tensor.name);
  json("axes", tensor.axes);
  json("shape", tensor.shape);
  json("from", tensor.from);
  json("size", tensor.size);
  json("values", tensor.values);
}

void members(PlainMembers& json, DrawnProduct& product) {
  json("grad_output", product.grad_output);
  json("other", product.other);
  json("value", product.value);
}

void members(PlainMembers& json, WrongMap& map) {
  json("axes", map.axes);
  json("shape", map.shape);
  json("wrong", map.wrong);
  json("not_compared", map.not_compared);
  json("row_axis", map.row_axis);
  json("column_axis", map.column_axis);
  json("counts", map.counts);
  json("per_axis", map.per_axis);
}

void members(PlainMembers& json, Picture& picture) {
  json("output", picture.output);
  json("compute_format", picture.compute_format);
  json("operands", picture.operands);
  json("computed", picture.computed);
  json("exact", picture.exact);
  json("expected", picture.expected);
  json("bound", picture.bound);
  json("states", picture.states);
  json("element", picture.element);
  json("products", picture.products);
  json("product_count", picture.product_count);
  json("map", picture.map);
  json("why_no_map", picture.why_no_map);
}

Json picture_json(const Picture& picture) { return corpus::plain_json(picture); }

std::optional<Picture> picture_from_json(const Json& json) {
  try {
    auto picture = corpus::of_plain_json<Picture>(json);
    if (is_whole(picture)) return picture;
  } catch (const Json::exception&) {
    return std::nullopt;  // a file that someone else has written
  }
  return std::nullopt;
}

}  // namespace gradproof::findings
