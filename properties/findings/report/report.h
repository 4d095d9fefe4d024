#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "properties/cases/coverage/coverage.h"
#include "properties/findings/picture/picture.h"
#include "properties/findings/provenance/provenance.h"
#include "properties/findings/report/earlier_runs.h"
#include "properties/findings/report/report_table.h"
#include "properties/findings/report/residual_risk.h"
#include "properties/findings/results/findings.h"
#include "properties/findings/results/summary.h"

namespace gradproof::findings {

/// Another signature of a finding's cause.
struct ReportSign {
  std::string signature, reason, replay;
  std::uint64_t cases = 0;
};

/// A finding as reports show it.
struct ReportFinding {
  std::string signature, reason, case_text;
  std::string call = {}, data = {};  ///< its case in words (calls/call_in_words.h)
  std::vector<std::string> diagnosis;
  bool minimised = false;
  std::string replay;                      ///< a command line
  std::uint64_t cases = 0;                 ///< that disagree in this way
  std::set<Mode> modes;                    ///< in which cases disagree in this way
  std::vector<std::string> symptoms = {};  ///< Finding::symptoms
  bool breaks_law = false;                 ///< it was seen while a law was asked
  std::string where = {};  ///< the classes of calls that all of it and nothing else is in
  std::vector<ReportSign> others = {};  ///< of the same cause, those with the most runs first
  std::optional<Picture> picture = {};
  std::string picture_signature = {};  ///< whose picture it is: its own, or one of the same cause
};

/// Figures of one row of the tolerance table, worked out.
struct ReportRow {
  ToleranceKey key;  ///< its length is a decade, or 0
  std::uint64_t outputs = 0, elements = 0, exact_outputs = 0, exact_equal = 0;
  double worst_ratio = 0, typical_ratio = 0;
  double worst_ulp = 0, ulp_99 = 0, ulp_999 = 0;
  double mare = 0, mere = 0, rmse = 0;
  std::array<std::uint64_t, ulp_buckets> ulps{};
  std::map<std::string, StandardCount> standards;
  std::array<std::uint64_t, outcome_count> outcomes{};
};

/// One point of the picture of error against length of sum.
struct LengthPoint {
  Mode mode;
  double products = 0;  ///< in the middle of the bucket
  double worst_ratio = 0, typical_ratio = 0;
  std::uint64_t outputs = 0;
};

/// Where a run has been, by the tables' names.
struct RuleLine {
  std::string id, demand;
  cases::RuleSides sides;
  std::string why_never_decides, why_never_kept, why_never_alone;
};

/// One of the laws that runs were held to, with what each run came to.
struct LawLine {
  std::string name, words;
  std::array<std::uint64_t, outcome_count> outcomes{};  ///< all 0: it was never asked
};

/// Head of a report: the runs it is about.
struct ReportHead {
  std::string command, target, profile;
  std::vector<std::uint64_t> seeds = {};
  double seconds = 0;  ///< 0: not known
  bool interrupted = false;
  std::size_t parts_to_come = 0;        ///< shards or runs that have not ended
  std::vector<std::string> notes = {};  ///< what a reader must know first: cuts, missing shards
  std::vector<Provenance> runs = {};    ///< as far as their folders tell
};

/// Everything that renderers print; they work nothing out themselves.
struct Report {
  ReportHead head;
  Summary summary;
  std::optional<std::string> health;
  std::vector<ReportFinding> findings;
  std::vector<ReportRow> rows, decades, all_products;  ///< all_products: rows without a SoC
  std::vector<LengthPoint> points;
  std::vector<RuleLine> rules;
  std::vector<LawLine> laws;                ///< those that were broken first, then by runs
  std::optional<Comparison> baseline = {};  ///< with the latest earlier run, if one was given
  std::vector<TrendPoint> trend = {};       ///< earlier runs and this one, oldest first
  cases::CombinationCount pairs, triples;   ///< of classes
  cases::DecisionCount decisions = {};      ///< MC/DC of accepting or refusing a call
  std::optional<ResidualRisk> risk = {};    ///< nullopt: no drawn case was judged
  std::vector<ReportTable> tables;  ///< of other commands, in the order in which they are shown

  /// Results of runs are a part of it; a folder may hold tables alone.
  bool has_runs() const { return summary.cases() > 0 || tables.empty(); }
};

Report report_of(ReportHead head, Summary summary, std::vector<ReportFinding> findings,
                 std::vector<ReportTable> tables = {});

/// Describes the risk that is left, a sentence each, with the generator; empty where nothing can
/// be.
std::vector<std::string> risk_of(const Report& report);

/// One finding for each cause of what disagreed (see one_for_each_cause): from `folder/findings`
/// where it is stored there for the target, else the smallest case that the summary kept.
std::vector<ReportFinding> findings_for_report(const Summary& summary,
                                               const std::vector<std::filesystem::path>& folders,
                                               const TargetIdentity& target = {});

inline constexpr int report_schema = 2;

/// One name for each outcome, in the order of corpus::Outcome.
std::vector<std::string_view> outcome_names();

std::string json_report(const Report& report);
std::string markdown_report(const Report& report);
std::string junit_report(const Report& report);
/// Returns counts in the text format of OpenMetrics, which Prometheus reads.
std::string openmetrics_report(const Report& report);
std::string html_report(const Report& report);

/// A few sentences in lines of at most 80 columns: the verdict with its scope, what was not judged
/// and why, what that excludes of further cases.
std::string terminal_report(const Report& report);

/// Everything for a person: counts with their reasons, disagreements by signature, and how near
/// each precision mode came to its bound, all of the residual risk. Computes nothing.
std::string terminal_tables(const Report& report);

/// A section of Markdown, of at most some 40 lines; empty where nothing earlier was given.
std::string comparison_markdown(const Report& report);

/// Lines for the terminal: what is new, and the trend. Empty as above.
std::string comparison_lines(const Report& report);

/// One finding for each cause, those with the most runs first. The smallest case of a cause speaks,
/// one that breaks a law between calls only where there is no other; the rest stand in its
/// `others`, and its runs and modes are those of all.
///
/// Two findings have one cause where they deviate alike whatever law they break, where the case of
/// each shows the other's deviation, where the same fault explains the values of both, where the
/// same special value gives the same wrong one, or where what is in error in both comes about in
/// exactly the same classes of calls. A broken law has the cause of a deviation that its calls show
/// without it, or, where earlier calls or chance take part, that of its output's wrong values.
/// While an output differs from call to call, that is the cause of each law that it breaks. The
/// result depends on the findings alone, not on their order.
std::vector<ReportFinding> one_for_each_cause(std::vector<ReportFinding> findings);

/// Describes where the run has been, in a few lines; from cases_for_full_coverage on with the names
/// of what it missed. Empty where no case was counted.
std::string coverage_text(const cases::Coverage& coverage);

/// The verdict of a whole run, with what it is about: how many runs were judged, of how many calls,
/// and over which products, types, rules and gradients. It claims no more than was compared.
std::string scope_sentence(const Report& report);

/// Summarises the report in a few words: "2 943 cases judged, none disagrees".
std::string headline(const Report& report);

/// Where the results come from, as names and values: program, command, host, target with hashes,
/// times. One for each run.
struct OriginLine {
  std::string name, value;
};
std::vector<OriginLine> origin_lines(const Provenance& run);

/// Compares a report with an earlier one. Medians are compared where each side has 100 calls,
/// errors where each side has 30 outputs.
///
/// Findings: one of the same cause has some signature in common. Nearer: the median of the outputs'
/// largest errors has grown by a fourth, or the largest passes the bound. Slower: the median of a
/// call has grown by a fourth.
Comparison compared(const Report& now, const CallTimes& times_now, std::string name,
                    const Report& before, const CallTimes& times_before);

TrendPoint trend_point(std::string name, const Report& report, const CallTimes& times);

/// "2 new findings, 1 gone, 0 remaining; 3 modes slower; 0 rows nearer to their bound".
std::string comparison_sentence(const Comparison& comparison);

}  // namespace gradproof::findings
