#pragma once

// The tables of what a command line may hold. options.cpp makes the parser of them.

#include <optional>
#include <string>

#include "properties/cli/arguments.h"

namespace gradproof::properties::cli::rows {

/// Commands whose options an option belongs to.
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
  Demo = 1U << 11U,
  Prove = 1U << 12U,
  Fingerprint = 1U << 13U,
  Tolerance = 1U << 14U,
  Judge = 1U << 15U,
};

/// Headings of the help.
inline constexpr const char* title_cases = "Cases";
inline constexpr const char* title_budget = "Budget";
inline constexpr const char* title_target = "Target";
inline constexpr const char* title_answer = "Answer";
inline constexpr const char* title_output = "Output";
inline constexpr const char* title_call = "Call";

/// An option with a value.
struct TextOption {
  const char* name;
  std::optional<std::string> Arguments::*member;
  unsigned groups;
  const char* value;  ///< what stands for it in the help
  const char* title;
  const char* help;
};
inline constexpr TextOption text_options[] = {
    {"--api", &Arguments::api, Selection, "LIST", title_cases,
     "what is called: aclnnConvolutionBackward, Conv3DBackpropInputV2, Conv3DBackpropFilterV2, "
     "Conv3DBpInputTiling, Conv3dBpFilterTiling"},
    {"--soc", &Arguments::soc,
     Selection | Explain | Replay | Prove | Fingerprint | Tolerance | Judge, "LIST", title_cases,
     "products, devices or boards, e.g. Ascend910B3,Ascend950; replay: of a typed call"},
    {"--scope", &Arguments::scope, Prove, "small|blocks|FILE", title_cases,
     "which calls: small (default), blocks, or a scope file; docs/prove.md"},
    {"--mode", &Arguments::mode, Prove, "LIST", title_cases,
     "DTYPE or DTYPE:CUBEMATHTYPE, e.g. FLOAT,BF16:1, or all; default: FLOAT:0"},
    {"--attacks", &Arguments::attacks, Prove, "turn|all|no", title_cases,
     "runs that attack the assumption that values are not looked at: one for each call in turn "
     "(default), all, or none"},
    {"--dtype", &Arguments::dtype, Selection, "LIST", title_cases,
     "types of gradOutput, input and weight, e.g. FLOAT,BF16"},
    {"--rank", &Arguments::rank, Selection, "LIST", title_cases, "3 (1D), 4 (2D), 5 (3D)"},
    {"--transposed", &Arguments::transposed, Selection, "yes|no", title_cases, "yes or no"},
    {"--kind", &Arguments::kind, Selection, "valid|invalid|all", title_cases,
     "valid, invalid or all"},
    {"--law", &Arguments::law, Selection | Replay | Shrink, "LIST", title_cases,
     "laws to hold the target to; see `gradproof list laws`"},
    {"--rule", &Arguments::rule, Selection, "LIST", title_cases,
     "rules to break; see `gradproof list rules`"},
    {"--range", &Arguments::range, Explain | Tolerance, "LOW,HIGH|normal|FILE", title_answer,
     "the data: -1,1, normal or normal,0.02, FILE.npy or FILE:DTYPE: rtol, atol and what is "
     "typical are said for it"},
    {"--code", &Arguments::code, Explain, "c|python", title_answer,
     "c or python: nothing but the call in that language, ready to compile or run"},
    {"--log", &Arguments::log, Explain, "FILE", title_answer,
     "a pasted error text or log (- is the standard input): what it names, the calls in it, what "
     "is "
     "lacking; --input adds the shape of a layer's input"},
    {"--lang", &Arguments::lang, Explain | Json, "en|zh", title_answer,
     "en or zh: the answer's language; default: the locale's"},
    {"--torch", &Arguments::torch, Explain | Tolerance, "MODULE", title_call,
     "a layer as PyTorch prints it, e.g. \"Conv2d(3, 64, kernel_size=(7, 7))\"; with --input"},
    {"--recipe", &Arguments::recipe, Selection | Replay, "LIST", title_cases,
     "data recipes, instead of the cases' own"},
    {"--max-macs", &Arguments::max_macs, Selection | Replay | Tolerance, "N", title_cases,
     "largest case, in multiply-accumulates of one gradient"},
    {"--max-bytes", &Arguments::max_bytes, Budget, "BYTES", title_cases,
     "memory of a generated case that is computed (64M); larger ones: their status alone"},
    {"-t,--time", &Arguments::time, Budget | Replay | Shrink, "TIME", title_budget,
     "how long, e.g. 60s, 5m, 2h"},
    {"--cases", &Arguments::cases, Budget | Generate, "N", title_budget, "how many cases"},
    {"--findings", &Arguments::findings, Budget | Replay | Prove, "N", title_budget,
     "end when so many distinct findings are minimised"},
    {"-s,--seed", &Arguments::seed,
     Budget | Generate | Replay | Faults | Demo | Prove | Fingerprint, "N", title_budget,
     "what the cases follow from"},
    {"--calls", &Arguments::calls, Fingerprint, "N", title_budget,
     "of the target, at most; default: 20000"},
    {"--predict", &Arguments::predict, Fingerprint, "N", title_budget,
     "random results that each model has to predict, up to 100000; default: 2000"},
    {"--against", &Arguments::against, Fingerprint, "FILE", title_answer,
     "an earlier machine.json: what is different now"},
    {"--first", &Arguments::first, Generate, "N", title_budget, "number of the first case"},
    {"-j,--jobs", &Arguments::jobs, Budget | Replay | Faults | Prove, "N", title_budget,
     "worker threads; default: cores"},
    {"--time-per-fault", &Arguments::time_per_fault, Faults, "TIME", title_budget,
     "to find each in, e.g. 10s"},
    {"--fault", &Arguments::fault, Faults, "LIST", title_cases,
     "these alone; see `gradproof list faults`"},
    {"--shard", &Arguments::shard, Budget | Replay | Prove, "I/N", title_budget,
     "I/N: this process's part, by the hash of each case's id"},
    {"--stored", &Arguments::stored, Budget, "no", title_cases, "no: generated cases only"},
    {"--sample", &Arguments::sample, Replay, "N", title_cases,
     "run only so many of the cases, spread evenly"},
    {"--target", &Arguments::target, TargetGroup, "LIST", title_target,
     "libraries with CANN's functions, first match wins; or pipe:CMD, a program of any "
     "language (docs/pipe.md)"},
    {"--profile", &Arguments::profile, TargetGroup | Explain, "NAME", title_target,
     "documented, released or tolerant"},
    {"--adder", &Arguments::adder, TargetGroup | Judge, "NAME", title_target,
     "what the target's additions guarantee: ieee, faithful or block"},
    {"--machine", &Arguments::machine, TargetGroup, "FILE", title_target,
     "machine.json: how the target adds, as gradproof fingerprint measured it; instead of --adder"},
    {"--hf32", &Arguments::hf32, TargetGroup | Judge, "NAME", title_target,
     "how the target rounds FLOAT to HFLOAT32: even, away or unknown"},
    {"--specials", &Arguments::specials, TargetGroup | Judge, "NAME", title_target,
     "judged (default) or ignored: elements with infinite or NaN products"},
    {"--views", &Arguments::views, TargetGroup, "yes|no", title_target,
     "yes: a pipe's program is given operands with strides and offsets; default: dense"},
    {"--repeat", &Arguments::repeat, TargetGroup, "yes|no", title_target,
     "yes: a pipe's program is asked each call twice, and the bits must be the same"},
    {"--domain", &Arguments::domain, Selection, "NAME", title_cases,
     "cann (default); of a pipe's program also pytorch, which adds output padding up to the "
     "dilation, or any, which adds negative padding"},
    {"--isolate", &Arguments::isolate, TargetGroup, "no", title_target,
     "no: the target's code runs in this process; default: in child processes"},
    {"--timeout", &Arguments::timeout, TargetGroup, "TIME", title_target,
     "for each case of an isolated target; default: 30s"},
    {"-o,--out", &Arguments::out, Output | Demo, "DIR", title_output,
     "folder for results and findings; default: gradproof-out, and nothing is written by replay"},
    {"--results", &Arguments::results, Budget, "WHICH", title_output,
     "all (default) or failures: cases with a line of their own in results.jsonl; the others are "
     "counted together"},
    {"--certificate", &Arguments::certificate, Budget | Replay | Prove, "FILE", title_output,
     "file of all verdicts and what they rest on, for gradproof-check-certificate"},
    {"--html", &Arguments::html, Report, "FILE", title_output, "file for a page to look at"},
    {"--markdown", &Arguments::markdown, Report, "FILE", title_output, "file for a job's summary"},
    {"--junit", &Arguments::junit, Report, "FILE", title_output,
     "file for a CI system's list of tests"},
    {"--json", &Arguments::json_file, Report, "FILE", title_output,
     "file for programs; docs/report.schema.json"},
    {"--observability", &Arguments::observations, Report, "FILE", title_output,
     "file for tools that read Hypothesis's"},
    {"--baseline", &Arguments::baseline, Report, "LIST", title_output,
     "earlier runs to compare with, oldest first"},
    {"--color", &Arguments::color, Output, "WHEN", title_output,
     "auto, always or never; auto: on a terminal, and NO_COLOR is not set"},
};

/// An option without one.
struct FlagOption {
  const char* name;
  bool Arguments::*member;
  unsigned groups;
  const char* title;
  const char* help;
};
inline constexpr FlagOption flag_options[] = {
    {"-q,--quiet", &Arguments::quiet, Output, title_output, "only the last line"},
    {"--museum", &Arguments::museum, Faults, title_cases, "bugs that other libraries had, alone"},
    {"--table", &Arguments::table, Output | Report | Tolerance, title_output,
     "all tables, not their summary alone"},
    {"--status-only", &Arguments::status_only, Replay, title_cases,
     "judge what phase one returns, compute nothing"},
    {"--json", &Arguments::json, Json | Explain | Tolerance | Judge, title_output,
     "for programs to read"},
    {"--case", &Arguments::case_line, Explain | Tolerance, title_answer,
     "nothing but the call as a line of a case file, to replay, shrink or keep"},
};

/// A part of a typed call.
struct CallOption {
  const char* name;
  std::optional<std::string> CallWords::*member;
  const char* help;
  const char* implied = nullptr;  ///< what the option means without a value; null: it needs one
};
inline constexpr CallOption call_options[] = {
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

}  // namespace gradproof::properties::cli::rows
