#include "properties/runs/prove/claim.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <set>
#include <system_error>

#include "corpus/case_error.h"
#include "corpus/json/json_text.h"
#include "corpus/json/plain_members.h"
#include "properties/findings/results/results_file.h"
#include "properties/runs/prove/attack.h"

namespace gradproof::runs {

/// Lists what a file of a proof holds.
void members(corpus::PlainMembers& json, ProofRecord& record) {
  json("target", record.target);
  json("scope", record.scope);
  json("words", record.words);
  json("modes", record.modes);
  json("attacks", record.attacks);
  json("seed", record.seed);
  json("shard", record.shard);
  json("shards", record.shards);
  json("allCalls", record.all_calls);
  json("calls", record.calls);
  json("statusOnly", record.status_only);
  json("runs", record.runs);
  json("wrong", record.wrong);
  json("open", record.open);
  json("complete", record.complete);
}

namespace {

using corpus::Outcome;
namespace fs = std::filesystem;

std::uint64_t calls_of_shard(std::uint64_t calls, const Shard& shard) {
  if (shard.is_all()) return calls;
  std::uint64_t count = 0;
  for (std::uint64_t number = 0; number < calls; ++number) {
    count += shard.holds_number(number) ? 1 : 0;
  }
  return count;
}

std::string attack_words(Attacks attacks) {
  if (attacks == Attacks::None) return {};
  std::vector<std::string_view> names;
  for (const Attack& attack : all_attacks()) names.push_back(attack.name);
  return fmt::format("{} of: {}", attacks == Attacks::All ? "every one" : "one in turn",
                     fmt::join(names, ", "));
}

tl::expected<ProofRecord, std::string> read_proof(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  try {
    return corpus::of_plain_json<ProofRecord>(nlohmann::ordered_json::parse(stream));
  } catch (const nlohmann::json::exception& error) {
    return tl::unexpected(fmt::format("{}: is no record of a proof: {}", file.string(),
                                      corpus::words_of_json_error(error)));
  }
}

/// Part that all shards of a proof have in common.
ProofRecord common_part(ProofRecord record) {
  record.shard = record.calls = record.status_only = record.runs = record.wrong = record.open = 0;
  record.complete = false;
  return record;
}

std::string why_not_proved(const ProofRecord& record) {
  if (record.wrong > 0) return fmt::format("{} runs were wrong", record.wrong);
  if (record.open > 0) return fmt::format("{} runs were skipped or refused", record.open);
  if (!record.complete) return "the run did not come to its end";
  if (record.calls == record.status_only) return "no call could be given data";
  return fmt::format("{} of {} calls were run; the other shards are missing", record.calls,
                     record.all_calls);
}

std::string proved_sentence(const ProofRecord& record) {
  std::string text = fmt::format(
      "proved    {} calls, {} runs: the index maps of the gradients asked for are as specified;\n"
      "          a wrong call is missed with a probability below 2^-{:.0f}\n",
      record.calls - record.status_only, record.runs, wanted_bits);
  if (record.status_only > 0) {
    text += fmt::format(
        "          {} more calls by their status alone: the rules refuse them, or the results have "
        "too few bits\n",
        record.status_only);
  }
  return text;
}

constexpr const char* assumptions =
    "assumes   oblivious: which operations are done does not depend on the values\n"
    "          bilinear: a result is a sum of products of one element of each operand\n"
    "          bounded work: at most twice the products of the definition for any element\n";

constexpr const char* not_found =
    "not found errors in calls outside the scope; in rounding and in the range of numbers, but for "
    "the attacks;\n"
    "          a kernel that looks at the values, where no attack met its condition\n";

}  // namespace

ProofRecord proof_record(const ProofCalls& calls, const std::string& target, std::uint64_t seed,
                         const Shard& shard, const findings::Summary& summary, bool complete) {
  ProofRecord record;
  record.target = target;
  record.scope = calls.scope().name();
  record.words = calls.scope().words();
  for (const ProofMode& mode : calls.modes()) record.modes.push_back(words_of(mode));
  record.attacks = attack_words(calls.attacks());
  record.seed = seed;
  record.shard = shard.index;
  record.shards = shard.count;
  record.all_calls = calls.size();
  record.calls = calls_of_shard(calls.size(), shard);
  const auto status = summary.laws.find("status");
  if (status != summary.laws.end()) {
    record.status_only = status->second.at(to_size(Outcome::Agree));
  }
  record.runs = summary.cases();
  record.wrong = summary.count(Outcome::Disagree);
  record.open = summary.count(Outcome::Skipped) + summary.count(Outcome::Refused);
  record.complete = complete;
  return record;
}

bool is_proved(const ProofRecord& record) {
  return record.complete && record.wrong == 0 && record.open == 0 &&
         record.calls == record.all_calls && record.calls > record.status_only;
}

std::string claim_text(const ProofRecord& record) {
  std::string text = fmt::format("claim     {}; {}\nscope     {}: {}\n", record.target,
                                 fmt::join(record.modes, ", "), record.scope, record.words);
  if (!is_proved(record)) {
    return text + fmt::format("not proved: {}\n", why_not_proved(record));
  }
  text += proved_sentence(record);
  text += assumptions;
  text += record.attacks.empty() ? "attacks   none: nothing was done against the first assumption\n"
                                 : fmt::format("attacks   on each call {}\n", record.attacks);
  return text + not_found;
}

fs::path proof_file(const fs::path& folder) { return folder / "proof.json"; }

std::optional<std::string> note_proof(const fs::path& folder, const ProofRecord& record) {
  return findings::write_file(proof_file(folder),
                              corpus::json_text(corpus::plain_json(record), 2) + '\n');
}

tl::expected<std::optional<ProofRecord>, std::string> merged_proof(
    const std::vector<fs::path>& folders) {
  std::optional<ProofRecord> merged;
  std::set<std::uint64_t> shards;
  for (const fs::path& folder : folders) {
    std::error_code error;
    if (!fs::is_regular_file(proof_file(folder), error)) continue;
    const auto read = read_proof(proof_file(folder));
    if (!read) return tl::unexpected(read.error());
    if (merged && common_part(*merged) != common_part(*read)) {
      return tl::unexpected(proof_file(folder).string() +
                            ": is of another proof than the folders before it");
    }
    if (!shards.insert(read->shard).second) continue;
    if (!merged) {
      merged = *read;
      continue;
    }
    merged->calls += read->calls;
    merged->status_only += read->status_only;
    merged->runs += read->runs;
    merged->wrong += read->wrong;
    merged->open += read->open;
    merged->complete = merged->complete && read->complete;
  }
  return merged;
}

}  // namespace gradproof::runs
