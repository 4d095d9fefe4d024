#include <gtest/gtest.h>

#include <map>

#include "acl/acl_base.h"
#include "corpus/data_type_row.h"
#include "corpus/format.h"

namespace gradproof::targets {
namespace {

/// corpus/ has CANN's numbers without its headers, so that a case says what is passed.
TEST(MarshalledNumbers, AreThoseOfCannForEveryDtype) {
  using enum corpus::DataType;
  const std::map<corpus::DataType, aclDataType> numbers{
      {Float, ACL_FLOAT},
      {Float16, ACL_FLOAT16},
      {Int8, ACL_INT8},
      {Int32, ACL_INT32},
      {UInt8, ACL_UINT8},
      {Int16, ACL_INT16},
      {UInt16, ACL_UINT16},
      {UInt32, ACL_UINT32},
      {Int64, ACL_INT64},
      {UInt64, ACL_UINT64},
      {Double, ACL_DOUBLE},
      {Bool, ACL_BOOL},
      {Complex64, ACL_COMPLEX64},
      {Complex128, ACL_COMPLEX128},
      {BFloat16, ACL_BF16},
      {HiFloat8, ACL_HIFLOAT8},
      {Float8E5M2, ACL_FLOAT8_E5M2},
      {Float8E4M3FN, ACL_FLOAT8_E4M3FN},
  };
  for (const corpus::DataTypeRow& row : corpus::data_type_rows) {
    ASSERT_TRUE(numbers.contains(row.type)) << row.name;
    EXPECT_EQ(static_cast<int>(row.type), numbers.at(row.type)) << row.name;
  }
}

TEST(MarshalledNumbers, AreThoseOfCannForEveryFormat) {
  using enum corpus::Format;
  const std::map<corpus::Format, aclFormat> numbers{
      {Nchw, ACL_FORMAT_NCHW},
      {Nhwc, ACL_FORMAT_NHWC},
      {Nd, ACL_FORMAT_ND},
      {Nc1hwc0, ACL_FORMAT_NC1HWC0},
      {FractalZ, ACL_FORMAT_FRACTAL_Z},
      {Hwcn, ACL_FORMAT_HWCN},
      {Ndhwc, ACL_FORMAT_NDHWC},
      {FractalNz, ACL_FORMAT_FRACTAL_NZ},
      {Ncdhw, ACL_FORMAT_NCDHW},
      {Dhwcn, ACL_FORMAT_DHWCN},
      {Ndc1hwc0, ACL_FORMAT_NDC1HWC0},
      {FractalZ3d, ACL_FRACTAL_Z_3D},
      {Nc, ACL_FORMAT_NC},
      {Ncl, ACL_FORMAT_NCL},
  };
  for (const corpus::Format format : corpus::formats()) {
    ASSERT_TRUE(numbers.contains(format)) << corpus::name_of(format);
    EXPECT_EQ(static_cast<int>(format), numbers.at(format)) << corpus::name_of(format);
  }
}

}  // namespace
}  // namespace gradproof::targets
