// The cause of a wrong graph operator is named as that of a wrong convolution is: whatever the
// order of its tensors' axes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "oracle/facts/axis_order.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/findings/diagnosis/diagnosis.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/target.h"
#include "tests/support/operator_calls.h"

namespace gradproof::findings {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Observation;
using corpus::Outcome;
using oracle::operator_case;
using oracle::OperatorCall;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// The simulated backend, which is told another call, or whose answer is changed.
struct Change {
  std::function<void(Case&)> call = [](Case&) {};
  std::function<void(const Case&, Observation&)> answer = [](const Case&, Observation&) {};
};

class ChangedTarget : public targets::Target {
 public:
  ChangedTarget(const std::shared_ptr<const targets::Library>& library, Change change)
      : targets::Target(library), inner_(library->new_target()), change_(std::move(change)) {}

  tl::expected<std::uint64_t, std::string> free_memory() override { return inner_->free_memory(); }
  bool gains_by_batches() const override { return false; }
  bool endangers_this_process() const override { return true; }

 private:
  Observation run_one(const Case& test_case, const targets::RunSettings& settings) override {
    Case told = test_case;
    change_.call(told);
    Observation seen = inner_->run_case(told, settings);
    change_.answer(test_case, seen);
    return seen;
  }
  std::vector<Observation> run_several(std::span<const Case> cases,
                                       const targets::RunSettings& settings) override {
    std::vector<Observation> all;
    for (const Case& test_case : cases) all.push_back(run_one(test_case, settings));
    return all;
  }
  std::vector<Observation> run_together(std::span<const Case> cases,
                                        const targets::RunSettings& settings) override {
    return run_several(cases, settings);
  }

  std::unique_ptr<targets::Target> inner_;
  Change change_;
};

/// All elements of an operand as a list; `place` says where each is taken from.
template <typename Place>
void list_elements(Case& told, corpus::InputRole role, Place&& place) {
  const auto values = corpus::element_values(told, role);
  const corpus::TensorCase& tensor = *corpus::tensor(told, role);
  const std::size_t size = corpus::size_bytes(tensor.dtype);
  const oracle::Shape shape = oracle::five_axes(tensor.shape);
  auto& listed = told.data->listed[role];
  listed.clear();
  for (std::size_t i = 0; i * size < values.size(); ++i) {
    const oracle::Shape at = oracle::coordinate_of(shape, i);
    std::uint32_t bits = 0;
    std::memcpy(&bits, values.data() + oracle::offset_of(shape, place(at, shape)) * size, size);
    if (bits != 0) listed.push_back({.at = {at.begin(), at.end()}, .bits = bits});
  }
}

/// What is said of the first wrong run of this call.
std::vector<std::string> said_of(const Case& call, Change change) {
  static const auto library = targets::LoadedLibrary::load({});
  EXPECT_TRUE(library) << library.error();
  ChangedTarget target(*library, std::move(change));
  const auto check_case = [&](const Case& run) { return cases::check(target, run, {}); };
  for (const Case& run : cases::runs_of({call, oracle::Profile::Documented}, {}, 1)) {
    if (check_case(run).outcome != Outcome::Disagree) continue;
    const cases::Shrunk shrunk =
        cases::shrink(run, check_case, {std::chrono::seconds(20), nullptr});
    return diagnosis_of(target, shrunk.test_case, run, shrunk.verdict, {});
  }
  ADD_FAILURE() << "nothing was wrong";
  return {};
}

std::vector<std::string> said_of(const OperatorCall& call, Change change) {
  return said_of(operator_case(call), std::move(change));
}

OperatorCall in_layout(Api api, Format map, Format filter) {
  OperatorCall call;
  call.api = api;
  call.format = map;
  call.filter_format = filter;
  return call;
}

TEST(CauseInAnOperator, IsAnAttributeThatIsTakenForAnother) {
  Change change;
  change.call = [](Case& told) {
    auto& pads = *told.attributes->pads;
    std::swap(pads[2], pads[3]);
  };
  for (const Api api : {Api::Conv3DBackpropInputV2, Api::Conv3DBackpropFilterV2}) {
    auto call = in_layout(api, Format::Ndhwc, Format::Dhwcn);
    call.pads = {0, 1, 2, 0, 1, 1};
    EXPECT_THAT(said_of(call, change),
                Contains(HasSubstr("with the end of padding_h taken for the beginning")));
  }
}

/// Lists the elements of a call of FLOAT operands; those of the bias as `bias_of` makes them.
Case with_bias(const Case& test_case, std::vector<float> (*bias_of)(const std::vector<float>&)) {
  Case told = test_case;
  told.data->distribution = corpus::Distribution::Listed;
  for (const auto role : corpus::input_roles) {
    const auto bytes = corpus::element_values(test_case, role);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    if (role == corpus::InputRole::Input) values = bias_of(values);
    const auto& shape = corpus::tensor(test_case, role)->shape;
    auto& listed = told.data->listed[role];
    listed.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<std::int64_t> at(shape.size());
      auto rest = static_cast<std::int64_t>(i);
      for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) {
        at[axis] = rest % shape[axis];
      }
      const auto bits = std::bit_cast<std::uint32_t>(values[i]);
      if (bits != 0) listed.push_back({.at = std::move(at), .bits = bits});
    }
  }
  return told;
}

std::vector<float> times(float factor, std::vector<float> values) {
  for (float& value : values) value *= factor;
  return values;
}

Case forward_line() {
  const auto call = corpus::parse_case(
      R"({"id":"f","api":"aclnnConvolution","soc":"Ascend910B","input":{"shape":[1,2,4],"dtype":"FLOAT","format":"NCL"},)"
      R"("weight":{"shape":[3,2,2],"dtype":"FLOAT","format":"NCL"},"bias":{"shape":[3],"dtype":"FLOAT","format":"ND"},)"
      R"("stride":[1],"padding":[0],"dilation":[1],"transposed":false,"outputPadding":[0],"groups":1,)"
      R"("cubeMathType":0,"output":{"shape":[1,3,3],"dtype":"FLOAT","format":"NCL"}})");
  EXPECT_TRUE(call);
  return call.value_or(Case{});
}

TEST(CauseInAForwardCall, IsWhatBecameOfTheBias) {
  const Case call = forward_line();
  using Values = std::vector<float>;
  struct Fault {
    Values (*bias)(const Values&);
    const char* words;
  };
  const Fault faults[] = {
      {[](const Values& bias) { return Values(bias.size()); }, "without the bias"},
      {[](const Values& bias) { return times(2, bias); }, "with the bias added twice"},
      {[](const Values& bias) { return times(-1, bias); }, "with the bias subtracted"},
      {[](const Values& bias) {
         Values moved = bias;
         std::rotate(moved.begin(), moved.begin() + 1, moved.end());
         return moved;
       },
       "with the bias of the next channel"},
      {[](const Values& bias) { return Values(bias.size(), bias.front()); },
       "with the bias of the first channel"}};
  for (const Fault& fault : faults) {
    Change change;
    change.call = [&](Case& told) { told = with_bias(told, fault.bias); };
    const auto said = said_of(call, change);
    EXPECT_THAT(said,
                Contains(HasSubstr(std::string("output equals the exact result ") + fault.words)));
  }
}

/// Not in those of the gradient that it is computed as.
TEST(CauseInAForwardCall, IsSaidInItsOwnNames) {
  Case call = forward_line();
  call.input->strides = std::vector<std::int64_t>{2};
  call.input->storage_shape = std::vector<std::int64_t>{5};
  const auto spoil = [](Observation& seen) { std::memset(seen.outputs[0].bits.data(), 0x40, 4); };
  Change change;
  change.answer = [&](const Case& asked, Observation& seen) {
    if (asked.input && asked.input->strides) spoil(seen);
  };
  EXPECT_THAT(said_of(call, change), Contains(HasSubstr("strides [2] of bias")));
  change.answer = [&](const Case& asked, Observation& seen) {
    if (asked.grad_input->shape[1] > 1) spoil(seen);
  };
  EXPECT_THAT(said_of(forward_line(), change), Contains(HasSubstr("channels of output")));
  change.answer = [&](const Case& asked, Observation& seen) {
    if (asked.grad_output->shape[1] > 1) spoil(seen);
  };
  EXPECT_THAT(said_of(forward_line(), change), Contains(HasSubstr("channels of input")));
}

TEST(CauseInAnOperator, IsHowItsOperandsAreRounded) {
  Change change;
  change.call = [](Case& told) { told.attributes->enable_hf32 = true; };
  OperatorCall call;
  call.dtype = DataType::Float;
  EXPECT_THAT(said_of(call, change), Contains(HasSubstr("with inputs rounded to HF32")));
}

TEST(CauseInAnOperator, IsAPartOfTheResultThatIsLostInItsOwnOrderOfAxes) {
  Change change;
  change.answer = [](const Case& test_case, Observation& seen) {
    if (test_case.grad_input->format != Format::Ndhwc) return;
    auto& bits = seen.outputs[0].bits;  // the last channel of each position
    const auto channels = to_size(test_case.grad_input->shape[4]);
    const std::size_t size = corpus::size_bytes(test_case.grad_input->dtype);
    for (std::size_t i = channels - 1; (i + 1) * size <= bits.size(); i += channels) {
      std::memset(bits.data() + i * size, 0, size);
    }
  };
  EXPECT_THAT(said_of(in_layout(Api::Conv3DBackpropInputV2, Format::Ndhwc, Format::Ncdhw), change),
              Contains(HasSubstr("with the last channel of gradInput left zero")));
}

TEST(CauseInAnOperator, IsOneChannelThatIsTakenForEveryOne) {
  Change change;
  change.call = [](Case& told) {
    if (!told.data) return;
    Case listed = told;
    listed.data->distribution = corpus::Distribution::Listed;
    for (const auto role : corpus::input_roles) {
      auto& elements = listed.data->listed[role];
      if (!corpus::is_operand(told, role)) {
        elements.clear();
        continue;
      }
      Case source = told;
      list_elements(source, role, [role](oracle::Shape at, const oracle::Shape& shape) {
        if (role == corpus::InputRole::GradOutput) at[1] = shape[1] - 1;
        return at;
      });
      elements = source.data->listed[role];
    }
    told = listed;
  };
  EXPECT_THAT(said_of(OperatorCall{}, change),
              Contains(HasSubstr("with the last channel of gradOutput taken for every one")));
}

TEST(CauseInAnOperator, IsAnOrderOfAxesInMemory) {
  Change change;
  change.answer = [](const Case& test_case, Observation& seen) {
    if (test_case.grad_weight->format != Format::Dhwcn) return;
    const auto& shape = test_case.grad_weight->shape;  // as many C as N
    const std::size_t size = corpus::size_bytes(test_case.grad_weight->dtype);
    const auto count = to_size(shape[4]), plane = count * count;
    auto& bits = seen.outputs[1].bits;
    const auto before = bits;
    if (shape[3] != shape[4]) return;
    for (std::size_t i = 0; i * size < bits.size(); ++i) {
      const std::size_t at = i % plane, from = i - at + at % count * count + at / count;
      std::memcpy(bits.data() + i * size, before.data() + from * size, size);
    }
  };
  auto call = in_layout(Api::Conv3DBackpropFilterV2, Format::Ncdhw, Format::Dhwcn);
  call.in_channels_per_group = call.out_channels_per_group;
  EXPECT_THAT(said_of(call, change),
              Contains(testing::AnyOf(HasSubstr("weight's channel axes exchanged"),
                                      HasSubstr("the axes N and C of gradWeight exchanged"))));
}

TEST(CauseInAnOperator, IsSaidToNeedAFormatWhereItDoes) {
  Change change;
  change.answer = [](const Case& test_case, Observation& seen) {
    auto& bits = seen.outputs[0].bits;
    if (test_case.weight->format == Format::Dhwcn) std::memset(bits.data(), 0, bits.size());
  };
  EXPECT_THAT(said_of(in_layout(Api::Conv3DBackpropInputV2, Format::Ncdhw, Format::Dhwcn), change),
              Contains(HasSubstr("needs a format other than NCDHW")));
}

TEST(CauseInAnOperator, OfAFailureAfterPhaseOneIsWhatItTakesAndNoRule) {
  Change change;
  change.answer = [](const Case& test_case, Observation& seen) {
    const bool fails = test_case.grad_output->format == Format::Ndhwc && seen.synchronise;
    if (fails) seen.synchronise = static_cast<corpus::Status>(507042);
  };
  const auto said =
      said_of(in_layout(Api::Conv3DBackpropInputV2, Format::Ndhwc, Format::Ncdhw), change);
  EXPECT_THAT(said, Contains(HasSubstr("the stream's synchronisation returned 507042")));
  EXPECT_THAT(said, Contains(HasSubstr("needs a format other than NCDHW")));
  EXPECT_THAT(said, Not(Contains(HasSubstr("rule"))));
}

}  // namespace
}  // namespace gradproof::findings
