#include "kernel/operators/call/cores.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "kernel/operators/call/schedule.h"

namespace gradproof::kernel::operators {
namespace {

/// Products below which a launch stays on the calling thread: starting threads takes about as long.
constexpr double worth_threads = 4e6;

/// The memories of the core that a thread simulates, made when first needed.
cube::LocalBuffers& core_of_this_thread(device::Product product) {
  constexpr auto products = static_cast<std::size_t>(device::Product::Ascend950) + 1;
  thread_local std::array<std::unique_ptr<cube::LocalBuffers>, products> cores;
  auto& core = cores.at(static_cast<std::size_t>(product));
  if (!core) core = std::make_unique<cube::LocalBuffers>(cube::capacities_of(product));
  return *core;
}

/// A permutation of 0 to count - 1 that needs no memory: the step has no factor in common with it.
struct Order {
  std::int64_t count, start = 0, step = 1;

  Order(const Launch& launch, std::int64_t tasks) : count(tasks) {
    if (count < 2) return;
    Schedule schedule(launch, static_cast<std::uint64_t>(count));
    start = schedule.below(count);
    step = 1 + schedule.below(std::min<std::int64_t>(count, 1 << 20));
    while (std::gcd(step, count) != 1) ++step;
  }

  /// Fits in 64 bits: every task writes an element that has memory, so there are fewer than 2^42.
  std::int64_t operator[](std::int64_t position) const { return (position * step + start) % count; }
};

/// State that the threads of one launch share.
class TaskQueue {
 public:
  TaskQueue(const Launch& launch, std::int64_t count, const CoreTask& task)
      : product_(launch.product), order_(launch, count), task_(task) {}

  /// Runs tasks until none is left.
  void work() {
    cube::LocalBuffers& core = core_of_this_thread(product_);
    for (std::int64_t next = next_++; next < order_.count; next = next_++) {
      const std::int64_t number = order_[next];
      core.release();
      Outcome outcome = task_(number, core);
      if (!outcome) note_failure(number, std::move(outcome.error()));
    }
  }

  /// Works on a thread of our own, where memory may run out and nothing may be thrown.
  void work_safely() {
    try {
      work();
    } catch (const std::bad_alloc&) {
      const std::lock_guard lock(mutex_);
      memory_ran_out_ = true;
    }
  }

  Outcome outcome() {
    if (memory_ran_out_) throw std::bad_alloc();
    if (failure_) return tl::unexpected(*failure_);
    return {};
  }

 private:
  void note_failure(std::int64_t task, std::string text) {
    const std::lock_guard lock(mutex_);
    if (failure_ && failed_task_ < task) return;
    failed_task_ = task;
    failure_ = std::move(text);
  }

  const device::Product product_;
  const Order order_;
  const CoreTask& task_;
  std::atomic<std::int64_t> next_{0};
  std::mutex mutex_;
  std::int64_t failed_task_ = 0;
  std::optional<std::string> failure_;
  bool memory_ran_out_ = false;
};

}  // namespace

Outcome run_on_cores(const Launch& launch, std::int64_t count, double cost, const CoreTask& task) {
  TaskQueue queue(launch, count, task);
  const bool alone =
      !launch.spreads_every_launch && static_cast<double>(count) * cost < worth_threads;
  const std::int64_t threads = alone ? 1 : std::min<std::int64_t>(launch.host_threads, count);
  {
    std::vector<std::jthread> others;
    try {
      for (std::int64_t i = 1; i < threads; ++i) {
        others.emplace_back([&queue] { queue.work_safely(); });
      }
    } catch (const std::system_error&) {
      // The host gives no more threads: the existing ones do the work.
    }
    queue.work_safely();
  }
  return queue.outcome();
}

}  // namespace gradproof::kernel::operators
