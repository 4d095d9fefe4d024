#include <algorithm>

#include "corpus/data_type_row.h"
#include "corpus/words/spelling.h"
#include "corpus/words/words.h"

namespace gradproof::corpus {
Meaning<DataType> data_type_from_words(std::string_view words) {
  if (const auto named = data_type_named(words)) return *named;
  const std::string plain = plain_spelling(words);
  const std::string_view word =
      without_prefix(plain, {"torch_npu.", "torch.", "numpy.", "np.", "paddle.", "mindspore.",
                             "ms.", "tf.", "ml_dtypes.", "acl_", "ge.dt_", "ge::dt_", "dt_"});
  std::vector<std::string> allowed;
  for (const DataTypeRow& row : data_type_rows) {
    allowed.emplace_back(row.name);
    const bool is_another = !word.empty() && std::ranges::find(row.words, word) != row.words.end();
    if (is_another || plain_spelling(allowed.back()) == word) return row.type;
  }
  return tl::unexpected(unknown_word(words, "dtype", allowed));
}

}  // namespace gradproof::corpus
