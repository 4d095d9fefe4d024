#include "properties/targets/session/loaded_target.h"

#include <fmt/core.h>

#include <algorithm>
#include <barrier>
#include <memory>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "corpus/random_source.h"
#include "properties/targets/session/case_memory.h"
#include "properties/targets/session/determinism_switch.h"
#include "properties/targets/session/host_shortage.h"
#include "properties/targets/session/marshal.h"

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::Observation;
using corpus::Status;

/// One case between its phases.
class InFlight {
 public:
  InFlight(Cann& cann, const Case& test_case, const RunSettings& settings)
      : cann_(cann), test_case_(test_case), settings_(settings) {}
  ~InFlight() {
    if (executor_ && api().destroy_executor) api().destroy_executor(executor_);
    if (stream_) api().destroy_stream(stream_);
  }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

  /// Prepares all that comes before phase one.
  void prepare() {
    auto memory = CaseMemory::placed(api(), test_case_, settings_.address_shift);
    if (!memory) return fail(memory.error());
    memory_.emplace(std::move(*memory));
    if (const aclError status = api().create_stream(&stream_); status != ACL_SUCCESS) {
      stream_ = nullptr;
      return fail(fmt::format("aclrtCreateStream failed with {}", status));
    }
    call_ = std::make_unique<MarshalledCall>(api(), test_case_, memory_->addresses());
    if (const char* function = call_->failed_function()) {
      return fail(fmt::format("{} returned a null pointer", function));
    }
  }

  void plan() {
    const DeterminismSwitch option(cann_, test_case_.deterministic);
    plan_as_switched();
  }

  /// Plans the call where the determinism option is what it has to be.
  void plan_as_switched() {
    if (seen_.failure) return;
    const MachineInForce machine(api(), settings_.machine);
    if (machine.problem()) return fail(*machine.problem());
    seen_.phase_one = static_cast<Status>(call_->phase_one(&seen_.workspace_size, &executor_));
    if (seen_.phase_one != Status::Success) executor_ = nullptr;
  }

  void launch() {
    if (seen_.failure || !executor_) return;
    if (seen_.workspace_size > settings_.memory_limit_bytes) {
      seen_.unsupported = "needs more workspace than the limit allows";
      return;
    }
    if (seen_.workspace_size > 0) {
      auto block = GuardedBlock::filled(api(), seen_.workspace_size, settings_.workspace_poison);
      if (!block) return fail(block.error());
      workspace_.emplace(std::move(*block));
    }
    aclOpExecutor* const executor = std::exchange(executor_, nullptr);  // phase two's from here on
    seen_.phase_two = static_cast<Status>(phase_two_of(api(), test_case_.api)(
        workspace_ ? workspace_->address() : nullptr, seen_.workspace_size, executor, stream_));
  }

  void synchronise() {
    if (stream_) seen_.synchronise = static_cast<Status>(api().synchronize_stream(stream_));
  }

  Observation observe() {
    if (seen_.failure || !seen_.phase_two) return std::move(seen_);
    if (auto problem = memory_->observe(seen_)) fail(*problem);
    if (!workspace_) return std::move(seen_);
    const auto changed = workspace_->changed_guard();
    if (!changed) fail(changed.error());
    if (changed) seen_.workspace_overwritten_byte = *changed;
    return std::move(seen_);
  }

  void fail(std::string problem) {
    if (!seen_.failure) seen_.failure = std::move(problem);
  }

 private:
  const CannApi& api() const { return cann_.api; }

  Cann& cann_;
  const Case& test_case_;
  const RunSettings& settings_;
  aclrtStream stream_ = nullptr;
  aclOpExecutor* executor_ = nullptr;
  std::optional<CaseMemory> memory_;
  std::optional<GuardedBlock> workspace_;
  std::unique_ptr<MarshalledCall> call_;
  Observation seen_;
};

std::optional<std::string> why_not(Streams& streams, std::span<const Case> cases,
                                   const RunSettings& settings) {
  if (cases.empty()) return std::nullopt;
  const auto product = corpus::product_of(cases.front());
  if (!product) return fmt::format("no product is named {}", cases.front().soc);
  for (const Case& test_case : cases) {
    const auto bytes = memory_bytes(test_case);
    if (!bytes || *bytes > settings.memory_limit_bytes) return "needs more memory than the limit";
    if (const auto missing = missing_for(streams.api(), test_case.api); !missing.empty()) {
      return fmt::format("the target has no {}", missing);
    }
  }
  const auto stream = streams.stream_on(*product);  // makes the device current
  return stream ? std::nullopt : std::optional(stream.error());
}

using Calls = std::vector<std::unique_ptr<InFlight>>;

/// Runs each call on a separate host thread, which shares only the device. All begin each phase
/// together, so that what a library keeps for all threads is used by two at once.
void run_on_threads(const Streams& streams, const Calls& calls, bool deterministic) {
  const DeterminismSwitch option(streams.cann(), deterministic);
  std::barrier together(static_cast<std::ptrdiff_t>(calls.size()));
  std::vector<std::thread> threads;
  const auto run = [&](const std::unique_ptr<InFlight>& call) {
    threads.emplace_back([&] {
      if (!streams.enter_on_this_thread()) call->fail("another thread cannot enter the context");
      together.arrive_and_wait();
      call->plan_as_switched();
      together.arrive_and_wait();
      call->launch();
      together.arrive_and_wait();
      call->synchronise();
    });
  };
  try {
    std::ranges::for_each(calls, run);
  } catch (const std::system_error&) {  // no thread: those that there are must not wait for it
    for (std::size_t i = threads.size(); i < calls.size(); ++i) {
      calls[i]->fail("the host gives no thread for it");
      together.arrive_and_drop();
    }
  }
  for (std::thread& thread : threads) thread.join();
}

/// Orders 0 to count - 1 in an order that follows from the seed; 0: as they are.
std::vector<std::size_t> order_of(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; seed != 0 && left > 1; --left) {
    seed = corpus::mixed(seed);
    std::swap(order[left - 1], order[seed % left]);
  }
  return order;
}

void run_on_this_thread(const Calls& calls, std::uint64_t seed) {
  for (const auto& call : calls) call->plan();
  for (const std::size_t next : order_of(calls.size(), seed)) calls[next]->launch();
  const std::uint64_t other_seed = seed == 0 ? 0 : corpus::mixed(seed + 1);
  for (const std::size_t next : order_of(calls.size(), other_seed)) calls[next]->synchronise();
}

}  // namespace

std::vector<Observation> LoadedTarget::run_together(std::span<const Case> cases,
                                                    const RunSettings& settings) {
  std::vector<Observation> seen(cases.size());
  if (const auto reason = why_not(streams_, cases, settings)) {
    for (Observation& one : seen) one.unsupported = reason;
    return seen;
  }
  Calls calls;
  for (const Case& test_case : cases) {
    calls.push_back(std::make_unique<InFlight>(streams_.cann(), test_case, settings));
    calls.back()->prepare();
  }
  if (settings.host_threads) {
    const bool deterministic = std::ranges::any_of(cases, &Case::deterministic);
    run_on_threads(streams_, calls, deterministic);
  } else {
    run_on_this_thread(calls, settings.interleaving);
  }
  for (std::size_t i = 0; i < calls.size(); ++i) seen[i] = calls[i]->observe();
  if (std::ranges::none_of(seen, may_lack_resources)) return seen;
  const auto shortage = host_shortage(0);
  return shortage ? std::vector<Observation>(cases.size(), corpus::not_run(*shortage)) : seen;
}

}  // namespace gradproof::targets
