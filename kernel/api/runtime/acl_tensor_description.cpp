// Descriptions of tensors: plain data.

#include "acl/acl_base.h"
#include "kernel/api/runtime/operator_data.h"

#include <limits>
#include <string>
#include <vector>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::read_data;
using api::refuse_value;

using Dimensions = std::vector<std::int64_t>;

struct TensorDescription {
  aclDataType type = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED, origin_format = ACL_FORMAT_UNDEFINED,
            storage_format = ACL_FORMAT_UNDEFINED;
  Dimensions shape, origin_shape, storage_shape;
  std::vector<std::pair<std::int64_t, std::int64_t>> shape_range, value_range;
  aclMemType placement = ACL_MEMTYPE_DEVICE;
  std::string name, dynamic_input;
  std::vector<std::byte> constant;
};

api::DataRegistry<TensorDescription>& tensor_descriptions() {
  static auto& registry =
      *new api::DataRegistry<TensorDescription>(device::HandleKind::TensorDescription);
  return registry;
}

aclError check_dimensions(const char* function, int count, const std::int64_t* dimensions) {
  if (count >= 0 && (count == 0 || dimensions != nullptr)) return 0;
  return refuse_value(ACL_ERROR_INVALID_PARAM, function, "numDims", count,
                      "0 on, with as many dims");
}

/// Number of elements; 0 where a length is unknown (negative) or the product has no room.
std::size_t elements_of(const Dimensions& shape) {
  std::size_t elements = 1;
  for (const std::int64_t length : shape) {
    if (length < 0) return 0;
    const auto factor = static_cast<std::size_t>(length);
    if (factor != 0 && elements > std::numeric_limits<std::size_t>::max() / factor) return 0;
    elements *= factor;
  }
  return elements;
}

aclError set_shape(const char* function, const aclTensorDesc* description,
                   Dimensions TensorDescription::*member, int count,
                   const std::int64_t* dimensions) {
  return api::on_data(function, tensor_descriptions(), description, [&](TensorDescription& all) {
    const aclError code = check_dimensions(function, count, dimensions);
    if (code == 0) (all.*member).assign(dimensions, dimensions + count);
    return code;
  });
}

template <class Value>
aclError set_member(const char* function, const aclTensorDesc* description,
                    Value TensorDescription::*member, Value value) {
  return api::on_data(function, tensor_descriptions(), description,
                      [&](TensorDescription& all) { all.*member = value; });
}

}  // namespace

extern "C" {

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                   aclFormat format) {
  bool is_right = false;
  TensorDescription created;
  api::entry([&] {
    const aclError code = check_dimensions("aclCreateTensorDesc", numDims, dims);
    is_right = code == 0;
    if (is_right) created.shape.assign(dims, dims + numDims);
    return code;
  });
  if (!is_right) return nullptr;
  created.type = dataType;
  created.format = format;
  return static_cast<aclTensorDesc*>(
      api::create_data<void*>(tensor_descriptions(), std::move(created)));
}

void aclDestroyTensorDesc(const aclTensorDesc* desc) {
  api::entry([&] { tensor_descriptions().remove(desc); });
}

aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
  return read_data("aclGetTensorDescType", tensor_descriptions(), desc, ACL_DT_UNDEFINED,
                   [](const TensorDescription& all) { return all.type; });
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  return read_data("aclGetTensorDescFormat", tensor_descriptions(), desc, ACL_FORMAT_UNDEFINED,
                   [](const TensorDescription& all) { return all.format; });
}

size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  return read_data("aclGetTensorDescSize", tensor_descriptions(), desc, std::size_t{0},
                   [](const TensorDescription& all) {
                     return elements_of(all.shape) * aclDataTypeSize(all.type);
                   });
}

size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
  return read_data("aclGetTensorDescElementCount", tensor_descriptions(), desc, std::size_t{0},
                   [](const TensorDescription& all) { return elements_of(all.shape); });
}

size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
  return read_data("aclGetTensorDescNumDims", tensor_descriptions(), desc, std::size_t{0},
                   [](const TensorDescription& all) { return all.shape.size(); });
}

int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  return read_data("aclGetTensorDescDim", tensor_descriptions(), desc, std::int64_t{-1},
                   [&](const TensorDescription& all) {
                     return index < all.shape.size() ? all.shape[index] : -1;
                   });
}

aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize) {
  const char* const function = "aclGetTensorDescDimV2";
  return api::on_data(function, tensor_descriptions(), desc, [&](TensorDescription& all) {
    if (const aclError code = api::require_non_null(function, {{"dimSize", dimSize}})) return code;
    if (index >= all.shape.size())
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "index", index,
                          fmt::format("below {}", all.shape.size()));
    *dimSize = all.shape[index];
    return aclError{0};
  });
}

void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
  api::entry([&] {
    return set_member("aclSetTensorDescName", desc, &TensorDescription::name,
                      std::string(name == nullptr ? "" : name));
  });
}

const char* aclGetTensorDescName(aclTensorDesc* desc) {
  return read_data("aclGetTensorDescName", tensor_descriptions(), desc, "",
                   [](const TensorDescription& all) { return all.name.c_str(); });
}

aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
  return set_member("aclSetTensorFormat", desc, &TensorDescription::storage_format, format);
}

aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return set_shape("aclSetTensorShape", desc, &TensorDescription::storage_shape, numDims, dims);
}

aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format) {
  return set_member("aclSetTensorOriginFormat", desc, &TensorDescription::origin_format, format);
}

aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return set_shape("aclSetTensorOriginShape", desc, &TensorDescription::origin_shape, numDims,
                   dims);
}

aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format) {
  return set_member("aclSetTensorStorageFormat", desc, &TensorDescription::storage_format, format);
}

aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return set_shape("aclSetTensorStorageShape", desc, &TensorDescription::storage_shape, numDims,
                   dims);
}

aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length) {
  const char* const function = "aclSetTensorConst";
  return api::on_data(function, tensor_descriptions(), desc, [&](TensorDescription& all) {
    if (const aclError code = api::require_non_null(function, {{"dataBuffer", dataBuffer}}))
      return code;
    if (length == 0)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "length", length, "at least 1");
    const auto* const bytes = static_cast<const std::byte*>(dataBuffer);
    all.constant.assign(bytes, bytes + length);
    return aclError{0};
  });
}

aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType) {
  return set_member("aclSetTensorPlaceMent", desc, &TensorDescription::placement, memType);
}

aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount,
                                int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]) {
  const char* const function = "aclSetTensorShapeRange";
  return api::on_data(function, tensor_descriptions(), desc, [&](TensorDescription& all) {
    if (const aclError code = api::require_non_null(function, {{"dimsRange", dimsRange}}))
      return code;
    all.shape_range.clear();
    for (std::size_t at = 0; at < dimsCount; ++at)
      all.shape_range.emplace_back(dimsRange[at][0], dimsRange[at][1]);
    return aclError{0};
  });
}

aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum,
                                  int64_t* dimRange) {
  const char* const function = "aclGetTensorDescDimRange";
  return api::on_data(function, tensor_descriptions(), desc, [&](TensorDescription& all) {
    if (const aclError code = api::require_non_null(function, {{"dimRange", dimRange}}))
      return code;
    if (index >= all.shape_range.size())
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "index", index,
                          fmt::format("below {}", all.shape_range.size()));
    if (dimRangeNum < ACL_TENSOR_SHAPE_RANGE_NUM)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "dimRangeNum", dimRangeNum,
                          "at least 2");
    dimRange[0] = all.shape_range[index].first;
    dimRange[1] = all.shape_range[index].second;
    return aclError{0};
  });
}

aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount,
                                int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]) {
  const char* const function = "aclSetTensorValueRange";
  return api::on_data(function, tensor_descriptions(), desc, [&](TensorDescription& all) {
    if (const aclError code = api::require_non_null(function, {{"valueRange", valueRange}}))
      return code;
    all.value_range.clear();
    for (std::size_t at = 0; at < valueCount; ++at)
      all.value_range.emplace_back(valueRange[at][0], valueRange[at][1]);
    return aclError{0};
  });
}

aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName) {
  const char* const function = "aclSetTensorDynamicInput";
  return api::on_data(function, tensor_descriptions(), desc, [&](TensorDescription& all) {
    const aclError code = api::require_non_null(function, {{"dynamicInputName", dynamicInputName}});
    if (code == 0) all.dynamic_input = dynamicInputName;
    return code;
  });
}

aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index) {
  const char* const function = "aclGetTensorDescByIndex";
  const aclError code =
      api::on_data(function, tensor_descriptions(), desc, [&](TensorDescription&) -> aclError {
        if (index == 0) return 0;
        return refuse_value(ACL_ERROR_INVALID_PARAM, function, "index", index, "0");
      });
  return code == 0 ? desc : nullptr;
}

void* aclGetTensorDescAddress(const aclTensorDesc* desc) {
  void* address = nullptr;
  api::on_data("aclGetTensorDescAddress", tensor_descriptions(), desc, [&](TensorDescription& all) {
    if (!all.constant.empty()) address = all.constant.data();
    return aclError{0};
  });
  return address;
}

aclError aclTransTensorDescFormat(const aclTensorDesc*, aclFormat, aclTensorDesc**) {
  return api::entry([] { return api::refuse_unsupported("aclTransTensorDescFormat"); });
}

}  // extern "C"
