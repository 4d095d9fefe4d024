// Advice from what stands around a text's operators: its program, quoted messages, memory.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "properties/advice/logs/differences/difference_lines.h"
#include "properties/advice/logs/log_text.h"
#include "properties/advice/logs/pattern.h"
#include "properties/advice/logs/reading.h"
#include "properties/advice/logs/scan.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

constexpr std::string_view settings =
    R"(ascend_launch_blocking=1|expandable_segments:true|jit_compile=false|allow_internal_format=false|allow_tf32=false|allow_hf32=false|set_detect_anomaly|torch_show_cpp_stacktraces=1)";

std::string without_any_blank(std::string_view text) {
  std::string small = in_small_letters(text);
  std::erase_if(small, [](char letter) { return letter == ' ' || letter == '\t'; });
  return small;
}

bool has_path(const Reading& reading, std::string_view paths) {
  return std::ranges::any_of(reading.paths, [&](auto one) {
    return any_part(paths, '|', [&](auto path) { return path == one; });
  });
}

/// False for what the text has done, or asks for what it says.
bool is_needed(std::string_view clause, const Reading& reading) {
  const std::string small = without_any_blank(clause);
  const bool is_done = std::ranges::any_of(
      reading.settings, [&](const std::string& one) { return small.find(one) != small.npos; });
  const bool is_named =
      (!reading.operators.empty() && small.find("showswhichoperatoritis") != small.npos) ||
      (reading.product && reading.product->product && small.find("whichproduct") != small.npos);
  return !is_done && !is_named;
}

/// "18.98 GiB" and what follows it: bytes by a label.
std::optional<double> amount(std::string_view line, std::string_view label, bool is_before) {
  static const Patterns sizes = [] {
    Patterns all;
    for (const std::string_view unit : {"# gib", "# mib", "# gb", "# mb"}) all.add(unit);
    return all;
  }();
  const std::size_t at = line.find(label);
  if (at == line.npos) return std::nullopt;
  constexpr std::size_t reach = 16;
  const std::size_t begin =
      is_before ? line.substr(0, at).find_last_of(";(,") + 1 : at + label.size();
  const auto found = sizes.in(line.substr(begin, is_before ? at - begin : reach));
  if (found.empty()) return std::nullopt;
  const double value = std::strtod(std::string(found[0].numbers[0]).c_str(), nullptr);
  return found[0].pattern % 2 == 0 ? value : value / 1024;
}

/// The last value that a text gives a switch of torch_npu, "allow_hf32 = True", "(..allow_hf32)  #
/// True"; nullopt: none.
std::optional<bool> switched(std::string_view text, std::string_view name) {
  std::optional<bool> is_on;
  constexpr std::size_t reach = 24;
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    std::string_view rest = text.substr(at + name.size(), reach);
    rest = rest.substr(0, rest.find_first_of("\n?"));
    const auto words = words_in(rest);
    if (!words.empty() && is_one_of("|True|False|true|false|", words[0].text))
      is_on = in_small_letters(words[0].text) == "true";
  }
  return is_on;
}

/// A shape that was typed belongs to the only layer that lacks one.
void take_given(const Given& given, Reading& reading) {
  const auto lacks = [](const FoundCall& call) {
    return std::ranges::find(call.lacking, lacking_input) != call.lacking.end() &&
           call.words.weight;
  };
  if (!given.input || std::ranges::count_if(reading.calls, lacks) != 1) return;
  FoundCall& call = *std::ranges::find_if(reading.calls, lacks);
  call.words.input = given.input;
  std::erase(call.lacking, lacking_input);
  call.notes.emplace_back("the shape of input is the one that was typed");
}

/// Calls that cannot be understood after all are no calls.
void check_calls(Reading& reading) {
  for (FoundCall& call : reading.calls) {
    if (!call.is_complete()) continue;
    const auto understood = call_from_texts(call.words);
    if (!understood) call.lacking.push_back(shown(understood.error(), 400));
  }
}

}  // namespace

std::vector<std::string> settings_in(std::string_view text) {
  std::vector<std::string> found;
  const std::string small = without_any_blank(text);
  any_part(settings, '|', [&](std::string_view one) {
    if (small.find(one) != small.npos) found.emplace_back(one);
    return false;
  });
  return found;
}

std::string advice_for(std::string_view advice, const Reading& reading) {
  const bool is_others_call =
      !reading.operators.empty() && reading.operators[0].relation == Relation::Another;
  if (is_others_call && advice.starts_with("gradproof explain")) return {};
  std::string kept;
  while (!advice.empty()) {
    const std::size_t end = std::min({advice.find("; "), advice.find("? "), advice.size()});
    const std::string_view clause = advice.substr(0, end + (end < advice.size() ? 2 : 0));
    advice.remove_prefix(clause.size());
    const bool is_ours = clause.starts_with("gradproof explain") || clause.starts_with("type the");
    if ((is_ours && is_others_call) || !is_needed(clause, reading)) continue;
    kept += clause;
  }
  if (kept.ends_with("; ")) kept.resize(kept.size() - 2);
  if (kept.ends_with(' ')) kept.pop_back();
  const bool is_torchs = has_any(kept, "torch.|torch_npu|PYTORCH_NPU|TORCH_|ASCEND_LAUNCH");
  if (!is_torchs || has_path(reading, "torch_npu")) return kept;
  if (has_path(reading, "MindSpore|Paddle|TensorFlow|JAX|ATC|ONNX Runtime|Torch7|C++")) return {};
  return has_any(kept, "torch.npu|torch_npu|PYTORCH_NPU")
             ? fmt::format("where the program is torch_npu: {}", kept)
             : kept;
}

void add_quotes(std::string_view text, Reading& reading) {
  constexpr std::size_t most = 4;
  std::size_t number = 0, quotes = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const auto code = std::ranges::find_if(reading.codes, [&](const std::string& one) {
      return one[0] == 'E' &&
             (line.find(one + ":") != line.npos || line.find("'" + one + "'") != line.npos);
    });
    const bool says = has_any(in_small_letters(line.substr(0, 1000)),
                              "reason:|reason'|for parameter|should be|must be|is invalid");
    const bool is_rule =
        std::ranges::find(reading.rules, number, &NamedRule::line) != reading.rules.end();
    if (code == reading.codes.end() || !says || is_rule || quotes++ == most) continue;
    const std::string_view message =
        without_blanks(line.substr(line.find(*code) + code->size() + 1));
    reading.meanings.push_back(
        {fmt::format("{} says: \"{}\"", *code, shown(message, 300)), number});
    if (code->starts_with("E1") || code->starts_with("EE1"))
      reading.next.push_back(fmt::format("mend what {} quotes: it is the caller's", *code));
  }
}

void complete_calls(const Given& given, Reading& reading) {
  take_given(given, reading);
  check_calls(reading);
}

void add_switches(std::string_view text, Reading& reading) {
  const auto hf32 = switched(text, "conv.allow_hf32"), half = switched(text, "allow_fp32_to_fp16");
  if (!hf32 && !half) return;
  const bool is_half = half.value_or(false), is_hf32 = hf32.value_or(false);
  const std::string_view type = is_hf32 ? (is_half ? "1" : "3") : is_half ? "2" : "0";
  for (FoundCall& call : reading.calls) {
    if (call.words.cube_math_type) continue;
    call.words.cube_math_type = type;
    std::erase(call.notes, no_cube_math_type);
    call.notes.push_back(
        fmt::format("cubeMathType {} of the switches that the text states: conv.allow_hf32 {}, "
                    "allow_fp32_to_fp16 {}",
                    type,
                    !hf32     ? "not stated"
                    : is_hf32 ? "on"
                              : "off",
                    !half     ? "not stated"
                    : is_half ? "on"
                              : "off"));
  }
}

void add_repetition(Reading& reading) {
  if (std::ranges::find(reading.differences.all, repetition, &Difference::measure) ==
      reading.differences.all.end())
    return;
  reading.meanings.push_back(
      {"the same call gives other bits from run to run; that its values are wrong is not said", 0});
  const std::string torchs =
      advice_for("torch.use_deterministic_algorithms(True), or gradcheck's nondet_tol", reading);
  if (!torchs.empty()) reading.next.push_back(torchs);
  reading.next.emplace_back(
      "compare values, not bits or hashes: another order of sums changes the last ones; gradproof "
      "verify --set repeat=yes asks each call twice");
}

void add_memory(std::string_view text, Reading& reading) {
  const std::string small = in_small_letters(text);
  const std::size_t at = small.find("tried to allocate");
  if (at == small.npos) return;
  const std::string_view line = std::string_view(small).substr(at, 600);
  const auto asked = amount(line, "tried to allocate", false), free = amount(line, " free", true);
  if (!asked || !free) return;
  const auto reserved = amount(line, " reserved", true), used = amount(line, " already allo", true);
  const double unused = reserved && used ? std::max(*reserved - *used, 0.0) : 0;
  reading.meanings.push_back(
      {fmt::format("{:g} GiB are asked for, {:g} GiB are free, {:.3g} GiB reserved and unused",
                   *asked, *free, unused),
       LineNumbers(text).of(at)});
  const bool fits_nowhere = *asked > *free + unused;
  if (!fits_nowhere) return;
  std::erase_if(reading.next,
                [](const std::string& one) { return has_any(one, "expandable_segments"); });
  reading.next.emplace_back(
      "more is asked for than is free or unused together, so this is no fragmentation: smaller "
      "tensors (batch, tiles, lengths) or a dtype of two bytes; gradproof explain with a call says "
      "what its tensors and workspace take");
}

}  // namespace gradproof::advice
