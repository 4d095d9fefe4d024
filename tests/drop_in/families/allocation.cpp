// Memory with a configuration, registered host memory, and what memory says of itself.
#include <vector>

#include "family.h"

static void registered() {
  const Stream stream;
  std::vector<unsigned char> host(64);
  void *address = nullptr, *again = nullptr;
  CHECK(aclrtHostRegister(host.data(), host.size(), ACL_HOST_REGISTER_MAPPED, &address));
  CHECK(aclrtHostGetDevicePointer(host.data(), &again, 0));
  CHECK(aclrtMemsetAsync(address, 64, 5, 64, stream));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtHostUnregister(host.data()));
  std::printf("registered: %d, one address: %d, twice: %d\n", host[63], address == again,
              aclrtHostUnregister(host.data()));
}

int main() {
  const Device device;
  void *memory = nullptr, *host = nullptr, *base = nullptr;
  std::size_t size = 0, entries = 0;
  std::uint32_t all = 0;
  aclrtMemUsageInfo usage = {};
  CHECK(aclrtMallocWithCfg(&memory, 100, ACL_MEM_MALLOC_HUGE_FIRST, nullptr));
  CHECK(aclrtMallocHostWithCfg(&host, 100, nullptr));
  CHECK(aclrtMemGetAddressRange(static_cast<char*>(memory) + 7, &base, &size));
  CHECK(aclrtCheckMemType(&memory, 1, 2, &all, 0));
  CHECK(aclrtGetMemUsageInfo(0, &usage, 1, &entries));
  std::printf("base: %d, bytes %zu, of the device: %u, used: %d\n", base == memory, size, all,
              usage.curMemSize >= 100);
  CHECK(aclrtMemFlush(memory, 100));
  CHECK(aclrtMemInvalidate(memory, 100));
  CHECK(aclrtFreeWithDevSync(memory));
  CHECK(aclrtFreeHostWithDevSync(host));
  std::printf("freed: %d\n", aclrtMemGetAddressRange(memory, &base, &size));
  registered();
  return failures;
}
