#include "properties/runs/probes/algorithm_probe.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "corpus/element_hash.h"
#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/gradients/contributions.h"
#include "oracle/judge/judge_stages.h"
#include "oracle/judge/operand_store.h"

namespace gradproof::runs {
namespace {

using corpus::Algorithm;
using corpus::Case;
using corpus::GradientAlgorithm;
using corpus::InputRole;
using corpus::Observation;
using corpus::OutputRole;

struct ProbeSize {
  std::int64_t channels, length;
};

/// Some libraries take the method for many channels alone.
constexpr std::array probe_sizes{ProbeSize{4, 10}, ProbeSize{256, 8}};
/// So many channels of each map have elements that are not 0; more would only be more to add.
constexpr std::int64_t busy_channels = 4;
/// A target that is slower is not asked about many channels.
constexpr double most_milliseconds_per_mac = 1e-4;

corpus::TensorCase probe_tensor(std::vector<std::int64_t> shape) {
  corpus::TensorCase tensor;
  tensor.format = shape.size() == 4 ? corpus::Format::Nchw : corpus::Format::Nd;
  tensor.shape = std::move(shape);
  return tensor;
}

Case probe_call(const ProbeSize& size, OutputRole role, const std::string& soc) {
  Case call;
  call.id = "probe";
  call.soc = soc;
  const std::vector map{std::int64_t{1}, size.channels, size.length, size.length};
  call.grad_output = call.input = call.grad_input = probe_tensor(map);
  call.weight = call.grad_weight = probe_tensor({size.channels, size.channels, 3, 3});
  call.grad_bias = probe_tensor({size.channels});
  call.bias_sizes = call.grad_bias->shape;
  call.stride = call.padding = call.dilation = std::vector<std::int64_t>{1, 1};
  call.output_padding = std::vector<std::int64_t>{0, 0};
  call.output_mask = {role == OutputRole::GradInput, role == OutputRole::GradWeight, false};
  return call;
}

/// ProbeNumbers of one binade, the same with other last bits or times 8; integers.
enum class ProbeNumbers : std::uint8_t { OneBinade, OtherLastBits, Times8, Integers };

/// Elements of 8 that are not 0, about.
int share_of(InputRole role, OutputRole asked) {
  if (role == InputRole::Weight) return 2;
  const bool is_weight = asked == OutputRole::GradWeight;
  return role == InputRole::GradOutput && !is_weight ? 2 : 1;
}

std::uint32_t float_bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// 23 bits of the significand are drawn, or an integer of [-3, 3].
float drawn_number(ProbeNumbers numbers, std::uint64_t word) {
  const bool is_negative = (word & 1) != 0;
  constexpr std::uint64_t last_bits = 0x7F00;
  if (numbers == ProbeNumbers::OtherLastBits) word ^= corpus::chained(word, 1) & last_bits;
  const float magnitude = numbers == ProbeNumbers::Integers
                              ? static_cast<float>(1 + (word >> 8U) % 3)
                              : 1 + std::ldexp(static_cast<float>((word >> 8U) % (1U << 23U)), -23);
  return is_negative ? -magnitude : magnitude;
}

void fill_probe(Case& call, OutputRole asked, ProbeNumbers numbers) {
  corpus::DataRecipe& data = call.data.emplace();
  data.distribution = corpus::Distribution::Listed;
  for (const InputRole role : corpus::input_roles) {
    const auto& shape = corpus::tensor(call, role)->shape;
    const std::int64_t step = shape[1] / busy_channels;
    auto& listed = data.listed.at(static_cast<std::size_t>(role));
    const std::int64_t outer = role == InputRole::Weight ? busy_channels : 1;
    for (std::int64_t n = 0; n < outer; ++n)
      for (std::int64_t c = 0; c < busy_channels; ++c)
        for (std::int64_t h = 0; h < shape[2]; ++h)
          for (std::int64_t w = 0; w < shape[3]; ++w) {
            std::uint64_t word = static_cast<std::uint64_t>(role) + 17;
            for (const std::int64_t part : {n, c, h, w}) word = corpus::chained(word, part);
            if (static_cast<int>(word >> 60U) / 2 >= share_of(role, asked)) continue;
            const bool is_raised = role == InputRole::GradOutput && numbers == ProbeNumbers::Times8;
            const float value = (is_raised ? 8.0F : 1.0F) * drawn_number(numbers, word);
            listed.push_back({{n * step, c * step, h, w}, float_bits(value)});
          }
  }
}

bool has_succeeded(const Observation& seen) {
  return !seen.signal && !seen.timed_out && !seen.ended && !seen.failure &&
         seen.phase_one == corpus::Status::Success && seen.phase_two == corpus::Status::Success &&
         seen.synchronise.value_or(corpus::Status::Success) == corpus::Status::Success;
}

class TileProbe {
 public:
  TileProbe(const RunCase& run, const oracle::JudgeSettings& settings, std::string soc,
            FoundAlgorithms& found)
      : run_(run), settings_(settings), soc_(std::move(soc)), found_(found) {
    settings_.algorithms.clear();
    settings_.machine = nullptr;
    settings_.profile = oracle::Profile::Documented;  // which takes no method for granted
  }

  /// The form that computes the gradient in calls of this size; nullopt: none shows.
  std::optional<GradientAlgorithm> operator()(OutputRole role, const ProbeSize& size) {
    const auto seen = asked(role, size, ProbeNumbers::OneBinade);
    const auto left = seen ? left_where_no_product_is(*seen, role) : std::vector<std::size_t>();
    if (left.empty()) return std::nullopt;
    has_signature_ = true;
    const auto again = asked(role, size, ProbeNumbers::OneBinade);
    changes_ = again && left_where_no_product_is(*again, role).empty();
    if (changes_) return std::nullopt;
    const auto scaled = asked(role, size, ProbeNumbers::Times8);
    if (!scaled || !is_times_8(seen->second, scaled->second, role)) return std::nullopt;
    const auto varied = asked(role, size, ProbeNumbers::OtherLastBits);
    if (!varied || !rounds(seen->second, varied->second, left, role)) return std::nullopt;
    const auto integers = asked(role, size, ProbeNumbers::Integers);
    if (!integers) return std::nullopt;
    for (const GradientAlgorithm& form : forms_of(role)) {
      if (is_within(form, *seen, role) && is_within(form, *integers, role)) return form;
    }
    return std::nullopt;
  }

  bool is_slow() const { return is_slow_; }
  /// A sentence on a gradient that no form explains though it is not 0 where no product is.
  std::optional<std::string> puzzle(OutputRole role, bool is_declared) const {
    if (!has_signature_) return std::nullopt;
    return fmt::format("{} is not 0 where no product is, {}{}", name_of(role),
                       changes_ ? "and is when the same call is asked again: its algorithm changes"
                                : "and yet by no method of Winograd's",
                       is_declared ? "" : "; held to sums of products");
  }

 private:
  using Answer = std::pair<Case, Observation>;

  /// Candidates from the narrowest bound to the widest.
  static std::vector<GradientAlgorithm> forms_of(OutputRole role) {
    const bool is_weight = role == OutputRole::GradWeight;
    const auto narrow = is_weight ? Algorithm::Winograd3x2 : Algorithm::Winograd2x3;
    const auto wide = is_weight ? Algorithm::Winograd3x4 : Algorithm::Winograd4x3;
    constexpr bool anywhere = true;  // a few data do not tell where tiles begin
    return {{role, narrow, anywhere}, {role, wide, anywhere}};
  }

  std::optional<Answer> asked(OutputRole role, const ProbeSize& size, ProbeNumbers numbers) {
    Case call = probe_call(size, role, soc_);
    fill_probe(call, role, numbers);
    ++found_.calls;
    Observation seen = run_(call);
    const double macs = static_cast<double>(size.channels * size.channels * 9) *
                        static_cast<double>(size.length * size.length);
    is_slow_ = is_slow_ || seen.milliseconds > 100 + macs * most_milliseconds_per_mac;
    if (!has_succeeded(seen)) return std::nullopt;
    return Answer{std::move(call), std::move(seen)};
  }

  static std::vector<float> elements(const Observation& seen, OutputRole role) {
    const auto& bits = seen.outputs.at(static_cast<std::size_t>(role)).bits;
    std::vector<float> result(bits.size() / sizeof(float));
    if (!result.empty()) std::memcpy(result.data(), bits.data(), result.size() * sizeof(float));
    return result;
  }

  /// Elements that are not 0 without a product other than 0.
  static std::vector<std::size_t> left_where_no_product_is(const Answer& answer, OutputRole role) {
    const auto& [call, seen] = answer;
    const auto geometry = *oracle::geometry_of(call);
    const bool is_weight = role == OutputRole::GradWeight;
    const auto dy = oracle::operand_in_memory(call, InputRole::GradOutput, geometry);
    const auto other =
        oracle::operand_in_memory(call, is_weight ? InputRole::Input : InputRole::Weight, geometry);
    const auto values = elements(seen, role);
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == 0 || !std::isfinite(values[i])) continue;
      bool any = false;
      oracle::for_each_contribution(geometry, role, oracle::coordinate_of(geometry.shape(role), i),
                                    [&](const oracle::Shape& in_dy, const oracle::Shape& in_other) {
                                      any =
                                          !dy.at(in_dy).is_zero() && !other.at(in_other).is_zero();
                                      return !any;
                                    });
      if (!any) left.push_back(i);
    }
    return left;
  }

  /// True if a fourth of what is left changes by a tenth where operands change by 2^-16.
  static bool rounds(const Observation& seen, const Observation& varied,
                     const std::vector<std::size_t>& left, OutputRole role) {
    const auto before = elements(seen, role), after = elements(varied, role);
    if (before.size() != after.size()) return false;
    const auto changes = std::ranges::count_if(left, [&](std::size_t i) {
      return std::fabs(after[i] - before[i]) > std::fabs(before[i]) / 10;
    });
    return 4 * static_cast<std::size_t>(changes) >= left.size();
  }

  static bool is_times_8(const Observation& seen, const Observation& scaled, OutputRole role) {
    const auto one = elements(seen, role), eight = elements(scaled, role);
    return std::ranges::equal(one, eight, [](float a, float b) { return 8 * a == b; });
  }

  bool is_within(const GradientAlgorithm& form, const Answer& answer, OutputRole role) const {
    oracle::JudgeSettings settings = settings_;
    settings.algorithms = {form};
    corpus::Verdict verdict;
    oracle::judge_values(answer.first, answer.second, settings, verdict);
    const auto& evidence = verdict.outputs.at(static_cast<std::size_t>(role));
    return evidence.compared && evidence.breaches == 0 &&
           evidence.compared_elements == evidence.elements;
  }

  const RunCase& run_;
  oracle::JudgeSettings settings_;
  std::string soc_;
  FoundAlgorithms& found_;
  bool is_slow_ = false, has_signature_ = false, changes_ = false;
};

std::string words_of_found(const GradientAlgorithm& found) {
  return fmt::format("{} is computed by {}{}", name_of(found.gradient), name_of(found.algorithm),
                     found.least_channels > 1
                         ? fmt::format(", in calls of {} channels and more", found.least_channels)
                         : std::string());
}

/// Holds what was declared of a gradient against what the probe shows of it.
void hold_against(const GradientAlgorithm& declared, const std::optional<GradientAlgorithm>& seen,
                  FoundAlgorithms& found) {
  const auto name = name_of(declared.gradient);
  if (seen && declared.algorithm != seen->algorithm && declared.algorithm != Algorithm::Unknown) {
    found.contradictions.push_back(
        fmt::format("it says that {} is computed by {}, and the target's "
                    "results are those of {}",
                    name, name_of(declared.algorithm), name_of(seen->algorithm)));
  } else if (!seen && corpus::is_winograd(declared.algorithm)) {
    found.remarks.push_back(
        fmt::format("{} is declared to be computed by {}, of which {} calls of a "
                    "probe show nothing",
                    name, name_of(declared.algorithm), found.calls));
  }
}

}  // namespace

FoundAlgorithms find_algorithms(const RunCase& run, const oracle::JudgeSettings& settings,
                                const std::string& soc, bool asks_many_channels) {
  FoundAlgorithms found;
  for (const OutputRole role : {OutputRole::GradInput, OutputRole::GradWeight}) {
    std::optional<GradientAlgorithm> first;
    TileProbe probe(run, settings, soc, found);
    for (const ProbeSize& size : probe_sizes) {
      if (&size != probe_sizes.begin() && (!asks_many_channels || probe.is_slow())) break;
      if (first) break;
      first = probe(role, size);
      if (first && &size != probe_sizes.begin())
        first->least_channels = probe_sizes.front().channels + 1;
    }
    const auto declared =
        std::ranges::find(settings.algorithms, role, &GradientAlgorithm::gradient);
    const bool is_declared = declared != settings.algorithms.end();
    const auto puzzle = probe.puzzle(role, is_declared && corpus::is_winograd(declared->algorithm));
    if (is_declared && (first || !puzzle)) hold_against(*declared, first, found);
    if (first) {
      found.remarks.push_back(words_of_found(*first));
      found.algorithms.push_back(*first);
    } else if (puzzle) {
      found.remarks.push_back(*puzzle);
    }
  }
  return found;
}

}  // namespace gradproof::runs
