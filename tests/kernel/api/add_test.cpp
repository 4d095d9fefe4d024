// aclnnAdd: sums in every dtype, broadcasting, views, and what phase one refuses.

#include <gmock/gmock.h>

#include <complex>
#include <limits>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_add.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Ints = std::vector<std::int64_t>;

/// A tensor of values as they lie in memory.
template <typename T>
class AddTensor {
 public:
  AddTensor(aclDataType type, const Ints& shape, const std::vector<T>& values, Ints strides = {})
      : bytes_(values.size() * sizeof(T)) {
    EXPECT_EQ(aclrtMalloc(&memory_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemcpy(memory_, bytes_, values.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE),
              ACL_SUCCESS);
    const std::int64_t storage = static_cast<std::int64_t>(values.size());
    descriptor_ = aclCreateTensor(shape.data(), shape.size(), type,
                                  strides.empty() ? nullptr : strides.data(), 0, ACL_FORMAT_ND,
                                  &storage, 1, memory_);
  }
  AddTensor(const AddTensor&) = delete;
  AddTensor& operator=(const AddTensor&) = delete;
  ~AddTensor() {
    aclDestroyTensor(descriptor_);
    aclrtFree(memory_);
  }
  aclTensor* descriptor() const { return descriptor_; }
  std::vector<T> values() const {
    std::vector<T> values(bytes_ / sizeof(T));
    EXPECT_EQ(aclrtMemcpy(values.data(), bytes_, memory_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST),
              ACL_SUCCESS);
    return values;
  }

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
  aclTensor* descriptor_ = nullptr;
};

template <typename T>
class AddFactor {
 public:
  AddFactor(T value, aclDataType type) : scalar_(aclCreateScalar(&value, type)) {}
  AddFactor(const AddFactor&) = delete;
  AddFactor& operator=(const AddFactor&) = delete;
  ~AddFactor() { aclDestroyScalar(scalar_); }
  const aclScalar* get() const { return scalar_; }

 private:
  aclScalar* scalar_;
};

class Add : public OnDevice {
 protected:
  /// Status of phase one, after which the sum is there.
  static aclnnStatus add(const aclTensor* self, const aclTensor* other, const aclScalar* alpha,
                         aclTensor* out) {
    std::uint64_t bytes = 1;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus status = aclnnAddGetWorkspaceSize(self, other, alpha, out, &bytes, &executor);
    if (status != ACL_SUCCESS) return status;
    EXPECT_EQ(bytes, 0U);
    EXPECT_EQ(aclnnAdd(nullptr, bytes, executor, nullptr), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
    return status;
  }

  /// left + factor * right in one dtype.
  template <typename T>
  static T sum(aclDataType type, T left, T right, T factor) {
    const AddTensor<T> self(type, {1}, {left}), other(type, {1}, {right});
    const AddTensor<T> out(type, {1}, {T{}});
    const AddFactor<T> alpha(factor, type);
    EXPECT_EQ(add(self.descriptor(), other.descriptor(), alpha.get(), out.descriptor()),
              ACL_SUCCESS)
        << error_text();
    return out.values().front();
  }
};

TEST_F(Add, IsExactInEveryDtype) {
  EXPECT_EQ(sum<float>(ACL_FLOAT, 1, 0x1p-24F, 2), 1 + 0x1p-23F);
  EXPECT_EQ(sum<double>(ACL_DOUBLE, 1, 0x1p-53, 2), 1 + 0x1p-52);
  EXPECT_EQ(sum<std::int8_t>(ACL_INT8, 100, 30, 2), static_cast<std::int8_t>(160));
  EXPECT_EQ(sum<std::uint8_t>(ACL_UINT8, 200, 60, 1), 4);
  EXPECT_EQ(sum<std::int16_t>(ACL_INT16, -3, 5, -2), -13);
  EXPECT_EQ(sum<std::int32_t>(ACL_INT32, 1 << 30, 1 << 30, 1), std::numeric_limits<int>::min());
  EXPECT_EQ(sum<std::int64_t>(ACL_INT64, (std::int64_t{1} << 53) + 1, 3, 1),
            (std::int64_t{1} << 53) + 4);
  EXPECT_EQ(sum<std::uint8_t>(ACL_BOOL, 1, 1, 1), 1);
  EXPECT_EQ(sum<std::uint8_t>(ACL_BOOL, 0, 1, 0), 0);
  EXPECT_EQ(sum<std::complex<float>>(ACL_COMPLEX64, {1, 2}, {3, -1}, {0, 1}),
            (std::complex<float>{2, 5}));
  EXPECT_EQ(sum<std::complex<double>>(ACL_COMPLEX128, {1, 2}, {3, -1}, {1, 0}),
            (std::complex<double>{4, 1}));
  // 1 and 2^-11 as FLOAT16 and BFLOAT16: half of an ulp, to even; and one and a half.
  EXPECT_EQ(sum<std::uint16_t>(ACL_FLOAT16, 0x3C00, 0x1000, 0x3C00), 0x3C00);
  EXPECT_EQ(sum<std::uint16_t>(ACL_FLOAT16, 0x3C00, 0x1000, 0x4200), 0x3C02);
  EXPECT_EQ(sum<std::uint16_t>(ACL_BF16, 0x3F80, 0x3B80, 0x3F80), 0x3F80);
  EXPECT_EQ(sum<std::uint16_t>(ACL_BF16, 0x3F80, 0x3B80, 0x4040), 0x3F82);
}

TEST_F(Add, BroadcastsAndReadsViews) {
  const AddTensor<float> column(ACL_FLOAT, {2, 1}, {1, 2}), row(ACL_FLOAT, {3}, {10, 20, 30});
  const AddTensor<float> out(ACL_FLOAT, {2, 3}, std::vector<float>(6), {1, 2});
  const AddFactor<float> one(1, ACL_FLOAT);
  ASSERT_EQ(add(column.descriptor(), row.descriptor(), one.get(), out.descriptor()), ACL_SUCCESS)
      << error_text();
  EXPECT_THAT(out.values(), ElementsAre(11, 12, 21, 22, 31, 32)) << "out is transposed";
}

TEST_F(Add, PromotesAndConverts) {
  const AddTensor<std::int32_t> integers(ACL_INT32, {2}, {16777217, -1});
  const AddTensor<float> reals(ACL_FLOAT, {2}, {0, 0.5F});
  const AddTensor<double> out(ACL_DOUBLE, {2}, {0, 0});
  const AddFactor<std::int64_t> two(2, ACL_INT64);
  ASSERT_EQ(add(integers.descriptor(), reals.descriptor(), two.get(), out.descriptor()),
            ACL_SUCCESS)
      << error_text();
  EXPECT_THAT(out.values(), ElementsAre(16777216, 0)) << "the sum is one of FLOATs";
}

TEST_F(Add, MakesTheSumInItsOwnDtype) {
  const AddTensor<std::int8_t> bytes(ACL_INT8, {1}, {100});
  const AddTensor<std::int32_t> words(ACL_INT32, {1}, {0});
  const AddTensor<std::uint16_t> halves(ACL_FLOAT16, {1}, {0x6800});  // 2048
  const AddTensor<std::uint16_t> ones(ACL_FLOAT16, {1}, {0x3C00});
  const AddTensor<float> real(ACL_FLOAT, {1}, {0});
  const AddFactor<std::int8_t> one(1, ACL_INT8);
  ASSERT_EQ(add(bytes.descriptor(), bytes.descriptor(), one.get(), words.descriptor()),
            ACL_SUCCESS);
  EXPECT_THAT(words.values(), ElementsAre(-56));
  ASSERT_EQ(add(halves.descriptor(), ones.descriptor(), one.get(), real.descriptor()), ACL_SUCCESS);
  EXPECT_THAT(real.values(), ElementsAre(2048));
}

TEST_F(Add, RefusesWhatHasNoSum) {
  const AddTensor<float> reals(ACL_FLOAT, {2}, {1, 2});
  const AddTensor<std::int32_t> integers(ACL_INT32, {2}, {1, 2});
  const AddTensor<float> three(ACL_FLOAT, {3}, {1, 2, 3});
  const AddTensor<std::uint16_t> texts(ACL_UINT16, {2}, {1, 2});
  const AddFactor<float> one(1, ACL_FLOAT);
  const AddFactor<std::int32_t> whole(1, ACL_INT32);
  aclTensor* const self = reals.descriptor();
  EXPECT_EQ(add(nullptr, self, one.get(), self), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(add(self, self, nullptr, self), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(add(self, three.descriptor(), one.get(), self), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(error_text(), HasSubstr("broadcast"));
  EXPECT_EQ(add(self, self, one.get(), integers.descriptor()), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(error_text(), HasSubstr("does not fit in it"));
  EXPECT_EQ(add(integers.descriptor(), integers.descriptor(), one.get(), integers.descriptor()),
            ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(add(texts.descriptor(), self, one.get(), self), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(add(integers.descriptor(), integers.descriptor(), whole.get(), self), ACL_SUCCESS);
  open({{"GRADPROOF_DEVICES", "Ascend310P3"}});
  const AddTensor<std::uint16_t> brain(ACL_BF16, {1}, {0});
  const AddFactor<float> again(1, ACL_FLOAT);
  EXPECT_EQ(add(brain.descriptor(), brain.descriptor(), again.get(), brain.descriptor()),
            ACLNN_ERR_PARAM_INVALID);
}

/// Status of phase one of aclnnInplaceAdd, after which the sum is there.
aclnnStatus add_in_place(aclTensor* self, const aclTensor* other, const aclScalar* alpha) {
  std::uint64_t bytes = 1;
  aclOpExecutor* executor = nullptr;
  const aclnnStatus status = aclnnInplaceAddGetWorkspaceSize(self, other, alpha, &bytes, &executor);
  if (status != ACL_SUCCESS) return status;
  EXPECT_EQ(aclnnInplaceAdd(nullptr, bytes, executor, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  return status;
}

TEST_F(Add, InPlaceStoresInItsFirstTensorWhoseShapeStays) {
  const AddTensor<float> turned(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}, {1, 2});
  const AddTensor<float> row(ACL_FLOAT, {3}, {10, 20, 30});
  const AddFactor<float> minus(-1, ACL_FLOAT);
  ASSERT_EQ(add_in_place(turned.descriptor(), row.descriptor(), minus.get()), ACL_SUCCESS)
      << error_text();
  EXPECT_THAT(turned.values(), ElementsAre(-9, -8, -17, -16, -25, -24));
  EXPECT_THAT(row.values(), ElementsAre(10, 20, 30));
  EXPECT_EQ(add_in_place(row.descriptor(), turned.descriptor(), minus.get()),
            ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(error_text(), HasSubstr("selfRef [3], which must be what they broadcast to "
                                      "(aclnnInplaceAdd)"));
  EXPECT_EQ(add_in_place(nullptr, row.descriptor(), minus.get()), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_THAT(error_text(), HasSubstr("selfRef is null"));
}

}  // namespace
}  // namespace gradproof::kernel
