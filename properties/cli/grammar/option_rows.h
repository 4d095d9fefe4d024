#pragma once

// The tables of what a command line may hold. options.cpp makes the parser of them.

#include <optional>
#include <string>

#include "properties/cli/arguments.h"

namespace gradproof::cli::rows {

using namespace modes;

inline constexpr unsigned targeted = Verify | Prove | Replay | Shrink | Tolerance | Fingerprint;
inline constexpr unsigned generating = Verify | Generate;
inline constexpr unsigned explaining = Explain | Tolerance;
inline constexpr unsigned replaying = Replay | Shrink;
inline constexpr unsigned calling = replaying | explaining | Judge | Fingerprint;

/// Headings of the help.
inline constexpr const char* title_cases = "Cases";
inline constexpr const char* title_budget = "Budget";
inline constexpr const char* title_target = "Target";
inline constexpr const char* title_answer = "Answer";
inline constexpr const char* title_output = "Output";
inline constexpr const char* title_call = "Call";

/// An option with a value. `modes` have it, `usual` show it without --help-all.
struct TextOption {
  const char* name;
  std::optional<std::string> Arguments::*member;
  unsigned modes;
  unsigned usual;
  const char* value;  ///< what stands for it in the help
  const char* title;
  const char* help;
};
inline constexpr TextOption text_options[] = {
    {"--api", &Arguments::api, generating, Generate, "LIST", title_cases,
     "what is called: aclnnConvolutionBackward, Conv3DBackpropInputV2, Conv3DBackpropFilterV2, "
     "Conv3DBpInputTiling, Conv3dBpFilterTiling; by its name alone: aclnnConvolution, "
     "aclnnConvTbc, "
     "aclnnConvDepthwise2d"},
    {"--soc", &Arguments::soc, generating | Prove | replaying | explaining | Fingerprint | Judge,
     ~0U, "LIST", title_cases,
     "products, devices or boards, e.g. Ascend910B3,Ascend950; replay: of a typed call"},
    {"--rank", &Arguments::rank, generating, Generate, "LIST", title_cases,
     "3 (1D), 4 (2D), 5 (3D)"},
    {"--kind", &Arguments::kind, generating, ~0U, "valid|invalid|all", title_cases,
     "valid, invalid or all"},
    {"--law", &Arguments::law, generating | replaying, 0, "LIST", title_cases,
     "laws to hold the target to; see `gradproof list laws`"},
    {"--claim", &Arguments::claim, Verify | Gate, Gate, "LIST", title_cases,
     "what the library claims of its bits, to be checked: deterministic, batch-invariant, "
     "group-invariant, position-invariant, core-invariant, alignment-invariant"},
    {"--rule", &Arguments::rule, generating, Generate, "LIST", title_cases,
     "rules to break; see `gradproof list rules`"},
    {"--recipe", &Arguments::recipe, generating | Replay, 0, "LIST", title_cases,
     "data recipes, instead of the cases' own"},
    {"--max-macs", &Arguments::max_macs, generating | Replay | Tolerance, Replay, "N", title_cases,
     "largest case, in multiply-accumulates of one gradient"},
    {"-t,--time", &Arguments::time, Verify | replaying | Faults | Gate, Verify | Faults | Gate,
     "TIME", title_budget, "how long, e.g. 60s, 5m, 2h; faults: for each"},
    {"--cases", &Arguments::cases, generating | Fingerprint, ~0U, "N", title_budget,
     "how many cases; fingerprint: calls of the target at most (20000)"},
    {"--findings", &Arguments::findings, Verify | Replay | Prove, Verify, "N", title_budget,
     "end when so many distinct findings are minimised"},
    {"-s,--seed", &Arguments::seed, generating | Replay | Faults | Demo | Prove | Fingerprint,
     ~replaying, "N", title_budget, "what the cases follow from"},
    {"-j,--jobs", &Arguments::jobs, Verify | Replay | Faults | Prove, Verify | Faults | Prove, "N",
     title_budget, "worker threads; default: cores"},
    {"--shard", &Arguments::shard, Verify | Replay | Prove, Prove, "I/N", title_budget,
     "I/N: this process's part, by the hash of each case's id"},
    {"--target", &Arguments::target, targeted, targeted & ~unsigned{Tolerance}, "LIST",
     title_target,
     "libraries with CANN's functions, first match wins; or pipe:CMD, a program of any "
     "language (docs/pipe.md)"},
    {"--profile", &Arguments::profile, targeted | Explain, 0, "NAME", title_target,
     "documented, released or tolerant"},
    {"--machine", &Arguments::machine, targeted | Judge, Prove | Judge, "FILE|KEY=VALUE,...",
     title_target,
     "how the target computes: machine.json of gradproof fingerprint, or keys (below)"},
    {"--timeout", &Arguments::timeout, targeted, 0, "TIME", title_target,
     "for each case of a target in child processes; default: 30s"},
    {"--range", &Arguments::range, explaining, explaining, "LOW,HIGH|normal|FILE", title_answer,
     "the data: -1,1, normal or normal,0.02, FILE.npy or FILE:DTYPE: rtol, atol and what is "
     "typical are said for it"},
    {"--code", &Arguments::code, explaining, explaining, "c|python|case", title_answer,
     "nothing but the call: in C or Python, ready to compile or run, or as a line of a case file"},
    {"--log", &Arguments::log, Explain, Explain, "FILE", title_answer,
     "a pasted error text or log (- is the standard input): what it names, the calls in it, what "
     "is lacking; --input adds the shape of a layer's input"},
    {"--lang", &Arguments::lang, Explain | List, List, "en|zh", title_answer,
     "en or zh: the answer's language; default: the locale's"},
    {"--baseline", &Arguments::baseline, Report | Fingerprint, ~0U, "LIST", title_answer,
     "what to compare with: earlier runs, oldest first; fingerprint: an earlier machine.json"},
    {"-o,--out", &Arguments::out, Verify | Prove | Replay | Faults | Fingerprint | Demo, ~0U, "DIR",
     title_output,
     "folder for results and findings; default: gradproof-out, and nothing is written by replay"},
    {"--python", &Arguments::python, Gate, Gate, "FILE:FUNCTION", title_target,
     "a function of NumPy arrays; its file's DTYPES, if there, names the types that it takes"},
    {"--without", &Arguments::without, Gate, Gate, "LIST", title_target,
     "what the candidate need not take: 1d, 2d, 3d, 1x1, 3x3, other-kernel, strided, padded, "
     "dilated, grouped, depthwise, plain, transposed, layer"},
    {"--allow-library", &Arguments::allow_library, Gate, Gate, "LIST", title_target,
     "libraries that it may load: names of the system's, or files"},
    {"--json", &Arguments::json_file, Gate, Gate, "FILE", title_output,
     "the verdict, of 2 KB at most; opened before the candidate begins"},
    {"--nonce", &Arguments::nonce, Gate, Gate, "TEXT", title_output,
     "repeated in the verdict: one without it is none"},
    {"--write", &Arguments::write, Verify | Replay | Prove | Report, Prove | Report,
     "KIND=FILE,...", title_output, "further files (kinds below)"},
    {"--set", &Arguments::set, Verify | Prove | Replay | Faults | Fingerprint | Generate | Report,
     0, "KEY=VALUE,...", title_output, "what is rarely needed (keys below)"},
};

/// An option without one.
struct FlagOption {
  const char* name;
  bool Arguments::*member;
  unsigned modes;
  unsigned usual;
  const char* title;
  const char* help;
};
inline constexpr FlagOption flag_options[] = {
    {"--no-stored", &Arguments::no_stored, Verify, 0, title_cases, "generated cases only"},
    {"--status-only", &Arguments::status_only, Replay, 0, title_cases,
     "judge what phase one returns, compute nothing"},
    {"--in-process", &Arguments::in_process, targeted, 0, title_target,
     "the target's code runs in this process; default: in child processes"},
    {"--shrink", &Arguments::shrink, replaying, replaying, title_answer,
     "print the smallest case that fails like the first failing one"},
    {"--tolerance", &Arguments::tolerance, explaining, explaining, title_answer,
     "for each gradient: how far a correct result may be off, rtol and atol, and data that show "
     "it"},
    {"--json", &Arguments::json, List | explaining | Judge, List | Judge, title_answer,
     "for programs to read"},
    {"--table", &Arguments::table,
     Verify | Prove | Replay | Faults | Fingerprint | Report | Tolerance, Report, title_output,
     "all tables, not their summary alone"},
    {"-q,--quiet", &Arguments::quiet, Verify | Prove | Replay | Faults | Fingerprint,
     Faults | Fingerprint, title_output, "only the last line"},
};

/// A part of a typed call. Three select among the calls of commands that make theirs.
struct CallOption {
  const char* name;
  std::optional<std::string> advice::CallTexts::*member;
  unsigned usual;
  const char* help;
  const char* implied = nullptr;  ///< what the option means without a value; null: it needs one
  std::optional<std::string> Arguments::*selects = nullptr;
  unsigned selecting = 0;  ///< modes
};
inline constexpr CallOption call_options[] = {
    {"--input", &advice::CallTexts::input, replaying | explaining | Fingerprint,
     "shape, e.g. 2,3,224,224 or torch.Size([2, 3, 224, 224])"},
    {"--weight", &advice::CallTexts::weight, ~0U, "shape, e.g. 64,3,7,7"},
    {"--grad-output", &advice::CallTexts::grad_output, 0, "shape; default: what the rest leads to"},
    {"--stride", &advice::CallTexts::stride, replaying | explaining | Judge,
     "one value, or one per axis"},
    {"--padding", &advice::CallTexts::padding, replaying | explaining | Judge,
     "one value, one per axis, four (top,bottom,left,right), same or valid"},
    {"--dilation", &advice::CallTexts::dilation, Judge, "one value, or one per axis"},
    {"--output-padding", &advice::CallTexts::output_padding, 0, "one value, or one per axis"},
    {"--groups", &advice::CallTexts::groups, Judge, "a number"},
    {"--transposed", &advice::CallTexts::transposed, Judge, "yes or no; of a typed call alone: yes",
     "yes", &Arguments::transposed, generating},
    {"--bias", &advice::CallTexts::bias, 0,
     "gradBias is wanted: yes or no; alone: yes; or biasSizes, e.g. 64 or (1)", "yes"},
    {"--mask", &advice::CallTexts::mask, 0, "outputMask, e.g. 1,1,0"},
    {"--dtype", &advice::CallTexts::dtype, ~unsigned{Judge},
     "element types, e.g. bf16 or torch.float32: of a call one, or those of gradOutput, input and "
     "weight; prove: all, too",
     nullptr, &Arguments::dtype, generating | Prove | Gate},
    {"--format", &advice::CallTexts::format, 0,
     "of all tensors, e.g. NHWC or channels_last; default: NCL, NCHW or NCDHW"},
    {"--cube-math-type", &advice::CallTexts::cube_math_type, Prove,
     "0 to 3, or a name such as USE_HF32; prove: a list or all", nullptr,
     &Arguments::cube_math_type, Prove},
};

/// A key of an option of the form KEY=VALUE,...
struct KeyRow {
  const char* key;
  const char* option;
  std::optional<std::string> Arguments::*member;
  unsigned modes;
  const char* help;
};
inline constexpr KeyRow key_rows[] = {
    {"adder", "--machine", &Arguments::adder, targeted | Judge,
     "what additions guarantee: ieee, faithful or block"},
    {"hf32", "--machine", &Arguments::hf32, targeted | Judge,
     "how FLOAT is rounded to HFLOAT32: even, away or unknown"},
    {"specials", "--machine", &Arguments::specials, targeted | Judge,
     "judged (default) or ignored: elements with infinite or NaN products"},
    {"certificate", "--write", &Arguments::certificate, Verify | Replay | Prove,
     "all verdicts and what they rest on, for gradproof-check-certificate"},
    {"html", "--write", &Arguments::html, Report, "a page to look at"},
    {"json", "--write", &Arguments::json_file, Report, "for programs; docs/report.schema.json"},
    {"junit", "--write", &Arguments::junit, Report, "a CI system's list of tests"},
    {"markdown", "--write", &Arguments::markdown, Report, "a job's summary"},
    {"observability", "--write", &Arguments::observations, Report,
     "for tools that read Hypothesis's"},
    {"openmetrics", "--write", &Arguments::openmetrics, Report, "counts, for Prometheus"},
    {"attacks", "--set", &Arguments::attacks, Prove,
     "runs against the assumption that values are not looked at: one for each call in turn, all or "
     "no"},
    {"color", "--set", &Arguments::color, Verify | Prove | Replay | Faults | Fingerprint,
     "auto, always or never; auto: on a terminal, and NO_COLOR is not set"},
    {"domain", "--set", &Arguments::domain, generating,
     "of a pipe's program: cann, pytorch, which adds output padding up to the dilation, or any, "
     "which adds negative padding"},
    {"first", "--set", &Arguments::first, Generate, "number of the first case"},
    {"max-bytes", "--set", &Arguments::max_bytes, Verify,
     "memory of a generated case that is computed (64M); larger ones: their status alone"},
    {"follow", "--set", &Arguments::follow, Report,
     "yes: the folders are those that parts are written into: report what is there, again as it "
     "grows, until all have ended"},
    {"predict", "--set", &Arguments::predict, Fingerprint,
     "random results that each model has to predict, up to 100000 (2000)"},
    {"repeat", "--set", &Arguments::repeat, Verify | Prove | Replay,
     "yes: a pipe's program is asked each call twice, and the bits must be the same"},
    {"results", "--set", &Arguments::results, Verify,
     "all or failures: cases with a line of their own in results.jsonl; the others are counted"},
    {"sample", "--set", &Arguments::sample, Replay, "run only so many cases, spread evenly"},
    {"tiles", "--set", &Arguments::tiles, generating,
     "layers for kernels in Winograd's tiles: none, ascend950 or all; default: what the target may "
     "compute so"},
    {"views", "--set", &Arguments::views, Verify | Prove | Replay,
     "yes: a pipe's program is given operands with strides and offsets"},
};

}  // namespace gradproof::cli::rows
