// Texts that people paste: the reader survives any, shows nothing that a terminal obeys, and claims
// no call whose lengths the text does not state.

#include <fmt/core.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/engine/engine.h"
#include "fuzz/records/stated_numbers.h"
#include "properties/advice/logs/log_text.h"
#include "properties/advice/logs/reading.h"

namespace gradproof::fuzz {
namespace {

void refuse(std::string_view problem, std::string_view detail) {
  fmt::print(stderr, "fuzz_texts: {}: {}\n", problem, detail);
  std::abort();
}

void check(std::string_view text) {
  const auto reading = advice::reading_of(text);
  if (!reading) return;
  for (const char letter : advice::reading_text(*reading) + advice::reading_json(*reading)) {
    const auto byte = static_cast<unsigned char>(letter);
    if ((byte < 0x20 && letter != '\n') || byte == 0x7f)
      refuse("a control character is shown", std::to_string(byte));
  }
  const auto searched = advice::searchable_log(text);
  for (const advice::FoundCall& call : reading->calls) {
    const std::string number = unstated_number(call, *searched);
    if (!number.empty()) refuse("a length that the text does not state", call.line_of_words());
  }
}

}  // namespace
}  // namespace gradproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gradproof::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
