#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <set>

#include "corpus/case_json.h"
#include "oracle/rules/status_rules.h"
#include "tests/oracle/rules/rule_answers.h"
#include "tests/support/operator_calls.h"
#include "tests/support/published_cases.h"
#include "tests/support/status_calls.h"

// One call of a graph operator or a tiling class that breaks (or makes use of) each of its rules
// alone and one that just meets it, with the statuses of the three profiles, copied from the
// specification by hand; and what published tests of these operators returned.

namespace gradproof::oracle {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Status;

constexpr Api dx = Api::Conv3DBackpropInputV2;
constexpr Api dw = Api::Conv3DBackpropFilterV2;
constexpr Api dx_tiling = Api::Conv3DBpInputTiling;
constexpr Api dw_tiling = Api::Conv3dBpFilterTiling;

const Names specified_ids = {
    "G-NULL", "G-01",  "G-02",    "G-03",  "G-04",  "G-05",  "G-06",  "G-07",  "G-08",  "G-09",
    "G-10",   "G-11",  "G-12",    "G-13",  "G-14",  "G-15",  "G-16",  "G-17",  "G-18",  "G-19",
    "G-20",   "G-21",  "GF-NULL", "GF-01", "GF-02", "GF-IO", "GF-03", "GF-04", "GF-05", "GF-06",
    "GF-07",  "GF-08", "GF-09",   "GF-10", "TI-00", "TI-01", "TI-02", "TI-03", "TI-04", "TI-05",
    "TI-06",  "TI-07", "TI-08",   "TF-00", "TF-01", "TF-02", "TF-03", "TF-04"};

const Names a23 = {"Ascend910B", "Ascend910_93"};
const Names a5 = {"Ascend950"};
const Names a23_a5 = {"Ascend910B", "Ascend910_93", "Ascend950"};

const Expected refused{561103, {561103}, {561103}};
const Expected refused_as_null{161001, {161001}, {161001, 561103}};
const Expected both_verdicts{561103, {0, 561103}, {0, 561103}};
const Expected legal_or_refused{0, {0, 561103}, {0, 561103}};
const Expected legal{0, {0}, {0}};
const Expected tiling_refused{-1, {-1}, {-1}};
const Expected tiling_perhaps{0, {-1, 0}, {-1, 0}};

struct Example {
  std::string id;
  Names socs;
  Expected expected;
  OperatorCall call;
  Change broken, met;
  Names with = {};  ///< rules that are broken or made use of with it
};

void unchanged(Case&) {}

OperatorCall filter_call() { return {.api = dw}; }

Change shapes(std::vector<std::int64_t> out, std::vector<std::int64_t> map,
              std::vector<std::int64_t> filter) {
  return [=](Case& c) {
    const bool is_dx = c.api == dx || c.api == dx_tiling;
    if (!out.empty()) c.grad_output->shape = out;
    if (!map.empty()) (is_dx ? c.grad_input : c.input)->shape = map;
    if (!filter.empty()) (is_dx ? c.weight : c.grad_weight)->shape = filter;
    fit_result_size(c);
  };
}

Change attributes(std::function<void(corpus::OperatorAttributes&)> change) {
  return [=](Case& c) { change(*c.attributes); };
}

Change element(std::optional<std::vector<std::int64_t>> corpus::OperatorAttributes::*array,
               std::size_t i, std::int64_t value) {
  return [=](Case& c) { ((*c.attributes).*array)->at(i) = value; };
}

constexpr auto pads = &corpus::OperatorAttributes::pads;
constexpr auto strides = &corpus::OperatorAttributes::strides;
constexpr auto dilations = &corpus::OperatorAttributes::dilations;

/// A call with one output position and a kernel of one element along each axis: whatever the
/// stride, dilation (and pad, where the input gets shorter) is, lengths agree.
OperatorCall point(Api api, Format format = Format::Ncdhw) {
  OperatorCall call{.api = api, .format = format};
  call.small = call.kernel = call.stride = call.dilation = {1, 1, 1};
  call.pads = {0, 0, 0, 0, 0, 0};
  return call;
}

/// The same with a kernel of 2 along D and H, so that a D stride of 2 is none beyond the filter.
Change point_with_pads(std::int64_t front, std::int64_t kernel) {
  return [=](Case& c) {
    c.attributes->pads->at(0) = front;
    const bool is_dx = c.api == dx;
    (is_dx ? c.weight : c.grad_weight)->shape[2] = kernel;
    (is_dx ? c.grad_input : c.input)->shape[2] = kernel - front;
    fit_result_size(c);
  };
}

std::vector<Example> examples_of_input() {
  OperatorCall ndhwc{.format = Format::Ndhwc};
  OperatorCall ndhwc_grouped{.format = Format::Ndhwc, .groups = 2};
  OperatorCall hifloat8{.soc = "", .dtype = DataType::HiFloat8};
  OperatorCall grouped{.groups = 2};
  const auto dtype = [](DataType type) { return [=](Case& c) { set_dtype(c, type); }; };
  const auto data_format = [](const char* name) {
    return attributes([=](auto& it) { it.data_format = name; });
  };
  const auto both = [](Change first, Change second) {
    return [=](Case& c) {
      first(c);
      second(c);
    };
  };
  return {
      {"G-NULL",
       a23_a5,
       refused_as_null,
       {},
       attributes([](auto& a) { a.input_size.reset(); }),
       unchanged},
      {"G-NULL", a23_a5, refused_as_null, {}, [](Case& c) { c.weight.reset(); }, unchanged},
      {"G-NULL", a23_a5, refused_as_null, {}, [](Case& c) { c.grad_output.reset(); }, unchanged},
      {"G-NULL",
       a23_a5,
       refused_as_null,
       {},
       attributes([](auto& a) { a.strides.reset(); }),
       unchanged},
      {"G-NULL",
       a23_a5,
       refused_as_null,
       {},
       attributes([](auto& a) { a.pads.reset(); }),
       unchanged},
      {"G-NULL",
       a23_a5,
       refused_as_null,
       {},
       [](Case& c) { c.grad_input.reset(); },
       both(attributes([](auto& a) { a.dilations.reset(); }), shapes({}, {2, 8, 2, 6, 3}, {}))},
      {"G-01",
       {"Ascend310P", "Ascend910", "Ascend310", "8888"},
       refused,
       {},
       unchanged,
       [](Case& c) { c.soc = "Ascend950"; }},
      {"G-02",
       a23_a5,
       refused,
       {},
       attributes([](auto& a) { a.input_size->back() += 1; }),
       unchanged},
      {"G-02",
       a23_a5,
       refused,
       {},
       attributes([](auto& a) { a.input_size->pop_back(); }),
       unchanged},
      {"G-02", a23_a5, both_verdicts, point(dx), attributes([](auto& a) {
         a.input_size = {{2, 8, 1, 1}};
       }),
       unchanged},
      {"G-02", a23_a5, refused, point(dx), attributes([](auto& a) {
         a.input_size = {{2, 9, 1, 1}};
       }),
       unchanged},
      {"G-03", a23_a5, refused, {}, [](Case& c) { c.weight->shape.pop_back(); }, unchanged},
      {"G-04",
       a23_a5,
       refused,
       {},
       [](Case& c) { c.weight->dtype = DataType::Float; },
       dtype(DataType::Float)},
      {"G-05", a23_a5, refused, {}, dtype(DataType::Int32), dtype(DataType::BFloat16)},
      {"G-05", a23, refused, {}, dtype(DataType::HiFloat8), unchanged},
      {"G-06",
       a23_a5,
       refused,
       {},
       both(data_format("NCHW"),
            [](Case& c) {
              c.attributes->strides = c.attributes->dilations = std::vector<std::int64_t>(5, 1);
            }),
       unchanged},
      {"G-06",
       a23_a5,
       refused,
       {},
       [](Case& c) { c.grad_output->format = c.grad_input->format = Format::Nd; },
       unchanged},
      {"G-06", a23_a5, refused, {}, [](Case& c) { c.grad_input->format = Format::Nd; }, unchanged},
      {"G-07",
       a23_a5,
       refused,
       {},
       [](Case& c) { c.weight->format = Format::Nd; },
       [](Case& c) {
         c.weight->format = Format::Dhwcn;
         c.weight->shape = {2, 3, 3, 8, 4};
       }},
      {"G-07", a23, both_verdicts, ndhwc_grouped, unchanged,
       [](Case& c) { c = operator_case({}); }},
      {"G-07", a5, legal_or_refused, {}, dtype(DataType::HiFloat8), dtype(DataType::Float)},
      {"G-07", a5, legal_or_refused, ndhwc, dtype(DataType::Float8E4M3FN), unchanged},
      {"G-07",
       a5,
       refused,
       {},
       both(dtype(DataType::Float8E4M3FN),
            [](Case& c) {
              c.weight->format = Format::Ndhwc;
              c.weight->shape = {4, 2, 3, 3, 8};
            }),
       unchanged},
      {"G-07", a5, legal_or_refused, grouped, dtype(DataType::HiFloat8), unchanged},
      {"G-08",
       a5,
       both_verdicts,
       ndhwc_grouped,
       unchanged,
       [](Case& c) {
         c = operator_case({});
         c.soc = "Ascend950";
       },
       {"G-07"}},
      {"G-09",
       a23,
       refused,
       {},
       shapes({2, 4, 1, 1, 1}, {2, 8, 1, 511, 2}, {4, 8, 2, 512, 3}),
       shapes({2, 4, 1, 1, 1}, {2, 8, 1, 510, 2}, {4, 8, 2, 511, 3})},
      {"G-09",
       a5,
       both_verdicts,
       {},
       shapes({2, 4, 1, 1, 1}, {2, 8, 1, 511, 2}, {4, 8, 2, 512, 3}),
       shapes({2, 4, 1, 1, 1}, {2, 8, 1, 510, 2}, {4, 8, 2, 511, 3})},
      {"G-10", a23_a5, refused, point(dx), element(strides, 0, 2), element(strides, 4, 63)},
      {"G-10", a23_a5, refused, point(dx), element(strides, 3, 0), element(strides, 3, 1)},
      {"G-10", a23, refused, point(dx), element(strides, 3, 64), element(strides, 3, 63)},
      {"G-10", a5, both_verdicts, point(dx), element(strides, 3, 64), element(strides, 3, 63)},
      {"G-10", a5, both_verdicts, point(dx), element(strides, 2, 256), element(strides, 2, 255)},
      {"G-10", a5, refused, point(dx), element(strides, 3, 2147483648), unchanged, {"G-19"}},
      {"G-10", a23_a5, refused, point(dx), attributes([](auto& a) { a.strides->pop_back(); }),
       unchanged},
      {"G-11", a23_a5, refused, {}, attributes([](auto& a) { a.pads->pop_back(); }), unchanged},
      {"G-11", a23, refused, point(dx), point_with_pads(256, 257), point_with_pads(255, 256)},
      {"G-11", a5, both_verdicts, point(dx), point_with_pads(256, 257), point_with_pads(255, 256)},
      {"G-11", a23_a5, refused, point(dx), point_with_pads(-1, 1), point_with_pads(0, 1)},
      {"G-12", a23_a5, refused, point(dx), element(dilations, 1, 2), unchanged},
      {"G-12", a23_a5, refused, point(dx), element(dilations, 3, 0), unchanged},
      {"G-12",
       a23,
       refused,
       point(dx),
       element(dilations, 3, 256),
       element(dilations, 3, 255),
       {"G-21"}},
      {"G-12",
       a5,
       both_verdicts,
       point(dx),
       element(dilations, 3, 256),
       element(dilations, 3, 255),
       {"G-21"}},
      {"G-13", a23_a5, refused, {}, [](Case& c) { c.groups = 0; }, unchanged},
      {"G-13",
       a23_a5,
       refused,
       {.groups = 65536, .batch = 1, .out_channels_per_group = 1, .in_channels_per_group = 1},
       unchanged,
       [](Case& c) { c = operator_case({.groups = 65535, .batch = 1}); }},
      {"G-14", a23_a5, refused, {}, shapes({2, 5, 2, 3, 4}, {}, {}), unchanged},
      {"G-14", a23_a5, refused, {}, shapes({}, {2, 7, 2, 6, 5}, {}), unchanged},
      {"G-14", a23_a5, refused, grouped, shapes({}, {}, {8, 9, 2, 3, 3}), unchanged},
      {"G-15", a23_a5, refused, {}, shapes({1, 4, 2, 3, 4}, {}, {}), unchanged},
      {"G-16", a23_a5, refused, {}, shapes({2, 4, 2, 3, 5}, {}, {}), unchanged},
      {"G-16",
       a23_a5,
       refused,
       {},
       shapes({2, 4, 1, 3, 4}, {2, 8, 0, 6, 5}, {4, 8, 3, 3, 3}),
       unchanged,
       {"G-17"}},
      {"G-17", a23_a5, refused, {}, shapes({0, 4, 2, 3, 4}, {0, 8, 2, 6, 5}, {}), unchanged},
      {"G-18", a23, legal_or_refused, point(dx), element(strides, 2, 2), unchanged},
      {"G-19", a23_a5, legal_or_refused, point(dx),
       both(shapes({1, 4, 1, 65536, 65536}, {1, 8, 1, 65536, 65536}, {}), unchanged),
       shapes({1, 4, 1, 65535, 65537}, {1, 8, 1, 65535, 65537}, {})},
      {"G-20", a23_a5, legal_or_refused, {}, shapes({}, {2, 16, 2, 6, 5}, {}), unchanged},
      {"G-21", a23_a5, legal, point(dx), element(dilations, 2, 2), unchanged},
  };
}

std::vector<Example> examples_of_filter() {
  OperatorCall hifloat8{.api = dw, .dtype = DataType::HiFloat8};
  OperatorCall hifloat8_grouped{.api = dw, .dtype = DataType::HiFloat8, .groups = 2};
  const auto inputs = [](DataType type) {
    return [=](Case& c) { c.input->dtype = c.grad_output->dtype = type; };
  };
  return {
      {"GF-NULL", a23_a5, refused_as_null, filter_call(),
       attributes([](auto& a) { a.filter_size.reset(); }), unchanged},
      {"GF-NULL", a23_a5, refused_as_null, filter_call(), [](Case& c) { c.input.reset(); },
       unchanged},
      {"GF-NULL", a23_a5, refused_as_null, filter_call(), [](Case& c) { c.grad_weight.reset(); },
       unchanged},
      {"GF-01",
       {"Ascend310P", "Ascend910", "Ascend310B"},
       refused,
       filter_call(),
       unchanged,
       [](Case& c) { c.soc = "Ascend910B"; }},
      {"GF-02", a23_a5, refused, filter_call(), [](Case& c) { c.input->dtype = DataType::Float; },
       inputs(DataType::Float)},
      {"GF-02", a23_a5, refused, filter_call(), [](Case& c) { c.input->shape.push_back(1); },
       unchanged},
      {"GF-02", a23_a5, refused, filter_call(), shapes({0, 4, 2, 3, 4}, {0, 8, 2, 6, 5}, {}),
       unchanged},
      {"GF-02", a5, refused, point(dw),
       shapes({1, 4, 2147483647, 1, 1}, {1, 8, 2147483647, 1, 1}, {}),
       shapes({1, 4, 2147483646, 1, 1}, {1, 8, 2147483646, 1, 1}, {})},
      {"GF-IO", a23_a5, refused, filter_call(), inputs(DataType::Int32),
       inputs(DataType::BFloat16)},
      {"GF-IO", a23_a5, refused, filter_call(), inputs(DataType::Float8E4M3FN), unchanged},
      {"GF-IO", a23, refused, filter_call(), inputs(DataType::HiFloat8), unchanged},
      {"GF-IO", a5, legal_or_refused, filter_call(), inputs(DataType::HiFloat8), unchanged},
      {"GF-IO", a23_a5, refused, filter_call(),
       [](Case& c) { c.grad_weight->dtype = DataType::Float16; }, unchanged},
      {"GF-IO", a23_a5, refused, filter_call(),
       attributes([](auto& a) { a.filter_size->at(2) += 1; }), unchanged},
      {"GF-IO", a23_a5, refused, filter_call(), [](Case& c) { c.grad_weight->format = Format::Nd; },
       [](Case& c) {
         c.grad_weight->format = Format::Dhwcn;
         c.grad_weight->shape = {2, 3, 3, 8, 4};
         fit_result_size(c);
       }},
      {"GF-IO", a23_a5, refused, filter_call(),
       [](Case& c) { c.input->format = c.grad_output->format = Format::Nd; }, unchanged},
      {"GF-03", a23, refused, point(dw), shapes({}, {2, 8, 1, 512, 1}, {4, 8, 1, 512, 1}),
       shapes({}, {2, 8, 1, 511, 1}, {4, 8, 1, 511, 1})},
      {"GF-03", a5, both_verdicts, point(dw), shapes({}, {2, 8, 1, 512, 1}, {4, 8, 1, 512, 1}),
       shapes({}, {2, 8, 1, 511, 1}, {4, 8, 1, 511, 1})},
      {"GF-03", a23_a5, refused, point(dw), shapes({2, 4, 2, 1, 1}, {}, {4, 8, 0, 1, 1}),
       unchanged},
      {"GF-04", a23, refused, point(dw), element(strides, 3, 64), element(strides, 3, 63)},
      {"GF-04", a23, refused, point(dw), element(strides, 2, 256), element(strides, 2, 255)},
      {"GF-04", a5, refused, point(dw), element(strides, 3, 2147483647),
       element(strides, 3, 2147483646)},
      {"GF-04", a23_a5, refused, point(dw), element(strides, 1, 2), unchanged},
      {"GF-05", a23, refused, point(dw), point_with_pads(256, 257), point_with_pads(255, 256)},
      {"GF-05", a5, refused, point(dw), point_with_pads(-1, 1), point_with_pads(256, 257)},
      {"GF-06", a23, refused, point(dw), element(dilations, 4, 256), element(dilations, 4, 255)},
      {"GF-06", a5, refused, point(dw), element(dilations, 4, 2147483647),
       element(dilations, 4, 2147483646)},
      {"GF-07", a23_a5, refused, filter_call(), [](Case& c) { c.groups = -1; }, unchanged},
      {"GF-07",
       a23_a5,
       refused,
       {.api = dw, .groups = 2},
       shapes({}, {}, {8, 9, 2, 3, 3}),
       unchanged},
      {"GF-07", a23_a5, legal_or_refused, filter_call(), shapes({}, {2, 16, 2, 6, 5}, {}),
       unchanged},
      {"GF-08",
       a5,
       refused,
       hifloat8_grouped,
       unchanged,
       [](Case& c) {
         c = operator_case({.api = dw, .soc = "Ascend950", .dtype = DataType::HiFloat8});
       },
       {"GF-IO"}},
      {"GF-09", a23_a5, refused, filter_call(), shapes({2, 4, 2, 3, 5}, {}, {}), unchanged},
      {"GF-10",
       a23_a5,
       {0, {0, 561103}, {0, 561103}, true},
       filter_call(),
       shapes({1, 4, 2, 3, 4}, {}, {}),
       unchanged},
      {"GF-10",
       a23_a5,
       {0, {0, 561103}, {0, 561103}, true},
       filter_call(),
       shapes({2, 5, 2, 3, 4}, {}, {}),
       unchanged},
  };
}

/// A call whose pads stay below its kernel, as the tiling class demands.
OperatorCall tiling_call(Api api) {
  return {.api = api,
          .small = {2, 3, 4},
          .kernel = {2, 3, 3},
          .stride = {1, 2, 1},
          .dilation = {1, 1, 2},
          .pads = {0, 1, 1, 0, 2, 1}};
}

std::vector<Example> examples_of_tilings() {
  const Names any = {"Ascend910B"};
  const auto transposed = [](Case& c) { c.grad_input.reset(); };
  return {
      {"TI-00", any, tiling_refused, tiling_call(dx_tiling), shapes({2, 5, 2, 3, 4}, {}, {}),
       unchanged},
      {"TI-00", any, tiling_refused, tiling_call(dx_tiling),
       [](Case& c) {
         c.output_padding = {{0, 0, 0}};
       },
       [=](Case& c) {
         transposed(c);
         c.output_padding = {{0, 0, 0}};
       }},
      {"TI-01", any, tiling_refused, point(dx_tiling), element(dilations, 2, 0),
       element(dilations, 2, 1)},
      {"TI-02", any, tiling_refused, tiling_call(dx_tiling), [](Case& c) { c.weight.reset(); },
       unchanged},
      {"TI-02",
       any,
       tiling_refused,
       tiling_call(dx_tiling),
       shapes({}, {2, 8, 1, 6, 5}, {4, 8, 2, 0, 3}),
       unchanged,
       {"TI-05", "TI-07", "TI-08"}},
      {"TI-03", any, tiling_refused, tiling_call(dx_tiling),
       [](Case& c) { c.weight->format = Format::Ndhwc; },
       [](Case& c) { c.weight->format = Format::FractalZ3d; }},
      {"TI-04", any, tiling_refused, tiling_call(dx_tiling),
       [=](Case& c) {
         transposed(c);
         c.output_padding = {{-5, 0, 0}};
       },
       transposed},
      {"TI-05", any, tiling_refused, tiling_call(dx_tiling), shapes({2, 4, 2, 3, 5}, {}, {}),
       unchanged},
      {"TI-06", any, tiling_refused, point(dx_tiling), element(strides, 3, 64),
       element(strides, 3, 63)},
      {"TI-06", any, tiling_refused, point(dx_tiling), element(strides, 2, 2),
       element(strides, 2, 1)},
      {"TI-07", any, tiling_refused, tiling_call(dx_tiling),
       [](Case& c) {
         c.attributes->pads->at(0) = 2;
         c.grad_input->shape[2] -= 2;
         fit_result_size(c);
       },
       unchanged},
      {"TI-08", any, tiling_refused, tiling_call(dx_tiling),
       [](Case& c) {
         c = operator_case({.api = dx_tiling, .kernel = {2, 3, 3}, .dilation = {1, 1, 129}});
       },
       [](Case& c) {
         c = operator_case({.api = dx_tiling, .kernel = {2, 3, 3}, .dilation = {1, 1, 128}});
       }},
      {"TF-00", any, tiling_perhaps, tiling_call(dw_tiling), shapes({1, 4, 2, 3, 4}, {}, {}),
       unchanged},
      {"TF-01", any, tiling_refused, point(dw_tiling), element(pads, 0, -1), unchanged, {"TF-04"}},
      {"TF-02",
       any,
       tiling_refused,
       tiling_call(dw_tiling),
       shapes({}, {}, {4, 8, 2, 3, 0}),
       unchanged,
       {"TF-04"}},
      {"TF-03", any, tiling_refused, point(dw_tiling), element(strides, 3, 64),
       element(strides, 3, 63)},
      {"TF-04", any, tiling_perhaps, tiling_call(dw_tiling), shapes({2, 4, 2, 3, 5}, {}, {}),
       unchanged},
  };
}

const std::vector<Example>& examples() {
  static const std::vector<Example> joined = [] {
    std::vector<Example> rows;
    for (const auto& part : {examples_of_input(), examples_of_filter(), examples_of_tilings()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return joined;
}

Case on(const Example& example, const std::string& soc, const Change& change) {
  OperatorCall call = example.call;
  call.soc = soc;
  return changed(operator_case(call), change);
}

TEST(OperatorRuleTable, FollowsTheRulesOfTheConvolutionCallInTheSpecificationsOrder) {
  Names ids;
  for (const StatusRule& rule : all_status_rules()) {
    if (!rule.calls.contains(Api::ConvolutionBackward)) ids.emplace_back(rule.id);
  }
  EXPECT_EQ(ids, specified_ids);
}

TEST(OperatorRuleExamples, CoverEveryRule) {
  std::set<std::string> covered;
  for (const Example& example : examples()) covered.insert(example.id);
  EXPECT_EQ(covered, std::set<std::string>(specified_ids.begin(), specified_ids.end()));
}

TEST(OperatorRuleExamples, BreakTheRuleAloneAndAnswerAsTheSpecificationSays) {
  for (const Example& example : examples()) {
    for (const auto& soc : example.socs) {
      const Case problem = on(example, soc, example.broken);
      SCOPED_TRACE(example.id + " on " + soc + " " + corpus::to_json_line(problem));
      Names wanted = example.with;
      wanted.push_back(example.id);
      expect_in_play(problem, wanted, example.expected);
    }
  }
}

TEST(OperatorRuleExamples, MeetTheRuleWithTheNearestLegalCall) {
  for (const Example& example : examples()) {
    for (const auto& soc : example.socs) {
      const Case problem = on(example, soc, example.met);
      SCOPED_TRACE(example.id + " on " + soc + " " + corpus::to_json_line(problem));
      expect_legal_without(problem, example.id);
    }
  }
}

TEST(OperatorRuleExamples, AreTurnedIntoWords) {
  for (const Example& example : examples()) {
    expect_words_about(on(example, example.socs.front(), example.broken), example.id, 8);
  }
}

TEST(OperatorRules, LeaveViewsToTheConvolutionCall) {
  Case problem = operator_case(OperatorCall{});
  problem.weight->offset = 1;
  EXPECT_THAT(admissible_statuses(problem, Profile::Documented).not_judged.value_or(""),
              testing::HasSubstr("weight is a view"));
}

TEST(StoredOperatorCases, BreakOrUseTheRuleThatTheyAreNamedAfter) {
  const auto file = std::filesystem::path(GRADPROOF_STORED_CASES) / "rules" / "operators.jsonl";
  const auto cases = corpus::read_cases(file);
  ASSERT_TRUE(cases.has_value()) << cases.error().text();
  std::set<std::string> named;
  for (const Case& problem : *cases) {
    const std::string rule = problem.id.substr(problem.id.find('-') + 1);
    EXPECT_THAT(rules_in_play(admissible_statuses(problem, Profile::Documented)),
                testing::Contains(rule))
        << problem.id;
    named.insert(rule);
  }
  // G-19 takes tensors of gigabytes.
  for (const auto& id : specified_ids) {
    EXPECT_EQ(named.contains(id), id.starts_with("G") && id != "G-19") << id;
  }
}

/// The status that a published test states as -1 is 561103 in the operators' C interface.
std::int32_t published(const Case& problem) {
  const bool is_refusal =
      problem.expect->status == Status::TilingRefused && corpus::is_graph_operator(problem.api);
  return corpus::code(is_refusal ? Status::InnerNullptr : problem.expect->status);
}

class PublishedOperatorStatuses : public testing::TestWithParam<const char*> {};

TEST_P(PublishedOperatorStatuses, AreThoseOfTheDocuments) {
  const auto cases = corpus::read_cases(tests::published_file(GetParam()));
  ASSERT_TRUE(cases.has_value()) << cases.error().text();
  std::size_t documented = 0;
  for (const Case& problem : *cases) {
    const auto answer = admissible_statuses(problem, Profile::Documented);
    const auto tolerant = admissible_statuses(problem, Profile::Tolerant);
    EXPECT_THAT(codes_of(tolerant.statuses), testing::Contains(published(problem)))
        << problem.id << " " << testing::PrintToString(tolerant.broken_rules);
    EXPECT_EQ(answer.not_judged, std::nullopt) << problem.id;
    const bool same = codes_of(answer.statuses) == Codes{published(problem)};
    documented += same ? 1 : 0;
    if (!same) {
      std::printf("%s: documented %d, published %d %s\n", problem.id.c_str(),
                  codes_of(answer.statuses).front(), published(problem),
                  testing::PrintToString(answer.broken_rules).c_str());
    }
  }
  std::printf("%s: %zu of %zu as the documents say\n", GetParam(), documented, cases->size());
  EXPECT_GT(documented, 0U);
  EXPECT_EQ(documented, cases->size());
}

INSTANTIATE_TEST_SUITE_P(PublishedCases, PublishedOperatorStatuses,
                         testing::Values("v2.jsonl", "tiling.jsonl"), [](const auto& file) {
                           const std::string name = file.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace gradproof::oracle
