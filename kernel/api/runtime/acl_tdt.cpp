// Data items and sets of them: plain data.

#include "acl/acl_tdt.h"
#include "kernel/api/runtime/operator_data.h"

#include <algorithm>
#include <vector>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::read_data;
using api::refuse_value;

struct DataItem {
  acltdtTensorType kind = ACL_TENSOR_DATA_UNDEFINED;
  aclDataType type = ACL_DT_UNDEFINED;
  std::vector<std::int64_t> shape;
  void* data = nullptr;
  std::size_t size = 0;
};
using DataSet = std::vector<acltdtDataItem*>;

api::DataRegistry<DataItem>& data_items() {
  static auto& registry = *new api::DataRegistry<DataItem>(device::HandleKind::DataItem);
  return registry;
}

api::DataRegistry<DataSet>& data_sets() {
  static auto& registry = *new api::DataRegistry<DataSet>(device::HandleKind::DataSet);
  return registry;
}

}  // namespace

extern "C" {

acltdtDataItem* acltdtCreateDataItem(enum acltdtTensorType tdtType, const int64_t* dims,
                                     size_t dimNum, aclDataType dataType, void* data, size_t size) {
  constexpr std::size_t most_dimensions = 128;
  if ((dims == nullptr && dimNum > 0) || dimNum > most_dimensions) {
    api::entry([&] {
      return refuse_value(ACL_ERROR_INVALID_PARAM, "acltdtCreateDataItem", "dimNum", dimNum,
                          "0 to 128, with as many dims");
    });
    return nullptr;
  }
  return static_cast<acltdtDataItem*>(api::create_data<void*>(
      data_items(), DataItem{tdtType, dataType, {dims, dims + dimNum}, data, size}));
}

aclError acltdtDestroyDataItem(acltdtDataItem* dataItem) {
  return api::on_data("acltdtDestroyDataItem", data_items(), dataItem,
                      [&](DataItem&) { data_items().remove(dataItem); });
}

enum acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem* dataItem) {
  return read_data("acltdtGetTensorTypeFromItem", data_items(), dataItem, ACL_TENSOR_DATA_UNDEFINED,
                   [](const DataItem& item) { return item.kind; });
}

aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem* dataItem) {
  return read_data("acltdtGetDataTypeFromItem", data_items(), dataItem, ACL_DT_UNDEFINED,
                   [](const DataItem& item) { return item.type; });
}

void* acltdtGetDataAddrFromItem(const acltdtDataItem* dataItem) {
  return read_data("acltdtGetDataAddrFromItem", data_items(), dataItem, static_cast<void*>(nullptr),
                   [](const DataItem& item) { return item.data; });
}

size_t acltdtGetDataSizeFromItem(const acltdtDataItem* dataItem) {
  return read_data("acltdtGetDataSizeFromItem", data_items(), dataItem, std::size_t{0},
                   [](const DataItem& item) { return item.size; });
}

size_t acltdtGetDimNumFromItem(const acltdtDataItem* dataItem) {
  return read_data("acltdtGetDimNumFromItem", data_items(), dataItem, std::size_t{0},
                   [](const DataItem& item) { return item.shape.size(); });
}

aclError acltdtGetDimsFromItem(const acltdtDataItem* dataItem, int64_t* dims, size_t dimNum) {
  const char* const function = "acltdtGetDimsFromItem";
  return api::on_data(function, data_items(), dataItem, [&](DataItem& item) {
    if (const aclError code = api::require_non_null(function, {{"dims", dims}})) return code;
    if (dimNum < item.shape.size())
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "dimNum", dimNum,
                          fmt::format("at least {}", item.shape.size()));
    std::ranges::copy(item.shape, dims);
    return aclError{0};
  });
}

aclError acltdtGetSliceInfoFromItem(const acltdtDataItem* dataItem, size_t* sliceNum,
                                    size_t* sliceId) {
  const char* const function = "acltdtGetSliceInfoFromItem";
  return api::on_data(function, data_items(), dataItem, [&](DataItem&) {
    const aclError code =
        api::require_non_null(function, {{"sliceNum", sliceNum}, {"sliceId", sliceId}});
    // Items come in one piece here: slices are what channels make of them.
    if (code == 0) *sliceNum = *sliceId = 0;
    return code;
  });
}

acltdtDataset* acltdtCreateDataset() {
  return static_cast<acltdtDataset*>(api::create_data<void*>(data_sets(), DataSet{}));
}

aclError acltdtDestroyDataset(acltdtDataset* dataset) {
  return api::on_data("acltdtDestroyDataset", data_sets(), dataset,
                      [&](DataSet&) { data_sets().remove(dataset); });
}

acltdtDataItem* acltdtGetDataItem(const acltdtDataset* dataset, size_t index) {
  return read_data(
      "acltdtGetDataItem", data_sets(), dataset, static_cast<acltdtDataItem*>(nullptr),
      [&](const DataSet& items) { return index < items.size() ? items[index] : nullptr; });
}

aclError acltdtAddDataItem(acltdtDataset* dataset, acltdtDataItem* dataItem) {
  const char* const function = "acltdtAddDataItem";
  return api::on_data(function, data_sets(), dataset, [&](DataSet& items) {
    if (api::require_data(function, data_items(), dataItem) == nullptr) return device::last_error();
    items.push_back(dataItem);
    return aclError{0};
  });
}

size_t acltdtGetDatasetSize(const acltdtDataset* dataset) {
  return read_data("acltdtGetDatasetSize", data_sets(), dataset, std::size_t{0},
                   [](const DataSet& items) { return items.size(); });
}

const char* acltdtGetDatasetName(const acltdtDataset* dataset) {
  return read_data("acltdtGetDatasetName", data_sets(), dataset, static_cast<const char*>(nullptr),
                   [](const DataSet&) { return ""; });
}

}  // extern "C"
