#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/library/answers.h"
#include "bindings/library/failure.h"
#include "bindings/library/run.h"
#include "corpus/case_json.h"
#include "corpus/words/foreign_text.h"
#include "gradproof/gradproof.h"

/// Content of the C ABI's handle.
struct gradproof_run {
  std::unique_ptr<gradproof::library::Run> run;
};

namespace {

using gradproof::corpus::Case;
using gradproof::corpus::InputRole;
using gradproof::corpus::OutputRole;
using gradproof::corpus::Status;
using gradproof::corpus::TensorCase;
using gradproof::library::failed;
using gradproof::library::guarded;
using gradproof::library::Run;

constexpr int operand_count = GRADPROOF_GRAD_INPUT;

bool is_operand(gradproof_tensor tensor) { return tensor >= 0 && tensor < operand_count; }
bool is_result(gradproof_tensor tensor) {
  return tensor >= operand_count && tensor <= GRADPROOF_GRAD_BIAS;
}
InputRole input_role(gradproof_tensor tensor) { return static_cast<InputRole>(tensor); }
OutputRole output_role(gradproof_tensor tensor) {
  return static_cast<OutputRole>(tensor - operand_count);
}

const std::optional<TensorCase>& tensor_of(const Case& test_case, gradproof_tensor tensor) {
  return is_operand(tensor) ? gradproof::corpus::tensor(test_case, input_role(tensor))
                            : gradproof::corpus::tensor(test_case, output_role(tensor));
}

/// The call to answer; null, with the error in words: there is none.
const Case* asked(gradproof_run* run) {
  const Case* test_case = run == nullptr ? nullptr : run->run->asked();
  if (test_case == nullptr) failed("no call waits for an answer");
  return test_case;
}

/// The tensors by gradproof_tensor; empty: the operator has none there.
std::array<std::string_view, 6> names_of_tensors(const Case& test_case) {
  if (gradproof::corpus::is_forward(test_case.api)) return {"input", "bias", "weight", "output"};
  return {"grad_output", "input", "weight", "grad_input", "grad_weight", "grad_bias"};
}

/// Returns the shape of "input", or its ".strides" or ".offset". nullopt: no tensor's name.
std::optional<std::vector<std::int64_t>> integers_of_tensor(const Case& test_case,
                                                            const std::string& name) {
  const auto tensors = names_of_tensors(test_case);
  const std::size_t dot = std::min(name.find('.'), name.size());
  const auto* found = std::ranges::find(tensors, name.substr(0, dot));
  if (dot == 0 || found == tensors.end()) return std::nullopt;
  const auto& tensor = tensor_of(test_case, static_cast<gradproof_tensor>(found - tensors.begin()));
  const std::string what = name.substr(dot);
  if (!tensor) return std::vector<std::int64_t>{};
  if (what.empty()) return tensor->shape;
  if (what == ".offset") return std::vector{tensor->offset};
  if (what != ".strides") return std::vector<std::int64_t>{};
  return tensor->strides.value_or(gradproof::corpus::row_major_strides(tensor->shape));
}

std::vector<std::int64_t> integers_named(const Case& test_case, const std::string& name) {
  if (auto integers = integers_of_tensor(test_case, name)) return *integers;
  using Values = std::vector<std::int64_t>;
  if (name == "stride") return test_case.stride.value_or(Values{});
  if (name == "padding") return test_case.padding.value_or(Values{});
  if (name == "dilation") return test_case.dilation.value_or(Values{});
  if (name == "output_padding") return test_case.output_padding.value_or(Values{});
  if (name == "groups") return {test_case.groups};
  if (name == "transposed") return {test_case.transposed ? 1 : 0};
  if (name == "cube_math_type") return {test_case.cube_math_type};
  if (name != "output_mask") return {};
  Values mask;
  for (const OutputRole role : gradproof::corpus::output_roles) {
    mask.push_back(gradproof::corpus::is_requested(test_case, role) ? 1 : 0);
  }
  return mask;
}

int answered(gradproof_run* run) {
  if (const auto test_case = run->run->answer()) return failed(*test_case);
  return GRADPROOF_OK;
}

const char* kept(gradproof_run* run, std::string text) {
  run->run->text = std::move(text);
  return run->run->text.c_str();
}

}  // namespace

extern "C" {

int gradproof_abi(void) { return GRADPROOF_ABI; }
const char* gradproof_version(void) { return GRADPROOF_VERSION; }
const char* gradproof_error(void) { return gradproof::library::last_error().c_str(); }

gradproof_run* gradproof_open(const char* options) {
  return guarded<gradproof_run*>(nullptr, [&]() -> gradproof_run* {
    auto read = gradproof::library::options_from_json(options == nullptr ? "{}" : options);
    if (!read) return failed(read.error()), nullptr;
    auto run = Run::open(std::move(*read));
    if (!run) return failed(run.error()), nullptr;
    return new gradproof_run{std::move(*run)};
  });
}

void gradproof_close(gradproof_run* run) {
  guarded(0, [&] { return delete run, 0; });
}

int gradproof_next(gradproof_run* run) {
  return guarded(GRADPROOF_ERROR, [&] {
    if (run == nullptr) return failed("run is null");
    if (run->run->asked() != nullptr) return failed("the call before was not answered");
    return run->run->next() == nullptr ? GRADPROOF_OVER : GRADPROOF_OK;
  });
}

const char* gradproof_call(gradproof_run* run) {
  return guarded<const char*>(nullptr, [&]() -> const char* {
    const Case* test_case = asked(run);
    return test_case == nullptr ? nullptr : kept(run, gradproof::corpus::to_json_line(*test_case));
  });
}

size_t gradproof_integers(gradproof_run* run, const char* name, long* values, size_t most) {
  return guarded<size_t>(0, [&]() -> size_t {
    const Case* test_case = asked(run);
    if (test_case == nullptr || name == nullptr) return 0;
    const auto found = integers_named(*test_case, name);
    for (std::size_t i = 0; i < std::min(most, found.size()); ++i) values[i] = found[i];
    return found.size();
  });
}

const char* gradproof_dtype(gradproof_run* run, gradproof_tensor tensor) {
  return guarded<const char*>(nullptr, [&]() -> const char* {
    const Case* test_case = asked(run);
    if (test_case == nullptr || (!is_operand(tensor) && !is_result(tensor))) return nullptr;
    const auto& described = tensor_of(*test_case, tensor);
    if (!described) return nullptr;
    return kept(run, std::string(gradproof::corpus::name_of(described->dtype)));
  });
}

const void* gradproof_operand(gradproof_run* run, gradproof_tensor tensor, size_t* size) {
  return guarded<const void*>(nullptr, [&]() -> const void* {
    if (size != nullptr) *size = 0;
    const Case* test_case = asked(run);
    if (test_case == nullptr || !is_operand(tensor) || !tensor_of(*test_case, tensor))
      return nullptr;
    const auto& bytes = run->run->operand(input_role(tensor));
    if (size != nullptr) *size = bytes.size();
    return bytes.empty() ? nullptr : bytes.data();
  });
}

int gradproof_result(gradproof_run* run, gradproof_tensor tensor, const void* data, size_t size) {
  return guarded(GRADPROOF_ERROR, [&] {
    const Case* test_case = asked(run);
    if (test_case == nullptr) return GRADPROOF_ERROR;
    if (!is_result(tensor)) return failed("not a result's tensor");
    const OutputRole role = output_role(tensor);
    const std::string name(gradproof::corpus::name_of(role));
    if (!gradproof::corpus::is_requested(*test_case, role))
      return failed(name + " is not asked for");
    const auto& before = run->run->seen().outputs[role].before;
    if (size != before.size()) {
      return failed(name + " has " + std::to_string(before.size()) + " bytes, not " +
                    std::to_string(size));
    }
    run->run->tell(role, static_cast<const std::byte*>(data), size);
    return GRADPROOF_OK;
  });
}

int gradproof_changed(gradproof_run* run, gradproof_tensor operand, size_t byte) {
  return guarded(GRADPROOF_ERROR, [&] {
    if (asked(run) == nullptr) return GRADPROOF_ERROR;
    if (!is_operand(operand)) return failed("not an operand's tensor");
    run->run->seen().input_changed_byte.at(operand) = static_cast<std::int64_t>(byte);
    return GRADPROOF_OK;
  });
}

int gradproof_tell(gradproof_run* run) { return gradproof_tell_status(run, 0); }

int gradproof_tell_status(gradproof_run* run, int status) {
  return guarded(GRADPROOF_ERROR, [&] {
    if (asked(run) == nullptr) return GRADPROOF_ERROR;
    auto& seen = run->run->seen();
    seen.phase_one = static_cast<Status>(status);
    if (status == 0) seen.phase_two = seen.synchronise = Status::Success;
    seen.out_parameters_untouched = status != 0;
    return answered(run);
  });
}

int gradproof_tell_failure(gradproof_run* run, const char* words) {
  return guarded(GRADPROOF_ERROR, [&] {
    if (asked(run) == nullptr) return GRADPROOF_ERROR;
    run->run->seen().ended = gradproof::corpus::foreign_text(words == nullptr ? "failed" : words);
    return answered(run);
  });
}

int gradproof_tell_unsupported(gradproof_run* run, const char* why) {
  return guarded(GRADPROOF_ERROR, [&] {
    if (asked(run) == nullptr) return GRADPROOF_ERROR;
    run->run->seen() = gradproof::corpus::not_run(
        gradproof::corpus::foreign_text(why == nullptr ? "not supported" : why));
    return answered(run);
  });
}

const char* gradproof_verdict(gradproof_run* run) {
  return guarded<const char*>(nullptr, [&]() -> const char* {
    const auto verdict = run == nullptr ? std::nullopt : run->run->verdict();
    if (!verdict) return failed("no call was answered yet"), nullptr;
    return kept(run, gradproof::library::verdict_json(*verdict));
  });
}

size_t gradproof_findings(gradproof_run* run) {
  return guarded<size_t>(
      0, [&]() -> size_t { return run == nullptr ? 0 : run->run->findings().size(); });
}

const char* gradproof_finding(gradproof_run* run, size_t index) {
  return guarded<const char*>(nullptr, [&]() -> const char* {
    if (run == nullptr || index >= run->run->findings().size()) {
      return failed("there is no finding of that number"), nullptr;
    }
    const auto finding = run->run->findings()[index];
    const auto file = gradproof::findings::finding_file(run->run->options().out, finding.signature,
                                                        finding.target);
    return kept(run, gradproof::library::finding_json(finding, file.string()));
  });
}

const char* gradproof_summary(gradproof_run* run) {
  return guarded<const char*>(nullptr, [&]() -> const char* {
    const auto* result = run == nullptr ? nullptr : run->run->result();
    if (result == nullptr) return failed("the run is not over"), nullptr;
    return kept(run, gradproof::library::summary_json(*result, run->run->options()));
  });
}

}  // extern "C"
