// The rules of Conv3DBackpropInputV2 and Conv3DBackpropFilterV2, by id, through their C functions:
// a call that breaks one and no other, and one that just meets it, on each product.

#include "tests/support/graph_operator_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::kernel {
namespace {

using testing::HasSubstr;

/// The ids in brackets, newest line first.
std::vector<std::string> rules_in(const std::string& text) {
  static const std::regex bracketed(R"(\[([A-Z]+(-[A-Z0-9]+)?)\])");
  std::vector<std::string> ids;
  for (std::sregex_iterator match(text.begin(), text.end(), bracketed), end; match != end;
       ++match) {
    ids.push_back((*match)[1]);
  }
  return ids;
}

struct Row {
  std::string id;
  std::vector<Device> devices;
  Arguments breaks;  ///< this rule and, but for those in `also`, no other
  Arguments meets;   ///< at its edge
  std::vector<std::string> also = {};
  aclnnStatus status = refused;
};

Convolution of(Operator kind) { return {.kind = kind}; }

/// The same convolution with one thing changed.
template <typename Change>
Convolution changed(Convolution convolution, Change&& change) {
  change(convolution);
  return convolution;
}

/// One position with a kernel of one, so that a single attribute can be large.
Convolution point(Operator kind) {
  return {.kind = kind,
          .kernel = {1, 1, 1},
          .stride = {1, 1, 1},
          .dilation = {1, 1, 1},
          .begin = {},
          .end = {},
          .output = {1, 1, 1},
          .unread_rest = false};
}

/// A kernel that covers the pads, so that one pad can be large.
Convolution padded(Operator kind, std::size_t side, std::int64_t pad) {
  return changed(point(kind), [&](Convolution& c) {
    const std::size_t axis = side / 2;
    (side % 2 == 0 ? c.begin : c.end)[axis] = pad;
    c.output[axis] = pad + 1;
    c.kernel[axis] = 1;
    c.stride[axis] = 1;
  });
}

Arguments strided(Operator kind, std::size_t axis, std::int64_t stride, aclFormat format = ncdhw) {
  return changed(point(kind),
                 [&](Convolution& c) {
                   c.stride[axis] = stride;
                   c.data_format = format;
                 })
      .arguments();
}

Arguments dilated(Operator kind, std::size_t axis, std::int64_t dilation,
                  aclFormat format = ncdhw) {
  return changed(point(kind),
                 [&](Convolution& c) {
                   c.kernel[axis] = 2;
                   c.dilation[axis] = dilation;
                   c.data_format = format;
                 })
      .arguments();
}

Arguments with_kernel(Operator kind, std::size_t axis, std::int64_t length) {
  return changed(point(kind), [&](Convolution& c) { c.kernel[axis] = length; }).arguments();
}

Arguments with_groups(Operator kind, std::int64_t groups) {
  return changed(point(kind),
                 [&](Convolution& c) {
                   c.groups = groups;
                   c.feature_channels = c.output_channels = 1;
                 })
      .arguments();
}

std::vector<Row> pointer_rows(Operator kind) {
  const Convolution valid = of(kind);
  const auto null = [&](const std::function<void(Arguments&)>& change) {
    return Row{"NULL", every, with(valid, change), valid.arguments(), {}, missing};
  };
  return {null([](Arguments& a) { a.size.reset(); }),
          null([](Arguments& a) { a.operand().is_null = true; }),
          null([](Arguments& a) { a.out_backprop.is_null = true; }),
          null([](Arguments& a) { a.result().is_null = true; }),
          null([](Arguments& a) { a.strides.reset(); }),
          null([](Arguments& a) { a.pads.reset(); }),
          null([](Arguments& a) { a.gives_workspace_size = false; }),
          null([](Arguments& a) { a.gives_executor = false; }),
          {"NULL",
           without,
           with(valid, [](Arguments& a) { a.pads.reset(); }),
           with(valid, [](Arguments&) {}),
           {kind == input_v2 ? "G-01" : "GF-01"},
           missing},
          {"LIVE-01", every, with(valid, [](Arguments& a) { a.operand().is_destroyed = true; }),
           valid.arguments()},
          {"LIVE-01", every, with(valid, [](Arguments& a) { a.result().is_destroyed = true; }),
           valid.arguments()}};
}

/// Attributes and sizes: the same for both operators but for ids and, on Ascend950, ranges.
struct Ids {
  std::string product, size, plane, strides, pads, dilations, relation;
};

std::vector<Row> attribute_rows(Operator kind, const Ids& ids, const std::vector<Device>& narrow) {
  const Convolution valid = of(kind);
  const auto number = [&](std::optional<Ints> Arguments::*array, std::size_t index,
                          std::int64_t value) {
    return with(point(kind), [&](Arguments& a) { (*(a.*array))[index] = value; });
  };
  const auto count = [&](std::optional<Ints> Arguments::*array, std::size_t size) {
    return with(valid, [&](Arguments& a) { (a.*array)->resize(size, 1); });
  };
  const Arguments plain = valid.arguments();
  std::vector<Row> rows = {
      {ids.product, without, plain, plain},
      {ids.size, every, with(valid, [](Arguments& a) { a.size->back() += 1; }), plain},
      {ids.size, every, count(&Arguments::size, 4), plain},
      {ids.strides, every, count(&Arguments::strides, 3), plain},
      {ids.strides, every, number(&Arguments::strides, 0, 2), plain},
      {ids.strides, every, number(&Arguments::strides, 1, 2), plain},
      {ids.strides, every, number(&Arguments::strides, 3, 0), plain},
      {ids.pads, every, count(&Arguments::pads, 3), plain},
      {ids.dilations, every, count(&Arguments::dilations, 6), plain},
      {ids.dilations, every, number(&Arguments::dilations, 0, 2), plain},
      {ids.dilations, every, number(&Arguments::dilations, 1, 2), plain},
      {ids.dilations, every, number(&Arguments::dilations, 4, 0),
       with(valid, [](Arguments& a) { a.dilations->at(3) = 2; })},
      {ids.dilations, narrow, dilated(kind, 0, 256, ndhwc), dilated(kind, 0, 255, ndhwc)},
      {ids.dilations, narrow, dilated(kind, 1, 256), dilated(kind, 1, 255)},
      {ids.dilations, narrow, dilated(kind, 2, 256), dilated(kind, 2, 255)},
      {ids.plane, every, with_kernel(kind, 1, 512), with_kernel(kind, 1, 511)},
      {ids.plane, every, with_kernel(kind, 2, 512), with_kernel(kind, 2, 511)},
      {ids.strides, narrow, strided(kind, 1, 64), strided(kind, 1, 63)},
      {ids.strides, narrow, strided(kind, 2, 64, ndhwc), strided(kind, 2, 63, ndhwc)},
      {ids.relation, every, with(valid, [](Arguments& a) { a.pads->at(5) += 2; }), plain},
      {ids.relation, every,
       changed(valid, [](Convolution& c) { c.unread_rest = false; }).arguments(),
       changed(valid, [](Convolution& c) { c.unread_rest = false; }).arguments()},
  };
  // The rest that the last stride leaves may grow up to the stride, and no further.
  rows.back().breaks.feature.shape[2] -= 1;
  if (kind == input_v2) rows.back().breaks.size->at(2) -= 1;
  for (std::size_t side = 0; side < 6; ++side) {
    rows.push_back({ids.pads, narrow, padded(kind, side, 256).arguments(),
                    padded(kind, side, 255).arguments()});
    rows.push_back({ids.pads, every, number(&Arguments::pads, side, -1), plain});
  }
  // A negative pad makes the map smaller than the filter's one position, or not: the relation too.
  for (Row& row : rows) {
    if (row.id == ids.pads && row.breaks.pads->size() == 6 &&
        std::ranges::count(*row.breaks.pads, -1) != 0) {
      row.also = {ids.relation};
    }
  }
  // The dilated filter does not fit.
  rows.push_back({ids.relation, every,
                  with(point(kind),
                       [](Arguments& a) {
                         a.filter.shape[2] = 3;
                         if (a.kind == filter_v2) a.size = a.filter.shape;
                       }),
                  padded(kind, 0, 2).arguments()});
  // No sum in int64 is taken on trust.
  rows.push_back({"HW-01", every,
                  with(valid,
                       [](Arguments& a) {
                         a.out_backprop.strides = Ints{std::int64_t{1} << 62, 1, 1, 1, 1 << 20};
                       }),
                  with(valid, [](Arguments& a) {
                    a.out_backprop.strides = Ints{std::int64_t{1} << 50, 1, 1, 1, 1 << 20};
                  })});
  return rows;
}

std::vector<Row> input_rows() {
  const Convolution valid = of(input_v2);
  const Convolution grouped = changed(valid, [](Convolution& c) { c.groups = 2; });
  const Convolution last = changed(valid, [](Convolution& c) { c.data_format = ndhwc; });
  const Convolution eight = changed(valid, [](Convolution& c) { c.type = ACL_HIFLOAT8; });
  const Arguments plain = valid.arguments();
  std::vector<Row> rows =
      attribute_rows(input_v2, {"G-01", "G-02", "G-09", "G-10", "G-11", "G-12", "G-16"}, every);
  const auto add = [&](Row row) { rows.push_back(std::move(row)); };
  const auto four_axes = [](TensorText& tensor) { tensor.shape = {1, 1, 1, 1}; };
  add({"G-03", every, with(valid, [&](Arguments& a) { four_axes(a.filter); }), plain});
  add({"G-03", every, with(valid, [&](Arguments& a) { four_axes(a.out_backprop); }), plain});
  add({"G-03", every, with(valid, [&](Arguments& a) { four_axes(a.feature); }), plain, {"G-02"}});
  add({"G-04", every, with(valid, [](Arguments& a) { a.feature.type = ACL_BF16; }), plain});
  add({"G-04", every, with(valid, [](Arguments& a) { a.out_backprop.type = ACL_FLOAT; }), plain});
  const auto typed = [&](aclDataType type) {
    return changed(valid, [&](Convolution& c) { c.type = type; }).arguments();
  };
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    add({"G-05", every, typed(ACL_DOUBLE), typed(type)});
  }
  add({"G-05", every, typed(ACL_FLOAT8_E5M2), plain});
  add({"G-05", a23, typed(ACL_HIFLOAT8), plain});
  add({"G-05", a23, typed(ACL_FLOAT8_E4M3FN), plain});
  add({"G-05", a5, typed(ACL_INT8), typed(ACL_FLOAT8_E4M3FN)});
  add({"G-06", every, with(valid, [](Arguments& a) { a.data_format = "NCHW"; }), plain});
  add({"G-06", every, with(valid, [](Arguments& a) { a.out_backprop.format = ACL_FORMAT_ND; }),
       plain});
  add({"G-06", every, with(valid, [](Arguments& a) { a.feature.format = ACL_FORMAT_NCHW; }),
       last.arguments()});
  add({"G-06", every, with(last, [](Arguments& a) { a.data_format.reset(); }),
       with(last, [](Arguments& a) { a.data_format.reset(); })});
  // Null stands for "NDHWC", so it is NCDHW tensors that it refuses.
  rows.back().breaks = with(point(input_v2), [](Arguments& a) { a.data_format.reset(); });
  add({"G-07", every, with(valid, [](Arguments& a) { a.filter.format = ACL_FORMAT_ND; }),
       changed(valid, [](Convolution& c) { c.filter_format = dhwcn; }).arguments()});
  add({"G-07", a23, changed(grouped, [](Convolution& c) { c.data_format = ndhwc; }).arguments(),
       grouped.arguments()});
  for (const aclFormat filter : {ndhwc, dhwcn}) {
    add({"G-07", a5, changed(eight, [&](Convolution& c) { c.filter_format = filter; }).arguments(),
         eight.arguments()});
  }
  add({"G-08",
       a5,
       changed(grouped, [](Convolution& c) { c.data_format = ndhwc; }).arguments(),
       last.arguments(),
       {"G-07"}});
  add({"G-10", every, strided(input_v2, 0, 256), strided(input_v2, 0, 255)});
  add({"G-13", every, with_groups(input_v2, 65536), with_groups(input_v2, 65535)});
  add({"G-13", every, with(valid, [](Arguments& a) { a.groups = 0; }), grouped.arguments()});
  add({"G-13", every, with(valid, [](Arguments& a) { a.groups = -1; }), grouped.arguments()});
  add({"G-14", every, with(grouped, [](Arguments& a) { a.feature.shape[1] = a.size->at(1) = 8; }),
       grouped.arguments()});
  add({"G-14", every, with(valid, [](Arguments& a) { a.filter.shape[0] = 5; }), plain});
  add({"G-14", every,
       with(grouped, [](Arguments& a) { a.filter.shape[0] = a.out_backprop.shape[1] = 7; }),
       grouped.arguments()});
  add({"G-14", every, with(valid, [](Arguments& a) { a.feature.shape[1] = a.size->at(1) = 7; }),
       plain});
  add({"G-15", every, with(valid, [](Arguments& a) { a.out_backprop.shape[0] = 3; }), plain});
  const auto empty = [&](std::size_t axis) {
    return with(valid, [&](Arguments& a) {
      a.out_backprop.shape[axis] = 0;
      if (axis == 0) a.feature.shape[0] = a.size->at(0) = 0;
      if (axis == 1) a.filter.shape[0] = 0;
    });
  };
  for (std::size_t axis = 0; axis < 5; ++axis) {
    add({"G-17", every, empty(axis), point(input_v2).arguments()});
  }
  add({"G-18", a23, strided(input_v2, 0, 2), strided(input_v2, 0, 1), {}, accepted});
  const Convolution huge = changed(point(input_v2), [](Convolution& c) {
    c.output = {1, 1 << 16, 1 << 16};
  });
  add({"G-19",
       every,
       huge.arguments(),
       changed(huge, [](Convolution& c) { c.output[2] -= 1; }).arguments(),
       {},
       accepted});
  add({"G-20",
       every,
       with(grouped, [](Arguments& a) { a.groups = 1; }),
       grouped.arguments(),
       {},
       accepted});
  add({"G-21",
       every,
       changed(valid,
               [](Convolution& c) {
                 c.kernel[0] = 1;
                 c.dilation[0] = 255;
                 c.begin[0] = 0;
               })
           .arguments(),
       plain,
       {},
       accepted});
  return rows;
}

std::vector<Row> filter_rows() {
  const Convolution valid = of(filter_v2);
  const Convolution grouped = changed(valid, [](Convolution& c) { c.groups = 2; });
  const Convolution eight = changed(valid, [](Convolution& c) { c.type = ACL_HIFLOAT8; });
  const Arguments plain = valid.arguments();
  constexpr std::int64_t highest = 2'147'483'646;
  std::vector<Row> rows = attribute_rows(
      filter_v2, {"GF-01", "GF-SIZE", "GF-03", "GF-04", "GF-05", "GF-06", "GF-09"}, a23);
  const auto add = [&](Row row) { rows.push_back(std::move(row)); };
  const auto typed = [&](aclDataType type) {
    return changed(valid, [&](Convolution& c) { c.type = type; }).arguments();
  };
  add({"GF-IN", every, typed(ACL_DOUBLE), typed(ACL_FLOAT)});
  add({"GF-IN", every, typed(ACL_FLOAT8_E4M3FN), typed(ACL_BF16)});
  add({"GF-IN", a23, typed(ACL_HIFLOAT8), plain});
  add({"GF-IN", every, with(valid, [](Arguments& a) { a.data_format = "DHWCN"; }), plain});
  add({"GF-IN", every, with(point(filter_v2), [](Arguments& a) { a.data_format = "NDHWC"; }),
       changed(valid, [](Convolution& c) { c.data_format = ndhwc; }).arguments()});
  add({"GF-OUT", every, with(valid, [](Arguments& a) { a.filter.type = ACL_FLOAT16; }), plain});
  add({"GF-OUT", every, with(valid, [](Arguments& a) { a.filter.format = ACL_FORMAT_ND; }),
       changed(valid, [](Convolution& c) { c.filter_format = dhwcn; }).arguments()});
  add({"GF-OUT",
       every,
       with(valid,
            [](Arguments& a) {
              a.filter.shape = {1, 1, 1, 1};
            }),
       changed(valid, [](Convolution& c) { c.filter_format = ndhwc; }).arguments(),
       {"GF-SIZE"}});
  add({"GF-SIZE", every, with(valid, [](Arguments& a) { a.filter.shape[2] = a.size->at(2) = 0; }),
       plain});
  add({"GF-02", every, with(valid, [](Arguments& a) { a.out_backprop.type = ACL_FLOAT; }), plain});
  add({"GF-02", every, with(valid, [](Arguments& a) { a.out_backprop.format = ACL_FORMAT_ND; }),
       plain});
  add({"GF-02", every, with(valid, [](Arguments& a) { a.feature.shape = {1, 1, 1}; }), plain});
  const Convolution single =
      changed(point(filter_v2), [](Convolution& c) { c.batch = c.feature_channels = 1; });
  const auto batch = [&](std::int64_t length) {
    return changed(single, [&](Convolution& c) { c.batch = length; }).arguments();
  };
  add({"GF-02", every, batch(highest + 1), batch(highest)});
  add({"GF-02", every, batch(0), batch(1)});
  add({"GF-04", a23, strided(filter_v2, 0, 256), strided(filter_v2, 0, 255)});
  // Far apart, the taps of a filter of two reach over a pad of any size into a map of few
  // positions.
  const auto far = [&](std::size_t axis, std::int64_t dilation, std::int64_t pad,
                       std::int64_t output) {
    return changed(point(filter_v2),
                   [&](Convolution& c) {
                     c.kernel[axis] = 2;
                     c.dilation[axis] = dilation;
                     c.begin[axis] = pad;
                     c.output[axis] = output;
                   })
        .arguments();
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    add({"GF-04", a5, strided(filter_v2, axis, highest + 1), strided(filter_v2, axis, highest)});
    add({"GF-06", a5, far(axis, highest + 1, highest, 1), far(axis, highest, highest, 1)});
    add({"GF-05", a5, far(axis, highest, highest + 1, 2), far(axis, highest, highest, 2)});
  }
  // Checked even where the filter has one position.
  add({"GF-06", a5, with(point(filter_v2), [](Arguments& a) { a.dilations->at(2) = highest + 1; }),
       with(point(filter_v2), [](Arguments& a) { a.dilations->at(2) = highest; })});
  add({"GF-07", every, with_groups(filter_v2, 65536), with_groups(filter_v2, 65535)});
  add({"GF-07", every, with(valid, [](Arguments& a) { a.groups = 0; }), grouped.arguments()});
  add({"GF-07", every, with(grouped, [](Arguments& a) { a.feature.shape[1] = 8; }),
       grouped.arguments()});
  add({"GF-07", every,
       with(grouped,
            [](Arguments& a) { a.filter.shape[0] = a.size->at(0) = a.out_backprop.shape[1] = 7; }),
       grouped.arguments()});
  add({"GF-08", a5, changed(eight, [](Convolution& c) { c.groups = 2; }).arguments(),
       eight.arguments()});
  add({"GF-10",
       every,
       with(valid, [](Arguments& a) { a.out_backprop.shape[0] = 5; }),
       plain,
       {},
       accepted});
  add({"GF-10",
       every,
       with(valid, [](Arguments& a) { a.out_backprop.shape[1] = 6; }),
       plain,
       {},
       accepted});
  return rows;
}

class GraphOperatorRules : public GraphOperators {
 protected:
  static void expect_as_stated(const Row& row, Device device) {
    SCOPED_TRACE(testing::Message() << row.id << " on device " << device);
    use(device);
    const PhaseOne broken = asked(row.breaks);
    EXPECT_EQ(broken.status, row.status) << broken.text;
    if (row.status == accepted) {
      EXPECT_NE(broken.workspace_size, untouched_size);
    } else {
      expect_refusal(broken, row);
    }
    if (std::ranges::find(without, device) != without.end()) return;
    const PhaseOne met = asked(row.meets);
    EXPECT_EQ(met.status, accepted) << met.text;
  }

  static void expect_refusal(const PhaseOne& broken, const Row& row) {
    EXPECT_EQ(broken.workspace_size, untouched_size);
    EXPECT_EQ(broken.executor, nullptr);
    EXPECT_THAT(broken.text, HasSubstr(row.breaks.kind == input_v2 ? "(Conv3DBackpropInputV2, "
                                                                   : "(Conv3DBackpropFilterV2, "));
    std::set<std::string> expected(row.also.begin(), row.also.end());
    expected.insert(row.id);
    const auto named = rules_in(broken.text);
    EXPECT_EQ(std::set<std::string>(named.begin(), named.end()), expected) << broken.text;
  }

  /// Every id has a row, and every row an id.
  static void expect_complete(Operator kind, const std::vector<Row>& rows) {
    std::set<std::string> tested, known;
    for (const Row& row : rows) tested.insert(row.id);
    for (const std::string_view id : api::rule_ids(kind)) known.emplace(id);
    EXPECT_EQ(tested, known);
  }
};

TEST_F(GraphOperatorRules, OfInputV2HoldOneByOneOnEveryProduct) {
  std::vector<Row> rows = pointer_rows(input_v2);
  for (Row& row : input_rows()) rows.push_back(std::move(row));
  expect_complete(input_v2, rows);
  for (const Row& row : rows) {
    for (const Device device : row.devices) expect_as_stated(row, device);
  }
}

TEST_F(GraphOperatorRules, OfFilterV2HoldOneByOneOnEveryProduct) {
  std::vector<Row> rows = pointer_rows(filter_v2);
  for (Row& row : filter_rows()) rows.push_back(std::move(row));
  expect_complete(filter_v2, rows);
  for (const Row& row : rows) {
    for (const Device device : row.devices) expect_as_stated(row, device);
  }
}

// ---- profile released

struct ReleasedRow {
  Device device;
  Arguments arguments;
  aclnnStatus documented, released;
};

std::vector<ReleasedRow> released_rows() {
  const Convolution grouped_last{.data_format = ndhwc, .groups = 2};
  const auto eight = [](aclFormat format) {
    return Convolution{.type = ACL_HIFLOAT8, .data_format = format}.arguments();
  };
  const Arguments too_deep_a_stride = strided(input_v2, 0, 2);
  const Arguments too_large_a_plane = changed(point(input_v2), [](Convolution& c) {
                                        c.output = {1, 1 << 16, 1 << 16};
                                      }).arguments();
  return {
      {On910B, grouped_last.arguments(), refused, accepted},
      {On950, grouped_last.arguments(), refused, accepted},
      {On950, eight(ncdhw), accepted, refused},
      {On950, eight(ndhwc), accepted, refused},
      {On910B, too_deep_a_stride, accepted, refused},
      {On950, too_deep_a_stride, accepted, accepted},
      {On910B, too_large_a_plane, accepted, refused},
      {On950, too_large_a_plane, accepted, refused},
      {On910B, with_kernel(input_v2, 1, 512), refused, refused},
      {On950, with_kernel(input_v2, 1, 512), refused, accepted},
      {On950, strided(input_v2, 1, 64), refused, accepted},
      {On950, dilated(input_v2, 1, 256), refused, accepted},
      {On950, padded(input_v2, 1, 256).arguments(), refused, accepted},
      {On910B, with_kernel(filter_v2, 1, 512), refused, refused},
      {On950, with_kernel(filter_v2, 1, 512), refused, accepted},
  };
}

TEST_F(GraphOperatorRules, OfTheReleasedProfileAreTheReleasedOperators) {
  for (const char* const profile : {"documented", "released"}) {
    initialise({{"GRADPROOF_DEVICES", device_list}, {"GRADPROOF_PROFILE", profile}});
    const bool is_released = std::string_view(profile) == "released";
    std::size_t number = 0;
    for (const ReleasedRow& row : released_rows()) {
      SCOPED_TRACE(testing::Message() << "row " << number++ << ", " << profile);
      use(row.device);
      const PhaseOne result = asked(row.arguments);
      EXPECT_EQ(result.status, is_released ? row.released : row.documented) << result.text;
    }
  }
}

// ---- any arguments at all

/// A number that sizes, strides and the like should not be, or are at an edge with.
std::int64_t odd_number(std::mt19937_64& random) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  constexpr std::array<std::int64_t, 16> numbers = {-largest - 1,
                                                    -(std::int64_t{1} << 31),
                                                    -1,
                                                    0,
                                                    1,
                                                    2,
                                                    3,
                                                    63,
                                                    64,
                                                    255,
                                                    256,
                                                    511,
                                                    65536,
                                                    2147483646,
                                                    2147483648,
                                                    largest};
  return numbers[random() % numbers.size()];
}

void disturb(std::optional<Ints>& values, std::mt19937_64& random) {
  const auto kind = random() % 8;
  if (kind == 0) {
    values.reset();
  } else if (!values || kind == 1) {
    values = Ints(random() % 8, odd_number(random));
  } else if (!values->empty()) {
    values->at(random() % values->size()) = odd_number(random);
  }
}

void disturb(TensorText& tensor, std::mt19937_64& random) {
  std::optional<Ints> shape = tensor.shape;
  switch (random() % 8) {
    case 0:
      tensor.is_null = true;
      break;
    case 1:
      tensor.is_destroyed = true;
      break;
    case 2:
      tensor.type = static_cast<aclDataType>(static_cast<int>(random() % 45) - 1);
      break;
    case 3:
      tensor.format = static_cast<aclFormat>(static_cast<int>(random() % 60) - 1);
      break;
    case 4:
      tensor.offset = odd_number(random);
      break;
    case 5:
      tensor.strides = row_major(tensor.shape);
      for (std::int64_t& stride : *tensor.strides) {
        if (random() % 3 == 0) stride = odd_number(random);
      }
      break;
    default:
      disturb(shape, random);
      tensor.shape = shape.value_or(Ints{});
      tensor.strides.reset();
  }
}

void disturb(Arguments& arguments, std::mt19937_64& random) {
  switch (random() % 10) {
    case 0:
      return disturb(arguments.size, random);
    case 1:
      return disturb(arguments.strides, random);
    case 2:
      return disturb(arguments.pads, random);
    case 3:
      return disturb(arguments.dilations, random);
    case 4:
      return disturb(arguments.feature, random);
    case 5:
      return disturb(arguments.filter, random);
    case 6:
      return disturb(arguments.out_backprop, random);
    case 7:
      arguments.groups = odd_number(random);
      return;
    case 8:
      arguments.data_format = std::string(random() % 7, 'N');
      return;
    default:
      arguments.enable_hf32 = !arguments.enable_hf32;
  }
}

TEST_F(GraphOperatorRules, SayWhyWheneverTheyRefuse) {
  std::mt19937_64 random(1);
  int accepted_count = 0;
  for (int turn = 0; turn < 20'000; ++turn) {
    Arguments arguments = Convolution{.kind = turn % 2 == 0 ? input_v2 : filter_v2}.arguments();
    for (auto changes = 1 + random() % 3; changes > 0; --changes) disturb(arguments, random);
    use(static_cast<Device>(random() % DeviceCount));
    const PhaseOne result = asked(arguments);
    ASSERT_THAT(result.status, testing::AnyOf(accepted, missing, refused)) << "turn " << turn;
    if (result.status == accepted) {
      ASSERT_NE(result.workspace_size, untouched_size) << "turn " << turn;
      ++accepted_count;
    } else {
      ASSERT_EQ(result.workspace_size, untouched_size) << "turn " << turn;
      ASSERT_THAT(rules_in(result.text), testing::Not(testing::IsEmpty())) << "turn " << turn;
    }
  }
  EXPECT_GT(accepted_count, 100);
}

}  // namespace
}  // namespace gradproof::kernel
