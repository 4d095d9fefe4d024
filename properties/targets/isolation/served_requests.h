#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "corpus/case.h"
#include "properties/targets/isolation/wire.h"

namespace gradproof::targets {

/// What a child was asked since it began, the last calls of it: what comes only after many calls
/// can be asked again in their order.
class ServedRequests {
 public:
  /// A request with its calls.
  struct One {
    Request request;
    std::vector<corpus::Case> cases;
  };

  void note(const Request& request, std::span<const corpus::Case> cases) {
    calls_ += cases.size();
    while (calls_ > most_calls && !requests_.empty()) {
      calls_ -= requests_.front().cases.size();
      spare_ = std::move(requests_.front().cases);  // its memory serves the next
      requests_.pop_front();
    }
    spare_.assign(cases.begin(), cases.end());
    requests_.push_back({request, std::move(spare_)});
    spare_ = {};
  }
  /// Forgets the calls of the last request behind so many: they were not begun.
  void end_last_after(std::size_t calls) {
    if (requests_.empty()) return;
    auto& cases = requests_.back().cases;
    if (calls >= cases.size()) return;
    calls_ -= cases.size() - calls;
    cases.resize(calls);
  }
  void clear() {
    requests_.clear();
    calls_ = 0;
  }
  std::size_t calls() const { return calls_; }
  const std::deque<One>& requests() const { return requests_; }

 private:
  static constexpr std::size_t most_calls = 2048;

  std::deque<One> requests_;
  std::vector<corpus::Case> spare_;
  std::size_t calls_ = 0;
};

}  // namespace gradproof::targets
