#include "oracle/gradients/linear/integer_tensor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "corpus/to_size.h"
#include "oracle/numbers/format_row.h"
#include "oracle/operands/bulk_conversion.h"

namespace gradproof::oracle {
namespace {

/// Elements in a piece, 32 KiB of doubles and as much of weights: a first-level cache holds one of
/// them, a second-level one all.
constexpr std::int64_t piece_size = 4096;

constexpr std::int64_t bytes_at_once = std::int64_t{8} << 20;

std::int64_t element_size(const IntegerTensor& tensor) {
  return static_cast<std::int64_t>(row(tensor.format).word_bytes);
}

Extent united(const Extent& a, const Extent& b) {
  const std::size_t non_finite = a.non_finite + b.non_finite;
  Extent result = a.non_zeros == 0 ? b : a;
  if (a.non_zeros > 0 && b.non_zeros > 0) {
    result = {.non_zeros = a.non_zeros + b.non_zeros,
              .unit = std::min(a.unit, b.unit),
              .top = std::max(a.top, b.top),
              .lowest_leading = std::min(a.lowest_leading, b.lowest_leading)};
  }
  result.non_finite = non_finite;
  return result;
}

/// The first of the doubles that is no integer below 2^25, which one of them must be.
std::size_t first_other(std::span<const double> values, double scale) {
  const auto is_other = [scale](double value) {
    const double scaled = value * scale;
    return !(std::fabs(scaled) < 0x1p25 && std::trunc(scaled) == scaled);
  };
  return to_size(std::ranges::find_if(values, is_other) - values.begin());
}

/// One piece decoded, in buffers that are used again.
class PieceReader {
 public:
  PieceReader(const IntegerTensor& tensor, const ModularDot& modular_dot, IntegersSeen& seen)
      : tensor_(tensor),
        modular_dot_(modular_dot),
        seen_(seen),
        scale_(std::ldexp(1.0, -tensor.unit)) {}

  /// Reads a piece; false where an element is no integer, the first at `index` of the tensor.
  bool read(std::span<const std::byte> bytes, std::uint64_t index, Piece& piece) {
    const std::size_t count = bytes.size() / to_size(element_size(tensor_));
    const auto values = std::span(doubles_).first(count);
    decode_all(tensor_.format, bytes, values);
    const IntegersFound found = modular_dot_.integers(values, scale_, integers_.data());
    if (!found.are_whole) {
      if (!seen_.first_other) seen_.first_other = index + first_other(values, scale_);
      return false;
    }
    seen_.magnitudes |= found.magnitudes;
    const auto integers = std::span<const std::int32_t>(integers_).first(count);
    seen_.zeros += static_cast<std::uint64_t>(std::ranges::count(integers, 0));
    piece.numbers = {integers, static_cast<int>(std::bit_width(found.magnitudes))};
    return true;
  }

 private:
  const IntegerTensor& tensor_;
  const ModularDot& modular_dot_;
  IntegersSeen& seen_;
  double scale_;
  std::array<double, piece_size> doubles_;
  std::array<std::int32_t, piece_size> integers_;
};

}  // namespace

Extent IntegersSeen::extent(int unit) const {
  if (magnitudes == 0) return {};
  const int lowest = unit + std::countr_zero(magnitudes);
  const int top = unit + static_cast<int>(std::bit_width(magnitudes));
  return {.non_zeros = 1, .non_finite = 0, .unit = lowest, .top = top, .lowest_leading = lowest};
}

void visit_pieces(const IntegerTensor& tensor, std::int64_t begin, std::int64_t end,
                  const ModularDot& modular_dot, IntegersSeen& seen,
                  const std::function<void(const Piece&)>& visit) {
  const auto bytes = tensor.entries(begin, end - begin);
  const std::int64_t size = element_size(tensor), entry_size = tensor.entry_size();
  PieceReader reader(tensor, modular_dot, seen);
  for (std::int64_t first = 0; first < entry_size; first += piece_size) {
    const std::int64_t count = std::min(piece_size, entry_size - first);
    for (std::int64_t entry = begin; entry < end; ++entry) {
      const std::int64_t at = (entry - begin) * entry_size + first;
      Piece piece{.entry = entry, .first = first, .numbers = {}};
      const auto some = bytes.subspan(to_size(at * size), to_size(count * size));
      const auto index = static_cast<std::uint64_t>(entry * entry_size + first);
      if (reader.read(some, index, piece)) visit(piece);
    }
  }
}

std::int64_t entries_at_once(const IntegerTensor& tensor) {
  const std::int64_t bytes = std::max<std::int64_t>(tensor.entry_size() * element_size(tensor), 1);
  return std::max<std::int64_t>(bytes_at_once / bytes, 1);
}

Extent scanned_extent(const IntegerTensor& tensor) {
  Extent result;
  std::vector<Number> numbers(piece_size);
  const std::int64_t step = entries_at_once(tensor), size = element_size(tensor);
  for (std::int64_t begin = 0; begin < tensor.shape[0]; begin += step) {
    auto bytes = tensor.entries(begin, std::min(step, tensor.shape[0] - begin));
    while (!bytes.empty()) {
      const auto some = bytes.first(std::min(bytes.size(), to_size(piece_size * size)));
      const auto count = some.size() / to_size(size);
      decode_all(tensor.format, some, std::span(numbers).first(count));
      result = united(result, extent_of(std::span(numbers).first(count), widest_instruction_set()));
      bytes = bytes.subspan(some.size());
    }
  }
  return result;
}

}  // namespace gradproof::oracle
