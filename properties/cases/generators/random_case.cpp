#include "properties/cases/generators/random_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "corpus/product_row.h"
#include "corpus/words/spelling.h"
#include "properties/cases/generators/shares.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/targets/session/unwritten.h"

namespace gradproof::cases {
namespace {

/// Percentage of cases that call a graph operator, where the selection admits both kinds.
constexpr std::uint64_t percent_operators = 12;
/// Likewise those that ask a tiling class.
constexpr std::uint64_t percent_tilings = 4;

/// True if a named rule is the breaker's; no name: all are.
bool is_wanted(const Selection& selection, std::string_view rule) {
  return selection.rules.empty() ||
         std::ranges::find(selection.rules, rule) != selection.rules.end();
}

template <typename Rows>
bool has_row(const Rows& rows, std::string_view rule) {
  return std::ranges::any_of(rows, [&](const auto& row) { return row.rule == rule; });
}

/// The five that a generator breaks whose names are nearest.
std::string nearest_rules(std::string_view rule) {
  std::vector<std::string> names;
  const auto add = [&](const auto& rows) {
    for (const auto& row : rows) names.emplace_back(row.rule);
  };
  add(rule_breakers());
  add(operator_breakers());
  add(tiling_breakers());
  std::ranges::sort(names);
  // Clang 14 cannot compile std::ranges::unique of this library.
  names.erase(std::unique(names.begin(), names.end()), names.end());
  constexpr std::size_t most = 5;
  return fmt::format("{}", fmt::join(corpus::nearest_words(rule, names, most), ", "));
}

std::string unknown_rules(const Selection& selection) {
  for (const std::string& rule : selection.rules) {
    const bool has_breaker = has_row(rule_breakers(), rule) || has_row(operator_breakers(), rule) ||
                             has_row(tiling_breakers(), rule);
    if (!has_breaker) return rule;
  }
  return {};
}

std::vector<OperatorBreaker> operator_breakers_of(const Selection& selection,
                                                  const std::vector<OperatorFrame>& frames) {
  std::vector<OperatorBreaker> chosen;
  std::ranges::copy_if(
      operator_breakers(), std::back_inserter(chosen), [&](const OperatorBreaker& row) {
        return is_wanted(selection, row.rule) && std::ranges::any_of(frames, row.applies);
      });
  return chosen;
}

std::vector<TilingBreaker> tiling_breakers_of(const Selection& selection,
                                              const std::vector<TilingFrame>& frames) {
  std::vector<TilingBreaker> chosen;
  std::ranges::copy_if(tiling_breakers(), std::back_inserter(chosen),
                       [&](const TilingBreaker& row) {
                         const auto& apis = selection.apis;
                         return !frames.empty() && is_wanted(selection, row.rule) &&
                                std::ranges::find(apis, row.api) != apis.end();
                       });
  return chosen;
}

/// Drops the breakers whose calls all lie outside of the selection: of one dtype alone no rule
/// about mixed ones can be broken. `draw`: a call that breaks the rule, inside, if there is one.
template <typename Breakers, typename Draw>
void drop_those_outside(Breakers& breakers, Draw draw) {
  std::erase_if(breakers, [&](const auto& breaker) {
    corpus::RandomSource random(0, 0);
    return !draw(breaker, random);
  });
}

bool calls_convolution(const Selection& selection) {
  return std::ranges::find(selection.apis, corpus::Api::ConvolutionBackward) !=
         selection.apis.end();
}

template <std::size_t count>
std::string names_of(const std::array<corpus::Product, count>& products) {
  std::string names;
  for (const corpus::Product product : products) {
    if (!names.empty()) names += ", ";
    names += name_of(product);
  }
  return names;
}

/// DOUBLE is in no class.
std::vector<Frame> frames_of_classes(std::vector<Frame> frames) {
  std::erase_if(frames, [](const Frame& frame) { return frame.dtype == corpus::DataType::Double; });
  return frames;
}

std::string why_nothing_is_admitted(const Selection& selection) {
  return fmt::format(
      "the selection{} admits no case: {}, tiling classes take 3D convolutions on {}",
      options_of(selection), what_operators_take(),
      names_of(corpus::products_where<corpus::has_ascend_c_gradients>()));
}

}  // namespace

tl::expected<CaseSource, std::string> CaseSource::of(const Selection& selection) {
  if (const std::string rule = unknown_rules(selection); !rule.empty()) {
    return tl::unexpected(
        fmt::format("--rule {}: no generator breaks this rule; nearest: {}; `gradproof list rules` "
                    "shows those that one does",
                    rule, nearest_rules(rule)));
  }
  if (!selection.rules.empty() && selection.kind == Kind::Valid) {
    return tl::unexpected(std::string("--rule names rules to break, --kind valid breaks none"));
  }
  CaseSource source(selection);
  if (selection.call) return source;
  source.operator_frames_ = operator_frames_of(selection);
  source.operator_breakers_ = operator_breakers_of(selection, source.operator_frames_);
  source.tiling_frames_ = tiling_frames_of(selection);
  source.tiling_breakers_ = tiling_breakers_of(selection, source.tiling_frames_);
  auto frames = frames_of(selection);
  const bool is_called = calls_convolution(selection);
  if (is_called && frames) source.frames_ = std::move(*frames);
  if (source.frames_.empty() && source.operator_frames_.empty() && source.tiling_frames_.empty()) {
    return tl::unexpected(is_called ? frames.error() : why_nothing_is_admitted(selection));
  }
  const bool has_legal = selection.kind != Kind::Invalid && selection.rules.empty();
  if (has_legal) source.joint_ = JointCases(frames_of_classes(source.frames_));
  source.breakers_ = rule_breakers_of(selection, source.frames_);
  source.keep_breakers_inside();
  const bool breaks_nothing = source.breakers_.empty() && source.operator_breakers_.empty() &&
                              source.tiling_breakers_.empty();
  if (breaks_nothing && selection.kind != Kind::Valid) {
    return tl::unexpected(fmt::format(
        "the selection{} admits no invalid call: none of these rules speaks about the rest of it",
        options_of(selection)));
  }
  return source;
}

void CaseSource::keep_breakers_inside() {
  using corpus::RandomSource;
  drop_those_outside(breakers_, [&](const RuleBreaker& breaker, RandomSource& random) {
    return draw_invalid_case({breaker}, frames_, selection_, random).test_case.has_value();
  });
  drop_those_outside(operator_breakers_, [&](const OperatorBreaker& breaker, RandomSource& random) {
    int discarded = 0;
    return broken_inside(breaker, random, discarded).has_value();
  });
  drop_those_outside(tiling_breakers_, [&](const TilingBreaker& breaker, RandomSource& random) {
    int discarded = 0;
    return broken_inside(breaker, random, discarded).has_value();
  });
}

CaseSource::Family CaseSource::family_of(std::uint64_t seed, std::uint64_t index) const {
  const bool only_rules = !selection_.rules.empty();
  const bool has_operators =
      !operator_frames_.empty() && !(only_rules && operator_breakers_.empty());
  const bool has_tilings = !tiling_frames_.empty() && !(only_rules && tiling_breakers_.empty());
  const bool has_convolution = !frames_.empty() && !(only_rules && breakers_.empty());
  constexpr std::uint64_t salt = 0x0B5E55ED;  // other choices follow from the seed and index too
  const std::uint64_t percent = corpus::mixed(corpus::mixed(seed ^ salt) + index) % 100;
  if (has_convolution) {
    if (percent < percent_operators) {
      return has_operators ? Family::Operator : Family::Convolution;
    }
    const bool asks = has_tilings && percent < percent_operators + percent_tilings;
    return asks ? Family::Tiling : Family::Convolution;
  }
  if (has_operators && has_tilings) return percent < 50 ? Family::Operator : Family::Tiling;
  return has_operators ? Family::Operator : Family::Tiling;
}

GeneratedCase CaseSource::generate(std::uint64_t seed, std::uint64_t index) const {
  constexpr std::uint64_t most_draws = 64;  // one forward call in sixteen has the dtype asked for
  GeneratedCase generated = draw_once(seed, index);
  if (!selection_.of_tensors || selection_.call) return generated;
  const auto is_outside = [&] {
    return why_outside(selection_, generated.test_case) != nullptr ||
           targets::why_no_tensors_answer(generated.test_case) != nullptr;
  };
  for (std::uint64_t i = 1; i < most_draws && is_outside(); ++i) {
    generated = draw_once(corpus::mixed(seed + i) >> 32U, index);
  }
  return generated;
}

GeneratedCase CaseSource::draw_once(std::uint64_t seed, std::uint64_t index) const {
  corpus::RandomSource random(seed, index);
  GeneratedCase generated;
  if (selection_.call) {
    generated.test_case = typed_case(index);
  } else if (auto joint = joint_case(seed, index, random)) {
    generated.test_case = std::move(*joint);
  } else {
    generated = drawn(family_of(seed, index), random);
  }
  generated.test_case.id = generated_id(seed, index);
  generated.seed = seed;
  return generated;
}

corpus::Case CaseSource::typed_case(std::uint64_t index) const {
  corpus::Case test_case = selection_.call->test_case;
  const auto& products = selection_.products;
  if (!products.empty()) test_case.soc = corpus::name_of(products[index % products.size()]);
  test_case.source = "typed";
  return test_case;
}

std::optional<corpus::Case> CaseSource::joint_case(std::uint64_t seed, std::uint64_t index,
                                                   corpus::RandomSource& random) const {
  const auto row = joint_.row_at(seed, index);
  if (!row) return std::nullopt;
  auto test_case = joint_.draw(*row, selection_, random);
  if (test_case) test_case->source = "generated";
  return test_case;
}

GeneratedCase CaseSource::drawn(Family family, corpus::RandomSource& random) const {
  switch (family) {
    case Family::Operator:
      return operator_case(random);
    case Family::Tiling:
      return tiling_case(random);
    case Family::Convolution:
      break;
  }
  return convolution_case(random);
}

GeneratedCase CaseSource::convolution_case(corpus::RandomSource& random) const {
  const bool only_rules = !selection_.rules.empty();
  const bool invalid = selection_.kind == Kind::Invalid || only_rules ||
                       (selection_.kind == Kind::All && random.chance(shares::invalid));
  corpus::Case test_case;
  InvalidCase broken;
  if (invalid) broken = draw_invalid_case(breakers_, frames_, selection_, random);
  if (broken.test_case) {
    test_case = std::move(*broken.test_case);
    test_case.source = fmt::format("generated, breaks {}", broken.rule);
  } else {
    test_case = draw_valid_case(draw_frame(frames_, random), selection_, random);
    test_case.source = invalid ? gave_up : "generated";
  }
  return after_discarding(broken.discarded, std::move(test_case));
}

std::string generated_id(std::uint64_t seed, std::uint64_t index) {
  return fmt::format("{}-{}", seed, index);
}

}  // namespace gradproof::cases
