#include "properties/advice/logs/reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "properties/advice/logs/convention.h"
#include "properties/advice/logs/log_text.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::properties {
namespace {

constexpr std::string_view device_faults[] = {"507014", "507015"};
constexpr std::string_view refusals[] = {"161001", "161002"};

void add_once(std::vector<std::string>& list, std::string_view words) {
  if (!words.empty() && std::ranges::find(list, words) == list.end()) list.emplace_back(words);
}

bool has(const Reading& reading, LogKind kind) {
  return std::ranges::find(reading.kinds, kind) != reading.kinds.end();
}

bool has_code(const Reading& reading, std::span<const std::string_view> codes) {
  return std::ranges::any_of(codes, [&](std::string_view code) {
    return std::ranges::find(reading.codes, code) != reading.codes.end();
  });
}

void read_signs(std::string_view text, Reading& reading) {
  for (const FoundSign& found : signs_in(text)) {
    const Sign& sign = *found.sign;
    reading.meanings.push_back({sign.meaning, found.line});
    add_once(reading.next, sign.next);
    if (sign.kind != LogKind::Unknown && !has(reading, sign.kind))
      reading.kinds.push_back(sign.kind);
    if (sign.rule.empty()) continue;
    const bool is_new =
        std::ranges::find(reading.rules, sign.rule, &NamedRule::rule) == reading.rules.end();
    if (is_new) reading.rules.push_back({sign.rule, found.line, shown(found.text)});
  }
}

/// Logs of several phases state one call several times.
std::string identity_of(const FoundCall& call) {
  return fmt::format("{} {} {}", call.notation, call.line_of_words(), fmt::join(call.lacking, " "));
}

void read_calls(std::string_view text, Reading& reading) {
  std::set<std::string> known;
  for (const Convention& convention : conventions()) {
    for (FoundCall& call : convention.calls(text)) {
      if (!known.insert(identity_of(call)).second) continue;
      if (reading.calls.size() == most_calls) {
        ++reading.further_calls;
      } else {
        reading.calls.push_back(std::move(call));
      }
    }
  }
  std::ranges::stable_sort(reading.calls, {}, &FoundCall::line);
}

/// A shape that was typed belongs to the only layer that lacks one.
void take_given(const Given& given, Reading& reading) {
  const auto lacks = [](const FoundCall& call) {
    return call.notation == "module" && !call.words.input;
  };
  if (!given.input || std::ranges::count_if(reading.calls, lacks) != 1) return;
  FoundCall& call = *std::ranges::find_if(reading.calls, lacks);
  call.words.input = given.input;
  call.lacking.clear();
  call.notes.emplace_back("the shape of input is the one that was typed");
}

/// Calls that cannot be understood after all are no calls.
void check_calls(Reading& reading) {
  for (FoundCall& call : reading.calls) {
    if (!call.is_complete()) continue;
    const auto understood = call_from_words(call.words);
    if (!understood) call.lacking.push_back(shown(understood.error()));
  }
}

void add_kinds(Reading& reading) {
  const Relation* relation = reading.operators.empty() ? nullptr : &reading.operators[0].relation;
  const std::pair<LogKind, bool> kinds[] = {
      {LogKind::OtherOperator, relation != nullptr && *relation == Relation::Another},
      {LogKind::GraphOperator, relation != nullptr && is_graph_operator(*relation)},
      {LogKind::DeviceFault, has_code(reading, device_faults)},
      {LogKind::Call, !reading.calls.empty()},
      {LogKind::Parameter, relation != nullptr && *relation != Relation::Another &&
                               has_code(reading, refusals) && !has(reading, LogKind::Product)}};
  for (const auto& [kind, is_there] : kinds) {
    if (is_there && !has(reading, kind)) reading.kinds.push_back(kind);
  }
  std::ranges::sort(reading.kinds);
  if (reading.kinds.empty()) reading.kinds.push_back(LogKind::Unknown);
}

/// A status of another operator is no word about ours, and no rule of ours is broken by it.
void forget_rules_of_others(Reading& reading) {
  if (has(reading, LogKind::OtherOperator)) reading.rules.clear();
}

bool is_of_cann(const Reading& reading) {
  const auto is_canns = [](const NamedOperator& one) {
    return one.relation != Relation::Framework;
  };
  return !reading.codes.empty() || std::ranges::any_of(reading.operators, is_canns);
}

/// What is lacking of the call itself: its parts, or all of it.
void add_lacking_of_call(Reading& reading) {
  if (has(reading, LogKind::Installation) || has(reading, LogKind::OutOfMemory)) return;
  const bool is_ours = !has(reading, LogKind::OtherOperator);
  if (reading.calls.empty()) {
    add_once(reading.lacking, "shapes");
    if (is_ours) add_once(reading.lacking, "attributes (stride, padding, dilation, groups)");
  }
  const bool has_call = std::ranges::any_of(reading.calls, &FoundCall::is_complete);
  for (const FoundCall& call : reading.calls) {
    if (has_call) break;
    for (const std::string& part : call.lacking) add_once(reading.lacking, part);
  }
  const auto has_types = [](const FoundCall& call) { return call.words.dtype.has_value(); };
  if (std::ranges::none_of(reading.calls, has_types)) add_once(reading.lacking, "dtypes");
}

/// What has to be asked for, and is not guessed.
void add_lacking(Reading& reading) {
  if (reading.operators.empty() && reading.calls.empty()) add_once(reading.lacking, "operator");
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
    add_once(
        reading.next,
        "docs/torch-npu.md says how torch_npu is brought to call aclnn instead of this operator");
  }
  if (reading.product && !reading.product->product) {
    add_once(reading.next,
             "Ascend910 may mean a 910, a 910B or an A3: give what "
             "torch_npu.npu.get_device_name() prints, as --soc");
  }
  const bool asks = !has(reading, LogKind::Product) &&
                    std::ranges::find(reading.lacking, "shapes") != reading.lacking.end();
  if (asks) {
    add_once(
        reading.next,
        "with the shapes: gradproof explain --input N,C,... --weight ... --stride ... judges the "
        "call without the device");
  }
  for (const std::string& code : reading.codes) {
    add_once(reading.next, fmt::format("gradproof explain {} says what the code means", code));
  }
}

/// "[1, 1024, 1024, 3]" with a weight of 3 channels.
void note_channels_last(Reading& reading) {
  for (FoundCall& call : reading.calls) {
    const auto input = integers_of_line(call.words.input.value_or(""));
    const auto weight = integers_of_line(call.words.weight.value_or(""));
    if (!input || !weight || input->size() != weight->size() || input->size() < 3) continue;
    if (call.words.transposed && *call.words.transposed != "no" &&
        *call.words.transposed != "False")
      continue;
    const std::int64_t groups = integer_of(call.words.groups.value_or("1")).value_or(1);
    if (groups < 1 || groups > 65535 || (*weight)[1] > (std::int64_t{1} << 31U)) continue;
    const std::int64_t channels = (*weight)[1] * groups;
    if ((*input)[1] == channels || input->back() != channels) continue;
    call.notes.emplace_back(
        "input's last length, not its second, fits the weight: it may have its channels last "
        "(NHWC), and would have to be permuted");
  }
}

}  // namespace

tl::expected<Reading, std::string> reading_of(std::string_view text, const Given& given) {
  const auto log = searchable_log(text);
  if (!log) return tl::unexpected(log.error());
  Reading reading;
  reading.operators = operators_in(*log);
  reading.paths = paths_in(*log);
  reading.product = product_in(*log);
  reading.versions = versions_in(*log);
  reading.codes = codes_in(*log);
  read_signs(*log, reading);
  read_calls(*log, reading);
  take_given(given, reading);
  check_calls(reading);
  note_channels_last(reading);
  add_kinds(reading);
  forget_rules_of_others(reading);
  add_lacking(reading);
  add_next(reading);
  return reading;
}

}  // namespace gradproof::properties
