#include "properties/runs/gate/gate_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <thread>
#include <utility>

#include "corpus/element_values.h"
#include "oracle/geometry/workload.h"
#include "properties/cases/calls/call_in_words.h"
#include "properties/runs/gate/own_code.h"

namespace gradproof::runs {
namespace {

using corpus::DataType;
using corpus::Outcome;
using std::chrono::duration;

std::uint64_t macs_of(const GateCall& call) {
  return oracle::mac_count(call.test_case).value_or(0);
}

/// The types of a list that a candidate declares; what is none of them is passed over.
std::vector<DataType> dtypes_named(const std::string& list) {
  std::vector<DataType> dtypes;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    const auto found = corpus::data_type_named(word);
    if (found && corpus::is_wide_float(*found)) dtypes.push_back(*found);
  }
  return dtypes;
}

/// Class and sentence of how a process or a call ended.
std::pair<std::string, std::string> sorted_end(const std::string& words) {
  for (const std::string_view known : {"race", "memory", "isolation"}) {
    if (words.starts_with(std::string(known) + ": ")) {
      return {std::string(known), words.substr(known.size() + 2)};
    }
  }
  const bool is_memory = words.find("can only be read") != std::string::npos;
  return {is_memory ? "memory" : "crash", words};
}

}  // namespace

double GateRun::spent() const { return duration<double>(Clock::now() - begin_).count(); }

void GateRun::decide(GateOutcome outcome, std::string why_class, std::string sentence) {
  if (is_decided_) return;
  is_decided_ = true;
  verdict_.outcome = outcome;
  verdict_.why_class = std::move(why_class);
  verdict_.why_sentence = std::move(sentence);
}

void GateRun::refuse(const GateCall& call, std::string why_class, std::string sentence) {
  if (is_decided_) return;
  verdict_.call = cases::call_in_words(call.test_case);
  decide(GateOutcome::Refused, std::move(why_class), std::move(sentence));
}

void GateRun::operator()() {
  const std::uint64_t code = hash_of_own_code();
  verdict_.nonce = settings_.nonce;
  if (const std::string why = why_no_world(); !why.empty()) {
    decide(GateOutcome::Ungated, "isolation", "no world of its own can be made here: " + why);
  } else if (start()) {
    verdict_.isolation = settings_.target.kind == GateTarget::Kind::Program
                             ? "user, pid, ipc, network"
                             : "user, pid, mount, ipc, network, system calls";
    // For what is asked again and, once nothing lacks, for a call that is larger than all.
    const auto last = end_ - settings_.time / 20, last_but_one = end_ - settings_.time / 6;
    const auto goes_on = [&] { return Clock::now() < (lacks_calls() ? last : last_but_one); };
    for (std::uint64_t i = 0; !is_decided() && goes_on() && !is_time_up(); ++i) step(i);
    conclude();
  }
  if (hash_of_own_code() != code) {
    is_decided_ = false;
    decide(GateOutcome::Damaged, "judge", "the judge's own code was changed while it ran");
  }
  for (const std::string_view name : gate_classes) {
    const GateCount count = counted(name);
    if (count.asked > 0) verdict_.asked[std::string(name)] = count;
  }
  if (candidate_) {
    candidate_->stranger();  // of one that was refused at once the libraries are told, too
    verdict_.calls = candidate_->answered();
    verdict_.libraries = candidate_->libraries();
  }
  verdict_.seconds = spent();
}

bool GateRun::start() {
  const auto until = begin_ + settings_.time / 2;
  auto candidate = Candidate::start(settings_.target, until);
  if (!candidate) {
    auto [why, words] = sorted_end(candidate.error());
    if (Clock::now() >= until) {  // a busy host is no fault of it
      decide(GateOutcome::Incomplete, "time", words);
    } else {
      decide(GateOutcome::Refused, why == "crash" ? "load" : why, words);
    }
    return false;
  }
  candidate_ = std::move(*candidate);
  auto dtypes = settings_.dtypes;
  if (dtypes.empty()) dtypes = dtypes_named(candidate_->dtypes());
  if (dtypes.empty()) dtypes = {DataType::Float};
  auto calls = GateCalls::of(std::move(dtypes), settings_.without);
  if (!calls) {
    decide(GateOutcome::Incomplete, "usage", calls.error());
    return false;
  }
  calls_ = std::move(*calls);
  verdict_.without = settings_.without;
  return take_claims();
}

void GateRun::step(std::uint64_t number) {
  if (number == 0) {
    asked({drawn(small_macs)});  // it may load and compile much before it answers
    return look_for_strangers();
  }
  if (spent() > soak_at_ * duration<double>(settings_.time).count()) {
    soak_at_ = 2;
    return ask_soak();
  }
  // Every kind early; drawn calls between them. What took longer than is left is not begun again.
  using Ask = void (GateRun::*)();
  constexpr Ask drawn = &GateRun::ask_drawn;
  constexpr std::array<Ask, 9> asks{drawn,
                                    &GateRun::ask_layer,
                                    &GateRun::ask_sequence,
                                    drawn,
                                    &GateRun::ask_scaled,
                                    drawn,
                                    &GateRun::ask_balanced,
                                    &GateRun::look_for_strangers,
                                    &GateRun::ask_claimed};
  std::size_t turn = number % asks.size();
  const double left = duration<double>(end_ - Clock::now()).count();
  const bool lacks_layers = counted("layer").compared < least_layers;
  if (asks.at(turn) == drawn && lacks_layers) turn = 1;
  double needed = 2.5 * longest_.at(turn);
  if (turn == 1 && lacks_layers) {  // the next may be smaller than the last
    needed =
        1.2 * std::min(longest_.at(turn), 2e-9 * double(least_layer_macs) *
                                              std::max(nanoseconds_a_mac_, nanoseconds_of_layers_));
  }
  // Small calls first: of a slow kernel a layer takes all the time.
  const bool is_early = lacks_small_calls() && Clock::now() < begin_ + settings_.time / 3;
  if (needed > left || (turn == 1 && (is_early || !owes_layer()))) turn = 0;
  const auto before = Clock::now();
  (this->*asks.at(turn))();
  const double took = duration<double>(Clock::now() - before).count();
  longest_.at(turn) = std::max(longest_.at(turn), took);
  if (turn == 1) layer_seconds_ += took;
}

void GateRun::conclude() {
  if (!is_decided() && !is_over_) ask_again();
  if (!is_decided() && !is_over_) look_for_strangers();
  if (!is_decided()) check_quotas();
  if (!is_decided()) check_claims();
  if (!is_decided() && !is_over_) ask_largest();
  if (!is_decided()) decide(GateOutcome::Accepted, {}, {});
}

GateRun::Seen GateRun::asked(const Calls& calls, Kind kind) {
  if (is_decided() || is_time_up()) return {};
  const auto before = Clock::now();
  auto reply = candidate_->ask(calls, end_);
  const double seconds = duration<double>(Clock::now() - before).count();
  std::uint64_t macs = 0;
  for (std::size_t i = 0; i < reply.seen.size(); ++i) macs += macs_of(calls[i]);
  if (macs > 1'000'000) nanoseconds_a_mac_ = seconds * 1e9 / double(macs);
  if (kind == Kind::Layer && macs > 0) {
    nanoseconds_of_layers_ = std::max(nanoseconds_of_layers_, nanoseconds_a_mac_);
  }
  for (std::size_t i = 0; i < reply.seen.size(); ++i) {
    if (Clock::now() > judged_until()) return {};
    count(calls[i], kind, &GateCount::asked);
    if (!judge(calls[i], reply.seen[i], kind)) return {};
  }
  if (!reply.fate) return std::move(reply.seen);
  if (kind == Kind::Last) return {};
  const GateCall& call = calls[reply.seen.size()];
  const bool has_begun_late = 4 * (end_ - before) < settings_.time;
  const bool is_more = kind == Kind::Layer && counted("layer").compared >= least_layers;
  if (reply.is_late && (has_begun_late || is_more)) {
    is_over_ = true;  // it may be right, and would have needed longer: not judged
  } else if (reply.is_late) {
    verdict_.call = cases::call_in_words(call.test_case);
    decide(GateOutcome::Incomplete, "time", "this call was not answered when the time was up");
  } else {
    auto [why, words] = sorted_end(*reply.fate);
    refuse(call, std::move(why), std::move(words));
  }
  return {};
}

/// Leave to be less precise demands nothing: an edge call is right without it as well.
corpus::Verdict GateRun::judged_in_time(const GateCall& call, const corpus::Observation& seen,
                                        Kind kind) {
  // Elements of a layer whose sums round are sampled: sums over its elements see all of them.
  const double left =
      kind == Kind::Layer ? 0 : duration<double>(judged_until() - Clock::now()).count();
  corpus::Verdict verdict = judged_values(call, seen, secret_.next(), left);
  const bool has_leave = kind == Kind::Edge && call.test_case.cube_math_type != 0;
  if (verdict.outcome != Outcome::Disagree || !has_leave) return verdict;
  GateCall plain = call;
  plain.test_case.cube_math_type = 0;
  corpus::Verdict exact = judged_values(plain, seen, secret_.next(), left);
  return exact.outcome == Outcome::Disagree ? verdict : exact;
}

/// False where that decided.
bool GateRun::judge(const GateCall& call, const corpus::Observation& seen, Kind kind) {
  if (seen.ended) {
    auto [why, words] = sorted_end(*seen.ended);
    const bool may_refuse = kind == Kind::Edge || kind == Kind::Last;
    if (may_refuse && why == "crash") return true;  // a refusal by other means
    refuse(call, std::move(why), std::move(words));
    return false;
  }
  const bool is_computed = seen.phase_two == corpus::Status::Success;
  if (!is_computed && (kind == Kind::Edge || kind == Kind::Last)) return true;
  if (!is_computed) {
    count(call, kind, &GateCount::refused);
    return refuses_whatever_the_data(call);
  }
  const corpus::Verdict verdict = judged_in_time(call, seen, kind);
  if (verdict.outcome == Outcome::Disagree) {
    refuse(call, "value", verdict.reason);
    say_element(verdict);
    make_small(call, verdict);
    return false;
  }
  for (const auto& evidence : verdict.outputs) {
    if (kind != Kind::Drawn) break;  // of large dense ones a sample is compared
    verdict_.elements += evidence.elements;
    verdict_.compared_elements += evidence.compared_elements;
  }
  if (verdict.outcome != Outcome::Agree) return true;
  count(call, kind, &GateCount::compared);
  verdict_.largest = std::max(verdict_.largest, macs_of(call));
  if (first_.size() < batch && kind == Kind::Drawn) first_.push_back(call);
  if (verdict_.canaries > 0 && !secret_.chance(kind == Kind::Layer ? 30 : 2)) return true;
  const auto found = finds_a_canary(call, seen, verdict, secret_);
  if (found == false)
    decide(GateOutcome::Damaged, "judge", "an answer that the judge spoiled was called right");
  verdict_.canaries += found == true;
  return !is_decided();
}

void GateRun::look_for_strangers() {
  if (is_decided()) return;
  constexpr std::chrono::milliseconds pause{100};  // what is written late shows in the next call
  if (secret_.chance(25)) std::this_thread::sleep_for(pause);
  const std::string words = candidate_->stranger();
  if (words.empty()) return;
  const std::size_t colon = words.find(": ");
  decide(GateOutcome::Refused, words.substr(0, colon), words.substr(colon + 2));
}

}  // namespace gradproof::runs
