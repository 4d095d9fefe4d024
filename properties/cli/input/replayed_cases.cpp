#include "properties/cli/input/case_input.h"

#include <utility>

#include "properties/advice/explain/call_from_texts.h"

namespace gradproof::cli {
namespace {

/// Reads files. A product is for those that name none.
tl::expected<CasesOfFiles, std::string> cases_of_files(
    const Arguments& arguments, const std::vector<corpus::Product>& products) {
  auto read = read_case_files(arguments.operands);
  if (!read) return read;
  if (arguments.soc && read->name_products) {
    return tl::unexpected(std::string("--soc: a case file says itself on which product it runs"));
  }
  say_left_out(*read);
  if (read->cases.empty()) {
    return tl::unexpected(arguments.operands.front() + ": holds no case");
  }
  if (!arguments.soc) return read;
  std::vector<runs::StoredCase> everywhere;
  for (const runs::StoredCase& kept : read->cases) {
    for (corpus::Case& one : on_products(kept.test_case, products)) {
      everywhere.push_back({.test_case = std::move(one), .file = kept.file});
    }
  }
  read->cases = std::move(everywhere);
  return read;
}

}  // namespace

tl::expected<CasesOfFiles, std::string> replayed_cases(
    const Arguments& arguments, const std::vector<corpus::Product>& products) {
  if (arguments.call.any() == !arguments.operands.empty()) {
    return tl::unexpected(
        std::string("replay: give either case files (- for the standard input) or a call, e.g. "
                    "--input 2,3,224,224 --weight 64,3,7,7 --stride 2"));
  }
  if (!arguments.call.any()) return cases_of_files(arguments, products);
  const auto call = typed_call(arguments);
  if (!call) return tl::unexpected(call.error());
  CasesOfFiles read;
  for (corpus::Case& one : on_products(*call, products)) {
    if (products.size() > 1) one.id = one.soc;
    std::string line = advice::call_line(arguments.call, one.soc);  // what replays it
    read.cases.push_back({.test_case = std::move(one), .file = std::move(line)});
  }
  return read;
}

}  // namespace gradproof::cli
