#include "properties/runs/probes/tree_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>

#include "corpus/element_encoding.h"

namespace gradproof::runs {
namespace {

using Part = std::int64_t;

/// The values by which pairs are told.
struct Marks {
  const char* words;
  double shared, one, mark;
  std::size_t most;    ///< ones at a time
  double quantum = 0;  ///< what M moves by is a multiple of this; 0: M does not move
};

/// From the widest range of numbers to the narrowest; then for adders that move M.
constexpr Marks marks_in_turn[] = {
    {"M = 2^100 among ones", 1, 1, 0x1p100, std::size_t{1} << 20U},
    {"M = 2^15 among 2^-24", 0x1p15, 0x1p-24, 0x1p15, 2048},
    {"M = 2^15 among 2^-14", 0x1p15, 0x1p-14, 0x1p15, 8},
    {"M = 1.5 * 2^33 among ones", 1, 1, 1.5 * 0x1p33, 32, 64},
    {"M = 1.5 * 2^15 among 2^-18", 0x1p15, 0x1p-18, 1.5 * 0x1p15, 32, 64},
};

/// The most ones whose count a result of this type shows.
std::size_t most_shown(corpus::DataType dtype) {
  if (dtype == corpus::DataType::Float) return std::size_t{1} << 20U;
  return dtype == corpus::DataType::Float16 ? 2048 : 256;
}

/// Products that wait to be ordered: the tree among them.
struct Job {
  std::vector<std::size_t> places;  ///< the first is the pivot
  std::vector<std::size_t> sizes;   ///< of the node that the pivot shares with each other
  std::map<std::size_t, std::size_t> children;  ///< job of those that join at a node of this size
};

class Search {
 public:
  Search(Prober& prober, const cases::SitePlan& plan, const cases::Site& site, const Marks& marks)
      : prober_(prober),
        plan_(plan),
        site_(site),
        marks_(marks),
        most_(std::min(marks.most, most_shown(corpus::tensor(prober.call(), plan.role())->dtype))) {
  }

  Probed<FoundTree> run() {
    FoundTree found{{site_.numbers(), {}}, {}, 0, marks_.words};
    if (const auto sane = shows_counts(); !sane) return tl::unexpected(sane.error());
    if (contradiction_.empty()) {
      if (const auto problem = ask_all()) return tl::unexpected(*problem);
    }
    if (contradiction_.empty()) assemble(found.tree);
    found.contradiction = contradiction_;
    found.pairs = pairs_;
    return found;
  }

 private:
  std::size_t count() const { return site_.products.size(); }

  ProbeValues shared() const { return {marks_.shared, {}}; }

  /// Ones alone must be counted rightly before anything is concluded from them.
  Probed<bool> shows_counts() {
    ProbeValues ones;
    for (std::size_t place = 0; place < std::min(most_, count()); ++place) {
      ones.at.emplace_back(place, marks_.one);
    }
    const auto answer = prober_.ask(plan_, site_, shared(), std::vector{ones});
    if (!answer) return tl::unexpected(answer.error());
    const double unit = plan_.has_shared() ? marks_.shared * marks_.one : marks_.one;
    if (answer->front() != unit * static_cast<double>(ones.at.size())) {
      contradiction_ = fmt::format("{} equal products gave {} instead of their number",
                                   ones.at.size(), answer->front() / unit);
    }
    return true;
  }

  /// The number of ones outside of the node, or a contradiction.
  std::size_t decoded(double answer, std::size_t ones) {
    const double unit = plan_.has_shared() ? marks_.shared * marks_.one : marks_.one;
    double number = answer / unit;
    if (marks_.quantum != 0) number -= marks_.quantum * std::floor(number / marks_.quantum);
    const bool is_count = number >= 0 && number <= static_cast<double>(ones);
    if (!is_count || number != std::floor(number)) {
      contradiction_ =
          fmt::format("M, -M and {} ones gave {}, which is no number of them", ones, answer / unit);
      return 0;
    }
    return to_size(number);
  }

  /// Sizes of the nodes in which pairs meet first.
  Probed<std::vector<std::size_t>> sizes_of(
      const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
    std::vector<ProbeValues> questions;
    std::vector<std::pair<std::size_t, std::size_t>> about;  // a pair, and its ones
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
      const auto [one, other] = pairs[pair];
      std::size_t place = 0;
      do {
        ProbeValues question;
        question.at = {{one, marks_.mark}, {other, -marks_.mark}};
        std::size_t ones = 0;
        for (; place < count() && ones < most_; ++place) {
          if (place == one || place == other) continue;
          question.at.emplace_back(place, marks_.one);
          ++ones;
        }
        questions.push_back(std::move(question));
        about.emplace_back(pair, ones);
      } while (place < count());
    }
    const auto answers = prober_.ask(plan_, site_, shared(), questions);
    if (!answers) return tl::unexpected(answers.error());
    std::vector<std::size_t> sizes(pairs.size(), count());
    for (std::size_t i = 0; i < answers->size(); ++i) {
      sizes[about[i].first] -= decoded((*answers)[i], about[i].second);
    }
    pairs_ += pairs.size();
    return sizes;
  }

  /// All jobs of one depth together, so that their pairs share calls.
  std::optional<ProbeProblem> ask_all() {
    std::vector<std::size_t> all(count());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    jobs_.push_back({all, {}, {}});
    for (std::size_t first = 0; first < jobs_.size() && contradiction_.empty();) {
      const std::size_t last = jobs_.size();
      std::vector<std::pair<std::size_t, std::size_t>> pairs;
      for (std::size_t job = first; job < last; ++job) {
        const auto& places = jobs_[job].places;
        for (std::size_t i = 1; i < places.size(); ++i) pairs.emplace_back(places[0], places[i]);
      }
      const auto sizes = sizes_of(pairs);
      if (!sizes) return sizes.error();
      std::size_t next = 0;
      for (std::size_t job = first; job < last; ++job) {
        const std::size_t others = jobs_[job].places.size() - 1;
        for (std::size_t i = 0; i < others; ++i) jobs_[job].sizes.push_back((*sizes)[next++]);
        divide(job);
      }
      if (first == 0 && jobs_[0].children.rbegin()->first != count()) {
        contradiction_ = "no product meets the first one in a node that holds all of them";
      }
      first = last;
    }
    return std::nullopt;
  }

  /// Makes a job of its own for the products that join the pivot at the same node.
  void divide(std::size_t job) {
    std::map<std::size_t, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < jobs_[job].sizes.size(); ++i) {
      groups[jobs_[job].sizes[i]].push_back(jobs_[job].places[i + 1]);
    }
    for (auto& [size, places] : groups) {
      // A pivot in the middle of the products' order halves a sum that runs backwards.
      std::swap(places[0], places[random_() % places.size()]);
      jobs_[job].children[size] = jobs_.size();
      jobs_.push_back({places, {}, {}});
    }
  }

  /// Result of a job: children of its uppermost node, which is not made yet.
  struct Assembled {
    corpus::TreeNode children;
    std::size_t size = 1;  ///< products of that node, as measured
  };

  Part made(cases::AdditionTree& tree, const Assembled& assembled) const {
    if (assembled.children.size() == 1) return assembled.children.front();
    tree.nodes.push_back(assembled.children);
    return static_cast<Part>(tree.leaves.size() + tree.nodes.size()) - 1;
  }

  Assembled assembled(cases::AdditionTree& tree, std::size_t job) {
    Assembled current{{static_cast<Part>(jobs_[job].places.front())}, 1};
    std::size_t below = 1;
    for (const auto& [size, child] : jobs_[job].children) {
      const std::size_t joined = jobs_[child].places.size();
      const Assembled other = assembled(tree, child);
      const bool is_apart = other.size == joined;
      if (!is_apart && other.size != size) {
        contradiction_ =
            fmt::format("the answers are those of no tree: a node of {} products meets one of {}",
                        other.size, size);
      }
      corpus::TreeNode children{made(tree, current)};
      if (is_apart) {
        children.push_back(made(tree, other));
      } else {
        children.insert(children.end(), other.children.begin(), other.children.end());
      }
      below += joined;
      current = {std::move(children), size};
      is_consistent_ = is_consistent_ && (size == below || size > below);
    }
    return current;
  }

  void assemble(cases::AdditionTree& tree) {
    const Assembled root = assembled(tree, 0);
    made(tree, root);
    if (contradiction_.empty() && (!is_consistent_ || root.size != count())) {
      contradiction_ =
          "the answers are those of no tree: a node holds fewer products than meet in it";
    }
  }

  Prober& prober_;
  const cases::SitePlan& plan_;
  const cases::Site& site_;
  const Marks& marks_;
  std::size_t most_;
  std::vector<Job> jobs_;
  std::uint64_t pairs_ = 0;
  std::string contradiction_;
  bool is_consistent_ = true;
  std::mt19937 random_{1};
};

/// True if the tensors' types hold the values exactly.
bool can_hold(const corpus::Case& call, const cases::SitePlan& plan, const Marks& marks) {
  const auto holds = [&](corpus::InputRole role, double value) {
    return corpus::encode_exactly(corpus::tensor(call, role)->dtype, value).has_value();
  };
  return holds(plan.varied(), marks.mark) && holds(plan.varied(), marks.one) &&
         (!plan.has_shared() || holds(plan.shared(), marks.shared));
}

}  // namespace

Probed<FoundTree> find_tree(Prober& prober, const cases::SitePlan& plan, const cases::Site& site) {
  if (site.products.size() < 2) return FoundTree{{site.numbers(), {}}, {}, 0, "no pairs"};
  std::optional<FoundTree> first;
  for (const Marks& marks : marks_in_turn) {
    if (!can_hold(prober.call(), plan, marks)) continue;
    auto found = Search(prober, plan, site, marks).run();
    if (!found || found->contradiction.empty()) return found;
    if (!first) first = std::move(*found);
  }
  if (!first) return FoundTree{{site.numbers(), {}}, "the operands hold no marks", 0, ""};
  return *first;
}

}  // namespace gradproof::runs
