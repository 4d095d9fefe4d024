// Data about operators by name: attributes, options of a compiler that is not there, and dumps,
// of which there are none.

#include "acl/acl_dump.h"
#include "acl/acl_op_compiler.h"
#include "kernel/api/runtime/operator_data.h"

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::refuse_value;

using AttributeValue =
    std::variant<std::uint8_t, std::int64_t, float, std::string, aclDataType,
                 std::vector<std::uint8_t>, std::vector<std::int64_t>, std::vector<float>,
                 std::vector<aclDataType>, std::vector<std::string>,
                 std::vector<std::vector<std::int64_t>>>;
using Attributes = std::map<std::string, AttributeValue>;

api::DataRegistry<Attributes>& operator_attributes() {
  static auto& registry =
      *new api::DataRegistry<Attributes>(device::HandleKind::OperatorAttributes);
  return registry;
}

aclError set_attribute_value(const char* function, const aclopAttr* attributes, const char* name,
                             AttributeValue value) {
  return api::on_data(function, operator_attributes(), attributes, [&](Attributes& all) {
    if (const aclError code = api::require_non_null(function, {{"attrName", name}})) return code;
    all.insert_or_assign(name, std::move(value));
    return aclError{0};
  });
}

/// Returns 0, or 100000 for a negative count, or none of the values it counts.
aclError check_list(const char* function, int count, const void* values) {
  if (count >= 0 && (count == 0 || values != nullptr)) return 0;
  return entry([&] {
    return refuse_value(ACL_ERROR_INVALID_PARAM, function, "the number of values", count,
                        "0 on, with as many values");
  });
}

template <class Value>
aclError set_attribute_list(const char* function, const aclopAttr* attributes, const char* name,
                            int count, const Value* values) {
  if (const aclError code = check_list(function, count, values)) return code;
  return entry([&] {
    return set_attribute_value(function, attributes, name,
                               std::vector<Value>(values, values + count));
  });
}

/// Options of the compiler as the program gave them.
struct CompileOptions {
  std::array<std::optional<std::string>, ACL_OP_DEBUG_OPTION + 1> values;
  aclOpCompileFlag flag = ACL_OP_COMPILE_DEFAULT;
};

device::Guarded<CompileOptions>& compile_options() {
  static auto& options = *new device::Guarded<CompileOptions>;
  return options;
}

bool is_compile_option(aclCompileOpt option) {
  return option >= ACL_PRECISION_MODE && option <= ACL_OP_DEBUG_OPTION;
}

aclError refuse_option(const char* function, aclCompileOpt option) {
  return refuse_value(ACL_ERROR_INVALID_PARAM, function, "opt", static_cast<int>(option),
                      "0 to 16");
}

}  // namespace

extern "C" {

aclError aclopSetModelDir(const char* modelDir) {
  return entry("aclopSetModelDir", {{"modelDir", modelDir}}, [] { return aclError{0}; });
}

aclError aclopRegisterCompileFunc(const char* opType, aclopCompileFunc func) {
  return entry("aclopRegisterCompileFunc",
               {{"opType", opType}, {"func", reinterpret_cast<const void*>(func)}},
               [] { return aclError{0}; });
}

aclError aclopUnregisterCompileFunc(const char* opType) {
  return entry("aclopUnregisterCompileFunc", {{"opType", opType}}, [] { return aclError{0}; });
}

aclopAttr* aclopCreateAttr() {
  return static_cast<aclopAttr*>(
      api::create_data<void*, Attributes>(operator_attributes(), Attributes{}));
}

void aclopDestroyAttr(const aclopAttr* attr) {
  entry([&] { operator_attributes().remove(attr); });
}

aclError aclopSetAttrString(aclopAttr* attr, const char* attrName, const char* attrValue) {
  const char* const function = "aclopSetAttrString";
  return entry([&] {
    const aclError code = api::require_non_null(function, {{"attrValue", attrValue}});
    return code != 0 ? code : set_attribute_value(function, attr, attrName, std::string(attrValue));
  });
}

aclError aclopSetAttrListString(aclopAttr* attr, const char* attrName, int numValues,
                                const char** values) {
  const char* const function = "aclopSetAttrListString";
  if (const aclError code = check_list(function, numValues, values)) return code;
  return entry([&]() -> aclError {
    std::vector<std::string> all;
    for (int at = 0; at < numValues; ++at) {
      if (const aclError code = api::require_non_null(function, {{"values[]", values[at]}}))
        return code;
      all.emplace_back(values[at]);
    }
    return set_attribute_value(function, attr, attrName, std::move(all));
  });
}

aclError aclopSetAttrListListInt(aclopAttr* attr, const char* attrName, int numLists,
                                 const int* numValues, const int64_t* const values[]) {
  const char* const function = "aclopSetAttrListListInt";
  if (const aclError code = check_list(function, numLists, values)) return code;
  if (const aclError code = check_list(function, numLists, numValues)) return code;
  return entry([&]() -> aclError {
    std::vector<std::vector<std::int64_t>> all;
    for (int at = 0; at < numLists; ++at) {
      if (const aclError code = check_list(function, numValues[at], values[at])) return code;
      all.emplace_back(values[at], values[at] + numValues[at]);
    }
    return set_attribute_value(function, attr, attrName, std::move(all));
  });
}

aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName, uint8_t attrValue) {
  return set_attribute_value("aclopSetAttrBool", attr, attrName, attrValue);
}

aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName, int64_t attrValue) {
  return set_attribute_value("aclopSetAttrInt", attr, attrName, attrValue);
}

aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName, float attrValue) {
  return set_attribute_value("aclopSetAttrFloat", attr, attrName, attrValue);
}

aclError aclopSetAttrDataType(aclopAttr* attr, const char* attrName, aclDataType attrValue) {
  return set_attribute_value("aclopSetAttrDataType", attr, attrName, attrValue);
}

aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName, int numValues,
                              const uint8_t* values) {
  return set_attribute_list("aclopSetAttrListBool", attr, attrName, numValues, values);
}

aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName, int numValues,
                             const int64_t* values) {
  return set_attribute_list("aclopSetAttrListInt", attr, attrName, numValues, values);
}

aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName, int numValues,
                               const float* values) {
  return set_attribute_list("aclopSetAttrListFloat", attr, attrName, numValues, values);
}

aclError aclopSetAttrListDataType(aclopAttr* attr, const char* attrName, int numValues,
                                  const aclDataType values[]) {
  return set_attribute_list("aclopSetAttrListDataType", attr, attrName, numValues, values);
}

aclError aclSetCompileopt(aclCompileOpt opt, const char* value) {
  const char* const function = "aclSetCompileopt";
  return entry(function, {{"value", value}}, [&]() -> aclError {
    if (!is_compile_option(opt)) return refuse_option(function, opt);
    compile_options().change([&](CompileOptions& all) { all.values.at(opt) = value; });
    return 0;
  });
}

size_t aclGetCompileoptSize(aclCompileOpt opt) {
  std::size_t size = 0;
  entry([&] {
    if (!is_compile_option(opt)) return refuse_option("aclGetCompileoptSize", opt);
    const auto value = compile_options().get().values.at(opt);
    size = value.has_value() ? value->size() + 1 : 0;
    return aclError{0};
  });
  return size;
}

aclError aclGetCompileopt(aclCompileOpt opt, char* value, size_t length) {
  const char* const function = "aclGetCompileopt";
  return entry(function, {{"value", value}}, [&]() -> aclError {
    if (!is_compile_option(opt)) return refuse_option(function, opt);
    const auto stored = compile_options().get().values.at(opt);
    if (!stored.has_value() || length <= stored->size()) {
      return refuse_value(ACL_ERROR_FAILURE, function, "length", length,
                          stored.has_value() ? fmt::format("at least {}", stored->size() + 1)
                                             : "none: the option was not set");
    }
    std::memcpy(value, stored->c_str(), stored->size() + 1);
    return 0;
  });
}

aclError aclopSetCompileFlag(aclOpCompileFlag flag) {
  return entry([&]() -> aclError {
    if (flag != ACL_OP_COMPILE_DEFAULT && flag != ACL_OP_COMPILE_FUZZ)
      return refuse_value(ACL_ERROR_INVALID_PARAM, "aclopSetCompileFlag", "flag",
                          static_cast<int>(flag), "0, 1");
    compile_options().change([&](CompileOptions& all) { all.flag = flag; });
    return 0;
  });
}

void aclopDestroyHandle(aclopHandle*) {
  entry([] { return api::refuse_unsupported("aclopDestroyHandle"); });
}

aclError acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk*, int32_t),
                            int32_t) {
  return entry("acldumpRegCallback",
               {{"messageCallback", reinterpret_cast<const void*>(messageCallback)}},
               [] { return aclError{0}; });
}

void acldumpUnregCallback() {}

}  // extern "C"
