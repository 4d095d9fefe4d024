#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "oracle/sums/large_vector.h"

namespace gradproof::oracle {

/// A vector that reuses memory of an earlier Scratch<T> of the same thread, and leaves its own to
/// the next one: small cases follow one another by the thousand, and need the same few arrays.
/// Its first contents are unspecified, so it is filled before it is read.
///
/// A thread keeps at most 8 vectors and 64 MiB for each T, until the thread ends.
/// Not shared between threads, so it needs no lock; values never depend on what a vector held
/// before.
template <typename T>
class Scratch {
 public:
  Scratch() {
    Spares& kept = spares();
    if (kept.vectors.empty()) return;
    elements_ = std::move(kept.vectors.back());
    kept.vectors.pop_back();
    kept.bytes -= bytes();
  }
  ~Scratch() {
    Spares& kept = spares();
    const bool is_kept =
        bytes() > 0 && kept.bytes + bytes() <= most_bytes && kept.vectors.size() < most_spares;
    if (!is_kept) return;
    kept.bytes += bytes();
    kept.vectors.push_back(std::move(elements_));
  }
  Scratch(Scratch&& other) noexcept : elements_(std::move(other.elements_)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  LargeVector<T>& operator*() { return elements_; }
  LargeVector<T>* operator->() { return &elements_; }
  const LargeVector<T>& operator*() const { return elements_; }
  const LargeVector<T>* operator->() const { return &elements_; }

 private:
  static constexpr std::size_t most_bytes = std::size_t{1} << 26U;
  static constexpr std::size_t most_spares = 8;

  /// Vectors of a thread that are not in use.
  struct Spares {
    std::vector<LargeVector<T>> vectors;
    std::size_t bytes = 0;
  };

  static Spares& spares() {
    thread_local Spares spares = [] {
      Spares empty;
      empty.vectors.reserve(most_spares);  // so that leaving one behind cannot fail
      return empty;
    }();
    return spares;
  }

  std::size_t bytes() const { return elements_.capacity() * sizeof(T); }

  LargeVector<T> elements_;
};

}  // namespace gradproof::oracle
