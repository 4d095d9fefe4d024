#pragma once

// The fake library's objects, and its operator as a plain loop over doubles.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/fake_cann.h"

struct aclTensor {
  std::vector<std::int64_t> shape, strides;
  std::int64_t offset;
  aclDataType type;
  aclFormat format;
  void* data;
};
struct aclIntArray {
  std::vector<std::int64_t> values;
};
struct aclBoolArray {
  std::vector<bool> values;
};

namespace gradproof::targets {

/// A tensor's elements where they are.
struct View {
  std::vector<std::int64_t> shape, strides;
  float* first = nullptr;

  float& at(const std::array<std::int64_t, 5>& index) const {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) place += strides[i] * index[i];
    return first[place];
  }
  std::int64_t count() const {
    std::int64_t product = 1;
    for (const auto length : shape) product *= length;
    return product;
  }
};

/// Whether the fake was asked to do this.
bool does(Misbehaviour what);

/// Lifted to N C D H W; absent axes have length 1.
View view_of(const aclTensor& tensor);

}  // namespace gradproof::targets

/// A call that was planned.
struct aclOpExecutor {
  gradproof::targets::View dy, x, w;
  std::optional<gradproof::targets::View> dx, dw, db;
  std::vector<std::int64_t> stride, begin, end, dilation, output_padding;
  bool transposed;
  int groups;
  std::vector<bool> mask;
  std::size_t rank = 5;
  aclFormat format = ACL_FORMAT_ND;  ///< of the input
  int mode = 0;
  bool repeatable = false;
  int uses = 0;
  float first_in_phase_one = 0;  ///< of gradOutput
  std::thread::id thread_of_phase_one{};
  bool is_float = true;  ///< the inputs are: the fake computes nothing else
  std::map<std::string, std::string> settings{};  ///< that it was planned under
};

namespace gradproof::targets {

/// The gradients that are asked for, with whatever the fake does wrong in their values.
void compute(const aclOpExecutor& requested);

/// What it does wrong in memory, after that.
void misbehave_in_memory(const aclOpExecutor& call, std::byte* workspace);

}  // namespace gradproof::targets
