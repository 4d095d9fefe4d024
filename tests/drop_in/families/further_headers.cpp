// The headers that frameworks include next to acl.h: options, attributes, profiles, data items.
#include <cstring>

#include "acl/acl_dump.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_prof.h"
#include "acl/acl_rt_api.h"
#include "acl/acl_tdt.h"
#include "family.h"

int main() {
  const Device device;
  char option[16] = "";
  CHECK(aclSetCompileopt(ACL_PRECISION_MODE, "allow_fp32"));
  CHECK(aclGetCompileopt(ACL_PRECISION_MODE, option, sizeof option));
  std::printf("option: %s\n", option);
  const std::int64_t dims[] = {2, 3};
  aclTensorDesc* const tensor = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
  std::printf("tensor: %zu bytes\n", aclGetTensorDescSize(tensor));
  aclDestroyTensorDesc(tensor);
  aclopAttr* const attribute = aclopCreateAttr();
  CHECK(aclopSetAttrInt(attribute, "groups", 1));
  std::printf("an operator by name: %d\n",
              aclopCompileAndExecute("Add", 0, nullptr, nullptr, 0, nullptr, nullptr, attribute,
                                     ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr));
  aclopDestroyAttr(attribute);
  CHECK(aclprofInit("profile", std::strlen("profile")));
  std::uint32_t profiled[] = {0};
  aclprofConfig* const profile = aclprofCreateConfig(profiled, 1, ACL_AICORE_NONE, nullptr,
                                                     ACL_PROF_ACL_API | ACL_PROF_TASK_TIME);
  CHECK(aclprofDestroyConfig(profile));
  aclprofEventAttributes range = {};
  range.version = ACL_PROF_EVENT_ATTR_VERSION;
  CHECK(aclprofRangePushEx(&range));
  CHECK(aclprofRangePop());
  std::printf("the same text: %d\n", aclprofStr2Id("Conv2D") == aclprofStr2Id("Conv2D"));
  CHECK(aclprofFinalize());
  CHECK(acldumpRegCallback([](const acldumpChunk*, std::int32_t) { return 0; }, 0));
  acldumpUnregCallback();
  std::printf("arguments of operators: %d\n", aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, "."));
  CHECK(aclopSetModelDir("models"));
  const enum aclCompileFlag flag = ACL_OP_COMPILE_FUZZ;
  CHECK(aclopSetCompileFlag(flag));
  float values[6] = {1, 2, 3, 4, 5, 6};
  acltdtDataItem* const item =
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 2, ACL_FLOAT, values, sizeof values);
  acltdtDataset* const set = acltdtCreateDataset();
  CHECK(acltdtAddDataItem(set, item));
  std::printf("data items: %zu of %zu bytes\n", acltdtGetDatasetSize(set),
              acltdtGetDataSizeFromItem(acltdtGetDataItem(set, 0)));
  CHECK(acltdtDestroyDataset(set));
  CHECK(acltdtDestroyDataItem(item));
  float* typed = nullptr;
  CHECK(aclrtMalloc(&typed, sizeof values));  // the overload of acl_rt_api.h
  CHECK(aclrtFree(typed));
  return failures;
}
