#include "properties/runs/campaign/earlier_calls.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gradproof::runs {
namespace {

using corpus::Case;
using Calls = std::vector<Case>;

class Search {
 public:
  Search(const targets::Library& library, const targets::RunSettings& settings,
         const std::function<bool(targets::Target&)>& shows,
         std::chrono::steady_clock::time_point deadline)
      : library_(library), settings_(settings), shows_(shows), deadline_(deadline) {}

  bool shows_after(std::span<const Case> calls) const {
    return shows_(*target_after(library_, calls, settings_));
  }

  /// A race shows now and then, whatever was called before.
  bool shows_alone_in_one_of(int tries) const {
    bool shows = shows_after({});
    for (int i = 1; i < tries && !shows && !is_over(); ++i) shows = shows_after({});
    return shows;
  }
  bool shows_each_time_after(std::span<const Case> calls, int tries) const {
    bool shows = true;
    for (int i = 0; i < tries && shows; ++i) shows = shows_after(calls);
    return shows;
  }

  /// The shortest tail of 1, 2, 4, ... calls that suffices; empty: none does.
  std::span<const Case> tail_of(std::span<const Case> before) const {
    for (std::size_t count = 1; !is_over() && !before.empty(); count *= 2) {
      const auto tail = before.last(std::min(count, before.size()));
      if (shows_after(tail)) return tail;
      if (count >= before.size()) break;
    }
    return {};
  }

  /// Leaves out parts, half of the calls at first and single ones at last.
  /// Source: A. Zeller and R. Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002,
  /// whose complements alone are tried: a tail that suffices is there already.
  Calls without_the_needless(Calls calls) const {
    for (std::size_t part = calls.size() / 2; part > 0; part /= 2) {
      for (std::size_t end = calls.size(); end > 0 && !is_over();) {
        const std::size_t begin = end - std::min(part, end);
        Calls fewer = calls;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(begin),
                    fewer.begin() + static_cast<std::ptrdiff_t>(end));
        if (!fewer.empty() && shows_after(fewer)) calls = std::move(fewer);
        end = begin;
      }
    }
    return calls;
  }

 private:
  bool is_over() const { return std::chrono::steady_clock::now() >= deadline_; }

  const targets::Library& library_;
  const targets::RunSettings& settings_;
  const std::function<bool(targets::Target&)>& shows_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace

std::unique_ptr<targets::Target> target_after(const targets::Library& library,
                                              std::span<const Case> calls,
                                              const targets::RunSettings& settings) {
  auto target = library.new_target();
  for (const Case& call : calls) target->run_case(call, settings);
  return target;
}

EarlierCalls earlier_calls_needed(const targets::Library& library,
                                  const targets::RunSettings& settings,
                                  const std::function<Calls()>& before,
                                  const std::function<bool(targets::Target&)>& shows,
                                  std::chrono::steady_clock::time_point deadline) {
  const Search search(library, settings, shows, deadline);
  constexpr int tries_alone = 8;
  constexpr int tries_after = 2;
  if (search.shows_alone_in_one_of(tries_alone)) return {};
  const Calls calls = before();
  const auto tail = search.tail_of(calls);
  EarlierCalls found{.recurrence = Recurrence::Never};
  if (tail.empty() || !search.shows_each_time_after(tail, tries_after)) return found;
  found.needed = search.without_the_needless({tail.begin(), tail.end()});
  const bool is_sure = search.shows_each_time_after(found.needed, tries_after);
  found.recurrence = is_sure ? Recurrence::AfterCalls : Recurrence::Never;
  return found;
}

}  // namespace gradproof::runs
