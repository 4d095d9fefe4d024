#include "properties/cases/check/check.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

#include "oracle/status/published_room.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::OutputRole;

/// A call that no library refuses that computes its kind at all.
Convolution ordinary(const Convolution& of) {
  Convolution sizes;
  sizes.transposed = of.transposed;
  sizes.small_channels_per_group = sizes.big_channels_per_group = 2;
  sizes.axes.assign(of.axes.size(), SpatialAxis{.big = 5});
  return sizes;
}

constexpr std::int64_t ordinary_positions = 3;

template <auto... members>
void set_axes(Convolution& onto, const Convolution& from) {
  for (std::size_t i = 0; i < onto.axes.size(); ++i) {
    ((onto.axes[i].*members = from.axes[i].*members), ...);
    set_lengths(onto.axes[i], ordinary_positions, 0);
  }
}

/// Gives the attribute other values of the same kind: what is usual stays so, what is equal stays
/// equal. Paddings on one side alone are a kind that a library may leave out as a whole.
template <std::int64_t usual, auto... members>
void set_alike(Convolution& onto, const Convolution& from, std::int64_t value) {
  std::vector<std::int64_t> distinct;
  const auto other_than = [&](std::int64_t old) {
    if (old == usual) return old;
    const auto it = std::ranges::find(distinct, old);
    const auto index = it - distinct.begin();
    if (it == distinct.end()) distinct.push_back(old);
    return value + index;
  };
  for (std::size_t i = 0; i < onto.axes.size(); ++i) {
    ((onto.axes[i].*members = other_than(from.axes[i].*members)), ...);
    set_lengths(onto.axes[i], ordinary_positions, 0);
  }
}

void set_big_lengths(Convolution& onto, const Convolution& from) {
  for (std::size_t i = 0; i < onto.axes.size(); ++i) onto.axes[i].big = from.axes[i].big;
}
void set_each_big_length(Convolution& onto, const Convolution& /*from*/, std::int64_t value) {
  for (SpatialAxis& axis : onto.axes) axis.big = value;
}

template <auto member>
void set_from(Convolution& onto, const Convolution& from) {
  onto.*member = from.*member;
}
template <auto member>
void set_to(Convolution& onto, const Convolution& /*from*/, std::int64_t value) {
  onto.*member = value;
}

/// An attribute of a call by itself.
struct VariedAttribute {
  std::string_view name;
  void (*copy)(Convolution& onto, const Convolution& from);
  void (*set)(Convolution& onto, const Convolution& from, std::int64_t value);
};
constexpr std::array attributes{
    VariedAttribute{"batch", set_from<&Convolution::batch>, set_to<&Convolution::batch>},
    VariedAttribute{"groups", set_from<&Convolution::groups>, set_to<&Convolution::groups>},
    VariedAttribute{"channels of the smaller map", set_from<&Convolution::small_channels_per_group>,
                    set_to<&Convolution::small_channels_per_group>},
    VariedAttribute{"channels of the larger map", set_from<&Convolution::big_channels_per_group>,
                    set_to<&Convolution::big_channels_per_group>},
    VariedAttribute{"kernel", set_axes<&SpatialAxis::kernel>, set_alike<1, &SpatialAxis::kernel>},
    VariedAttribute{"stride", set_axes<&SpatialAxis::stride>, set_alike<1, &SpatialAxis::stride>},
    VariedAttribute{"dilation", set_axes<&SpatialAxis::dilation>,
                    set_alike<1, &SpatialAxis::dilation>},
    VariedAttribute{"padding", set_axes<&SpatialAxis::padding_begin, &SpatialAxis::padding_end>,
                    set_alike<0, &SpatialAxis::padding_begin, &SpatialAxis::padding_end>},
    VariedAttribute{"lengths", set_big_lengths, set_each_big_length},
};

bool has_one_dtype(const Case& test_case) {
  const auto is_same = [&](const auto& tensor) {
    return !tensor || tensor->dtype == test_case.input->dtype;
  };
  return std::ranges::all_of(corpus::input_roles,
                             [&](auto role) { return is_same(corpus::tensor(test_case, role)); }) &&
         std::ranges::all_of(corpus::output_roles,
                             [&](auto role) { return is_same(corpus::tensor(test_case, role)); });
}

bool is_part_of_memory(const std::optional<corpus::TensorCase>& tensor) {
  return tensor && (tensor->strides || tensor->offset != 0 || tensor->storage_shape);
}
bool has_views(const Case& test_case) {
  return std::ranges::any_of(
             corpus::input_roles,
             [&](auto role) { return is_part_of_memory(corpus::tensor(test_case, role)); }) ||
         std::ranges::any_of(corpus::output_roles, [&](auto role) {
           return is_part_of_memory(corpus::tensor(test_case, role));
         });
}

/// One refused call, and what the target says of its neighbours.
class RefusedCall {
 public:
  RefusedCall(targets::Target& target, const Case& call, const CheckSettings& settings)
      : target_(target), call_(call), settings_(settings) {
    call_.data.reset();
    settings_.run.status_only = true;
  }

  /// Why the refusal has nothing to do with resources; nullopt: nothing says so.
  std::optional<std::string> why_unfounded() {
    if (accepts_in_other_mode()) {
      return fmt::format("accepted where deterministic is {}", !call_.deterministic);
    }
    if (has_one_dtype(call_)) {
      if (auto mask = accepted_mask()) return fmt::format("accepted with outputMask {}", *mask);
    }
    if (has_views(call_)) return std::nullopt;  // a library may leave them out
    return why_by_attributes();
  }

 private:
  /// True if the call is legal, and phase one succeeds.
  bool accepts(const Case& call) {
    const auto ruled = oracle::admissible_statuses(call, settings_.judge.profile);
    if (!ruled.may_be_refused) return false;
    return target_.run_case(call, settings_.run).phase_one == corpus::Status::Success;
  }
  bool accepts(const Convolution& sizes) { return accepts(call_of(sizes)); }

  Case call_of(const Convolution& sizes) const {
    std::vector<std::size_t> axes(sizes.axes.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    return with_convolution(call_, *sizes_, sizes, axes);
  }

  bool accepts_in_other_mode() {
    Case other = call_;
    other.deterministic = !other.deterministic;
    return accepts(other);
  }

  std::optional<std::string> accepted_mask() {
    for (unsigned bits = 1; bits < 8; ++bits) {
      Case other = call_;
      other.output_mask = {(bits & 4U) != 0, (bits & 2U) != 0, (bits & 1U) != 0};
      const bool has_all = std::ranges::all_of(corpus::output_roles, [&](OutputRole role) {
        return !is_requested(other, role) || corpus::tensor(other, role);
      });
      if (!has_all || other.output_mask == call_.output_mask || !accepts(other)) continue;
      return fmt::format("{:03b}", bits);
    }
    return std::nullopt;
  }

  std::optional<std::string> why_by_attributes() {
    if (!sizes_ || !accepts(ordinary(*sizes_))) return std::nullopt;
    for (const VariedAttribute& attribute : attributes) {
      Convolution alone = ordinary(*sizes_);
      attribute.copy(alone, *sizes_);
      if (!accepts(alone)) return why_by_value(attribute);
    }
    return "an ordinary call of these types is accepted, with each attribute of this one alone too";
  }

  /// A library that leaves out what the attribute says refuses its other values as well.
  std::optional<std::string> why_by_value(const VariedAttribute& attribute) {
    for (const std::int64_t value : {2, 3, 4, 5}) {
      Convolution other = ordinary(*sizes_);
      attribute.set(other, *sizes_, value);
      if (other == ordinary(*sizes_) || !accepts(other)) continue;
      return fmt::format("refused for its {}, accepted where that is {}", attribute.name, value);
    }
    return std::nullopt;
  }

  targets::Target& target_;
  Case call_;
  CheckSettings settings_;
  const std::optional<Convolution> sizes_ = convolution_of(call_);
};

}  // namespace

corpus::Verdict looked_at_again(targets::Target& target, const Case& test_case,
                                const CheckSettings& settings, corpus::Verdict verdict) {
  const bool is_refused = verdict.outcome == corpus::Outcome::Refused &&
                          test_case.api == corpus::Api::ConvolutionBackward;
  if (!is_refused || oracle::may_lack_room(test_case)) return verdict;
  const auto why = RefusedCall(target, test_case, settings).why_unfounded();
  if (!why) return verdict;
  verdict.outcome = corpus::Outcome::Disagree;
  verdict.kind = corpus::DisagreementKind::Status;
  verdict.reason += fmt::format(", but no published limit of a device is near: {}", *why);
  return verdict;
}

}  // namespace gradproof::cases
