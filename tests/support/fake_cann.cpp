#include "tests/support/fake_cann.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "properties/targets/session/loaded_library.h"
#include "tests/support/fake_convolution.h"

namespace {

using gradproof::targets::compute;
using gradproof::targets::does;
using gradproof::targets::fake_cann;
using gradproof::targets::misbehave_in_memory;
using gradproof::targets::Misbehaviour;
using gradproof::targets::View;
using gradproof::targets::view_of;

/// Held by every function that host threads may call at once.
std::recursive_mutex& one_at_a_time() {
  static std::recursive_mutex mutex;
  return mutex;
}

aclError set_for_thread(const char* name, const char* value) {
  const std::scoped_lock lock(one_at_a_time());
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
  const std::scoped_lock lock(one_at_a_time());
  fake_cann().device = id;
  return ACL_SUCCESS;
}
aclError reset_device(std::int32_t) { return ACL_SUCCESS; }
const char* soc_name() { return fake_cann().socs[gradproof::to_size(fake_cann().device)].c_str(); }
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
  const std::scoped_lock lock(one_at_a_time());
  fake_cann().unsynchronised_launches = 0;
  return does(Misbehaviour::FailSynchronise) ? 507015 : ACL_SUCCESS;
}
aclError allocate(void** memory, std::size_t size, aclrtMemMallocPolicy) {
  const std::scoped_lock lock(one_at_a_time());
  *memory = std::aligned_alloc(128, (size + 127) / 128 * 128);
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
  const std::scoped_lock lock(one_at_a_time());
  std::free(memory);
  --fake_cann().live_allocations;
  return ACL_SUCCESS;
}
aclError copy(void* to, std::size_t, const void* from, std::size_t count, aclrtMemcpyKind) {
  std::memcpy(to, from, count);
  return ACL_SUCCESS;
}

/// The stream comes to a copy when phase two is called, or, for a misbehaviour, after it.
std::vector<std::function<void()>> queued_copies;

aclError copy_in_stream(void* to, std::size_t, const void* from, std::size_t count, aclrtMemcpyKind,
                        aclrtStream) {
  queued_copies.emplace_back([=] { std::memcpy(to, from, count); });
  return ACL_SUCCESS;
}

void run_queued_copies() {
  for (const auto& copy : std::exchange(queued_copies, {})) copy();
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
  const std::scoped_lock lock(one_at_a_time());
  --fake_cann().live_executors;
  delete executor;
  return 0;
}

aclnnStatus set_executor_repeatable(aclOpExecutor* executor) {
  executor->repeatable = true;
  return 0;
}

void bind(View& view, const aclTensor& tensor, void* address) {
  if (does(Misbehaviour::IgnoreNewAddresses)) return;
  view.first = static_cast<float*>(address) + tensor.offset;
}

aclnnStatus set_input_address(aclOpExecutor* executor, std::size_t index, aclTensor* tensor,
                              void* address) {
  const std::array inputs{&executor->dy, &executor->x, &executor->w};
  bind(*inputs.at(index), *tensor, address);
  return 0;
}

aclnnStatus set_output_address(aclOpExecutor* executor, std::size_t index, aclTensor* tensor,
                               void* address) {
  const std::array outputs{&executor->dx, &executor->dw, &executor->db};
  bind(**outputs.at(index), *tensor, address);
  return 0;
}

std::vector<std::int64_t> lifted(const aclIntArray& array, std::int64_t filler) {
  std::vector<std::int64_t> values = array.values;
  while (values.size() < 3) values.insert(values.begin(), filler);
  return values;
}

bool are_float(std::initializer_list<const aclTensor*> inputs) {
  return std::ranges::all_of(inputs,
                             [](const aclTensor* input) { return input->type == ACL_FLOAT; });
}

aclnnStatus workspace_size(const aclTensor* dy, const aclTensor* x, const aclTensor* w,
                           const aclIntArray*, const aclIntArray* stride,
                           const aclIntArray* padding, const aclIntArray* dilation, bool transposed,
                           const aclIntArray* output_padding, int groups, const aclBoolArray* mask,
                           std::int8_t mode, aclTensor* dx, aclTensor* dw, aclTensor* db,
                           std::uint64_t* size, aclOpExecutor** executor) {
  const std::scoped_lock lock(one_at_a_time());
  ++fake_cann().phase_one_calls;
  fake_cann().options_in_phase_one = {fake_cann().context_option, fake_cann().process_option};
  if (does(Misbehaviour::TouchOutParametersOnFailure)) *size = 0;
  if (does(Misbehaviour::RefuseEverything) || does(Misbehaviour::TouchOutParametersOnFailure)) {
    return 161002;
  }
  if (does(Misbehaviour::ReturnOddStatus)) return 12345;
  if (does(Misbehaviour::WriteInPhaseOne) && dw) view_of(*dw).first[0] = 1;
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
  made->first_in_phase_one = made->dy.count() > 0 ? made->dy.first[0] : 0;
  made->thread_of_phase_one = fake_cann().last_planner = std::this_thread::get_id();
  made->is_float = are_float({dy, x, w});
  *executor = made;
  return 0;
}

// ---- aclnnConvolution: the gradient of the input of a call in the other direction

aclnnStatus forward_workspace_size(const aclTensor* x, const aclTensor* w, const aclTensor* bias,
                                   const aclIntArray* stride, const aclIntArray* padding,
                                   const aclIntArray* dilation, bool transposed, const aclIntArray*,
                                   const std::int64_t groups, aclTensor* y, std::int8_t mode,
                                   std::uint64_t* size, aclOpExecutor** executor) {
  if (bias != nullptr) return 161002;
  const aclIntArray no_padding{{0}};
  const aclBoolArray mask{{true, false, false}};
  return workspace_size(x, y, w, nullptr, stride, padding, dilation, !transposed, &no_padding,
                        static_cast<int>(groups), &mask, mode, y, nullptr, nullptr, size, executor);
}

aclnnStatus depthwise_workspace_size(const aclTensor* x, const aclTensor* w, const aclIntArray*,
                                     const aclTensor* bias, const aclIntArray* stride,
                                     const aclIntArray* padding, const aclIntArray* dilation,
                                     aclTensor* y, std::int8_t mode, std::uint64_t* size,
                                     aclOpExecutor** executor) {
  const std::int64_t groups = view_of(*x).shape[1];
  return forward_workspace_size(x, w, bias, stride, padding, dilation, false, nullptr, groups, y,
                                mode, size, executor);
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

/// The two operators' arguments except their tensors and sizes.
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
  made->is_float = are_float({&dy, &x, &w});
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

bool is_padded(const aclOpExecutor& call) {
  return std::ranges::any_of(call.begin, [](std::int64_t padding) { return padding > 0; });
}

bool was_long_ago(const aclOpExecutor& call) {
  constexpr int long_ago = 500;
  const auto last = fake_cann().last_calls.find(call.dy.shape);
  return last != fake_cann().last_calls.end() &&
         fake_cann().phase_two_calls - last->second > long_ago;
}

void remember(const aclOpExecutor& call) {
  auto& fake = fake_cann();
  fake.shape_before = call.dy.shape;
  fake.was_padded = is_padded(call);
  fake.padding_before = call.begin;
  fake.mask_before = call.mask;
  if (call.is_float && call.dy.count() > 0) fake.grad_output_before = call.dy.first[0];
  fake.last_calls[call.dy.shape] = fake.phase_two_calls;
}

bool holds_finite_numbers(const aclOpExecutor& call) {
  return std::ranges::any_of(std::array{&call.dx, &call.dw}, [](const auto* output) {
    return *output && (*output)->count() > 0 && std::isfinite((*output)->first[0]);
  });
}

/// Whether the call is in a form that the fake gets wrong.
bool mistakes_form(const void* workspace, std::uint64_t size, const aclOpExecutor& call,
                   const aclrtStream stream) {
  constexpr std::uintptr_t wanted_alignment = 128;
  switch (fake_cann().misbehaviour) {
    case Misbehaviour::DoubleWithLargerWorkspace:
      return size > fake_cann().workspace_size;
    case Misbehaviour::DoubleWithUnalignedWorkspace:
      return reinterpret_cast<std::uintptr_t>(workspace) % wanted_alignment != 0;
    case Misbehaviour::ReadDataInPhaseOne:
      return call.dy.first[0] != call.first_in_phase_one;
    case Misbehaviour::DoubleOnDefaultStream:
      return stream == nullptr;
    case Misbehaviour::DoubleOnAnotherThread:
      return std::this_thread::get_id() != call.thread_of_phase_one;
    case Misbehaviour::DoubleWherePlannedByTwoThreads:
      return fake_cann().last_planner != call.thread_of_phase_one;
    case Misbehaviour::KeepPaddingOfCallBefore:
      return fake_cann().was_padded && !is_padded(call);
    case Misbehaviour::KeepWindowsOfSameShapes:
      return fake_cann().shape_before == call.dy.shape && fake_cann().padding_before != call.begin;
    case Misbehaviour::KeepMaskOfSameShapes:
      return fake_cann().shape_before == call.dy.shape && fake_cann().mask_before < call.mask;
    case Misbehaviour::ForgetShapeAfterManyCalls:
      return was_long_ago(call);
    default:
      return false;
  }
}

void double_outputs(const aclOpExecutor& call) {
  for (const auto* output : {&call.dx, &call.dw, &call.db}) {
    if (!*output) continue;
    for (std::int64_t i = 0; i < (*output)->count(); ++i) (*output)->first[i] *= 2;
  }
}

aclnnStatus backward(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                     const aclrtStream stream) {
  const std::scoped_lock lock(one_at_a_time());
  ++fake_cann().phase_two_calls;
  ++fake_cann().unsynchronised_launches;
  const bool skipped = !executor->is_float ||
                       (does(Misbehaviour::SkipSecondUseOfExecutor) && executor->uses++ > 0) ||
                       (does(Misbehaviour::KeepFiniteOutputs) && holds_finite_numbers(*executor));
  if (!does(Misbehaviour::ReadBeforeStream)) run_queued_copies();
  if (!does(Misbehaviour::FailPhaseTwo) && !skipped) {
    compute(*executor);
    if (mistakes_form(workspace, size, *executor, stream)) double_outputs(*executor);
    misbehave_in_memory(*executor, static_cast<std::byte*>(workspace));
    if (does(Misbehaviour::LeakDeviceMemory)) leaked_bytes += 512;
  }
  run_queued_copies();
  remember(*executor);
  if (!executor->repeatable) destroy_executor(executor);
  return does(Misbehaviour::FailPhaseTwo) ? 361001 : 0;
}

aclnnStatus forward(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                    aclrtStream stream) {
  const View output = *executor->dx;
  const aclnnStatus status = backward(workspace, size, executor, stream);
  for (std::int64_t i = 0; does(Misbehaviour::DoubleForward) && i < output.count(); ++i) {
    output.first[i] *= 2;
  }
  return status;
}

/// Phase two of both operators.
aclnnStatus operator_phase_two(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                               aclrtStream stream) {
  return backward(workspace, size, executor, stream);
}

}  // namespace

namespace gradproof::targets {

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
  api.copy_in_stream = copy_in_stream;
  api.create_tensor = create_tensor;
  api.destroy_tensor = destroy_tensor;
  api.create_int_array = create_int_array;
  api.destroy_int_array = destroy_int_array;
  api.create_bool_array = create_bool_array;
  api.destroy_bool_array = destroy_bool_array;
  api.destroy_executor = destroy_executor;
  api.set_executor_repeatable = set_executor_repeatable;
  api.set_input_address = set_input_address;
  api.set_output_address = set_output_address;
  api.backward_workspace_size = workspace_size;
  api.backward = backward;
  return api;
}

CannApi fake_api_with_operators() {
  CannApi api = fake_api();
  api.input_v2_workspace_size = input_v2_workspace_size;
  api.filter_v2_workspace_size = filter_v2_workspace_size;
  api.input_v2 = api.filter_v2 = operator_phase_two;
  api.forward_workspace_size = forward_workspace_size;
  api.forward = forward;
  api.depthwise_workspace_size = depthwise_workspace_size;
  api.depthwise = forward;
  return api;
}

std::shared_ptr<const Library> fake_library(Misbehaviour misbehaviour) {
  return fake_library(fake_api(), misbehaviour);
}

std::shared_ptr<const Library> fake_library(const CannApi& api, Misbehaviour misbehaviour) {
  fake_cann() = FakeCann{};
  fake_cann().misbehaviour = misbehaviour;
  auto library = LoadedLibrary::of(api, "fake");
  EXPECT_TRUE(library) << (library ? "" : library.error());
  return *library;
}

}  // namespace gradproof::targets
