#include <fmt/core.h>
#include <tl/expected.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "corpus/case_json.h"
#include "corpus/product.h"
#include "corpus/product_row.h"
#include "corpus/words/file_contents.h"
#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/explain/call_text.h"
#include "properties/advice/explain/explanation.h"
#include "properties/advice/explain/term.h"
#include "properties/advice/logs/log_text.h"
#include "properties/advice/logs/reading.h"
#include "properties/cli/arguments.h"
#include "properties/cli/commands.h"
#include "properties/cli/input/case_input.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/data_range.h"
#include "properties/cli/input/given_options.h"
#include "properties/cli/run_command.h"

namespace gradproof::cli {
namespace {

using corpus::Case;
using corpus::Product;

/// The call comes from the log; of the options only a layer's input adds to it.
bool describes_a_call(const Arguments& arguments) {
  advice::CallTexts others = arguments.call;
  others.input.reset();
  return others.any() || !arguments.operands.empty();
}

/// Reads the log that --log names, with the shape of --input. A product that it states is asked
/// about where --soc names none. Errors: a sentence, also where other options describe a call.
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

/// The complete calls of a log; their ids are "log-line-N".
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

ExitCode explain_terms(const Arguments& arguments, corpus::Language language) {
  for (const std::string& word : arguments.operands) {
    const auto text = advice::term_text(word, language);
    if (!text) return fail(ExitCode::BadUsage, text.error());
    fmt::print("{}", *text);
  }
  return ExitCode::NothingDisagreed;
}

/// A word that is no file's name.
bool asks_about_terms(const Arguments& arguments) {
  return !arguments.operands.empty() &&
         std::ranges::all_of(arguments.operands, [](const std::string& word) {
           return advice::is_known_word(word) && !std::filesystem::exists(word);
         });
}

/// An operand that looks like a word, not like a file, and is neither.
std::optional<std::string> unknown_word(const Arguments& arguments) {
  for (const std::string& word : arguments.operands) {
    const bool is_path = word == "-" || word.find_first_of("./") != std::string::npos;
    if (is_path || advice::is_known_word(word) || std::filesystem::exists(word)) continue;
    return fmt::format("explain: \"{}\" is no file, code, rule or parameter", word);
  }
  return std::nullopt;
}

/// Errors: a sentence for the user.
tl::expected<CasesOfFiles, std::string> calls_of(const Arguments& arguments) {
  const bool typed = arguments.call.any();
  if (typed != arguments.operands.empty()) {
    return tl::unexpected(
        std::string("explain: give either a case file (- for the standard input) or a call, e.g. "
                    "--input 2,3,224,224 --weight 64,3,7,7 --stride 2"));
  }
  if (typed) {
    auto call = typed_call(arguments);
    if (!call) return tl::unexpected(call.error());
    CasesOfFiles read;
    read.cases.push_back({.test_case = std::move(*call), .file = {}});
    return read;
  }
  if (const auto unknown = unknown_word(arguments)) return tl::unexpected(*unknown);
  auto read = read_case_files(arguments.operands);
  if (!read && read.error().find("not JSON") != std::string::npos) {
    return tl::unexpected(read.error() + "; a log or another text is read by explain --log FILE");
  }
  if (read) say_left_out(*read);
  return read;
}

/// What was asked for; a typed call names no product, so all are.
std::vector<Product> products_asked_for(const Arguments& arguments,
                                        const std::vector<Product>& chosen) {
  const bool names_none = arguments.call.any() || arguments.log;
  const bool everywhere = arguments.soc == "all" || (names_none && !arguments.soc);
  if (!everywhere) return chosen;
  std::vector<Product> products;
  products.reserve(corpus::product_rows.size());
  for (const corpus::ProductRow& row : corpus::product_rows) products.push_back(row.product);
  return products;
}

/// `has_advice`: what to look at where a legal call fails all the same.
void print(const std::vector<advice::Explanation>& explanations, const Arguments& arguments,
           corpus::Language language, bool has_advice) {
  const bool chinese = language == corpus::Language::Chinese;
  if (arguments.json) {
    for (const advice::Explanation& one : explanations)
      fmt::print("{}\n", advice::explanation_json(one));
    return;
  }
  const Case& test_case = explanations.front().test_case;
  if (!test_case.id.empty()) fmt::print("{}: ", test_case.id);
  std::string advice;
  const auto legal = std::ranges::find_if(explanations, &advice::Explanation::is_legal);
  if (has_advice && legal != explanations.end()) {
    advice =
        chinese ? advice::if_it_still_fails_in_chinese(*legal) : advice::if_it_still_fails(*legal);
  }
  const auto lines = to_size(std::ranges::count(advice, '\n'));
  fmt::print("{}{}",
             chinese
                 ? advice::explanation_in_chinese(explanations, advice::most_answer_lines - lines)
                 : advice::explanation_text(explanations, advice::most_answer_lines - lines),
             advice);
}

/// The calls themselves, in a language or as lines of a case file.
ExitCode print_calls(const std::vector<runs::StoredCase>& calls, const Arguments& arguments,
                     const std::vector<Product>& products) {
  const std::string language = arguments.code.value_or("");
  if (arguments.code && language != "c" && language != "python") {
    return fail(ExitCode::BadUsage,
                fmt::format("--code: \"{}\" is none of c, python, case", language));
  }
  for (const runs::StoredCase& kept : calls) {
    const corpus::Api api = kept.test_case.api;
    if (arguments.code && api != corpus::Api::ConvolutionBackward) {
      return fail(
          ExitCode::BadUsage,
          fmt::format("--code: {} is written as a case alone: --code case", corpus::name_of(api)));
    }
    for (const Case& call : on_products(kept.test_case, products)) {
      if (arguments.case_line) {
        fmt::print("{}\n", corpus::to_json_line(call));
      } else {
        fmt::print("{}", language == "c" ? advice::c_call(call) : advice::python_call(call));
      }
      if (!arguments.case_line) break;  // the code is the same on all products
    }
  }
  return ExitCode::NothingDisagreed;
}

/// `calls`: where they come from; asked once the other options are understood.
template <typename Calls>
ExitCode explain_calls(const Arguments& arguments, corpus::Language language,
                       Calls calls_of_arguments) {
  const auto range = data_range(arguments.range);
  if (!range) return fail(ExitCode::BadUsage, "--range: " + range.error());
  Arguments others = arguments;
  if (arguments.soc == "all") others.soc.reset();
  const auto configuration = configuration_of(others);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  const tl::expected<CasesOfFiles, std::string> calls = calls_of_arguments(arguments);
  if (!calls) return fail(ExitCode::BadUsage, calls.error());
  if (arguments.code || arguments.case_line) {
    return with_left_out(*calls,
                         print_calls(calls->cases, arguments, configuration->selection.products));
  }
  const auto library = load_target(*configuration);
  std::unique_ptr<targets::Target> simulated;
  if (library) simulated = (*library)->new_target();
  const advice::ExplanationSettings settings{.judge = judge_settings(*configuration),
                                             .simulated = simulated.get(),
                                             .compares_profiles = !arguments.profile,
                                             .data = range->law};
  const auto products = products_asked_for(arguments, configuration->selection.products);
  if (!arguments.json && !calls->cases.empty()) fmt::print("{}", range->words);
  for (const runs::StoredCase& kept : calls->cases) {
    std::vector<advice::Explanation> explanations;
    for (const Case& call : on_products(kept.test_case, products)) {
      explanations.push_back(advice::explanation_of(call, settings));
    }
    print(explanations, arguments, language, calls->cases.size() == 1);
  }
  return with_left_out(*calls, ExitCode::NothingDisagreed);
}

/// What the log says, then its calls; the calls alone where they are asked for as code or cases.
ExitCode explain_log(Arguments& arguments, corpus::Language language) {
  const auto reading = read_log(arguments);
  if (!reading) return fail(ExitCode::BadUsage, reading.error());
  const CasesOfFiles calls = calls_of_log(*reading);
  return explain_calls(arguments, language, [&](const Arguments&) {
    if (arguments.json) {
      fmt::print("{}\n", advice::reading_json(*reading));
    } else if (!arguments.code && !arguments.case_line) {
      fmt::print("{}{}", advice::reading_text(*reading), calls.cases.empty() ? "" : "\n");
    }
    return tl::expected<CasesOfFiles, std::string>(calls);
  });
}

}  // namespace

ExitCode explain(const Arguments& typed) {
  auto understood = with_typed_words(typed);
  if (!understood) return fail(ExitCode::BadUsage, understood.error());
  Arguments& arguments = *understood;
  const auto language = language_of(arguments);
  if (!language) return fail(ExitCode::BadUsage, language.error());
  if (arguments.log) return explain_log(arguments, *language);
  if (asks_about_terms(arguments)) return explain_terms(arguments, *language);
  return explain_calls(arguments, *language, calls_of);
}

}  // namespace gradproof::cli
