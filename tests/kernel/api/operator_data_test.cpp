// The headers that frameworks include next to the runtime's: plain data, options, and what says
// that it is not there.

#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_prof.h"
#include "acl/acl_rt_api.h"
#include "acl/acl_tdt.h"
#include "tests/support/runtime_fixture.h"

#include <gmock/gmock.h>

#include <array>

namespace gradproof::kernel {
namespace {

class OperatorData : public OnDevice {};

TEST_F(OperatorData, CompileOptionsAreGivenBack) {
  std::array<char, 8> value{};
  EXPECT_EQ(aclGetCompileoptSize(ACL_DEBUG_DIR), 0U);
  EXPECT_EQ(aclGetCompileopt(ACL_DEBUG_DIR, value.data(), value.size()), 500001) << "not set";
  EXPECT_EQ(aclSetCompileopt(ACL_OP_JIT_COMPILE, "disable"), ACL_SUCCESS);
  EXPECT_EQ(aclGetCompileoptSize(ACL_OP_JIT_COMPILE), 8U);
  EXPECT_EQ(aclGetCompileopt(ACL_OP_JIT_COMPILE, value.data(), 7), 500001);
  EXPECT_EQ(aclGetCompileopt(ACL_OP_JIT_COMPILE, value.data(), 8), ACL_SUCCESS);
  EXPECT_STREQ(value.data(), "disable");
  EXPECT_EQ(aclSetCompileopt(ACL_OP_JIT_COMPILE, nullptr), 100000);
  EXPECT_EQ(aclSetCompileopt(static_cast<aclCompileOpt>(17), "x"), 100000);
  EXPECT_EQ(aclSetCompileopt(ACL_OP_DETERMINISTIC, "1"), ACL_SUCCESS);
  std::int64_t level = -1;
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &level), ACL_SUCCESS);
  EXPECT_EQ(level, 0) << "the runtime has a switch of its own";
  EXPECT_EQ(aclopSetCompileFlag(ACL_OPCOMPILE_FUZZ), ACL_SUCCESS);
  EXPECT_EQ(aclopSetCompileFlag(static_cast<aclOpCompileFlag>(2)), 100000);
}

TEST_F(OperatorData, AttributesAreKept) {
  aclopAttr* const all = aclopCreateAttr();
  const std::array<std::int64_t, 2> integers{1, 2};
  const std::array<const std::int64_t*, 1> lists{integers.data()};
  const int length = 2;
  const char* text = "x";
  EXPECT_EQ(aclopSetAttrBool(all, "a", 1), ACL_SUCCESS);
  EXPECT_EQ(aclopSetAttrString(all, "b", "text"), ACL_SUCCESS);
  EXPECT_EQ(aclopSetAttrListInt(all, "c", 2, integers.data()), ACL_SUCCESS);
  EXPECT_EQ(aclopSetAttrListListInt(all, "d", 1, &length, lists.data()), ACL_SUCCESS);
  EXPECT_EQ(aclopSetAttrListString(all, "e", 1, &text), ACL_SUCCESS);
  EXPECT_EQ(aclopSetAttrListInt(all, "c", 2, nullptr), 100000);
  EXPECT_EQ(aclopSetAttrListInt(all, "c", -1, integers.data()), 100000);
  EXPECT_EQ(aclopSetAttrInt(all, nullptr, 1), 100000);
  EXPECT_EQ(aclopSetAttrInt(nullptr, "a", 1), 100000);
  EXPECT_EQ(aclopSetAttrString(all, "b", nullptr), 100000);
  aclopDestroyAttr(all);
  EXPECT_EQ(aclopSetAttrInt(all, "a", 1), 100000) << "destroyed";
  aclopDestroyAttr(all);
  aclopDestroyAttr(nullptr);
}

TEST_F(OperatorData, TensorDescriptionsAreKept) {
  const std::array<std::int64_t, 3> shape{2, 3, 4};
  aclTensorDesc* const tensor = aclCreateTensorDesc(ACL_FLOAT16, 3, shape.data(), ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescType(tensor), ACL_FLOAT16);
  EXPECT_EQ(aclGetTensorDescFormat(tensor), ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescElementCount(tensor), 24U);
  EXPECT_EQ(aclGetTensorDescSize(tensor), 48U);
  EXPECT_EQ(aclGetTensorDescNumDims(tensor), 3U);
  EXPECT_EQ(aclGetTensorDescDim(tensor, 2), 4);
  EXPECT_EQ(aclGetTensorDescDim(tensor, 3), -1);
  std::int64_t length = 0;
  EXPECT_EQ(aclGetTensorDescDimV2(tensor, 1, &length), ACL_SUCCESS);
  EXPECT_EQ(length, 3);
  EXPECT_EQ(aclGetTensorDescDimV2(tensor, 3, &length), 100000);
  aclSetTensorDescName(tensor, "x");
  EXPECT_STREQ(aclGetTensorDescName(tensor), "x");
  EXPECT_EQ(aclSetTensorShape(tensor, 3, shape.data()), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorShape(tensor, 3, nullptr), 100000);
  EXPECT_EQ(aclSetTensorConst(tensor, nullptr, 4), 100000);
  std::array<float, 2> constant{};
  EXPECT_EQ(aclSetTensorConst(tensor, constant.data(), 0), 100000);
  EXPECT_EQ(aclSetTensorConst(tensor, constant.data(), sizeof constant), ACL_SUCCESS);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 3, nullptr, ACL_FORMAT_ND), nullptr);
  aclDestroyTensorDesc(tensor);
  EXPECT_EQ(aclGetTensorDescNumDims(tensor), 0U);
  EXPECT_EQ(aclSetTensorFormat(tensor, ACL_FORMAT_ND), 100000);
  EXPECT_EQ(aclGetTensorDescType(nullptr), ACL_DT_UNDEFINED);
}

TEST_F(OperatorData, ProfilingIsAccepted) {
  EXPECT_EQ(aclprofInit("folder", 6), ACL_SUCCESS);
  EXPECT_EQ(aclprofInit(nullptr, 6), 100000);
  std::uint32_t device = 0, range = 0;
  aclprofConfig* const wanted = aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, 0);
  EXPECT_EQ(aclprofStart(wanted), ACL_SUCCESS);
  EXPECT_EQ(aclprofStop(wanted), ACL_SUCCESS);
  EXPECT_EQ(aclprofDestroyConfig(wanted), ACL_SUCCESS);
  EXPECT_EQ(aclprofDestroyConfig(wanted), 100000);
  EXPECT_EQ(aclprofStart(nullptr), 100000);
  void* const stamp = aclprofCreateStamp();
  EXPECT_EQ(aclprofRangeStart(stamp, &range), ACL_SUCCESS);
  EXPECT_EQ(aclprofRangeStop(range), ACL_SUCCESS);
  EXPECT_EQ(aclprofMark(wanted), 100000) << "another kind";
  aclprofDestroyStamp(stamp);
  EXPECT_EQ(aclprofMark(stamp), 100000);
  EXPECT_EQ(aclprofFinalize(), ACL_SUCCESS);
}

TEST_F(OperatorData, ItemsAndSetsAreKept) {
  const std::array<std::int64_t, 2> shape{5, 6};
  std::array<std::int64_t, 2> found{};
  int data = 0;
  acltdtDataItem* const item =
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, shape.data(), 2, ACL_INT8, &data, 30);
  EXPECT_EQ(acltdtGetTensorTypeFromItem(item), ACL_TENSOR_DATA_TENSOR);
  EXPECT_EQ(acltdtGetDataTypeFromItem(item), ACL_INT8);
  EXPECT_EQ(acltdtGetDataAddrFromItem(item), &data);
  EXPECT_EQ(acltdtGetDataSizeFromItem(item), 30U);
  EXPECT_EQ(acltdtGetDimNumFromItem(item), 2U);
  EXPECT_EQ(acltdtGetDimsFromItem(item, found.data(), 1), 100000);
  EXPECT_EQ(acltdtGetDimsFromItem(item, found.data(), 2), ACL_SUCCESS);
  EXPECT_THAT(found, testing::ElementsAre(5, 6));
  acltdtDataset* const set = acltdtCreateDataset();
  EXPECT_EQ(acltdtAddDataItem(set, item), ACL_SUCCESS);
  EXPECT_EQ(acltdtAddDataItem(set, nullptr), 100000);
  EXPECT_EQ(acltdtGetDatasetSize(set), 1U);
  EXPECT_EQ(acltdtGetDataItem(set, 0), item);
  EXPECT_EQ(acltdtGetDataItem(set, 1), nullptr);
  EXPECT_EQ(acltdtDestroyDataset(set), ACL_SUCCESS);
  EXPECT_EQ(acltdtDestroyDataset(set), 100000);
  EXPECT_EQ(acltdtDestroyDataItem(item), ACL_SUCCESS);
  EXPECT_EQ(acltdtDestroyDataItem(item), 100000);
}

TEST_F(OperatorData, WhatIsNotThereSaysSo) {
  EXPECT_EQ(aclopCompile("Add", 0, nullptr, 0, nullptr, nullptr, ACL_ENGINE_SYS, ACL_COMPILE_SYS,
                         nullptr),
            200001);
  EXPECT_THAT(error_text(), testing::HasSubstr("aclopCompile: not part of what is simulated"));
  EXPECT_EQ(aclCreateGraphDumpOpt(), nullptr);
  EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
  EXPECT_EQ(aclopStartDumpArgs(0, "x"), 200001);
  EXPECT_EQ(acltdtCreateChannel(0, "x"), nullptr);
  EXPECT_EQ(acltdtStopChannel(nullptr), 200001);
}

TEST_F(OperatorData, OverloadsCallTheFunctionsOfTheRuntime) {
  float* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream, 2U, ACL_STREAM_FAST_SYNC), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream, 100), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream, 0), 107000);
  EXPECT_EQ(aclrtSynchronizeDevice(100), ACL_SUCCESS);
}

}  // namespace
}  // namespace gradproof::kernel
