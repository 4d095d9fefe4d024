#include "properties/cli/told.h"

#include <cstdio>
#include <string>

#include "corpus/words/foreign_text.h"

namespace gradproof::cli {

void tell(std::string_view sentence, std::string_view before) {
  const std::string line = std::string(before) + corpus::foreign_text(sentence) + '\n';
  std::fputs(line.c_str(), stderr);
}

}  // namespace gradproof::cli
