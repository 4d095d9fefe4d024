#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <tl/expected.hpp>

#include "corpus/product.h"
#include "properties/targets/session/cann.h"

namespace gradproof::targets {

/// One thread's context and stream on each device that it has used.
class Streams {
 public:
  explicit Streams(Cann& cann) : cann_(cann) {}
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  Cann& cann() const { return cann_; }
  const CannApi& api() const { return cann_.api; }

  /// The stream to use for this product; its device's context is current when this returns.
  /// Errors: no such device, or the runtime call that failed.
  tl::expected<aclrtStream, std::string> stream_on(corpus::Product product);

  /// Makes what stream_on entered last current for the calling thread, another than its own.
  /// Whether it is.
  bool enter_on_this_thread() const { return current_ && enter(*current_); }

  /// Bytes free on the current device. Errors: what the runtime lacks, or what failed.
  tl::expected<std::uint64_t, std::string> free_memory() const;

 private:
  struct DeviceStream {
    std::int32_t device = 0;
    aclrtContext context = nullptr;  ///< null: the device's default context
    aclrtStream stream = nullptr;
  };
  tl::expected<DeviceStream, std::string> open_stream(const Device& device) const;
  bool enter(const DeviceStream& opened) const;

  Cann& cann_;
  std::map<corpus::Product, DeviceStream> device_streams_;
  const DeviceStream* current_ = nullptr;
};

}  // namespace gradproof::targets
