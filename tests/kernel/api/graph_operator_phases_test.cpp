// How the graph operators are called: what is permitted though it looks wrong, the two phases, the
// C++ functions, and the published cases.

#include "tests/support/graph_operator_values.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "gradproof/graph_operators.hpp"
#include "tests/support/operator_arguments.h"
#include "tests/support/published_cases.h"

namespace gradproof::kernel {
namespace {

using testing::HasSubstr;

// ---- what is permitted though it looks wrong

TEST_P(GraphOperatorValues, OfGroupsOneStandForTheRatioOfChannels) {
  for (const Operator kind : {input_v2, filter_v2}) {
    const Convolution c{.kind = kind, .groups = 3};
    Arguments arguments = c.arguments();
    arguments.groups = 1;
    expect_formula(c, arguments, random_);
  }
}

TEST_P(GraphOperatorValues, OfFilterV2LeaveOutSamplesThatOneSideLacks) {
  const Convolution both{.kind = filter_v2, .batch = 2}, more{.kind = filter_v2, .batch = 3};
  const auto [operand, out_backprop] = drawn_for(both, random_);
  const Values expected = formula(both, operand, out_backprop);
  Values longer = operand;
  longer.resize(static_cast<std::size_t>(count_of(more.feature_lengths())), 1);
  Arguments arguments = both.arguments();
  arguments.feature.shape[0] = 3;
  EXPECT_EQ(computed(arguments, longer, out_backprop), expected);
  longer = out_backprop;
  longer.resize(static_cast<std::size_t>(count_of(more.output_lengths())), 1);
  arguments = both.arguments();
  arguments.out_backprop.shape[0] = 3;
  EXPECT_EQ(computed(arguments, operand, longer), expected);
}

TEST_P(GraphOperatorValues, OfFilterV2AreZeroForChannelsThatOutBackpropLacks) {
  Convolution c{.kind = filter_v2, .output_channels = 2};
  const auto [operand, out_backprop] = drawn_for(c, random_);
  Values expected = formula(c, operand, out_backprop);
  const std::size_t computed_count = expected.size();
  Arguments arguments = c.arguments();
  arguments.filter.shape[0] = arguments.size->at(0) = 5;
  expected.resize(computed_count / 2 * 5, 0);
  EXPECT_EQ(computed(arguments, operand, out_backprop), expected);

  arguments.filter.shape[0] = arguments.size->at(0) = 1;
  c.output_channels = 2;
  expected.resize(computed_count / 2);
  EXPECT_EQ(computed(arguments, operand, out_backprop), expected);
}

// ---- the two phases

TEST_P(GraphOperatorValues, FollowMemoryThatIsBoundAnewByParameter) {
  for (const Operator kind : {input_v2, filter_v2}) {
    const Convolution c{.kind = kind};
    const Arguments arguments = c.arguments();
    const auto [operand, out_backprop] = drawn_for(c, random_);
    const Tensors planned_with(arguments);
    Tensors bound(arguments);
    bound.operand().write(operand);
    bound.out_backprop.write(out_backprop);
    const Handles handles = planned_with.handles(arguments);
    PhaseOne planned = phase_one(arguments, handles);
    ASSERT_EQ(planned.status, accepted) << planned.text;
    ASSERT_EQ(aclSetAclOpExecutorRepeatable(planned.executor), accepted);
    auto* const any = const_cast<aclTensor*>(handles.feature.get());
    EXPECT_EQ(aclSetInputTensorAddr(planned.executor, 0, any, bound.operand().memory()), accepted);
    EXPECT_EQ(aclSetInputTensorAddr(planned.executor, 1, any, bound.out_backprop.memory()),
              accepted);
    EXPECT_EQ(aclSetOutputTensorAddr(planned.executor, 0, any, bound.result().memory()), accepted);
    EXPECT_EQ(aclSetInputTensorAddr(planned.executor, 2, any, bound.result().memory()),
              ACLNN_ERR_PARAM_INVALID);
    for (int repeat = 0; repeat < 2; ++repeat) launch(kind, planned);
    EXPECT_EQ(bound.result().read(), formula(c, operand, out_backprop));
    EXPECT_EQ(aclDestroyAclOpExecutor(planned.executor), accepted);
  }
}

TEST_P(GraphOperatorValues, NeedMemoryAsLargeAsTheTensors) {
  for (const Operator kind : {input_v2, filter_v2}) {
    const Convolution c{.kind = kind};
    Arguments arguments = c.arguments();
    Tensors tensors(arguments);
    arguments.out_backprop.offset = 1;
    const PhaseOne planned = phase_one(arguments, tensors.handles(arguments));
    ASSERT_EQ(planned.status, accepted) << planned.text;
    void* workspace = device_memory(planned.workspace_size);
    const auto phase_two =
        kind == input_v2 ? gradproofConv3DBackpropInputV2 : gradproofConv3DBackpropFilterV2;
    EXPECT_EQ(phase_two(workspace, planned.workspace_size, planned.executor, nullptr), accepted);
    EXPECT_NE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
    EXPECT_THAT(error_text(),
                testing::AllOf(HasSubstr(kind == input_v2 ? "Conv3DBackpropInputV2: outBackprop"
                                                          : "Conv3DBackpropFilterV2: outBackprop"),
                               HasSubstr("nothing was computed")));
    EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
  }
}

TEST_P(GraphOperatorValues, AreForAnInitialisedRuntimeOnly) {
  ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
  is_open_ = false;
  const PhaseOne result = asked(Convolution{}.arguments());
  EXPECT_EQ(result.status, ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_THAT(result.text, HasSubstr("aclInit"));
  EXPECT_EQ(result.workspace_size, untouched_size);
}

// ---- the C++ functions

TEST_P(GraphOperatorValues, ComeFromOneCallInCpp) {
  Convolution c{.data_format = ndhwc, .dilation = {1, 1, 1}};
  for (const Operator kind : {input_v2, filter_v2}) {
    c.kind = kind;
    const Arguments arguments = c.arguments();
    Tensors tensors(arguments);
    const auto [operand, out_backprop] = drawn_for(c, random_);
    tensors.operand().write(operand);
    tensors.out_backprop.write(out_backprop);
    const Handles handles = tensors.handles(arguments);
    graph_operators::Convolution convolution;
    convolution.strides = *arguments.strides;
    convolution.pads = *arguments.pads;
    graph_operators::Outcome outcome{-1, ""};
    if (kind == input_v2) {
      graph_operators::Conv3DBackpropInputV2 call;
      call.input_size = *arguments.size;
      call.filter = handles.filter.get();
      call.out_backprop = handles.out_backprop.get();
      call.convolution = convolution;
      call.y = const_cast<aclTensor*>(handles.feature.get());
      outcome = run(call);
    } else {
      graph_operators::Conv3DBackpropFilterV2 call;
      call.x = handles.feature.get();
      call.filter_size = *arguments.size;
      call.out_backprop = handles.out_backprop.get();
      call.convolution = convolution;
      call.y = const_cast<aclTensor*>(handles.filter.get());
      outcome = run(call, new_stream());
    }
    EXPECT_TRUE(outcome) << outcome.text;
    EXPECT_THAT(outcome.text, testing::IsEmpty());
    EXPECT_EQ(tensors.result().read(), formula(c, operand, out_backprop));
  }
}

TEST_P(GraphOperatorValues, AreExplainedByOneCallInCppWhereTheyAreRefused) {
  graph_operators::Conv3DBackpropFilterV2 call;
  const graph_operators::Outcome nothing = run(call);
  EXPECT_FALSE(nothing);
  EXPECT_EQ(nothing.status, missing);
  EXPECT_THAT(nothing.text, HasSubstr("x is null"));

  const Arguments arguments = Convolution{.data_format = ndhwc}.arguments();
  const Handles handles = handles_of(arguments);
  graph_operators::Conv3DBackpropInputV2 wrong;
  wrong.input_size = *arguments.size;
  wrong.filter = handles.filter.get();
  wrong.out_backprop = handles.out_backprop.get();
  wrong.y = const_cast<aclTensor*>(handles.feature.get());
  wrong.convolution.pads = *arguments.pads;
  const graph_operators::Outcome outcome = run(wrong);
  EXPECT_EQ(outcome.status, refused);
  EXPECT_THAT(outcome.text, HasSubstr("[G-10] strides has 0 values; it must have 5"));
}

// ---- the published cases

class PublishedOperatorCases : public Initialised {
 protected:
  static std::vector<corpus::Case> cases_of(const std::string& file) {
    auto cases = corpus::read_cases(tests::published_file(file));
    EXPECT_TRUE(cases.has_value()) << cases.error().text();
    return cases.value_or(std::vector<corpus::Case>{});
  }

  /// A chip that does not exist is refused before any operator is called.
  void expect_unknown_chip(const std::string& soc) {
    ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
    is_open_ = false;
    const Environment environment({{"GRADPROOF_DEVICES", soc}});
    EXPECT_NE(aclInit(nullptr), ACL_SUCCESS);
  }

  void expect_published_status(const corpus::Case& published, const char* profile) {
    SCOPED_TRACE(published.id + " in profile " + profile);
    if (!corpus::product_of(published)) return expect_unknown_chip(published.soc);
    const char* const chip = published.soc == "Ascend950" ? "Ascend950PR_9599" : "Ascend910B1";
    initialise({{"GRADPROOF_DEVICES", chip}, {"GRADPROOF_PROFILE", profile}});
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    const PhaseOne result = asked(arguments_of(published));
    const bool is_accepted = published.expect->status == corpus::Status::Success;
    EXPECT_EQ(result.status, is_accepted ? accepted : refused) << result.text;
    ++(is_accepted ? accepted_count_ : refused_count_);
  }

  int accepted_count_ = 0, refused_count_ = 0;
};

TEST_F(PublishedOperatorCases, AreAcceptedAndRefusedAsPublished) {
  const auto operators = cases_of("v2.jsonl"), tiling = cases_of("tiling.jsonl");
  for (const char* const profile : {"documented", "released"}) {
    for (const auto* const cases : {&operators, &tiling}) {
      for (const corpus::Case& published : *cases) {
        const bool is_operator = published.api == corpus::Api::Conv3DBackpropInputV2 ||
                                 published.api == corpus::Api::Conv3DBackpropFilterV2;
        if (is_operator) expect_published_status(published, profile);
      }
    }
  }
  EXPECT_EQ(accepted_count_, 2 * (36 + 65));
  EXPECT_EQ(refused_count_, 2 * 9);
}

}  // namespace
}  // namespace gradproof::kernel
