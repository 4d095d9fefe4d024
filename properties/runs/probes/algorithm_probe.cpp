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
#include "oracle/judge/operand_store.h"
#include "oracle/judge/value_judge.h"

namespace gradproof::properties {
namespace {

using corpus::Algorithm;
using corpus::Case;
using corpus::GradientAlgorithm;
using corpus::InputRole;
using corpus::Observation;
using corpus::OutputRole;

struct Size {
  std::int64_t channels, length;
};

/// Some libraries take the method for many channels alone.
constexpr std::array sizes{Size{4, 10}, Size{256, 8}};
/// So many channels of each map have elements that are not 0; more would only be more to add.
constexpr std::int64_t busy_channels = 4;
/// A target that is slower is not asked about many channels.
constexpr double most_milliseconds_per_mac = 1e-4;

corpus::TensorCase tensor_of(std::vector<std::int64_t> shape) {
  corpus::TensorCase tensor;
  tensor.format = shape.size() == 4 ? corpus::Format::Nchw : corpus::Format::Nd;
  tensor.shape = std::move(shape);
  return tensor;
}

Case call_of(const Size& size, OutputRole role, const std::string& soc) {
  Case call;
  call.id = "probe";
  call.soc = soc;
  const std::vector map{std::int64_t{1}, size.channels, size.length, size.length};
  call.grad_output = call.input = call.grad_input = tensor_of(map);
  call.weight = call.grad_weight = tensor_of({size.channels, size.channels, 3, 3});
  call.grad_bias = tensor_of({size.channels});
  call.bias_sizes = call.grad_bias->shape;
  call.stride = call.padding = call.dilation = std::vector<std::int64_t>{1, 1};
  call.output_padding = std::vector<std::int64_t>{0, 0};
  call.output_mask = {role == OutputRole::GradInput, role == OutputRole::GradWeight, false};
  return call;
}

/// Of one binade, the last bits drawn otherwise, times 8; integers.
enum class Numbers : std::uint8_t { OneBinade, OtherLastBits, Times8, Integers };

/// Of 8 elements about so many are not 0.
int share_of(InputRole role, OutputRole asked) {
  if (role == InputRole::Weight) return 2;
  const bool is_weight = asked == OutputRole::GradWeight;
  return role == InputRole::GradOutput && !is_weight ? 2 : 1;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// 23 bits of the significand are drawn, or an integer of [-3, 3].
float drawn(Numbers numbers, std::uint64_t word) {
  const bool is_negative = (word & 1) != 0;
  constexpr std::uint64_t last_bits = 0x7F00;
  if (numbers == Numbers::OtherLastBits) word ^= corpus::chained(word, 1) & last_bits;
  const float magnitude = numbers == Numbers::Integers
                              ? static_cast<float>(1 + (word >> 8U) % 3)
                              : 1 + std::ldexp(static_cast<float>((word >> 8U) % (1U << 23U)), -23);
  return is_negative ? -magnitude : magnitude;
}

void fill(Case& call, OutputRole asked, Numbers numbers) {
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
            const bool is_raised = role == InputRole::GradOutput && numbers == Numbers::Times8;
            const float value = (is_raised ? 8.0F : 1.0F) * drawn(numbers, word);
            listed.push_back({{n * step, c * step, h, w}, bits_of(value)});
          }
  }
}

bool succeeded(const Observation& seen) {
  return !seen.signal && !seen.timed_out && !seen.ended && !seen.failure &&
         seen.phase_one == corpus::Status::Success && seen.phase_two == corpus::Status::Success &&
         seen.synchronise.value_or(corpus::Status::Success) == corpus::Status::Success;
}

class Probe {
 public:
  Probe(const RunCase& run, const oracle::JudgeSettings& settings, std::string soc,
        FoundAlgorithms& found)
      : run_(run), settings_(settings), soc_(std::move(soc)), found_(found) {
    settings_.algorithms.clear();
    settings_.machine = nullptr;
    settings_.profile = oracle::Profile::Documented;  // which takes no method for granted
  }

  /// The form that computes the gradient in calls of this size; nullopt: none shows.
  std::optional<GradientAlgorithm> operator()(OutputRole role, const Size& size) {
    const auto seen = asked(role, size, Numbers::OneBinade);
    const auto left = seen ? left_where_no_product_is(*seen, role) : std::vector<std::size_t>();
    if (left.empty()) return std::nullopt;
    has_signature_ = true;
    const auto scaled = asked(role, size, Numbers::Times8);
    if (!scaled || !is_times_8(seen->second, scaled->second, role)) return std::nullopt;
    const auto varied = asked(role, size, Numbers::OtherLastBits);
    if (!varied || !rounds(seen->second, varied->second, left, role)) return std::nullopt;
    const auto integers = asked(role, size, Numbers::Integers);
    if (!integers) return std::nullopt;
    for (const GradientAlgorithm& form : forms_of(role)) {
      if (is_within(form, *seen, role) && is_within(form, *integers, role)) return form;
    }
    return std::nullopt;
  }

  bool is_slow() const { return is_slow_; }
  bool has_signature() const { return has_signature_; }

 private:
  using Answer = std::pair<Case, Observation>;

  /// From the narrowest bound to the widest.
  static std::vector<GradientAlgorithm> forms_of(OutputRole role) {
    const bool is_weight = role == OutputRole::GradWeight;
    const auto narrow = is_weight ? Algorithm::Winograd3x2 : Algorithm::Winograd2x3;
    const auto wide = is_weight ? Algorithm::Winograd3x4 : Algorithm::Winograd4x3;
    return {{role, narrow}, {role, wide}, {role, narrow, true}, {role, wide, true}};
  }

  std::optional<Answer> asked(OutputRole role, const Size& size, Numbers numbers) {
    Case call = call_of(size, role, soc_);
    fill(call, role, numbers);
    ++found_.calls;
    Observation seen = run_(call);
    const double macs = static_cast<double>(size.channels * size.channels * 9) *
                        static_cast<double>(size.length * size.length);
    is_slow_ = is_slow_ || seen.milliseconds > 100 + macs * most_milliseconds_per_mac;
    if (!succeeded(seen)) return std::nullopt;
    return Answer{std::move(call), std::move(seen)};
  }

  static std::vector<float> elements(const Observation& seen, OutputRole role) {
    const auto& bits = seen.outputs.at(static_cast<std::size_t>(role)).bits;
    std::vector<float> result(bits.size() / sizeof(float));
    if (!result.empty()) std::memcpy(result.data(), bits.data(), result.size() * sizeof(float));
    return result;
  }

  /// Elements without a product other than 0 that are not 0.
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

  /// Of what is left a fourth at least changes by a tenth where operands change by 2^-16.
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
  bool is_slow_ = false, has_signature_ = false;
};

std::string words_of(const GradientAlgorithm& found) {
  return fmt::format("{} is computed by {}{}", name_of(found.gradient), name_of(found.algorithm),
                     found.least_channels > 1
                         ? fmt::format(", in calls of {} channels and more", found.least_channels)
                         : std::string());
}

/// What was declared of a gradient against what the probe shows of it.
void compare(const GradientAlgorithm& declared, const std::optional<GradientAlgorithm>& seen,
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
                                const std::string& soc) {
  FoundAlgorithms found;
  for (const OutputRole role : {OutputRole::GradInput, OutputRole::GradWeight}) {
    std::optional<GradientAlgorithm> first;
    Probe probe(run, settings, soc, found);
    for (const Size& size : sizes) {
      if (&size != sizes.begin() && probe.is_slow()) break;
      if (first) break;
      first = probe(role, size);
      if (first && &size != sizes.begin()) first->least_channels = sizes.front().channels + 1;
    }
    const auto declared =
        std::ranges::find(settings.algorithms, role, &GradientAlgorithm::gradient);
    if (declared != settings.algorithms.end()) compare(*declared, first, found);
    if (first) {
      found.remarks.push_back(words_of(*first));
      found.algorithms.push_back(*first);
    } else if (probe.has_signature()) {
      found.remarks.push_back(fmt::format(
          "{} is not 0 where no product is, and yet by no method of Winograd's: held to sums of "
          "products",
          name_of(role)));
    }
  }
  return found;
}

}  // namespace gradproof::properties
