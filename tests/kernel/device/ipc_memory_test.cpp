// Device memory that two processes use. The children are made before this process uses the device.

#include "acl/acl.h"
#include "tests/support/runtime_fixture.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>

namespace gradproof::kernel {
namespace {

constexpr std::size_t key_bytes = 65, block = 256;

/// Two ends of a line between this process and its child.
struct Line {
  int in[2]{}, out[2]{};
  Line() {
    EXPECT_EQ(::pipe(in), 0);
    EXPECT_EQ(::pipe(out), 0);
  }
};

bool send(int file, const void* bytes, std::size_t count) {
  return ::write(file, bytes, count) == static_cast<ssize_t>(count);
}
bool receive(int file, void* bytes, std::size_t count) {
  return ::read(file, bytes, count) == static_cast<ssize_t>(count);
}

unsigned char first_byte(const void* memory) {
  unsigned char byte = 0;
  aclrtMemcpy(&byte, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST);
  return byte;
}

void expect_nothing_left() {
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
    EXPECT_EQ(entry.path().filename().string().find("gradproof"), std::string::npos)
        << entry.path();
}

/// The child: exports memory that a queued task fills with 7, as CANN runtime's examples do, and
/// lives until its line closes. `flags` as of the export.
[[noreturn]] void export_and_wait(const Line& line, std::uint64_t flags, pid_t admitted) {
  ::close(line.out[1]);
  void* memory = nullptr;
  std::array<char, key_bytes> key{};
  const bool is_ready = aclInit(nullptr) == 0 && aclrtSetDevice(0) == 0 &&
                        aclrtMalloc(&memory, block, ACL_MEM_MALLOC_HUGE_FIRST) == 0 &&
                        aclrtMemsetAsync(memory, block, 7, block, nullptr) == 0 &&
                        aclrtIpcMemGetExportKey(static_cast<char*>(memory) + 16, 64, key.data(),
                                                key.size(), flags) == 0;
  auto importer = static_cast<std::int32_t>(admitted);
  if (admitted != 0) aclrtIpcMemSetImportPid(key.data(), &importer, 1);
  send(line.in[1], key.data(), key.size());
  char order = 0;
  while (receive(line.out[0], &order, 1)) {
    if (order == 'w') aclrtMemset(memory, block, 9, block);
    if (order == 'c') aclrtIpcMemClose(key.data());
    const unsigned char seen = first_byte(static_cast<char*>(memory) + 16);
    send(line.in[1], &seen, 1);
  }
  ::_exit(is_ready ? 0 : 1);
}

class SharedMemory : public testing::Test {
 protected:
  void begin(std::uint64_t flags, bool admit_this = false) {
    const pid_t admitted = admit_this ? ::getpid() : 0;
    child_ = ::fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) export_and_wait(line_, flags, admitted);
    ::close(line_.in[1]);
    ::close(line_.out[0]);
    ASSERT_TRUE(receive(line_.in[0], key_.data(), key_.size()));
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  }
  void TearDown() override {
    ::close(line_.out[1]);
    ::close(line_.in[0]);
    int status = 0;
    if (child_ > 0) ::waitpid(child_, &status, 0);
    testing::internal::CaptureStderr();
    aclFinalize();
    testing::internal::GetCapturedStderr();
    error_text();
  }
  unsigned char ask(char order) {
    unsigned char answer = 0;
    EXPECT_TRUE(send(line_.out[1], &order, 1));
    EXPECT_TRUE(receive(line_.in[0], &answer, 1));
    return answer;
  }
  aclError import(void*& memory) { return aclrtIpcMemImportByKey(&memory, key_.data(), 0); }

  Line line_;
  pid_t child_ = -1;
  std::array<char, key_bytes> key_{};
};

TEST_F(SharedMemory, IsOneInBothProcesses) {
  begin(ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
  EXPECT_EQ(std::strlen(key_.data()), 64U);
  void* memory = nullptr;
  ASSERT_EQ(import(memory), ACL_SUCCESS) << error_text();
  EXPECT_EQ(first_byte(memory), 7);
  EXPECT_EQ(ask('w'), 9);
  EXPECT_EQ(first_byte(memory), 9) << "what the exporter writes is seen here";
  ASSERT_EQ(aclrtMemset(memory, 64, 5, 64), ACL_SUCCESS);
  EXPECT_EQ(ask('r'), 5) << "and the other way";
  EXPECT_EQ(aclrtMemset(memory, 65, 5, 65), 107000) << "64 bytes were exported";
  EXPECT_EQ(aclrtFree(memory), 107000);
  EXPECT_EQ(aclrtIpcMemClose(key_.data()), ACL_SUCCESS);
  EXPECT_EQ(aclrtIpcMemClose(key_.data()), 107000);
  EXPECT_EQ(aclrtMemset(memory, 64, 5, 64), 107000) << "it is gone";
}

TEST_F(SharedMemory, IsClosedAfterWhatIsQueuedOnIt) {
  begin(ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
  void* memory = nullptr;
  ASSERT_EQ(import(memory), ACL_SUCCESS) << error_text();
  ASSERT_EQ(aclrtMemsetAsync(memory, 64, 5, 64, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtIpcMemClose(key_.data()), ACL_SUCCESS) << error_text();
  EXPECT_EQ(ask('r'), 5);
}

TEST_F(SharedMemory, OutlivesTheExporter) {
  begin(ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
  void *memory = nullptr, *again = nullptr;
  ASSERT_EQ(import(memory), ACL_SUCCESS);
  ASSERT_EQ(::kill(child_, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(std::exchange(child_, -1), &status, 0) > 0, true);
  EXPECT_EQ(first_byte(memory), 7);
  EXPECT_EQ(aclrtMemset(memory, 64, 3, 64), ACL_SUCCESS);
  EXPECT_EQ(first_byte(memory), 3);
  EXPECT_EQ(import(again), 507899) << "nothing is left to import";
  EXPECT_EQ(again, nullptr);
  EXPECT_EQ(aclrtIpcMemClose(key_.data()), ACL_SUCCESS);
  expect_nothing_left();
}

TEST_F(SharedMemory, IsForAdmittedProcessesOnly) {
  begin(ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT);
  void* memory = nullptr;
  EXPECT_EQ(import(memory), 507899);
}

TEST_F(SharedMemory, IsForThisProcessOnceAdmitted) {
  begin(ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT, true);
  void* memory = nullptr;
  EXPECT_EQ(import(memory), ACL_SUCCESS);
}

TEST_F(SharedMemory, IsWithdrawnByTheExporterAndStaysWithImporters) {
  begin(ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
  void *memory = nullptr, *again = nullptr;
  ASSERT_EQ(import(memory), ACL_SUCCESS);
  ask('c');
  EXPECT_EQ(import(again), 507899);
  EXPECT_EQ(first_byte(memory), 7);
}

TEST_F(SharedMemory, IsRefusedToTheExporterItselfAndForWrongKeys) {
  begin(ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
  void *memory = nullptr, *imported = nullptr;
  std::array<char, key_bytes> own{};
  ASSERT_EQ(aclrtMalloc(&memory, block, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtIpcMemGetExportKey(memory, block + 1, own.data(), own.size(), 1), 107000);
  EXPECT_EQ(aclrtIpcMemGetExportKey(memory, block, own.data(), 64, 1), 107000);
  EXPECT_EQ(aclrtIpcMemGetExportKey(memory, block, own.data(), own.size(), 2), 107000);
  EXPECT_EQ(aclrtIpcMemGetExportKey(nullptr, block, own.data(), own.size(), 1), 100000);
  EXPECT_EQ(own[0], '\0') << "nothing was written";
  ASSERT_EQ(aclrtIpcMemGetExportKey(memory, block, own.data(), own.size(), 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtIpcMemImportByKey(&imported, own.data(), 0), 507899);
  EXPECT_EQ(aclrtIpcMemImportByKey(&imported, "no key", 0), 507899);
  key_[40] = key_[40] == '0' ? '1' : '0';
  EXPECT_EQ(import(imported), 507899) << "another number";
  EXPECT_EQ(aclrtIpcMemImportByKey(nullptr, own.data(), 0), 100000);
  EXPECT_EQ(aclrtIpcMemImportByKey(&imported, own.data(), 2), 107000);
  std::int32_t process = 1;
  EXPECT_EQ(aclrtIpcMemSetImportPid(key_.data(), &process, 1), 107000);
  EXPECT_EQ(aclrtIpcMemSetImportPid(own.data(), &process, 0), 107000);
  EXPECT_EQ(aclrtIpcMemSetAttr(own.data(), ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtIpcMemSetAttr("no key", ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0), 107000);
  EXPECT_EQ(aclrtIpcMemImportPidInterServer(own.data(), nullptr, 0), 207000);
  EXPECT_EQ(aclrtMemset(memory, block, 1, block), ACL_SUCCESS) << "its address is the old one";
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_EQ(aclrtIpcMemClose(own.data()), 107000) << "the key ended with the memory";
}

/// The child: imports the memory of the key that it is sent, writes to it, and waits to be killed.
[[noreturn]] void import_and_wait(const Line& line) {
  std::array<char, key_bytes> key{};
  void* memory = nullptr;
  const bool is_ready = receive(line.out[0], key.data(), key.size()) && aclInit(nullptr) == 0 &&
                        aclrtSetDevice(0) == 0 &&
                        aclrtIpcMemImportByKey(&memory, key.data(), 0) == 0 &&
                        aclrtMemset(memory, block, 9, block) == 0;
  const char answer = is_ready ? 'y' : 'n';
  send(line.in[1], &answer, 1);
  while (true) ::pause();
}

std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  return free;
}

TEST(SharedMemoryOfAnExporter, OutlivesTheImporterAndLeavesNothing) {
  const Line line;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) import_and_wait(line);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const std::size_t before = free_bytes();
  void* memory = nullptr;
  std::array<char, key_bytes> key{};
  ASSERT_EQ(aclrtMalloc(&memory, block, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtIpcMemGetExportKey(memory, block, key.data(), key.size(),
                                    ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION),
            ACL_SUCCESS);
  char answer = 0;
  EXPECT_TRUE(send(line.out[1], key.data(), key.size()));
  EXPECT_TRUE(receive(line.in[0], &answer, 1));
  EXPECT_EQ(answer, 'y');
  EXPECT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(first_byte(memory), 9) << "what the other wrote is still there";
  EXPECT_EQ(aclrtMemset(memory, block, 4, block), ACL_SUCCESS);
  EXPECT_EQ(first_byte(memory), 4);
  EXPECT_EQ(aclrtIpcMemClose(key.data()), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_EQ(free_bytes(), before);
  expect_nothing_left();
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "no leak is reported";
}

}  // namespace
}  // namespace gradproof::kernel
