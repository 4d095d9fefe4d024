#include "properties/cases/generators/capacity_edge.h"

#include <algorithm>
#include <array>
#include <optional>

#include "oracle/facts/case_facts.h"
#include "oracle/rules/status_rules.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/calls/operator_convolution.h"

namespace gradproof::cases {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::RandomSource;

// Both tensors of a plane stay small, and so does the work.
constexpr std::int64_t most_elements = 120'000, most_macs = 500'000, longest_kernel = 511,
                       longest_dilation = 255, longest_stride = 63;

/// The size that is moved to the edge.
enum class Knob : std::uint8_t { Outputs, Dilation, Kernel };

/// An axis by its outputs: the larger map follows.
struct DrawnAxis {
  std::int64_t outputs = 1, unread = 0;
  SpatialAxis sizes = {};

  SpatialAxis axis() const {
    SpatialAxis made = sizes;
    made.big = (outputs - 1) * made.stride + (made.kernel - 1) * made.dilation + 1 -
               made.padding_begin - made.padding_end + std::min(unread, made.stride - 1);
    return made;
  }
};

struct Drawn {
  std::array<DrawnAxis, 3> axes;
  std::size_t turned = 2;
  Knob knob = Knob::Outputs;

  std::int64_t highest() const {
    switch (knob) {
      case Knob::Outputs:
        return 4200;
      case Knob::Dilation:
        return longest_dilation;
      case Knob::Kernel:
        break;
    }
    return longest_kernel;
  }

  void turn(std::int64_t value) {
    DrawnAxis& axis = axes.at(turned);
    (knob == Knob::Outputs    ? axis.outputs
     : knob == Knob::Dilation ? axis.sizes.dilation
                              : axis.sizes.kernel) = value;
  }
};

/// Small values mostly: needs then grow in small steps.
DrawnAxis draw_plane_axis(RandomSource& random) {
  DrawnAxis drawn;
  drawn.outputs = random.chance(40)   ? random.between(1, 4)
                  : random.chance(50) ? random.between(5, 24)
                                      : random.one_of<std::int64_t>({8, 15, 16, 17, 32});
  SpatialAxis& axis = drawn.sizes;
  axis.kernel = random.chance(80) ? random.between(1, 4) : random.between(5, 24);
  axis.stride = random.chance(50) ? random.between(1, 3) : random.between(1, longest_stride);
  if (axis.kernel > 1 && random.chance(60)) {
    axis.dilation = random.between(1, random.chance(50) ? 4 : longest_dilation);
  }
  const std::int64_t reach = std::min<std::int64_t>(255, (axis.kernel - 1) * axis.dilation);
  if (random.chance(40)) axis.padding_begin = random.between(0, reach);
  if (random.chance(30)) axis.padding_end = random.between(0, reach);
  drawn.unread = random.between(0, axis.stride - 1);
  return drawn;
}

/// One plane is enough where the dilated kernel is as long as the stride, which a kernel that is as
/// long without its dilation is not.
DrawnAxis draw_depth_axis(RandomSource& random) {
  DrawnAxis drawn;
  drawn.outputs = random.between(1, 3);
  if (random.chance(25)) {
    drawn.outputs = random.between(2, 3);
    drawn.sizes.kernel = drawn.sizes.stride = 2;
    drawn.sizes.dilation = 2;
    return drawn;
  }
  drawn.sizes.kernel = random.between(1, 3);
  drawn.sizes.dilation = drawn.sizes.kernel > 1 ? random.between(1, 2) : 1;
  drawn.sizes.stride = random.between(1, drawn.sizes.kernel);
  return drawn;
}

/// Draws rows of at most 16 results, of which several are loaded, far apart.
void draw_narrow_rows(Drawn& drawn, RandomSource& random) {
  drawn.axes[2] = {};
  drawn.axes[2].sizes.kernel = random.between(1, 16);
  drawn.axes[2].sizes.stride = random.between(40, longest_stride);
  drawn.axes[1].outputs = random.between(4, 8);
  drawn.axes[1].sizes.stride = longest_stride;
  drawn.axes[1].sizes.kernel = random.between(2, 3);
  drawn.turned = 1;
  drawn.knob = Knob::Dilation;
}

/// Draws a kernel that is higher than all rows of out_backprop with their gaps, of which no more
/// are loaded. One more row of the kernel takes 512 bytes, the least step that there is.
void draw_few_rows(Drawn& drawn, RandomSource& random) {
  constexpr std::int64_t l1 = 524'288, bytes_of_tap = 512, bytes_of_position = 32;
  drawn.axes = {};
  DrawnAxis &h = drawn.axes[1], &w = drawn.axes[2];
  h.outputs = random.between(1, 4);
  h.sizes.stride = random.between(8, 24);
  const std::int64_t rows = h.outputs * h.sizes.stride;
  const std::int64_t kernel = random.between(rows + 20, 240);
  w.sizes.stride = random.between(4, 24);
  w.outputs = (l1 - kernel * bytes_of_tap) / (bytes_of_position * rows * w.sizes.stride);
  drawn.turned = 1;
  drawn.knob = Knob::Kernel;
}

/// Draws a kernel of one row without padding, and rows of x far apart, those between not loaded.
void draw_rows_apart(Drawn& drawn, RandomSource& random) {
  drawn.axes[1] = {};
  drawn.axes[1].sizes.stride = random.between(20, longest_stride);
  drawn.axes[2].sizes.stride = random.between(2, longest_stride);
  drawn.turned = 2;
  drawn.knob = Knob::Outputs;
}

/// Draws rows of whole blocks of 16 outputs, of which each block lies in one row.
void draw_whole_blocks(Drawn& drawn, RandomSource& random) {
  drawn.axes[2].outputs = 16 * random.between(1, 3);
  drawn.axes[1].sizes.kernel = random.between(2, 4);
  drawn.turned = 1;
  drawn.knob = Knob::Dilation;
}

Drawn draw_sizes(std::string_view rule, RandomSource& random) {
  Drawn drawn{.axes = {draw_depth_axis(random), draw_plane_axis(random), draw_plane_axis(random)}};
  if (rule == "HW-03") {  // long rows, so few of them
    drawn.axes[0] = drawn.axes[1] = {};
    drawn.axes[1].outputs = random.between(1, 2);
    return drawn;
  }
  if (rule == "HW-02" && random.chance(25)) {
    draw_few_rows(drawn, random);
    return drawn;
  }
  if (rule == "HW-05" && random.chance(50)) {
    random.chance(50) ? draw_rows_apart(drawn, random) : draw_whole_blocks(drawn, random);
    return drawn;
  }
  drawn.turned = to_size(random.between(1, 2));
  SpatialAxis& turned = drawn.axes.at(drawn.turned).sizes;
  if (rule == "HW-04" || random.chance(40)) {
    drawn.knob = Knob::Dilation;
    turned.kernel = std::max<std::int64_t>(turned.kernel, 2);
  } else if (rule == "HW-02" && random.chance(20)) {
    drawn.knob = Knob::Kernel;
    turned.dilation = 1;
  } else if (rule == "HW-02" && random.chance(25)) {
    draw_narrow_rows(drawn, random);
  }
  return drawn;
}

std::optional<Case> with_sizes(const Case& test_case, const Drawn& drawn) {
  Convolution next = *operator_convolution_of(test_case);
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < drawn.axes.size(); ++i) {
    next.axes.at(i) = drawn.axes.at(i).axis();
    if (next.axes.at(i).big < 1) return std::nullopt;
    elements *= next.axes.at(i).big;
  }
  if (elements > most_elements || mac_count(next) > most_macs) return std::nullopt;
  Case made = test_case;
  set_operator_convolution(made, next);
  return made;
}

bool breaks(const std::optional<Case>& test_case, const oracle::StatusRule& rule) {
  if (!test_case) return true;  // larger than what is drawn: the edge is below
  const auto facts = oracle::facts_of(*test_case, *corpus::product_of(*test_case));
  return oracle::standing_of(rule, facts) == oracle::Standing::Broken;
}

/// True if the rule is broken alone, or none is.
bool is_as_wished(const Case& test_case, std::string_view rule, bool beyond) {
  const auto broken =
      oracle::admissible_statuses(test_case, oracle::Profile::Released).broken_rules;
  return beyond ? broken.size() == 1 && broken.front() == rule : broken.empty();
}

/// The least value of the knob that breaks the rule, by bisection: needs grow with every size but
/// by a row or two.
std::int64_t edge_of(const Case& test_case, Drawn drawn, std::string_view id) {
  const oracle::StatusRule& rule = *oracle::status_rule_named(id);
  std::int64_t low = 1, high = drawn.highest() + 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    drawn.turn(middle);
    if (breaks(with_sizes(test_case, drawn), rule)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Draws few channels, or one block of them and one more: what is loaded along D depends on it.
void draw_channels(Case& test_case, RandomSource& random) {
  Convolution sizes = *operator_convolution_of(test_case);
  sizes.batch = sizes.groups = 1;
  sizes.big_channels_per_group = random.between(1, 2);
  const auto block =
      32 / static_cast<std::int64_t>(corpus::size_bytes(test_case.grad_output->dtype));
  sizes.small_channels_per_group =
      random.chance(40) ? random.between(1, 3) : random.between(block, block + 1);
  sizes.sides_may_differ = true;
  set_operator_convolution(test_case, sizes);
}

/// True if the rules speak of these products' tiling alone.
bool has_capacity_rules(const Case& test_case) {
  const auto product = corpus::product_of(test_case);
  return product &&
         oracle::facts_of(test_case, *product).product_class == oracle::ProductClass::A23;
}

}  // namespace

bool draw_capacity_edge(Case& test_case, std::string_view rule, bool beyond, RandomSource& random) {
  if (!has_capacity_rules(test_case) || !operator_convolution_of(test_case)) return false;
  constexpr int tries = 6;
  Case base = test_case;
  draw_channels(base, random);
  for (int i = 0; i < tries; ++i) {
    Drawn drawn = draw_sizes(rule, random);
    const std::int64_t edge = edge_of(base, drawn, rule);
    const std::int64_t chosen = beyond ? edge : edge - 1;
    if (chosen < 1 || edge > drawn.highest()) continue;  // broken or met throughout
    drawn.turn(chosen);
    const auto made = with_sizes(base, drawn);
    if (!made || !is_as_wished(*made, rule, beyond)) continue;
    test_case = *made;
    return true;
  }
  return false;
}

void draw_any_capacity_edge(Case& test_case, RandomSource& random) {
  const bool dx = test_case.api == Api::Conv3DBackpropInputV2;
  const std::string_view rule =
      dx ? random.one_of<std::string_view>({"HW-02", "HW-02", "HW-03", "HW-04"})
         : std::string_view("HW-05");
  draw_capacity_edge(test_case, rule, random.chance(50), random);
}

}  // namespace gradproof::cases
