#include "properties/cases/generators/joint/joint_cases.h"

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <mutex>
#include <span>

namespace gradproof::cases {
namespace {

/// Rows that are drawn to choose the one with the most new triples.
constexpr int candidates_per_row = 4;

/// Classes that are tried for one triple before it is asked whether any row can have it. Where few
/// classes are admitted many triples are in none, and going back through all that could be chosen
/// takes seconds.
constexpr int patience = 60;

using Order = std::array<std::size_t, dimension_count>;

/// The classes that are chosen so far: of which dimensions, and which.
struct Partial {
  ClassSet chosen;
  std::vector<std::uint8_t> classes;

  void push(std::size_t index) {
    chosen.set(index);
    classes.push_back(static_cast<std::uint8_t>(index));
  }
  void pop() {
    chosen.reset(classes.back());
    classes.pop_back();
  }
  bool has(std::size_t dimension) const {
    return std::ranges::any_of(classes, [&](std::uint8_t index) {
      return to_size(call_classes.at(index).dimension) == dimension;
    });
  }
};

Classes row_of(const Partial& full) {
  Classes row{};
  for (const std::uint8_t index : full.classes) {
    row.at(to_size(call_classes.at(index).dimension)) = index;
  }
  return row;
}

/// Triples that are in no row yet, by their classes in any order: asked for millions of times.
class OpenTriples {
 public:
  bool has(std::size_t first, std::size_t second, std::size_t third) const {
    return open_[(first * count + second) * count + third] != 0;
  }

  void set(Triple triple, bool is_open) {
    std::ranges::sort(triple);
    do {
      const auto [first, second, third] = triple;
      open_[(std::size_t{first} * count + second) * count + third] = is_open ? 1 : 0;
    } while (std::ranges::next_permutation(triple).found);
  }

 private:
  static constexpr std::size_t count = call_classes.size();

  std::vector<std::uint8_t> open_ = std::vector<std::uint8_t>(count * count * count);
};

/// Search for a row with the chosen classes, beginning where the fewest choices are left.
class Completion {
 public:
  explicit Completion(const ClassSet& admitted) : admitted_(admitted) {}

  bool exists(const ClassSet& chosen) const {
    std::vector<std::size_t> fewest;
    for (std::size_t first = 0; first < call_classes.size();) {
      const std::size_t end = end_of_dimension(first);
      if (!has_any(chosen, first, end)) {
        std::vector<std::size_t> choices = choices_in(chosen, first, end);
        if (choices.empty()) return false;
        if (fewest.empty() || choices.size() < fewest.size()) fewest = std::move(choices);
      }
      first = end;
    }
    return fewest.empty() || std::ranges::any_of(fewest, [&](std::size_t index) {
             return exists(ClassSet(chosen).set(index));
           });
  }

 private:
  static std::size_t end_of_dimension(std::size_t first) {
    std::size_t end = first + 1;
    while (end < call_classes.size() &&
           call_classes.at(end).dimension == call_classes.at(first).dimension) {
      ++end;
    }
    return end;
  }
  static bool has_any(const ClassSet& chosen, std::size_t first, std::size_t end) {
    while (first < end && !chosen.test(first)) ++first;
    return first < end;
  }
  std::vector<std::size_t> choices_in(const ClassSet& chosen, std::size_t first,
                                      std::size_t end) const {
    std::vector<std::size_t> choices;
    for (std::size_t i = first; i < end; ++i) {
      if (admitted_.test(i) && !is_excluded(ClassSet(chosen).set(i))) choices.push_back(i);
    }
    return choices;
  }

  ClassSet admitted_;
};

class Builder {
 public:
  explicit Builder(const ClassSet& admitted) : admitted_(admitted), completion_(admitted) {
    for (const Triple& triple : legal_triples()) {
      const auto is_admitted = [&](std::uint8_t index) { return admitted_.test(index); };
      if (!std::ranges::all_of(triple, is_admitted)) continue;
      open_.set(triple, true);
      left_.push_back(triple);
    }
  }

  std::vector<Classes> rows() {
    std::vector<Classes> made;
    while (!left_.empty()) {
      if (const auto row = best_row()) {
        close(*row);
        made.push_back(*row);
      } else {
        open_.set(seed_, false);  // no row can have it
      }
      std::erase_if(left_, [&](const Triple& triple) { return !is_open(triple); });
    }
    return made;
  }

 private:
  /// The best of some rows that have one random open triple each; nullopt where one of these
  /// triples, then `seed_`, can be in none.
  std::optional<Classes> best_row() {
    std::optional<Classes> best;
    std::size_t most = 0;
    for (int i = 0; i < candidates_per_row; ++i) {
      seed_ = random_.one_of(std::span<const Triple>(left_));
      Partial partial;
      for (const std::uint8_t index : seed_) partial.push(index);
      tried_ = 0;
      if (!complete(partial, shuffled(), 0)) return std::nullopt;
      const Classes row = row_of(partial);
      const std::size_t gain = new_triples(row);
      if (gain > most) best = row;
      most = std::max(most, gain);
    }
    return best;
  }

  Order shuffled() {
    Order order{};
    for (std::size_t i = 0; i < order.size(); ++i) order.at(i) = i;
    for (std::size_t i = order.size(); i-- > 1;) {
      std::swap(order.at(i), order.at(to_size(random_.between(0, static_cast<std::int64_t>(i)))));
    }
    return order;
  }

  /// Chooses a class of each dimension from order[at] on that has none, where the first choices
  /// leave none by going back.
  bool complete(Partial& partial, const Order& order, std::size_t at) {
    while (at < order.size() && partial.has(order.at(at))) ++at;
    if (at == order.size()) return true;
    if (tried_ > patience) return false;  // it is known that there is none
    for (const std::uint8_t index : by_gain(partial, order.at(at))) {
      partial.push(index);
      if (++tried_ == patience && can_be_completed()) tried_ = never_again;
      if (!is_excluded(partial.chosen) && complete(partial, order, at + 1)) return true;
      partial.pop();
    }
    return false;
  }

  bool can_be_completed() const {
    ClassSet seed;
    for (const std::uint8_t index : seed_) seed.set(index);
    return completion_.exists(seed);
  }

  /// The admitted classes of a dimension, those that close most open triples first; equal ones in
  /// random order.
  std::vector<std::uint8_t> by_gain(const Partial& partial, std::size_t dimension) {
    struct Ranked {
      std::size_t gain;
      std::uint64_t tie;
      std::uint8_t index;
    };
    std::vector<Ranked> ranked;
    for (std::size_t i = first_class(static_cast<Dimension>(dimension));
         i < call_classes.size() && to_size(call_classes.at(i).dimension) == dimension; ++i) {
      const auto index = static_cast<std::uint8_t>(i);
      if (admitted_.test(i)) ranked.push_back({gain_of(partial, index), random_.next(), index});
    }
    std::ranges::sort(ranked, [](const Ranked& left, const Ranked& right) {
      return left.gain != right.gain ? left.gain > right.gain : left.tie < right.tie;
    });
    std::vector<std::uint8_t> classes;
    classes.reserve(ranked.size());
    for (const Ranked& row : ranked) classes.push_back(row.index);
    return classes;
  }

  bool is_open(const Triple& triple) const { return open_.has(triple[0], triple[1], triple[2]); }

  std::size_t gain_of(const Partial& partial, std::uint8_t index) const {
    std::size_t gain = 0;
    for (std::size_t i = 0; i < partial.classes.size(); ++i) {
      for (std::size_t j = i + 1; j < partial.classes.size(); ++j) {
        gain += open_.has(partial.classes[i], partial.classes[j], index) ? 1 : 0;
      }
    }
    return gain;
  }

  std::size_t new_triples(const Classes& row) const {
    std::size_t count = 0;
    for_each_of(row, [&](const Triple& triple) { count += is_open(triple) ? 1 : 0; });
    return count;
  }

  void close(const Classes& row) {
    for_each_of(row, [&](const Triple& triple) { open_.set(triple, false); });
  }

  /// Visits the triples of a row; triples that no call can have are never open.
  template <typename Visit>
  static void for_each_of(const Classes& row, const Visit& visit) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (std::size_t j = i + 1; j < row.size(); ++j) {
        for (std::size_t k = j + 1; k < row.size(); ++k) visit(Triple{row[i], row[j], row[k]});
      }
    }
  }

  static constexpr int never_again = INT_MIN;

  ClassSet admitted_;
  Completion completion_;
  int tried_ = 0;  ///< classes, for this triple
  OpenTriples open_;
  std::vector<Triple> left_;  ///< the open ones
  Triple seed_{};
  corpus::RandomSource random_{3, 0};  ///< a constant: the array is no choice of a run
};

}  // namespace

/// Covering array of the classes, kept because every look at a selection asks for the same one.
std::vector<Classes> covering_array(const ClassSet& admitted) {
  static std::mutex mutex;
  static std::map<unsigned long long, std::vector<Classes>> made;
  const std::scoped_lock lock(mutex);
  const auto [place, is_new] = made.try_emplace(admitted.to_ullong());
  if (is_new) place->second = Builder(admitted).rows();
  return place->second;
}

}  // namespace gradproof::cases
