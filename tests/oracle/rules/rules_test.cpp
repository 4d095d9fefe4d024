#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "oracle/rules/status_rules.h"
#include "tests/oracle/rules/rule_answers.h"
#include "tests/support/status_calls.h"

// One call that breaks (or makes use of) each rule alone and one that just meets it, on every
// product the rule names, with the statuses of the three profiles. The expected codes are copied
// from the specification by hand, not from the rows under test.

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::TensorCase;

// What the specification lists in sections 3.1 to 3.14.
const Names specified_ids = {
    "PROD-01",   "PROD-02",   "NULL-01",   "NULL-02",  "NULL-03",  "NULL-04",  "NULL-05",
    "NULL-06",   "NULL-07",   "NULL-08",   "NULL-09",  "NULL-10",  "NULL-11",  "NULL-12",
    "NULL-13",   "NULL-14",   "NULL-15",   "NULL-16",  "NULL-17",  "NULL-18",  "DTYPE-01",
    "DTYPE-02",  "DTYPE-03",  "DTYPE-04",  "DTYPE-05", "DTYPE-06", "F8-01",    "F8-02",
    "F8-03",     "F8-04",     "F8-05",     "F8-06",    "RANK-01",  "RANK-02",  "FMT-01",
    "FMT-02",    "FMT-03",    "LEN-01",    "LEN-02",   "LEN-03",   "LEN-04",   "LEN-05",
    "STRIDE-01", "PAD-01",    "DIL-01",    "OPAD-01",  "OPAD-02",  "OPAD-03",  "GRP-01",
    "RANGE-01",  "RANGE-02",  "RANGE-03",  "RANGE-04", "RANGE-05", "RANGE-06", "RANGE-07",
    "RANGE-08",  "RANGE-09",  "RANGE-10",  "RANGE-11", "CH-01",    "CH-02",    "CH-03",
    "CH-04",     "CH-05",     "SHAPE-01",  "SHAPE-02", "SHAPE-03", "SHAPE-04", "SHAPE-05",
    "SHAPE-06",  "SHAPE-07",  "SHAPE-08",  "BIAS-01",  "BIAS-02",  "CUBE-01",  "CUBE-02",
    "CUBE-03",   "CUBE-04",   "CUBE-05",   "CUBE-06",  "CUBE-07",  "CUBE-08",  "EMPTY-01",
    "EMPTY-02",  "EMPTY-03",  "EMPTY-04",  "EMPTY-05", "EMPTY-06", "EMPTY-07", "EMPTY-08",
    "EMPTY-09",  "EMPTY-10",  "EMPTY-11",  "EMPTY-12", "EMPTY-13", "EMPTY-14", "EMPTY-15",
    "LAYOUT-01", "LAYOUT-02", "LAYOUT-03", "HW-01"};

// Rows that only point at other rows, and what no case can express or no kernel is tested on.
const std::set<std::string> ids_without_example = {"NULL-18",  "EMPTY-01",  "EMPTY-02",
                                                   "EMPTY-06", "LAYOUT-03", "HW-01"};

const Names a1 = {"Ascend310P", "Ascend910"};
const Names a23 = {"Ascend910B", "Ascend910_93"};
const Names a5 = {"Ascend950"};
const Names a23_a5 = {"Ascend910B", "Ascend910_93", "Ascend950"};
const Names a1_a23 = {"Ascend310P", "Ascend910", "Ascend910B", "Ascend910_93"};
const Names all = {"Ascend310P", "Ascend910", "Ascend910B", "Ascend910_93", "Ascend950"};
const Names every_chip = {"Ascend310",  "Ascend310B",   "Ascend310P", "Ascend910",
                          "Ascend910B", "Ascend910_93", "Ascend950"};

const Expected refused_as_null{161001, {161001}, {161001}};
const Expected refused{161002, {161002}, {161002}};
const Expected refused_or_not{161002, {161002}, {0, 161002}};
const Expected refused_by_documents{161002, {0}, {0, 161002}};
const Expected legal{0, {0}, {0}};
const Expected legal_or_invalid{0, {0}, {0, 161002}};
const Expected legal_or_null{0, {0}, {0, 161001}};
const Expected out_of_range{561103, {0, 561103}, {0, 161002, 561103}};

struct Example {
  std::string id;
  Names socs;
  Expected expected;
  LegalCall call;      ///< a legal call, on each of the socs
  Change broken, met;  ///< what is done to it
  /// Rules that are broken with it, because they say the same or include it.
  Names with = {};
  std::string note = {};
};

void unchanged(Case&) {}

const LegalCall plane{};
const LegalCall transposed_plane{.transposed = true};
const LegalCall volume{.rank = 5};
const LegalCall line{.rank = 3};

/// input.N is 0 and with it gradOutput.N and the outputs.
void make_empty(Case& c) {
  c.input->shape[0] = c.grad_output->shape[0] = 0;
  fit_outputs(c);
}

/// input.C and weight.C are 0.
void make_channels_empty(Case& c) {
  c.input->shape[1] = c.weight->shape[1] = 0;
  fit_outputs(c);
}

Change both(Change first, Change second) {
  return [=](Case& c) {
    first(c);
    second(c);
  };
}

Change with_mask(bool dx, bool dw, bool db) {
  return [=](Case& c) { set_mask(c, dx, dw, db); };
}

void hifloat8_for_dx(Case& c) {
  set_dtype(c, DataType::HiFloat8);
  c.grad_weight->dtype = DataType::Float;
  set_mask(c, true, true, false);
}

void e4m3_for_dx(Case& c) {
  set_dtype(c, DataType::Float8E4M3FN);
  set_mask(c, true, false, false);
}

std::vector<Example> examples_of_products_and_nulls() {
  const auto mask_of = [](std::size_t size) {
    return [=](Case& c) { c.output_mask = std::vector<bool>(size, true); };
  };
  return {
      {"PROD-01",
       {"Ascend310", "Ascend310B"},
       {161002, {561103}, {161002, 561103}},
       plane,
       unchanged,
       [](Case& c) { c.soc = "Ascend310P"; }},
      {"PROD-02",
       a1,
       {161002, {161002}, {161002, 561103}},
       volume,
       unchanged,
       [](Case& c) { c = case_of({.soc = c.soc, .rank = 4}); }},
      {"NULL-01", all, refused_as_null, plane, [](Case& c) { c.grad_output.reset(); }, unchanged},
      {"NULL-02", all, refused_as_null, plane, [](Case& c) { c.input.reset(); }, unchanged},
      {"NULL-03", all, refused_as_null, plane, [](Case& c) { c.weight.reset(); }, unchanged},
      {"NULL-04", all, refused_as_null, plane, [](Case& c) { c.stride.reset(); }, unchanged},
      {"NULL-05", all, refused_as_null, plane, [](Case& c) { c.padding.reset(); }, unchanged},
      {"NULL-06", all, refused_as_null, plane, [](Case& c) { c.dilation.reset(); }, unchanged},
      {"NULL-07", all, refused_as_null, plane, [](Case& c) { c.output_padding.reset(); },
       unchanged},
      {"NULL-07", all, refused_as_null, transposed_plane, [](Case& c) { c.output_padding.reset(); },
       unchanged},
      {"NULL-08", all, refused_as_null, plane, [](Case& c) { c.output_mask.reset(); }, unchanged},
      {"NULL-09", all, {161001, {161001}, {161001, 161002}}, plane, mask_of(2), mask_of(3)},
      {"NULL-09", all, {161001, {161001}, {161001, 161002}}, plane, mask_of(4), mask_of(3)},
      {"NULL-10", all, refused_as_null, plane, [](Case& c) { c.grad_input.reset(); }, unchanged},
      {"NULL-11", all, refused_as_null, plane, [](Case& c) { c.grad_weight.reset(); }, unchanged},
      {"NULL-12", all, refused_as_null, plane, [](Case& c) { c.grad_bias.reset(); }, unchanged},
      {"NULL-13", all, legal_or_null, plane,
       both(with_mask(false, true, true), [](Case& c) { c.grad_input.reset(); }),
       with_mask(false, true, true)},
      {"NULL-14", all, legal_or_null, plane,
       both(with_mask(true, false, true), [](Case& c) { c.grad_weight.reset(); }),
       with_mask(true, false, true)},
      {"NULL-15", all, legal, plane,
       both(with_mask(true, true, false), [](Case& c) { c.grad_bias.reset(); }),
       with_mask(true, true, false)},
      {"NULL-16",
       all,
       {161001, {0}, {0, 161001, 161002}},
       plane,
       [](Case& c) { c.bias_sizes.reset(); },
       unchanged},
      {"NULL-16",
       a23_a5,
       {161001, {161002}, {161001, 161002}},
       plane,
       both(make_empty, [](Case& c) { c.bias_sizes.reset(); }),
       make_empty,
       {},
       "emptyPath"},
      {"NULL-17", all, legal_or_null, plane,
       both(with_mask(true, true, false), [](Case& c) { c.bias_sizes.reset(); }),
       with_mask(true, true, false)},
  };
}

std::vector<Example> examples_of_dtypes() {
  const auto wide = [](DataType g, DataType x, DataType w) {
    return [=](Case& c) {
      c.grad_output->dtype = c.grad_bias->dtype = g;
      c.input->dtype = c.grad_input->dtype = x;
      c.weight->dtype = c.grad_weight->dtype = w;
    };
  };
  return {
      {"DTYPE-01",
       a23_a5,
       refused,
       plane,
       both(with_mask(true, true, true), wide(DataType::Int32, DataType::Int32, DataType::Int32)),
       wide(DataType::BFloat16, DataType::BFloat16, DataType::BFloat16),
       {"DTYPE-02"}},
      {"DTYPE-01",
       a1,
       refused,
       plane,
       [](Case& c) { set_dtype(c, DataType::BFloat16); },
       [](Case& c) { set_dtype(c, DataType::Float16); },
       {"DTYPE-02", "CUBE-04"}},
      {"DTYPE-01",
       a23,
       refused,
       plane,
       [](Case& c) { set_dtype(c, DataType::HiFloat8); },
       unchanged,
       {"DTYPE-02"}},
      {"DTYPE-02",
       all,
       refused,
       plane,
       [](Case& c) { c.grad_input->dtype = DataType::Double; },
       unchanged,
       {"DTYPE-04"}},
      {"DTYPE-02",
       a1_a23,
       {161002, {161002}, {0, 161002}},
       plane,
       both(with_mask(false, true, true), [](Case& c) { c.grad_input->dtype = DataType::Double; }),
       with_mask(false, true, true),
       {"DTYPE-04"},
       "unrequested"},
      {"DTYPE-02",
       a5,
       {161002, {161002}, {0, 161002}},
       plane,
       both(with_mask(true, true, false), [](Case& c) { c.grad_bias->dtype = DataType::Int8; }),
       with_mask(true, true, false),
       {"DTYPE-06"},
       "unrequested"},
      {"DTYPE-03",
       a5,
       refused,
       transposed_plane,
       both(hifloat8_for_dx,
            [](Case& c) { c.grad_output->dtype = c.grad_bias->dtype = DataType::Float16; }),
       hifloat8_for_dx,
       {"F8-03"}},
      {"DTYPE-03",
       a5,
       {161002, {161002}, {161002, 561103}},
       transposed_plane,
       both(hifloat8_for_dx,
            [](Case& c) {
              set_mask(c, false, true, false);
              c.grad_output->dtype = c.grad_bias->dtype = DataType::Float8E4M3FN;
            }),
       hifloat8_for_dx,
       {"F8-01", "F8-03", "F8-04"},
       "only dw"},
      {"DTYPE-04", a1_a23, refused_by_documents, plane,
       [](Case& c) { c.grad_input->dtype = DataType::Float; }, unchanged},
      {"DTYPE-04", a5, refused, plane, [](Case& c) { c.grad_input->dtype = DataType::Float; },
       unchanged},
      {"DTYPE-04",
       a5,
       refused_or_not,
       plane,
       both(with_mask(false, true, true), [](Case& c) { c.grad_input->dtype = DataType::Float; }),
       with_mask(false, true, true),
       {},
       "unrequested"},
      {"DTYPE-05", a1_a23, legal_or_invalid, plane,
       [](Case& c) { c.grad_weight->dtype = DataType::Float; }, unchanged},
      {"DTYPE-05", a5, refused, plane, [](Case& c) { c.grad_weight->dtype = DataType::Float; },
       unchanged},
      {"DTYPE-05",
       a5,
       refused_or_not,
       plane,
       both(with_mask(true, false, true), [](Case& c) { c.grad_weight->dtype = DataType::Float; }),
       with_mask(true, false, true),
       {},
       "unrequested"},
      {"DTYPE-06", a1_a23, refused_by_documents, plane,
       [](Case& c) { c.grad_bias->dtype = DataType::Float; }, unchanged},
      {"DTYPE-06", a5, refused, plane, [](Case& c) { c.grad_bias->dtype = DataType::Float; },
       unchanged},
      {"DTYPE-06",
       a5,
       refused_or_not,
       plane,
       both(with_mask(true, true, false), [](Case& c) { c.grad_bias->dtype = DataType::Float; }),
       with_mask(true, true, false),
       {},
       "unrequested"},
  };
}

std::vector<Example> examples_of_8_bit() {
  const LegalCall two_groups{.transposed = true, .groups = 2};
  const LegalCall stretched{.transposed = true, .stride = {2, 2}, .output_padding = {1, 1}};
  return {
      {"F8-01", a5, refused, plane, hifloat8_for_dx,
       [](Case& c) { set_dtype(c, DataType::BFloat16); }},
      {"F8-01",
       a5,
       {161002, {0, 161002, 561103}, {0, 161002, 561103}, true},
       plane,
       both(hifloat8_for_dx, with_mask(false, false, false)),
       unchanged,
       {},
       "not intercepted"},
      {"F8-02", a5, {0, {161002}, {0, 161002}}, transposed_plane, e4m3_for_dx, hifloat8_for_dx},
      {"F8-03",
       a5,
       refused,
       transposed_plane,
       both(hifloat8_for_dx, [](Case& c) { c.grad_input->dtype = DataType::Float; }),
       hifloat8_for_dx,
       {"DTYPE-04"}},
      {"F8-03",
       a5,
       {161002, {161002}, {0, 161002, 561103}, true},
       transposed_plane,
       both(with_mask(false, true, false),
            [](Case& c) { c.grad_bias->dtype = DataType::HiFloat8; }),
       with_mask(false, true, false),
       {"DTYPE-06"},
       "an unrequested db, only dw"},
      {"F8-04", a5, refused, transposed_plane,
       both(hifloat8_for_dx, [](Case& c) { c.grad_weight->dtype = DataType::HiFloat8; }),
       hifloat8_for_dx},
      {"F8-04",
       a5,
       refused_or_not,
       transposed_plane,
       both(e4m3_for_dx,
            [](Case& c) {
              set_mask(c, true, true, false);
              c.grad_weight->dtype = DataType::Float;
            }),
       hifloat8_for_dx,
       {},
       "FLOAT8_E4M3FN"},
      {"F8-05", a5, refused_or_not, two_groups, hifloat8_for_dx,
       both(hifloat8_for_dx, with_mask(true, false, false))},
      {"F8-05",
       a5,
       refused_or_not,
       stretched,
       hifloat8_for_dx,
       both(hifloat8_for_dx, with_mask(true, false, false)),
       {},
       "outputPadding"},
      {"F8-06",
       a5,
       {561103, {561103}, {161002, 561103}},
       transposed_plane,
       [](Case& c) {
         set_dtype(c, DataType::HiFloat8);
         set_mask(c, true, false, true);
       },
       [](Case& c) {
         set_dtype(c, DataType::HiFloat8);
         set_mask(c, true, false, false);
       }},
      {"F8-06",
       a5,
       {561103, {0}, {0, 161002, 561103}},
       transposed_plane,
       both(make_empty,
            [](Case& c) {
              set_dtype(c, DataType::HiFloat8);
              set_mask(c, true, false, true);
            }),
       both(make_empty,
            [](Case& c) {
              set_dtype(c, DataType::HiFloat8);
              set_mask(c, true, false, false);
            }),
       {},
       "emptyPath"},
  };
}

std::vector<Example> examples_of_formats_and_lengths() {
  const auto drop_axis = [](std::optional<TensorCase>& tensor) { tensor->shape.pop_back(); };
  return {
      {"RANK-01",
       all,
       refused,
       plane,
       [](Case& c) {
         c.grad_input->shape = {2, 3};
       },
       unchanged,
       {"SHAPE-05"}},
      {"RANK-01",
       all,
       refused_or_not,
       plane,
       both(with_mask(false, true, true),
            [](Case& c) { c.grad_input->shape = {1, 1, 1, 1, 1, 1}; }),
       with_mask(false, true, true),
       {"SHAPE-05"},
       "unrequested"},
      {"RANK-01",
       a23_a5,
       refused,
       plane,
       [](Case& c) {
         c.input->shape = c.grad_input->shape = {8, 6};
       },
       unchanged,
       {"RANK-02"}},
      {"RANK-02", all, refused, plane,
       [=](Case& c) {
         drop_axis(c.grad_output);
         c.grad_output->format = Format::Ncl;
       },
       unchanged},
      {"RANK-02",
       a23_a5,
       {161002, {0, 161002}, {0, 161002, 561103}, true},
       plane,
       both(make_empty,
            [=](Case& c) {
              drop_axis(c.grad_output);
              c.grad_output->format = Format::Ncl;
            }),
       make_empty,
       {},
       "emptyPath"},
      {"FMT-01", all, refused, plane, [](Case& c) { c.input->format = Format::Nhwc; }, unchanged},
      {"FMT-01", all, refused, plane, [](Case& c) { c.weight->format = Format::Nd; }, unchanged},
      {"FMT-01", a23_a5, refused, volume, [](Case& c) { c.grad_weight->format = Format::Ndhwc; },
       unchanged},
      {"FMT-01", all, refused, line, [](Case& c) { c.input->format = Format::Nchw; }, unchanged},
      {"FMT-01",
       all,
       refused_or_not,
       plane,
       both(with_mask(false, true, true), [](Case& c) { c.grad_input->format = Format::Nhwc; }),
       with_mask(false, true, true),
       {},
       "unrequested"},
      {"FMT-02", a23_a5, refused, plane, [](Case& c) { c.grad_bias->format = Format::Ncl; },
       unchanged},
      {"FMT-02",
       a23_a5,
       refused_or_not,
       plane,
       both(with_mask(true, true, false), [](Case& c) { c.grad_bias->format = Format::Ncl; }),
       with_mask(true, true, false),
       {},
       "unrequested"},
      {"FMT-02", all, refused_by_documents, transposed_plane,
       [](Case& c) { c.grad_bias->format = Format::Nchw; }, unchanged},
      {"FMT-02", a1, refused_by_documents, plane,
       [](Case& c) { c.grad_bias->format = Format::Nchw; }, unchanged},
      {"FMT-03", all, legal_or_invalid, line, [](Case& c) { c.input->format = Format::Nd; },
       unchanged},
      {"LEN-01", all, refused, {.stride = {2, 2}}, [](Case& c) { c.stride = {2}; }, unchanged},
      {"LEN-01",
       a23_a5,
       refused,
       plane,
       both(make_empty,
            [](Case& c) {
              c.stride = {1, 1, 1};
            }),
       make_empty,
       {},
       "emptyPath"},
      {"LEN-02", all, refused, plane,
       [](Case& c) {
         c.dilation = {1, 1, 1};
       },
       unchanged},
      {"LEN-03", all, refused, plane,
       [](Case& c) {
         c.padding = {0, 0, 0};
       },
       [](Case& c) {
         c.padding = {0, 0, 0, 0};
       }},
      {"LEN-03", a23_a5, refused, volume, [](Case& c) { c.padding = {0, 0, 0, 0, 0, 0}; },
       unchanged},
      {"LEN-03", all, refused, line,
       [](Case& c) {
         c.padding = {0, 0};
       },
       unchanged},
      {"LEN-04", all, refused, plane, [](Case& c) { c.output_padding = {0}; }, unchanged},
      {"LEN-04",
       all,
       legal_or_invalid,
       plane,
       [](Case& c) {
         c.output_padding = {0, 0, 0, 0};
       },
       unchanged,
       {},
       "four zeros"},
      {"LEN-04",
       all,
       {161002, {0}, {0, 161002}, true},
       transposed_plane,
       [](Case& c) {
         c.output_padding = {0, 0, 0, 1};
       },
       unchanged,
       {},
       "four values"},
      {"LEN-05", all, refused_by_documents, plane,
       [](Case& c) {
         c.bias_sizes = {4, 4};
       },
       unchanged},
      {"LEN-05",
       a23_a5,
       refused,
       plane,
       both(make_empty,
            [](Case& c) {
              c.bias_sizes = {4, 4};
            }),
       make_empty,
       {},
       "emptyPath"},
      {"LEN-05",
       a23_a5,
       refused_by_documents,
       plane,
       both(with_mask(true, true, false), both(make_empty,
                                               [](Case& c) {
                                                 c.bias_sizes = {4, 4};
                                               })),
       both(with_mask(true, true, false), make_empty),
       {},
       "emptyPath, db not requested"},
  };
}

std::vector<Example> examples_of_bounds() {
  const LegalCall stretched{.transposed = true, .stride = {2, 2}, .output_padding = {1, 1}};
  const LegalCall stretched_volume{
      .rank = 5, .transposed = true, .stride = {2, 2, 2}, .output_padding = {1, 1, 1}};
  return {
      {"STRIDE-01", all, refused, plane,
       [](Case& c) {
         c.stride = {1, 0};
       },
       unchanged},
      {"STRIDE-01", a23_a5, refused, volume,
       [](Case& c) {
         c.stride = {-1, 1, 1};
       },
       unchanged},
      {"PAD-01", all, refused, plane,
       [](Case& c) {
         c.padding = {1, -1, 0, 0};
       },
       [](Case& c) {
         c.padding = {0, 0, 0, 0};
       }},
      {"PAD-01",
       a23_a5,
       refused,
       line,
       both(make_empty, [](Case& c) { c.padding = {-1}; }),
       make_empty,
       {"EMPTY-12"}},
      {"DIL-01",
       all,
       refused,
       {.kernel = {1, 1}},
       [](Case& c) {
         c.dilation = {1, 0};
       },
       unchanged},
      {"OPAD-01",
       all,
       {161002, {161002}, {161002, 561103}},
       transposed_plane,
       [](Case& c) {
         c.output_padding = {-1, 0};
       },
       unchanged,
       {"SHAPE-04"}},
      {"OPAD-02",
       a23_a5,
       {161002, {161002}, {161002, 561103}},
       stretched_volume,
       [](Case& c) {
         c.output_padding = {2, 1, 1};
       },
       unchanged,
       {"SHAPE-04"}},
      {"OPAD-02",
       all,
       {161002, {0}, {0, 161002, 561103}},
       stretched,
       [](Case& c) {
         c.output_padding = {1, 2};
       },
       unchanged,
       {"SHAPE-04"}},
      {"OPAD-03", all, refused, plane,
       [](Case& c) {
         c.output_padding = {0, 1};
       },
       unchanged},
      {"OPAD-03",
       a23_a5,
       refused,
       plane,
       both(make_empty,
            [](Case& c) {
              c.output_padding = {0, 1};
            }),
       make_empty,
       {},
       "emptyPath"},
      {"GRP-01", all, refused, plane, [](Case& c) { c.groups = 0; }, unchanged},
      {"GRP-01", all, refused, transposed_plane, [](Case& c) { c.groups = -1; }, unchanged},
  };
}

/// The smallest offset with which the byte behind a contiguous tensor leaves 64 bits.
std::int64_t first_uncountable(const TensorCase& tensor) {
  const auto width = static_cast<std::int64_t>(corpus::size_bytes(tensor.dtype));
  return INT64_MAX / width - *corpus::element_count(tensor.shape) + 1;
}

std::vector<Example> examples_of_ranges() {
  const auto call = [](std::size_t rank, bool transposed, LegalCall call) {
    call.rank = rank;
    call.transposed = transposed;
    return call;
  };
  const auto becomes = [](LegalCall call) {
    return [=](Case& c) {
      LegalCall mine = call;
      mine.soc = c.soc;
      c = case_of(mine);
    };
  };
  std::vector<Example> examples;
  const auto add = [&](std::string id, Names socs, const LegalCall& beyond,
                       const LegalCall& within) {
    examples.push_back({id, socs, out_of_range, beyond, unchanged, becomes(within)});
  };
  add("RANGE-01", a23, call(4, false, {.kernel = {256, 3}}), call(4, false, {.kernel = {255, 3}}));
  add("RANGE-01", a23, call(3, false, {.kernel = {256}}), call(3, false, {.kernel = {255}}));
  add("RANGE-01", a23, call(5, false, {.kernel = {1, 1, 256}}),
      call(5, false, {.kernel = {256, 1, 255}}));
  add("RANGE-02", a5, call(4, true, {.kernel = {256, 3}}), call(4, true, {.kernel = {255, 3}}));
  add("RANGE-03", a23, call(5, false, {.stride = {1, 64, 1}}),
      call(5, false, {.stride = {64, 63, 1}}));
  add("RANGE-04", a5, call(4, true, {.stride = {64, 1}}), call(4, true, {.stride = {63, 1}}));
  add("RANGE-04", a5, call(5, true, {.small = {1, 4, 4}, .stride = {1000001, 1, 1}}),
      call(5, true, {.small = {1, 4, 4}, .stride = {1000000, 1, 1}}));
  add("RANGE-05", a23, call(5, false, {.small = {4, 600, 4}, .padding = {0, 256, 0}}),
      call(5, false, {.small = {600, 600, 4}, .padding = {256, 255, 0}}));
  add("RANGE-06", a23, call(4, false, {.small = {600, 4}, .padding = {256, 0}}),
      call(4, false, {.small = {600, 4}, .padding = {255, 0}}));
  add("RANGE-06", a23, call(3, false, {.small = {600}, .padding = {256}}),
      call(3, false, {.small = {600}, .padding = {255}}));
  add("RANGE-07", a5, call(3, true, {.small = {600}, .padding = {256}}),
      call(3, true, {.small = {600}, .padding = {255}}));
  add("RANGE-07", a5, call(5, true, {.small = {2000100, 4, 4}, .padding = {1000001, 0, 0}}),
      call(5, true, {.small = {2000100, 4, 4}, .padding = {1000000, 0, 0}}));
  add("RANGE-08", a23, call(4, false, {.dilation = {1, 256}}),
      call(4, false, {.dilation = {1, 255}}));
  add("RANGE-08", a23, call(5, false, {.dilation = {256, 1, 1}}),
      call(5, false, {.dilation = {255, 1, 1}}));
  add("RANGE-09", a5, call(3, true, {.dilation = {256}}), call(3, true, {.dilation = {255}}));
  add("RANGE-09", a5, call(5, true, {.dilation = {1000001, 1, 1}}),
      call(5, true, {.dilation = {1000000, 255, 255}}));
  const LegalCall many{
      .groups = 65536, .batch = 1, .small_channels_per_group = 1, .big_channels_per_group = 2};
  LegalCall allowed = many;
  allowed.groups = 65535;
  examples.push_back({"RANGE-10", all, out_of_range, many, unchanged, becomes(allowed)});
  const auto in_empty = [](Case& c) { c.stride = {1, 64, 1}; };
  examples.push_back({"RANGE-03",
                      a23,
                      {0, {0}, {0, 161002, 561103}},
                      volume,
                      both(make_empty, in_empty),
                      make_empty,
                      {"EMPTY-12"},
                      "emptyPath"});
  examples.push_back({"RANGE-11",
                      a23,
                      {0, {0, 561103}, {0, 161002, 561103}},
                      {.rank = 4, .small = {1, 4}},
                      [](Case& c) {
                        c.stride = {2147483647, 1};
                      },
                      [](Case& c) {
                        c.stride = {2147483646, 1};
                      }});
  examples.push_back({"RANGE-11",
                      a23,
                      {561103, {0, 161002, 561103}, {0, 161002, 561103}, true},
                      {.rank = 4, .small = {1, 4}, .kernel = {3, 1}},
                      [](Case& c) {
                        c.dilation = {INT64_MAX, 1};
                      },
                      unchanged,
                      {"RANGE-08"},
                      "overflow"});
  examples.push_back({"RANGE-11",
                      a5,
                      {0, {0, 161002, 561103}, {0, 161002, 561103}},
                      plane,
                      both(make_empty,
                           [](Case& c) {
                             c.padding = {INT64_MAX, 0};
                           }),
                      make_empty,
                      {"EMPTY-12"},
                      "overflow of an empty problem"});
  examples.push_back({"RANGE-11",
                      {"Ascend910", "Ascend950"},
                      {561103, {0, 161002, 561103}, {0, 161002, 561103}, true},
                      plane,
                      [](Case& c) {
                        c.padding = {INT64_MAX, 0};
                      },
                      unchanged,
                      {},
                      "overflow"});
  // Elements can be counted, the byte behind the last one cannot.
  examples.push_back({"RANGE-11",
                      all,
                      {561103, {0, 161002, 561103}, {0, 161002, 561103}, true},
                      plane,
                      [](Case& c) { c.weight->offset = first_uncountable(*c.weight); },
                      [](Case& c) { c.weight->offset = first_uncountable(*c.weight) - 1; },
                      {"LAYOUT-01"},
                      "overflow of bytes"});
  examples.push_back({"RANGE-11",
                      all,
                      {561103, {0, 161002, 561103}, {0, 161002, 561103}, true},
                      plane,
                      [](Case& c) { c.grad_bias->offset = INT64_MAX; },
                      unchanged,
                      {},
                      "overflow of an output's bytes"});
  return examples;
}

std::vector<Example> examples_of_channels_and_shapes() {
  const LegalCall three_groups{.groups = 3};
  const LegalCall depthwise{
      .groups = 3, .small_channels_per_group = 1, .big_channels_per_group = 1};
  const auto longer_in_w = [](Case& c) { c.grad_output->shape.back() += 1; };
  const auto wider_weight = [](Case& c) {
    c.weight->shape[0] += 1;
    c.grad_weight = c.weight;
  };
  const auto seven_outputs = [](Case& c) {
    c.weight->shape[0] = c.grad_output->shape[1] = 7;
    c.bias_sizes = {7};
    fit_outputs(c);
  };
  const auto another_batch = [](Case& c) { c.grad_output->shape[0] += 1; };
  const auto too_small = [](Case& c) {
    c.input->shape.back() = 2;
    fit_outputs(c);
  };
  const LegalCall stretched{.transposed = true, .stride = {2, 2}};
  return {
      {"CH-01", all, refused, plane, wider_weight, unchanged, {"BIAS-01"}},
      {"CH-01", all, refused, transposed_plane, wider_weight, unchanged},
      {"CH-02", all, refused, plane, [](Case& c) { c.groups = 2; }, unchanged},
      {"CH-02",
       all,
       refused,
       transposed_plane,
       [](Case& c) { c.groups = 2; },
       unchanged,
       {"BIAS-01"}},
      {"CH-03", all, {161002, {561103}, {161002, 561103}}, three_groups, seven_outputs, unchanged},
      {"CH-03",
       all,
       {161002, {561103}, {161002, 561103}},
       three_groups,
       both(seven_outputs, with_mask(true, false, true)),
       unchanged,
       {},
       "dx alone"},
      {"CH-03",
       all,
       {161002, {561103}, {161002, 561103}},
       three_groups,
       both(seven_outputs, with_mask(false, true, true)),
       unchanged,
       {},
       "dw alone"},
      {"CH-03",
       all,
       {161002, {0}, {0, 161002, 561103}, true},
       three_groups,
       both(seven_outputs, with_mask(false, false, true)),
       with_mask(false, false, true),
       {},
       "only the bias"},
      {"CH-04",
       a1_a23,
       {161002, {161002}, {161002, 561103}},
       depthwise,
       seven_outputs,
       unchanged,
       {"CH-03"}},
      {"CH-05", all, {161002, {561103}, {161002, 561103}}, plane, another_batch, unchanged},
      {"CH-05",
       all,
       {161002, {0}, {0, 161002, 561103}, true},
       plane,
       both(another_batch, with_mask(false, true, true)),
       with_mask(false, true, true),
       {},
       "without dx"},
      {"SHAPE-01",
       all,
       {161002, {561103}, {161002, 561103}},
       plane,
       too_small,
       unchanged,
       {"SHAPE-02"}},
      {"SHAPE-01", a23_a5, refused, volume, too_small, unchanged, {"SHAPE-02"}},
      {"SHAPE-02", all, {161002, {561103}, {161002, 561103}}, plane, longer_in_w, unchanged},
      {"SHAPE-02",
       all,
       {161002, {561103}, {161002, 561103}},
       plane,
       both(longer_in_w, with_mask(true, false, true)),
       unchanged,
       {},
       "dx alone"},
      {"SHAPE-02",
       all,
       {161002, {561103}, {161002, 561103}},
       plane,
       both(longer_in_w, with_mask(false, true, true)),
       unchanged,
       {},
       "dw alone"},
      {"SHAPE-02",
       all,
       {161002, {0}, {0, 161002, 561103}, true},
       plane,
       both(longer_in_w, with_mask(false, false, true)),
       with_mask(false, false, true),
       {},
       "only the bias"},
      {"SHAPE-02", a23_a5, refused, volume, longer_in_w, unchanged},
      {"SHAPE-03",
       all,
       {161002, {561103}, {161002, 561103}},
       transposed_plane,
       longer_in_w,
       unchanged,
       {"SHAPE-04"}},
      {"SHAPE-03",
       a23_a5,
       {161002, {161002}, {161002, 561103}},
       {.rank = 5, .transposed = true},
       longer_in_w,
       unchanged,
       {"SHAPE-04"}},
      {"SHAPE-04", all, {161002, {0}, {0, 161002, 561103}}, stretched, longer_in_w, unchanged},
      {"SHAPE-05", all, refused, plane, [](Case& c) { c.grad_input->shape[0] += 1; }, unchanged},
      {"SHAPE-05",
       all,
       refused_or_not,
       plane,
       both(with_mask(false, true, true), [](Case& c) { c.grad_input->shape[0] += 1; }),
       with_mask(false, true, true),
       {},
       "unrequested"},
      {"SHAPE-06", all, refused, plane, [](Case& c) { c.grad_weight->shape[3] += 1; }, unchanged},
      {"SHAPE-06",
       all,
       refused_or_not,
       plane,
       both(with_mask(true, false, true), [](Case& c) { c.grad_weight->shape[3] += 1; }),
       with_mask(true, false, true),
       {},
       "unrequested"},
      {"SHAPE-07", all, refused, plane, [](Case& c) { c.grad_bias->shape = {5}; }, unchanged},
      {"SHAPE-07", all, refused, plane,
       [](Case& c) {
         c.grad_bias->shape = {4, 1};
       },
       unchanged},
      {"SHAPE-07",
       all,
       refused_or_not,
       plane,
       both(with_mask(true, true, false), [](Case& c) { c.grad_bias->shape = {5}; }),
       with_mask(true, true, false),
       {},
       "unrequested"},
      {"SHAPE-08", a23_a5, refused, plane, [](Case& c) { c.grad_output->shape[0] = 0; }, unchanged},
      {"SHAPE-08",
       a23_a5,
       refused_or_not,
       {.transposed = true, .small = {2, 4}, .kernel = {1, 1}, .padding = {1, 0}},
       unchanged,
       [](Case& c) { c = case_of({.soc = c.soc, .transposed = true}); },
       {},
       "H of gradOutput is 0: both input rows meet padding only"},
      {"BIAS-01", all, legal_or_invalid, plane, [](Case& c) { c.bias_sizes = {1}; }, unchanged},
      {"BIAS-01", all, legal_or_invalid, transposed_plane, [](Case& c) { c.bias_sizes = {4}; },
       unchanged},
  };
}

std::vector<Example> examples_of_math_modes() {
  const auto mode = [](std::int8_t type) { return [=](Case& c) { c.cube_math_type = type; }; };
  const auto of = [](DataType dtype, std::int8_t type) {
    return [=](Case& c) {
      set_dtype(c, dtype);
      c.cube_math_type = type;
    };
  };
  const auto narrow = [](std::int8_t type) {
    return both(hifloat8_for_dx, [=](Case& c) { c.cube_math_type = type; });
  };
  const LegalCall grouped_volume{.rank = 5, .groups = 2};
  const LegalCall grouped_plane{.groups = 2};
  const auto float_dw = [](Case& c) { c.grad_weight->dtype = DataType::Float; };
  const auto lifted = [=](Case& c) {
    float_dw(c);
    c.deterministic = true;
    set_mask(c, false, true, true);
  };
  return {
      {"CUBE-01", all, refused, plane, mode(-1), mode(0)},
      {"CUBE-01", all, refused, plane, mode(6), mode(2)},
      {"CUBE-01", all, refused_or_not, plane, mode(4), mode(1)},
      {"CUBE-01", all, refused_or_not, plane, mode(5), mode(1)},
      {"CUBE-02", a1, refused, plane, of(DataType::Float, 0), of(DataType::Float, 1)},
      {"CUBE-02",
       a1,
       refused,
       plane,
       both(of(DataType::Float16, 0),
            [](Case& c) { c.grad_output->dtype = c.grad_bias->dtype = DataType::Float; }),
       of(DataType::Float16, 0),
       {},
       "promoted"},
      {"CUBE-03", a1, refused, plane, of(DataType::Float, 3), of(DataType::Float, 2)},
      {"CUBE-04",
       a1,
       refused,
       plane,
       of(DataType::BFloat16, 1),
       of(DataType::Float16, 1),
       {"DTYPE-01", "DTYPE-02"}},
      {"CUBE-05",
       a23_a5,
       {161002, {0}, {0, 161002, 561103}},
       plane,
       of(DataType::BFloat16, 2),
       of(DataType::BFloat16, 1)},
      {"CUBE-06", a23, legal_or_invalid, plane, of(DataType::Float16, 3), of(DataType::Float, 3)},
      {"CUBE-06", a5, legal, plane, of(DataType::BFloat16, 3), of(DataType::Float, 3)},
      {"CUBE-07",
       a23,
       {0, {161002}, {0, 161002}},
       grouped_volume,
       float_dw,
       unchanged,
       {"DTYPE-05"}},
      {"CUBE-07",
       a23,
       {0, {161002}, {0, 161002}},
       grouped_volume,
       of(DataType::Float, 2),
       of(DataType::Float, 1)},
      {"CUBE-07",
       a23,
       {0, {0}, {0, 561103}},
       grouped_plane,
       of(DataType::Float, 2),
       of(DataType::Float, 1),
       {},
       "2D"},
      {"CUBE-07",
       a23,
       {0, {0, 561103}, {0, 161002, 561103}},
       grouped_plane,
       lifted,
       unchanged,
       {"DTYPE-05"},
       "2D, lifted"},
      {"CUBE-08", a5, legal, transposed_plane, narrow(1), narrow(0)},
      {"CUBE-08", a5, legal, transposed_plane, narrow(3), narrow(0)},
  };
}

std::vector<Example> examples_of_empty_problems() {
  const auto bias = [](std::int64_t size) {
    return [=](Case& c) {
      c.bias_sizes = {size};
      c.grad_bias->shape = {size};
    };
  };
  const auto empty_weight_height = [](Case& c) {
    c.weight->shape[2] = 0;
    fit_outputs(c);
  };
  const LegalCall grouped{.groups = 3};
  const auto seven_outputs = [](Case& c) {
    make_empty(c);
    c.weight->shape[0] = c.grad_output->shape[1] = 7;
    c.bias_sizes = {7};
    fit_outputs(c);
  };
  const auto too_small = [](Case& c) {
    make_empty(c);
    c.input->shape[2] = 2;
    fit_outputs(c);
  };
  const auto four_paddings = [](std::vector<std::int64_t> padding) {
    return [=](Case& c) {
      make_empty(c);
      c.input->shape = {0, 8, 6, 2};
      c.padding = padding;
      fit_outputs(c);
    };
  };
  const auto no_outputs = [](Case& c) {
    make_empty(c);
    c.weight->shape[0] = c.grad_output->shape[1] = 0;
    c.bias_sizes = {0};
    fit_outputs(c);
  };
  return {
      {"BIAS-02", a23_a5, refused, plane, both(make_empty, bias(5)), make_empty},
      {"BIAS-02", a23_a5, refused, transposed_plane, both(make_empty, bias(5)), make_empty},
      {"BIAS-02",
       a23_a5,
       refused_or_not,
       plane,
       both(make_empty, [](Case& c) { c.grad_output->shape[1] = 6; }),
       both(make_empty, both([](Case& c) { c.grad_output->shape[1] = 6; }, bias(6))),
       {"EMPTY-12"},
       "the weight's N"},
      {"EMPTY-03", a23_a5, refused, plane, empty_weight_height, make_empty, {"EMPTY-12"}},
      {"EMPTY-03",
       a23_a5,
       refused_by_documents,
       plane,
       both(empty_weight_height, with_mask(false, true, true)),
       both(make_empty, with_mask(false, true, true)),
       {"EMPTY-12"},
       "dx not requested"},
      {"EMPTY-03",
       a23_a5,
       refused,
       transposed_plane,
       [](Case& c) {
         c.input->shape[2] = 0;
         fit_outputs(c);
       },
       make_empty,
       {"EMPTY-12", "EMPTY-13"}},
      {"EMPTY-04",
       a23_a5,
       refused,
       plane,
       both(make_empty,
            [](Case& c) {
              c.input->shape[1] = 0;
              fit_outputs(c);
            }),
       make_channels_empty,
       {"EMPTY-11"}},
      {"EMPTY-05",
       a23_a5,
       {161002, {161002}, {161002, 561103}},
       plane,
       [](Case& c) {
         c.input->shape = c.grad_input->shape = {0, 8};
       },
       make_empty,
       {"RANK-01", "RANK-02"}},
      {"EMPTY-07", a23_a5, refused, transposed_plane,
       both(make_empty,
            [](Case& c) {
              c.weight->shape[0] += 1;
              fit_outputs(c);
            }),
       make_empty},
      {"EMPTY-07",
       a23_a5,
       refused,
       transposed_plane,
       both(make_empty,
            [](Case& c) {
              c.weight->shape[0] = c.input->shape[1] = 0;
              fit_outputs(c);
            }),
       make_empty,
       {},
       "no channels"},
      {"EMPTY-08", a23_a5, refused, plane, too_small, make_empty, {"EMPTY-12"}},
      {"EMPTY-08",
       a23_a5,
       refused_by_documents,
       plane,
       four_paddings({0, 1, 0, 0}),
       four_paddings({0, 1, 0, 1}),
       {"EMPTY-12"},
       "the released reading alone fits"},
      {"EMPTY-08",
       a23_a5,
       {0, {161002}, {0, 161002}},
       plane,
       four_paddings({0, 0, 1, 0}),
       four_paddings({1, 1, 1, 0}),
       {"EMPTY-12"},
       "the released reading alone does not fit"},
      {"EMPTY-09", a23_a5, refused_by_documents, plane, no_outputs, make_empty},
      {"EMPTY-10", a23_a5, refused, grouped, seven_outputs, make_empty},
      {"EMPTY-11", a23_a5, refused, plane, both(make_empty, [](Case& c) { c.groups = 2; }),
       make_empty},
      {"EMPTY-12", a23_a5, legal_or_invalid, plane,
       both(make_empty, [](Case& c) { c.grad_output->shape[0] = 100; }), make_empty},
      {"EMPTY-12", a23_a5, legal_or_invalid, plane,
       both(make_empty, [](Case& c) { c.grad_output->shape[2] = 9; }), make_empty},
      {"EMPTY-13",
       a23_a5,
       legal_or_invalid,
       {.transposed = true, .stride = {2, 2}},
       both(make_empty,
            [](Case& c) {
              c.output_padding = {0, 1};
            }),
       make_empty},
      {"EMPTY-14",
       a23_a5,
       {161002, {0}, {0, 161002, 561103}, true},
       plane,
       both(make_empty, [](Case& c) { c.grad_input->shape[2] += 1; }),
       make_empty},
      {"EMPTY-14",
       a23_a5,
       {161002, {0, 561103}, {0, 161002, 561103}, true},
       plane,
       both(make_empty, [](Case& c) { c.grad_weight->shape[0] += 1; }),
       make_empty},
      {"EMPTY-14",
       a23_a5,
       {161002, {0, 561103}, {0, 161002, 561103}, true},
       plane,
       both(make_empty, [](Case& c) { c.grad_bias->shape = {5}; }),
       make_empty},
      {"EMPTY-15",
       a1,
       {161002, {0, 161002}, {0, 161002, 561103}, true},
       plane,
       [](Case& c) { c.input->shape[2] = c.grad_input->shape[2] = 0; },
       unchanged,
       {},
       "only input, not along its batch"},
      {"EMPTY-15", a1, refused, plane, make_channels_empty, unchanged},
      {"EMPTY-15", a1, refused, plane, [](Case& c) { c.grad_output->shape[0] = 0; }, unchanged},
      {"EMPTY-15",
       a1,
       {161002, {0}, {0, 161002, 561103}, true},
       plane,
       [](Case& c) { c.input->shape[0] = c.grad_input->shape[0] = 0; },
       unchanged,
       {},
       "only input"},
      {"EMPTY-15",
       a1,
       {161002, {0}, {0, 161002, 561103}, true},
       volume,
       [](Case& c) { c.input->shape[0] = c.grad_input->shape[0] = 0; },
       [](Case& c) { c = case_of({.soc = c.soc}); },
       {},
       "3D"},
  };
}

std::vector<Example> examples_of_memory() {
  const auto doubled = [](std::optional<TensorCase>& tensor) {
    tensor->strides = corpus::row_major_strides(tensor->shape);
    for (auto& stride : *tensor->strides) stride *= 2;
  };
  return {
      {"LAYOUT-01", all, legal, plane, [=](Case& c) { doubled(c.weight); },
       [](Case& c) { c.weight->strides = corpus::row_major_strides(c.weight->shape); }},
      {"LAYOUT-01", all, legal, plane, [](Case& c) { c.input->offset = 3; }, unchanged},
      {"LAYOUT-02", all, refused_by_documents, plane, [=](Case& c) { doubled(c.grad_weight); },
       [](Case& c) { c.grad_weight->offset = 5; }},
      {"LAYOUT-02",
       all,
       refused_by_documents,
       plane,
       both(with_mask(false, true, true), [=](Case& c) { doubled(c.grad_input); }),
       with_mask(false, true, true),
       {},
       "unrequested"},
      {"LAYOUT-02",
       all,
       {161002, {0}, {0, 161002}, true},
       plane,
       [=](Case& c) {
         c.grad_weight->strides = corpus::row_major_strides(c.grad_weight->shape);
         c.grad_weight->strides->front() -= 1;
       },
       unchanged,
       {},
       "elements that share a place"},
      {"LAYOUT-02",
       all,
       refused_by_documents,
       plane,
       both(with_mask(true, false, true),
            [=](Case& c) {
              c.grad_weight->strides = std::vector<std::int64_t>(c.grad_weight->shape.size(), 0);
            }),
       with_mask(true, false, true),
       {},
       "elements that share a place in what is not requested"},
  };
}

const std::vector<Example>& examples() {
  static const std::vector<Example> joined = [] {
    std::vector<Example> rows;
    for (const auto& part :
         {examples_of_products_and_nulls(), examples_of_dtypes(), examples_of_8_bit(),
          examples_of_formats_and_lengths(), examples_of_bounds(), examples_of_ranges(),
          examples_of_channels_and_shapes(), examples_of_math_modes(), examples_of_empty_problems(),
          examples_of_memory()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return joined;
}

Case on(const Example& example, const std::string& soc, const Change& change) {
  LegalCall call = example.call;
  call.soc = soc;
  Case problem = changed(case_of(call), change);
  return problem;
}

TEST(RuleTable, HasTheIdsOfTheSpecificationInItsOrder) {
  Names ids;
  for (const StatusRule& rule : all_status_rules()) {
    if (rule.calls.contains(corpus::Api::ConvolutionBackward)) ids.emplace_back(rule.id);
  }
  EXPECT_EQ(ids, specified_ids);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST(RuleTable, SaysOfEachRuleWhatItDemandsAndWhoSaysSo) {
  for (const StatusRule& rule : all_status_rules()) {
    EXPECT_FALSE(rule.demand.empty()) << rule.id;
    EXPECT_FALSE(rule.source.empty()) << rule.id;
    EXPECT_NE(rule.standing, nullptr) << rule.id;
    EXPECT_NE(rule.consequence, nullptr) << rule.id;
    EXPECT_NE(rule.words, nullptr) << rule.id;
    EXPECT_EQ(status_rule_named(rule.id), &rule);
    EXPECT_EQ(!rule.never_decides.empty(), ids_without_example.contains(std::string(rule.id)))
        << rule.id;
  }
  EXPECT_EQ(status_rule_named("STRIDE-99"), nullptr);
}

TEST(RuleExamples, CoverEveryRuleThatACaseCanBreakOnEveryProductItNames) {
  std::set<std::string> covered;
  std::size_t calls = 0;
  for (const Example& example : examples()) {
    covered.insert(example.id);
    calls += 2 * example.socs.size();
  }
  for (const auto& id : specified_ids) {
    EXPECT_EQ(covered.contains(id), !ids_without_example.contains(id)) << id;
  }
  EXPECT_EQ(covered.size() + ids_without_example.size(), specified_ids.size());
  std::printf(
      "%zu of %zu rules have examples, %zu calls; without: NULL-18 EMPTY-01 EMPTY-02 "
      "EMPTY-06 LAYOUT-03 HW-01\n",
      covered.size(), specified_ids.size(), calls);
}

TEST(RuleExamples, BreakTheRuleAloneAndAnswerAsTheSpecificationSays) {
  for (const Example& example : examples()) {
    for (const auto& soc : example.socs) {
      SCOPED_TRACE(example.id + " on " + soc + " " + example.note);
      Names wanted = example.with;
      wanted.push_back(example.id);
      expect_in_play(on(example, soc, example.broken), wanted, example.expected);
    }
  }
}

TEST(RuleExamples, MeetTheRuleWithTheNearestLegalCall) {
  for (const Example& example : examples()) {
    for (const auto& soc : example.socs) {
      SCOPED_TRACE(example.id + " on " + soc + " " + example.note);
      expect_legal_without(on(example, soc, example.met), example.id);
    }
  }
}

TEST(RuleExamples, AreTurnedIntoWords) {
  for (const Example& example : examples()) {
    expect_words_about(on(example, example.socs.front(), example.broken), example.id, 10);
  }
}

}  // namespace
}  // namespace gradproof::oracle
