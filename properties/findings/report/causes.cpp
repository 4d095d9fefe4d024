#include "properties/findings/report/report.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

namespace gradproof::findings {
namespace {

/// Names what is wrong, whatever showed it.
std::string_view deviation(const ReportFinding& finding) {
  return finding.symptoms.empty() ? std::string_view(finding.signature) : finding.symptoms.front();
}

/// True if only a comparison of several calls shows it.
bool is_of_law(const ReportFinding& finding) {
  return deviation(finding) == finding.signature || deviation(finding) == "nondeterministic";
}

bool shows(const ReportFinding& finding, std::string_view symptom) {
  return std::ranges::find(finding.symptoms, symptom) != finding.symptoms.end();
}

/// "gradInput" of "disagree-law-scaling-gradInput".
std::string_view output_of(const ReportFinding& finding) {
  const std::string_view signature = finding.signature;
  return signature.substr(signature.find_last_of('-') + 1);
}

/// True if the same call gives another result each time.
bool is_erratic(const ReportFinding& finding) {
  return deviation(finding) == "nondeterministic" ||
         finding.signature.find("-law-determinism-") != std::string::npos;
}

/// The call alone does not show it: what earlier calls left behind takes part.
bool has_a_memory(const ReportFinding& finding) {
  return !finding.diagnosis.empty() &&
         finding.diagnosis.front().starts_with("does not happen again alone");
}

/// "with cubeMathType 2 taken for 0", of faults that account for all runs.
std::vector<std::string_view> whole_explanations(const ReportFinding& finding) {
  std::vector<std::string_view> explanations;
  for (const std::string_view sentence : finding.diagnosis) {
    for (const std::string_view begins :
         {" equals the exact result ", "the status equals the right one "}) {
      const auto begin = sentence.find(begins);
      const auto end = sentence.find(" (tested on ");
      if (begin == sentence.npos || end == sentence.npos) continue;
      explanations.push_back(sentence.substr(begin + begins.size(), end - begin - begins.size()));
    }
  }
  return explanations;
}

bool have_one_explanation(const ReportFinding& a, const ReportFinding& b) {
  const auto of_b = whole_explanations(b);
  return std::ranges::any_of(whole_explanations(a), [&](std::string_view one) {
    return std::ranges::find(of_b, one) != of_b.end();
  });
}

/// Describes what is wrong with the special value that it takes: "needs a NaN: computed inf
/// (0x7f80), exact nan (0x7fc0)", whichever operand has it.
std::string special_value(const ReportFinding& finding) {
  constexpr std::string_view end = " (ordinary values agree)";
  for (const std::string_view sentence : finding.diagnosis) {
    if (!sentence.starts_with("needs ") || !sentence.ends_with(end)) continue;
    const auto computed = finding.reason.find("computed "), stop = finding.reason.find(';');
    if (computed == std::string::npos || stop == std::string::npos || stop < computed) return {};
    return std::string(sentence.substr(0, sentence.find(" in "))) + ": " +
           finding.reason.substr(computed, stop - computed);
  }
  return {};
}

bool have_one_cause(const ReportFinding& a, const ReportFinding& b) {
  if (deviation(a) == deviation(b)) return true;
  if (is_erratic(a) && is_erratic(b) && output_of(a) == output_of(b)) return true;
  if (const auto special = special_value(a); !special.empty() && special == special_value(b)) {
    return true;
  }
  if (shows(a, deviation(b)) && shows(b, deviation(a))) return true;
  if (!a.where.empty() && a.where == b.where) return true;
  return have_one_explanation(a, b);
}

/// Disjoint sets of findings, by their places.
class Causes {
 public:
  explicit Causes(const std::vector<ReportFinding>& findings)
      : findings_(findings), parents_(findings.size()) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    for (std::size_t i = 0; i < findings.size(); ++i) {
      shown_.push_back(shown_by_calls_of_law(findings[i]));
    }
    join_alike();
    put_laws_behind(runs_of_causes());
  }

  std::size_t of(std::size_t finding) const {
    while (parents_[finding] != finding) finding = parents_[finding];
    return finding;
  }

 private:
  using Places = std::vector<std::size_t>;

  /// Findings that have without a law what single calls of this broken law show; where earlier
  /// calls take part, or chance, also what is wrong with this output alone.
  Places shown_by_calls_of_law(const ReportFinding& law) const {
    Places places;
    for (std::size_t i = 0; is_of_law(law) && i < findings_.size(); ++i) {
      const ReportFinding& other = findings_[i];
      const bool is_unstable = has_a_memory(law) || is_erratic(law);
      const bool is_of_output = is_unstable && deviation(other) == output_of(law);
      if (!is_of_law(other) && (shows(law, deviation(other)) || is_of_output)) places.push_back(i);
    }
    if (places.empty() && is_of_law(law) && !is_erratic(law)) places = erratic_findings_like(law);
    return places;
  }

  /// Findings of results that differ by call: no comparison of two calls tells more of them.
  Places erratic_findings_like(const ReportFinding& law) const {
    Places places;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const ReportFinding& other = findings_[i];
      if (is_erratic(other) && output_of(other) == output_of(law)) places.push_back(i);
    }
    return places;
  }

  void join_alike() {
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool is_alone = shown_[i].empty() && shown_[j].empty();
        if (is_alone && have_one_cause(findings_[i], findings_[j])) parents_[of(i)] = of(j);
      }
    }
  }

  std::vector<std::uint64_t> runs_of_causes() const {
    std::vector<std::uint64_t> runs(findings_.size());
    for (std::size_t i = 0; i < findings_.size(); ++i) runs[of(i)] += findings_[i].cases;
    return runs;
  }

  /// Last, and each behind one cause, that with the most runs: a law that two causes break must not
  /// make one of them.
  void put_laws_behind(const std::vector<std::uint64_t>& runs) {
    for (std::size_t law = 0; law < findings_.size(); ++law) {
      std::optional<std::size_t> most;
      for (const std::size_t place : shown_[law]) {
        if (!most || runs[of(place)] > runs[*most]) most = of(place);
      }
      if (most) parents_[law] = *most;
    }
  }

  const std::vector<ReportFinding>& findings_;
  std::vector<std::size_t> parents_;
  std::vector<Places> shown_;
};

/// The first of a cause speaks for it.
bool speaks_before(const ReportFinding& a, const ReportFinding& b) {
  const auto rank = [](const ReportFinding& of) {
    return std::tuple(of.breaks_law || is_of_law(of), !is_erratic(of), of.case_text.empty(),
                      of.case_text.size(), std::string_view(of.signature));
  };
  return rank(a) < rank(b);
}

/// A finding's own picture stays; of those of the others one with products.
bool shows_more(const ReportFinding& speaker, const ReportFinding& other) {
  if (!speaker.picture || !other.picture) return !speaker.picture;
  return speaker.picture_signature != speaker.signature && speaker.picture->product_count == 0 &&
         other.picture->product_count > 0;
}

void take_in(ReportFinding& speaker, const ReportFinding& other) {
  speaker.cases += other.cases;
  speaker.modes.insert(other.modes.begin(), other.modes.end());
  if (shows_more(speaker, other)) {
    speaker.picture = other.picture;
    speaker.picture_signature = other.picture_signature;
  }
  speaker.others.push_back({other.signature, other.reason, other.replay, other.cases});
}

}  // namespace

std::vector<ReportFinding> one_for_each_cause(std::vector<ReportFinding> findings) {
  std::ranges::sort(findings, {}, &ReportFinding::signature);
  const Causes causes(findings);
  std::vector<std::vector<std::size_t>> members(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) members[causes.of(i)].push_back(i);
  std::vector<ReportFinding> speakers;
  for (auto& of_one : members) {
    if (of_one.empty()) continue;
    std::ranges::stable_sort(of_one, [&](std::size_t a, std::size_t b) {
      return speaks_before(findings[a], findings[b]);
    });
    ReportFinding speaker = findings[of_one.front()];
    for (std::size_t i = 1; i < of_one.size(); ++i) take_in(speaker, findings[of_one[i]]);
    std::ranges::stable_sort(speaker.others, std::ranges::greater{}, &ReportSign::cases);
    speakers.push_back(std::move(speaker));
  }
  std::ranges::stable_sort(speakers, std::ranges::greater{}, &ReportFinding::cases);
  return speakers;
}

}  // namespace gradproof::findings
