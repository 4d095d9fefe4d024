#include "kernel/api/objects/objects.h"

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "tests/kernel/api/small_tensor.h"
#include "tests/support/runtime_fixture.h"

#include <gmock/gmock.h>

#include <cstring>
#include <memory>
#include <thread>

namespace gradproof::kernel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Objects, DestroyedTwiceOrOfAnotherKindAre161002) {
  aclTensor* tensor = small_tensor();
  const std::int64_t number = 1;
  aclIntArray* array = aclCreateIntArray(&number, 1);
  EXPECT_EQ(aclDestroyIntArray(reinterpret_cast<aclIntArray*>(tensor)), invalid);
  EXPECT_THAT(error_text(), HasSubstr("is an aclTensor"));
  EXPECT_EQ(aclDestroyTensor(reinterpret_cast<aclTensor*>(array)), invalid);
  EXPECT_EQ(aclDestroyTensor(tensor), OK);
  EXPECT_EQ(aclDestroyTensor(tensor), invalid);
  EXPECT_EQ(aclDestroyIntArray(array), OK);
  EXPECT_EQ(aclDestroyIntArray(array), invalid);
  EXPECT_EQ(aclDestroyTensor(garbage_handle<aclTensor*>()), invalid);
}

TEST(Objects, ThatAreNullAreDestroyedWithoutError) {
  EXPECT_EQ(aclDestroyTensor(nullptr), OK);
  EXPECT_EQ(aclDestroyScalar(nullptr), OK);
  EXPECT_EQ(aclDestroyIntArray(nullptr), OK);
  EXPECT_EQ(aclDestroyFloatArray(nullptr), OK);
  EXPECT_EQ(aclDestroyBoolArray(nullptr), OK);
  EXPECT_EQ(aclDestroyTensorList(nullptr), OK);
  EXPECT_EQ(aclDestroyScalarList(nullptr), OK);
}

TEST(Objects, AreFreedByTheDeletersThatProgramsUse) {
  const std::unique_ptr<aclTensor, aclnnStatus (*)(const aclTensor*)> tensor(small_tensor(),
                                                                             aclDestroyTensor);
  const bool flag = true;
  const std::unique_ptr<aclBoolArray, aclnnStatus (*)(const aclBoolArray*)> mask(
      aclCreateBoolArray(&flag, 1), aclDestroyBoolArray);
  const std::unique_ptr<void, aclError (*)(void*)> memory(nullptr, aclrtFree);
  EXPECT_TRUE(api::tensor_of(tensor.get()).has_value());
  EXPECT_TRUE(api::bools_of(mask.get()).has_value());
}

TEST(Objects, HandlesAreNeverReusedWhileTheyAreRemembered) {
  aclTensor* first = small_tensor();
  EXPECT_EQ(aclDestroyTensor(first), OK);
  for (int round = 0; round < 1000; ++round) {
    aclTensor* other = small_tensor();
    ASSERT_NE(other, first);
    ASSERT_EQ(aclDestroyTensor(other), OK);
  }
  EXPECT_FALSE(api::tensor_of(first).has_value());
}

TEST(Arrays, CopyTheirValues) {
  std::int64_t ints[] = {1, -2, 3};
  bool bools[] = {true, false};
  float floats[] = {0.5F};
  aclIntArray* int_array = aclCreateIntArray(ints, 3);
  aclBoolArray* bool_array = aclCreateBoolArray(bools, 2);
  aclFloatArray* float_array = aclCreateFloatArray(floats, 1);
  std::memset(ints, 0, sizeof ints);
  std::memset(bools, 0, sizeof bools);
  EXPECT_THAT(*api::ints_of(int_array), ElementsAre(1, -2, 3));
  EXPECT_THAT(*api::bools_of(bool_array), ElementsAre(true, false));
  std::uint64_t size = 0;
  EXPECT_EQ(aclGetIntArraySize(int_array, &size), OK);
  EXPECT_EQ(size, 3U);
  EXPECT_EQ(aclGetBoolArraySize(bool_array, &size), OK);
  EXPECT_EQ(size, 2U);
  EXPECT_EQ(aclGetFloatArraySize(float_array, &size), OK);
  EXPECT_EQ(size, 1U);
  EXPECT_EQ(aclGetIntArraySize(nullptr, &size), null_pointer);
  EXPECT_EQ(aclGetIntArraySize(int_array, nullptr), null_pointer);
  EXPECT_EQ(aclDestroyIntArray(int_array), OK);
  EXPECT_EQ(aclDestroyBoolArray(bool_array), OK);
  EXPECT_EQ(aclDestroyFloatArray(float_array), OK);
  EXPECT_EQ(aclGetIntArraySize(int_array, &size), invalid);
  EXPECT_EQ(size, 1U) << "untouched by failures";
  EXPECT_FALSE(api::ints_of(int_array).has_value());
  EXPECT_FALSE(api::bools_of(nullptr).has_value());
}

TEST(Arrays, MayBeEmpty) {
  aclIntArray* ints = aclCreateIntArray(nullptr, 0);
  aclBoolArray* bools = aclCreateBoolArray(nullptr, 0);
  ASSERT_NE(ints, nullptr);
  ASSERT_NE(bools, nullptr);
  EXPECT_THAT(*api::ints_of(ints), testing::IsEmpty());
  EXPECT_EQ(aclDestroyIntArray(ints), OK);
  EXPECT_EQ(aclDestroyBoolArray(bools), OK);
  EXPECT_EQ(aclCreateIntArray(nullptr, 2), nullptr);
  EXPECT_EQ(aclCreateBoolArray(nullptr, 2), nullptr);
  EXPECT_EQ(aclCreateFloatArray(nullptr, 2), nullptr);
}

TEST(Arrays, AreNotMadeWhereMemoryDoesNotSuffice) {
  const std::int64_t number = 1;
  EXPECT_EQ(aclCreateIntArray(&number, std::uint64_t{1} << 61), nullptr);
}

TEST(Scalar, NeedsAValueOfWholeBytes) {
  double number = 2.5;
  aclScalar* scalar = aclCreateScalar(&number, ACL_DOUBLE);
  ASSERT_NE(scalar, nullptr);
  EXPECT_EQ(aclCreateScalar(nullptr, ACL_DOUBLE), nullptr);
  EXPECT_EQ(aclCreateScalar(&number, ACL_STRING), nullptr);
  EXPECT_THAT(error_text(), HasSubstr("aclCreateScalar"));
  const auto held = api::scalars().find(scalar);
  ASSERT_NE(held, nullptr);
  ASSERT_EQ(held->bytes.size(), sizeof number);
  double kept = 0;
  std::memcpy(&kept, held->bytes.data(), sizeof kept);
  EXPECT_EQ(kept, number);
  const aclScalar* one[] = {scalar};
  aclScalarList* list = aclCreateScalarList(one, 1);
  std::uint64_t size = 0;
  EXPECT_EQ(aclGetScalarListSize(list, &size), OK);
  EXPECT_EQ(size, 1U);
  EXPECT_EQ(aclDestroyScalarList(list), OK);
  EXPECT_EQ(aclDestroyScalar(scalar), invalid) << "it ended with its list";
}

TEST(TensorList, OwnsItsElements) {
  const aclTensor* elements[] = {small_tensor(), nullptr, small_tensor()};
  aclTensorList* list = aclCreateTensorList(elements, 3);
  ASSERT_NE(list, nullptr);
  std::uint64_t size = 0;
  EXPECT_EQ(aclGetTensorListSize(list, &size), OK);
  EXPECT_EQ(size, 3U);
  EXPECT_EQ(aclDestroyTensorList(list), OK);
  EXPECT_EQ(aclDestroyTensor(elements[0]), invalid);
  EXPECT_EQ(aclDestroyTensorList(list), invalid);
  EXPECT_EQ(aclCreateTensorList(elements, 3), nullptr) << "its elements are dead";
  EXPECT_EQ(aclCreateTensorList(nullptr, 1), nullptr);
}

TEST(TensorList, WhoseElementsWereDestroyedSeparatelySaysSo) {
  const aclTensor* elements[] = {small_tensor(), small_tensor()};
  aclTensorList* list = aclCreateTensorList(elements, 2);
  EXPECT_EQ(aclDestroyTensor(elements[0]), OK);
  EXPECT_EQ(aclDestroyTensorList(list), invalid);
  EXPECT_FALSE(api::tensor_of(elements[1]).has_value()) << "the others end all the same";
}

TEST(Objects, LeftAtTheEndAreCounted) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  aclTensor* tensor = small_tensor();
  const std::int64_t number = 1;
  aclIntArray* array = aclCreateIntArray(&number, 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  const std::string report = testing::internal::GetCapturedStderr();
  EXPECT_THAT(report, HasSubstr("1 aclTensor"));
  EXPECT_THAT(report, HasSubstr("1 aclIntArray"));
  EXPECT_EQ(aclDestroyTensor(tensor), OK)
      << "descriptors do not end with the process's use of the device";
  EXPECT_EQ(aclDestroyIntArray(array), OK);
}

TEST(Objects, AreSafeToMakeAndDestroyFromManyThreads) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([] {
      for (int round = 0; round < 2000; ++round) {
        aclTensor* tensor = small_tensor();
        ASSERT_TRUE(api::tensor_of(tensor).has_value());
        ASSERT_EQ(aclDestroyTensor(tensor), OK);
        ASSERT_FALSE(api::tensor_of(tensor).has_value());
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(Objects, OfOneHandleAreDestroyedByOneOfManyThreads) {
  for (int round = 0; round < 200; ++round) {
    aclTensor* tensor = small_tensor();
    std::atomic<int> destroyed = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 3; ++thread) {
      threads.emplace_back([&] { destroyed += aclDestroyTensor(tensor) == OK ? 1 : 0; });
    }
    for (auto& thread : threads) thread.join();
    ASSERT_EQ(destroyed, 1);
  }
}

TEST(Aclnn, IsInitialisedAndFinalisedByItself) {
  EXPECT_EQ(aclnnFinalize(), 361001) << "not yet";
  EXPECT_EQ(aclnnInit(nullptr), OK);
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclnnInit(nullptr), OK);
  EXPECT_EQ(aclFinalize() == ACL_SUCCESS, false) << "aclInit was not called";
  EXPECT_EQ(aclnnFinalize(), OK);
  EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_UNINITIALIZE);
  EXPECT_EQ(aclnnInit("/nonexistent/acl.json"), 361001);
}

TEST(Aclnn, AndAclKeepTheDevicesTogether) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclnnInit(nullptr), OK);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS) << "aclnn still uses them";
  EXPECT_EQ(aclnnFinalize(), OK);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 107002);
}

}  // namespace
}  // namespace gradproof::kernel
