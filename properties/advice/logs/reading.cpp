#include "properties/advice/logs/reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "properties/advice/logs/log_text.h"
#include "properties/advice/logs/scan.h"
#include "properties/advice/logs/sign.h"

namespace gradproof::advice {
namespace {

constexpr std::string_view captures =
    R"(107024|107025|107026|107027|107028|107029|107030|107031|107032|107033|107034|107036|107038|107045|507903)";
constexpr std::string_view runtime_codes = "107|207|507|EE|EH|EI|EL";
constexpr std::string_view refusals = "161001|161002";

void add_once(std::vector<std::string>& list, std::string_view words) {
  if (!words.empty() && std::ranges::find(list, words) == list.end()) list.emplace_back(words);
}

bool has(const Reading& reading, LogKind kind) {
  return std::ranges::find(reading.kinds, kind) != reading.kinds.end();
}

constexpr std::string_view no_convolution = "the text names no convolution";

bool is_of_none(const Reading& reading) {
  return std::ranges::find(reading.meanings, no_convolution, &Meaning::words) !=
         reading.meanings.end();
}

bool has_code(const Reading& reading, std::string_view codes) {
  return any_part(codes, '|', [&](std::string_view code) {
    return std::ranges::find(reading.codes, code) != reading.codes.end();
  });
}

bool has_code_of(const Reading& reading, std::string_view family) {
  return std::ranges::any_of(reading.codes,
                             [&](const std::string& code) { return code.starts_with(family); });
}

/// Sentences with a phrase of their own, then those that name an attribute and what is wrong.
void read_signs(std::string_view text, Reading& reading) {
  std::vector<FoundSign> all = signs_in(text);
  // The graph's operators have rules of their own, and another operator others.
  const bool is_of_graph =
      std::ranges::find(all, LogKind::GraphOperator, &FoundSign::kind) != all.end();
  const bool is_ours =
      reading.operators.empty() || !(is_graph_operator(reading.operators[0].relation) ||
                                     reading.operators[0].relation == Relation::Another);
  for (FoundSign& claim : is_ours && !is_of_graph ? claims_in(text) : std::vector<FoundSign>{}) {
    const bool is_taken = std::ranges::any_of(
        all, [&](const FoundSign& one) { return one.line == claim.line && !one.rule.empty(); });
    if (!is_taken) all.push_back(std::move(claim));
  }
  std::ranges::stable_sort(all, {}, &FoundSign::line);
  for (FoundSign& sign : all) {
    const bool is_new =
        std::ranges::find(reading.rules, sign.rule, &NamedRule::rule) == reading.rules.end();
    if (!sign.rule.empty() && !is_new) continue;
    reading.meanings.push_back({sign.meaning, sign.line});
    add_once(reading.next, advice_for(sign.next, reading));
    if (sign.kind != LogKind::Unknown && !has(reading, sign.kind))
      reading.kinds.push_back(sign.kind);
    if (!sign.rule.empty())
      reading.rules.push_back({sign.rule, sign.line, shown(message_of(sign.text))});
  }
}

/// Logs of several phases state one call several times.
std::string identity_of(const FoundCall& call) {
  return fmt::format("{} {} {}", call.notation, call.line_of_words(), fmt::join(call.lacking, " "));
}

/// A part of a call that another one says whole: a layer that is printed after it was made.
bool is_repeated(const FoundCall& part, const std::vector<FoundCall>& all) {
  const std::string words = part.line_of_words();
  const auto has_shapes = [&](const FoundCall& one) {
    return one.is_complete() && part.words.weight && one.words.input == part.words.input &&
           one.words.weight == part.words.weight;
  };
  if (!part.is_complete() && std::ranges::any_of(all, has_shapes)) return true;
  if (std::ranges::any_of(all, [&](auto& one) { return is_echo(part, one); })) return true;
  return !part.is_complete() && !part.words.input &&
         std::ranges::any_of(all, [&](const FoundCall& one) {
           return one.notation == part.notation && one.words.weight && one.words.input &&
                  one.line_of_words().find(words) != std::string::npos;
         });
}

void read_calls(std::string_view text, Reading& reading) {
  std::set<std::string> known;
  FoundCalls found = calls_in(text);
  reading.counts_all_calls = found.are_all;
  for (FoundCall& call : found.calls) {
    if (!known.insert(identity_of(call)).second) continue;
    if (found.calls.size() < most_calls &&
        (is_repeated(call, found.calls) || is_repeated(call, reading.calls)))
      continue;
    if (reading.calls.size() == most_calls) {
      ++reading.further_calls;
    } else {
      reading.calls.push_back(std::move(call));
    }
  }
}

void read_differences(std::string_view text, Reading& reading) {
  reading.differences = differences_in(text);
  if (reading.differences.agreeing > 0) {
    reading.meanings.push_back(
        {fmt::format("{} comparisons agree{}", reading.differences.agreeing,
                     reading.differences.all.empty() ? ": nothing differs there" : ""),
         0});
  }
  if (reading.differences.all.empty()) return;
  if (!has(reading, LogKind::Precision)) reading.kinds.push_back(LogKind::Precision);
  if (reading.differences.check.is_there) {
    add_once(reading.next, words_of(reading.differences.check));
    add_once(
        reading.next,
        "gradproof verify compares the function with exact gradients instead, in its own dtype");
  }
  add_repetition(reading);
  const std::string overflow = words_of_overflow(reading.differences);
  add_once(reading.next, overflow);
  for (const std::string& words : sizes_in_words(reading.differences))
    add_once(reading.next, words);
  if (is_of_none(reading)) return;
  if (overflow.empty() || reading.differences.all.size() > 1)
    add_once(reading.next,
             "gradproof explain --range LOW,HIGH gives rtol and atol that no right result exceeds");
  const auto is_factor = [](const Difference& one) { return one.measure.starts_with("factor"); };
  if (std::ranges::any_of(reading.differences.all, is_factor))
    add_once(reading.next,
             "a constant factor is no rounding: a mean where a sum is meant (over the batch, the "
             "positions or the groups), or a scaled loss; PyTorch's gradients are sums");
  if (reading.calls.empty())
    add_once(
        reading.next,
        "gradproof judge FOLDER of x.npy, w.npy, dy.npy and the gradients says which is wrong");
}

void add_kinds(Reading& reading) {
  const Relation* relation = reading.operators.empty() ? nullptr : &reading.operators[0].relation;
  const bool says_nothing_else =
      reading.kinds.empty() && !any_part(runtime_codes, '|', [&](std::string_view family) {
        return has_code_of(reading, family);
      });
  const std::pair<LogKind, bool> kinds[] = {
      {LogKind::OtherOperator, relation != nullptr && *relation == Relation::Another},
      // A kernel that failed on the device may be one that aclnn launched.
      {LogKind::GraphOperator,
       (relation != nullptr && is_graph_operator(*relation) && !reading.operators[0].is_kernel) ||
           has_code_of(reading, "E1")},
      {LogKind::Communication, has_code_of(reading, "EI") || has_code_of(reading, "EJ")},
      {LogKind::DeviceFault, has_code_of(reading, "507") && !has_code(reading, captures)},
      {LogKind::Runtime, (has_code_of(reading, "107") || has_code_of(reading, "EE1") ||
                          (has_code_of(reading, "2070") && !has_code(reading, "207001|207018"))) &&
                             !has_code(reading, captures)},
      {LogKind::GraphCapture, has_code(reading, captures)},
      {LogKind::OutOfMemory, has_code(reading, "207001|207018|200000")},
      {LogKind::InnerOperator,
       !has(reading, LogKind::Installation) &&
           (has_code_of(reading, "561") || (has_code_of(reading, "EZ9") && says_nothing_else))},
      {LogKind::Call, !reading.calls.empty()},
      {LogKind::Parameter, relation != nullptr && *relation != Relation::Another &&
                               has_code(reading, refusals) && !has(reading, LogKind::Product)}};
  for (const auto& [kind, is_there] : kinds) {
    if (is_there && !has(reading, kind)) reading.kinds.push_back(kind);
  }
  std::ranges::sort(reading.kinds);
  if (reading.kinds.empty()) reading.kinds.push_back(LogKind::Unknown);
}

bool is_of_cann(const Reading& reading) {
  const auto is_canns = [](const NamedOperator& one) {
    return one.relation != Relation::Framework;
  };
  return !reading.codes.empty() || std::ranges::any_of(reading.operators, is_canns);
}

/// What is lacking of the call itself: its parts, or all of it.
void add_lacking_of_call(Reading& reading) {
  if (has(reading, LogKind::Installation) || has(reading, LogKind::OutOfMemory) ||
      (has(reading, LogKind::Communication) && reading.calls.empty()))
    return;
  const bool is_ours = !has(reading, LogKind::OtherOperator);
  if (is_of_none(reading)) return;
  if (reading.calls.empty()) {
    add_once(reading.lacking, "shapes");
    if (is_ours) add_once(reading.lacking, "attributes (stride, padding, dilation, groups)");
  }
  const bool has_call = std::ranges::any_of(reading.calls, &FoundCall::is_complete);
  for (const FoundCall& call : reading.calls) {
    if (has_call) break;
    for (const std::string& part : call.lacking) add_once(reading.lacking, shown(part, 400));
  }
  const auto has_types = [](const FoundCall& call) { return call.words.dtype.has_value(); };
  if (std::ranges::none_of(reading.calls, has_types)) add_once(reading.lacking, "dtypes");
}

/// What has to be asked for, and is not guessed.
void add_lacking(Reading& reading) {
  if (reading.operators.empty() && reading.calls.empty() && reading.names.empty())
    add_once(reading.lacking, "operator");
  add_lacking_of_call(reading);
  if (!reading.product || !reading.product->product) add_once(reading.lacking, "product");
  if (!is_of_cann(reading)) return;
  const bool says_cann =
      std::ranges::find(reading.versions, "CANN", &StatedVersion::of) != reading.versions.end();
  if (!says_cann) add_once(reading.lacking, "CANN version");
  if (has(reading, LogKind::GraphOperator)) add_once(reading.lacking, "an aclnn status");
}

void add_next(Reading& reading) {
  if (has(reading, LogKind::OtherOperator)) {
    add_once(reading.next,
             "ask where this operator comes from: nothing of it is judged by the rules of "
             "aclnnConvolutionBackward");
    return;
  }
  if (has(reading, LogKind::GraphOperator)) {
    add_once(reading.next, advice_for(with_advice("$aclnn"), reading));
  }
  if (reading.product && !reading.product->product) {
    add_once(reading.next,
             "Ascend910 may mean a 910, a 910B or an A3: give what "
             "torch_npu.npu.get_device_name() or npu-smi info prints, as --soc");
  }
  // A whole call has its shapes.
  if (std::ranges::any_of(reading.calls, &FoundCall::is_complete))
    std::erase(reading.next, with_advice("$shapes"));
  const bool has_parts =
      !reading.calls.empty() && std::ranges::none_of(reading.calls, &FoundCall::is_complete);
  const bool is_no_operators =
      reading.operators.empty() && reading.calls.empty() &&
      (has(reading, LogKind::Runtime) || has(reading, LogKind::GraphCapture) ||
       has(reading, LogKind::OutOfMemory) || has_code_of(reading, "E1"));
  const bool asks =
      !has(reading, LogKind::Product) && !is_no_operators && !is_of_none(reading) &&
      (has_parts || std::ranges::find(reading.lacking, "shapes") != reading.lacking.end());
  if (asks) {
    add_once(
        reading.next,
        "with the shapes: gradproof explain --input N,C,... --weight ... --stride ... judges the "
        "call without the device");
  }
}

}  // namespace

tl::expected<Reading, std::string> reading_of(std::string_view text, const Given& given) {
  const auto log = searchable_log(text);
  if (!log) return tl::unexpected(log.error());
  Reading reading;
  reading.operators = operators_in(*log);
  if (reading.operators.empty()) reading.names = convolutions_in(*log);
  reading.paths = paths_in(*log);
  reading.product = product_in(*log);
  reading.versions = versions_in(*log);
  reading.codes = codes_in(*log);
  reading.settings = settings_in(*log);
  read_signs(*log, reading);
  add_quotes(*log, reading);
  add_memory(*log, reading);
  std::ranges::stable_sort(reading.meanings, {}, &Meaning::line);
  read_calls(*log, reading);
  add_switches(*log, reading);
  if (reading.operators.empty() && reading.calls.empty() && !names_convolution(*log))
    reading.meanings.push_back({std::string(no_convolution), 0});
  read_differences(*log, reading);
  complete_calls(given, reading);
  add_kinds(reading);
  // A status of another operator breaks no rule of ours.
  if (has(reading, LogKind::OtherOperator)) reading.rules.clear();
  add_lacking(reading);
  add_next(reading);
  add_notes(reading);
  return reading;
}

}  // namespace gradproof::advice
