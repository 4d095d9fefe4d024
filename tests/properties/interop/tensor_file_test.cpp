// Files of tensors: what is read, and what is refused and why.

#include "properties/advice/interop/tensor_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "tests/properties/cli/command_line.h"

namespace gradproof::tests {
namespace {

using advice::ElementOrder;
using advice::read_npy;
using corpus::DataType;
using testing::HasSubstr;

std::string number(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xFF);
  return text;
}

std::string header(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

std::string npy(const std::string& header, const std::string& elements, int version = 1) {
  return "\x93NUMPY" + number(static_cast<std::uint64_t>(version), 1) + number(0, 1) +
         number(header.size(), version == 1 ? 2 : 4) + header + elements;
}

template <typename Number>
std::string elements(std::initializer_list<Number> values) {
  std::string text(values.size() * sizeof(Number), '\0');
  std::memcpy(text.data(), std::data(values), text.size());
  return text;
}

class TensorFiles : public CommandLine {
 protected:
  std::string file(const std::string& content) const {
    write("a.npy", content);
    return (folder_ / "a.npy").string();
  }
  std::string problem(const std::string& content, std::optional<DataType> dtype = {}) const {
    const auto read = read_npy(file(content), dtype);
    return read ? "read" : read.error().substr(file(content).size());
  }
};

const std::string six = elements<float>({1, -2, 0, 0.5, 3, -4});

TEST_F(TensorFiles, AreReadInEveryVersionOfTheFormat) {
  for (const int version : {1, 2, 3}) {
    const auto tensor = read_npy(file(npy(header("<f4", "(2, 3)"), six, version)));
    ASSERT_TRUE(tensor) << tensor.error();
    EXPECT_EQ(tensor->dtype, DataType::Float);
    EXPECT_EQ(tensor->shape, (std::vector<std::int64_t>{2, 3}));
    ASSERT_EQ(tensor->bytes.size(), six.size());
    EXPECT_EQ(std::memcmp(tensor->bytes.data(), six.data(), six.size()), 0);
  }
  EXPECT_EQ(read_npy(file(npy(header("<f4", "()"), six.substr(0, 4))))->shape.size(), 0U);
  EXPECT_EQ(read_npy(file(npy(header("|i1", "(0, 5)"), "")))->bytes.size(), 0U);
}

TEST_F(TensorFiles, OfBareBytesNeedTheirType) {
  const std::string content = npy(header("|V2", "(1,)"), number(0x3F80, 2));
  EXPECT_THAT(problem(content), HasSubstr("FILE:bf16"));
  EXPECT_EQ(read_npy(file(content), DataType::BFloat16)->dtype, DataType::BFloat16);
  EXPECT_THAT(problem(content, DataType::Float), HasSubstr("of no type"));
  EXPECT_THAT(problem(npy(header("<f2", "(1,)"), "ab"), DataType::BFloat16),
              HasSubstr("holds FLOAT16, not BF16"));
}

TEST_F(TensorFiles, AreRefusedByName) {
  const std::pair<std::string, const char*> table[] = {
      {"", "is no .npy file"},
      {"\x93NUM", "is no .npy file"},
      {"\x93NUMPY\x01", "ends within its header"},
      {npy(header("<f4", "(2, 3)"), six).substr(0, 30), "ends within its header"},
      {npy(header("<f4", "(2, 3)"), six, 4), "has version 4"},
      {npy(header(">f4", "(2, 3)"), six), "big endian"},
      {npy(header("<f4", "(2, 3)", true), six), "Fortran order"},
      {npy(header("<f4", "(2, 3)"), six.substr(4)), "20 bytes follow; it is truncated"},
      {npy(header("<f4", "(2, 3)"), six + "x"), "longer than that"},
      {npy(header("<f4", "(1048576, 1048576)"), six),
       "says 1099511627776 elements of FLOAT ([1048576, 1048576]), and 24 bytes follow"},
      {npy(header("<f4", "(9223372036854775807, 2)"), six), "more than 2^63 elements"},
      {npy(header("<f4", "(-2, -3)"), six), "is none"},
      {npy(header("<f4", "'a'"), six), "is none"},
      {npy(header("<U4", "(2, 3)"), six), "of no type that a tensor can have"},
      {npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}", six), "of no type"},
      {npy("{'descr': '<f4'}", six), "lacks descr, fortran_order or shape"},
      {npy("{'descr", six), "not a Python literal"},
  };
  for (const auto& [content, words] : table) EXPECT_THAT(problem(content), HasSubstr(words));
  EXPECT_THAT(read_npy((folder_ / "lacking").string()).error(), HasSubstr("can't be opened"));
  EXPECT_THAT(read_npy(folder_.path().string()).error(), HasSubstr("is a folder"));
}

TEST_F(TensorFiles, InFortranOrderAreReadWhereItDoesNotMatter) {
  const std::string name = file(npy(header("<f4", "(2, 3)", true), six));
  EXPECT_TRUE(read_npy(name, {}, ElementOrder::Any)->fortran_order);
  EXPECT_FALSE(read_npy(file(npy(header("<f4", "(6, 1)", true), six)))->fortran_order);
}

TEST_F(TensorFiles, HaveMagnitudes) {
  const auto found = advice::magnitudes_of(*read_npy(file(npy(header("<f4", "(6,)"), six))));
  EXPECT_EQ(found->smallest, 0.5);
  EXPECT_EQ(found->largest, 4);
  EXPECT_EQ(found->zeros, 1U);
  EXPECT_EQ(found->elements, 6U);
  const std::string wide =
      elements<double>({1e-300, std::numeric_limits<double>::infinity(), -2e300});
  const auto doubles = advice::magnitudes_of(*read_npy(file(npy(header("<f8", "(3,)"), wide))));
  EXPECT_EQ(doubles->smallest, 1e-300);
  EXPECT_EQ(doubles->largest, 2e300);
  EXPECT_EQ(doubles->not_finite, 1U);
  const auto integers = read_npy(file(npy(header("<i4", "(6,)"), six)));
  EXPECT_THAT(advice::magnitudes_of(*integers).error(), HasSubstr("INT32"));
}

TEST_F(TensorFiles, GiveExplainItsRange) {
  write("x.npy", npy(header("<f4", "(2, 3)", true), six));
  write("x.bin", number(0x3F80, 2) + number(0xC040, 2));  // 1 and -3 in BF16
  write("x:y", six);
  write("nan.npy", npy(header("<f4", "(1,)"), elements<float>({std::nanf("")})));
  const std::string call = "explain --input 1,1,3 --weight 1,1,3 --soc Ascend910B --range ";
  const auto tolerances = [&](const std::string& range) {  // at worst
    const std::string text = gradproof(call + range).output;
    const auto begin = text.find(": rtol ");
    return text.substr(begin, text.find(" at worst", begin) - begin);
  };
  EXPECT_EQ(tolerances("x.npy"), tolerances("-4,4"));
  EXPECT_EQ(tolerances("x.bin:bf16"), tolerances("-1,3"));
  EXPECT_NE(tolerances("x.npy"), tolerances("-1,1"));
  EXPECT_THAT(gradproof(call + "x.npy").output, HasSubstr("data like that of x.npy: rtol "));
  EXPECT_THAT(gradproof(call + "x.npy").output,
              HasSubstr("x.npy: FLOAT [2, 3], absolute values 0.5 to 4, and 1 zeros\n"));
  const std::pair<const char*, const char*> wrong[] = {
      {"x.bin", "x.bin: is no .npy file; of bare elements say the type, as x.bin:fp32"},
      {"x.bin:fp31", "x.bin:fp31: \"fp31\" is no dtype"},
      {"x.npy:fp64", "x.npy: it holds FLOAT, not DOUBLE"},
      {"x:y", "x:y: is no .npy file"},
      {"no.npy", "no.npy: can't be opened"},
      {"nan.npy", "1 of 1 elements are NaN or infinite"},
      {"x.bin:i8", "elements of INT8 are no numbers"},
      {"x.bin:fp64", "4 bytes are no whole number of elements of DOUBLE (8 bytes)"},
      {"1,2,3", "is no range of numbers such as -1,1, and no file"},
  };
  for (const auto& [range, words] : wrong) {
    const Ran ran = gradproof(call + range);
    EXPECT_EQ(ran.code, 2) << range;
    EXPECT_THAT(ran.output, HasSubstr(std::string("gradproof: --range: "))) << range;
    EXPECT_THAT(ran.output, HasSubstr(words));
  }
}

}  // namespace
}  // namespace gradproof::tests
