#include "tests/properties/false_alarms/wrapped_backend.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/simulated_backend.h"

namespace gradproof::runs {
namespace {

/// The backend's functions, and what is done differently.
struct Backend {
  targets::CannApi api;
  Wrapping wrapping;
  std::map<void*, void*> allocations;  ///< what the caller has, what the backend gave
};
/// Of `allocations`: host threads may allocate at once.
std::mutex allocating;

Backend& backend() {
  static Backend one;
  return one;
}

/// What the calling thread works on: a thread of the library's own takes it over.
thread_local std::int32_t device_of_this_thread = 0;
thread_local aclrtContext context_of_this_thread = nullptr;

aclError set_device(std::int32_t device) {
  device_of_this_thread = device;
  context_of_this_thread = nullptr;
  return backend().api.set_device(device);
}

aclError set_current_context(aclrtContext context) {
  context_of_this_thread = context;
  return backend().api.set_current_context(context);
}

/// Calls under way, each on a thread, until their stream is synchronised.
class Workers {
 public:
  template <typename Call>
  void begin(aclrtStream stream, Call call) {
    const std::scoped_lock lock(mutex_);
    Work& work = *works_.emplace(stream, std::make_unique<Work>())->second;
    work.thread = std::thread(
        [&work, call, device = device_of_this_thread, context = context_of_this_thread] {
          const targets::CannApi& api = backend().api;
          work.status = context ? api.set_current_context(context) : api.set_device(device);
          if (work.status == ACL_SUCCESS) work.status = call();
        });
  }
  /// The status of the first that failed.
  aclError end(aclrtStream stream) {
    aclError status = ACL_SUCCESS;
    while (auto work = taken(stream)) {
      work->thread.join();
      if (status == ACL_SUCCESS) status = work->status;
    }
    return status;
  }

 private:
  struct Work {
    std::thread thread;
    aclError status = ACL_SUCCESS;
  };
  std::unique_ptr<Work> taken(aclrtStream stream) {
    const std::scoped_lock lock(mutex_);
    const auto found = works_.find(stream);
    if (found == works_.end()) return nullptr;
    auto work = std::move(found->second);
    works_.erase(found);
    return work;
  }

  std::mutex mutex_;
  std::multimap<aclrtStream, std::unique_ptr<Work>> works_;
};

Workers& workers() {
  static Workers all;
  return all;
}

aclError synchronize_stream(aclrtStream stream) {
  const aclError status = workers().end(stream);
  const aclError synchronised = backend().api.synchronize_stream(stream);
  return status != ACL_SUCCESS ? status : synchronised;
}

/// An executor as the wrapping library makes it.
struct OwnExecutor {
  aclOpExecutor* inner = nullptr;
  std::uint64_t needed = 0;  ///< bytes of workspace
  void* workspace = nullptr;
  bool is_repeatable = false;
};

OwnExecutor* own(aclOpExecutor* executor) { return reinterpret_cast<OwnExecutor*>(executor); }

/// Those that live: without executor functions a program cannot end one that it never runs.
class OwnExecutors {
 public:
  aclOpExecutor* add(const OwnExecutor& made) {
    auto executor = std::make_unique<OwnExecutor>(made);
    OwnExecutor* const place = executor.get();
    const std::scoped_lock lock(mutex_);
    alive_[place] = std::move(executor);
    return reinterpret_cast<aclOpExecutor*>(place);
  }
  void remove(OwnExecutor* executor) {
    const std::scoped_lock lock(mutex_);
    alive_.erase(executor);
  }

 private:
  std::mutex mutex_;
  std::map<OwnExecutor*, std::unique_ptr<OwnExecutor>> alive_;
};

OwnExecutors& own_executors() {
  static OwnExecutors executors;
  return executors;
}

void end(OwnExecutor* executor) {
  if (executor->workspace) backend().api.release(executor->workspace);
  own_executors().remove(executor);
}

aclnnStatus destroy(aclOpExecutor* executor) {
  const aclnnStatus status = backend().api.destroy_executor(own(executor)->inner);
  end(own(executor));
  return status;
}

aclnnStatus set_repeatable(aclOpExecutor* executor) {
  own(executor)->is_repeatable = true;
  return backend().api.set_executor_repeatable(own(executor)->inner);
}

aclnnStatus set_input_address(aclOpExecutor* executor, std::size_t index, aclTensor* tensor,
                              void* address) {
  return backend().api.set_input_address(own(executor)->inner, index, tensor, address);
}

aclnnStatus set_output_address(aclOpExecutor* executor, std::size_t index, aclTensor* tensor,
                               void* address) {
  return backend().api.set_output_address(own(executor)->inner, index, tensor, address);
}

aclnnStatus phase_one(const aclTensor* dy, const aclTensor* x, const aclTensor* w,
                      const aclIntArray* bias_sizes, const aclIntArray* stride,
                      const aclIntArray* padding, const aclIntArray* dilation, bool transposed,
                      const aclIntArray* output_padding, int groups, const aclBoolArray* mask,
                      std::int8_t mode, aclTensor* dx, aclTensor* dw, aclTensor* db,
                      std::uint64_t* size, aclOpExecutor** executor) {
  const Wrapping& wrapping = backend().wrapping;
  OwnExecutor made;
  const aclnnStatus status = backend().api.backward_workspace_size(
      dy, x, w, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, mask,
      mode, dx, dw, db, size ? &made.needed : nullptr, executor ? &made.inner : nullptr);
  if (status != ACL_SUCCESS) return status;
  const bool asks_for_none = wrapping.own_workspace || wrapping.own_workspace_in_phase_one;
  *size = asks_for_none ? 0 : made.needed + wrapping.added_workspace;
  if (*size > 0) *size += wrapping.workspace_alignment - 1;
  if (wrapping.own_workspace_in_phase_one && made.needed > 0) {
    backend().api.allocate(&made.workspace, made.needed, ACL_MEM_MALLOC_HUGE_FIRST);
  }
  *executor = own_executors().add(made);
  return status;
}

/// The first place of the wrapping's alignment in a workspace.
void* aligned(void* workspace) {
  const std::uint64_t step = backend().wrapping.workspace_alignment;
  const auto address = reinterpret_cast<std::uintptr_t>(workspace);
  return static_cast<std::byte*>(workspace) + (step - address % step) % step;
}

aclnnStatus phase_two(void* workspace, std::uint64_t, aclOpExecutor* executor,
                      const aclrtStream stream) {
  const Backend& inner = backend();
  OwnExecutor* called = own(executor);
  void* passing = nullptr;
  if (inner.wrapping.own_workspace && called->needed > 0) {
    inner.api.allocate(&passing, called->needed, ACL_MEM_MALLOC_HUGE_FIRST);
  }
  void* used = passing ? passing : called->workspace ? called->workspace : aligned(workspace);
  if (inner.wrapping.computes_on_a_thread) {
    const auto call = [used, called = *called, stream] {
      return backend().api.backward(used, called.needed, called.inner, stream);
    };
    workers().begin(stream, call);
    if (!called->is_repeatable) end(called);
    return ACL_SUCCESS;
  }
  const aclnnStatus status = inner.api.backward(used, called->needed, called->inner, stream);
  const bool waits = inner.wrapping.waits_in_phase_two || passing || called->workspace;
  if (waits) inner.api.synchronize_stream(stream);
  if (passing) inner.api.release(passing);
  if (!called->is_repeatable) end(called);
  return status;
}

aclError allocate(void** memory, std::size_t size, aclrtMemMallocPolicy policy) {
  void* given = nullptr;
  const std::size_t step = backend().wrapping.address_step;
  const aclError status = backend().api.allocate(&given, size + step, policy);
  if (status != ACL_SUCCESS) return status;
  *memory = static_cast<std::byte*>(given) + step;
  const std::scoped_lock lock(allocating);
  backend().allocations[*memory] = given;
  return status;
}

aclError release(void* memory) {
  void* given = memory;
  {
    const std::scoped_lock lock(allocating);
    if (const auto taken = backend().allocations.extract(memory)) given = taken.mapped();
  }
  return backend().api.release(given);
}

targets::CannApi loaded() {
  targets::CannApi api;
  for (const auto& file : targets::simulated_libraries()) {
    void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) throw std::runtime_error(::dlerror());
    for (const targets::EntryPoint& row : targets::entry_points()) {
      if (void* address = ::dlsym(handle, std::string(row.name).c_str())) row.assign(api, address);
    }
  }
  return api;
}

}  // namespace

std::shared_ptr<const targets::Library> wrapped_backend(const std::string& name,
                                                        const Wrapping& wrapping) {
  targets::furnish_simulated_machine();
  if (!wrapping.setting.empty()) {
    ::setenv(wrapping.setting.c_str(), wrapping.value.c_str(), 1);
  }
  targets::CannApi api = loaded();
  api.set_for_thread = nullptr;
  api.input_v2_workspace_size = nullptr;
  api.filter_v2_workspace_size = nullptr;
  api.input_v2 = api.filter_v2 = nullptr;
  api.input_tiling = nullptr;
  api.filter_tiling = nullptr;
  api.input_tiling_run = nullptr;
  api.filter_tiling_run = nullptr;
  backend() = {api, wrapping, {}};
  if (wrapping.own_executors) {
    api.backward_workspace_size = phase_one;
    api.backward = phase_two;
    api.destroy_executor = wrapping.has_executor_functions ? destroy : nullptr;
    api.set_executor_repeatable = wrapping.has_executor_functions ? set_repeatable : nullptr;
    api.set_input_address = wrapping.has_executor_functions ? set_input_address : nullptr;
    api.set_output_address = wrapping.has_executor_functions ? set_output_address : nullptr;
  }
  if (wrapping.computes_on_a_thread) {
    api.set_device = set_device;
    if (api.set_current_context) api.set_current_context = set_current_context;
    api.synchronize_stream = synchronize_stream;
  }
  if (wrapping.address_step > 0) {
    api.allocate = allocate;
    api.release = release;
  }
  auto library = targets::LoadedLibrary::of(api, name);
  if (!library) throw std::runtime_error(library.error());
  return *library;
}

}  // namespace gradproof::runs
