#include "properties/advice/logs/statements.h"

#include <algorithm>
#include <array>
#include <set>

#include "corpus/words/words.h"
#include "properties/advice/explain/term.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

struct VersionKey {
  std::string_view key;  ///< in small letters, a whole word
  std::string_view of;
};
constexpr VersionKey version_keys[] = {
    {"cann", "CANN"},           {"toolkit", "CANN"},
    {"torch_npu", "torch_npu"}, {"npu", "torch_npu"},  // torch-npu
    {"torch", "PyTorch"},       {"pytorch", "PyTorch"},
};

bool is_version_letter(char letter) {
  return is_word_letter(letter) || letter == '.' || letter == '+';
}

/// "==2.1.0", " version: 8.0.RC3", "-8.1.RC1", "/8.0.T63": digits, a dot, and what belongs to them.
std::string version_behind(std::string_view text, std::size_t position) {
  std::size_t begin = std::min(text.find_first_not_of(" \t:=/-'\"", position), text.size());
  if (in_small_letters(text.substr(begin, 7)) == "version") {
    begin = std::min(text.find_first_not_of(" \t:=/-'\"", begin + 7), text.size());
  }
  if (begin < text.size() && (text[begin] == 'v' || text[begin] == 'V')) ++begin;
  std::size_t end = begin;
  constexpr std::size_t longest = 40;
  while (end < text.size() && end < begin + longest && is_version_letter(text[end])) ++end;
  std::string_view version = text.substr(begin, end - begin);
  while (version.ends_with('.')) version.remove_suffix(1);
  const bool is_one = version.size() > 2 && version[0] >= '0' && version[0] <= '9' &&
                      (version[1] == '.' || version[2] == '.');
  return is_one ? std::string(version) : std::string();
}

/// torch in torch_npu is one word; npu counts behind "torch-" only.
bool is_key_at(std::string_view text, const Word& word, const VersionKey& row) {
  if (in_small_letters(word.text) != row.key) return false;
  if (row.key == "npu") return word.begin >= 6 && text.substr(word.begin - 6, 6) == "torch-";
  return row.key != "toolkit" || (word.begin >= 7 && text.substr(word.begin - 7, 7) == "ascend-");
}

/// Sizes and addresses hold the same digits: a status stands on a line that speaks of one.
bool speaks_of_failure(std::string_view line) {
  const std::string small = in_small_letters(line);
  constexpr std::array<std::string_view, 6> words{"fail", "err", "status", "code", "ret", "result"};
  return std::ranges::any_of(
      words, [&](std::string_view word) { return small.find(word) != std::string::npos; });
}

bool is_part_of_number(std::string_view text, const Word& word) {
  const bool before = word.begin > 0 && text[word.begin - 1] == '.';
  const bool after = word.end() + 1 < text.size() && text[word.end()] == '.' &&
                     text[word.end() + 1] >= '0' && text[word.end() + 1] <= '9';
  return before || after;
}

bool is_code(std::string_view text, const Word& word) {
  if ((word.text.size() != 6 && word.text.size() != 8) || !is_term(word.text)) return false;
  if (word.text[0] == 'E') return true;
  return name_of_code(word.text) && !is_part_of_number(text, word) &&
         speaks_of_failure(line_around(text, word.begin));
}

/// "Atlas 800T A2": up to three words.
std::optional<StatedProduct> board_at(std::string_view text, const Word& word) {
  std::size_t end = word.end();
  std::optional<StatedProduct> found;
  for (int more = 0; more < 3; ++more) {
    end = skip_blanks(text, end);
    while (end < text.size() && is_word_letter(text[end])) ++end;
    const std::string name(text.substr(word.begin, end - word.begin));
    if (const auto product = corpus::product_from_words(name))
      found = StatedProduct{name, *product};
  }
  return found;
}

}  // namespace

std::optional<StatedProduct> product_in(std::string_view text) {
  std::optional<StatedProduct> unclear;
  std::set<std::string> tried;  // a name that is unknown once is unknown again
  constexpr std::size_t most_names = 64;
  for (const Word& word : words_in(text)) {
    const std::string small = in_small_letters(word.text);
    if (tried.size() == most_names) break;
    if (small == "atlas") {
      if (!tried.insert(std::string(text.substr(word.begin, 40))).second) continue;
      if (auto board = board_at(text, word)) return board;
    }
    if (!small.starts_with("ascend") || small.size() < 9) continue;
    if (small == "ascend910") {
      if (!unclear) unclear = StatedProduct{std::string(word.text), std::nullopt};
      continue;
    }
    if (!tried.insert(small).second) continue;
    std::string name(word.text);
    name[0] = 'A';
    if (const auto product = corpus::product_from_words(name))
      return StatedProduct{std::string(word.text), *product};
  }
  return unclear;
}

std::vector<StatedVersion> versions_in(std::string_view text) {
  std::vector<StatedVersion> versions;
  for (const Word& word : words_in(text)) {
    for (const VersionKey& row : version_keys) {
      if (!is_key_at(text, word, row)) continue;
      std::string version = version_behind(text, word.end());
      const bool is_new = std::ranges::find(versions, row.of, &StatedVersion::of) == versions.end();
      if (!version.empty() && is_new) versions.push_back({row.of, std::move(version)});
    }
  }
  return versions;
}

std::vector<std::string> codes_in(std::string_view text) {
  std::vector<std::string> codes;
  constexpr std::size_t most = 32;
  for (const Word& word : words_in(text)) {
    if (codes.size() >= most) break;
    if (word.text.size() > 8 || word.text.size() < 6) continue;
    std::string code(word.text);
    const bool is_new = std::ranges::find(codes, code) == codes.end();
    if (is_new && is_code(text, word)) codes.push_back(std::move(code));
  }
  return codes;
}

}  // namespace gradproof::advice
