// Copies in batches.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/memory/copy.h"

#include <limits>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::refuse_value;
using StreamPointer = std::shared_ptr<device::Stream>;

/// The arguments that all batches have in common.
struct Batch {
  const char* function;
  void** destinations;
  std::size_t* rooms;
  void** sources;
  std::size_t* sizes;
  std::size_t count;
  aclrtMemcpyBatchAttr* attributes;
  std::size_t* attribute_indexes;
  std::size_t attribute_count;
};

aclError check_batch(const Batch& batch) {
  if (const aclError code =
          api::require_non_null(batch.function, {{"dsts", batch.destinations},
                                                 {"destMaxs", batch.rooms},
                                                 {"srcs", batch.sources},
                                                 {"sizes", batch.sizes},
                                                 {"attrs", batch.attributes},
                                                 {"attrsIndexes", batch.attribute_indexes}}))
    return code;
  if (batch.count == 0)
    return refuse_value(ACL_ERROR_INVALID_PARAM, batch.function, "numBatches", batch.count,
                        "at least 1");
  if (batch.attribute_count == 0 || batch.attribute_count > batch.count)
    return refuse_value(ACL_ERROR_INVALID_PARAM, batch.function, "numAttrs", batch.attribute_count,
                        "1 to numBatches");
  return 0;
}

/// Calls `copy_one` for each until one fails; *failed is its number, or SIZE_MAX where none fails
/// or the call is wrong as a whole.
template <class CopyOne>
aclError copy_batch(const Batch& batch, std::size_t* failed, CopyOne copy_one) {
  std::size_t at = std::numeric_limits<std::size_t>::max();
  aclError code = check_batch(batch);
  if (code == 0) {
    for (at = 0; at < batch.count && code == 0; ++at) {
      const device::Copy copy{batch.function,    batch.destinations[at], batch.rooms[at],
                              batch.sources[at], batch.sizes[at],        ACL_MEMCPY_DEFAULT};
      if (copy.count == 0) continue;
      code = api::check_copy(copy, ACL_MEMCPY_INTER_DEVICE_TO_DEVICE);
      if (code == 0) code = copy_one(copy);
    }
    --at;
  }
  if (failed != nullptr) *failed = code != 0 ? at : std::numeric_limits<std::size_t>::max();
  return code;
}

aclError copy_batch_now(const Batch& batch, std::size_t* failed) {
  return api::in_context(batch.function, {}, [&](const device::Context&) {
    return copy_batch(batch, failed, device::copy_now);
  });
}

aclError copy_batch_in_stream(const Batch& batch, std::size_t* failed, aclrtStream stream) {
  return api::on_stream(batch.function, stream, {}, [&](const StreamPointer& found) {
    return copy_batch(batch, failed, [&](const device::Copy& copy) {
      return device::copy_in_stream(copy, *found);
    });
  });
}

}  // namespace

extern "C" {

aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                          size_t numAttrs, size_t* failIndex) {
  return copy_batch_now(
      {"aclrtMemcpyBatch", dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs},
      failIndex);
}

aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                            size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                            size_t numAttrs) {
  return copy_batch_now({"aclrtMemcpyBatchV2", dsts, destMaxs, srcs, sizes, numBatches, attrs,
                         attrsIndexes, numAttrs},
                        nullptr);
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                               size_t numAttrs, size_t* failIndex, aclrtStream stream) {
  return copy_batch_in_stream({"aclrtMemcpyBatchAsync", dsts, destMaxs, srcs, sizes, numBatches,
                               attrs, attrsIndexes, numAttrs},
                              failIndex, stream);
}

aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                 size_t* attrsIndexes, size_t numAttrs, aclrtStream stream) {
  return copy_batch_in_stream({"aclrtMemcpyBatchAsyncV2", dsts, destMaxs, srcs, sizes, numBatches,
                               attrs, attrsIndexes, numAttrs},
                              nullptr, stream);
}

}  // extern "C"
