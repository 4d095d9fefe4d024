#include <fmt/core.h>

#include "corpus/product.h"
#include "properties/advice/tensors/given_tensors.h"
#include "properties/advice/tensors/judgement.h"
#include "properties/cli/commands.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/run_command.h"

namespace gradproof::cli {
namespace {

ExitCode code_of(corpus::Outcome outcome) {
  switch (outcome) {
    case corpus::Outcome::Disagree:
      return ExitCode::Disagreement;
    case corpus::Outcome::Agree:
    case corpus::Outcome::Vacuous:
      return ExitCode::NothingDisagreed;
    default:
      return ExitCode::Unhealthy;
  }
}

}  // namespace

ExitCode judge(const Arguments& arguments) {
  const auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  auto layer = advice::tensors_of_files(arguments.operands, arguments.call);
  if (!layer) return fail(ExitCode::BadUsage, layer.error());
  const auto& products = configuration->selection.products;
  if (products.size() > 1) return fail(ExitCode::BadUsage, "--soc: one product is judged by");
  for (advice::GivenTensors& call : layer->calls) {
    if (!products.empty()) call.test_case.soc = corpus::name_of(products.front());
  }
  auto settings = judge_settings(*configuration);
  settings.profile = advice::profile_of_given;
  const advice::Judgement judgement = advice::judgement_of(*layer, {.judge = settings});
  if (arguments.json) {
    fmt::print("{}\n", advice::judgement_json(judgement));
  } else {
    fmt::print("{}", advice::judgement_text(judgement));
  }
  return code_of(judgement.verdict.outcome);
}

}  // namespace gradproof::cli
