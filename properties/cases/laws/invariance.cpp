#include <fmt/format.h>
#include <sched.h>
#include <sys/types.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "oracle/geometry/workload.h"
#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/index_map.h"
#include "properties/cases/laws/law_rows.h"
#include "properties/cases/laws/observed.h"

/// Laws that no document promises and a library may: calls that differ in one thing have the same
/// bits.
namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using corpus::Verdict;

/// While it lives, this thread, the processes that this one has started, and all that they start
/// run on one processor of the host. Threads that run already, here and there, are left alone.
class OneProcessor {
 public:
  OneProcessor();
  ~OneProcessor();
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

  /// False where there is one processor anyway.
  bool holds() const { return !before_.empty(); }

 private:
  std::vector<std::pair<pid_t, cpu_set_t>> before_;
};

/// Processes that threads of this one have started, and 0, which is this thread.
std::vector<pid_t> this_and_children() {
  std::vector<pid_t> all{0};
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) all.push_back(child);
  }
  return all;
}

OneProcessor::OneProcessor() {
  for (const pid_t process : this_and_children()) {
    cpu_set_t all;
    if (::sched_getaffinity(process, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    int first = 0;
    while (!CPU_ISSET(first, &all)) ++first;
    CPU_SET(first, &one);
    if (::sched_setaffinity(process, sizeof one, &one) == 0) before_.emplace_back(process, all);
  }
}

OneProcessor::~OneProcessor() {
  for (const auto& [process, all] : before_) ::sched_setaffinity(process, sizeof all, &all);
}

/// Restricts a relation to gradInput: the other gradients are sums over samples, in any order.
Related of_samples(Related relation) {
  if (!relation) return relation;
  relation->demand = Demand::Nothing;
  relation->looked_at = {true, false, false};
  return relation;
}

/// The call in deterministic mode, with tensors as derived calls have them: contiguous.
Case plain_call(const Case& test_case, const Convolution& sizes) {
  return derived_call(in_deterministic_mode(test_case), sizes,
                      [](InputRole, const Coordinate& at) { return std::optional(at); });
}

/// A call of one sample of these, with others of zeros behind it.
Case first_sample_in(const Case& test_case, const Convolution& sizes, std::int64_t batch) {
  Convolution next = sizes;
  next.batch = batch;
  return derived_call(test_case, next,
                      [](InputRole role, const Coordinate& at) -> std::optional<Coordinate> {
                        if (role != InputRole::Weight && at.front() > 0) return std::nullopt;
                        return at;
                      });
}

/// The numbers of all samples but one, in another order.
void change_neighbours(std::vector<corpus::ListedElement>& listed, std::int64_t sample) {
  std::vector<std::uint64_t> bits;
  for (const auto& element : listed) {
    if (element.at.front() != sample) bits.push_back(element.bits);
  }
  for (auto& element : listed) {
    if (element.at.front() == sample) continue;
    element.bits = bits.back();
    bits.pop_back();
  }
}

}  // namespace

bool has_grad_input(const Case& test_case) {
  return corpus::is_requested(test_case, OutputRole::GradInput);
}

bool has_neighbours(const Case& test_case) {
  return has_grad_input(test_case) && has_samples(test_case);
}

Related batch_size(const Case& test_case) {
  constexpr std::int64_t batches[] = {2, 7, 64};
  constexpr std::uint64_t most_macs = 10'000'000;
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  const Case base = plain_call(test_case, *sizes);
  RelatedCalls relation;
  relation.test_case = first_sample_in(base, *sizes, 1);
  for (const std::int64_t batch : batches) {
    Case run = first_sample_in(base, *sizes, batch);
    if (oracle::mac_count(run).value_or(most_macs) >= most_macs) break;
    relation.runs.push_back(std::move(run));
    relation.words.push_back(fmt::format("the same sample in a batch of {}", batch));
  }
  if (relation.runs.empty()) return tl::unexpected(std::string("a batch of two is too large"));
  relation.places = [count = relation.runs.size()](OutputRole, const Coordinate& at) {
    std::vector<Place> places;
    for (std::size_t run = 0; run < count; ++run) places.push_back({run, at});
    return places;
  };
  return of_samples(std::move(relation));
}

Related batch_place(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  Related relation = of_samples(batch_permutation(plain_call(test_case, *sizes)));
  if (relation) relation->words = {"the call with its samples in another order"};
  return relation;
}

Related batch_neighbours(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  const auto sample = static_cast<std::int64_t>(choice_of(test_case, 21) %
                                                static_cast<std::uint64_t>(sizes->batch));
  const Case base = plain_call(test_case, *sizes);
  Case run = base;
  for (const InputRole role : {InputRole::GradOutput, InputRole::Input}) {
    change_neighbours(run.data->listed[role], sample);
  }
  RelatedCalls relation =
      relocation(base, std::move(run),
                 [sample](OutputRole, const Coordinate& at) -> std::optional<Coordinate> {
                   if (at.front() != sample) return std::nullopt;
                   return at;
                 });
  relation.words = {"the call with other numbers in the other samples"};
  return of_samples(std::move(relation));
}

Related group_alone(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  Related relation = one_group_at_a_time(plain_call(test_case, *sizes));
  if (!relation) return relation;
  relation->demand = Demand::Nothing;
  relation->words.assign(relation->runs.size(), "the call of that group alone");
  return relation;
}

Verdict tensor_layout(targets::Target& target, const Case& test_case,
                      const CheckSettings& settings) {
  if (!target.free_memory()) return law_skipped("the target places its tensors itself");
  Related relation = strided_as_contiguous(in_deterministic_mode(test_case));
  if (relation) relation->demand = Demand::Nothing;
  if (relation) relation->words = {"the call with tensors laid out otherwise"};
  return check_relation(target, relation, settings);
}

Verdict tensor_alignment(targets::Target& target, const Case& test_case,
                         const CheckSettings& settings) {
  if (!target.free_memory()) return law_skipped("the target places its tensors itself");
  const Case run = in_deterministic_mode(test_case);
  for (const std::size_t shift : {32U, 96U, 480U}) {
    CheckSettings shifted = settings;
    shifted.run.address_shift = shift;
    Verdict verdict = same_bits(target, run, settings, shifted,
                                fmt::format("with every tensor {} bytes later", shift));
    if (verdict.outcome != corpus::Outcome::Agree || shift == 480U) return verdict;
  }
  return agreed("the same bits at every address");
}

namespace {

/// The call in the process of the target, and in another one with settings and words of its own.
Verdict same_elsewhere(targets::Target& target, const Case& test_case,
                       const CheckSettings& settings, const std::string& difference) {
  if (target.endangers_this_process()) {
    return law_skipped("the target runs in this process (--in-process)");
  }
  const Case run = in_deterministic_mode(test_case);
  Observed here = observe(target, run, settings, "the call");
  if (here.ended) return std::move(*here.ended);
  const auto other = target.library().new_target();
  Observed there = observe(*other, run, settings, "the call in another process");
  if (there.ended) return std::move(*there.ended);
  return settled(run, here.seen, compare_bits(run, here.seen, there.seen, difference));
}

}  // namespace

Verdict other_process(targets::Target& target, const Case& test_case,
                      const CheckSettings& settings) {
  return same_elsewhere(target, test_case, settings, "in another process");
}

Verdict core_count(targets::Target& target, const Case& test_case, const CheckSettings& settings) {
  const std::string difference = "on one core";
  if (target.library().takes_machine_settings()) {
    CheckSettings one = settings;
    one.run.machine.cores = 1;
    return same_bits(target, in_deterministic_mode(test_case), settings, one, difference);
  }
  const OneProcessor limit;
  if (!limit.holds()) return law_skipped("the host has one processor, or lets none be chosen");
  return same_elsewhere(target, test_case, settings, difference);
}

}  // namespace gradproof::cases::laws_detail
