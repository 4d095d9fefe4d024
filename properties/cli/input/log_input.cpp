#include "properties/cli/input/log_input.h"

#include <fmt/core.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <system_error>

#include "corpus/product.h"
#include "properties/advice/explain/call_from_words.h"
#include "properties/advice/logs/log_text.h"

namespace gradproof::cli {
namespace {

/// No more than shows that it is too large. Errors: why it cannot be read.
tl::expected<std::string, std::string> bounded_contents(const std::string& file) {
  std::error_code error;
  if (file != "-" && std::filesystem::is_directory(file, error)) {
    return tl::unexpected(std::string("it is a folder"));
  }
  std::ifstream stream;
  if (file != "-") stream.open(file, std::ios::binary);
  std::istream& source = file == "-" ? std::cin : stream;
  if (!source) return tl::unexpected(std::string(std::strerror(errno)));
  std::string text;
  std::array<char, 65536> piece{};
  while (text.size() <= advice::largest_log_bytes &&
         (source.read(piece.data(), piece.size()) || source.gcount() > 0)) {
    text.append(piece.data(), to_size(source.gcount()));
  }
  return text;
}

/// The call comes from the log; of the options only a layer's input adds to it.
bool describes_a_call(const Arguments& arguments) {
  advice::CallWords others = arguments.call;
  others.input.reset();
  return others.any() || !arguments.operands.empty();
}

}  // namespace

tl::expected<advice::Reading, std::string> read_log(Arguments& arguments) {
  if (describes_a_call(arguments)) {
    return tl::unexpected(std::string(
        "--log reads the calls of the log; of a call's options it takes --input alone"));
  }
  const auto text = bounded_contents(*arguments.log);
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
    auto call = advice::call_from_words(found.words);
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
