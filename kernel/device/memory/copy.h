#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/streams/stream.h"

#include <cstddef>

namespace gradproof::kernel::device {

/// A copy of `count` > 0 bytes. Where the pointers live decides its direction; `kind` is what the
/// caller said it was.
struct Copy {
  const char* function;
  void* destination;
  std::size_t destination_size;
  const void* source;
  std::size_t count;
  aclrtMemcpyKind kind;
};

/// Copies before it returns, in no order with any stream. 107000 for device memory out of bounds or
/// not allocated.
aclError copy_now(const Copy& copy);

/// Queues the copy. From or to host memory that is not pinned it has been done when the call
/// returns. 207000 from host to host.
aclError copy_in_stream(const Copy& copy, Stream& stream);

/// A fill of `count` > 0 bytes of device or pinned host memory.
struct Fill {
  const char* function;
  void* destination;
  std::int32_t value;  ///< its lowest byte is used
  std::size_t count;
};

/// A fill of `count` > 0 words.
struct WordFill {
  const char* function;
  void* destination;
  std::uint32_t value;
  std::size_t count;
};

aclError fill_words_now(const WordFill& fill);
aclError fill_words_in_stream(const WordFill& fill, Stream& stream);

aclError fill_now(const Fill& fill);
aclError fill_in_stream(const Fill& fill, Stream& stream);

}  // namespace gradproof::kernel::device
