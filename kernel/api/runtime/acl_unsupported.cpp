// What CANN has and this device does not simulate: each says so.

#include "acl/acl_mdl.h"
#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"

namespace {

aclError unsupported(const char* function) {
  return gradproof::kernel::api::entry(
      [function] { return gradproof::kernel::api::refuse_unsupported(function); });
}

}  // namespace

extern "C" {

aclError aclrtLaunchCallback(aclrtCallback, void*, aclrtCallbackBlockType, aclrtStream) {
  return unsupported("aclrtLaunchCallback");
}
aclError aclrtSubscribeReport(uint64_t, aclrtStream) { return unsupported("aclrtSubscribeReport"); }
aclError aclrtUnSubscribeReport(uint64_t, aclrtStream) {
  return unsupported("aclrtUnSubscribeReport");
}
aclError aclrtProcessReport(int32_t) { return unsupported("aclrtProcessReport"); }

aclError aclrtReserveMemAddress(void**, size_t, size_t, void*, uint64_t) {
  return unsupported("aclrtReserveMemAddress");
}
aclError aclrtReleaseMemAddress(void*) { return unsupported("aclrtReleaseMemAddress"); }
aclError aclrtIpcMemGetExportKey(void*, size_t, char*, size_t, uint64_t) {
  return unsupported("aclrtIpcMemGetExportKey");
}
aclError aclrtIpcMemClose(const char*) { return unsupported("aclrtIpcMemClose"); }

aclrtAllocatorDesc aclrtAllocatorCreateDesc() {
  unsupported("aclrtAllocatorCreateDesc");
  return nullptr;
}
aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc) {
  return unsupported("aclrtAllocatorDestroyDesc");
}
aclError aclrtAllocatorRegister(aclrtStream, aclrtAllocatorDesc) {
  return unsupported("aclrtAllocatorRegister");
}
aclError aclrtAllocatorUnregister(aclrtStream) { return unsupported("aclrtAllocatorUnregister"); }

aclError aclmdlLoadFromFile(const char*, uint32_t*) { return unsupported("aclmdlLoadFromFile"); }
aclError aclmdlUnload(uint32_t) { return unsupported("aclmdlUnload"); }

}  // extern "C"
