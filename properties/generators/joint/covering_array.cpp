#include "properties/generators/joint/covering_array.h"

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <span>

#include "corpus/random_source.h"

namespace gradproof::properties {
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
      return static_cast<std::size_t>(call_classes.at(index).dimension) == dimension;
    });
  }
};

Classes row_of(const Partial& full) {
  Classes row{};
  for (const std::uint8_t index : full.classes) {
    row.at(static_cast<std::size_t>(call_classes.at(index).dimension)) = index;
  }
  return row;
}

Triple sorted(std::uint8_t first, std::uint8_t second, std::uint8_t third) {
  Triple triple{first, second, third};
  std::ranges::sort(triple);
  return triple;
}

/// Whether some row has the chosen classes: the dimension with the fewest choices left comes first.
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
  explicit Builder(const ClassSet& admitted)
      : admitted_(admitted), completion_(admitted), open_(legal_triples().size()) {
    for (std::size_t i = 0; i < open_.size(); ++i) {
      open_[i] = std::ranges::all_of(legal_triples()[i],
                                     [&](std::uint8_t index) { return admitted_.test(index); });
      if (open_[i]) left_.push_back(i);
    }
  }

  std::vector<Classes> rows() {
    std::vector<Classes> made;
    while (!left_.empty()) {
      if (const auto row = best_row()) {
        close(*row);
        made.push_back(*row);
      } else {
        open_[seed_] = false;  // no row can have it
      }
      std::erase_if(left_, [&](std::size_t place) { return !open_[place]; });
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
      seed_ = random_.one_of(std::span<const std::size_t>(left_));
      Partial partial;
      for (const std::uint8_t index : legal_triples()[seed_]) partial.push(index);
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
      std::swap(
          order.at(i),
          order.at(static_cast<std::size_t>(random_.between(0, static_cast<std::int64_t>(i)))));
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
    for (const std::uint8_t index : legal_triples()[seed_]) seed.set(index);
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
         i < call_classes.size() &&
         static_cast<std::size_t>(call_classes.at(i).dimension) == dimension;
         ++i) {
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

  bool is_open(const Triple& triple) const {
    const auto place = place_of(triple);
    return place && open_[*place];
  }

  std::size_t gain_of(const Partial& partial, std::uint8_t index) const {
    std::size_t gain = 0;
    for (std::size_t i = 0; i < partial.classes.size(); ++i) {
      for (std::size_t j = i + 1; j < partial.classes.size(); ++j) {
        gain += is_open(sorted(partial.classes[i], partial.classes[j], index)) ? 1 : 0;
      }
    }
    return gain;
  }

  std::size_t new_triples(const Classes& row) const {
    std::size_t count = 0;
    for_each_triple(row, [&](std::size_t place) { count += open_[place] ? 1 : 0; });
    return count;
  }

  void close(const Classes& row) {
    for_each_triple(row, [&](std::size_t place) { open_[place] = false; });
  }

  static constexpr int never_again = INT_MIN;

  ClassSet admitted_;
  Completion completion_;
  int tried_ = 0;                  ///< classes, for this triple
  std::vector<bool> open_;         ///< by legal_triples(): in no row yet
  std::vector<std::size_t> left_;  ///< places of the open ones
  std::size_t seed_ = 0;
  corpus::RandomSource random_{3, 0};  ///< a constant: the array is no choice of a run
};

}  // namespace

std::vector<Classes> covering_array(const ClassSet& admitted) { return Builder(admitted).rows(); }

}  // namespace gradproof::properties
