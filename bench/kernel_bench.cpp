// How long each gradient takes on common layers, against oneDNN in the same run and against the
// kernel's own reference paths. One table; everything measured also as JSON.

#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/contender.h"
#include "bench/kernel_gradient.h"
#include "bench/onednn_gradient.h"

namespace gradproof::bench {
namespace {

using kernel::device::OperatorPath;

struct Options {
  int repeats = 7;
  std::vector<int> threads{1, 2};
  std::string layer, json;
  bool references = false, modes = false, cpu_time = false, calls_only = false;
};

/// Layers with fewer products: their time is the fixed cost of a call.
constexpr double tiny = 1e5;

const char* name_of(Gradient gradient) {
  if (gradient == Gradient::Input) return "dx";
  return gradient == Gradient::Weight ? "dw" : "db";
}

std::vector<Contender> contenders_of(const Layer& layer, Gradient gradient, int threads,
                                     const Options& options) {
  const auto ours = [&](Mode mode, OperatorPath path) {
    return our_gradient(layer, gradient, mode, path, threads);
  };
  std::vector<Contender> all;
  const auto add = [&all](const char* name, Computation compute) {
    all.push_back({.name = name, .compute = std::move(compute), .seconds = {}});
  };
  add("device", ours(Mode::Float, OperatorPath::Device));
  add("oneDNN, NCHW", onednn_gradient(layer, gradient, true, threads));
  add("oneDNN, execute only", onednn_gradient(layer, gradient, false, threads));
  if (gradient == Gradient::Bias) add("read", read_of_grad_output(layer));
  if (options.references) {
    add("scalar", ours(Mode::Float, OperatorPath::Scalar));
    add("plain", ours(Mode::Float, OperatorPath::Plain));
  }
  if (options.modes) {
    if (gradient != Gradient::Bias) add("rounded", ours(Mode::RoundedFloat, OperatorPath::Device));
    add("HF32", ours(Mode::Hf32, OperatorPath::Device));
    add("FLOAT16", ours(Mode::Float16, OperatorPath::Device));
    add("BFLOAT16", ours(Mode::BFloat16, OperatorPath::Device));
  }
  return all;
}

/// "-" where there is nothing to compare with.
std::string ratio(double other, double ours) {
  if (!std::isfinite(other / ours)) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", other / ours);
  return text;
}

class Table {
 public:
  void add(const Layer& layer, Gradient gradient, int threads,
           const std::vector<Contender>& contenders) {
    const double ours = median_of(contenders, "device");
    const auto against = [&](const char* name) { return median_of(contenders, name); };
    const double per_second =
        gradient == Gradient::Bias
            ? static_cast<double>(layer.batch * layer.output_channels * layer.output_positions())
            : layer.products();
    std::printf("%-26s %2s %2d %11.1f %7.2f %8s %8s %7s %8s %8s %8s %6s %6s %6s\n", layer.name,
                name_of(gradient), threads, ours * 1e6, per_second / ours * 1e-9,
                ratio(against("oneDNN, NCHW"), ours).c_str(),
                ratio(against("oneDNN, execute only"), ours).c_str(),
                ratio(against("read"), ours).c_str(), ratio(against("scalar"), ours).c_str(),
                ratio(against("plain"), ours).c_str(), ratio(ours, against("rounded")).c_str(),
                ratio(ours, against("HF32")).c_str(), ratio(ours, against("FLOAT16")).c_str(),
                ratio(ours, against("BFLOAT16")).c_str());
    std::fflush(stdout);
    note(layer, gradient, threads, contenders);
    if (gradient == Gradient::Bias) return;
    for (const std::string name : {"oneDNN, NCHW", "oneDNN, execute only"}) {
      count(threads, name + " / ours", layer, against(name.c_str()) / ours);
    }
  }

  static void print_head() {
    std::printf(
        "%-26s %2s %2s %11s %7s %8s %8s %7s %8s %8s %8s %6s %6s %6s\n"
        "%-26s %2s %2s %11s %7s %8s %8s %7s %8s %8s %8s %6s %6s %6s\n",
        "layer", "", "T", "us", "G/s", "NCHW", "execute", "read", "scalar", "plain", "rounded",
        "HF32", "FP16", "BF16", "", "", "", "", "", "/ours", "/ours", "/ours", "/ours", "/ours",
        "x", "x", "x", "x");
  }

  void print_summary() const {
    for (const auto& [key, logarithms] : logarithms_) {
      double sum = 0, least = 1e9;
      for (const double logarithm : logarithms) {
        sum += logarithm;
        least = std::min(least, logarithm);
      }
      std::printf("%d threads, %s: geometric mean %.2f, least %.2f, over %zu gradients\n",
                  key.first, key.second.c_str(),
                  std::exp(sum / static_cast<double>(logarithms.size())), std::exp(least),
                  logarithms.size());
    }
  }

  void note_calls(const Layer& layer, const std::vector<Contender>& calls) {
    std::printf("%-26s all three gradients:", layer.name);
    nlohmann::json seconds;
    for (const Contender& call : calls) {
      std::printf(" %s %.2f us;", call.name.c_str(), call.median() * 1e6);
      seconds[call.name] = call.seconds;
    }
    std::printf("\n");
    std::fflush(stdout);
    measurements_.push_back({{"layer", layer.name}, {"calls", std::move(seconds)}});
  }

  nlohmann::json measurements() const { return measurements_; }

 private:
  /// Counts one ratio to oneDNN, for the mean of all layers and that of all but the tiny ones.
  void count(int threads, const std::string& name, const Layer& layer, double factor) {
    if (!std::isfinite(factor)) return;
    logarithms_[{threads, name + ", whole set"}].push_back(std::log(factor));
    if (layer.products() < tiny) return;
    logarithms_[{threads, name + ", without the tiny layers"}].push_back(std::log(factor));
  }

  void note(const Layer& layer, Gradient gradient, int threads,
            const std::vector<Contender>& contenders) {
    nlohmann::json seconds;
    for (const Contender& contender : contenders) seconds[contender.name] = contender.seconds;
    measurements_.push_back({{"layer", layer.name},
                             {"gradient", name_of(gradient)},
                             {"threads", threads},
                             {"products", layer.products()},
                             {"seconds", std::move(seconds)}});
  }

  std::map<std::pair<int, std::string>, std::vector<double>> logarithms_;
  nlohmann::json measurements_ = nlohmann::json::array();
};

void run_layer(const Layer& layer, int threads, const Options& options, Table& table) {
  for (const Gradient gradient : {Gradient::Input, Gradient::Weight, Gradient::Bias}) {
    auto contenders = contenders_of(layer, gradient, threads, options);
    measure(contenders, options.repeats, options.cpu_time && threads == 1);
    table.add(layer, gradient, threads, contenders);
  }
}

std::int64_t peak_memory_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Measures the fixed cost of a call, on tiny layers only.
void run_calls(const Layer& layer, const Options& options, Table& table) {
  if (layer.products() > tiny) return;
  ApiComputations calls = api_computations(layer);
  std::vector<Contender> contenders;
  const auto add = [&](const char* name, Computation compute) {
    contenders.push_back({.name = name, .compute = std::move(compute), .seconds = {}});
  };
  add("two-phase call", std::move(calls.two_phase_call));
  add("phase one", std::move(calls.phase_one));
  add("refusal", std::move(calls.refused_phase_one));
  measure(contenders, options.repeats, options.cpu_time);
  table.note_calls(layer, contenders);
}

void run(const Options& options) {
  Table table;
  if (!options.calls_only) Table::print_head();
  for (const Layer& layer : kernel_layers()) {
    if (std::string(layer.name).find(options.layer) == std::string::npos) continue;
    if (!options.calls_only) {
      for (const int threads : options.threads) run_layer(layer, threads, options, table);
    }
    run_calls(layer, options, table);
  }
  table.print_summary();
  std::printf("peak resident memory: %ld MiB\n", peak_memory_kib() / 1024);
  if (options.json.empty()) return;
  std::ofstream(options.json) << nlohmann::json{{"measurements", table.measurements()},
                                                {"peak_resident_kib", peak_memory_kib()}}
                                     .dump(1)
                              << '\n';
}

/// oneDNN's threads spin for milliseconds after each of its calls, on the cores that the next
/// contender needs. OpenMP reads this variable before main, so this program starts again.
void let_onednn_wait_idle(char** argv) {
  if (::setenv("OMP_WAIT_POLICY", "passive", 0) != 0) return;
  if (std::getenv("GRADPROOF_BENCH_STARTED") != nullptr) return;
  ::setenv("GRADPROOF_BENCH_STARTED", "1", 1);
  ::execv("/proc/self/exe", argv);
}

}  // namespace
}  // namespace gradproof::bench

int main(int argc, char** argv) try {
  using namespace gradproof::bench;
  let_onednn_wait_idle(argv);
  Options options;
  CLI::App app(
      "Times of the three gradients, and ratios to oneDNN and to the reference paths: above "
      "1 this kernel is faster");
  app.add_option("--repeats", options.repeats, "measurements of each; medians are shown")
      ->check(CLI::Range(1, 1000));
  app.add_option("--threads", options.threads, "host threads, e.g. 1,2")->delimiter(',');
  app.add_option("--layer", options.layer, "only layers whose name contains this");
  app.add_option("--json", options.json, "file for every measurement");
  app.add_flag("--references", options.references, "also the scalar and the plain path: slow");
  app.add_flag("--modes", options.modes,
               "also rounded products, HF32, FLOAT16 and BFLOAT16, against FLOAT");
  app.add_flag("--calls-only", options.calls_only,
               "only what the phases of a call of tiny layers cost, without the table");
  app.add_flag("--cpu-time", options.cpu_time,
               "with 1 thread count its CPU time: for a machine that others use too");
  CLI11_PARSE(app, argc, argv);
  run(options);
  return 0;
} catch (const std::exception& error) {
  std::fputs(error.what(), stderr);
  return 1;
}
