#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "corpus/data_type.h"
#include "properties/runs/gate/gate_operands.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::InputRole;

/// Gives an operand the same numbers at each place of the axes from `first` to `last`.
void repeat_along(std::int64_t first, std::int64_t last, const corpus::TensorCase& tensor,
                  std::vector<std::byte>& bytes) {
  std::size_t inner = corpus::size_bytes(tensor.dtype);
  for (std::int64_t axis = static_cast<std::int64_t>(tensor.shape.size()); axis-- > first;) {
    const std::size_t length = to_size(tensor.shape[to_size(axis)]);
    for (std::size_t at = inner; at < bytes.size() && axis <= last; at += inner) {
      const bool is_first = at / inner % length == 0;
      if (!is_first) std::memcpy(bytes.data() + at, bytes.data() + at - inner, inner);
    }
    inner *= length;
  }
}

/// Puts the elements of each row in order, up and down again, in pieces of `length`.
void order_rows(const corpus::TensorCase& tensor, std::size_t length,
                std::vector<std::byte>& bytes) {
  const std::size_t row = to_size(tensor.shape.back());
  std::vector<double> piece;
  bool is_up = true;
  for (std::size_t at = 0; at < bytes.size() / corpus::size_bytes(tensor.dtype);) {
    const std::size_t count = std::min(length, row - at % row);
    piece.clear();
    for (std::size_t i = 0; i < count; ++i) piece.push_back(element(tensor.dtype, bytes, at + i));
    std::ranges::sort(piece);
    if (!is_up) std::ranges::reverse(piece);
    is_up = !is_up;
    for (const double value : piece) set_element(tensor.dtype, bytes, at++, value);
  }
}

/// The largest distance of an element's exponent from 0.
int farthest_exponent(DataType type, const std::vector<std::byte>& bytes) {
  int farthest = 0;
  for (std::size_t i = 0; i < bytes.size() / corpus::size_bytes(type); ++i) {
    const double value = element(type, bytes, i);
    if (value != 0) farthest = std::max(farthest, std::abs(std::ilogb(value)));
  }
  return farthest;
}

/// Multiplies each element by 2 to what `exponents` says of its channel: along `axis`, 0 or 1,
/// where axis 0 decides on the group.
void scale_along(std::size_t axis, std::size_t groups, const std::vector<int>& exponents,
                 const corpus::TensorCase& tensor, std::vector<std::byte>& bytes) {
  const std::size_t first = to_size(tensor.shape[0]), second = to_size(tensor.shape[1]);
  const std::size_t count = bytes.size() / corpus::size_bytes(tensor.dtype);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i / (count / first / second);
    const std::size_t channel =
        axis == 0 ? row / second : row / second / (first / groups) * second + row % second;
    const double value = element(tensor.dtype, bytes, i);
    set_element(tensor.dtype, bytes, i, std::ldexp(value, exponents[channel]));
  }
}

}  // namespace

void scale_channels(const Case& test_case, Secret& secret, OperandBytes& operands) {
  constexpr int far = 30;
  const DataType type = test_case.input->dtype;
  int farthest = 0;
  for (const auto& operand : operands)
    farthest = std::max(farthest, farthest_exponent(type, operand));
  if (type == DataType::Float16) return;
  const int most = farthest > far ? 4 : 12;
  const auto drawn = [&](std::int64_t channels) {
    std::vector<int> exponents;
    for (auto i = channels; i > 0; --i) exponents.push_back(int(secret.between(-most, most)));
    return exponents;
  };
  const auto groups = to_size(test_case.groups);
  auto of_out = drawn(test_case.grad_output->shape[1]);
  const auto of_in = drawn(test_case.input->shape[1]), of_weight = drawn(test_case.input->shape[1]);
  const std::size_t out = test_case.transposed ? 1 : 0;
  scale_along(1, 1, of_out, *test_case.grad_output, operands[0]);
  scale_along(1, 1, of_in, *test_case.input, operands[1]);
  scale_along(1 - out, groups, of_weight, *test_case.weight, operands[2]);
  for (int& exponent : of_out) exponent = -exponent;  // its products with gradOutput stay
  scale_along(out, groups, of_out, *test_case.weight, operands[2]);
}

bool make_regular(const Case& test_case, InputRole role, Secret& secret, OperandBytes& operands) {
  const auto& tensor = *corpus::tensor(test_case, role);
  auto& bytes = operands.at(static_cast<std::size_t>(role));
  const auto last = static_cast<std::int64_t>(tensor.shape.size()) - 1;
  const std::size_t count = elements_of(test_case, role), sample = count / to_size(tensor.shape[0]);
  const auto one = to_size(secret.between(0, static_cast<std::int64_t>(count) - 1));
  const auto each = [&](auto changed) {
    for (std::size_t i = 0; i < count; ++i) {
      set_element(tensor.dtype, bytes, i, changed(element(tensor.dtype, bytes, i), i));
    }
  };
  const auto axis = secret.between(0, last);
  switch (secret.between(0, 9)) {
    case 0:
    case 1:
      rectify(test_case, role, operands);
      return true;
    case 2:
      lift(test_case, role, operands);
      return true;
    case 3:
      each([&](double value, std::size_t i) { return i / sample % 2 == one % 2 ? 0.0 : value; });
      return true;
    case 4:
      each([&](double value, std::size_t i) { return i == one ? value : 0.0; });
      return false;
    case 5:
      std::ranges::fill(bytes, std::byte{0});
      return false;
    case 6:
      repeat_along(axis, axis, tensor, bytes);
      return false;
    case 7:
      order_rows(tensor, to_size(secret.between(3, 40)), bytes);
      return false;
    default:  // samples, all, or the places of a map
      repeat_along(one % 3 > 1 ? 2 : 0, one % 3 == 0 ? 0 : last, tensor, bytes);
      return false;
  }
}

void rectify(const Case& test_case, InputRole role, OperandBytes& operands) {
  const DataType type = corpus::tensor(test_case, role)->dtype;
  auto& bytes = operands.at(static_cast<std::size_t>(role));
  for (std::size_t i = 0; i < elements_of(test_case, role); ++i) {
    if (element(type, bytes, i) < 0) set_element(type, bytes, i, 0);
  }
}

void lift(const Case& test_case, InputRole role, OperandBytes& operands) {
  const DataType type = corpus::tensor(test_case, role)->dtype;
  auto& bytes = operands.at(static_cast<std::size_t>(role));
  const std::size_t count = elements_of(test_case, role);
  double most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::abs(element(type, bytes, i)));
  if (most == 0 || !std::isfinite(most)) return;
  const double half = std::ldexp(1.0, std::ilogb(most));
  for (std::size_t i = 0; i < count; ++i) {
    const double value = std::abs(element(type, bytes, i));
    set_element(type, bytes, i, value < half ? value + half : value);
  }
}

}  // namespace gradproof::runs
