#include "properties/cli/input/log_input.h"

#include <fmt/core.h>

#include <set>

#include "corpus/product.h"
#include "corpus/words/file_contents.h"
#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/logs/log_text.h"

namespace gradproof::cli {
namespace {

/// The call comes from the log; of the options only a layer's input adds to it.
bool describes_a_call(const Arguments& arguments) {
  advice::CallTexts others = arguments.call;
  others.input.reset();
  return others.any() || !arguments.operands.empty();
}

}  // namespace

tl::expected<advice::Reading, std::string> read_log(Arguments& arguments) {
  if (describes_a_call(arguments)) {
    return tl::unexpected(std::string(
        "--log reads the calls of the log; of a call's options it takes --input alone"));
  }
  // One byte more shows that it is too large.
  const auto text = corpus::file_contents(*arguments.log, advice::largest_log_bytes + 1);
  if (!text) return tl::unexpected(fmt::format("--log {}: {}", *arguments.log, text.error()));
  auto reading = advice::reading_of(*text, {.input = arguments.call.input});
  if (!reading) return tl::unexpected(fmt::format("--log {}: {}", *arguments.log, reading.error()));
  const bool states_product = reading->product && reading->product->product;
  if (states_product && !arguments.soc) arguments.soc = corpus::name_of(*reading->product->product);
  return reading;
}

CasesOfFiles calls_of_log(const advice::Reading& reading) {
  CasesOfFiles calls;
  std::set<std::string> ids;
  for (const advice::FoundCall& found : reading.calls) {
    if (!found.is_complete()) continue;
    auto call = advice::call_from_texts(found.words);
    if (!call) continue;  // which reading_of has made incomplete
    std::string id = fmt::format("log-line-{}", found.line);
    for (int more = 2; !ids.insert(id).second; ++more) {
      id = fmt::format("log-line-{}-{}", found.line, more);
    }
    call->id = std::move(id);
    calls.cases.push_back({.test_case = *std::move(call), .file = {}});
  }
  return calls;
}

}  // namespace gradproof::cli
