// Phase one with its cache and without it: nothing but time may tell them apart.

#include "kernel/api/operators/plan_cache.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "kernel/api/convolution_rules/parameter_checks.h"
#include "tests/support/drawn_call.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel::api {
namespace {

using device::DeviceState;
using operators::AxisDraw;
using operators::Random;
using parameter_checks::Argument;
using parameter_checks::Call;
using parameter_checks::Ints;

// ---- calls as phase one reads them

Ints row_major(const Ints& shape) {
  Ints strides(shape.size(), 1);
  for (std::size_t i = shape.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

void set(Argument<Tensor>& argument, const Ints& shape) {
  constexpr aclFormat formats[] = {ACL_FORMAT_ND,  ACL_FORMAT_ND,   ACL_FORMAT_ND,
                                   ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW};
  argument.given = true;
  argument.value = Tensor{.view_shape = shape,
                          .strides = row_major(shape),
                          .storage_shape = shape,
                          .data_type = ACL_FLOAT,
                          .format = formats[shape.size()]};
}

void set(Argument<Ints>& argument, const Ints& values) {
  argument.given = true;
  argument.value = values;
}

Ints joined(std::int64_t first, std::int64_t second, const std::vector<AxisDraw>& axes,
            std::int64_t AxisDraw::*length) {
  Ints shape{first, second};
  for (const AxisDraw& axis : axes) shape.push_back(axis.*length);
  return shape;
}

Ints by_axis(const std::vector<AxisDraw>& axes, std::int64_t AxisDraw::*value) {
  Ints values;
  for (const AxisDraw& axis : axes) values.push_back(axis.*value);
  return values;
}

/// A legal call of an ordinary convolution.
Call legal_call(Random& random) {
  std::vector<AxisDraw> axes(static_cast<std::size_t>(random.between(1, 3)));
  for (AxisDraw& axis : axes) axis = operators::draw_axis(random, true);
  const std::int64_t batch = random.between(1, 3), groups = random.between(1, 2);
  const std::int64_t inputs = random.between(1, 3), outputs = groups * random.between(1, 3);
  Call call;
  set(call.grad_output, joined(batch, outputs, axes, &AxisDraw::small));
  set(call.input, joined(batch, groups * inputs, axes, &AxisDraw::big));
  set(call.weight, joined(outputs, inputs, axes, &AxisDraw::kernel));
  set(call.bias_sizes, {outputs});
  set(call.stride, by_axis(axes, &AxisDraw::stride));
  set(call.padding, by_axis(axes, &AxisDraw::begin));
  set(call.dilation, by_axis(axes, &AxisDraw::dilation));
  set(call.output_padding, Ints(axes.size(), 0));
  call.groups = static_cast<int>(groups);
  call.output_mask.given = true;
  call.output_mask.value =
      std::vector<bool>{random.chance(80), random.chance(80), random.chance(80)};
  call.cube_math_type = static_cast<int>(random.between(0, 1));
  set(call.grad_input, call.input.value->view_shape);
  set(call.grad_weight, call.weight.value->view_shape);
  set(call.grad_bias, {outputs});
  return call;
}

/// What a decision depends on.
struct Situation {
  Call call;
  DeviceState device;
};

Situation legal_situation(Random& random) {
  Situation situation;
  situation.call = legal_call(random);
  situation.device.soc_name = "Ascend910B1";
  situation.device.core_count = 20;
  return situation;
}

// ---- one thing changed

struct Change {
  std::string name;
  std::function<void(Situation&)> make;
};

/// A change needs what it changes.
bool has_everything(const Call& call) {
  const auto is_there = [](const auto& argument) { return argument.value.has_value(); };
  return is_there(call.grad_output) && is_there(call.input) && is_there(call.weight) &&
         is_there(call.bias_sizes) && is_there(call.stride) && is_there(call.padding) &&
         is_there(call.dilation) && is_there(call.output_padding) && is_there(call.output_mask) &&
         is_there(call.grad_input) && is_there(call.grad_weight) && is_there(call.grad_bias);
}

using TensorOf = Argument<Tensor> Call::*;
using IntsOf = Argument<Ints> Call::*;

void add_changes_of(const std::string& name, TensorOf tensor, std::vector<Change>& changes) {
  const auto add = [&](const char* field, auto change) {
    changes.push_back({name + "." + field,
                       [tensor, change](Situation& situation) { change(situation.call.*tensor); }});
  };
  add("view_shape", [](auto& argument) { ++argument.value->view_shape.back(); });
  add("rank", [](auto& argument) {
    argument.value->view_shape.push_back(1);
    argument.value->strides.push_back(1);
  });
  add("strides", [](auto& argument) { ++argument.value->strides.front(); });
  add("storage_shape", [](auto& argument) { argument.value->storage_shape.front() = -1; });
  add("is_row_major", [](auto& argument) { argument.value->is_row_major ^= true; });
  add("offset", [](auto& argument) { ++argument.value->offset; });
  add("empty", [](auto& argument) { argument.value->view_shape.front() = 0; });
  add("eight bits", [](auto& argument) { argument.value->data_type = ACL_FLOAT8_E4M3FN; });
  add("data_type", [](auto& argument) { argument.value->data_type = ACL_FLOAT16; });
  add("format", [](auto& argument) { argument.value->format = ACL_FORMAT_NHWC; });
  add("given", [](auto& argument) { argument.given = false; });
  add("value", [](auto& argument) { argument.value.reset(); });
}

void add_changes_of(const std::string& name, IntsOf ints, std::vector<Change>& changes) {
  const auto add = [&](const char* field, auto change) {
    changes.push_back({name + "." + field,
                       [ints, change](Situation& situation) { change(situation.call.*ints); }});
  };
  add("last", [](auto& argument) { ++argument.value->back(); });
  add("length", [](auto& argument) { argument.value->push_back(0); });
  add("given", [](auto& argument) { argument.given = false; });
  add("value", [](auto& argument) { argument.value.reset(); });
}

std::vector<Change> changes_of_arguments() {
  std::vector<Change> changes;
  add_changes_of("gradOutput", &Call::grad_output, changes);
  add_changes_of("input", &Call::input, changes);
  add_changes_of("weight", &Call::weight, changes);
  add_changes_of("gradInput", &Call::grad_input, changes);
  add_changes_of("gradWeight", &Call::grad_weight, changes);
  add_changes_of("gradBias", &Call::grad_bias, changes);
  add_changes_of("biasSizes", &Call::bias_sizes, changes);
  add_changes_of("stride", &Call::stride, changes);
  add_changes_of("padding", &Call::padding, changes);
  add_changes_of("dilation", &Call::dilation, changes);
  add_changes_of("outputPadding", &Call::output_padding, changes);
  const auto add = [&](const char* name, auto change) {
    changes.push_back({name, [change](Situation& situation) { change(situation.call); }});
  };
  add("transposed", [](Call& call) { call.transposed ^= true; });
  add("groups", [](Call& call) { ++call.groups; });
  add("outputMask.dx", [](Call& call) { call.output_mask.value->at(0).flip(); });
  add("outputMask.dw", [](Call& call) { call.output_mask.value->at(1).flip(); });
  add("outputMask.db", [](Call& call) { call.output_mask.value->at(2).flip(); });
  add("outputMask.length", [](Call& call) { call.output_mask.value->push_back(false); });
  add("outputMask.given", [](Call& call) { call.output_mask.given = false; });
  add("outputMask.value", [](Call& call) { call.output_mask.value.reset(); });
  add("cubeMathType", [](Call& call) { call.cube_math_type += 2; });
  add("product", [](Call& call) { call.product = device::Product::Ascend950; });
  add("profile", [](Call& call) { call.profile = device::Profile::Released; });
  add("workspaceSize", [](Call& call) { call.has_workspace_size = false; });
  add("executor", [](Call& call) { call.has_executor = false; });
  return changes;
}

std::vector<Change> changes_of_the_device() {
  std::vector<Change> changes;
  const auto add = [&](const char* name, auto change) {
    changes.push_back({name, [change](Situation& situation) { change(situation.device); }});
  };
  add("device.id", [](DeviceState& device) { ++device.device_id; });
  add("device.product", [](DeviceState& device) { device.product = device::Product::Ascend950; });
  add("device.soc", [](DeviceState& device) { device.soc_name += "x"; });
  add("device.profile", [](DeviceState& device) { device.profile = device::Profile::Released; });
  add("device.float_products",
      [](DeviceState& device) { device.float_products = device::FloatProducts::Fused; });
  add("device.hf32_rounding",
      [](DeviceState& device) { device.hf32_rounding = device::Hf32Rounding::NearestAway; });
  add("device.overflow_mode",
      [](DeviceState& device) { device.overflow_mode = ACL_RT_OVERFLOW_MODE_SATURATION; });
  add("device.deterministic", [](DeviceState& device) { device.deterministic = 1; });
  add("device.core_count", [](DeviceState& device) { ++device.core_count; });
  add("device.schedule_seed", [](DeviceState& device) { device.schedule_seed = 7; });
  add("device.path", [](DeviceState& device) { device.path = device::OperatorPath::Plain; });
  add("device.host_threads", [](DeviceState& device) { ++device.host_threads; });
  add("device.spreads", [](DeviceState& device) { device.spreads_every_launch = true; });
  return changes;
}

std::vector<Change> all_changes() {
  std::vector<Change> changes = changes_of_arguments();
  for (Change& change : changes_of_the_device()) changes.push_back(std::move(change));
  return changes;
}

// ---- decisions

using Kept = std::shared_ptr<const Decision>;

/// What the cache says, which is what phase one says without it. One that is kept is the same
/// object each time.
Kept as_decided(PlanCache& cache, const Situation& situation) {
  Kept served = cache.decision(situation.call, situation.device);
  const Decision fresh = decided(situation.call, situation.device);
  EXPECT_EQ(served->status, fresh.status);
  EXPECT_EQ(served->error_lines, fresh.error_lines);
  EXPECT_EQ(served->workspace_size, fresh.workspace_size);
  EXPECT_EQ(served->operation == nullptr, fresh.operation == nullptr);
  return served;
}

/// Seen, kept.
Kept keep(PlanCache& cache, const Situation& situation) {
  as_decided(cache, situation);
  return as_decided(cache, situation);
}

TEST(PlanCache, ServesACallFromItsThirdTimeOn) {
  Random random(1);
  const Situation situation = legal_situation(random);
  PlanCache cache;
  const Kept first = as_decided(cache, situation);
  const Kept second = as_decided(cache, situation);
  EXPECT_NE(first, second);
  for (const std::uint64_t hits : {1U, 2U}) {
    EXPECT_EQ(as_decided(cache, situation), second);
    EXPECT_EQ(cache.hits(), hits);
  }
}

TEST(PlanCache, NeverTakesACallForAnotherThatDiffersInOneThing) {
  Random random(2);
  const std::vector<Change> changes = all_changes();
  for (int round = 0; round < 60; ++round) {
    const Situation base = legal_situation(random);
    for (const Change& change : changes) {
      SCOPED_TRACE(change.name);
      Situation changed = base;
      change.make(changed);
      PlanCache cache;
      const Kept of_base = keep(cache, base);
      EXPECT_NE(as_decided(cache, changed), of_base);
      const Kept of_changed = keep(cache, changed);
      EXPECT_NE(of_changed, of_base);
      EXPECT_EQ(as_decided(cache, base), of_base);
      EXPECT_EQ(as_decided(cache, changed), of_changed);
    }
    if (HasFailure()) return;
  }
}

TEST(PlanCache, ServesACallWhoseDataLieElsewhere) {
  Random random(3);
  Situation situation = legal_situation(random);
  PlanCache cache;
  const Kept kept = keep(cache, situation);
  std::byte elsewhere{};
  situation.call.input.value->data = &elsewhere;
  EXPECT_EQ(as_decided(cache, situation), kept);
}

TEST(PlanCache, KeepsNothingWhereItIsSwitchedOff) {
  Random random(4);
  const Situation situation = legal_situation(random);
  PlanCache cache;
  cache.use(false);
  for (int i = 0; i < 4; ++i) as_decided(cache, situation);
  EXPECT_EQ(cache.hits(), 0U);
}

/// What is kept may not grow with what programs pass.
TEST(PlanCache, KeepsNoCallWithALongArray) {
  Random random(5);
  Situation situation = legal_situation(random);
  situation.call.stride.value->assign(9, 1);
  PlanCache cache;
  for (int i = 0; i < 4; ++i) as_decided(cache, situation);
  EXPECT_EQ(cache.hits(), 0U);
}

TEST(PlanCache, ForgetsCallsWhenManyOthersCome) {
  Random random(6);
  const Situation first = legal_situation(random);
  PlanCache cache;
  keep(cache, first);
  Situation other = first;
  other.call.cube_math_type = 0;
  for (int i = 0; i < 20 * static_cast<int>(PlanCache::sets * PlanCache::calls_of_a_set); ++i) {
    other.call.groups = 1000 + i;
    cache.decision(other.call, other.device);
  }
  as_decided(cache, first);
  EXPECT_EQ(cache.hits(), 0U);
}

// ---- rules

/// Phase one skips groups of rules that a call cannot break: every rule, asked by itself, must say
/// the same.
TEST(ParameterChecks, SkipNoRuleThatACallBreaks) {
  constexpr device::Product products[] = {
      device::Product::Ascend310,  device::Product::Ascend310P,   device::Product::Ascend910,
      device::Product::Ascend910B, device::Product::Ascend910_93, device::Product::Ascend950};
  Random random(7);
  const std::vector<Change> changes = changes_of_arguments();
  std::int64_t broken = 0;
  for (int round = 0; round < 20'000; ++round) {
    Situation situation = legal_situation(random);
    situation.call.product = products[random.between(0, 5)];
    for (std::int64_t i = random.between(0, 3); i > 0; --i) {
      const auto last = static_cast<std::int64_t>(changes.size()) - 1;
      const Change& change = changes[static_cast<std::size_t>(random.between(0, last))];
      if (has_everything(situation.call)) change.make(situation);
    }
    const std::vector<Breach> all = breaches(situation.call);
    const Verdict verdict = check_parameters(situation.call);
    ASSERT_EQ(verdict.status, status_of(all));
    std::string lines;
    for (const std::string& line : verdict.error_lines) lines += line + "\n";
    std::size_t named = 0;
    for (const Breach& breach : all) {
      if (breach.status == OK) continue;
      ++named;
      ASSERT_NE(lines.find("[" + std::string(breach.rule) + "] " + breach.text), std::string::npos);
    }
    ASSERT_EQ(verdict.error_lines.size(), named);
    broken += named > 0 ? 1 : 0;
  }
  EXPECT_GT(broken, 10'000);
}

// ---- through the C API

/// A call of two channels, with descriptors and memory of its own.
class ApiCall {
 public:
  ApiCall(std::int64_t length, std::int64_t stride, std::int8_t cube_math_type)
      : output_length_((length - 3) / stride + 1), cube_math_type_(cube_math_type) {
    const std::int64_t feature[] = {1, 2, length}, output[] = {1, 2, output_length_},
                       weight[] = {2, 2, 3}, bias[] = {2};
    const std::array<std::span<const std::int64_t>, 6> shapes = {output,  feature, weight,
                                                                 feature, weight,  bias};
    for (std::size_t i = 0; i < shapes.size(); ++i) tensors_.at(i) = tensor(shapes.at(i), i);
    stride_ = aclCreateIntArray(&stride, 1);
    constexpr std::int64_t zero = 0, one = 1;
    bias_sizes_ = aclCreateIntArray(bias, 1);
    zeros_ = aclCreateIntArray(&zero, 1);
    ones_ = aclCreateIntArray(&one, 1);
    constexpr bool all[] = {true, true, true};
    mask_ = aclCreateBoolArray(all, 3);
    EXPECT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
  }
  ApiCall(const ApiCall&) = delete;
  ApiCall& operator=(const ApiCall&) = delete;

  ~ApiCall() {
    for (const Part& part : tensors_) {
      aclDestroyTensor(part.tensor);
      EXPECT_EQ(aclrtFree(part.memory), ACL_SUCCESS);
    }
    for (const aclIntArray* array : {stride_, bias_sizes_, zeros_, ones_}) {
      aclDestroyIntArray(array);
    }
    aclDestroyBoolArray(mask_);
    EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
  }

  /// Status, message and workspace of phase one; after both phases also the bits of all outputs.
  std::string run() {
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus status = aclnnConvolutionBackwardGetWorkspaceSize(
        tensors_[0].tensor, tensors_[1].tensor, tensors_[2].tensor, bias_sizes_, stride_, zeros_,
        ones_, false, zeros_, 1, mask_, cube_math_type_, tensors_[3].tensor, tensors_[4].tensor,
        tensors_[5].tensor, &bytes, &executor);
    std::string seen = std::to_string(status) + error_text() + std::to_string(bytes);
    if (status != OK) return seen;
    void* workspace = nullptr;
    EXPECT_EQ(aclrtMalloc(&workspace, bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_EQ(aclnnConvolutionBackward(workspace, bytes, executor, stream_), OK);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << error_text();
    EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
    for (std::size_t i = 3; i < tensors_.size(); ++i) append_and_clear(tensors_.at(i), seen);
    return seen;
  }

 private:
  struct Part {
    aclTensor* tensor = nullptr;
    void* memory = nullptr;
    std::size_t bytes = 0;
  };

  static Part tensor(std::span<const std::int64_t> shape, std::size_t seed) {
    Part part;
    std::size_t count = 1;
    for (const std::int64_t length : shape) count *= static_cast<std::size_t>(length);
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = 0.1F * static_cast<float>((i * 7 + seed * 5) % 23) - 1.0F;
    }
    part.bytes = count * sizeof(float);
    EXPECT_EQ(aclrtMalloc(&part.memory, part.bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_EQ(
        aclrtMemcpy(part.memory, part.bytes, values.data(), part.bytes, ACL_MEMCPY_HOST_TO_DEVICE),
        ACL_SUCCESS);
    part.tensor = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0,
                                  shape.size() == 1 ? ACL_FORMAT_ND : ACL_FORMAT_NCL, shape.data(),
                                  shape.size(), part.memory);
    return part;
  }

  /// So that the next run must write it again.
  static void append_and_clear(const Part& part, std::string& seen) {
    std::string bytes(part.bytes, '\0');
    EXPECT_EQ(
        aclrtMemcpy(bytes.data(), part.bytes, part.memory, part.bytes, ACL_MEMCPY_DEVICE_TO_HOST),
        ACL_SUCCESS);
    EXPECT_EQ(aclrtMemset(part.memory, part.bytes, 0x77, part.bytes), ACL_SUCCESS);
    seen += bytes;
  }

  std::int64_t output_length_;
  std::int8_t cube_math_type_;
  std::array<Part, 6> tensors_;
  aclIntArray *stride_ = nullptr, *bias_sizes_ = nullptr, *zeros_ = nullptr, *ones_ = nullptr;
  aclBoolArray* mask_ = nullptr;
  aclrtStream stream_ = nullptr;
};

class CallsThroughTheApi : public OnDevice {
 protected:
  void TearDown() override {
    plan_cache().use(true);
    OnDevice::TearDown();
  }

  /// Calls drawn from a few, legal and not, so that most come again; each in descriptors of its
  /// own.
  static std::vector<std::string> run_some(std::uint64_t seed) {
    Random random(seed);
    std::vector<std::string> seen;
    for (int i = 0; i < 150; ++i) {
      ApiCall call(random.between(3, 6), random.between(0, 2) == 0 ? 2 : 1,
                   static_cast<std::int8_t>(random.between(0, 4)));
      const auto times = random.between(1, 3);
      for (int time = 0; time < times; ++time) seen.push_back(call.run());
    }
    return seen;
  }
};

TEST_F(CallsThroughTheApi, GiveTheSameStatusesMessagesAndBitsWithTheCacheAndWithout) {
  plan_cache().use(false);
  const auto without = run_some(1);
  plan_cache().use(true);
  const std::uint64_t hits = plan_cache().hits();
  EXPECT_EQ(run_some(1), without);
  EXPECT_GT(plan_cache().hits(), hits + 100);
}

TEST_F(CallsThroughTheApi, ShareTheCacheBetweenThreads) {
  constexpr std::uint64_t thread_count = 4;
  std::array<std::vector<std::string>, thread_count> expected, seen;
  plan_cache().use(false);
  for (std::uint64_t i = 0; i < thread_count; ++i) expected.at(i) = run_some(i);
  plan_cache().use(true);
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < thread_count; ++i) {
    threads.emplace_back([i, &seen] {
      EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      seen.at(i) = run_some(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, expected);
}

/// A machine that begins again with other settings plans again.
TEST_F(CallsThroughTheApi, FollowTheMachineThatBeginsAgain) {
  const auto status = [] {
    ApiCall call(5, 1, 0);
    std::string seen;
    for (int i = 0; i < 3; ++i) seen = call.run();
    return seen;
  };
  const std::string on_910b = status();
  open({{"GRADPROOF_DEVICES", "Ascend310P3"}});
  const std::string on_310p = status();
  EXPECT_NE(on_310p.find("CUBE-02"), std::string::npos);
  open({});
  EXPECT_EQ(status(), on_910b);
}

}  // namespace
}  // namespace gradproof::kernel::api
