#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gradproof::oracle {

/// A vector that takes over memory which its thread has used before, and leaves it behind: small
/// cases follow one another by the thousand, and need the same few arrays. It holds anything at
/// first, so it is filled before it is read.
template <typename T>
class Scratch {
 public:
  Scratch() {
    if (spares().empty()) return;
    elements_ = std::move(spares().back());
    spares().pop_back();
  }
  ~Scratch() {
    const std::size_t bytes = elements_.capacity() * sizeof(T);
    const bool is_kept = bytes > 0 && bytes <= most_bytes && spares().size() < most_spares;
    if (is_kept) spares().push_back(std::move(elements_));
  }
  Scratch(Scratch&& other) noexcept : elements_(std::move(other.elements_)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::vector<T>& operator*() { return elements_; }
  std::vector<T>* operator->() { return &elements_; }
  const std::vector<T>& operator*() const { return elements_; }
  const std::vector<T>* operator->() const { return &elements_; }

 private:
  static constexpr std::size_t most_bytes = std::size_t{1} << 24U;
  static constexpr std::size_t most_spares = 4;

  static std::vector<std::vector<T>>& spares() {
    thread_local std::vector<std::vector<T>> spares = [] {
      std::vector<std::vector<T>> empty;
      empty.reserve(most_spares);  // so that leaving one behind cannot fail
      return empty;
    }();
    return spares;
  }

  std::vector<T> elements_;
};

}  // namespace gradproof::oracle
