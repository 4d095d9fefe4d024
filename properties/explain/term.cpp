#include "properties/explain/term.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

#include "corpus/words/spelling.h"
#include "oracle/rules/status_rules.h"

namespace gradproof::properties {
namespace {

struct CodeRow {
  std::string_view code, name;
  std::string_view causes;   ///< on this API
  std::string_view look_at;  ///< what to do
};

constexpr std::string_view graph_cause =
    "no code of this API: a graph operator such as Conv3DBackpropFilter was compiled instead";
constexpr std::string_view graph_advice =
    "torch.npu.set_compile_mode(jit_compile=False) and torch.npu.config.allow_internal_format = "
    "False make torch_npu call this API";

constexpr CodeRow code_rows[] = {
    {"0", "ACLNN_SUCCESS", "the call breaks no rule; phase two still has to be awaited",
     "synchronise the stream: a fault of the kernel shows only there"},
    {"161001", "ACLNN_ERR_PARAM_NULLPTR",
     "a required tensor, array or pointer is null: gradOutput, input, weight, stride, padding, "
     "dilation, outputMask, a gradient that outputMask asks for, biasSizes where gradBias is asked "
     "for, workspaceSize, executor (rules NULL-...)",
     "does outputMask ask for a gradient that is null?"},
    {"161002", "ACLNN_ERR_PARAM_INVALID",
     "a dtype, format, shape, attribute or mode is excluded on this product: channels and groups "
     "(CH-...), gradOutput's shape (SHAPE-...), dtypes (DTYPE-...), cubeMathType with the dtype "
     "(CUBE-...), formats (FMT-...), signs and lengths of stride, padding, dilation (STRIDE-..., "
     "LEN-...)",
     "type the call: gradproof explain --input ... --weight ... names the rule and a change that "
     "mends it; the message after EZ1001 names the parameter"},
    {"361001", "ACLNN_ERR_RUNTIME_ERROR", "a call of the runtime failed inside the operator",
     "is a device set (aclrtSetDevice), is the stream alive, what does the log's runtime code "
     "say?"},
    {"561000", "ACLNN_ERR_INNER", "the library failed inside",
     "where every call returns it: is the toolkit's environment set (source set_env.sh)?"},
    {"561001", "ACLNN_ERR_INNER_INFERSHAPE_ERROR",
     "shape inference of an inner operator failed; this API reports it as 561103", "as 561103"},
    {"561002", "ACLNN_ERR_INNER_TILING_ERROR",
     "no tiling fits the device; this API reports it as 561103", "as 561103"},
    {"561003", "ACLNN_ERR_INNER_FIND_KERNEL_ERROR",
     "there is no kernel for the device and dtypes; this API reports it as 561103",
     "does the kernel package belong to this CANN release and this product?"},
    {"561101", "ACLNN_ERR_INNER_CREATE_EXECUTOR", "no executor could be made",
     "host memory; a library that was loaded in part"},
    {"561102", "ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR", "an executor was not handed over",
     "is the executor of this call, and is it used once?"},
    {"561103", "ACLNN_ERR_INNER_NULLPTR",
     "an inner operator refused: a kernel, stride or length is beyond the range of the chip "
     "(RANGE-...), an output padding that lengths do not allow, no tiling that fits, or a missing "
     "kernel; shape inference (561001), tiling (561002) and kernel (561003) all end as this code",
     "gradproof explain with the call says whether a range is the reason; where the call is legal, "
     "resources or the kernel package are"},
    {"EZ1001", "a message about a parameter",
     "goes with 161001 or 161002; the text after it names the parameter that was refused",
     "gradproof explain with the call names the rule; \"only supports groups = 1 or groups = cin\" "
     "is a limit of CANN 8.0.RC3, not of today's rules"},
    {"EZ9999", "a message about an inner failure",
     "goes with 561...: an inner operator, its tiling or its kernel failed",
     "\"Parse dynamic kernel config fail\" means that the kernel package does not fit the device"},
    {"E69999", "an inner failure of the graph engine", graph_cause, graph_advice},
    {"E89999", "an inner failure of the operator library in the graph engine", graph_cause,
     graph_advice},
    {"E60108", "a graph operator's parameter that it does not support", graph_cause, graph_advice},
    {"500002", "ACL_ERROR_GE_FAILURE: the graph engine failed", graph_cause, graph_advice},
    {"107002", "ACL_ERROR_RT_CONTEXT_NULL: the thread has no context",
     "a call before aclrtSetDevice or aclrtSetCurrentContext, or from another thread; nothing "
     "about "
     "the parameters",
     "is a device set in the thread that calls?"},
    {"200001", "ACL_ERROR_API_NOT_SUPPORT: the library does not offer this call",
     "a function of the runtime that is not there in this release or on this device; nothing about "
     "the parameters",
     "driver, firmware and CANN of releases that belong together"},
    {"500001", "ACL_ERROR_FAILURE: a failure inside of which nothing more is said",
     "as a rule a graph operator that could not be compiled; nothing about the parameters",
     "the log's other lines; does the kernel package belong to this CANN release and this "
     "product?"},
    {"207001", "out of device memory", "the tensors and the workspace do not fit",
     "gradproof explain with the call says how many bytes both take"},
    {"507014", "the AI Core took too long",
     "phase two: a kernel that does not end; no rule of phase one has this code",
     "the call alone, ASCEND_LAUNCH_BLOCKING=1, another release of the kernel package"},
    {"507015", "an exception in the AI Core",
     "phase two: a kernel's wrong access; a legal call never leads here by its parameters",
     "set ASCEND_LAUNCH_BLOCKING=1 to see which operator it is; is any tensor freed too early?"},
    {"507899", "an inner failure of the driver", "nothing about the parameters",
     "driver, firmware and CANN of releases that belong together"},
};

std::string upper(std::string_view word) {
  std::string result(word);
  for (char& letter : result) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return result;
}

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

/// Letters, a hyphen and digits, letters after them or not: RANGE-03, CUBE-05b.
bool is_rule_name(std::string_view word) {
  const std::size_t hyphen = word.find('-');
  if (hyphen == std::string_view::npos || hyphen == 0 || hyphen + 1 == word.size()) return false;
  return std::isalpha(static_cast<unsigned char>(word[0])) != 0 && is_digit(word[hyphen + 1]) &&
         word.find_first_of("./ ") == std::string_view::npos;
}

bool is_message_code(std::string_view word) {
  constexpr std::size_t length = 6;
  return word.size() == length && word[0] == 'E' && std::ranges::all_of(word.substr(2), is_digit);
}

std::string products_in_words(const oracle::StatusRule& rule) {
  using oracle::ProductClass;
  std::vector<std::string> names;
  for (const auto products :
       {ProductClass::A1, ProductClass::A23, ProductClass::A5, ProductClass::Unsupported}) {
    if (rule.products.contains(products)) names.push_back(oracle::names_of_products(products));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string rule_text(const oracle::StatusRule& rule) {
  std::string text = fmt::format("{}: {}\n  written in: {}\n  applies to: {}\n", rule.id,
                                 rule.demand, rule.source, products_in_words(rule));
  if (!rule.never_decides.empty()) {
    return text + fmt::format("  decides no status: {}\n", rule.never_decides);
  }
  return text + fmt::format(
                    "  look at: gradproof generate --cases 1 --rule {0} shows a call that "
                    "breaks it; gradproof explain with your call says whether it does\n",
                    rule.id);
}

std::string code_text(const CodeRow& row) {
  return fmt::format("{}: {}\n  causes: {}\n  look at: {}\n", row.code, row.name, row.causes,
                     row.look_at);
}

std::string unknown_code(std::string_view word) {
  std::vector<std::string> codes;
  for (const CodeRow& row : code_rows) codes.emplace_back(row.code);
  return corpus::unknown_word(word, "code that is known here", codes);
}

std::string unknown_rule(std::string_view word) {
  std::vector<std::string> ids;
  for (const auto& rule : oracle::all_status_rules()) ids.emplace_back(rule.id);
  return corpus::unknown_word(word, "rule", ids, "gradproof list rules");
}

}  // namespace

bool is_term(std::string_view word) {
  const std::string name = upper(word);
  const bool is_status = !name.empty() && std::ranges::all_of(name, is_digit);
  return is_status || is_message_code(name) || is_rule_name(name);
}

std::optional<std::string_view> name_of_code(std::string_view code) {
  const auto* row = std::ranges::find(code_rows, upper(code), &CodeRow::code);
  return row == std::end(code_rows) ? std::nullopt : std::optional(row->name);
}

tl::expected<std::string, std::string> term_text(std::string_view word) {
  const std::string name = upper(word);
  if (is_rule_name(name)) {
    for (const auto& rule : oracle::all_status_rules()) {
      if (upper(rule.id) == name) return rule_text(rule);
    }
    return tl::unexpected(unknown_rule(word));
  }
  const auto* row = std::ranges::find(code_rows, name, &CodeRow::code);
  if (row == std::end(code_rows)) return tl::unexpected(unknown_code(word));
  return code_text(*row);
}

}  // namespace gradproof::properties
