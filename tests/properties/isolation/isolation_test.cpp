// Targets that crash, hang, exit, take all memory or damage their process: each is a verdict on the
// case, and the next case is not affected.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "corpus/case_json.h"
#include "oracle/geometry/workload.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/check/check.h"
#include "properties/generators/random_case.h"
#include "properties/generators/valid_case.h"
#include "properties/isolation/child_target.h"
#include "properties/isolation/isolated_library.h"
#include "properties/isolation/wire.h"
#include "properties/laws/law.h"
#include "properties/results/findings.h"
#include "properties/session/loaded_library.h"
#include "properties/shrink/shrink.h"
#include "properties/target/mixed_runtimes.h"
#include "properties/target/target.h"
#include "tests/properties/isolation/checked_heap.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::properties {
namespace {

namespace fs = std::filesystem;
using corpus::Case;
using corpus::DisagreementKind;
using corpus::Observation;
using corpus::Outcome;
using corpus::Verdict;
using testing::HasSubstr;

/// The misbehaving library misbehaves in calls with three groups.
Case case_of_groups(int groups) {
  Convolution sizes;
  sizes.batch = 2;
  sizes.groups = groups;
  sizes.small_channels_per_group = 2;
  sizes.big_channels_per_group = 3;
  sizes.axes = {{.big = 5, .kernel = 2},
                {.big = 6, .kernel = 3, .padding_begin = 1, .padding_end = 1}};
  Case problem = plain_case(sizes, Frame{});
  problem.id = fmt::format("groups-{}", groups);
  return *oracle::with_recipe(problem, corpus::Distribution::ExactGrid, 7);
}

/// GRADPROOF_MISBEHAVIOUR for as long as it lives.
class Misbehaviour {
 public:
  explicit Misbehaviour(const std::string& name) {
    ::setenv("GRADPROOF_MISBEHAVIOUR", name.c_str(), 1);
  }
  ~Misbehaviour() { ::unsetenv("GRADPROOF_MISBEHAVIOUR"); }
  Misbehaviour(const Misbehaviour&) = delete;
  Misbehaviour& operator=(const Misbehaviour&) = delete;
};

/// A small memory limit, reached quickly. The timeout is the default, because CI machines can be
/// slow.
constexpr IsolationSettings little_memory{.memory_bytes = std::uint64_t{300} << 20};
/// A short timeout for targets that hang, so that the tests do not wait long.
constexpr IsolationSettings little_time{.timeout = std::chrono::milliseconds(1500)};

std::shared_ptr<const Library> misbehaving_library(
    const IsolationSettings& settings = little_memory) {
  auto library = IsolatedLibrary::load({GRADPROOF_MISBEHAVING_LIBRARY}, settings);
  EXPECT_TRUE(library) << library.error();
  return library ? *library : nullptr;
}

struct Row {
  const char* misbehaviour;
  DisagreementKind kind;
  const char* evidence;
};

void skip_what_is_not_noticed(std::string_view misbehaviour) {
  if (misbehaviour == "corrupt_heap" && !tests::has_checked_heap) {
    GTEST_SKIP() << "this build's malloc does not notice it";
  }
}

class EachMisbehaviour : public testing::TestWithParam<Row> {
 protected:
  void SetUp() override { skip_what_is_not_noticed(GetParam().misbehaviour); }
  static std::shared_ptr<const Library> library() {
    return misbehaving_library(GetParam().kind == DisagreementKind::Timeout ? little_time
                                                                            : little_memory);
  }
};

class EachQuickMisbehaviour : public EachMisbehaviour {};

constexpr Row quick_misbehaviours[] = {
    {"segfault", DisagreementKind::Crash, "died of signal 11"},
    {"abort", DisagreementKind::Crash, "died of signal 6"},
    {"exit", DisagreementKind::Crash, "ended its process with exit code 0"},
    {"close_descriptors", DisagreementKind::Crash, "closed the process's descriptors 0, 1, 2"},
    {"take_memory", DisagreementKind::Crash, "used more than the 0.3 GiB"},
    {"corrupt_heap", DisagreementKind::Crash, "died of signal 6"},
    {"free_tensor", DisagreementKind::Crash, "aclDestroyTensor returned"},
    {"write_past_output", DisagreementKind::Overwritten, "gradWeight"},
};
constexpr Row hang{"hang", DisagreementKind::Timeout, "did not end in time"};
const auto name_of_misbehaviour = [](const auto& info) {
  return std::string(info.param.misbehaviour);
};
INSTANTIATE_TEST_SUITE_P(Table, EachMisbehaviour, testing::ValuesIn(quick_misbehaviours),
                         name_of_misbehaviour);
INSTANTIATE_TEST_SUITE_P(Slow, EachMisbehaviour, testing::Values(hang), name_of_misbehaviour);
INSTANTIATE_TEST_SUITE_P(Table, EachQuickMisbehaviour, testing::ValuesIn(quick_misbehaviours),
                         name_of_misbehaviour);

TEST_P(EachMisbehaviour, IsAVerdictOnItsCaseAndOnNoOther) {
  const Misbehaviour misbehaviour(GetParam().misbehaviour);
  const auto target = library()->new_target();
  EXPECT_EQ(check(*target, case_of_groups(1), {}).outcome, Outcome::Agree);
  for (int i = 0; i < 2; ++i) {
    const Verdict disagreement = check(*target, case_of_groups(3), {});
    EXPECT_EQ(disagreement.outcome, Outcome::Disagree);
    EXPECT_EQ(disagreement.kind, GetParam().kind) << disagreement.reason;
    EXPECT_THAT(disagreement.reason, HasSubstr(GetParam().evidence));
    const Verdict next = check(*target, case_of_groups(2), {});
    EXPECT_EQ(next.outcome, Outcome::Agree) << next.reason;
  }
}

TEST_P(EachMisbehaviour, IsPinnedToItsCaseAmongSeveralAskedForAtOnce) {
  const Misbehaviour misbehaviour(GetParam().misbehaviour);
  const auto target = library()->new_target();
  const std::vector<Case> cases{case_of_groups(1), case_of_groups(3), case_of_groups(2)};
  const auto seen = target->run_cases(cases);
  ASSERT_EQ(seen.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Verdict verdict = judged({cases[i], oracle::Profile::Documented}, seen[i], {});
    const bool misbehaves = cases[i].groups == 3;
    EXPECT_EQ(verdict.outcome, misbehaves ? Outcome::Disagree : Outcome::Agree) << verdict.reason;
    if (!misbehaves) continue;
    EXPECT_EQ(verdict.kind, GetParam().kind) << verdict.reason;
  }
}

/// Each try of a case that hangs waits for its end: a minute in all.
TEST_P(EachQuickMisbehaviour, ShrinksToASmallCaseThatStillDoesIt) {
  const Misbehaviour misbehaviour(GetParam().misbehaviour);
  const auto target = library()->new_target();
  const auto check_case = [&](const Case& problem) { return check(*target, problem, {}); };
  const Shrunk shrunk = shrink(case_of_groups(3), check_case);
  EXPECT_TRUE(shrunk.finished);
  EXPECT_EQ(shrunk.verdict.kind, GetParam().kind);
  EXPECT_EQ(shrunk.problem.groups, 3);
  EXPECT_LT(oracle::mac_count(shrunk.problem).value_or(0),
            oracle::mac_count(case_of_groups(3)).value_or(0) / 10);
}

/// The kill takes effect at an unknown moment: the call may be over by then, and the next one be
/// hit.
TEST(IsolatedTarget, ContinuesWhereTheTargetKillsTheServerOfAllChildren) {
  const Misbehaviour misbehaviour("kill_the_server");
  const auto target = misbehaving_library()->new_target();
  EXPECT_EQ(check(*target, case_of_groups(1), {}).outcome, Outcome::Agree);
  Verdict verdict = check(*target, case_of_groups(3), {});
  if (verdict.outcome == Outcome::Agree) {
    ::usleep(100'000);
    verdict = check(*target, case_of_groups(1), {});
  }
  EXPECT_EQ(verdict.kind, DisagreementKind::Crash) << verdict.reason;
  EXPECT_THAT(verdict.reason, HasSubstr("killed the process that started its own"));
  EXPECT_EQ(check(*target, case_of_groups(1), {}).outcome, Outcome::Agree);
}

TEST(IsolatedTarget, LosesDeviceMemoryOnlyWhereItLeaks) {
  const Misbehaviour misbehaviour("leak");
  const auto target = misbehaving_library()->new_target();
  const Law* const law = law_named("no_leak");
  ASSERT_NE(law, nullptr);
  EXPECT_EQ(check_law(*law, *target, case_of_groups(1), {}).outcome, Outcome::Agree);
  const Verdict leaking = check_law(*law, *target, case_of_groups(3), {});
  EXPECT_EQ(leaking.kind, DisagreementKind::Leak) << leaking.reason;
}

TEST(IsolatedTarget, RunsNoneOfTheLibrarysCodeInThisProcess) {
  const auto library = misbehaving_library();
  EXPECT_FALSE(library->devices().empty());
  const auto target = library->new_target();
  EXPECT_EQ(check(*target, case_of_groups(3), {}).outcome, Outcome::Agree);
  std::ifstream maps("/proc/self/maps");
  const std::string text{std::istreambuf_iterator<char>(maps), {}};
  ASSERT_THAT(text, HasSubstr("libc.so"));
  EXPECT_THAT(text, testing::Not(HasSubstr("misbehaving_library")));
  EXPECT_THAT(text, testing::Not(HasSubstr("libopapi")));
}

TEST(IsolatedTarget, SeesWhatATargetInThisProcessSees) {
  const auto isolated = IsolatedLibrary::load({});  // before this process has loaded anything
  const auto inside = LoadedLibrary::load({});
  ASSERT_TRUE(inside && isolated);
  const auto one = (*inside)->new_target();
  const auto other = (*isolated)->new_target();
  const auto source = CaseSource::of({});
  ASSERT_TRUE(source);
  for (std::uint64_t i = 0; i < 400; ++i) {
    for (const Case& run : runs_of({(*source)(21, i), oracle::Profile::Documented}, {})) {
      const Observation a = one->run_case(run);
      const Observation b = other->run_case(run);
      ASSERT_EQ(a.unsupported, b.unsupported) << corpus::to_json_line(run);
      ASSERT_EQ(a.failure, b.failure);
      ASSERT_FALSE(b.signal || b.timed_out || b.ended);
      ASSERT_EQ(a.phase_one, b.phase_one);
      ASSERT_EQ(a.phase_two, b.phase_two);
      ASSERT_EQ(a.synchronise, b.synchronise);
      ASSERT_EQ(a.workspace_size, b.workspace_size);
      ASSERT_EQ(a.message, b.message);
      ASSERT_EQ(a.repeated, b.repeated);
      for (std::size_t output = 0; output < 3; ++output) {
        ASSERT_EQ(a.outputs.at(output).bits, b.outputs.at(output).bits);
        ASSERT_EQ(a.outputs.at(output).before, b.outputs.at(output).before);
      }
    }
  }
}

/// Whether a child takes machine settings shows in the bits of a sum that cores share.
TEST(IsolatedTarget, IsToldOnWhichMachineItRuns) {
  const auto isolated = IsolatedLibrary::load({});
  ASSERT_TRUE(isolated) << isolated.error();
  ASSERT_TRUE((*isolated)->takes_machine_settings());
  const auto target = (*isolated)->new_target();
  Convolution sizes;
  sizes.batch = 4;
  sizes.axes = {{.big = 18, .kernel = 3}, {.big = 18, .kernel = 3}};
  const Case problem =
      *oracle::with_recipe(plain_case(sizes, Frame{}), corpus::Distribution::Uniform, 7);
  std::set<std::vector<std::byte>> patterns;
  RunSettings settings;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    settings.machine.schedule_seed = seed;
    const Observation seen = target->run_case(problem, settings);
    ASSERT_EQ(seen.phase_two, corpus::Status::Success) << seen.message;
    patterns.insert(seen.outputs.at(1).bits);
  }
  EXPECT_GE(patterns.size(), 2U);
  EXPECT_FALSE(misbehaving_library()->takes_machine_settings())
      << "it has the operator, not the machine";
}

std::int32_t process_of(const Target& target) {
  return dynamic_cast<const ChildTarget&>(target).process();
}

TEST(IsolatedTarget, SurvivesItsChildBeingKilledFromOutside) {
  const auto target = misbehaving_library()->new_target();
  EXPECT_EQ(check(*target, case_of_groups(1), {}).outcome, Outcome::Agree);
  const auto process = process_of(*target);
  ASSERT_GT(process, 0);
  ::kill(process, SIGKILL);
  const Verdict killed = check(*target, case_of_groups(1), {});
  if (killed.outcome != Outcome::Agree) {
    EXPECT_THAT(killed.reason, HasSubstr("signal 9"));
  }
  EXPECT_EQ(check(*target, case_of_groups(1), {}).outcome, Outcome::Agree);
  EXPECT_NE(process_of(*target), process);
}

TEST(IsolatedTarget, LeavesNoProcessBehind) {
  std::int32_t process = 0;
  {
    const auto target = misbehaving_library()->new_target();
    check(*target, case_of_groups(1), {});
    process = process_of(*target);
    ASSERT_EQ(::kill(process, 0), 0);
  }
  EXPECT_EQ(::kill(process, 0), -1);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child of this process is left";
}

TEST(IsolatedTarget, ServesManyThreadsAtOnce) {
  const Misbehaviour misbehaviour("segfault");
  const auto library = misbehaving_library();
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto target = library->new_target();
      for (int call = 0; call < 30; ++call) {
        const bool misbehaves = call % 5 == 2;
        const Verdict verdict = check(*target, case_of_groups(misbehaves ? 3 : 1), {});
        right += (verdict.kind == DisagreementKind::Crash) == misbehaves ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 120);
}

// ---- what goes through the shared memory

TEST(Wire, KeepsEveryCase) {
  const auto source = CaseSource::of({});
  ASSERT_TRUE(source);
  std::vector<std::byte> memory(1U << 20U);
  for (std::uint64_t i = 0; i < 500; ++i) {
    auto runs = runs_of({(*source)(3, i), oracle::Profile::Documented}, {});
    runs.front().expect =
        corpus::Expectation{corpus::Status::TilingRefused, "tiling", "released", {{"baseM", 256}}};
    const RunSettings settings{.reuse_executor = true,
                               .phases = {.added_workspace = 9, .data_between_phases = true},
                               .machine = {.schedule_seed = i,
                                           .host_threads = 2,
                                           .cores = 3,
                                           .plain_path = true,
                                           .profile = oracle::Profile::Released},
                               .address_shift = 96,
                               .interleaving = 5};
    ASSERT_TRUE(write_request(memory, {RequestKind::RunStreams, settings}, runs));
    Request request;
    std::vector<Case> read;
    ASSERT_TRUE(read_request(memory, request, read));
    ASSERT_EQ(read, runs) << corpus::to_json_line(runs.front());
    ASSERT_EQ(request.kind, RequestKind::RunStreams);
    ASSERT_TRUE(request.settings.reuse_executor);
    ASSERT_EQ(request.settings.machine, settings.machine);
    ASSERT_EQ(request.settings.phases, settings.phases);
    ASSERT_EQ(request.settings.address_shift, 96U);
    ASSERT_EQ(request.settings.interleaving, 5U);
  }
}

TEST(Wire, RefusesWhatWasOverwritten) {
  Response response;
  response.seen.resize(1);
  response.seen[0].outputs[0].bits.resize(64);
  response.seen[0].message = "a message";
  std::vector<std::byte> whole(4096);
  ASSERT_TRUE(write_response(whole, response));
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    auto memory = whole;
    for (int j = 0; j < 40; ++j) memory[random() % 400] = static_cast<std::byte>(random());
    Response read;
    refused += read_response(memory, read) ? 0 : 1;  // reading must not crash
  }
  EXPECT_GT(refused, 1900);
  const std::span<const std::byte> cut(whole.data(), 100);
  Response read;
  EXPECT_FALSE(read_response(cut, read));
  EXPECT_FALSE(write_response(std::span(whole.data(), 100), response));
}

// ---- loading

std::string loading_error(const std::vector<fs::path>& libraries) {
  const auto library = IsolatedLibrary::load(libraries);
  return library ? "it was loaded" : library.error();
}

TEST(IsolatedLoading, SaysHowALibraryEndedTheProcessThatLoadedIt) {
  {
    const Misbehaviour misbehaviour("segfault_while_loading");
    const std::string error = loading_error({GRADPROOF_MISBEHAVING_LIBRARY});
    EXPECT_THAT(error, HasSubstr("loading " GRADPROOF_MISBEHAVING_LIBRARY));
    EXPECT_THAT(error, HasSubstr("died of signal 11 (SIGSEGV)"));
  }
  const Misbehaviour misbehaviour("exit_while_loading");
  EXPECT_THAT(loading_error({GRADPROOF_MISBEHAVING_LIBRARY}), HasSubstr("exit code 7"));
}

TEST(IsolatedLoading, RepeatsTheLinkersWords) {
  EXPECT_THAT(loading_error({"/nowhere/libabsent.so"}), HasSubstr("No such file"));
  EXPECT_THAT(loading_error({"/etc/passwd"}),
              testing::AnyOf(HasSubstr("ELF"), HasSubstr("file too short")));
  // One needs a library that does not exist, the other a function that no library has.
  EXPECT_THAT(loading_error({GRADPROOF_NEEDY_LIBRARY}),
              HasSubstr("libgradproof_absent.so: cannot open shared object file"));
  EXPECT_THAT(loading_error({GRADPROOF_UNDEFINED_LIBRARY}),
              HasSubstr("undefined symbol: a_function_that_nobody_has"));
}

TEST(IsolatedLoading, TakesFromTheBackendWhatTheLibraryLacks) {
  const auto library = IsolatedLibrary::load({GRADPROOF_MISBEHAVING_LIBRARY});
  ASSERT_TRUE(library);
  EXPECT_EQ((*library)->name(), fs::path(GRADPROOF_MISBEHAVING_LIBRARY).filename());
  const auto target = (*library)->new_target();
  EXPECT_EQ(check(*target, case_of_groups(2), {}).outcome, Outcome::Agree);
}

TEST(IsolatedLoading, SaysWhereObjectsOfTwoRuntimesMeet) {
  const auto half = IsolatedLibrary::load({GRADPROOF_HALF_LIBRARY});
  ASSERT_TRUE(half) << half.error();
  ASSERT_EQ((*half)->remarks().size(), 1U);
  EXPECT_THAT((*half)->remarks().front(),
              HasSubstr("aclCreateTensor comes from libhalf_library.so, but aclCreateIntArray from "
                        "the simulated backend"));
  const auto whole = IsolatedLibrary::load({GRADPROOF_MISBEHAVING_LIBRARY});
  ASSERT_TRUE(whole);
  EXPECT_TRUE((*whole)->remarks().empty());
}

/// Two runtimes in one process, each with objects of its own: neither may take the other's.
TEST(MixedRuntimes, TakeNoOptionalFunctionOfARuntimeThatNobodyUses) {
  CannApi api;
  std::vector<std::string> origins;
  for (const EntryPoint& row : entry_points()) {
    row.assign(api, reinterpret_cast<void*>(&drop_strangers));
    origins.emplace_back(row.need == Need::Required ? "theirs" : "ours");
  }
  drop_strangers(api, origins, "stand-in");
  EXPECT_EQ(api.set_process_option, nullptr);
  EXPECT_EQ(api.memory_info, nullptr);
  EXPECT_NE(api.allocate, nullptr);
  EXPECT_NE(api.set_executor_repeatable, nullptr) << "a target may have it in a second library";
  EXPECT_TRUE(mixed_runtimes(origins).empty());
  origins.back() = "ours";  // the operator's own functions may come from anywhere
  EXPECT_TRUE(mixed_runtimes(origins).empty());
  origins.front() = "ours";
  ASSERT_EQ(mixed_runtimes(origins).size(), 1U);
  EXPECT_EQ(mixed_runtimes(origins).front(),
            "aclInit comes from ours, but aclFinalize from theirs: unless one passes calls on to "
            "the other, objects of two runtimes meet");
}

/// A library with executors of its own and no function to make one repeatable: the simulated
/// backend's would read it as one of its own.
TEST(MixedRuntimes, HandNoExecutorToTheStandIn) {
  for (const char* giver_of_the_operator : {"theirs", "stand-in"}) {
    CannApi api;
    std::vector<std::string> origins;
    for (const EntryPoint& row : entry_points()) {
      row.assign(api, reinterpret_cast<void*>(&drop_strangers));
      const bool is_phase = row.name.starts_with("aclnn");
      origins.emplace_back(is_phase ? giver_of_the_operator : "stand-in");
    }
    drop_strangers(api, origins, "stand-in");
    const bool is_own = origins.front() == giver_of_the_operator;
    EXPECT_EQ(api.set_executor_repeatable != nullptr, is_own) << giver_of_the_operator;
    EXPECT_EQ(api.destroy_executor != nullptr, is_own) << giver_of_the_operator;
    EXPECT_NE(api.memory_info, nullptr) << giver_of_the_operator;
  }
}

// ---- the program

class MisbehavingRuns : public testing::Test {
 protected:
  int run(const std::string& words) {
    const std::string command =
        fmt::format("cd {} && {} {} > output.txt 2>&1", folder_.string(), GRADPROOF_PROGRAM, words);
    const int status = std::system(command.c_str());
    std::ifstream stream(folder_ / "output.txt");
    output_.assign(std::istreambuf_iterator<char>(stream), {});
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

  std::vector<nlohmann::json> verdicts(const std::string& out) const {
    std::ifstream stream(folder_ / out / "results.jsonl");
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(stream, line);) {
      lines.push_back(nlohmann::json::parse(line));
      lines.back().erase("milliseconds");
    }
    return lines;
  }

  tests::ScratchFolder folder_;
  std::string output_;
};

TEST_F(MisbehavingRuns, ThatComputeNothingOfAClassAreUnhealthy) {
  const auto verify = [&](const std::string& misbehaviour, const std::string& chosen) {
    ::setenv("GRADPROOF_MISBEHAVIOUR", misbehaviour.c_str(), 1);
    const int code = run("verify --target " GRADPROOF_MISBEHAVING_LIBRARY
                         " --api aclnnConvolutionBackward --stored no --seed 4 --jobs 1"
                         " --cases 600 --out " +
                         misbehaviour + std::to_string(chosen.size()) + " " + chosen);
    ::unsetenv("GRADPROOF_MISBEHAVIOUR");
    return code;
  };
  EXPECT_EQ(verify("refuse_all", ""), 4) << output_;
  EXPECT_THAT(output_, HasSubstr("health: no result was compared: of "));
  EXPECT_EQ(verify("refuse_bfloat16", ""), 4) << output_;
  EXPECT_THAT(output_, HasSubstr("health: legal calls were refused throughout: BF16 ("));
  EXPECT_THAT(output_, testing::Not(HasSubstr("FLOAT16 (")));
  EXPECT_EQ(verify("refuse_bfloat16", "--dtype FLOAT,FLOAT16"), 0) << output_;
  EXPECT_EQ(verify("refuse_all", "--law adjoint"), 4) << output_;
  EXPECT_EQ(verify("none", "--law adjoint"), 0) << output_;
  EXPECT_EQ(verify("none", ""), 0) << output_;
}

struct MisbehavingRun {
  const char* misbehaviour;
  const char* law;
  const char* kind;
};
class RunsOfEachMisbehaviour : public MisbehavingRuns,
                               public testing::WithParamInterface<MisbehavingRun> {
 protected:
  void SetUp() override { skip_what_is_not_noticed(GetParam().misbehaviour); }
};
INSTANTIATE_TEST_SUITE_P(Table, RunsOfEachMisbehaviour,
                         testing::Values(MisbehavingRun{"segfault", "exactness", "crash"},
                                         MisbehavingRun{"abort", "exactness", "crash"},
                                         MisbehavingRun{"exit", "exactness", "crash"},
                                         MisbehavingRun{"close_descriptors", "exactness", "crash"},
                                         MisbehavingRun{"corrupt_heap", "exactness", "crash"},
                                         MisbehavingRun{"free_tensor", "exactness", "crash"},
                                         MisbehavingRun{"write_past_output", "exactness",
                                                        "overwritten"},
                                         MisbehavingRun{"leak", "no_leak", "leak"}),
                         [](const auto& info) { return std::string(info.param.misbehaviour); });

/// The smallest case that the run has kept of a finding.
std::uint64_t macs_of_finding(const fs::path& folder) {
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    const auto problem = read_finding(file.path());
    EXPECT_TRUE(problem) << file.path();
    if (problem) fewest = std::min(fewest, oracle::mac_count(*problem).value_or(0));
  }
  return fewest;
}

TEST_P(RunsOfEachMisbehaviour, EndInOrderWithTheSameVerdictsForOneJobAndForTwo) {
  const auto& [name, law, kind] = GetParam();
  const Misbehaviour misbehaviour(name);
  const std::string words = fmt::format(
      "verify --stored no --cases 250 --seed 3 --kind valid --law {} --target {} --quiet ", law,
      GRADPROOF_MISBEHAVING_LIBRARY);
  ASSERT_EQ(run(words + "--jobs 1 --out one"), 1) << output_;
  EXPECT_THAT(output_, HasSubstr("verify: 250 cases: "));
  int disagreements = 0;
  for (const auto& line : verdicts("one")) {
    const bool is_of_kind = line.value("kind", "") == kind;
    if (is_of_kind) {
      EXPECT_EQ(line["case"]["groups"], 3) << line;
    }
    EXPECT_EQ(is_of_kind, line.value("verdict", "") == "disagree") << line;
    disagreements += is_of_kind ? 1 : 0;
  }
  EXPECT_GT(disagreements, 1);
  EXPECT_LE(macs_of_finding(folder_ / "one/findings"), 6U);
  ASSERT_EQ(run(words + "--jobs 2 --out two"), 1) << output_;
  auto one = verdicts("one");
  auto two = verdicts("two");
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    one[i].erase("repro");  // names the folder
    two[i].erase("repro");
    EXPECT_EQ(one[i], two[i]);
  }
}

TEST_F(MisbehavingRuns, EndInOrderWhereTheTargetHangs) {
  const Misbehaviour misbehaviour("hang");
  EXPECT_EQ(run("verify --stored no --cases 250 --seed 3 --kind valid --law exactness --findings 1 "
                "--timeout 300ms --jobs 2 --quiet --target " GRADPROOF_MISBEHAVING_LIBRARY),
            1)
      << output_;
  EXPECT_TRUE(fs::exists(folder_ / "gradproof-out/findings/disagree-timeout-exactness.json") ||
              fs::exists(folder_ / "gradproof-out/findings/disagree-timeout-status.json"));
  EXPECT_LE(macs_of_finding(folder_ / "gradproof-out/findings"), 6U);
}

TEST_F(MisbehavingRuns, EndWithThreeWhereTheTargetCannotBeLoaded) {
  {
    const Misbehaviour misbehaviour("segfault_while_loading");
    EXPECT_EQ(run("verify --cases 5 --target " GRADPROOF_MISBEHAVING_LIBRARY), 3);
    EXPECT_THAT(output_, HasSubstr("died of signal 11"));
  }
  EXPECT_EQ(run("verify --cases 5 --target " GRADPROOF_NEEDY_LIBRARY), 3);
  EXPECT_THAT(output_, HasSubstr("libgradproof_absent.so"));
  EXPECT_EQ(run("verify --cases 5 --target /etc/passwd"), 3);
  run("verify --cases 5 --target " GRADPROOF_HALF_LIBRARY);
  EXPECT_THAT(output_, HasSubstr("gradproof: note: aclCreateTensor comes from libhalf_library.so"));
  EXPECT_EQ(run("verify --cases 5 --isolate no --timeout 3s"), 2);
  EXPECT_THAT(output_, HasSubstr("--timeout"));
}

}  // namespace
}  // namespace gradproof::properties
