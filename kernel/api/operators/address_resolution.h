#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "acl/acl_base.h"
#include "kernel/operators/call/tensor_view.h"

namespace gradproof::kernel::api {

/// Finds the host addresses of device memory when a task runs, and remembers the first failure:
/// what a tensor touches must lie in one live allocation. Each failure is reported with the
/// operator's and the tensor's name.
class AddressResolution {
 public:
  explicit AddressResolution(std::string_view function) : function_(function) {}

  /// Element (0, 0, 0, 0, 0) of a view of the tensor at `data`; nullptr where the view is not used,
  /// is empty, or after a failure.
  std::byte* input(std::string_view name, const operators::TensorView& view, void* data, bool used);
  std::byte* output(std::string_view name, const std::optional<operators::TensorView>& view,
                    void* data, bool used);

  /// Address of the workspace; nullptr where it is empty, or after a failure.
  std::byte* workspace(void* data, std::uint64_t bytes);

  /// Returns 0, or the code of the first failure.
  aclError error() const { return error_; }

 private:
  std::byte* resolved(std::string_view name, const operators::TensorView& view, void* data,
                      bool used, aclError code);
  void fail(aclError code, std::string_view name, std::int64_t bytes, void* data);

  std::string_view function_;
  aclError error_ = 0;
};

}  // namespace gradproof::kernel::api
