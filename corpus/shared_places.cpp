#include "corpus/shared_places.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace gradproof::corpus {
namespace {

/// Where an element lies in the storage, and which one it is; both counted in elements.
struct Placed {
  std::uint64_t place;
  std::size_t element;
};

std::vector<Placed> placed_elements(const TensorCase& tensor, std::size_t count) {
  std::vector<Placed> all(count);
  std::vector<std::int64_t> at(tensor.shape.size(), 0);
  for (std::size_t element = 0; element < count; ++element) {
    std::uint64_t place = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      place += static_cast<std::uint64_t>(at[axis]) *
               static_cast<std::uint64_t>((*tensor.strides)[axis]);
    }
    all[element] = {place, element};
    for (std::size_t axis = at.size(); axis-- > 0;) {
      if (++at[axis] < tensor.shape[axis]) break;
      at[axis] = 0;
    }
  }
  return all;
}

/// The elements of one place, in row-major order.
class Sharers {
 public:
  Sharers(std::span<const Placed> sharers, std::byte* elements, std::size_t size)
      : sharers_(sharers), elements_(elements), size_(size) {}

  void settle(PlaceValue chosen) const {
    const std::byte* value = at(0);
    if (chosen == PlaceValue::Only) {
      value = only_value();
      if (value == nullptr) return;
    }
    for (std::size_t i = 0; i < sharers_.size(); ++i) std::memmove(at(i), value, size_);
  }

 private:
  std::byte* at(std::size_t i) const { return elements_ + sharers_[i].element * size_; }

  /// Value that all sharers have; null where there is none, or several that differ.
  const std::byte* only_value() const {
    const std::byte* found = nullptr;
    for (std::size_t i = 0; i < sharers_.size(); ++i) {
      const std::byte* value = at(i);
      if (std::all_of(value, value + size_, [](std::byte byte) { return byte == std::byte{0}; })) {
        continue;
      }
      if (found != nullptr && std::memcmp(found, value, size_) != 0) return nullptr;
      found = value;
    }
    return found;
  }

  std::span<const Placed> sharers_;
  std::byte* elements_;
  std::size_t size_;
};

}  // namespace

bool may_share_places(const TensorCase& tensor) {
  if (!tensor.strides || tensor.strides->size() != tensor.shape.size()) return false;
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride, length
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    if (tensor.shape[axis] > 1) axes.emplace_back((*tensor.strides)[axis], tensor.shape[axis]);
  }
  std::ranges::sort(axes);
  std::int64_t reach = 0;
  for (const auto& [stride, length] : axes) {
    std::int64_t step = 0;
    if (stride <= reach || __builtin_mul_overflow(stride, length - 1, &step) ||
        __builtin_add_overflow(reach, step, &reach)) {
      return true;
    }
  }
  return false;
}

void settle_shared_places(std::vector<std::byte>& elements, const TensorCase& tensor,
                          PlaceValue chosen) {
  const std::size_t size = size_bytes(tensor.dtype);
  if (size == 0 || !may_share_places(tensor)) return;
  std::vector<Placed> all = placed_elements(tensor, elements.size() / size);
  std::ranges::stable_sort(all, {}, &Placed::place);
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(),
                                  [&](const Placed& one) { return one.place != begin->place; });
    if (end - begin > 1) Sharers({begin, end}, elements.data(), size).settle(chosen);
    begin = end;
  }
}

}  // namespace gradproof::corpus
