#include "bench/fault_hunt.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <thread>

#include "bench/process_usage.h"
#include "corpus/data_recipe.h"
#include "properties/campaign/item_runs.h"
#include "properties/laws/law.h"
#include "properties/session/loaded_library.h"

namespace gradproof::bench {
namespace {

using namespace properties;
using Clock = std::chrono::steady_clock;

/// What the process that looks tells the one that waits for it: in shared memory, so that nothing
/// is lost where it dies.
struct Page {
  std::atomic<bool> is_ready{false}, is_over{false}, found{false};
  std::atomic<double> begin{0}, end{0};  ///< processor time: ready; found
  std::atomic<std::uint64_t> cases{0};
  std::atomic<std::size_t> sort{0};
  std::array<Spent, most_sorts> spent{};
  std::array<char, 256> words{};  ///< signature, or why the libraries cannot be used
};

void write_words(Page& page, std::string_view text) {
  page.words[text.copy(page.words.data(), page.words.size() - 1)] = '\0';
}

/// The status; recipes; recipes of gradients with a tiling class, which cost the most; laws.
std::size_t sort_of(const ItemRun& run) {
  const auto recipes = corpus::all_distributions();
  if (run.law != nullptr) {
    return 1 + 2 * recipes.size() + static_cast<std::size_t>(run.law - laws().data());
  }
  if (!run.problem.data) return 0;
  const auto row = std::ranges::find(recipes, run.problem.data->distribution,
                                     &corpus::DistributionRow::distribution);
  const std::size_t first = corpus::is_tiling_class(run.problem.api) ? 1 + recipes.size() : 1;
  return first + static_cast<std::size_t>(row - recipes.begin());
}

/// As `gradproof verify` narrows it: no cases of products or calls that the target lacks.
Selection narrowed_to(Selection selection, const Library& library) {
  std::erase_if(selection.apis, [&](corpus::Api api) {
    return std::ranges::find(library.apis(), api) == library.apis().end();
  });
  std::ranges::copy_if(supported_products, std::back_inserter(selection.products),
                       [&](corpus::Product product) {
                         return std::ranges::find(library.devices(), product, &Device::product) !=
                                library.devices().end();
                       });
  return selection;
}

/// One campaign, as far as its first finding.
class Search {
 public:
  Search(Page& page, const LoadedLibrary::Pointer& library, const PlantedFault& fault,
         const HuntSettings& settings)
      : page_(page), target_(library->new_target()), most_seconds_(settings.seconds) {
    work_.source = *CaseSource::of(narrowed_to(settings.selection, *library));
    work_.seed = settings.seed;
    campaign_.check.judge.profile = fault.profile;
    campaign_.recipes = settings.selection.recipes;
    campaign_.laws = law_choice(settings.selection.laws);
  }

  void run() {
    for (std::uint64_t number = 0; !is_late(); ++number) {
      // Drawing a case is what its first run costs more.
      double begin = processor_seconds();
      PlannedItem item = planned_item(work_, number, campaign_);
      for (ItemRun& run : item.runs) {
        if (is_wrong(run, item, begin)) return;
        begin = processor_seconds();
      }
    }
  }

 private:
  bool is_late() const { return processor_seconds() - page_.begin > most_seconds_; }

  bool is_wrong(const ItemRun& run, const PlannedItem& item, double begin) {
    const std::size_t sort = sort_of(run);
    page_.sort = sort;
    ++page_.cases;
    const corpus::Verdict verdict =
        held_to(run.law, *target_, {run.problem, item.ruling}, item.check);
    footprint_of_run(item, run.problem);
    const double end = processor_seconds();
    Spent& spent = page_.spent.at(sort);
    ++spent.runs;
    spent.seconds += end - begin;
    if (verdict.outcome != corpus::Outcome::Disagree) return false;
    write_words(page_, verdict.signature());
    page_.end = end;
    page_.found = true;
    return true;
  }

  Page& page_;
  std::unique_ptr<Target> target_;
  double most_seconds_;
  Work work_;
  CampaignSettings campaign_;
};

/// What a faulty library prints is not wanted.
void be_silent() {
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing < 0) return;
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
}

[[noreturn]] void search_here(Page& page, const PlantedFault& fault, const HuntSettings& settings) {
  be_silent();
  constexpr int replace = 1;
  ::setenv("GRADPROOF_FAULT", fault.seeded.c_str(), replace);
  ::setenv("GRADPROOF_PROFILE", std::string(oracle::name_of(fault.profile)).c_str(), replace);
  const auto library = LoadedLibrary::load(fault.libraries);
  if (!library) {
    write_words(page, library.error());
  } else {
    Search search(page, *library, fault, settings);
    page.begin = processor_seconds();
    page.is_ready = true;
    search.run();
  }
  page.is_over = true;
  ::_exit(0);
}

/// What an isolated target may use: beyond, the fault has been found.
constexpr std::chrono::seconds longest_run{40};
constexpr double most_megabytes = 6'000;

/// How it ended before its time; nullopt: it did not, or by itself.
std::optional<std::string> overseen(pid_t child, const Page& page, int& status, rusage& usage) {
  std::uint64_t cases = 0;
  auto since = Clock::now();
  std::optional<std::string> killed;
  for (int turn = 0; ::wait4(child, &status, WNOHANG, &usage) == 0; ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (page.cases != cases) since = Clock::now();
    cases = page.cases;
    if (Clock::now() - since > longest_run) killed = "a run that hangs";
    constexpr int turns_between_looks = 32;
    if (turn % turns_between_looks == 0 && peak_megabytes(child) > most_megabytes) {
      killed = "more memory than 6,000 MB";
    }
    if (killed) ::kill(child, SIGKILL);
  }
  return killed;
}

double seconds_of(const rusage& usage) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

tl::expected<Hunt, std::string> result_of(const Page& page,
                                          const std::optional<std::string>& killed, int status,
                                          const rusage& usage) {
  Hunt hunt;
  hunt.by = page.words.data();
  hunt.cases = page.cases;
  hunt.sort = page.sort;
  hunt.spent = page.spent;
  hunt.start = page.begin;
  hunt.found = page.found || !page.is_over;
  hunt.seconds = (page.found ? page.end.load() : seconds_of(usage)) - page.begin;
  if (page.is_over)
    return page.is_ready ? hunt : tl::expected<Hunt, std::string>(tl::unexpect, hunt.by);
  hunt.by =
      killed.value_or(WIFSIGNALED(status) ? fmt::format("killed by signal {}", WTERMSIG(status))
                                          : fmt::format("exit code {}", WEXITSTATUS(status)));
  return hunt;
}

}  // namespace

std::string name_of_sort(std::size_t sort) {
  if (sort == 0) return "status";
  const std::span<const corpus::DistributionRow> recipes = corpus::all_distributions();
  if (sort <= recipes.size()) return std::string(recipes[sort - 1].name);
  if (sort <= 2 * recipes.size()) {
    return fmt::format("tiling {}", recipes[sort - 1 - recipes.size()].name);
  }
  const std::size_t law = sort - 1 - 2 * recipes.size();
  return law < laws().size() ? fmt::format("law {}", laws()[law].name) : std::string();
}

tl::expected<Hunt, std::string> hunt_for(const PlantedFault& fault, const HuntSettings& settings) {
  if (1 + 2 * corpus::all_distributions().size() + laws().size() > most_sorts) {
    return tl::unexpected(std::string("more recipes and laws than most_sorts"));
  }
  void* memory =
      ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return tl::unexpected(std::string("no shared memory"));
  Page* page = new (memory) Page;
  const pid_t child = ::fork();
  if (child == 0) search_here(*page, fault, settings);
  if (child < 0) {
    ::munmap(memory, sizeof(Page));
    return tl::unexpected(std::string("no process can be forked"));
  }
  int status = 0;
  rusage usage{};
  const auto killed = overseen(child, *page, status, usage);
  auto result = result_of(*page, killed, status, usage);
  ::munmap(memory, sizeof(Page));
  return result;
}

}  // namespace gradproof::bench
