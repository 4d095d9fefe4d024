#include "corpus/tensor_case.h"
#include "corpus/words/spelling.h"
#include "corpus/words/words.h"

namespace gradproof::corpus {

std::vector<std::int64_t> channels_last_strides(const std::vector<std::int64_t>& shape) {
  if (shape.size() < 3) return row_major_strides(shape);
  std::vector<std::int64_t> channels_last{shape[0]};
  channels_last.insert(channels_last.end(), shape.begin() + 2, shape.end());
  channels_last.push_back(shape[1]);
  const std::vector<std::int64_t> strides = row_major_strides(channels_last);
  std::vector<std::int64_t> result{strides[0], strides.back()};
  result.insert(result.end(), strides.begin() + 1, strides.end() - 1);
  return result;
}

Meaning<MemoryFormat> memory_format_from_words(std::string_view words, std::size_t axes) {
  if (const auto named = format_named(words)) return MemoryFormat{*named};
  const std::string plain = plain_spelling(words);
  const std::string_view word = without_prefix(plain, {"torch.", "acl_format_", "format_"});
  const bool is_plain = word == "contiguous_format" || word == "contiguous" ||
                        word == "channels_first" || word == "preserve_format";
  if (is_plain) return MemoryFormat{plain_format(axes)};
  if (word == "channels_last" || word == "channels_last_3d") {
    return MemoryFormat{plain_format(axes), true};
  }
  std::vector<std::string> allowed;
  for (const Format format : formats()) {
    allowed.emplace_back(name_of(format));
    if (plain_spelling(allowed.back()) == word) return MemoryFormat{format};
  }
  allowed.emplace_back("channels_last");
  allowed.emplace_back("contiguous");
  return tl::unexpected(unknown_word(words, "format", allowed));
}

}  // namespace gradproof::corpus
