
#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/graph_rules/rule.h"

namespace gradproof::kernel::api::graph_checks {
namespace {

using parameter_checks::text;

Finding null_pointer(const Call& call) {
  std::string_view name;
  const auto require = [&](bool given, std::string_view argument) {
    if (name.empty() && !given) name = argument;
  };
  require(call.size.given, call.size.name);
  for (const auto* tensor : call.operands()) require(tensor->given, tensor->name);
  require(call.strides.given, call.strides.name);
  require(call.pads.given, call.pads.name);
  require(call.result().given, call.result().name);
  require(call.has_workspace_size, "workspaceSize");
  require(call.has_executor, "executor");
  if (name.empty()) return std::nullopt;
  return text(name, " is null; it is required");
}

template <typename Value>
bool is_dead(const Argument<Value>& argument) {
  return argument.given && !argument.value;
}

Finding dead_descriptor(const Call& call) {
  std::string_view name;
  for (const auto* tensor : call.tensors()) {
    if (is_dead(*tensor)) name = tensor->name;
  }
  for (const auto* values : {&call.size, &call.strides, &call.pads, &call.dilations}) {
    if (is_dead(*values)) name = values->name;
  }
  if (name.empty()) return std::nullopt;
  return text(name, " is no live descriptor; it was destroyed or never created");
}

constexpr GraphRule pointer_rows[] = {
    {"NULL", "required parameters", missing, missing, null_pointer},
    // No rule of the documents: a destroyed descriptor is undefined there.
    {"LIVE-01", "simulator", refused, refused, dead_descriptor},
};

}  // namespace

Rules pointer_rules() { return pointer_rows; }

}  // namespace gradproof::kernel::api::graph_checks
