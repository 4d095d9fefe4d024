#include "properties/cli/typed_call.h"

#include <optional>
#include <utility>

#include "properties/explain/call_from_words.h"
#include "properties/explain/call_line.h"
#include "properties/explain/module_words.h"

namespace gradproof::properties::cli {

tl::expected<Arguments, std::string> with_typed_words(Arguments arguments) {
  std::vector<std::string> files;
  for (const std::string& operand : arguments.operands) {
    std::optional<std::string> problem;
    if (is_call_line(operand)) {
      problem = add_call_line(operand, arguments.call, arguments.soc);
    } else if (is_module(operand)) {
      problem = add_module(operand, arguments.call);
    } else {
      files.push_back(operand);
    }
    if (problem) return tl::unexpected(operand + ": " + *problem);
  }
  arguments.operands = std::move(files);
  return arguments;
}

tl::expected<corpus::Case, std::string> typed_call(const Arguments& arguments) {
  auto call = call_from_words(arguments.call);
  if (call) call->id = "call";
  return call;
}

std::vector<corpus::Case> on_products(const corpus::Case& problem,
                                      const std::vector<corpus::Product>& products) {
  if (products.empty()) return {problem};
  std::vector<corpus::Case> calls;
  for (const corpus::Product product : products) {
    calls.push_back(problem);
    calls.back().soc = corpus::name_of(product);
  }
  return calls;
}

}  // namespace gradproof::properties::cli
