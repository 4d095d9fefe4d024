#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "corpus/product.h"
#include "properties/target/library.h"

namespace gradproof::properties {

class ChildTarget;

/// What one thread drives: a library, with a context and a stream of this thread's own on each
/// device used. Not to be shared by threads and to be destroyed on the thread that used it, because
/// CANN's current context is the thread's.
class Target {
 public:
  explicit Target(std::shared_ptr<const Library> library);
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  const Library& library() const { return *library_; }
  /// Empty for a library that is isolated.
  const CannApi& api() const { return library_->api(); }
  /// The child process that runs the library's code; null: this process does.
  ChildTarget* child() const { return child_.get(); }

  /// Bytes free on the device that was used last. Errors: what the target lacks, or what failed.
  tl::expected<std::uint64_t, std::string> free_memory();

  /// The stream to use for this product; its device's context is current when this returns.
  /// Errors: no such device, or the runtime call that failed.
  tl::expected<aclrtStream, std::string> stream_on(corpus::Product product);

 private:
  struct Seat {
    std::int32_t device = 0;
    aclrtContext context = nullptr;  ///< null: the device's default context
    aclrtStream stream = nullptr;
  };
  tl::expected<Seat, std::string> take_seat(const Device& device);
  bool enter(const Seat& seat);

  std::shared_ptr<const Library> library_;
  std::unique_ptr<ChildTarget> child_;
  std::map<corpus::Product, Seat> seats_;
  const Seat* current_ = nullptr;
};

}  // namespace gradproof::properties
