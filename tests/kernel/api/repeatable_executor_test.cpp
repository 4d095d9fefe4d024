// Executors that run several times, with other addresses each time.

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "tests/kernel/api/phase_two.h"
#include "tests/support/runtime_fixture.h"

#include <gmock/gmock.h>

namespace gradproof::kernel {
namespace {

using testing::Each;
using testing::HasSubstr;

TEST_F(PhaseTwo, OfARepeatableExecutorMayBeRepeated) {
  aclOpExecutor* prepared = executor();
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(prepared), OK);
  for (int round = 0; round < 5; ++round) EXPECT_EQ(run(prepared), OK);
  EXPECT_EQ(run(prepared, nullptr, 1), 161001) << "a mistake does not end it";
  EXPECT_EQ(run(prepared), OK);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
  EXPECT_EQ(run(prepared), 161002);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(nullptr), 561103);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(prepared), 161002);
}

TEST_F(PhaseTwo, RunsOnAfterItsRepeatableExecutorIsDestroyed) {
  aclOpExecutor* prepared = executor();
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(prepared), OK);
  ASSERT_EQ(run(prepared), OK);
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
  EXPECT_EQ(AddOne::alive, 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(output_, elements), Each(2));
}

TEST_F(PhaseTwo, UsesTheAddressesBoundWhenItIsCalled) {
  aclOpExecutor* prepared = executor();
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(prepared), OK);
  void* other = device_memory(elements);
  EXPECT_EQ(aclSetOutputTensorAddr(prepared, 0, tensor_, other), OK);
  EXPECT_EQ(run(prepared), OK);
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 0, tensor_, other), OK);
  EXPECT_EQ(aclSetTensorAddr(prepared, 2, tensor_, output_), OK) << "inputs first, then outputs";
  EXPECT_EQ(run(prepared), OK);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(other, elements), Each(2));
  EXPECT_THAT(read(output_, elements), Each(3));
  EXPECT_EQ(AclSetOutputTensorAddr(prepared, 0, tensor_, other), OK);
  EXPECT_EQ(AclSetInputTensorAddr(prepared, 0, tensor_, other), OK);
  EXPECT_EQ(AclSetTensorAddr(prepared, 0, tensor_, other), OK);
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
  EXPECT_EQ(aclrtFree(other), ACL_SUCCESS);
}

TEST_F(PhaseTwo, AddressesAreBoundToTensorsThatExist) {
  aclOpExecutor* prepared = executor();
  EXPECT_EQ(aclSetInputTensorAddr(nullptr, 0, tensor_, input_), 561103);
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 0, nullptr, input_), 561103);
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 1, tensor_, input_), 161002) << "null in phase one";
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 2, tensor_, input_), 161002) << "out of range";
  EXPECT_EQ(aclSetOutputTensorAddr(prepared, 1, tensor_, input_), 161002);
  EXPECT_EQ(aclSetTensorAddr(prepared, 3, tensor_, input_), 161002);
  EXPECT_EQ(aclSetTensorAddr(prepared, SIZE_MAX, tensor_, input_), 161002);
  EXPECT_THAT(error_text(), HasSubstr("the executor has 2 inputs and 1 outputs"));
  aclTensor* dead = descriptor(input_);
  ASSERT_EQ(aclDestroyTensor(dead), OK);
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 0, dead, input_), 161002);
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 0, tensor_, input_), 161002);
}

TEST_F(PhaseTwo, HasNoTensorListsToBind) {
  aclOpExecutor* prepared = executor();
  const aclTensor* one[] = {descriptor(input_)};
  aclTensorList* list = aclCreateTensorList(one, 1);
  EXPECT_EQ(aclSetDynamicInputTensorAddr(prepared, 0, 0, list, input_), 161002);
  EXPECT_EQ(aclSetDynamicOutputTensorAddr(prepared, 0, 0, list, input_), 161002);
  EXPECT_EQ(aclSetDynamicTensorAddr(prepared, 0, 0, list, input_), 161002);
  EXPECT_EQ(AclSetDynamicInputTensorAddr(nullptr, 0, 0, list, input_), 561103);
  EXPECT_EQ(AclSetDynamicOutputTensorAddr(prepared, 0, 0, nullptr, input_), 561103);
  EXPECT_EQ(AclSetDynamicTensorAddr(nullptr, 0, 0, nullptr, input_), 561103);
  EXPECT_EQ(aclDestroyTensorList(list), OK);
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
  EXPECT_EQ(aclDumpOpTensors(nullptr, nullptr, nullptr, 0, 0, nullptr), 200001);
}

}  // namespace
}  // namespace gradproof::kernel
