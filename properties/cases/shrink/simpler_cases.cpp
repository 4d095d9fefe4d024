#include "properties/cases/shrink/simpler_cases.h"

#include <iterator>
#include <utility>

#include "properties/cases/shrink/simpler_steps.h"

namespace gradproof::cases {
namespace {

// What takes away most comes first.
constexpr const SimplerStep* steps[] = {&simpler_settings, &simpler_sizes,  &listed_data,
                                        &cropped_data,     &fewer_elements, &plainer_elements};

}  // namespace

SimplerCases::SimplerCases(corpus::Case test_case, std::size_t first_stage)
    : problem_(std::move(test_case)), stage_(first_stage % std::size(steps)) {}

std::optional<corpus::Case> SimplerCases::next() {
  while (stages_done_ < std::size(steps)) {
    const SimplerStep& step = *steps[stage_];
    const std::size_t count = step.count(problem_);
    while (index_ < count) {
      auto simpler = step.make(problem_, index_++);
      if (simpler && *simpler != problem_) return simpler;
    }
    ++stages_done_;
    stage_ = (stage_ + 1) % std::size(steps);
    index_ = 0;
  }
  return std::nullopt;
}

}  // namespace gradproof::cases
