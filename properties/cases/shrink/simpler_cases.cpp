#include "properties/cases/shrink/simpler_cases.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "properties/cases/shrink/simpler_steps.h"

namespace gradproof::cases {
namespace {

// What takes away most comes first.
constexpr const SimplerStep* steps[] = {&simpler_settings, &simpler_sizes,  &listed_data,
                                        &cropped_data,     &fewer_elements, &plainer_elements};

}  // namespace

SimplerCases::SimplerCases(corpus::Case test_case, StepPlace first)
    : problem_(std::move(test_case)),
      place_{first.stage % std::size(steps), first.index},
      begin_(first.index),
      next_(first.index) {}

SimplerCases::StepPlace SimplerCases::first_of_fewer_elements() {
  return {static_cast<std::size_t>(std::ranges::find(steps, &fewer_elements) - std::begin(steps)),
          0};
}

/// The next case among the steps of this stage before `end`.
std::optional<corpus::Case> SimplerCases::next_of_stage(std::size_t end) {
  const SimplerStep& step = *steps[place_.stage];
  while (next_ < end) {
    place_.index = next_++;
    auto simpler = step.make(problem_, place_.index);
    if (simpler && *simpler != problem_) return simpler;
  }
  return std::nullopt;
}

std::optional<corpus::Case> SimplerCases::next() {
  while (stages_done_ < std::size(steps)) {
    const std::size_t count = steps[place_.stage]->count(problem_);
    if (auto simpler = next_of_stage(has_wrapped_ ? std::min(begin_, count) : count)) {
      return simpler;
    }
    if (!has_wrapped_ && begin_ > 0) {
      has_wrapped_ = true;
      next_ = 0;
      continue;
    }
    ++stages_done_;
    place_.stage = (place_.stage + 1) % std::size(steps);
    begin_ = next_ = 0;
    has_wrapped_ = false;
  }
  return std::nullopt;
}

}  // namespace gradproof::cases
