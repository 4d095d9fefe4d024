// The vendor's stated outcomes of the forward operators: the status of each call in both profiles,
// and of those that are small the values too, with data for which they are exact.

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "corpus/data_type.h"
#include "corpus/format.h"
#include "gradproof/machine.h"
#include "kernel/api/forward/rule.h"
#include "tests/kernel/forward/forward_call.h"
#include "tests/support/parameter_call.h"
#include "tests/support/published_cases.h"

namespace gradproof::kernel {
namespace {

using Json = nlohmann::json;
using api::forward::ForwardCall;
using api::forward::Function;

const Json& published() {
  static const Json rows = [] {
    Json all = Json::array();
    std::ifstream text(tests::published_file("forward.jsonl"));
    for (std::string line; std::getline(text, line);) all.push_back(Json::parse(line));
    return all;
  }();
  return rows;
}

Function function_of(const Json& row) {
  for (const Function function :
       {Function::Convolution, Function::ConvTbc, Function::ConvDepthwise2d}) {
    if (row.at("api") == api::forward::name_of(function)) return function;
  }
  ADD_FAILURE() << row.at("api");
  return Function::Convolution;
}

std::string product_of(const Json& row) {
  return row.value("socExercised", row.at("soc").get<std::string>());
}

/// The number of a name that the corpus lacks is one that no rule allows.
aclDataType data_type_of(const std::string& name) {
  const auto type = corpus::data_type_named(name);
  return type ? static_cast<aclDataType>(*type) : ACL_DT_UNDEFINED;
}

aclFormat format_named(const std::string& name) {
  const auto format = corpus::format_named(name);
  return format ? static_cast<aclFormat>(*format) : ACL_FORMAT_UNDEFINED;
}

void pass(const Json& row, const char* key, api::parameter_checks::Argument<api::Tensor>& to) {
  if (!row.contains(key) || row.at(key).is_null()) return;
  const Json& tensor = row.at(key);
  const auto shape = tensor.at("shape").get<Ints>();
  to.given = true;
  to.value = api::Tensor{.view_shape = shape,
                         .strides = tensor.value("strides", row_major(shape)),
                         .storage_shape = tensor.value("storageShape", shape),
                         .offset = tensor.value("offset", std::int64_t{0}),
                         .data_type = data_type_of(tensor.at("dtype")),
                         .format = format_named(tensor.at("format")),
                         .data = nullptr};
}

void pass(const Json& row, const char* key, api::parameter_checks::Argument<Ints>& to) {
  if (!row.contains(key) || row.at(key).is_null()) return;
  to.given = true;
  to.value =
      row.at(key).is_number() ? Ints{row.at(key).get<std::int64_t>()} : row.at(key).get<Ints>();
}

ForwardCall call_of(const Json& row, device::Profile profile) {
  ForwardCall call = api::forward::call_of(function_of(row));
  call.product = api::product_named(product_of(row));
  call.profile = profile;
  pass(row, "input", call.input);
  pass(row, "weight", call.weight);
  pass(row, "bias", call.bias);
  pass(row, "output", call.output);
  pass(row, "kernelSize", call.kernel_size);
  pass(row, "stride", call.stride);
  pass(row, call.is_tbc() ? "pad" : "padding", call.padding);
  pass(row, "dilation", call.dilation);
  pass(row, "outputPadding", call.output_padding);
  call.transposed = row.value("transposed", false);
  call.groups = row.value("groups", std::int64_t{1});
  call.cube_math_type = row.at("cubeMathType").get<int>();
  return call;
}

int stated(const Json& row) { return row.at("expect").at("status").get<int>(); }

TEST(PublishedForwardStatuses, AreThoseOfTheReleasedProfile) {
  std::size_t compared = 0;
  for (const Json& row : published()) {
    const auto found = breaches(call_of(row, device::Profile::Released));
    EXPECT_EQ(api::status_of(found), stated(row)) << row.at("id") << "\n" << api::words_of(found);
    ++compared;
  }
  EXPECT_EQ(compared, 504U);
}

TEST(PublishedForwardStatuses, AreDocumentedUnlessTheRowSaysOtherwise) {
  std::size_t documented = 0, released_alone = 0;
  for (const Json& row : published()) {
    const auto found = breaches(call_of(row, device::Profile::Documented));
    const bool is_released_alone = row.at("expect").contains("profile");
    EXPECT_EQ(api::status_of(found) == stated(row), !is_released_alone) << row.at("id") << "\n"
                                                                        << api::words_of(found);
    ++(is_released_alone ? released_alone : documented);
  }
  EXPECT_EQ(documented, 488U);
  EXPECT_EQ(released_alone, 16U);
}

std::int64_t products_of(const Json& row) {
  const auto weight = row.at("weight").at("shape").get<Ints>();
  const auto output = row.at("output").at("shape").get<Ints>();
  const auto input = row.at("input").at("shape").get<Ints>();
  return row.value("transposed", false) ? count_of(input) * count_of(weight) / weight[0]
         : row.at("api") == "aclnnConvTbc"
             ? count_of(output) * count_of(weight) / weight[2]
             : count_of(output) * count_of(weight) / std::max<std::int64_t>(1, weight[0]);
}

std::unique_ptr<DeviceTensor> tensor_of(const Json& row, const char* key) {
  if (row.at(key).is_null()) return nullptr;
  const Json& tensor = row.at(key);
  const auto shape = tensor.at("shape").get<Ints>();
  return std::make_unique<DeviceTensor>(data_type_of(tensor.at("dtype")), shape,
                                        tensor.value("strides", row_major(shape)),
                                        tensor.value("offset", std::int64_t{0}));
}

std::vector<float> small_numbers(const DeviceTensor& tensor, std::mt19937& random) {
  std::vector<float> values(static_cast<std::size_t>(count_of(tensor.shape())));
  for (float& value : values) value = static_cast<float>(random() % 3) - 1;
  return values;
}

class PublishedForwardValues : public ForwardOperators,
                               public testing::WithParamInterface<const char*> {
 protected:
  void compare(const Json& row) {
    ForwardAttributes call{.function = static_cast<ForwardFunction>(function_of(row)),
                           .kernel_size = row.value("kernelSize", Ints{}),
                           .stride = row.value("stride", Ints{1}),
                           .padding = row.contains("pad") ? Ints{row.at("pad").get<std::int64_t>()}
                                                          : row.at("padding").get<Ints>(),
                           .dilation = row.value("dilation", Ints{1}),
                           .transposed = row.value("transposed", false),
                           .output_padding = {},
                           .groups = row.value("groups", std::int64_t{1}),
                           .cube_math_type = row.at("cubeMathType").get<std::int8_t>()};
    if (call.transposed) call.output_padding = row.at("outputPadding").get<Ints>();
    const ForwardTensors tensors{tensor_of(row, "input"), tensor_of(row, "weight"),
                                 tensor_of(row, "bias"), tensor_of(row, "output")};
    std::mt19937 random(7);
    // Read back: elements of a view may share their place.
    for (const auto* tensor : {&tensors.input, &tensors.weight, &tensors.bias}) {
      if (*tensor) (*tensor)->write(small_numbers(**tensor, random));
    }
    const auto x = tensors.input->read(), w = tensors.weight->read();
    const auto b = tensors.bias ? tensors.bias->read() : std::vector<float>{};
    const Outcome outcome = run(call, tensors, stream_);
    ASSERT_EQ(outcome.phase_one, ACL_SUCCESS) << recent_error();
    ASSERT_EQ(outcome.synchronised, ACL_SUCCESS) << recent_error();
    const auto due = forward_truth(call, tensors, x, w, b);
    const auto found = tensors.output->read();
    ASSERT_EQ(found.size(), due.size());
    for (std::size_t i = 0; i < due.size(); ++i) {
      ASSERT_LE(std::abs(due[i]), row.at("input").at("dtype") == "BF16" ? 256 : 2048)
          << "not exact in the compute type";
      ASSERT_EQ(double{found[i]}, due[i]) << "element " << i;
    }
    EXPECT_TRUE(tensors.output->gaps_untouched());
  }
};

TEST_P(PublishedForwardValues, AreExact) {
  std::size_t compared = 0;
  const std::string product = GetParam();
  use(product == "Ascend950" ? "Ascend950PR_9589" : "Ascend910B1");
  ASSERT_EQ(gradproofSetForThread("profile", "released"), ACL_SUCCESS);
  for (const Json& row : published()) {
    if (stated(row) != 0 || product_of(row) != product) continue;
    if (row.at("output").is_null() || products_of(row) > 2'000'000) continue;
    SCOPED_TRACE(row.at("id").get<std::string>());
    compare(row);
    ++compared;
  }
  EXPECT_EQ(compared, product == "Ascend950" ? 20U : 195U);
  gradproofSetForThread("profile", nullptr);
}

INSTANTIATE_TEST_SUITE_P(Products, PublishedForwardValues,
                         testing::Values("Ascend910B", "Ascend950"),
                         [](const auto& product) { return std::string(product.param); });

}  // namespace
}  // namespace gradproof::kernel
