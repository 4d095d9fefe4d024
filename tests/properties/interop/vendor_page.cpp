#include "tests/properties/interop/vendor_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace gradproof::tests {
namespace {

using corpus::Case;
using Lengths = std::vector<std::int64_t>;
using Json = nlohmann::json;

std::string shape_of(const std::optional<corpus::TensorCase>& tensor) {
  if (!tensor) return "null";
  return tensor->shape.empty() ? "scalar" : fmt::format("{}", fmt::join(tensor->shape, "x"));
}

/// One type where all operands have it.
std::string types_of(const Case& one) {
  std::vector<std::string> types;
  for (const auto role : corpus::input_roles) {
    if (!corpus::is_operand(one, role)) continue;
    const auto& tensor = corpus::tensor(one, role);
    const std::string name = tensor ? std::string(name_of(tensor->dtype)) : "null";
    if (std::ranges::find(types, name) == types.end()) types.push_back(name);
  }
  return fmt::format("{}", fmt::join(types, "/"));
}

/// " NAME 2x2", unless it is the usual one.
std::string list(std::string_view name, const std::optional<Lengths>& values, std::int64_t usual) {
  if (!values) return fmt::format(", {} null", name);
  if (std::ranges::all_of(*values, [&](auto value) { return value == usual; })) return "";
  return fmt::format(", {} {}", name, fmt::join(*values, "x"));
}

std::string attributes_of(const Case& one) {
  if (one.attributes) {
    const auto& attributes = *one.attributes;
    return list("strides", attributes.strides, 1) + list("pads", attributes.pads, 0) +
           (attributes.dilations ? list("dilations", attributes.dilations, 1) : "") +
           (attributes.enable_hf32.value_or(false) ? ", HF32" : "");
  }
  std::string text = list("stride", one.stride, 1) + list("padding", one.padding, 0) +
                     list("dilation", one.dilation, 1) +
                     list("output padding", one.output_padding, 0);
  if (one.transposed) text += ", transposed";
  if (!one.output_mask) return text + ", mask null";
  text += ", mask ";
  for (const bool wanted : *one.output_mask) text += wanted ? '1' : '0';
  return text;
}

std::string call_of(const Case& one) {
  std::string text = one.attributes ? fmt::format("{}: ", name_of(one.api)) : std::string();
  text += types_of(one);
  if (one.attributes) text += " gradOutput " + shape_of(one.grad_output);
  if (is_operand(one, corpus::InputRole::Input)) text += " input " + shape_of(one.input);
  if (is_operand(one, corpus::InputRole::Weight)) text += " weight " + shape_of(one.weight);
  text += attributes_of(one);
  if (one.groups != 1) text += fmt::format(", groups {}", one.groups);
  if (one.cube_math_type != 0) text += fmt::format(", cubeMathType {}", one.cube_math_type);
  return text;
}

/// What the rules admit, and what the kernel did where that is something else.
std::string status_words(const Json& line) {
  std::vector<std::string> admitted;
  for (const Json& status : line["admitted"]) admitted.push_back(status.dump());
  std::string text = fmt::format("{}", fmt::join(admitted, " or "));
  if (line["verdict"] != "agree") text += fmt::format(" ({})", line["verdict"].get<std::string>());
  return text;
}

std::string values_words(const Json& line) {
  const std::string verdict = line["verdict"];
  if (verdict == "skipped") return "too large";
  if (verdict == "vacuous") return "nothing asked for";
  const bool is_refused = line.value("status", 0) != 0;
  if (verdict != "agree") return fmt::format("**{}**", verdict);
  return is_refused ? "refused" : "right";
}

const Json& run_of(const std::map<std::string, Json>& runs, const Case& one) {
  return runs.at(one.id);
}

template <typename Counts>
std::size_t count_if(const VendorSuite& suite, Counts counts) {
  return static_cast<std::size_t>(std::ranges::count_if(suite.cases, counts));
}

std::string summary_row(const VendorSuite& suite) {
  const auto stated = [](const Case& one) { return one.expect->status; };
  const auto agrees_under = [&](const std::map<std::string, Json>& runs) {
    return count_if(suite, [&](const Case& one) {
      const Json& line = run_of(runs, one);
      return line["verdict"] == "agree" && line["status"] == code(stated(one));
    });
  };
  const auto with_values = [&](const std::string& words) {
    return count_if(suite, [&](const Case& one) {
      return values_words(run_of(suite.runs.computed, one)) == words;
    });
  };
  const std::size_t succeed =
      count_if(suite, [&](const Case& one) { return stated(one) == corpus::Status::Success; });
  return fmt::format(
      "| [{}](../corpus/cases/published/{}) | {} | {} | {} | {} | {} | {} | {} | {} |\n",
      suite.name, suite.file, suite.cases.size(), succeed, agrees_under(suite.runs.documented),
      agrees_under(suite.runs.released), with_values("right"), with_values("refused"),
      with_values("nothing asked for"), with_values("too large"));
}

std::string row(const VendorSuite& suite, const Case& one) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", one.id, one.soc, call_of(one),
                     code(one.expect->status), status_words(run_of(suite.runs.documented, one)),
                     status_words(run_of(suite.runs.released, one)),
                     values_words(run_of(suite.runs.computed, one)));
}

}  // namespace

std::string vendor_page(const std::vector<VendorSuite>& suites, const std::string& most_macs) {
  std::string page = fmt::format(
      "# The vendor's published cases\n\n"
      "The cases that the vendor publishes for these operators in four of its suites, and the "
      "verdict on each. The files "
      "and where they come from: [published cases](../corpus/cases/published/README.md).\n"
      "This page is made from them by a test, which fails where a verdict is no longer what stands "
      "here (`tests/properties/interop/vendor_cases_test.cpp` says how to write it again).\n\n"
      "Statuses are held to the rules of the documents and, apart from these, of the released "
      "library ([profiles](statuses.md#profiles)); the kernel returns what they demand. Gradients "
      "are judged\n"
      "element by element for cases of at most {} multiply-accumulates; "
      "`gradproof replay corpus/cases/published/atk.jsonl` computes the others as well.\n\n"
      "| suite | cases | succeed, as stated | the stated status: of the documents | of the "
      "released "
      "library | gradients right | refused as stated | nothing asked for | too large for this page "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|\n",
      most_macs);
  for (const VendorSuite& suite : suites) page += summary_row(suite);
  for (const VendorSuite& suite : suites) {
    page += fmt::format(
        "\n## {}\n\n| case | product | call | stated | documents | released | "
        "gradients |\n|---|---|---|---|---|---|---|\n",
        suite.name);
    for (const Case& one : suite.cases) page += row(suite, one);
  }
  return page;
}

}  // namespace gradproof::tests
