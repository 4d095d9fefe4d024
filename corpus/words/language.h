#pragma once

#include <cstdint>
#include <string_view>

namespace gradproof::corpus {

/// Languages of those who read answers.
enum class Language : std::uint8_t { English, Chinese };

/// A clause or a few words in each of them.
struct Clause {
  std::string_view english, chinese;

  constexpr std::string_view in(Language language) const {
    return language == Language::Chinese ? chinese : english;
  }
};

}  // namespace gradproof::corpus
