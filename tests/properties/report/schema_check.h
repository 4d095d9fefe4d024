#pragma once

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace gradproof::findings {

/// As much of JSON Schema as docs/report.schema.json uses; empty: valid.
class SchemaCheck {
 public:
  explicit SchemaCheck(nlohmann::json schema) : root_(std::move(schema)) {}
  std::string operator()(const nlohmann::json& value) const { return check(root_, value, "$"); }

 private:
  static bool has_type(const nlohmann::json& type, const nlohmann::json& value) {
    if (type.is_array()) {
      return std::ranges::any_of(type,
                                 [&](const nlohmann::json& one) { return has_type(one, value); });
    }
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    return type == value.type_name();
  }
  std::string check(const nlohmann::json& schema, const nlohmann::json& value,
                    const std::string& at) const {
    if (schema.contains("$ref")) {
      const std::string name = schema["$ref"];
      return check(root_.at(nlohmann::json::json_pointer(name.substr(1))), value, at);
    }
    if (schema.contains("type") && !has_type(schema["type"], value)) return at + ": type";
    if (schema.contains("const") && schema["const"] != value) return at + ": const";
    if (schema.contains("minimum") && value < schema["minimum"]) return at + ": minimum";
    if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
      return at + ": enum";
    std::string problem;
    if (schema.contains("items")) {
      for (const nlohmann::json& item : value) {
        if (problem.empty()) problem = check(schema["items"], item, at + "[]");
      }
    }
    if (!value.is_object()) return problem;
    for (const nlohmann::json& key : schema.value("required", nlohmann::json::array())) {
      if (!value.contains(key.get<std::string>())) return at + ": lacks " + key.dump();
    }
    return problem.empty() ? members(schema, value, at) : problem;
  }
  std::string members(const nlohmann::json& schema, const nlohmann::json& value,
                      const std::string& at) const {
    const nlohmann::json known = schema.value("properties", nlohmann::json::object());
    const nlohmann::json other = schema.value("additionalProperties", nlohmann::json(true));
    for (const auto& [key, member] : value.items()) {
      const nlohmann::json& rule = known.contains(key) ? known[key] : other;
      if (rule == false) return fmt::format("{}: does not know {}", at, key);
      std::string problem =
          rule.is_object() ? check(rule, member, fmt::format("{}.{}", at, key)) : std::string();
      if (!problem.empty()) return problem;
    }
    return {};
  }
  nlohmann::json root_;
};

}  // namespace gradproof::findings
