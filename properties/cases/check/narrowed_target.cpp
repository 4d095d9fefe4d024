#include "properties/cases/check/check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::Observation;

/// The selection with the functions that laws ask next to aclnnConvolutionBackward, whatever is
/// generated.
Selection with_calls_of_laws(Selection selection) {
  constexpr std::array of_laws{corpus::Api::Convolution, corpus::Api::ConvDepthwise2d,
                               corpus::Api::Conv3DBackpropInputV2,
                               corpus::Api::Conv3DBackpropFilterV2};
  if (std::ranges::find(selection.apis, corpus::Api::ConvolutionBackward) != selection.apis.end()) {
    selection.apis.insert(selection.apis.end(), of_laws.begin(), of_laws.end());
  }
  return selection;
}

class NarrowedTarget final : public targets::Target {
 public:
  /// `selection` is the library's.
  NarrowedTarget(std::shared_ptr<const targets::Library> library, const Selection& selection,
                 std::unique_ptr<targets::Target> target)
      : targets::Target(std::move(library)), selection_(selection), target_(std::move(target)) {}

  tl::expected<std::uint64_t, std::string> free_memory() override { return target_->free_memory(); }
  bool gains_by_batches() const override { return target_->gains_by_batches(); }
  bool endangers_this_process() const override { return target_->endangers_this_process(); }

 private:
  Observation run_one(const Case& test_case, const targets::RunSettings& settings) override {
    if (const char* why = why_outside(selection_, test_case)) return corpus::not_run(why);
    return target_->run_case(test_case, settings);
  }

  std::vector<Observation> run_several(std::span<const Case> cases,
                                       const targets::RunSettings& settings) override {
    std::vector<Observation> seen(cases.size());
    std::vector<Case> inside;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (const char* why = why_outside(selection_, cases[i])) {
        seen[i] = corpus::not_run(why);
      } else {
        places.push_back(i);
      }
    }
    if (places.size() == cases.size()) return target_->run_cases(cases, settings);
    inside.reserve(places.size());
    for (const std::size_t place : places) inside.push_back(cases[place]);
    auto answers = target_->run_cases(inside, settings);
    for (std::size_t i = 0; i < places.size(); ++i) seen[places[i]] = std::move(answers[i]);
    return seen;
  }

  /// All at once or none.
  std::vector<Observation> run_together(std::span<const Case> cases,
                                        const targets::RunSettings& settings) override {
    for (const Case& test_case : cases) {
      if (const char* why = why_outside(selection_, test_case)) {
        return {cases.size(), corpus::not_run(why)};
      }
    }
    return target_->run_on_streams(cases, settings);
  }

  const Selection& selection_;
  std::unique_ptr<targets::Target> target_;
};

class NarrowedLibrary final : public targets::Library,
                              public std::enable_shared_from_this<NarrowedLibrary> {
 public:
  NarrowedLibrary(std::shared_ptr<const targets::Library> library, Selection selection)
      : targets::Library(library->introduction()),
        library_(std::move(library)),
        selection_(with_calls_of_laws(std::move(selection))) {}

  std::unique_ptr<targets::Target> new_target() const override {
    return std::make_unique<NarrowedTarget>(shared_from_this(), selection_, library_->new_target());
  }

 private:
  std::shared_ptr<const targets::Library> library_;
  Selection selection_;
};

}  // namespace

std::shared_ptr<const targets::Library> narrowed(std::shared_ptr<const targets::Library> library,
                                                 Selection selection) {
  return std::make_shared<NarrowedLibrary>(std::move(library), std::move(selection));
}

}  // namespace gradproof::cases
