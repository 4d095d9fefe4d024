#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "properties/advice/tolerance/gradient_tolerance.h"
#include "properties/advice/tolerance/layer_tables.h"
#include "properties/cli/commands.h"
#include "properties/cli/input/case_input.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/data_range.h"
#include "properties/cli/run_command.h"
#include "properties/findings/report/report_table.h"

namespace gradproof::cli {
namespace {

using corpus::Case;

/// Errors: a sentence for the user.
tl::expected<std::vector<Case>, std::string> calls_of(const Arguments& arguments,
                                                      const Configuration& configuration) {
  if (arguments.call.any() != arguments.operands.empty()) {
    return tl::unexpected(
        std::string("tolerance: give either a case file (- for the standard input) or a call, e.g. "
                    "--input 2,3,224,224 --weight 64,3,7,7 --stride 2"));
  }
  std::vector<Case> calls;
  if (arguments.call.any()) {
    auto call = typed_call(arguments);
    if (!call) return tl::unexpected(call.error());
    calls.push_back(std::move(*call));
  } else {
    auto read = read_case_files(arguments.operands);
    if (!read) return tl::unexpected(read.error());
    for (runs::StoredCase& kept : read->cases) calls.push_back(std::move(kept.test_case));
  }
  std::vector<Case> on_each;
  for (const Case& call : calls) {
    std::ranges::move(on_products(call, configuration.selection.products),
                      std::back_inserter(on_each));
  }
  return on_each;
}

ExitCode print_tables(const std::vector<Case>& calls, const advice::ToleranceSettings& settings) {
  const auto cells = advice::tolerance_cells(calls, settings);
  if (!cells) return fail(ExitCode::BadUsage, cells.error());
  constexpr std::size_t no_limit = std::size_t{1} << 30;
  std::string text;
  for (const findings::ReportTable& table : advice::tolerance_tables(*cells, settings)) {
    text += findings::markdown_section(table, no_limit);
  }
  while (text.ends_with("\n\n")) text.pop_back();
  fmt::print("{}", text);
  return ExitCode::NothingDisagreed;
}

/// A call that has none is named, and those behind it are answered.
ExitCode print_each(const std::vector<Case>& calls, const Arguments& arguments,
                    const advice::ToleranceSettings& settings) {
  ExitCode code = ExitCode::NothingDisagreed;
  for (const Case& call : calls) {
    const auto gradients = advice::tolerances_of(call, settings);
    if (!gradients) {
      const std::string name = call.id.empty() ? "call" : call.id;
      code = fail(ExitCode::BadUsage, name + ": " + gradients.error());
      continue;
    }
    if (arguments.case_line) {
      for (const Case& stored : advice::stored_cases(call, *gradients)) {
        fmt::print("{}\n", corpus::to_json_line(stored));
      }
    } else if (arguments.json) {
      fmt::print("{}\n", advice::tolerance_json(call, *gradients, settings));
    } else {
      fmt::print("{}", advice::tolerance_text(call, *gradients, settings));
    }
  }
  return code;
}

}  // namespace

ExitCode tolerance(const Arguments& typed) {
  const auto understood = with_typed_words(typed);
  if (!understood) return fail(ExitCode::BadUsage, understood.error());
  const Arguments& arguments = *understood;
  if (arguments.code) return fail(ExitCode::BadUsage, "--code: --tolerance writes case alone");
  const auto range = data_range(arguments.range);
  if (!range) return fail(ExitCode::BadUsage, "--range: " + range.error());
  const auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  const auto calls = calls_of(arguments, *configuration);
  if (!calls) return fail(ExitCode::BadUsage, calls.error());
  const auto library = load_target(*configuration);
  const bool is_own = configuration->libraries.empty();
  if (!library && !is_own) return fail(ExitCode::TargetUnusable, library.error());
  const std::unique_ptr<targets::Target> target = library ? (*library)->new_target() : nullptr;
  advice::ToleranceSettings settings{.judge = judge_settings(*configuration),
                                     .machine = configuration->machine.get(),
                                     .target = target.get()};
  if (range->law) settings.data = *range->law;
  settings.largest_run = configuration->max_macs.value_or(settings.largest_run);
  if (arguments.table) return print_tables(*calls, settings);
  return print_each(*calls, arguments, settings);
}

}  // namespace gradproof::cli
