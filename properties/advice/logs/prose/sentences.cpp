// Sentences that describe a convolution: "a 3x3 conv with 64 input channels, on 56x56, batch size
// 8".

#include <algorithm>

#include "properties/advice/explain/text_rows.h"
#include "properties/advice/logs/differences/difference_lines.h"
#include "properties/advice/logs/draft.h"
#include "properties/advice/logs/pattern.h"
#include "properties/advice/logs/prose/literals.h"

namespace gradproof::advice {
namespace {

// Parts of a call in the order of the phrase's numbers, or what a phrase without one means;
// phrases.
constexpr std::string_view sentence_rows = R"(
kernel.h kernel.w | #x# conv ; # x # conv ; #x# kernel ; #x# filter ; kernel #x# ; kernel size #x# ; kernel of #x# ; kernel size of #x# ; kernel size is #x# ; #x# depthwise ; #x# dilated ; #x# strided ; #x# transposed ; #x# grouped ; #x# deconv ; 卷积核 #x# ; 卷积核大小 #x# ; 卷积核为 #x# ; 卷积核大小为 #x# ; #x# 卷积 ; #x#卷积 ; #x# 的卷积 ; #x#的卷积
kernel.d kernel.h kernel.w | #x#x# conv ; #x#x# kernel ; #x#x# filter ; kernel #x#x# ; kernel size #x#x#
size.h size.w | on #x# ; over #x# ; #x# input ; #x# image ; #x# feature ; #x# map ; #x# pixel ; #x# spatial ; image size #x# ; input size #x# ; input size of #x# ; inputs of #x# ; images of #x# ; of size #x# ; size of #x# ; spatial size #x# ; resolution #x# ; resolution of #x# ; 输入大小 #x# ; 输入尺寸 #x# ; 特征图 #x# ; 分辨率 #x#
size.d size.h size.w | input #x#x# ; on #x#x# ; #x#x# volume ; #x#x# input
in out | # -> # channels ; #->#channels ; #-># channels ; # to # channels ; channels # -> # ; channels #->#
in | image*with # channel ; images*with # channel ; input*with # channel ; # input channel ; # in channel ; # channels in ; input channels # ; in channels # ; 输入通道 # ; 输入通道数 # ; 输入通道为 # ; 输入通道数为 #
out | # output channel ; # out channel ; # channels out ; # filters ; # output feature maps ; output channels # ; out channels # ; 输出通道 # ; 输出通道数 # ; 输出通道为 # ; 输出通道数为 #
batch | batch size # ; batch size of # ; batch size is # ; batch of # ; batch # ; batchsize # ; batch size = # ; minibatch of # ; mini-batch of # ; 批大小 # ; 批次 # ; batch 为 # ; batch size 为 #
stride | stride-# ; strides of # ; 步长 # ; 步长为 # ; 步幅 # ; 步幅为 #
padding | 填充 # ; 填充为 # ; padding 为 # ; padded by #
dilation | dilation rate # ; dilation rate of # ; 空洞 # ; 膨胀 # ; 膨胀率 # ; 膨胀率为 #
groups | # groups ; 分组 # ; 分组数 #
padding=0 | border mode valid ; no padding ; without padding ; unpadded ; valid padding
pad_mode=same | border mode same ; same padding ; 'same' padding ; "same" padding
)";

struct Sentences {
  Patterns patterns;
  std::vector<std::string> roles;  ///< of each pattern
};

const Sentences& sentences() {
  static const Sentences all = [] {
    Sentences made;
    for (const auto& row : table_rows(sentence_rows, 2)) {
      for (const std::string_view phrase : parts_of_cell(row[1])) {
        made.patterns.add(phrase);
        made.roles.emplace_back(row[0]);
      }
    }
    return made;
  }();
  return all;
}

/// A line in small letters, with x for the sign of a product and arrows of two letters.
std::string sentence_of(std::string_view raw) {
  std::string line(raw.substr(0, 4000));
  for (const auto& [from, to] :
       {std::pair{"×", "x"}, {"→", "->"}, {"（", "("}, {"，", ", "}, {"_", " "}}) {
    for (std::size_t at = line.find(from); at != line.npos; at = line.find(from, at + 1))
      line.replace(at, std::string_view(from).size(), to);
  }
  return plain_line(line);
}

/// The numbers of a match as a value each; nullopt: one is no whole number, or a longer list of
/// lengths follows.
std::optional<Integers> whole_numbers(const Patterns::Match& match, std::string_view line) {
  Integers values;
  for (const std::string_view number : match.numbers) {
    const auto value = integer_of(number);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (match.numbers.empty()) return values;
  const std::string_view last = match.numbers.back();
  const std::string_view behind =
      line.substr(static_cast<std::size_t>(last.data() - line.data()) + last.size(), 2);
  const bool goes_on = behind.size() > 1 && behind[0] == 'x' && is_decimal(behind[1]);
  return goes_on ? std::nullopt : std::optional(values);
}

/// Adds what a match says; false: another value is known.
bool add_match(const std::string& row, const Integers& numbers, Roles& said) {
  const std::size_t sign = row.find('=');
  const std::string_view stated = std::string_view(row).substr(std::min(sign, row.size() - 1) + 1);
  const auto roles = parts_between(std::string_view(row).substr(0, sign), " ");
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const auto fixed = integer_of(stated);
    const Value value = sign == row.npos ? Value::of(numbers[i])
                        : fixed          ? Value::of(*fixed)
                                         : Value::named(stated);
    const auto [known, is_new] = said.emplace(roles[i], Field{roles[i], value});
    if (!is_new && known->second.value.integer != value.integer) return false;
  }
  return true;
}

}  // namespace

Roles said_in(std::string_view raw) {
  const std::string line = sentence_of(raw);
  Roles said;
  // Two convolutions in one line share attributes in no clear way; the second may be any.
  for (std::string_view rest = line; !rest.empty();) {
    std::string_view behind;
    for (const Patterns::Match& match : sentences().patterns.in(rest)) {
      const std::string& row = sentences().roles[match.pattern];
      const auto numbers = whole_numbers(match, rest);
      if (!numbers) continue;
      if (!add_match(row, *numbers, said)) return {};
      if (row.starts_with("kernel") && behind.empty())
        behind = rest.substr(static_cast<std::size_t>(match.numbers.back().data() - rest.data()));
    }
    rest = behind;
  }
  // "3x224x224" may be channels and two axes.
  if (said.contains("size.d") && !said.contains("kernel.d"))
    std::erase_if(said, [](const auto& part) { return part.first.starts_with("size"); });
  const bool is_depthwise = has_any(line, "depthwise|separable|深度");
  if (is_depthwise && !said.contains("groups")) said.clear();
  return said;
}

std::string_view TableRows::row_of(std::string_view line) {
  constexpr std::size_t most_rows = 1000;
  std::vector<std::string> cells;
  if (line.find_first_of("|,") != line.npos) cells = cells_of(line);
  const auto is_part = [](const std::string& cell) {
    return cell.size() == 1 || !role_of_key(cell).empty();
  };
  const bool is_row = !head_.empty() && cells.size() == head_.size();
  if (!is_row) head_.clear();
  if (!is_row && std::ranges::count_if(cells, is_part) > 4) {
    head_ = cells;
    for (std::string& name : head_) std::ranges::replace(name, ' ', '_');
  }
  if (!is_row || rows_.size() >= most_rows) return {};
  std::string& row = rows_.emplace_back("conv");
  for (std::size_t i = 0; i < cells.size(); ++i) row += " " + head_[i] + "=" + cells[i];
  return row;
}

}  // namespace gradproof::advice
