#pragma once

// Part of the program library_host, which is one source.

#include <chrono>
#include <functional>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/runs/gate/host/block.h"

namespace {

/// Earlier results of some calls: what a caller holds is not written any more.
class HeldResults {
 public:
  /// Takes the block.
  void hold(Block& block, const std::vector<char>& result) {
    held_.push_back({block, result.size(), hash_of(result)});
    block = {};
    bytes_ += result.size();
    while (bytes_ > 32'000'000 || held_.size() > 1'000) {
      std::swap(held_.at(chance_() % held_.size()), held_.back());
      api.aclrtFree(held_.back().block.address);
      bytes_ -= held_.back().size;
      held_.pop_back();
    }
  }
  /// Looks at times alone.
  bool are_as_they_were() {
    const auto now = std::chrono::steady_clock::now();
    if (now < look_at_) return true;
    look_at_ = now + std::chrono::milliseconds(100 + chance_() % 500);
    for (const Held& one : held_) {
      std::vector<char> bytes(one.size);
      if (!one.block.read(bytes.data(), one.size, guard) || hash_of(bytes) != one.hash)
        return false;
    }
    return true;
  }

 private:
  struct Held {
    Block block;
    std::size_t size, hash;
  };
  static std::size_t hash_of(const std::vector<char>& bytes) {
    return std::hash<std::string_view>()({bytes.data(), bytes.size()});
  }
  std::vector<Held> held_;
  std::size_t bytes_ = 0;
  std::chrono::steady_clock::time_point look_at_;
  std::random_device chance_;
};

}  // namespace
