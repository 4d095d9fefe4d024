#include "properties/cli/options.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <string_view>

#include "corpus/element_lanes.h"
#include "oracle/numbers/instruction_set.h"
#include "properties/cli/version.h"
#include "properties/explain/module_words.h"
#include "properties/results/shell_word.h"

namespace gradproof::properties::cli {
namespace {

enum Group : unsigned {
  Selection = 1U << 0U,
  Budget = 1U << 1U,
  TargetGroup = 1U << 2U,
  Output = 1U << 3U,
  Replay = 1U << 4U,
  Shrink = 1U << 5U,
  Generate = 1U << 6U,
  Json = 1U << 7U,
  Explain = 1U << 8U,
  Faults = 1U << 9U,
  Report = 1U << 10U,
  League = 1U << 11U,
};

struct TextOption {
  const char* name;
  std::optional<std::string> Arguments::*value;
  unsigned groups;
  const char* help;
};
constexpr TextOption text_options[] = {
    {"--api", &Arguments::api, Selection,
     "what is called: aclnnConvolutionBackward, Conv3DBackpropInputV2, Conv3DBackpropFilterV2, "
     "Conv3DBpInputTiling, Conv3dBpFilterTiling"},
    {"--soc", &Arguments::soc, Selection | Explain,
     "products, devices or boards, e.g. Ascend910B3,Ascend950"},
    {"--dtype", &Arguments::dtype, Selection,
     "types of gradOutput, input and weight, e.g. FLOAT,BF16"},
    {"--rank", &Arguments::rank, Selection, "3 (1D), 4 (2D), 5 (3D)"},
    {"--transposed", &Arguments::transposed, Selection, "yes or no"},
    {"--kind", &Arguments::kind, Selection, "valid, invalid or all"},
    {"--law", &Arguments::law, Selection | Replay | Shrink,
     "laws to hold the target to; see `gradproof list laws`"},
    {"--rule", &Arguments::rule, Selection, "rules to break; see `gradproof list rules`"},
    {"--range", &Arguments::range, Explain,
     "the data's, e.g. -1,1: rtol, atol and the largest absolute error are said for it"},
    {"--recipe", &Arguments::recipe, Selection | Replay, "data recipes, instead of the cases' own"},
    {"--max-macs", &Arguments::max_macs, Selection | Replay | League,
     "largest case, in multiply-accumulates of one gradient"},
    {"-t,--time", &Arguments::time, Budget | Replay | Shrink, "how long, e.g. 60s, 5m, 2h"},
    {"--cases", &Arguments::cases, Budget | Generate | League, "how many cases"},
    {"--findings", &Arguments::findings, Budget | Replay,
     "end when so many distinct findings are minimised"},
    {"-s,--seed", &Arguments::seed, Budget | Generate | Replay | Faults | League,
     "what the cases follow from"},
    {"--first", &Arguments::first, Generate, "number of the first case"},
    {"-j,--jobs", &Arguments::jobs, Budget | Replay | Faults | League,
     "worker threads; default: cores"},
    {"--time-per-fault", &Arguments::time_per_fault, Faults | League, "to find each in, e.g. 10s"},
    {"--fault", &Arguments::fault, Faults | League, "these alone; see `gradproof list faults`"},
    {"--only", &Arguments::only, League, "these baselines alone, e.g. benchdnn,miopen"},
    {"--shard", &Arguments::shard, Budget | Replay,
     "I/N: this process's part, by the hash of each case's id"},
    {"--stored", &Arguments::stored, Budget, "no: generated cases only"},
    {"--dictionary", &Arguments::dictionary, Budget | Generate,
     "integers that sizes are drawn from: auto (what the target's code compares with), no, or a "
     "file of them; default: auto for a library that is not Gradproof's own"},
    {"--sample", &Arguments::sample, Replay, "run only so many of the cases, spread evenly"},
    {"--target", &Arguments::target, TargetGroup,
     "libraries with CANN's functions, first match wins"},
    {"--profile", &Arguments::profile, TargetGroup | Explain, "documented, released or tolerant"},
    {"--adder", &Arguments::adder, TargetGroup,
     "what the target's additions guarantee: ieee, faithful or block"},
    {"--hf32", &Arguments::hf32, TargetGroup,
     "how the target rounds FLOAT to HFLOAT32: even, away or unknown"},
    {"--isolate", &Arguments::isolate, TargetGroup,
     "no: the target's code runs in this process; default: in child processes"},
    {"--timeout", &Arguments::timeout, TargetGroup,
     "for each case of an isolated target; default: 30s"},
    {"-o,--out", &Arguments::out, Output,
     "folder for results and findings; default: gradproof-out, and nothing is written by replay"},
    {"--html", &Arguments::html, Report, "file for a page to look at"},
    {"--markdown", &Arguments::markdown, Report, "file for a job's summary"},
    {"--junit", &Arguments::junit, Report, "file for a CI system's list of tests"},
    {"--json", &Arguments::json_file, Report, "file for programs; docs/report.schema.json"},
    {"--color", &Arguments::color, Output, "auto, yes or no"},
};

struct FlagOption {
  const char* name;
  bool Arguments::*value;
  unsigned groups;
  const char* help;
};
constexpr FlagOption flag_options[] = {
    {"-q,--quiet", &Arguments::quiet, Output, "only the last line"},
    {"--table", &Arguments::table, Output | Report, "all tables, not their summary alone"},
    {"--status-only", &Arguments::status_only, Replay,
     "judge what phase one returns, compute nothing"},
    {"--json", &Arguments::json, Json | Explain, "for programs to read"},
    {"--brief", &Arguments::brief, Explain, "the answer alone, without the call in Python and C"},
};

enum class Operands : unsigned char { None, OneFile, MaybeFile, Files, Results, Topic };

struct CommandRow {
  const char* name;
  const char* help;
  unsigned groups;
  Operands operands;
};
constexpr CommandRow command_rows[] = {
    {"verify", "stored cases first, then generated ones, until the budget ends",
     Selection | Budget | TargetGroup | Output, Operands::None},
    {"replay", "the cases of JSON Lines files (- is the standard input)",
     Replay | TargetGroup | Output, Operands::Files},
    {"shrink",
     "the smallest case that fails like the first failing one of FILE, to the standard output",
     Shrink | TargetGroup, Operands::OneFile},
    {"explain",
     "why a call is legal or not, and how exactly it is computed: FILE, a call's options, a module "
     "such as \"Conv2d(3, 64, 7)\"; or what a status, message code or rule means",
     Explain, Operands::MaybeFile},
    {"generate", "generated cases as JSON Lines", Generate | Selection, Operands::None},
    {"faults", "inserts each known fault into the kernel and says how fast it is found",
     Faults | Output, Operands::None},
    {"league", "the verdicts of other tools on the same seeded faults and data", League | Output,
     Operands::None},
    {"report", "merges the results of runs (their folders or results files) and renders them",
     Report, Operands::Results},
    {"list", "rules, laws, formats, products, recipes or faults", Json, Operands::Topic},
};

struct CallOption {
  const char* name;
  std::optional<std::string> CallWords::*value;
  const char* help;
  const char* implied = nullptr;  ///< what the option means without a value; null: it needs one
};
constexpr CallOption call_options[] = {
    {"--input", &CallWords::input, "shape, e.g. 2,3,224,224 or torch.Size([2, 3, 224, 224])"},
    {"--weight", &CallWords::weight, "shape, e.g. 64,3,7,7"},
    {"--grad-output", &CallWords::grad_output, "shape; default: what the rest leads to"},
    {"--stride", &CallWords::stride, "one value, or one per axis"},
    {"--padding", &CallWords::padding,
     "one value, one per axis, four (top,bottom,left,right), same or valid"},
    {"--dilation", &CallWords::dilation, "one value, or one per axis"},
    {"--output-padding", &CallWords::output_padding, "one value, or one per axis"},
    {"--groups", &CallWords::groups, "a number"},
    {"--transposed", &CallWords::transposed, "yes or no; alone: yes", "yes"},
    {"--bias", &CallWords::bias, "gradBias is wanted: yes or no; alone: yes", "yes"},
    {"--bias-sizes", &CallWords::bias_sizes, "biasSizes, e.g. 64; asks for gradBias"},
    {"--mask", &CallWords::mask, "outputMask, e.g. 1,1,0"},
    {"--dtype", &CallWords::dtype,
     "one type, or those of gradOutput, input and weight, e.g. bf16 or torch.float32"},
    {"--format", &CallWords::format,
     "of all tensors, e.g. NHWC or channels_last; default: NCL, NCHW or NCDHW"},
    {"--cube-math-type", &CallWords::cube_math_type, "0 to 3, or a name such as USE_HF32"},
};

/// A shell passes "2, 3, 224, 224" without quotes as four words.
constexpr int most_words = 16;

/// The words of an option in one. A module among them is an operand that follows the option.
std::string value_of(const std::vector<std::string>& words, std::vector<std::string>& operands) {
  std::string value;
  for (const std::string& word : words) {
    if (is_module(word)) {
      operands.push_back(word);
    } else {
      value += (value.empty() ? "" : " ") + word;
    }
  }
  return value;
}

void add_call_options(CLI::App& command, Arguments& arguments) {
  for (const CallOption& option : call_options) {
    auto* added = command.add_option_function<std::vector<std::string>>(
        option.name,
        [&arguments, &option](const std::vector<std::string>& words) {
          const std::string value = value_of(words, arguments.operands);
          const bool alone = value.empty() && option.implied != nullptr;
          arguments.call.*option.value = alone ? option.implied : value;
        },
        option.help);
    added->expected(option.implied != nullptr ? 0 : 1, most_words)->type_name("TEXT");
  }
}

void add_operands(CLI::App& app, Operands operands, Arguments& arguments) {
  switch (operands) {
    case Operands::None:
      return;
    case Operands::OneFile:
      app.add_option("FILE", arguments.operands, "a case file")->required()->expected(1);
      return;
    case Operands::MaybeFile:
      app.add_option("FILE", arguments.operands, "case files, a module, or codes and rules")
          ->expected(1, -1);
      return add_call_options(app, arguments);
    case Operands::Files:
      app.add_option("FILE", arguments.operands, "case files")->required()->expected(1, -1);
      return;
    case Operands::Results:
      app.add_option("PATH", arguments.operands, "folders of runs, or results files")
          ->required()
          ->expected(1, -1);
      return;
    case Operands::Topic:
      app.add_option("TOPIC", arguments.operands,
                     "rules, laws, formats, products, recipes or faults")
          ->required()
          ->expected(1);
      return;
  }
}

void add_command(CLI::App& app, const CommandRow& row, Arguments& arguments) {
  CLI::App* command = app.add_subcommand(row.name, row.help);
  for (const TextOption& option : text_options) {
    if ((option.groups & row.groups) == 0) continue;
    command->add_option_function<std::string>(
        option.name,
        [&arguments, &option](const std::string& text) { arguments.*option.value = text; },
        option.help);
  }
  for (const FlagOption& option : flag_options) {
    if ((option.groups & row.groups) != 0) {
      command->add_flag(option.name, arguments.*option.value, option.help);
    }
  }
  add_operands(*command, row.operands, arguments);
  command->callback([&arguments, &row] { arguments.command = row.name; });
}

/// The library would only say that a command is missing.
std::optional<std::string> unknown_command(int argument_count, const char* const* words) {
  if (argument_count < 2 || words[1][0] == '-') return std::nullopt;
  const std::string_view first = words[1];
  const bool known =
      std::ranges::any_of(command_rows, [&](const CommandRow& row) { return first == row.name; });
  return known ? std::nullopt : std::optional<std::string>(first);
}

std::string command_line(int argument_count, const char* const* words) {
  std::string line = "gradproof";
  for (int i = 1; i < argument_count; ++i) line += ' ' + shell_word(words[i]);
  return line;
}

/// The second line says which vector instructions draw the data and compute the truth: the only
/// part of a run that differs between hosts.
std::string version() {
  return fmt::format("{}\nvectors: {} (test data), {} (oracle)", program_version(),
                     corpus::name_of(corpus::widest_lanes()),
                     oracle::name_of(oracle::widest_instruction_set()));
}

}  // namespace

std::variant<Arguments, ExitCode> parse_command_line(int argument_count, const char* const* words) {
  Arguments arguments;
  arguments.command_line = command_line(argument_count, words);
  CLI::App app("Exact verification of convolution-gradient kernels with the CANN API", "gradproof");
  app.set_version_flag("-V,--version", version);
  app.require_subcommand(1);
  for (const CommandRow& row : command_rows) add_command(app, row, arguments);
  if (const auto unknown = unknown_command(argument_count, words)) {
    std::cerr << "gradproof: there is no command \"" << *unknown
              << "\"; gradproof --help lists them\n";
    return ExitCode::BadUsage;
  }
  try {
    app.parse(argument_count, words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error, std::cout, std::cerr);
      return ExitCode::NothingDisagreed;
    }
    std::cerr << "gradproof: " << error.what() << "\nRun with --help for more information.\n";
    return ExitCode::BadUsage;
  }
  return arguments;
}

}  // namespace gradproof::properties::cli
