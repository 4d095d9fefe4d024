#pragma once

// Part of the program library_host, which is one source.

#include <random>
#include <vector>

#include "properties/runs/gate/host/element_places.h"
#include "properties/runs/gate/host/held_results.h"

namespace {

/// The begin of an operand again and again, 0, or no numbers.
std::vector<char> used_memory(std::size_t size, unsigned kind, const std::vector<char>& operand) {
  std::vector<char> used(size, kind == 3 ? '\xff' : '\0');
  for (std::size_t at = 0; at < size && !operand.empty() && kind < 2; ++at) {
    used[at] = operand[at % operand.size()];
  }
  return used;
}

/// A call's tensors in memory.
class CallMemory {
 public:
  const Head& head() const { return head_; }
  std::int64_t channels() const { return tensors_[0].shape[1]; }  ///< of gradOutput

  void receive(const Head& head) {
    head_ = head;
    read_exactly(tensors_.data(), sizeof tensors_);
    std::vector<char> text(head_.text_bytes);
    read_exactly(text.data(), text.size());
    for (std::size_t i = 0; i < 3; ++i) {
      operands_.at(i).resize(tensors_.at(i).bytes());
      read_exactly(operands_.at(i).data(), operands_.at(i).size());
    }
  }

  /// Takes shapes, attributes and operands of another.
  void ask_as(const CallMemory& other) {
    head_ = other.head_;
    tensors_ = other.tensors_;
    operands_ = other.operands_;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Tensor& tensor : tensors_) sum += tensor.bytes();
    return sum;
  }

  bool is_asked(std::size_t i) const { return i < 3 || (head_.mask >> (i - 3) & 1U) != 0; }

  /// Puts operands in their memory; in that of results what a user's memory may hold: other
  /// numbers, 0, no numbers, or what is there. Around them, others' numbers.
  bool place(bool has_views) {
    for (std::size_t i = 0; i < 6; ++i) {
      const std::size_t size = tensors_.at(i).bytes();
      places_.at(i) = ElementPlaces::of(tensors_.at(i), i < 3 && has_views, chance_);
      auto& image = images_.at(i);
      if (i < 3) {
        image =
            has_views ? places_.at(i).storage(tensors_.at(i), operands_.at(i)) : operands_.at(i);
      } else {
        const auto kind = chance_() % 5;
        image.assign(size + 2 * guard, static_cast<char>(chance_()));
        const std::vector<char> used = used_memory(size, kind, operands_.at(kind % 2));
        std::copy(used.begin(), used.end(), image.begin() + guard);
        if (kind == 4 && blocks_.at(i).room >= image.size() &&
            !blocks_.at(i).read(image.data() + guard, size, guard)) {
          return false;
        }
      }
      if (!blocks_.at(i).reserve(image.size() + guard)) return false;
      if (!blocks_.at(i).write(image.data(), image.size())) return false;
    }
    return true;
  }

  aclTensor* tensor(std::size_t i, bool has_views) const {
    const Tensor it = tensors_.at(i);
    if (!it.is_there()) return nullptr;
    const auto format = it.rank == 3   ? ACL_FORMAT_NCL
                        : it.rank == 4 ? ACL_FORMAT_NCHW
                        : it.rank == 5 ? ACL_FORMAT_NCDHW
                                       : ACL_FORMAT_ND;
    const ElementPlaces& places = places_.at(i);
    const bool is_view = i < 3 && has_views;
    return api.aclCreateTensor(it.shape.data(), it.rank, static_cast<aclDataType>(it.dtype),
                               places.strides.data(), places.offset, format,
                               is_view ? &places.room : it.shape.data(), is_view ? 1 : it.rank,
                               static_cast<char*>(blocks_.at(i).address) + (i < 3 ? 0 : guard));
  }

  bool read(std::vector<std::vector<char>>& results) const {
    results.clear();
    for (std::size_t i = 3; i < 6; ++i) {
      if (!is_asked(i)) continue;
      results.emplace_back(tensors_.at(i).bytes());
      if (!blocks_.at(i).read(results.back().data(), results.back().size(), guard)) return false;
    }
    return true;
  }

  void protect_operands(int what) const {
    for (std::size_t i = 0; i < 3; ++i) protect(blocks_.at(i), images_.at(i).size(), what);
  }

  /// Describes what the call changed and must not; null: nothing.
  const char* what_was_changed() const {
    for (std::size_t i = 0; i < 6; ++i) {
      const auto& image = images_.at(i);
      std::vector<char> now(image.size());
      const bool is_kept = blocks_.at(i).read(now.data(), now.size());
      if (is_kept && i >= 3 && is_asked(i)) {
        std::copy(image.begin() + guard, image.end() - guard, now.begin() + guard);
      }
      if (is_kept && now == image) continue;
      return i < 3 ? "memory: the call changed an operand"
                   : "memory: the call wrote beyond its results";
    }
    return nullptr;
  }

  /// Gives results away; the next ones lie elsewhere.
  void hold(const std::vector<std::vector<char>>& results, HeldResults& held) {
    for (std::size_t i = 3, at = 0; i < 6; ++i) {
      if (is_asked(i)) held.hold(blocks_.at(i), results.at(at++));
    }
  }

 private:
  Head head_{};
  std::array<Tensor, 6> tensors_{};
  std::array<std::vector<char>, 3> operands_;
  std::array<std::vector<char>, 6> images_;  ///< what their memory held before the call
  std::array<ElementPlaces, 6> places_;
  std::array<Block, 6> blocks_;
  std::random_device chance_;
};

}  // namespace
