#include "properties/findings/picture/picture_json.h"

#include <algorithm>

namespace gradproof::findings {
namespace {

using Json = nlohmann::ordered_json;

Json tensor_json(const DrawnTensor& tensor) {
  return {{"name", tensor.name}, {"axes", tensor.axes}, {"shape", tensor.shape},
          {"from", tensor.from}, {"size", tensor.size}, {"values", tensor.values}};
}

DrawnTensor tensor_of(const Json& json) {
  DrawnTensor tensor;
  json.at("name").get_to(tensor.name);
  json.at("axes").get_to(tensor.axes);
  json.at("shape").get_to(tensor.shape);
  json.at("from").get_to(tensor.from);
  json.at("size").get_to(tensor.size);
  json.at("values").get_to(tensor.values);
  return tensor;
}

Json map_json(const WrongMap& map) {
  return {{"axes", map.axes},         {"shape", map.shape},
          {"wrong", map.wrong},       {"not_compared", map.not_compared},
          {"row_axis", map.row_axis}, {"column_axis", map.column_axis},
          {"counts", map.counts},     {"per_axis", map.per_axis}};
}

WrongMap map_of(const Json& json) {
  WrongMap map;
  json.at("axes").get_to(map.axes);
  json.at("shape").get_to(map.shape);
  json.at("wrong").get_to(map.wrong);
  json.at("not_compared").get_to(map.not_compared);
  json.at("row_axis").get_to(map.row_axis);
  json.at("column_axis").get_to(map.column_axis);
  json.at("counts").get_to(map.counts);
  json.at("per_axis").get_to(map.per_axis);
  return map;
}

Picture parsed(const Json& json) {
  Picture picture;
  json.at("output").get_to(picture.output);
  json.at("compute_format").get_to(picture.compute_format);
  for (const Json& operand : json.at("operands")) picture.operands.push_back(tensor_of(operand));
  picture.computed = tensor_of(json.at("computed"));
  json.at("exact").get_to(picture.exact);
  json.at("bound").get_to(picture.bound);
  json.at("expected").get_to(picture.expected);
  json.at("states").get_to(picture.states);
  json.at("element").get_to(picture.element);
  for (const Json& product : json.at("products")) {
    picture.products.push_back({product.at("grad_output").get<std::vector<std::int64_t>>(),
                                product.at("other").get<std::vector<std::int64_t>>(),
                                product.at("value").get<std::string>()});
  }
  json.at("product_count").get_to(picture.product_count);
  if (!json.at("map").is_null()) picture.map = map_of(json.at("map"));
  json.at("why_no_map").get_to(picture.why_no_map);
  return picture;
}

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

Json picture_json(const Picture& picture) {
  Json json{{"output", picture.output}, {"compute_format", picture.compute_format}};
  json["operands"] = Json::array();
  for (const DrawnTensor& operand : picture.operands) {
    json["operands"].push_back(tensor_json(operand));
  }
  json["computed"] = tensor_json(picture.computed);
  json["exact"] = picture.exact;
  json["expected"] = picture.expected;
  json["bound"] = picture.bound;
  json["states"] = picture.states;
  json["element"] = picture.element;
  json["products"] = Json::array();
  for (const DrawnProduct& product : picture.products) {
    json["products"].push_back(
        {{"grad_output", product.grad_output}, {"other", product.other}, {"value", product.value}});
  }
  json["product_count"] = picture.product_count;
  json["map"] = picture.map ? map_json(*picture.map) : Json(nullptr);
  json["why_no_map"] = picture.why_no_map;
  return json;
}

std::optional<Picture> picture_from_json(const Json& json) {
  try {
    Picture picture = parsed(json);
    if (is_whole(picture)) return picture;
  } catch (const Json::exception&) {
    return std::nullopt;  // a file that someone else has written
  }
  return std::nullopt;
}

}  // namespace gradproof::findings
