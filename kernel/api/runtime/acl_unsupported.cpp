// Single operators by name, dumps and channels: CANN has them, this device does not.

#include "acl/acl_dump.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_tdt.h"
#include "kernel/api/runtime/entry.h"

namespace {

aclError unsupported(const char* function) {
  return gradproof::kernel::api::entry(
      [function] { return gradproof::kernel::api::refuse_unsupported(function); });
}

}  // namespace

extern "C" {

aclError aclopExecuteV2(const char*, int, aclTensorDesc*[], aclDataBuffer*[], int, aclTensorDesc*[],
                        aclDataBuffer*[], aclopAttr*, aclrtStream) {
  return unsupported("aclopExecuteV2");
}
aclError aclopLoad(const void*, size_t) { return unsupported("aclopLoad"); }
aclError aclopExecute(const char*, int, const aclTensorDesc* const[], const aclDataBuffer* const[],
                      int, const aclTensorDesc* const[], aclDataBuffer* const[], const aclopAttr*,
                      aclrtStream) {
  return unsupported("aclopExecute");
}
aclError aclopCreateHandle(const char*, int, const aclTensorDesc* const[], int,
                           const aclTensorDesc* const[], const aclopAttr*, aclopHandle**) {
  return unsupported("aclopCreateHandle");
}
void aclopDestroyHandle(aclopHandle*) { unsupported("aclopDestroyHandle"); }
aclError aclopExecWithHandle(aclopHandle*, int, const aclDataBuffer* const[], int,
                             aclDataBuffer* const[], aclrtStream) {
  return unsupported("aclopExecWithHandle");
}
aclError aclopCast(const aclTensorDesc*, const aclDataBuffer*, const aclTensorDesc*, aclDataBuffer*,
                   uint8_t, aclrtStream) {
  return unsupported("aclopCast");
}
aclError aclopCreateHandleForCast(aclTensorDesc*, aclTensorDesc*, uint8_t, aclopHandle**) {
  return unsupported("aclopCreateHandleForCast");
}
aclError aclopCreateKernel(const char*, const char*, const char*, void*, int, aclopEngineType,
                           aclDataDeallocator) {
  return unsupported("aclopCreateKernel");
}
aclError aclopSetKernelArgs(aclopKernelDesc*, const char*, uint32_t, const void*, uint32_t) {
  return unsupported("aclopSetKernelArgs");
}
aclError aclopSetKernelWorkspaceSizes(aclopKernelDesc*, int, size_t*) {
  return unsupported("aclopSetKernelWorkspaceSizes");
}
aclError aclopUpdateParams(const char*, int, const aclTensorDesc* const[], int,
                           const aclTensorDesc* const[], const aclopAttr*) {
  return unsupported("aclopUpdateParams");
}
aclError aclopInferShape(const char*, int, aclTensorDesc*[], aclDataBuffer*[], int,
                         aclTensorDesc*[], aclopAttr*) {
  return unsupported("aclopInferShape");
}
aclError aclopCompile(const char*, int, const aclTensorDesc* const[], int,
                      const aclTensorDesc* const[], const aclopAttr*, aclopEngineType,
                      aclopCompileType, const char*) {
  return unsupported("aclopCompile");
}
aclError aclopCompileAndExecute(const char*, int, const aclTensorDesc* const[],
                                const aclDataBuffer* const[], int, const aclTensorDesc* const[],
                                aclDataBuffer* const[], const aclopAttr*, aclopEngineType,
                                aclopCompileType, const char*, aclrtStream) {
  return unsupported("aclopCompileAndExecute");
}
aclError aclopCompileAndExecuteV2(const char*, int, aclTensorDesc*[], aclDataBuffer*[], int,
                                  aclTensorDesc*[], aclDataBuffer*[], aclopAttr*, aclopEngineType,
                                  aclopCompileType, const char*, aclrtStream) {
  return unsupported("aclopCompileAndExecuteV2");
}
aclError aclGenGraphAndDumpForOp(const char*, int, const aclTensorDesc* const[],
                                 const aclDataBuffer* const[], int, const aclTensorDesc* const[],
                                 aclDataBuffer* const[], const aclopAttr*, aclopEngineType,
                                 const char*, const aclGraphDumpOption*) {
  return unsupported("aclGenGraphAndDumpForOp");
}
aclGraphDumpOption* aclCreateGraphDumpOpt() {
  unsupported("aclCreateGraphDumpOpt");
  return nullptr;
}
aclError aclDestroyGraphDumpOpt(const aclGraphDumpOption*) {
  return unsupported("aclDestroyGraphDumpOpt");
}
aclError aclopStartDumpArgs(uint32_t, const char*) { return unsupported("aclopStartDumpArgs"); }
aclError aclopStopDumpArgs(uint32_t) { return unsupported("aclopStopDumpArgs"); }
const char* acldumpGetPath(acldumpType) {
  unsupported("acldumpGetPath");
  return nullptr;
}
aclError acldumpSaveExceptionInfo(const char*, const char*, const acldumpTensorInfo*, size_t) {
  return unsupported("acldumpSaveExceptionInfo");
}
aclError acldumpGetExceptionInfoPath(char*, size_t) {
  return unsupported("acldumpGetExceptionInfoPath");
}
aclError acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk*, int32_t),
                            int32_t) {
  return gradproof::kernel::api::entry(
      "acldumpRegCallback", {{"messageCallback", reinterpret_cast<const void*>(messageCallback)}},
      [] { return 0; });
}
void acldumpUnregCallback() {}
acltdtChannelHandle* acltdtCreateChannel(uint32_t, const char*) {
  unsupported("acltdtCreateChannel");
  return nullptr;
}
acltdtChannelHandle* acltdtCreateChannelWithCapacity(uint32_t, const char*, size_t) {
  unsupported("acltdtCreateChannelWithCapacity");
  return nullptr;
}
aclError acltdtStopChannel(acltdtChannelHandle*) { return unsupported("acltdtStopChannel"); }
aclError acltdtDestroyChannel(acltdtChannelHandle*) { return unsupported("acltdtDestroyChannel"); }
aclError acltdtCleanChannel(acltdtChannelHandle*) { return unsupported("acltdtCleanChannel"); }
aclError acltdtSendTensor(const acltdtChannelHandle*, const acltdtDataset*, int32_t) {
  return unsupported("acltdtSendTensor");
}
aclError acltdtReceiveTensor(const acltdtChannelHandle*, acltdtDataset*, int32_t) {
  return unsupported("acltdtReceiveTensor");
}
aclError acltdtQueryChannelSize(const acltdtChannelHandle*, size_t*) {
  return unsupported("acltdtQueryChannelSize");
}

}  // extern "C"
