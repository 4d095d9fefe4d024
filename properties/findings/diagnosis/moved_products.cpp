#include "properties/findings/diagnosis/clues.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "oracle/facts/axis_order.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/shrink/read_elements.h"
#include "properties/findings/diagnosis/quantities.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using Clock = std::chrono::steady_clock;

/// Most elements that are moved together, and most places along one axis that are looked at.
constexpr std::size_t most_elements = 64, most_places = 26;

/// One operand's share in a move: its elements go so many positions along this axis for each one.
struct MovedPart {
  InputRole role;
  std::size_t axis;
  std::int64_t pitch = 1;
};

/// Role of a move in the sum of a gradient's element.
enum class InTheSum : std::uint8_t { Channel, Place, Other };

struct Move {
  std::string words;  ///< "columns of gradOutput"
  InTheSum part = InTheSum::Other;
  std::vector<MovedPart> parts;  ///< the first one's position is told
};

std::string_view positions(std::size_t axis, std::size_t axes) {
  if (axes == 1) return "positions";
  constexpr std::array<std::string_view, 3> words{"planes", "rows", "columns"};
  return words.at(3 - axes + axis);
}

std::vector<Move> moves_of_grad_weight(const cases::Convolution& sizes) {
  const InputRole small = sizes.transposed ? InputRole::Input : InputRole::GradOutput;
  const InputRole big = sizes.transposed ? InputRole::GradOutput : InputRole::Input;
  std::vector<Move> moves{{"batch items", InTheSum::Place, {{small, 0}, {big, 0}}}};
  if (sizes.groups == 1) {
    for (const InputRole role : {small, big}) {
      moves.push_back(
          {fmt::format("channels of {}", corpus::name_of(role)), InTheSum::Channel, {{role, 1}}});
    }
  }
  for (std::size_t i = 0; i < sizes.axes.size(); ++i) {
    moves.push_back(
        {fmt::format("{} of {}", positions(i, sizes.axes.size()), corpus::name_of(small)),
         InTheSum::Place,
         {{small, i + 2}, {big, i + 2, sizes.axes[i].stride}}});
  }
  return moves;
}

std::vector<Move> moves_of_grad_input(const Case& test_case, const cases::Convolution& sizes) {
  const auto [small, big] = map_names(test_case, sizes);
  const auto [summed_map, own_map] =
      sizes.transposed ? std::pair(big, small) : std::pair(small, big);
  std::vector<Move> moves{{"batch items", InTheSum::Other, {{InputRole::GradOutput, 0}}}};
  if (sizes.groups == 1) {
    const std::size_t summed = sizes.transposed ? 1 : 0;
    moves.push_back({fmt::format("channels of {}", summed_map),
                     InTheSum::Place,
                     {{InputRole::GradOutput, 1}, {InputRole::Weight, summed}}});
    moves.push_back({fmt::format("channels of {}", own_map),
                     InTheSum::Channel,
                     {{InputRole::Weight, 1 - summed}}});
  }
  for (std::size_t i = 0; i < sizes.axes.size(); ++i) {
    moves.push_back({fmt::format("{} of {}", positions(i, sizes.axes.size()), summed_map),
                     InTheSum::Other,
                     {{InputRole::GradOutput, i + 2}}});
  }
  return moves;
}

/// LookedAtPlaces along a move that were looked at, wrong or not.
using LookedAtPlaces = std::map<std::int64_t, bool>;

std::vector<std::int64_t> those(const LookedAtPlaces& places, bool wrong) {
  std::vector<std::int64_t> found;
  for (const auto& [place, is_wrong] : places) {
    if (is_wrong == wrong) found.push_back(place);
  }
  return found;
}

/// A place halfway between neighbours of which one alone is wrong.
std::optional<std::int64_t> between_unlike(const LookedAtPlaces& places) {
  for (auto one = places.begin(); std::next(one) != places.end(); ++one) {
    const auto other = std::next(one);
    if (one->second == other->second || other->first - one->first < 2) continue;
    return one->first + (other->first - one->first) / 2;
  }
  return std::nullopt;
}

/// "from 18 on", "up to 3", "from 3 to 5", "at 7 alone"; "at 3, 8", where borders were not found.
std::string pattern_of(const LookedAtPlaces& places, std::int64_t first, std::int64_t last) {
  const auto wrong = those(places, true);
  const auto right_between = std::ranges::count_if(places, [&](const auto& place) {
    return !place.second && place.first > wrong.front() && place.first < wrong.back();
  });
  const auto is_parity = [&](std::int64_t parity) {
    return std::ranges::all_of(
        places, [&](const auto& place) { return (place.first % 2 == parity) == place.second; });
  };
  if (right_between > 0 && is_parity(1)) return "with odd numbers";
  if (right_between > 0 && is_parity(0)) return "with even numbers";
  if (right_between > 0 || between_unlike(places)) {
    return fmt::format("at {}", fmt::join(wrong, ", "));
  }
  if (wrong.size() == 1) {
    return fmt::format("at {}{}", wrong.front(),
                       wrong.front() == last ? ", the last one" : " alone");
  }
  if (wrong.back() == last) return fmt::format("from {} on", wrong.front());
  if (wrong.front() == first) return fmt::format("up to {}", wrong.back());
  return fmt::format("from {} to {}", wrong.front(), wrong.back());
}

class MovedProducts {
 public:
  MovedProducts(targets::Target& target, const Case& shrunk, const DiagnosisSettings& settings)
      : target_(target),
        shrunk_(shrunk),
        settings_(settings),
        deadline_(Clock::now() + settings.time) {}

  std::vector<std::string> operator()(const std::vector<Move>& moves) {
    std::vector<std::string> sentences;
    bool by_channel = false, by_place = false;
    for (const Move& move : moves) {
      const auto places = looked_at(move);
      if (!places) continue;
      by_channel = by_channel || move.part == InTheSum::Channel;
      by_place = by_place || move.part == InTheSum::Place;
      sentences.push_back(fmt::format(
          "wrong where the elements lie at {} {}, all else as in this call (agrees: {}; wrong: {})",
          move.words, pattern_of(*places, first_, last_), fmt::join(those(*places, false), ", "),
          fmt::join(those(*places, true), ", ")));
    }
    if (by_channel && by_place) {
      sentences.insert(
          sentences.begin(),
          "a partial sum is lost or added wrongly: other channels have these places of "
          "the sum, and these channels have others");
    }
    return sentences;
  }

 private:
  bool is_over() const {
    return Clock::now() >= deadline_ || (settings_.stop && settings_.stop->load());
  }

  /// The places along the move where it was run; nullopt where it is wrong at all of them, or where
  /// they were too few to say.
  std::optional<LookedAtPlaces> looked_at(const Move& move) {
    if (!measure(move) || last_ == first_) return std::nullopt;
    LookedAtPlaces places{{own_, true}};
    for (const std::int64_t place :
         {first_, last_, own_ - 1, own_ + 1, first_ + (last_ - first_) / 2}) {
      if (!look(move, place, places)) return std::nullopt;
    }
    if (those(places, false).empty()) return std::nullopt;
    for (const std::int64_t place : {own_ - 2, own_ + 2}) {
      if (!look(move, place, places)) return std::nullopt;
    }
    while (const auto between = between_unlike(places)) {
      if (places.size() >= most_places) break;
      if (!look(move, *between, places)) return std::nullopt;
    }
    return places;
  }

  /// Notes whether it is wrong there; false: no answer. A place outside of the tensors is passed.
  bool look(const Move& move, std::int64_t place, LookedAtPlaces& places) {
    if (place < first_ || place > last_ || places.contains(place)) return true;
    if (is_over()) return false;
    Case moved = shrunk_;
    for (const MovedPart& part : move.parts) {
      for (auto& element : moved.data->listed[part.role]) {
        element.at[part.axis] += (place - own_) * part.pitch;
      }
    }
    const auto verdict = cases::check(target_, moved, settings_.check);
    const bool is_wrong = verdict.outcome == corpus::Outcome::Disagree;
    if (!is_wrong && verdict.outcome != corpus::Outcome::Agree) return false;
    places[place] = is_wrong;
    return true;
  }

  /// Finds the place of the first element, and the first and last place at which all are inside.
  /// False where a part has no elements.
  bool measure(const Move& move) {
    std::int64_t least = 0, most = 0;
    for (const MovedPart& part : move.parts) {
      const auto& listed = shrunk_.data->listed[part.role];
      const auto& tensor = corpus::tensor(shrunk_, part.role);
      if (listed.empty() || !tensor) return false;
      const auto [low, high] = std::ranges::minmax(
          listed, {}, [&](const auto& element) { return element.at[part.axis]; });
      const std::int64_t down = low.at[part.axis] / part.pitch;
      const std::int64_t up = (tensor->shape[part.axis] - 1 - high.at[part.axis]) / part.pitch;
      const bool is_first = &part == &move.parts.front();
      least = is_first ? down : std::min(least, down);
      most = is_first ? up : std::min(most, up);
      if (is_first) own_ = low.at[part.axis];
    }
    first_ = own_ - least;
    last_ = own_ + most;
    return true;
  }

  targets::Target& target_;
  const Case& shrunk_;
  const DiagnosisSettings& settings_;
  Clock::time_point deadline_;
  std::int64_t own_ = 0, first_ = 0, last_ = 0;
};

/// Tensors that keep N, C and the axes of the map in this order, which moves count along.
bool has_plain_orders(const Case& test_case) {
  return std::ranges::all_of(corpus::input_roles, [&](InputRole role) {
    const auto& tensor = corpus::tensor(test_case, role);
    return !tensor || !oracle::own_order(test_case, *tensor);
  });
}

bool has_few_elements(const Case& test_case) {
  if (!test_case.data || test_case.data->distribution != corpus::Distribution::Listed) return false;
  std::size_t elements = 0;
  for (const auto& listed : test_case.data->listed) elements += listed.size();
  return elements > 0 && elements <= most_elements;
}

}  // namespace

std::vector<std::string> where_products_are_wrong(targets::Target& target, const Case& shrunk,
                                                  const corpus::Verdict& verdict,
                                                  const DiagnosisSettings& settings) {
  const auto sizes = cases::convolution_of(shrunk);
  const bool is_movable = sizes && cases::is_large(shrunk) && has_few_elements(shrunk) &&
                          has_plain_orders(shrunk) && verdict.culprit;
  if (!is_movable || *verdict.culprit == OutputRole::GradBias) return {};
  const bool is_weight = *verdict.culprit == OutputRole::GradWeight;
  return MovedProducts(target, shrunk, settings)(is_weight ? moves_of_grad_weight(*sizes)
                                                           : moves_of_grad_input(shrunk, *sizes));
}

}  // namespace gradproof::findings::diagnosis
