#include "properties/cli/input/case_input.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/logs/found_call.h"
#include "properties/cli/grammar/command_rows.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/findings/results/shell_word.h"

namespace gradproof::cli {

tl::expected<Arguments, std::string> with_typed_words(Arguments arguments) {
  std::vector<std::string> files;
  for (const std::string& operand : arguments.operands) {
    std::optional<std::string> problem;
    if (advice::is_call_line(operand)) {
      problem = advice::add_call_line(operand, arguments.call, arguments.soc);
    } else if (advice::is_written_call(operand)) {
      problem = advice::add_written_call(operand, arguments.call);
    } else {
      files.push_back(operand);
    }
    if (problem) return tl::unexpected(operand + ": " + *problem);
  }
  arguments.operands = std::move(files);
  return arguments;
}

tl::expected<corpus::Case, std::string> typed_call(const Arguments& arguments) {
  auto call = advice::call_from_texts(arguments.call);
  if (call) call->id = "call";
  return call;
}

namespace {

std::optional<std::string> choose_call(const Arguments& understood, cases::Selection& selection) {
  if (!understood.operands.empty()) {
    return fmt::format(
        "{}: \"{}\" is no call, e.g. \"input:2,3,8,8 weight:4,3,3,3 stride:2\"; replay runs files",
        rows::words_of(understood.mode), understood.operands.front());
  }
  if (!understood.call.any()) return std::nullopt;
  const std::pair<const char*, bool> narrowing[] = {
      {"--api", understood.api.has_value()},   {"--dtype", understood.dtype.has_value()},
      {"--rank", understood.rank.has_value()}, {"--transposed", understood.transposed.has_value()},
      {"--kind", understood.kind.has_value()}, {"--rule", understood.rule.has_value()}};
  for (const auto& [option, given] : narrowing) {
    if (given) {
      return fmt::format(
          "{} narrows what is generated, and a call is typed: say it in the call, as in \"... "
          "dtype:bf16\"",
          option);
    }
  }
  auto call = typed_call(understood);
  if (!call) return call.error();
  if (call->api != corpus::Api::ConvolutionBackward) {
    const auto name = corpus::name_of(call->api);
    return fmt::format("{0}: --api {0} generates its calls, and replay runs a typed one", name);
  }
  std::string word = findings::shell_word(advice::call_line(understood.call, call->soc));
  selection.call = cases::TypedCall{std::move(*call), std::move(word)};
  return std::nullopt;
}

}  // namespace

tl::expected<Configuration, std::string> configuration_with_call(const Arguments& typed) {
  const auto understood = with_typed_words(typed);
  if (!understood) return tl::unexpected(understood.error());
  auto configuration = configuration_of(*understood);
  if (!configuration) return configuration;
  if (auto problem = choose_call(*understood, configuration->selection)) {
    return tl::unexpected(*problem);
  }
  return configuration;
}

std::vector<corpus::Case> on_products(const corpus::Case& test_case,
                                      const std::vector<corpus::Product>& products) {
  if (products.empty()) return {test_case};
  std::vector<corpus::Case> calls;
  for (const corpus::Product product : products) {
    calls.push_back(test_case);
    calls.back().soc = corpus::name_of(product);
  }
  return calls;
}

}  // namespace gradproof::cli
