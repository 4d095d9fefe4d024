#include "properties/cases/check/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <utility>

#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/cases/shrink/shrink.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Observation;
using corpus::Outcome;
using corpus::Status;
using testing::HasSubstr;

using Refuses = std::function<bool(const Case&, const Convolution&)>;

/// Answers phase one alone: 561103 where it refuses, else 0.
class RefusingTarget : public targets::Target {
 public:
  RefusingTarget(std::shared_ptr<const targets::Library> library, Refuses refuses)
      : Target(std::move(library)), refuses_(std::move(refuses)) {}

  tl::expected<std::uint64_t, std::string> free_memory() override { return 0; }
  bool gains_by_batches() const override { return false; }
  bool endangers_this_process() const override { return false; }

 private:
  Observation run_one(const Case& test_case, const targets::RunSettings&) override {
    Observation seen;
    seen.phase_one =
        refuses_(test_case, *convolution_of(test_case)) ? Status::InnerNullptr : Status::Success;
    return seen;
  }
  std::vector<Observation> run_several(std::span<const Case> cases,
                                       const targets::RunSettings& settings) override {
    std::vector<Observation> all;
    for (const Case& one : cases) all.push_back(run_one(one, settings));
    return all;
  }
  std::vector<Observation> run_together(std::span<const Case> cases,
                                        const targets::RunSettings& settings) override {
    return run_several(cases, settings);
  }

  Refuses refuses_;
};

class RefusingLibrary : public targets::Library,
                        public std::enable_shared_from_this<RefusingLibrary> {
 public:
  explicit RefusingLibrary(Refuses refuses)
      : Library(targets::Introduction{}), refuses_(std::move(refuses)) {}
  std::unique_ptr<targets::Target> new_target() const override {
    return std::make_unique<RefusingTarget>(shared_from_this(), refuses_);
  }

 private:
  Refuses refuses_;
};

/// A layer of ordinary size, two of whose attributes are not 1 each.
Convolution layer() {
  Convolution sizes;
  sizes.batch = 2;
  sizes.groups = 3;
  sizes.small_channels_per_group = 2;
  sizes.big_channels_per_group = 4;
  sizes.axes = {{.kernel = 3, .stride = 2, .padding_begin = 1, .padding_end = 1},
                {.kernel = 3, .stride = 2, .padding_begin = 1, .padding_end = 1}};
  for (SpatialAxis& axis : sizes.axes) set_lengths(axis, 4, 0);
  return sizes;
}

Case call_of(const Convolution& sizes, DataType dtype = DataType::Float) {
  Frame frame;
  frame.dtype = dtype;
  return plain_case(sizes, frame);
}

corpus::Verdict verdict_of(const Case& call, const Refuses& refuses) {
  CheckSettings settings;
  settings.judge.profile = oracle::Profile::Tolerant;
  const auto target = std::make_shared<RefusingLibrary>(refuses)->new_target();
  return check(*target, call, settings);
}

TEST(RefusalOfASmallCall, IsWrongWhereItDependsOnTheMask) {
  const auto verdict = verdict_of(call_of(layer()), [](const Case& call, const Convolution&) {
    return call.output_mask == std::vector{true, true, true};
  });
  EXPECT_EQ(verdict.outcome, Outcome::Disagree);
  EXPECT_EQ(verdict.kind, corpus::DisagreementKind::Status);
  EXPECT_THAT(verdict.reason, HasSubstr("accepted with outputMask 001"));
}

TEST(RefusalOfASmallCall, IsWrongWhereItDependsOnDeterminism) {
  const auto verdict = verdict_of(
      call_of(layer()), [](const Case& call, const Convolution&) { return !call.deterministic; });
  EXPECT_EQ(verdict.outcome, Outcome::Disagree);
  EXPECT_THAT(verdict.reason, HasSubstr("accepted where deterministic is true"));
}

TEST(RefusalOfASmallCall, IsWrongWhereOneValueOfAnAttributeIsRefused) {
  const auto verdict = verdict_of(
      call_of(layer()), [](const Case&, const Convolution& sizes) { return sizes.groups == 3; });
  EXPECT_EQ(verdict.outcome, Outcome::Disagree);
  EXPECT_THAT(verdict.reason, HasSubstr("refused for its groups, accepted where that is 2"));
}

TEST(RefusalOfASmallCall, IsWrongWhereSeveralAttributesTogetherAreRefused) {
  const auto verdict = verdict_of(call_of(layer()), [](const Case&, const Convolution& sizes) {
    return sizes.axes[0].kernel == 3 && sizes.axes[0].stride == 2 && sizes.batch > 1;
  });
  EXPECT_EQ(verdict.outcome, Outcome::Disagree);
  EXPECT_THAT(verdict.reason, HasSubstr("each attribute of this one alone too"));
}

TEST(RefusalOfASmallCall, StaysOneWhereTheLibraryLeavesOutTheWholeKind) {
  const Case call = call_of(layer());
  const std::vector<Refuses> left_out{
      [](const Case&, const Convolution&) { return true; },
      [](const Case&, const Convolution& sizes) { return sizes.groups > 1; },
      [](const Case&, const Convolution& sizes) { return sizes.axes[0].stride > 1; },
      [](const Case&, const Convolution& sizes) {  // more padding than the kernel reaches over
        return sizes.axes[0].padding_begin >= sizes.axes[0].kernel || sizes.groups > 1;
      }};
  for (const Refuses& refuses : left_out) {
    EXPECT_EQ(verdict_of(call, refuses).outcome, Outcome::Refused);
  }
  const auto verdict = verdict_of(
      call_of(layer(), DataType::Float16),
      [](const Case& one, const Convolution&) { return one.input->dtype != DataType::Float; });
  EXPECT_EQ(verdict.outcome, Outcome::Refused);
}

TEST(RefusalOfASmallCall, StaysOneWhereTheLibraryLeavesOutUnequalValues) {
  Convolution sizes = layer();
  sizes.axes[0].padding_end = 0;
  sizes.axes[1].kernel = 2;
  for (SpatialAxis& axis : sizes.axes) set_lengths(axis, 4, 0);
  const std::vector<Refuses> left_out{[](const Case&, const Convolution& asked) {
                                        return asked.axes[0].padding_begin !=
                                               asked.axes[0].padding_end;
                                      },
                                      [](const Case&, const Convolution& asked) {
                                        return asked.axes[0].kernel != asked.axes[1].kernel;
                                      }};
  for (const Refuses& refuses : left_out) {
    EXPECT_EQ(verdict_of(call_of(sizes), refuses).outcome, Outcome::Refused);
  }
}

TEST(RefusalOfASmallCall, StaysOneWhereAViewOrADtypeMayBeItsReason) {
  Case view = call_of(layer());
  view.input->offset = 8;
  EXPECT_EQ(
      verdict_of(view, [](const Case& one, const Convolution&) { return one.input->offset != 0; })
          .outcome,
      Outcome::Refused);
  Convolution without_groups = layer();
  without_groups.groups = 1;
  Case mixed = call_of(without_groups, DataType::Float16);
  mixed.grad_weight->dtype = DataType::Float;
  const auto verdict = verdict_of(mixed, [](const Case& one, const Convolution&) {
    return is_requested(one, corpus::OutputRole::GradWeight) &&
           one.grad_weight->dtype == DataType::Float;
  });
  EXPECT_EQ(verdict.outcome, Outcome::Refused) << verdict.reason;
}

TEST(RefusalOfACallBeyondAPublishedLimit, IsForResources) {
  Convolution sizes = layer();
  sizes.axes[0].padding_begin = sizes.axes[0].padding_end = 0;
  sizes.axes[0].dilation = 128;  // backward padding 256
  set_lengths(sizes.axes[0], 2, 0);
  const auto refuses = [](const Case&, const Convolution& of) {
    return of.axes[0].dilation == 128;
  };
  EXPECT_EQ(verdict_of(call_of(sizes), refuses).outcome, Outcome::Refused);
  sizes.axes[0].dilation = 127;
  set_lengths(sizes.axes[0], 2, 0);
  const auto refuses_more = [](const Case&, const Convolution& of) {
    return of.axes[0].dilation >= 127;
  };
  EXPECT_EQ(verdict_of(call_of(sizes), refuses_more).outcome, Outcome::Disagree);
}

/// The smallest call shows which class is refused.
TEST(RefusalOfASmallCall, IsShrunkToTheLeastCallThatIsRefused) {
  const Refuses refuses = [](const Case&, const Convolution& sizes) { return sizes.groups == 3; };
  CheckSettings settings;
  settings.judge.profile = oracle::Profile::Tolerant;
  const auto target = std::make_shared<RefusingLibrary>(refuses)->new_target();
  const Shrunk shrunk =
      shrink(call_of(layer()), [&](const Case& one) { return check(*target, one, settings); });
  const auto sizes = convolution_of(shrunk.test_case);
  ASSERT_TRUE(sizes);
  EXPECT_EQ(sizes->groups, 3);
  EXPECT_EQ(mac_count(*sizes), 3);
}

}  // namespace
}  // namespace gradproof::cases
