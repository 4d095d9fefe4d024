#include "tests/properties/fake_cann.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

struct aclTensor {
  std::vector<std::int64_t> shape, strides;
  std::int64_t offset;
  aclDataType type;
  aclFormat format;
  void* data;
};
struct aclIntArray {
  std::vector<std::int64_t> values;
};
struct aclBoolArray {
  std::vector<bool> values;
};

namespace {

using gradproof::properties::fake_cann;
using gradproof::properties::Misbehaviour;

struct View {
  std::vector<std::int64_t> shape, strides;
  float* first = nullptr;

  float& at(const std::array<std::int64_t, 5>& index) const {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) place += strides[i] * index[i];
    return first[place];
  }
  std::int64_t count() const {
    std::int64_t product = 1;
    for (const auto length : shape) product *= length;
    return product;
  }
};

bool does(Misbehaviour what) { return fake_cann().misbehaviour == what; }

/// Lifted to N C D H W; absent axes have length 1.
View view_of(const aclTensor& tensor) {
  View view{tensor.shape, tensor.strides, static_cast<float*>(tensor.data) + tensor.offset};
  if (does(Misbehaviour::IgnoreStrides)) {
    std::int64_t next = 1;
    for (std::size_t i = view.shape.size(); i-- > 0;) {
      view.strides[i] = next;
      next *= view.shape[i];
    }
  }
  while (view.shape.size() < 5) {
    view.shape.insert(view.shape.begin() + 2, 1);
    view.strides.insert(view.strides.begin() + 2, 0);
  }
  return view;
}

}  // namespace

struct aclOpExecutor {
  View dy, x, w;
  std::optional<View> dx, dw, db;
  std::vector<std::int64_t> stride, begin, end, dilation, output_padding;
  bool transposed;
  int groups;
  std::vector<bool> mask;
  std::size_t rank = 5;
  aclFormat format = ACL_FORMAT_ND;  ///< of the input
  int mode = 0;
  bool repeatable = false;
  int uses = 0;
  std::map<std::string, std::string> settings{};  ///< that it was planned under
};

namespace {

bool is(const aclOpExecutor& call, std::size_t output) { return call.mask[output]; }

void clear(const View& view) {
  // Outputs are contiguous.
  std::fill_n(view.first, view.count(), 0.0F);
}

float rounded_to_bits(float value, int bits) {
  if (value == 0) return value;
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

float half_rounded(float value) { return rounded_to_bits(value, 11); }

float truncated_to_bits(float value, int bits) {
  if (value == 0) return value;
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
}

/// HFLOAT32 of Ascend910B: 11 bits behind the leading one.
float as_multiplied(float value) {
  if (does(Misbehaviour::RoundInputsToHf32)) return rounded_to_bits(value, 12);
  if (does(Misbehaviour::TruncateInputsToHf32)) return truncated_to_bits(value, 12);
  return value;
}

double as_stored(double value) {
  if (does(Misbehaviour::DoubleGradients)) return 2 * value;
  if (does(Misbehaviour::NegateGradients)) return -value;
  if (does(Misbehaviour::RoundResultsToHalf)) return half_rounded(static_cast<float>(value));
  return value;
}

/// Where a product is: sample, channel of the small map, last tap, last coordinate of the big map.
struct Meeting {
  std::int64_t n, c, kw, v;
};

bool is_lost_by_law_breaker(const aclOpExecutor& call, const Meeting& at) {
  const View& small = call.transposed ? call.x : call.dy;
  switch (fake_cann().misbehaviour) {
    case Misbehaviour::LoseLastTapIn1D:
      return call.rank == 3 && at.kw + 1 == call.w.shape[4];
    case Misbehaviour::LoseLastSampleIfTransposed:
      return call.transposed && at.n + 1 == small.shape[0];
    case Misbehaviour::LoseLastChannel:
      return at.c + 1 == small.shape[1];
    case Misbehaviour::LoseFirstColumn:
      return at.v == 0;
    default:
      return false;
  }
}

double factor_of_grad_weight(const aclOpExecutor& call, std::int64_t n) {
  switch (fake_cann().misbehaviour) {
    case Misbehaviour::DoubleGradWeight:
      return 2;
    case Misbehaviour::CountFirstSampleTwice:
      return n == 0 ? 2 : 1;
    case Misbehaviour::LoseGradWeightWithoutGradInput:
      return call.mask[0] ? 1 : 0;
    case Misbehaviour::DoubleGradWeightOfNd:
      return call.format == ACL_FORMAT_ND ? 2 : 1;
    case Misbehaviour::DoubleGradWeightInOtherModes:
      return call.mode == 0 ? 1 : 2;
    default:
      return 1;
  }
}

/// Sums by N C D H W.
void store(const View& view, const std::vector<double>& sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    std::array<std::int64_t, 5> at{};
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t axis = 5; axis-- > 0; rest /= view.shape[axis]) {
      at.at(axis) = rest % view.shape[axis];
    }
    view.at(at) = static_cast<float>(as_stored(sums[i]));
  }
}

/// Everything that meets: dx += dy * w, dw += dy * x, in terms of the larger and the smaller map.
void accumulate(const aclOpExecutor& call) {  // NOLINT(readability-function-size): nine loops
  const View& big = call.transposed ? call.dy : call.x;
  const View& small = call.transposed ? call.x : call.dy;
  const auto groups = does(Misbehaviour::IgnoreGroups) ? 1 : call.groups;
  const std::int64_t small_per_group = small.shape[1] / groups, big_per_group = call.w.shape[1];
  std::array<std::int64_t, 3> stride{}, dilation{}, begin{};
  for (std::size_t i = 0; i < 3; ++i) {
    stride[i] = call.stride[i];
    dilation[i] = call.dilation[i];
    begin[i] = call.begin[i];
  }
  if (does(Misbehaviour::TakeDilationForStride)) stride[2] = dilation[2];
  if (does(Misbehaviour::TakeStrideForDilation)) dilation[2] = stride[2];
  if (does(Misbehaviour::SwapStrides)) std::swap(stride[1], stride[2]);
  if (does(Misbehaviour::IgnorePadding)) begin[2] = 0;
  if (does(Misbehaviour::PaddingOneTooLarge)) ++begin[1];
  const auto is_lost = [&](std::int64_t n, std::int64_t c, std::int64_t v, std::int64_t kw) {
    if (does(Misbehaviour::LoseFirstTap)) return kw == 0;
    if (does(Misbehaviour::OnlyFirstSample)) return n > 0;
    if (does(Misbehaviour::LoseLastChannelOfGroups)) {
      return groups > 1 && c % small_per_group == small_per_group - 1;
    }
    if (does(Misbehaviour::LoseTailBeyondEight)) return v >= big.shape[4] / 8 * 8;
    return does(Misbehaviour::LoseOutputPadding) && call.transposed &&
           v >= big.shape[4] - call.output_padding[2];
  };
  const bool lose_column = does(Misbehaviour::LoseLastColumn);
  const auto product = [](float a, float b) {
    const float exact = as_multiplied(a) * as_multiplied(b);
    return does(Misbehaviour::RoundProductsToHalf) ? half_rounded(exact) : exact;
  };
  std::vector<double> dx(call.dx ? static_cast<std::size_t>(call.dx->count()) : 0),
      dw(call.dw ? static_cast<std::size_t>(call.dw->count()) : 0);
  const auto index_of = [](const View& view, const std::array<std::int64_t, 5>& at) {
    std::int64_t index = 0;
    for (std::size_t i = 0; i < 5; ++i) index = index * view.shape[i] + at[i];
    return static_cast<std::size_t>(index);
  };
  for (std::int64_t n = 0; n < small.shape[0]; ++n)
    for (std::int64_t c = 0; c < small.shape[1]; ++c)
      for (std::int64_t od = 0; od < small.shape[2]; ++od)
        for (std::int64_t oh = 0; oh < small.shape[3]; ++oh)
          for (std::int64_t ow = 0; ow < small.shape[4]; ++ow)
            for (std::int64_t b = 0; b < big_per_group; ++b)
              for (std::int64_t kd = 0; kd < call.w.shape[2]; ++kd)
                for (std::int64_t kh = 0; kh < call.w.shape[3]; ++kh)
                  for (std::int64_t kw = 0; kw < call.w.shape[4]; ++kw) {
                    const std::int64_t d = od * stride[0] + kd * dilation[0] - begin[0];
                    const std::int64_t h = oh * stride[1] + kh * dilation[1] - begin[1];
                    const std::int64_t v = ow * stride[2] + kw * dilation[2] - begin[2];
                    if (d < 0 || h < 0 || v < 0 || d >= big.shape[2] || h >= big.shape[3] ||
                        v >= big.shape[4]) {
                      continue;
                    }
                    if (lose_column && v + 1 == big.shape[4]) continue;
                    if (is_lost_by_law_breaker(call, {n, c, kw, v})) continue;
                    if (does(Misbehaviour::LosePaddingEnd) && ow + 1 == small.shape[4] &&
                        call.end[2] > 0) {
                      continue;
                    }
                    if (is_lost(n, c, v, kw)) continue;
                    const std::int64_t channel = c / small_per_group * big_per_group + b;
                    const std::array<std::int64_t, 5> at_big{n, channel, d, h, v},
                        at_small{n, c, od, oh, ow};
                    std::array<std::int64_t, 5> at_weight{c, b, kd, kh, kw};
                    if (does(Misbehaviour::FlipKernel)) {
                      for (std::size_t i = 2; i < 5; ++i) {
                        at_weight[i] = call.w.shape[i] - 1 - at_weight[i];
                      }
                    }
                    if (channel >= big.shape[1]) continue;
                    const auto& at_dx = call.transposed ? at_small : at_big;
                    const float dy = call.transposed ? big.at(at_big) : small.at(at_small);
                    const float x = call.transposed ? small.at(at_small) : big.at(at_big);
                    if (!dx.empty()) {
                      dx[index_of(*call.dx, at_dx)] += product(dy, call.w.at(at_weight));
                    }
                    if (!dw.empty()) {
                      dw[index_of(*call.dw, at_weight)] +=
                          factor_of_grad_weight(call, n) * product(dy, x);
                    }
                  }
  if (call.dx) store(*call.dx, dx);
  if (call.dw) store(*call.dw, dw);
}

float bias_term(const aclOpExecutor& call, float value) {
  const bool rounds = does(Misbehaviour::RoundBiasInOtherModes) && call.mode != 0;
  return rounds ? half_rounded(value) : value;
}

void sum_bias(const aclOpExecutor& call) {
  const std::int64_t samples =
      call.dy.shape[0] - (does(Misbehaviour::BiasMissesLastSample) ? 1 : 0);
  for (std::int64_t c = 0; c < call.dy.shape[1]; ++c) {
    double sum = 0;
    for (std::int64_t n = 0; n < samples; ++n)
      for (std::int64_t d = 0; d < call.dy.shape[2]; ++d)
        for (std::int64_t h = 0; h < call.dy.shape[3]; ++h)
          for (std::int64_t v = 0; v < call.dy.shape[4]; ++v)
            sum += bias_term(call, call.dy.at({n, c, d, h, v}));
    call.db->first[c] = static_cast<float>(sum);
  }
}

void compute(const aclOpExecutor& requested) {
  aclOpExecutor call = requested;
  if (!is(call, 0) || does(Misbehaviour::LeaveGradInputUnwritten)) call.dx.reset();
  if (!is(call, 1)) call.dw.reset();
  if (call.dx) clear(*call.dx);
  if (call.dw) clear(*call.dw);
  accumulate(call);
  if (is(call, 2) && call.db) sum_bias(call);
}

/// What the call was planned with.
std::string setting(const aclOpExecutor& call, const std::string& name) {
  const auto found = call.settings.find(name);
  return found == call.settings.end() ? "" : found->second;
}

void misbehave_in_memory(const aclOpExecutor& call, std::byte* workspace) {
  static float varying = 0;
  switch (fake_cann().misbehaviour) {
    case Misbehaviour::WritePastOutput:
      if (call.dw) call.dw->first[call.dw->count()] = 1;
      return;
    case Misbehaviour::WriteBeforeOutput:
      if (call.dx) call.dx->first[-1] = 1;
      return;
    case Misbehaviour::WriteIntoInput:
      call.x.first[0] += 1;
      return;
    case Misbehaviour::WriteIntoInputGuard:
      call.w.first[-2] = 3;
      return;
    case Misbehaviour::WritePastWorkspace:
      workspace[fake_cann().workspace_size] = std::byte{7};
      return;
    case Misbehaviour::WriteUnrequestedOutput:
      for (const auto& [view, index] : {std::pair{call.dx, 0U}, {call.dw, 1U}, {call.db, 2U}}) {
        if (view && !is(call, index)) view->first[0] = 2;
      }
      return;
    case Misbehaviour::ReadWorkspace:
      if (call.dx && is(call, 0)) call.dx->first[0] = static_cast<float>(workspace[0]);
      return;
    case Misbehaviour::AddOneToGradInput:
      if (call.dx && is(call, 0)) call.dx->first[0] += 1;
      return;
    case Misbehaviour::MixUpStreams:
      if (call.dx && is(call, 0) && fake_cann().unsynchronised_launches > 1) call.dx->first[0] += 1;
      return;
    case Misbehaviour::VaryFromCallToCall:
      if (call.dx && is(call, 0)) call.dx->first[0] += varying += 1;
      return;
    case Misbehaviour::ShowScheduleInBits:
      if (call.dx && is(call, 0) && setting(call, "schedule_seed") == "13") call.dx->first[0] += 1;
      return;
    case Misbehaviour::LoseSumInSomeSchedules:
      if (call.dw && is(call, 1) && setting(call, "schedule_seed") == "14") call.dw->first[0] += 1;
      return;
    case Misbehaviour::ReadAddress:
      if (call.dx && reinterpret_cast<std::uintptr_t>(call.dy.first) % 64 != 0) {
        call.dx->first[0] += 1;
      }
      return;
    case Misbehaviour::DoublePlainPath:
      if (call.dx && is(call, 0) && setting(call, "path") == "plain") call.dx->first[0] *= 2;
      return;
    default:
      return;
  }
}

aclError set_for_thread(const char* name, const char* value) {
  if (value == nullptr) {
    fake_cann().settings.erase(name);
  } else {
    fake_cann().settings[name] = value;
  }
  return ACL_SUCCESS;
}

aclError init(const char*) { return ACL_SUCCESS; }
aclError finalize() { return ACL_SUCCESS; }
const char* message() { return does(Misbehaviour::RefuseEverything) ? "EZ1001: refused" : nullptr; }
aclError device_count(std::uint32_t* count) {
  *count = static_cast<std::uint32_t>(fake_cann().socs.size());
  return ACL_SUCCESS;
}
aclError set_device(std::int32_t id) {
  fake_cann().device = id;
  return ACL_SUCCESS;
}
aclError reset_device(std::int32_t) { return ACL_SUCCESS; }
const char* soc_name() {
  return fake_cann().socs[static_cast<std::size_t>(fake_cann().device)].c_str();
}
aclError set_context_option(aclSysParamOpt, std::int64_t value) {
  fake_cann().context_option = value;
  return ACL_SUCCESS;
}
aclError set_process_option(aclSysParamOpt, std::int64_t value) {
  fake_cann().process_option = value;
  return ACL_SUCCESS;
}
aclError create_stream(aclrtStream* stream) {
  ++fake_cann().live_streams;
  *stream = &fake_cann();
  return ACL_SUCCESS;
}
aclError destroy_stream(aclrtStream) {
  --fake_cann().live_streams;
  return ACL_SUCCESS;
}
aclError synchronize_stream(aclrtStream) {
  fake_cann().unsynchronised_launches = 0;
  return does(Misbehaviour::FailSynchronise) ? 507015 : ACL_SUCCESS;
}
aclError allocate(void** memory, std::size_t size, aclrtMemMallocPolicy) {
  *memory = std::aligned_alloc(64, (size + 63) / 64 * 64);
  ++fake_cann().live_allocations;
  return ACL_SUCCESS;
}
std::size_t leaked_bytes = 0;

aclError memory_info(aclrtMemAttr, std::size_t* free, std::size_t* total) {
  *total = std::size_t{1} << 32;
  *free = *total - leaked_bytes;
  return ACL_SUCCESS;
}

aclError release(void* memory) {
  std::free(memory);
  --fake_cann().live_allocations;
  return ACL_SUCCESS;
}
aclError copy(void* to, std::size_t, const void* from, std::size_t count, aclrtMemcpyKind) {
  std::memcpy(to, from, count);
  return ACL_SUCCESS;
}

aclTensor* create_tensor(const std::int64_t* dims, std::uint64_t rank, aclDataType type,
                         const std::int64_t* strides, std::int64_t offset, aclFormat format,
                         const std::int64_t*, std::uint64_t, void* data) {
  ++fake_cann().live_tensors;
  const std::vector<std::int64_t> shape(dims, dims + rank);
  const auto steps = strides == nullptr ? gradproof::corpus::row_major_strides(shape)
                                        : std::vector<std::int64_t>(strides, strides + rank);
  return new aclTensor{shape, steps, offset, type, format, data};
}
aclnnStatus destroy_tensor(const aclTensor* tensor) {
  --fake_cann().live_tensors;
  delete tensor;
  return 0;
}
aclIntArray* create_int_array(const std::int64_t* values, std::uint64_t size) {
  ++fake_cann().live_arrays;
  return new aclIntArray{std::vector<std::int64_t>(values, values + size)};
}
aclnnStatus destroy_int_array(const aclIntArray* array) {
  --fake_cann().live_arrays;
  delete array;
  return 0;
}
aclBoolArray* create_bool_array(const bool* values, std::uint64_t size) {
  ++fake_cann().live_arrays;
  return new aclBoolArray{std::vector<bool>(values, values + size)};
}
aclnnStatus destroy_bool_array(const aclBoolArray* array) {
  --fake_cann().live_arrays;
  delete array;
  return 0;
}
aclnnStatus destroy_executor(aclOpExecutor* executor) {
  --fake_cann().live_executors;
  delete executor;
  return 0;
}

aclnnStatus set_executor_repeatable(aclOpExecutor* executor) {
  executor->repeatable = true;
  return 0;
}

std::vector<std::int64_t> lifted(const aclIntArray& array, std::int64_t filler) {
  std::vector<std::int64_t> values = array.values;
  while (values.size() < 3) values.insert(values.begin(), filler);
  return values;
}

aclnnStatus workspace_size(const aclTensor* dy, const aclTensor* x, const aclTensor* w,
                           const aclIntArray*, const aclIntArray* stride,
                           const aclIntArray* padding, const aclIntArray* dilation, bool transposed,
                           const aclIntArray* output_padding, int groups, const aclBoolArray* mask,
                           std::int8_t mode, aclTensor* dx, aclTensor* dw, aclTensor* db,
                           std::uint64_t* size, aclOpExecutor** executor) {
  ++fake_cann().phase_one_calls;
  fake_cann().options_in_phase_one = {fake_cann().context_option, fake_cann().process_option};
  if (does(Misbehaviour::TouchOutParametersOnFailure)) *size = 0;
  if (does(Misbehaviour::RefuseEverything) || does(Misbehaviour::TouchOutParametersOnFailure)) {
    return 161002;
  }
  if (does(Misbehaviour::ReturnOddStatus)) return 12345;
  if (does(Misbehaviour::WriteInPhaseOne)) view_of(*dw).first[0] = 1;
  if (!does(Misbehaviour::ForgetWorkspaceSize)) *size = fake_cann().workspace_size;
  if (does(Misbehaviour::ForgetExecutor)) return 0;
  ++fake_cann().live_executors;
  auto* made = new aclOpExecutor{view_of(*dy),
                                 view_of(*x),
                                 view_of(*w),
                                 {},
                                 {},
                                 {},
                                 lifted(*stride, 1),
                                 {},
                                 {},
                                 lifted(*dilation, 1),
                                 lifted(*output_padding, 0),
                                 transposed,
                                 groups,
                                 mask->values,
                                 x->shape.size(),
                                 x->format,
                                 mode};
  if (does(Misbehaviour::IgnoreOffset)) made->w.first -= w->offset;
  if (dx) made->dx = view_of(*dx);
  if (dw) made->dw = view_of(*dw);
  if (db) made->db = View{db->shape, db->strides, static_cast<float*>(db->data) + db->offset};
  if (padding->values.size() == 4) {
    made->begin = {0, padding->values[0], padding->values[2]};
    made->end = {0, padding->values[1], padding->values[3]};
  } else {
    made->begin = made->end = lifted(*padding, 0);
  }
  made->settings = fake_cann().settings;
  *executor = made;
  return 0;
}

// ---- the graph operators

/// The axes of a tensor that are N C D H W.
std::array<std::size_t, 5> axes_of(aclFormat format) {
  if (format == ACL_FORMAT_NDHWC) return {0, 4, 1, 2, 3};
  if (format == ACL_FORMAT_DHWCN) return {4, 3, 0, 1, 2};
  return {0, 1, 2, 3, 4};
}

View logical_view_of(const aclTensor& tensor) {
  const View own = view_of(tensor);
  View view = own;
  for (std::size_t i = 0; i < 5; ++i) {
    view.shape[i] = own.shape[axes_of(tensor.format).at(i)];
    view.strides[i] = own.strides[axes_of(tensor.format).at(i)];
  }
  return view;
}

/// Three values of five for D H W; a null array stands for ones.
std::vector<std::int64_t> spatial(const aclIntArray* values, const char* data_format) {
  if (values == nullptr) return {1, 1, 1};
  const bool is_last = !does(Misbehaviour::MistakeOperatorLayout) &&
                       std::strcmp(data_format == nullptr ? "NDHWC" : data_format, "NDHWC") == 0;
  const auto* first = values->values.data() + (is_last ? 1 : 2);
  return {first, first + 3};
}

/// The two operators' arguments but for their tensors and sizes.
struct OperatorArguments {
  const aclIntArray *strides, *pads, *dilations;
  std::int64_t groups;
  const char* data_format;
};

aclOpExecutor* operator_executor(const aclTensor& dy, const aclTensor& x, const aclTensor& w,
                                 const OperatorArguments& given) {
  ++fake_cann().phase_one_calls;
  ++fake_cann().live_executors;
  auto* made = new aclOpExecutor{logical_view_of(dy),
                                 logical_view_of(x),
                                 logical_view_of(w),
                                 {},
                                 {},
                                 {},
                                 spatial(given.strides, given.data_format),
                                 {},
                                 {},
                                 spatial(given.dilations, given.data_format),
                                 {0, 0, 0},
                                 false,
                                 static_cast<int>(given.groups),
                                 {}};
  const auto& pads = given.pads->values;
  made->begin = {pads[0], pads[2], pads[4]};
  made->end = {pads[1], pads[3], pads[5]};
  made->settings = fake_cann().settings;
  return made;
}

aclnnStatus input_v2_workspace_size(const aclIntArray*, const aclTensor* filter,
                                    const aclTensor* dy, const aclIntArray* strides,
                                    const aclIntArray* pads, const aclIntArray* dilations,
                                    std::int64_t groups, const char* data_format, bool,
                                    aclTensor* y, std::uint64_t* size, aclOpExecutor** executor) {
  *executor = operator_executor(*dy, *y, *filter, {strides, pads, dilations, groups, data_format});
  (*executor)->dx = (*executor)->x;
  (*executor)->mask = {true, false, false};
  *size = fake_cann().workspace_size;
  return 0;
}

aclnnStatus filter_v2_workspace_size(const aclTensor* x, const aclIntArray*, const aclTensor* dy,
                                     const aclIntArray* strides, const aclIntArray* pads,
                                     const aclIntArray* dilations, std::int64_t groups,
                                     const char* data_format, bool, aclTensor* y,
                                     std::uint64_t* size, aclOpExecutor** executor) {
  *executor = operator_executor(*dy, *x, *y, {strides, pads, dilations, groups, data_format});
  (*executor)->dw = (*executor)->w;
  (*executor)->mask = {false, true, false};
  *size = fake_cann().workspace_size;
  return 0;
}

aclnnStatus backward(void* workspace, std::uint64_t, aclOpExecutor* executor, const aclrtStream) {
  ++fake_cann().phase_two_calls;
  ++fake_cann().unsynchronised_launches;
  const bool skipped = does(Misbehaviour::SkipSecondUseOfExecutor) && executor->uses++ > 0;
  if (!does(Misbehaviour::FailPhaseTwo) && !skipped) {
    compute(*executor);
    misbehave_in_memory(*executor, static_cast<std::byte*>(workspace));
    if (does(Misbehaviour::LeakDeviceMemory)) leaked_bytes += 512;
  }
  if (!executor->repeatable) destroy_executor(executor);
  return does(Misbehaviour::FailPhaseTwo) ? 361001 : 0;
}

/// Phase two of both operators.
aclnnStatus operator_phase_two(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                               aclrtStream stream) {
  return backward(workspace, size, executor, stream);
}

}  // namespace

namespace gradproof::properties {

FakeCann& fake_cann() {
  static FakeCann fake;
  return fake;
}

CannApi fake_api() {
  CannApi api;
  api.init = init;
  api.finalize = finalize;
  api.recent_error_message = message;
  api.device_count = device_count;
  api.set_device = set_device;
  api.reset_device = reset_device;
  api.soc_name = soc_name;
  api.set_context_option = set_context_option;
  api.set_process_option = set_process_option;
  api.create_stream = create_stream;
  api.destroy_stream = destroy_stream;
  api.synchronize_stream = synchronize_stream;
  api.allocate = allocate;
  api.memory_info = memory_info;
  api.release = release;
  api.set_for_thread = set_for_thread;
  api.copy = copy;
  api.create_tensor = create_tensor;
  api.destroy_tensor = destroy_tensor;
  api.create_int_array = create_int_array;
  api.destroy_int_array = destroy_int_array;
  api.create_bool_array = create_bool_array;
  api.destroy_bool_array = destroy_bool_array;
  api.destroy_executor = destroy_executor;
  api.set_executor_repeatable = set_executor_repeatable;
  api.backward_workspace_size = workspace_size;
  api.backward = backward;
  return api;
}

CannApi fake_api_with_operators() {
  CannApi api = fake_api();
  api.input_v2_workspace_size = input_v2_workspace_size;
  api.filter_v2_workspace_size = filter_v2_workspace_size;
  api.input_v2 = api.filter_v2 = operator_phase_two;
  return api;
}

std::shared_ptr<const Library> fake_library(Misbehaviour misbehaviour) {
  return fake_library(fake_api(), misbehaviour);
}

std::shared_ptr<const Library> fake_library(const CannApi& api, Misbehaviour misbehaviour) {
  fake_cann() = FakeCann{};
  fake_cann().misbehaviour = misbehaviour;
  auto library = Library::of(api, "fake");
  EXPECT_TRUE(library) << (library ? "" : library.error());
  return *library;
}

}  // namespace gradproof::properties
