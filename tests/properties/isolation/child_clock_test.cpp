#include "properties/targets/isolation/child_clock.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "properties/targets/isolation/work_permits.h"

namespace gradproof::targets {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// A process that does one thing until this ends.
class Doing {
 public:
  explicit Doing(const std::function<void()>& thing) : process_(::fork()) {
    if (process_ != 0) return;
    thing();
    ::_exit(0);
  }
  ~Doing() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;
  pid_t process() const { return process_; }

 private:
  pid_t process_;
};

void spin_on_the_first_processor() {
  cpu_set_t allowed, first;
  ::sched_getaffinity(0, sizeof allowed, &allowed);
  CPU_ZERO(&first);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&first) == 0; ++i) {
    if (CPU_ISSET(i, &allowed)) CPU_SET(i, &first);
  }
  ::sched_setaffinity(0, sizeof first, &first);
  for (volatile bool forever = true; forever;) {
  }
}

struct Times {
  nanoseconds counted, passed;
};

Times times_of(pid_t process, milliseconds how_long) {
  const auto begin = std::chrono::steady_clock::now();
  ChildClock clock(process);
  nanoseconds counted{0}, passed{0};
  while (passed < how_long) {
    std::this_thread::sleep_for(milliseconds(10));
    counted = clock.counted();
    passed = std::chrono::steady_clock::now() - begin;
  }
  return {counted, passed};
}

constexpr milliseconds a_while{800};

TEST(ChildClock, CountsSleepAsItPasses) {
  const Doing sleep([] { ::pause(); });
  const Times times = times_of(sleep.process(), a_while);
  EXPECT_GT(times.counted, times.passed / 10 * 9);
  EXPECT_LE(times.counted, times.passed);
}

TEST(ChildClock, CountsNoWaitForAProcessor) {
  std::vector<std::unique_ptr<Doing>> spinning;
  for (int i = 0; i < 6; ++i) {
    spinning.push_back(std::make_unique<Doing>(spin_on_the_first_processor));
  }
  const Times times = times_of(spinning.front()->process(), a_while);
  EXPECT_LT(times.counted, times.passed / 2);
  EXPECT_GT(times.counted, nanoseconds(0));
}

TEST(ChildClock, CountsThreadsTogetherNoFasterThanTimePasses) {
  const Doing work([] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(spin_on_the_first_processor);
    for (std::thread& thread : threads) thread.join();
  });
  const Times times = times_of(work.process(), a_while);
  EXPECT_GT(times.counted, nanoseconds(0));
  EXPECT_LE(times.counted, times.passed);
}

/// The file that tells what a thread does can be opened and then not be read.
TEST(ChildClock, StandsThreadsThatEndWhileItLooks) {
  const Doing churn([] {
    std::vector<std::thread> makers;
    for (int i = 0; i < 4; ++i) {
      makers.emplace_back([] {
        for (;;) std::thread([] {}).join();
      });
    }
    for (std::thread& maker : makers) maker.join();
  });
  ChildClock clock(churn.process());
  for (const auto end = std::chrono::steady_clock::now() + a_while;
       std::chrono::steady_clock::now() < end;) {
    EXPECT_GE(clock.counted(), nanoseconds(0));
  }
}

TEST(ChildClock, BeginsAgain) {
  const Doing sleep([] { ::pause(); });
  ChildClock clock(sleep.process());
  std::this_thread::sleep_for(milliseconds(300));
  clock.restart();
  EXPECT_LT(clock.counted(), milliseconds(300));
}

TEST(WorkPermits, LetOneBeAlone) {
  WorkPermits permits;
  std::atomic<int> working{0};
  std::atomic<bool> enough{false}, met{false};
  std::vector<std::thread> others;
  for (int i = 0; i < 4; ++i) {
    others.emplace_back([&] {
      while (!enough.load()) {
        const auto permit = permits.among_others();
        ++working;
        std::this_thread::yield();
        --working;
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    const auto permit = permits.alone();
    if (working.load() != 0) met = true;
  }
  enough = true;
  for (std::thread& other : others) other.join();
  EXPECT_FALSE(met.load());
}

}  // namespace
}  // namespace gradproof::targets
