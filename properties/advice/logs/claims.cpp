#include "properties/advice/logs/sign.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "oracle/rules/status_rules.h"
#include "properties/advice/logs/pattern.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

// What is spoken of, in our words, and its names; longer ones first where one holds another.
constexpr std::string_view subject_rows = R"(
outputPadding | output_padding ; output padding ; outputpadding ; 输出填充
padding | paddings ; padding ; pads ; pad ; 填充
stride | strides ; stride ; 步长 ; 步幅
dilation | dilations ; dilation ; 膨胀 ; 空洞
groups | groups ; group ; 分组
cubeMathType | cubemathtype ; cube_math_type
outputMask | outputmask ; output_mask
biasSizes | biassizes ; bias_sizes ; bias sizes
dtype | dtypes ; dtype ; xdtype ; wdtype ; data types ; data type ; datatype ; scalar type ; 数据类型
format | formats ; format ; 格式
dimensions | dimensions ; dims ; dimension number ; dimnum ; dim num ; rank ; 维度 ; 维数
shape | shapes ; shape ; 形状
batch | batch size ; batch
gradInput | gradinput ; grad_input
gradWeight | gradweight ; grad_weight
gradBias | gradbias ; grad_bias
gradOutput | gradoutput ; grad_output ; out_backprop
weight | weight ; filter
input | input
)";

// What is wrong, and the words that say so. The first that a line has counts.
constexpr std::string_view fault_rows = R"(
null | null ; nullptr ; 空指针 ; 为空
negative | negative ; greater than or equal to 0 ; >= 0 ; less than 0 ; 大于等于0 ; 大于等于 0 ; 小于0 ; 小于 0 ; 负数 ; 为负
below one | greater than 0 ; greater than zero ; larger than 0 ; larger than zero ; bigger than 0 ; more than 0 ; > 0 ; be positive ; a positive ; positive int ; non-positive ; nonpositive ; >= 1 ; greater than or equal to 1 ; at least 1 ; be 0 ; be zero ; less than 1 ; 大于0 ; 大于 0 ; 为0 ; 为 0 ; 大于等于1 ; 大于等于 1 ; 正整数
not below stride | smaller than either stride ; smaller than stride ; less than stride ; smaller than the stride ; less than the stride ; < `stride ; < stride ; greater than stride ; greater than the stride ; greater than or equal to stride ; greater than output padding ; greater than output_padding ; 小于步长 ; 小于 stride ; 大于步长
not zero | all zero ; only support 0 ; 全为0
length | to match the convolution dimensions ; length ; the size of ; number of elements ; number of values ; element num ; 长度 ; 个数
differs | be the same ; be same ; not the same ; not same ; must match ; should match ; not match ; mismatch ; not equal ; be equal ; inconsistent ; be consistent ; 不一致 ; 一致 ; 相同 ; 不匹配
refused | not support ; unsupported ; only support ; should be in ; must be in ; must be one of ; invalid ; illegal ; not allowed ; 非法 ; 不支持 ; 无效 ; 不合法
)";

// What is spoken of, what is wrong, a tensor that the line names as well, the rule: the first that
// fits. In the last column, values of the attribute that break it.
constexpr std::string_view claim_rows = R"(
gradOutput | null |  | NULL-01
stride | null |  | NULL-04
padding | null |  | NULL-05
dilation | null |  | NULL-06
outputPadding | null |  | NULL-07
outputMask | null |  | NULL-08
gradInput | null |  | NULL-10
gradWeight | null |  | NULL-11
gradBias | null |  | NULL-12
biasSizes | null |  | NULL-16
weight | null |  | NULL-03
input | null |  | NULL-02
stride | below one |  | STRIDE-01 | <1
stride | negative |  | STRIDE-01 | <1
stride | refused |  | STRIDE-01 | =<1
dilation | below one |  | DIL-01 | <1
dilation | negative |  | DIL-01 | <1
dilation | refused |  | DIL-01 | =<1
groups | below one |  | GRP-01 | <1
groups | negative |  | GRP-01 | <1
groups | refused |  | GRP-01 | =<1
padding | negative |  | PAD-01 | <0
padding | refused |  | PAD-01 | =<0
outputPadding | negative |  | OPAD-01 | <0
outputPadding | not below stride |  | OPAD-02
outputPadding | not zero |  | OPAD-03
stride | length |  | LEN-01
dilation | length |  | LEN-02
padding | length |  | LEN-03
outputPadding | length |  | LEN-04
biasSizes | length |  | LEN-05
outputMask | length |  | NULL-09
cubeMathType | refused |  | CUBE-01 | =<0 >3
dtype | differs | gradInput | DTYPE-04
dtype | differs | gradWeight | DTYPE-05
dtype | differs | gradBias | DTYPE-06
dtype | differs |  | DTYPE-03
dtype | refused | gradInput | DTYPE-02
dtype | refused | gradWeight | DTYPE-02
dtype | refused | gradBias | DTYPE-02
dtype | refused |  | DTYPE-01
format | refused | gradBias | FMT-02
format | refused |  | FMT-01
dimensions | differs | weight | RANK-02
dimensions | differs | input | RANK-02
dimensions | differs | gradOutput | RANK-02
dimensions | refused |  | RANK-01
shape | differs | gradInput | SHAPE-05
shape | differs | gradWeight | SHAPE-06
shape | differs | gradBias | SHAPE-07
shape | differs | gradOutput | SHAPE-02
batch | differs | gradOutput | CH-05
batch | differs | input | CH-05
)";

constexpr std::string_view complaint_words =
    R"(should|must|expect|error|fail|invalid|illegal|support|but got|cannot|can't|can not|allowed|refuse|mismatch|not equal|not same|errno|ez1001|必须|应|不能|非法|不支持|错误|失败|无效|要求|不合法|不一致|不匹配)";

bool is_letter(char letter) {
  return is_word_letter(letter) && letter != '_' && !is_decimal(letter);
}

/// Where a name stands as a word, from `from` on; no letter of ASCII may touch it.
std::size_t place_of(std::string_view line, std::string_view name, std::size_t from = 0) {
  const bool ascii = static_cast<unsigned char>(name[0]) < 0x80;
  for (std::size_t at = line.find(name, from); at != line.npos; at = line.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool before = at > 0 && (is_letter(line[at - 1]) || line[at - 1] == '_');
    if (!ascii || (!before && (end >= line.size() || !is_letter(line[end])))) return at;
  }
  return line.npos;
}

struct Fault {
  std::string_view name;
  std::size_t begin = 0, end = 0;
};

/// Every fault that the words of a line say, in the table's order.
std::vector<Fault> faults_in(std::string_view line) {
  static const auto rows = table_rows(fault_rows, 2);
  std::vector<Fault> found;
  for (const auto& row : rows) {
    for (const std::string_view words : parts_of_cell(row[1])) {
      const bool ascii = static_cast<unsigned char>(words[0]) < 0x80;
      std::size_t at = words == "null" ? place_of(line, words) : line.find(words);
      // "10" and "0.5" are no 0, "nullable" is no null.
      const std::size_t end = at == line.npos ? at : at + words.size();
      const std::size_t digit = end < line.size() && line[end] == '.' ? end + 1 : end;
      const bool goes_on =
          ascii && digit < line.size() && is_decimal(words.back()) && is_decimal(line[digit]);
      const bool is_files =
          row[0] == "null" && (!has_any(line, "argument|tensor|param|参数|指针|为空") ||
                               has_any(line, "return nullptr"));  // of an inner step
      if (at == line.npos || goes_on || is_files) continue;
      found.push_back({row[0], at, end});
      break;
    }
  }
  return found;
}

/// Where a subject is spoken of, at most 160 letters before a fault or 40 behind it; npos: nowhere.
std::size_t spoken_of(std::string_view line, std::string_view subject, const Fault& fault) {
  static const auto rows = table_rows(subject_rows, 2);
  const auto row = std::ranges::find_if(rows, [&](auto& one) { return one[0] == subject; });
  const std::size_t reach = fault.name == "length" ? 12 : fault.name == "null" ? 40 : 100;
  std::size_t best = line.npos;
  for (const std::string_view name : parts_of_cell((*row)[1])) {
    for (std::size_t at = place_of(line, name); at != line.npos;
         at = place_of(line, name, at + 1)) {
      if (at > fault.end + std::min<std::size_t>(reach, 40)) break;
      const bool is_part = name.starts_with("pad") && at > 6 &&  // of "output padding"
                           (line.substr(at - 7, 6) == "output" || line[at - 1] == '_');
      if (at + name.size() + reach >= fault.begin && !is_part &&
          (best == line.npos || at < fault.begin))
        best = at;
    }
  }
  return best;
}

/// The value that the line states of the subject: behind "got" or "is", or between the subject and
/// the fault. "[0]" counts places.
std::optional<std::int64_t> stated_value(std::string_view line, std::size_t subject,
                                         const Fault& fault) {
  static const Patterns got{"but got #", "got: #",     "got #",  "实际为 #", "实际为#",
                            "当前值 #",  "当前值为 #", "的值 #", "的值为 #", "值为 #"};
  for (const auto& match : got.in(line)) {
    if (const auto value = integer_of(match.numbers[0])) return value;
  }
  if (subject >= fault.begin) return std::nullopt;
  std::string between(line.substr(subject, fault.begin - subject));
  for (std::size_t at = between.find('['); at != between.npos; at = between.find('[', at + 1)) {
    const std::size_t close = between.find(']', at);
    if (close == between.npos) break;
    if (integer_of(between.substr(at + 1, close - at - 1)))
      std::fill(between.begin() + static_cast<std::ptrdiff_t>(at),
                between.begin() + static_cast<std::ptrdiff_t>(close) + 1, ' ');
  }
  for (const std::string_view part : parts_between(between, " ,:=()'\"[]{}")) {
    if (const auto value = integer_of(part)) return value;
  }
  return std::nullopt;
}

/// True if a value breaks the rule, or none is stated and none has to be ("=").
bool breaks(std::string_view limits, const std::optional<std::int64_t>& value) {
  if (limits.empty()) return true;
  const bool needed = limits[0] == '=';
  if (!value) return !needed;
  for (const std::string_view limit : parts_between(limits, "= ")) {
    const auto bound = integer_of(limit.substr(1)).value_or(0);
    if (limit[0] == '<' ? *value < bound : *value > bound) return true;
  }
  return false;
}

struct Claim {
  std::string_view subject, rule;
  std::optional<std::int64_t> value;
};

/// The rule that a plain line states: of the first fault that has one, that of the nearest subject.
std::optional<Claim> claim_in(std::string_view line) {
  static const auto rows = table_rows(claim_rows, 5);
  for (const Fault& fault : faults_in(line)) {
    std::optional<Claim> best;
    std::size_t nearest = line.npos;
    for (const auto& row : rows) {
      if (row[1] != fault.name) continue;
      const std::size_t at = spoken_of(line, row[0], fault);
      const bool named =
          row[2].empty() || spoken_of(line, row[2], {{}, line.size(), line.size()}) != line.npos;
      if (at == line.npos || !named) continue;
      const std::size_t away = at < fault.begin ? fault.begin - at : 200 + at - fault.begin;
      const auto value = row[4].empty() ? std::nullopt : stated_value(line, at, fault);
      if (away >= nearest) continue;
      nearest = away;
      best = breaks(row[4], value) ? std::optional(Claim{row[0], row[3], value}) : std::nullopt;
    }
    if (best) return best;
  }
  return std::nullopt;
}

/// False for a word that any program has (a dtype, a shape), where no line near it names a
/// convolution, CANN or its tensors.
bool is_of_convolution(const Claim& claim, const std::vector<std::string_view>& lines,
                       std::size_t place) {
  if (has_any("stride|dilation|outputPadding|groups|cubeMathType|biasSizes|outputMask|padding",
              claim.subject))
    return true;
  constexpr std::size_t near = 5;
  for (std::size_t i = place < near ? 0 : place - near;
       i < std::min(lines.size(), place + near + 1); ++i) {
    if (has_any(in_small_letters(lines[i].substr(0, 2000)),
                "conv|aclnn|卷积|dt_|proper "
                "tensor|ez1001|gradinput|gradoutput|gradweight|gradbias|grad_output|"
                "out_backprop"))
      return true;
  }
  return false;
}

}  // namespace

std::string_view demand_of(std::string_view id) {
  const auto& all = oracle::all_status_rules();
  const auto rule = std::ranges::find(all, id, [](const auto& one) { return one.id; });
  return rule == all.end() ? std::string_view{} : rule->demand.english;
}

std::vector<FoundSign> claims_in(std::string_view text) {
  constexpr std::size_t most = 8;
  std::vector<FoundSign> found;
  const bool is_of_others = has_any(text, words_of_others) && !has_any(text, "conv|Conv|CONV|卷积");
  const auto lines = lines_of(text);
  for (std::size_t number = 1; number <= lines.size() && found.size() < most; ++number) {
    const std::string_view line = lines[number - 1];
    constexpr std::size_t longest = 2000;
    const std::string small = plain_line(line.substr(0, longest));
    const bool of_others = has_any(small, words_of_others) && !has_any(small, "conv|卷积");
    // Comparisons of tests speak of an "attribute 'dtype'"; a warning refuses nothing, nor does
    // code that prints.
    const bool is_code =
        any_part("print(|printf(|std::cout|console.log(|fmt.print|logger.|logging.", '|',
                 [&](auto one) { return small.starts_with(one); });
    const bool is_tests =
        has_any(small, "attribute '") || (has_any(small, "warning") && !has_any(small, "error"));
    if (is_of_others || of_others || is_tests || is_code || !has_any(small, complaint_words))
      continue;
    const auto claim = claim_in(small);
    if (!claim || !is_of_convolution(*claim, lines, number - 1)) continue;
    found.push_back({LogKind::Parameter, std::string(claim->rule),
                     fmt::format("{} is refused{}", claim->subject,
                                 claim->value ? fmt::format(": {}", *claim->value) : std::string()),
                     fmt::format("change {} so that this holds: {}; gradproof explain {} "
                                 "says where it applies",
                                 claim->subject, demand_of(claim->rule), claim->rule),
                     number, line});
  }
  return found;
}

}  // namespace gradproof::advice
