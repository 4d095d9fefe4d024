#include "fuzz/ascendc/ascendc_program.h"

#include <fmt/core.h>

#include "acl/acl.h"
#include "corpus/product_row.h"
#include "fuzz/engine/fuzzed_library.h"
#include "fuzz/records/choices.h"
#include "fuzz/records/same_fields.h"
#include "kernel/include/kernel_launcher.h"
#include "kernel/include/kernel_operator.h"
#include "kernel/include/lib/conv_backprop/conv3d_bp_input_api.h"

namespace gradproof::fuzz {
namespace {

using AscendC::GlobalTensor;
using ConvBackpropApi::ConvType;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;
using Call = AscendcStep::Call;
using Steps = std::vector<AscendcStep>;

template <typename T>
using BackpropInput =
    ConvBackpropApi::Conv3DBackpropInput<ConvType<TPosition::GM, ConvFormat::FRACTAL_Z_3D, T>,
                                         ConvType<TPosition::GM, ConvFormat::ND, std::int32_t>,
                                         ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>,
                                         ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>>;

constexpr std::uint8_t float_flag = deterministic_flag;  // which says nothing else here

/// Device memory that holds values of one type.
template <typename T>
class DeviceTensor {
 public:
  explicit DeviceTensor(const std::vector<float>& values) : count_(values.size()) {
    std::vector<T> converted(values.begin(), values.end());
    aclrtMalloc(&memory_, bytes(), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(memory_, bytes(), converted.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE);
  }
  ~DeviceTensor() { aclrtFree(memory_); }
  DeviceTensor(const DeviceTensor&) = delete;
  DeviceTensor& operator=(const DeviceTensor&) = delete;

  GlobalTensor<T> from(std::uint64_t element) const {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(static_cast<T*>(memory_));
    return tensor[element];
  }
  std::vector<float> values() const {
    std::vector<T> read(count_);
    aclrtMemcpy(read.data(), bytes(), memory_, bytes(), ACL_MEMCPY_DEVICE_TO_HOST);
    return {read.begin(), read.end()};
  }

 private:
  std::size_t bytes() const { return count_ * sizeof(T); }
  std::size_t count_;
  void* memory_ = nullptr;
};

template <typename T>
struct Operands {
  DeviceTensor<T> grad_output, weight, grad_input;
};

/// Part of one program that a core runs.
template <typename T>
class BlockRun {
 public:
  BlockRun(const AscendcProblem& problem, const InputTiling& tiling, const Operands<T>& operands)
      : problem_(problem), tiling_(tiling), operands_(operands) {}

  void run(const Steps& steps) {
    for (const AscendcStep& step : steps) run(step);
  }

 private:
  void run(const AscendcStep& step) {
    const AscendcTask& task = problem_.tasks[step.task];
    switch (step.call) {
      case Call::Init:
        return gradient_.Init(&tiling_);
      case Call::SetSingleShape:
        return set_single_shape(task, step.wrong_argument);
      case Call::SetStartPosition:
        return gradient_.SetStartPosition(
            step.wrong_argument != 0 ? problem_.tiling.di : static_cast<std::uint32_t>(task.depth),
            static_cast<std::int32_t>(task.first_row) -
                static_cast<std::int32_t>(problem_.tiling.backpropPadUp));
      case Call::SetGradOutput:
        return gradient_.SetGradOutput(operands_.grad_output.from(
            problem_.grad_output_slice(task) + (step.wrong_argument != 0 ? 1 : 0)));
      case Call::SetWeight:
        return gradient_.SetWeight(operands_.weight.from(problem_.weight_slice(task) +
                                                         (step.wrong_argument != 0 ? 1 : 0)));
      case Call::Iterate:
        gradient_.Iterate();
        return;
      case Call::GetTensorC:
        return get_tensor_c(task, step.wrong_argument);
      case Call::AllTiles:
        while (gradient_.Iterate()) get_tensor_c(task, step.wrong_argument);
        return;
      case Call::NextTask:
        gradient_.ctx.isFirstIter_ = true;
        return;
      case Call::End:
        return gradient_.End();
    }
  }

  void set_single_shape(const AscendcTask& task, std::uint8_t wrong_argument) {
    const InputTiling& t = problem_.tiling;
    const std::uint64_t k = std::uint64_t{t.cout1G} * t.dk * t.hk * t.wk * t.c0;
    gradient_.SetSingleShape(wrong_argument == 1 ? 0 : task.positions,
                             wrong_argument == 2 ? k + 1 : k,
                             wrong_argument == 3 ? 0 : static_cast<std::uint32_t>(task.channels));
  }

  void get_tensor_c(const AscendcTask& task, std::uint8_t wrong_argument) {
    const auto output =
        operands_.grad_input.from(problem_.grad_input_slice(task) + (wrong_argument == 1 ? 1 : 0));
    gradient_.GetTensorC(output, wrong_argument == 2 ? 2 : 0, wrong_argument == 3);
  }

  const AscendcProblem& problem_;
  const InputTiling& tiling_;
  const Operands<T>& operands_;
  BackpropInput<T> gradient_;
};

/// Forecast by the documents: where a program must end, if anywhere.
struct Forecast {
  bool is_open = false;  ///< they do not say
  bool is_misuse = false;
  std::size_t last = 0;  ///< the step that they speak of
};

Forecast forecast_of(const AscendcProblem& problem, const Steps& steps) {
  std::vector<std::size_t> tiles;
  for (const AscendcTask& task : problem.tasks) tiles.push_back(problem.tiles(task));
  AscendcCallModel model(std::move(tiles));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto verdict = model.next(steps[i]);
    if (verdict == AscendcCallModel::Verdict::Legal) continue;
    const bool is_open = verdict == AscendcCallModel::Verdict::Open;
    return {.is_open = is_open, .is_misuse = !is_open, .last = i};
  }
  return {.is_misuse = !model.may_end(), .last = steps.size()};
}

bool is_diagnostic(aclError code) {
  return code == ACL_ERROR_RT_AICORE_EXCEPTION || code == ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW ||
         code == ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW;
}

/// Describes why the launch's code is not what the documents say; empty if it is.
std::string flaw_of_code(aclError code, const Forecast& forecast) {
  const char* text = code == 0 ? "" : aclGetRecentErrMsg();
  if (code != 0 && (text == nullptr || *text == '\0')) {
    return fmt::format("the launch returned {} without a text", code);
  }
  if (forecast.is_open) {
    if (code == 0 || is_diagnostic(code)) return {};
    return fmt::format("the launch returned {}: {}", code, text);
  }
  const aclError expected = forecast.is_misuse ? ACL_ERROR_RT_AICORE_EXCEPTION : 0;
  if (code == expected) return {};
  return fmt::format("the launch returned {} and not {} (step {}): {}", code, expected,
                     forecast.last, text);
}

/// Elements of gradInput are what they were, 0, or exact; all of them exact where the program was
/// whole.
std::string flaw_of_values(const AscendcProblem& problem, const std::vector<float>& seen,
                           bool is_whole) {
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const float exact = problem.grad_input[i];
    if (seen[i] == exact || (!is_whole && seen[i] == 0.0F)) continue;
    return fmt::format("element {} of gradInput's memory is {}, exact is {}", i, seen[i], exact);
  }
  return {};
}

template <typename T>
AscendcProgram carried_out(const CaseGenes& genes) {
  AscendcProgram done;
  const auto problem = ascendc_problem(genes, sizeof(T));
  if (!problem) return done;
  Steps steps = whole_program(problem->tasks.size());
  InputTiling tiling = problem->tiling;
  for (const Edit& edit : genes.edits) apply(edit, problem->tasks.size(), steps, tiling);
  for (const AscendcStep& step : steps) done.steps.push_back(words(step));
  const bool same_tiling = same_fields(tiling, problem->tiling);
  Forecast forecast = forecast_of(*problem, steps);
  if (!same_tiling || !fits_l0(tiling, sizeof(T))) forecast = {.is_open = true};

  const Operands<T> operands{DeviceTensor<T>(problem->grad_output),
                             DeviceTensor<T>(problem->weight),
                             DeviceTensor<T>(std::vector<float>(problem->grad_input.size(), 0.0F))};
  const aclError code = run_blocks(1, [&] { BlockRun<T>(*problem, tiling, operands).run(steps); });
  std::string flaw = flaw_of_code(code, forecast);
  const bool is_whole = genes.edits.empty() && problem->is_whole();
  if (flaw.empty() && !forecast.is_open) {
    flaw = flaw_of_values(*problem, operands.grad_input.values(), is_whole);
  }
  if (!flaw.empty()) done.failure = flaw;
  return done;
}

AscendcProgram carried_out(const CaseGenes& genes) {
  constexpr std::array products = corpus::products_where<corpus::has_ascend_c_gradients>();
  const auto product = products.at(genes.product % products.size());
  if (!fuzzed_target().streams().stream_on(product)) return {.steps = {}, .failure = "no device"};
  return (genes.flags & float_flag) != 0 ? carried_out<float>(genes) : carried_out<half>(genes);
}

}  // namespace

AscendcProgram carry_out_ascendc(std::span<const std::uint8_t> bytes) {
  return carried_out(genes_from_bytes(bytes));
}

AscendcProgram shortened_ascendc(std::span<const std::uint8_t> bytes) {
  CaseGenes genes = genes_from_bytes(bytes);
  AscendcProgram shortest = carried_out(genes);
  for (std::size_t i = 0; shortest.failure && i < genes.edits.size();) {
    CaseGenes fewer = genes;
    fewer.edits.erase(fewer.edits.begin() + static_cast<std::ptrdiff_t>(i));
    AscendcProgram shorter = carried_out(fewer);
    if (shorter.failure) {
      genes = std::move(fewer);
      shortest = std::move(shorter);
    } else {
      ++i;
    }
  }
  return shortest;
}

}  // namespace gradproof::fuzz
