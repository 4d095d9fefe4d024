#include "bench/campaign_stages.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "bench/campaign_cases.h"
#include "bench/process_usage.h"
#include "corpus/element_values.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/gradients/fast_gradients.h"
#include "oracle/judge/operand_store.h"
#include "properties/cases/check/check.h"
#include "properties/findings/results/results_line.h"
#include "properties/findings/results/summary.h"
#include "properties/runs/campaign/journal.h"
#include "properties/targets/session/case_memory.h"
#include "properties/targets/session/device_memory.h"
#include "properties/targets/session/marshal.h"
#include "properties/targets/target/target.h"

namespace gradproof::bench {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::Observation;
using corpus::OutputRole;
using corpus::Status;

class StageClock {
 public:
  /// Runs it and adds what it took to the stage.
  template <typename Work>
  auto operator()(Stage stage, Work&& work) {
    const Meter meter(times_.seconds.at(to_size(stage)));
    return std::forward<Work>(work)();
  }
  StageTimes& times() { return times_; }

 private:
  /// Asking for the processor's time is a call of the system, which takes as long as a short stage.
  static double own_cost() {
    static const double cost = [] {
      constexpr int calls = 2000;
      const double begin = processor_seconds();
      for (int i = 0; i < calls; ++i) processor_seconds();
      return (processor_seconds() - begin) / (calls + 1);
    }();
    return cost;
  }

  class Meter {
   public:
    explicit Meter(double& total) : total_(total), cost_(own_cost()), begin_(processor_seconds()) {}
    ~Meter() { total_ += processor_seconds() - begin_ - cost_; }
    Meter(const Meter&) = delete;
    Meter& operator=(const Meter&) = delete;

   private:
    double& total_;
    double cost_, begin_;
  };

  StageTimes times_;
};

/// The runs of single calls, with the time of each stage. What `run_case` does for calls that fail
/// is not measured.
class Pipeline {
 public:
  Pipeline(const targets::LoadedLibrary::Pointer& library, const std::filesystem::path& folder)
      : target_(library->new_loaded_target()),
        journal_(*runs::Journal::open(folder, runs::RunHead{}, runs::RunPosition{})),
        heading_{library->name(), "documented", campaign_seed, 1, 1} {}

  void call(std::uint64_t index) {
    const Case test_case = clock_(Stage::Generate, [&] { return generated_value_case(index); });
    auto runs = clock_(Stage::Plan, [&] {
      return cases::runs_of({test_case, oracle::Profile::Documented}, {}, campaign_seed);
    });
    for (Case& run : runs) enter(std::move(run));
    clock_(Stage::Line, [&] { lines_.clear(); });
  }

  StageTimes times() && { return clock_.times(); }

 private:
  void enter(Case test_case) {
    clock_(Stage::Journal, [&] { journal_.begin(0, {}); });
    fill(test_case);
    const Observation seen = observe(test_case);
    sum(test_case);
    findings::RunRecord record;
    record.verdict = clock_(Stage::Judge, [&] {
      return cases::judged({test_case, oracle::Profile::Documented}, seen, {});
    });
    record.test_case = std::move(test_case);
    record.footprint = clock_(Stage::Footprint, [&] { return footprint_of(record); });
    clock_(Stage::Line, [&] {
      lines_ += findings::results_line(record, heading_, clock_.times().runs) + '\n';
      summary_.add(record);
    });
    ++clock_.times().runs;
  }

  /// Times the fill of the inputs. `placed` does it too: what is measured here is taken off there.
  void fill(const Case& test_case) {
    clock_(Stage::Fill, [&] {
      for (const InputRole role : corpus::input_roles) corpus::element_values(test_case, role);
    });
  }

  Observation observe(const Case& test_case) {
    const auto stream = target_->streams().stream_on(*corpus::product_of(test_case));
    const targets::CannApi& api = target_->streams().api();
    Observation seen;
    auto memory =
        clock_(Stage::Place, [&] { return *targets::CaseMemory::placed(api, test_case); });
    std::optional<targets::MarshalledCall> call;
    clock_(Stage::Marshal, [&] { call.emplace(api, test_case, memory.addresses()); });
    aclOpExecutor* executor = nullptr;
    seen.phase_one = static_cast<Status>(
        clock_(Stage::PhaseOne, [&] { return call->phase_one(&seen.workspace_size, &executor); }));
    std::optional<targets::GuardedBlock> workspace;
    clock_(Stage::Workspace, [&] {
      if (seen.workspace_size == 0) return;
      workspace = *targets::GuardedBlock::filled(api, seen.workspace_size,
                                                 targets::RunSettings{}.workspace_poison);
    });
    seen.phase_two = static_cast<Status>(clock_(Stage::PhaseTwo, [&] {
      return api.backward(workspace ? workspace->address() : nullptr, seen.workspace_size, executor,
                          *stream);
    }));
    seen.synchronise = static_cast<Status>(
        clock_(Stage::PhaseTwo, [&] { return api.synchronize_stream(*stream); }));
    clock_(Stage::Workspace, [&] {
      if (workspace) seen.workspace_overwritten_byte = *workspace->changed_guard();
      workspace.reset();
    });
    clock_(Stage::Observe, [&] { memory.observe(seen); });
    clock_(Stage::Marshal, [&] { call.reset(); });
    clock_(Stage::Place, [&] { const targets::CaseMemory released = std::move(memory); });
    return seen;
  }

  void sum(const Case& test_case) {
    const auto geometry = oracle::geometry_of(test_case);
    oracle::OperandStore operands(test_case, *geometry);
    for (const OutputRole role : corpus::output_roles) {
      const auto ways = oracle::arithmetics(test_case, role, {});
      const auto& grad_output = operands.of(InputRole::GradOutput, ways.front());
      const auto other = role == OutputRole::GradWeight ? InputRole::Input : InputRole::Weight;
      const auto& factor = operands.of(other, ways.front());
      clock_(Stage::Sums, [&] {
        if (role == OutputRole::GradBias)
          return oracle::FastGradient(*geometry, grad_output).sums();
        return oracle::FastGradient(*geometry, role, grad_output, factor).sums();
      });
    }
  }

  StageClock clock_;
  std::unique_ptr<targets::LoadedTarget> target_;
  runs::Journal journal_;
  findings::LineHeading heading_;
  findings::Summary summary_;
  std::string lines_;
};

}  // namespace

StageTimes stage_times(const targets::LoadedLibrary::Pointer& library,
                       const std::vector<std::uint64_t>& indices,
                       const std::filesystem::path& folder) {
  Pipeline pipeline(library, folder);
  for (const std::uint64_t index : indices) pipeline.call(index);
  StageTimes times = std::move(pipeline).times();
  const auto of = [&](Stage stage) -> double& { return times.seconds.at(to_size(stage)); };
  of(Stage::Place) -= of(Stage::Fill);
  of(Stage::Judge) -= of(Stage::Sums);
  return times;
}

}  // namespace gradproof::bench
