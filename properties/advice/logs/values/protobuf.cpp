// Tensors that protobuf's text gives the lengths of: "dim: 2 dim: 3", "dims: 2", "input_dim: 2",
// "dim { dim_value: 2 }".

#include "properties/advice/logs/values/made_values.h"
#include "properties/advice/logs/values/names.h"

namespace gradproof::advice {
namespace {

/// Content of `key: "..."` in a block; empty: it has none.
std::string_view quoted_behind(std::string_view block, std::string_view key) {
  const std::size_t at = block.find(key);
  if (at == block.npos) return {};
  const std::string_view rest = block.substr(at + key.size());
  return rest.substr(0, rest.find('"'));
}

/// The name of what has its lengths there: of the block that holds them, or the input before it.
std::string_view owner_of(std::string_view text, std::size_t place) {
  constexpr int outermost = 5;
  std::string_view block = block_around(text, place);
  for (int level = 0; level < outermost && !block.empty(); ++level) {
    for (const std::string_view key : {"top: \"", "name: \""}) {
      if (const auto name = quoted_behind(block, key); !name.empty()) return name;
    }
    const auto begin = static_cast<std::size_t>(block.data() - text.data());
    block = begin == 0 ? std::string_view{} : block_around(text, begin - 1);
  }
  constexpr std::string_view before = "input: \"";
  const std::size_t input = text.substr(0, place).rfind(before);
  return input == text.npos ? std::string_view{} : quoted_behind(text.substr(input), before);
}

}  // namespace

void Names::read_lengths() {
  if (text_.find("dim") == text_.npos) return;
  Integers lengths;
  std::size_t begin = 0;
  const auto finish = [&] {
    const std::string_view owner = lengths.size() < 3 ? "" : without_blanks(owner_of(text_, begin));
    if (lengths.size() < 6 && !owner.empty()) {
      bind(owner, owner, begin);
      bindings_.back().is_type = true;
      known_[bindings_.size() - 1] = Value::tensor(lengths, "");
    }
    lengths.clear();
  };
  for (const Word& word : words_in(text_)) {
    const bool is_key = is_one_of("|dim|dims|dim_value|input_dim|", word.text);
    if (!lengths.empty() && !is_key && !integer_of(word.text)) finish();
    if (!is_key || !text_.substr(word.end()).starts_with(':')) continue;
    const std::size_t at = skip_blanks(text_, word.end() + 1);
    const auto length = integer_of(text_.substr(at, word_end(text_, at) - at));
    if (lengths.empty()) begin = word.begin;
    lengths.push_back(length.value_or(-1));
  }
  finish();
}

}  // namespace gradproof::advice
