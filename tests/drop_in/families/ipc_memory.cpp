// Memory of two processes: the child exports, the parent writes to it.
#include <sys/wait.h>
#include <unistd.h>

#include "family.h"

static void exporter(int keys, int orders) {
  const Device device;
  const Memory memory(64, 7);
  char key[65] = "", order = 0;
  CHECK(aclrtIpcMemGetExportKey(memory, 64, key, sizeof key,
                                ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
  if (write(keys, key, sizeof key) != sizeof key || read(orders, &order, 1) != 1) ++failures;
  std::printf("the exporter sees %d\n", byte_at(memory));
  CHECK(aclrtIpcMemClose(key));
}

static void importer(int keys, int orders) {
  const Device device;
  char key[65] = "";
  void* memory = nullptr;
  if (read(keys, key, sizeof key) != sizeof key) ++failures;
  CHECK(aclrtIpcMemImportByKey(&memory, key, 0));
  std::printf("the importer sees %d\n", byte_at(memory));
  std::fflush(stdout);
  CHECK(aclrtMemset(memory, 64, 8, 64));
  if (write(orders, "w", 1) != 1) ++failures;
  CHECK(aclrtIpcMemClose(key));
}

int main() {
  int keys[2], orders[2], status = 0;
  if (pipe(keys) != 0 || pipe(orders) != 0) return 1;
  const pid_t child = fork();
  if (child == 0) {
    exporter(keys[1], orders[0]);
    std::fflush(stdout);
    _exit(failures);
  }
  importer(keys[0], orders[1]);
  waitpid(child, &status, 0);
  return failures + status;
}
