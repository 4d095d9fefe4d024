#include "kernel/ascendc/watched_tiling.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <climits>

#include "kernel/device/memory/memory.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GRADPROOF_KNOWS_FREED_MEMORY
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(GRADPROOF_KNOWS_FREED_MEMORY)
#include <sanitizer/asan_interface.h>
#endif

namespace gradproof::kernel::ascendc {
namespace {

enum class Answer : std::uint8_t { Copied, NotReadable, CantTell };

/// Copies in containers and emulators without process_vm_readv: writing memory that is gone to a
/// pipe is an error too.
Answer copy_by_pipe(const void* from, void* to, std::size_t bytes) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return Answer::CantTell;
  Answer answer = Answer::Copied;
  for (std::size_t done = 0; done < bytes && answer == Answer::Copied;) {
    const std::size_t part = std::min<std::size_t>(bytes - done, PIPE_BUF);
    const auto written = ::write(ends[1], static_cast<const std::byte*>(from) + done, part);
    const auto read =
        written > 0 ? ::read(ends[0], static_cast<std::byte*>(to) + done, part) : written;
    if (read < 0) answer = errno == EFAULT ? Answer::NotReadable : Answer::CantTell;
    done += read > 0 ? static_cast<std::size_t>(read) : 0;
  }
  for (const int end : ends) ::close(end);
  return answer;
}

/// Copies memory of this process that may not exist.
Answer copy_carefully(const void* from, void* to, std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(GRADPROOF_KNOWS_FREED_MEMORY)
  // Under AddressSanitizer: it knows freed memory, which it keeps readable.
  if (__asan_region_is_poisoned(const_cast<void*>(from), bytes) != nullptr) {
    return Answer::NotReadable;
  }
#endif
  const iovec local{to, bytes};
  const iovec remote{const_cast<void*>(from), bytes};
  const auto copied = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
  if (copied == static_cast<ssize_t>(bytes)) return Answer::Copied;
  return copied >= 0 || errno == EFAULT ? Answer::NotReadable : copy_by_pipe(from, to, bytes);
}

Answer copy_from_anywhere(Core& core, const void* from, void* to, std::size_t bytes) {
  if (!device::is_device_address(from)) return copy_carefully(from, to, bytes);
  const std::byte* view = core.memory().view(std::bit_cast<std::uintptr_t>(from), bytes);
  if (view == nullptr) return Answer::NotReadable;
  std::memcpy(to, view, bytes);
  return Answer::Copied;
}

}  // namespace

void WatchedBytes::take(Core& core, const char* call, const void* source, std::size_t bytes) {
  if (source == nullptr) core.stop(call, "the tiling is null; pass what GetTiling filled in");
  source_ = source;
  copy_.resize(bytes);
  switch (copy_from_anywhere(core, source, copy_.data(), bytes)) {
    case Answer::Copied:
      return;
    case Answer::NotReadable:
      core.stop(call, "the tiling lies in memory that can't be read");
    case Answer::CantTell:  // the system forbids the check: the pointer is read directly
      std::memcpy(copy_.data(), source, bytes);
  }
}

void WatchedBytes::require_unchanged(Core& core, const char* call) const {
  std::vector<std::byte> now(copy_.size());
  const Answer answer = copy_from_anywhere(core, source_, now.data(), now.size());
  if (answer == Answer::CantTell || (answer == Answer::Copied && now == copy_)) return;
  core.stop(call,
            "the tiling that Init was given has been freed or changed; it must stay as it is until "
            "End");
}

}  // namespace gradproof::kernel::ascendc
