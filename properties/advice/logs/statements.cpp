#include "properties/advice/logs/statements.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "corpus/words/words.h"
#include "properties/advice/explain/term.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

/// "==2.1.0", " version: 8.0.RC3", "-8.1.RC1", "/8.0.T63": digits, a dot, and what belongs to them.
std::string version_behind(std::string_view text, std::size_t position) {
  constexpr std::string_view before = " \t:=/-'\"";
  std::size_t begin = std::min(text.find_first_not_of(before, position), text.size());
  if (in_small_letters(text.substr(begin, 7)) == "version")
    begin = std::min(text.find_first_not_of(before, begin + 7), text.size());
  if (begin < text.size() && (text[begin] == 'v' || text[begin] == 'V')) ++begin;
  std::string_view version = text.substr(begin, 40);
  version =
      version.substr(0, version.find_first_not_of(
                            "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.+"));
  while (version.ends_with('.')) version.remove_suffix(1);
  const bool is_one =
      version.size() > 2 && is_decimal(version[0]) && (version[1] == '.' || version[2] == '.');
  return is_one ? std::string(version) : std::string();
}

/// What a word names that has versions; npu and toolkit count behind "torch-" and "ascend-" alone.
std::string_view named_by(std::string_view text, const Word& word) {
  if (word.text.size() < 2 || word.text.size() > 11) return {};
  const std::string small = in_small_letters(word.text);
  const auto follows = [&](std::string_view before) {
    return text.substr(0, word.begin).ends_with(before);
  };
  if (small == "cann" || (small == "toolkit" && follows("ascend-"))) return "CANN";
  if (small == "torch_npu" || (small == "npu" && follows("torch-"))) return "torch_npu";
  if (small == "ascend" && follows("vllm-")) return "vllm-ascend";
  constexpr std::pair<std::string_view, std::string_view> others[] = {
      {"mindspore", "MindSpore"},
      {"tensorflow", "TensorFlow"},
      {"vllm_ascend", "vllm-ascend"},
      {"tf", "TensorFlow"},
      {"torch", "PyTorch"},
      {"pytorch", "PyTorch"},
      {"jax", "JAX"},
      {"paddlepaddle", "Paddle"},
      {"paddle", "Paddle"}};
  const auto other = std::ranges::find(others, small, [](auto& one) { return one.first; });
  return other == std::end(others) ? std::string_view{} : other->second;
}

/// True for a number that the text names as another thing: "PID: 507018", "JOB 507015", "207001
/// bytes".
bool is_named_otherwise(std::string_view text, const Word& word) {
  constexpr std::string_view names =
      "|pid|tid|ppid|job|jobid|thread|process|port|step|iter|inode|request|"
      "iteration|epoch|seed|user|uid|line|";
  constexpr std::string_view units = "|bytes|byte|ms|us|samples|images|tokens|steps|rows|";
  const std::string before = in_small_letters(line_around(text.substr(0, word.begin), word.begin));
  const std::size_t last = before.find_last_not_of(" :=#[(");
  const auto is_of = [](std::string_view list, const Word& one) {
    return list.find("|" + std::string(one.text) + "|") != list.npos;
  };
  if (last != before.npos) {
    const auto words = words_in(std::string_view(before).substr(0, last + 1));
    if (!words.empty() && words.back().end() == last + 1 && is_of(names, words.back())) return true;
  }
  const std::string behind = in_small_letters(text.substr(word.end(), 12));
  const auto words = words_in(behind);
  return behind.starts_with(' ') && !words.empty() && is_of(units, words.front());
}

bool is_code(std::string_view text, const Word& word, bool is_of_ascend) {
  if ((word.text.size() != 6 && word.text.size() != 8) || !is_term(word.text)) return false;
  if (word.text[0] == 'E') return true;
  const std::string_view after = text.substr(word.end(), 2);
  const bool is_part_of_number = (word.begin > 0 && text[word.begin - 1] == '.') ||
                                 (after.size() == 2 && after[0] == '.' && is_decimal(after[1]));
  // Sizes, addresses and requests hold the same digits: a status stands behind a word for one, or
  // in a text of Ascend on a line that speaks of one.
  const std::string line = in_small_letters(line_around(text, word.begin));
  const std::string before = in_small_letters(
      text.substr(word.begin < 24 ? 0 : word.begin - 24, std::min<std::size_t>(word.begin, 24)));
  const bool is_status =
      has_any(before.substr(before.find('\n') + 1), "code|ret|result|errno|acl|错误|返回") ||
      (is_of_ascend && has_any(line, "fail|err|status|code|ret|result|错误"));
  return is_status && name_of_code(word.text) && !is_part_of_number &&
         !is_named_otherwise(text, word);
}

/// "Atlas 800T A2": up to three words.
std::optional<StatedProduct> board_at(std::string_view text, const Word& word) {
  std::size_t end = word.end();
  std::optional<StatedProduct> found;
  for (int more = 0; more < 3; ++more) {
    end = word_end(text, skip_blanks(text, end));
    const std::string name(without_blanks(text.substr(word.begin, end - word.begin)));
    // "Atlas 800 A3" is of the series A3.
    const auto words = words_in(name);
    const bool is_series = words.size() == 3 && is_decimal(words[1].text[0]);
    const std::string series = is_series ? "Atlas " + std::string(words[2].text) : name;
    for (const std::string& one : {name, series}) {
      const auto product = corpus::product_from_words(one);
      const bool is_new = product && (!found || found->product != *product || name == one);
      if (is_new) found = StatedProduct{name, *product};
      if (product) break;
    }
  }
  return found;
}

}  // namespace

std::optional<StatedProduct> product_in(std::string_view text) {
  std::optional<StatedProduct> unclear, bare;
  std::set<std::string> tried;  // a name that is unknown once is unknown again
  constexpr std::size_t most_names = 64;
  for (const Word& word : words_in(text)) {
    if (tried.size() == most_names) break;
    // "310P3" alone: digits and a capital letter.
    const bool is_bare = word.text.size() > 3 && word.text.size() < 7 &&
                         has_any(word.text.substr(0, 3), "310|910|950") && word.text[3] >= 'A' &&
                         word.text[3] <= 'P';
    if (is_bare && tried.insert(std::string(word.text)).second) {
      const auto product = corpus::product_from_words("Ascend" + std::string(word.text));
      if (product && !bare) bare = StatedProduct{std::string(word.text), *product};
    }
    if (word.text[0] != 'a' && word.text[0] != 'A') continue;
    if (text.substr(0, word.begin).ends_with("compiled for ")) continue;  // a model, elsewhere
    std::string name(word.text);
    if (name.size() == 6) {  // "Ascend 910B3", in two words
      const std::size_t begin = skip_blanks(text, word.end());
      name += text.substr(begin, word_end(text, begin) - begin);
    }
    const std::string small = in_small_letters(name);
    if (small.starts_with("atlas") && word.text.size() == 5 &&
        tried.insert(std::string(text.substr(word.begin, 40))).second) {
      if (auto board = board_at(text, word)) return board;
    }
    if (!small.starts_with("ascend") || small.size() < 9) continue;
    if (small == "ascend910") {
      if (!unclear) unclear = StatedProduct{name, std::nullopt};
      continue;
    }
    const auto product = tried.insert(small).second
                             ? corpus::product_from_words("A" + name.substr(1))
                             : tl::unexpected(std::string());
    if (product) return StatedProduct{name, *product};
  }
  return bare ? bare : unclear;
}

std::vector<StatedVersion> versions_in(std::string_view text) {
  std::vector<StatedVersion> versions;
  for (const Word& word : words_in(text)) {
    const std::string_view of = named_by(text, word);
    if (of.empty() || std::ranges::find(versions, of, &StatedVersion::of) != versions.end())
      continue;
    if (std::string version = version_behind(text, word.end()); !version.empty())
      versions.push_back({of, std::move(version)});
  }
  return versions;
}

std::vector<std::string> codes_in(std::string_view text) {
  std::vector<std::string> codes;
  constexpr std::size_t most = 32;
  const bool is_of_ascend =
      has_any(text, "scend|ASCEND|npu|NPU|acl|ACL|CANN|昇腾|HCCL|Hccl|mindspore|RUNTIME|rtS|rtM");
  for (const Word& word : words_in(text)) {
    if (codes.size() >= most) break;
    if (word.text.size() > 8 || word.text.size() < 6) continue;
    std::string code(word.text);
    const bool is_new = std::ranges::find(codes, code) == codes.end();
    if (is_new && is_code(text, word, is_of_ascend)) codes.push_back(std::move(code));
  }
  return codes;
}

}  // namespace gradproof::advice
