// The published cases: the released library's statuses in profile `released`, and in profile
// `documented` the same unless the case says that they are the released library's alone.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "kernel/api/convolution_rules/parameter_checks.h"
#include "tests/support/published_cases.h"

namespace gradproof::kernel::api {
namespace {

using parameter_checks::Argument;
using parameter_checks::Call;

device::Product product_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(device::Product::Ascend950); ++i) {
    const auto product = static_cast<device::Product>(i);
    if (device::name_of(product) == name) return product;
  }
  ADD_FAILURE() << "no product " << name;
  return device::Product::Ascend310;
}

aclFormat format_of(corpus::Format format) { return static_cast<aclFormat>(format); }
aclDataType type_of(corpus::DataType type) { return static_cast<aclDataType>(type); }

void pass(const std::optional<corpus::TensorCase>& from, Argument<Tensor>& to) {
  to.given = from.has_value();
  if (!from) return;
  to.value = Tensor{.view_shape = from->shape,
                    .strides = from->strides.value_or(corpus::row_major_strides(from->shape)),
                    .storage_shape = from->storage_shape.value_or(from->shape),
                    .offset = from->offset,
                    .data_type = type_of(from->dtype),
                    .format = format_of(from->format),
                    .data = nullptr};
}

template <typename Values>
void pass(const std::optional<Values>& from, Argument<Values>& to) {
  to.given = from.has_value();
  to.value = from;
}

Call call_of(const corpus::Case& published, device::Profile profile) {
  Call call;
  call.product = product_named(published.soc_exercised.value_or(published.soc));
  call.profile = profile;
  pass(published.grad_output, call.grad_output);
  pass(published.input, call.input);
  pass(published.weight, call.weight);
  pass(published.bias_sizes, call.bias_sizes);
  pass(published.stride, call.stride);
  pass(published.padding, call.padding);
  pass(published.dilation, call.dilation);
  call.transposed = published.transposed;
  pass(published.output_padding, call.output_padding);
  call.groups = published.groups;
  pass(published.output_mask, call.output_mask);
  call.cube_math_type = published.cube_math_type;
  pass(published.grad_input, call.grad_input);
  pass(published.grad_weight, call.grad_weight);
  pass(published.grad_bias, call.grad_bias);
  return call;
}

std::vector<corpus::Case> cases_of(const std::string& file) {
  auto cases = corpus::read_cases(tests::published_file(file));
  EXPECT_TRUE(cases.has_value()) << cases.error().text();
  return cases.value_or(std::vector<corpus::Case>{});
}

std::string words_of(const std::vector<Breach>& breaches) {
  std::string words;
  for (const Breach& breach : breaches) {
    words +=
        std::string(breach.rule) + " " + std::to_string(breach.status) + ": " + breach.text + "\n";
  }
  return words;
}

int status_in(const corpus::Case& published, device::Profile profile, std::string& words) {
  const auto found = breaches(call_of(published, profile));
  words = published.id + "\n" + words_of(found);
  return status_of(found);
}

TEST(PublishedStatuses, AreThoseOfTheReleasedProfile) {
  std::size_t compared = 0;
  std::string words;
  for (const char* file : {"ut.jsonl", "atk.jsonl", "ttk.jsonl", "examples.jsonl"}) {
    for (const corpus::Case& published : cases_of(file)) {
      const int expected = corpus::code(published.expect->status);
      EXPECT_EQ(status_in(published, device::Profile::Released, words), expected) << words;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 297U);
}

TEST(PublishedStatuses, AreDocumentedUnlessTheCaseSaysOtherwise) {
  std::size_t documented = 0, released_alone = 0;
  std::string words;
  for (const char* file : {"ut.jsonl", "atk.jsonl", "ttk.jsonl", "examples.jsonl"}) {
    for (const corpus::Case& published : cases_of(file)) {
      const int expected = corpus::code(published.expect->status);
      const int status = status_in(published, device::Profile::Documented, words);
      EXPECT_EQ(status == expected, !published.expect->profile) << words;
      ++(published.expect->profile ? released_alone : documented);
    }
  }
  EXPECT_EQ(documented, 272U);
  EXPECT_EQ(released_alone, 25U);
}

TEST(PublishedStatuses, OfLegalCasesAreSuccessInBothProfiles) {
  const auto cases = cases_of("benchdnn.jsonl");
  EXPECT_EQ(cases.size(), 4605U);
  std::string words;
  for (const corpus::Case& published : cases) {
    for (const auto profile : {device::Profile::Documented, device::Profile::Released}) {
      ASSERT_EQ(status_in(published, profile, words), 0) << words;
    }
  }
}

}  // namespace
}  // namespace gradproof::kernel::api
