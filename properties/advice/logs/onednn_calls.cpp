// oneDNN's verbose lines and benchdnn's: one way to write a problem, two sets of what may be left
// out.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "properties/advice/logs/found_call.h"
#include "properties/advice/logs/scan.h"
#include "properties/advice/logs/sizes.h"

namespace gradproof::properties {
namespace {

using Numbers = std::map<std::string, std::int64_t, std::less<>>;

constexpr std::string_view axes = "dhw";

bool is_key(std::string_view key) {
  constexpr std::array<std::string_view, 4> single{"g", "mb", "ic", "oc"};
  if (std::ranges::find(single, key) != single.end()) return true;
  return key.size() == 2 && std::string_view("iokspd").find(key[0]) != std::string_view::npos &&
         axes.find(key[1]) != std::string_view::npos;
}

/// "mb1_ic3oc64_ih224...": letters and a number in turn; nullopt: something else.
std::optional<Numbers> problem_of(std::string_view word) {
  Numbers numbers;
  word = word.substr(0, word.find("n\""));
  while (!word.empty()) {
    if (word[0] == '_') {
      word.remove_prefix(1);
      continue;
    }
    const std::size_t digits = std::min(word.find_first_of("0123456789"), word.size());
    const std::size_t end = std::min(word.find_first_not_of("0123456789", digits), word.size());
    const std::string_view key = word.substr(0, digits);
    const auto value = integer_of(word.substr(digits, end - digits));
    if (!is_key(key) || !value || numbers.contains(key)) return std::nullopt;
    numbers.emplace(key, *value);
    word.remove_prefix(end);
  }
  const bool is_problem = numbers.contains("ic") && numbers.contains("oc");
  return is_problem ? std::optional(numbers) : std::nullopt;
}

std::string key(char kind, char axis) { return {kind, axis}; }

/// The axes that are there. benchdnn lets a width be left out that equals the height.
std::string axes_of(Numbers& numbers, bool completes, FoundCall& call) {
  const auto has = [&](char axis) { return numbers.contains(key('i', axis)); };
  const std::size_t first = has('d') ? 0 : has('h') ? 1 : 2;
  std::string present(axes.substr(first));
  for (std::size_t i = 1; completes && i < present.size(); ++i) {
    bool copied = false;
    for (const char kind : std::string_view("iokspd")) {
      const auto from = numbers.find(key(kind, present[i - 1]));
      const bool missing = !numbers.contains(key(kind, present[i]));
      if (missing && from != numbers.end()) {
        numbers[key(kind, present[i])] = from->second;
        copied = true;
      }
    }
    if (copied) {
      call.notes.push_back(
          fmt::format("{} is left out where it equals {}", present[i], present[i - 1]));
    }
  }
  return present;
}

Integers values_of(const Numbers& numbers, char kind, std::string_view present,
                   std::optional<std::int64_t> otherwise, FoundCall& call) {
  Integers values;
  for (const char axis : present) {
    const auto found = numbers.find(key(kind, axis));
    if (found != numbers.end()) {
      values.push_back(found->second);
    } else if (otherwise) {
      values.push_back(*otherwise);
    } else {
      call.lacking.push_back(key(kind, axis));
    }
  }
  return values;
}

/// oneDNN counts the holes between the kernel's elements.
Integers dilations(Integers holes) {
  for (std::int64_t& value : holes) value += value < std::int64_t{1} << 31U ? 1 : 0;
  return holes;
}

bool has_output(const Numbers& numbers, std::string_view present) {
  return std::ranges::all_of(present, [&](char axis) { return numbers.contains(key('o', axis)); });
}

/// Where none is stated: half of what the lengths ask for.
Integers padding_of(const Numbers& numbers, std::string_view present, const Sizes& sizes,
                    FoundCall& call) {
  const bool is_stated = numbers.contains(key('p', present.back()));
  if (is_stated || sizes.output.empty()) return values_of(numbers, 'p', present, 0, call);
  Integers padding;
  for (std::size_t axis = 0; axis < present.size(); ++axis) {
    const std::int64_t extent = sizes.dilation[axis] * (sizes.kernel[axis] - 1) + 1;
    const std::int64_t both =
        (sizes.output[axis] - 1) * sizes.stride[axis] + extent - sizes.input[axis];
    padding.push_back(std::max<std::int64_t>(both, 0) / 2);
  }
  call.notes.emplace_back("padding is left out: half of what the lengths ask for");
  return padding;
}

std::int64_t number(const Numbers& numbers, std::string_view name, std::int64_t otherwise) {
  const auto found = numbers.find(name);
  return found == numbers.end() ? otherwise : found->second;
}

void add_problem(Numbers numbers, bool is_benchdnn, bool transposed, FoundCall& call) {
  const std::string present = axes_of(numbers, is_benchdnn, call);
  constexpr std::int64_t too_large = std::int64_t{1} << 31U;
  if (std::ranges::any_of(numbers, [](const auto& one) { return one.second >= too_large; })) {
    call.lacking.emplace_back("sizes below 2^31");
    return;
  }
  if (is_benchdnn && !numbers.contains("mb")) call.notes.emplace_back("mb is left out: 2");
  Sizes sizes;
  sizes.transposed = transposed;
  sizes.batch = number(numbers, "mb", is_benchdnn ? 2 : 1);
  sizes.groups = number(numbers, "g", 1);
  sizes.in_channels = number(numbers, "ic", 0);
  sizes.out_channels = number(numbers, "oc", 0);
  sizes.input = values_of(numbers, 'i', present, std::nullopt, call);
  sizes.kernel = values_of(numbers, 'k', present, std::nullopt, call);
  sizes.stride = values_of(numbers, 's', present, 1, call);
  sizes.dilation = dilations(values_of(numbers, 'd', present, 0, call));
  if (!call.lacking.empty()) return;
  if (has_output(numbers, present)) sizes.output = values_of(numbers, 'o', present, 0, call);
  sizes.padding = padding_of(numbers, present, sizes, call);
  add_sizes(sizes, call);
}

struct Direction {
  std::string_view word;
  const char* mask;
};
constexpr Direction directions[] = {
    {"backward_data", "1,0,0"},    {"BWD_D", "1,0,0"}, {"BWD_WB", "0,1,1"},
    {"backward_weights", "0,1,0"}, {"BWD_W", "0,1,0"},
};

void add_direction(std::string_view line, FoundCall& call) {
  for (const Direction& direction : directions) {
    if (line.find(direction.word) == std::string_view::npos) continue;
    const bool with_bias =
        direction.word == "backward_weights" && (line.find(" bia") != std::string_view::npos ||
                                                 line.find(",bia") != std::string_view::npos);
    call.words.mask = with_bias ? "0,1,1" : direction.mask;
    if (call.words.mask->ends_with('1')) call.words.bias = "yes";
    return;
  }
  call.notes.emplace_back("a forward convolution: its gradients are explained");
}

/// The letters and digits behind "src_" or "src:"; empty: not stated.
std::string type_behind(std::string_view line, std::string_view tensor) {
  for (std::size_t at = line.find(tensor); at != std::string_view::npos;
       at = line.find(tensor, at + 1)) {
    const std::size_t begin = at + tensor.size() + 1;
    if (begin >= line.size() || (line[begin - 1] != '_' && line[begin - 1] != ':')) continue;
    const std::size_t end = std::min(line.find_first_of(":_, \n", begin), line.size());
    return std::string(line.substr(begin, end - begin));
  }
  return {};
}

void add_types(std::string_view line, FoundCall& call) {
  const std::string input = type_behind(line, "src");
  const std::string weight = type_behind(line, "wei");
  const std::string output = type_behind(line, "dst");
  if (input.empty() || weight.empty() || output.empty()) return;
  call.words.dtype =
      input == weight && input == output ? input : output + "," + input + "," + weight;
}

std::vector<FoundCall> problems_in(std::string_view text, bool is_benchdnn) {
  std::vector<FoundCall> calls;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const bool is_verbose = line.find("_verbose") != std::string_view::npos &&
                            line.find("convolution") != std::string_view::npos;
    const bool is_bench = line.find("benchdnn") != std::string_view::npos ||
                          line.find("--conv") != std::string_view::npos ||
                          line.find("--deconv") != std::string_view::npos ||
                          line.find("mb") != std::string_view::npos;
    if (is_benchdnn ? !is_bench || is_verbose : !is_verbose) continue;
    for (const std::string_view part : parts_between(line, " \t,")) {
      const auto problem = problem_of(part);
      if (!problem) continue;
      FoundCall call{.notation = is_benchdnn ? "benchdnn" : "oneDNN", .line = number};
      add_direction(line, call);
      is_benchdnn ? void() : add_types(line, call);
      if (const auto type = is_benchdnn ? behind(line, "--dt=") : std::nullopt) {
        call.words.dtype = std::string(type->substr(0, type->find_first_of(" :\t")));
      }
      const bool transposed = line.find("deconv") != std::string_view::npos;
      add_problem(*problem, is_benchdnn, transposed, call);
      if (!call.words.dtype) call.notes.emplace_back("dtype is not stated: FLOAT");
      calls.push_back(std::move(call));
    }
  }
  return calls;
}

}  // namespace

std::vector<FoundCall> onednn_calls(std::string_view text) { return problems_in(text, false); }

std::vector<FoundCall> benchdnn_calls(std::string_view text) { return problems_in(text, true); }

}  // namespace gradproof::properties
