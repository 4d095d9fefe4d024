#include "kernel/api/objects/objects.h"

#include "aclnn/acl_meta.h"
#include "tests/kernel/api/small_tensor.h"
#include "tests/support/runtime_fixture.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>
#include <memory>

namespace gradproof::kernel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Tensor, CopiesWhatItIsMadeFrom) {
  std::vector<std::int64_t> view{2, 3}, strides{7, 2}, storage{20};
  int datum = 0;
  aclTensor* tensor = aclCreateTensor(view.data(), 2, ACL_BF16, strides.data(), 5, ACL_FORMAT_ND,
                                      storage.data(), 1, &datum);
  view = strides = storage = {-1, -1};
  const auto copy = api::tensor_of(tensor);
  ASSERT_TRUE(copy.has_value());
  EXPECT_THAT(copy->view_shape, ElementsAre(2, 3));
  EXPECT_THAT(copy->strides, ElementsAre(7, 2));
  EXPECT_THAT(copy->storage_shape, ElementsAre(20));
  EXPECT_EQ(copy->offset, 5);
  EXPECT_EQ(copy->data_type, ACL_BF16);
  EXPECT_EQ(copy->format, ACL_FORMAT_ND);
  EXPECT_EQ(copy->data, &datum);
  EXPECT_EQ(aclDestroyTensor(tensor), OK);
}

TEST(Tensor, IsContiguousWhereNoStridesAreGiven) {
  aclTensor* tensor = small_tensor();
  EXPECT_THAT(api::tensor_of(tensor)->strides, ElementsAre(12, 4, 1));
  EXPECT_EQ(aclDestroyTensor(tensor), OK);
}

TEST(Tensor, MayBeAScalarAndMayHaveAbsurdSizes) {
  aclTensor* scalar =
      aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr);
  ASSERT_NE(scalar, nullptr);
  EXPECT_THAT(api::tensor_of(scalar)->view_shape, IsEmpty());
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  const std::int64_t shape[] = {huge, huge, -1, huge};
  aclTensor* absurd = aclCreateTensor(shape, 4, static_cast<aclDataType>(77), nullptr, -huge,
                                      static_cast<aclFormat>(-9), shape, 4, nullptr);
  ASSERT_NE(absurd, nullptr) << "nothing is validated";
  EXPECT_EQ(aclDestroyTensor(absurd), OK);
  EXPECT_EQ(aclDestroyTensor(scalar), OK);
}

TEST(Tensor, IsNotMadeFromDimensionsThatAreNull) {
  const std::int64_t shape[] = {1};
  EXPECT_EQ(aclCreateTensor(nullptr, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, nullptr),
            nullptr);
  EXPECT_THAT(error_text(), HasSubstr("aclCreateTensor: viewDims is null"));
  EXPECT_EQ(aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 1, nullptr),
            nullptr);
  EXPECT_THAT(error_text(), HasSubstr("aclCreateTensor: storageDims is null"));
}

TEST(Tensor, TellsWhatItHolds) {
  int datum = 0;
  const std::int64_t view[] = {2, 3}, strides[] = {1, 2}, storage[] = {6};
  aclTensor* tensor =
      aclCreateTensor(view, 2, ACL_FLOAT, strides, 4, ACL_FORMAT_NHWC, storage, 1, &datum);
  const auto array = [&](auto getter) {
    std::int64_t* values = nullptr;
    std::uint64_t count = 0;
    EXPECT_EQ(getter(tensor, &values, &count), OK);
    const std::unique_ptr<std::int64_t[]> owner(values);
    return std::vector<std::int64_t>(values, values + count);
  };
  EXPECT_THAT(array(aclGetViewShape), ElementsAre(2, 3));
  EXPECT_THAT(array(aclGetViewStrides), ElementsAre(1, 2));
  EXPECT_THAT(array(aclGetStorageShape), ElementsAre(6));
  std::int64_t offset = 0;
  EXPECT_EQ(aclGetViewOffset(tensor, &offset), OK);
  EXPECT_EQ(offset, 4);
  aclFormat format{};
  EXPECT_EQ(aclGetFormat(tensor, &format), OK);
  EXPECT_EQ(format, ACL_FORMAT_NHWC);
  aclDataType type = ACL_DT_UNDEFINED;
  EXPECT_EQ(aclGetDataType(tensor, &type), OK);
  EXPECT_EQ(type, ACL_FLOAT);
  void* address = nullptr;
  EXPECT_EQ(aclGetRawTensorAddr(tensor, &address), OK);
  EXPECT_EQ(address, &datum);
  EXPECT_EQ(aclSetRawTensorAddr(tensor, &address), OK);
  EXPECT_EQ(api::tensor_of(tensor)->data, &address);
  EXPECT_EQ(aclDestroyTensor(tensor), OK);
}

TEST(Tensor, CanBeMadeAnew) {
  aclTensor* tensor = small_tensor();
  const std::int64_t shape[] = {9};
  EXPECT_EQ(aclInitTensor(tensor, shape, 1, ACL_INT8, nullptr, 1, ACL_FORMAT_ND, shape, 1, nullptr),
            OK);
  EXPECT_THAT(api::tensor_of(tensor)->view_shape, ElementsAre(9));
  EXPECT_EQ(
      aclInitTensor(nullptr, shape, 1, ACL_INT8, nullptr, 1, ACL_FORMAT_ND, shape, 1, nullptr),
      null_pointer);
  EXPECT_EQ(
      aclInitTensor(tensor, nullptr, 1, ACL_INT8, nullptr, 1, ACL_FORMAT_ND, shape, 1, nullptr),
      null_pointer);
  EXPECT_THAT(api::tensor_of(tensor)->view_shape, ElementsAre(9)) << "untouched by failures";
  EXPECT_EQ(aclDestroyTensor(tensor), OK);
  EXPECT_EQ(aclInitTensor(tensor, shape, 1, ACL_INT8, nullptr, 1, ACL_FORMAT_ND, shape, 1, nullptr),
            invalid);
}

/// Every getter, with the object and its results to pass.
struct Getter {
  const char* name;
  std::function<aclnnStatus(const aclTensor*)> call;
};

std::vector<Getter> getters() {
  static std::int64_t* values;
  static std::uint64_t count;
  static std::int64_t offset;
  static aclFormat format;
  static aclDataType type;
  static void* address;
  return {
      {"aclGetViewShape", [](auto* tensor) { return aclGetViewShape(tensor, &values, &count); }},
      {"aclGetStorageShape",
       [](auto* tensor) { return aclGetStorageShape(tensor, &values, &count); }},
      {"aclGetViewStrides",
       [](auto* tensor) { return aclGetViewStrides(tensor, &values, &count); }},
      {"aclGetViewOffset", [](auto* tensor) { return aclGetViewOffset(tensor, &offset); }},
      {"aclGetFormat", [](auto* tensor) { return aclGetFormat(tensor, &format); }},
      {"aclGetDataType", [](auto* tensor) { return aclGetDataType(tensor, &type); }},
      {"aclGetRawTensorAddr", [](auto* tensor) { return aclGetRawTensorAddr(tensor, &address); }},
      {"aclSetRawTensorAddr",
       [](auto* tensor) { return aclSetRawTensorAddr(const_cast<aclTensor*>(tensor), nullptr); }}};
}

TEST(Tensor, GettersRefuseNullAndDeadTensors) {
  aclTensor* dead = small_tensor();
  EXPECT_EQ(aclDestroyTensor(dead), OK);
  for (const auto& [name, call] : getters()) {
    EXPECT_EQ(call(nullptr), null_pointer) << name;
    EXPECT_EQ(call(dead), invalid) << name;
    EXPECT_THAT(error_text(), HasSubstr("was destroyed already")) << name;
    EXPECT_EQ(call(garbage_handle<aclTensor*>()), invalid) << name;
  }
}

TEST(Tensor, GettersRefuseNullResults) {
  aclTensor* tensor = small_tensor();
  std::int64_t* values = nullptr;
  std::uint64_t count = 0;
  EXPECT_EQ(aclGetViewShape(tensor, nullptr, &count), null_pointer);
  EXPECT_EQ(aclGetViewShape(tensor, &values, nullptr), null_pointer);
  EXPECT_EQ(aclGetStorageShape(tensor, nullptr, &count), null_pointer);
  EXPECT_EQ(aclGetViewStrides(tensor, &values, nullptr), null_pointer);
  EXPECT_EQ(aclGetViewOffset(tensor, nullptr), null_pointer);
  EXPECT_EQ(aclGetFormat(tensor, nullptr), null_pointer);
  EXPECT_EQ(aclGetDataType(tensor, nullptr), null_pointer);
  EXPECT_EQ(aclGetRawTensorAddr(tensor, nullptr), null_pointer);
  EXPECT_EQ(values, nullptr);
  EXPECT_EQ(aclDestroyTensor(tensor), OK);
}

}  // namespace
}  // namespace gradproof::kernel
