#include <gtest/gtest.h>

#include "corpus/case.h"
#include "corpus/verdict.h"

#include <limits>
#include <vector>

namespace gradproof::corpus {
namespace {

TEST(Names, FindTheirOwnRow) {
  for (int value = -1; value < 64; ++value) {
    const auto dtype = static_cast<DataType>(value);
    if (!name_of(dtype).empty()) {
      EXPECT_EQ(data_type_named(name_of(dtype)), dtype);
    }
    const auto format = static_cast<Format>(value);
    if (!name_of(format).empty()) {
      EXPECT_EQ(format_named(name_of(format)), format);
    }
  }
  EXPECT_EQ(data_type_named("BF16"), DataType::BFloat16);
  EXPECT_EQ(static_cast<int>(DataType::BFloat16), 27);
  EXPECT_EQ(format_named("NCL"), Format::Ncl);
  EXPECT_FALSE(data_type_named(""));
  EXPECT_FALSE(format_named("nchw"));
}

TEST(Names, TellTheTwoChipsCalledAscend910BApart) {
  EXPECT_EQ(product_named("Ascend910B"), Product::Ascend910B);
  EXPECT_EQ(product_of_device("Ascend910B1"), Product::Ascend910B);
  EXPECT_EQ(product_of_device("Ascend910B"), Product::Ascend910);
  EXPECT_EQ(product_of_device("Ascend910_9391"), Product::Ascend910_93);
  EXPECT_EQ(product_of_device("Ascend950PR_9589"), Product::Ascend950);
  EXPECT_FALSE(product_of_device("Ascend910B9"));
}

TEST(Status, NamesTheCodesItKnowsAndKeepsTheOthers) {
  EXPECT_EQ(words(Status::ParamInvalid), "161002 (ACLNN_ERR_PARAM_INVALID)");
  EXPECT_EQ(words(static_cast<Status>(12345)), "12345");
}

TEST(Shapes, CountWithoutOverflow) {
  EXPECT_EQ(element_count({2, 3, 4}), 24);
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({std::int64_t{1} << 62, 0, 1LL << 62}), 0);
  EXPECT_FALSE(element_count({std::int64_t{1} << 32, std::int64_t{1} << 31}));
  EXPECT_FALSE(element_count({-1, 0}));
}

TEST(Shapes, NeedTheStorageThatTheirViewReaches) {
  TensorCase view;
  view.shape = {2, 3};
  EXPECT_EQ(storage_element_count(view), 6);
  view.strides = {10, 2};
  view.offset = 5;
  EXPECT_EQ(storage_element_count(view), 5 + 10 + 4 + 1);
  view.storage_shape = {100};
  EXPECT_EQ(storage_element_count(view), 100);
  view.strides = {10, -2};
  EXPECT_FALSE(storage_element_count(view));
}

TEST(Shapes, NeedTheSameStorageWithRowMajorStridesAsWithNone) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {}, {1}, {7}, {2, 3}, {4, 1, 5}, {1, 1}, {0}, {3, 0, 2}, {std::int64_t{1} << 62, 1}}) {
    for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{5}, most / 2 + 1, most - 1}) {
      TensorCase dense;
      dense.shape = shape;
      dense.offset = offset;
      TensorCase view = dense;
      view.strides = row_major_strides(shape);
      EXPECT_EQ(storage_element_count(dense), storage_element_count(view)) << offset;
      dense.storage_shape = view.storage_shape = {20};
      EXPECT_EQ(storage_element_count(dense), storage_element_count(view)) << offset;
    }
  }
}

TEST(Verdicts, HaveASignatureWithoutSizes) {
  Verdict verdict;
  verdict.outcome = Outcome::Disagree;
  verdict.kind = DisagreementKind::Value;
  verdict.law = "exactness";
  verdict.culprit = OutputRole::GradWeight;
  verdict.status = Status::Success;
  EXPECT_EQ(verdict.signature(), "disagree-value-exactness-gradWeight");
  verdict.kind = DisagreementKind::Status;
  verdict.culprit.reset();
  EXPECT_EQ(verdict.signature(), "disagree-status-exactness-0");
}

}  // namespace
}  // namespace gradproof::corpus
