#pragma once

#include <array>
#include <cstddef>

#include "corpus/data_recipe.h"
#include "corpus/data_type.h"
#include "corpus/format.h"
#include "corpus/product.h"

/// Tables that a number of a record chooses from, the usual first. A record holds places in these
/// tables, so their order is part of the format of stored inputs.
namespace gradproof::fuzz {

inline constexpr std::array products{corpus::Product::Ascend910B,   corpus::Product::Ascend950,
                                     corpus::Product::Ascend910_93, corpus::Product::Ascend910,
                                     corpus::Product::Ascend310P,   corpus::Product::Ascend310,
                                     corpus::Product::Ascend310B};

inline constexpr std::array ranks{4, 5, 3};

inline constexpr std::array data_types{
    corpus::DataType::Float,     corpus::DataType::Float16,      corpus::DataType::BFloat16,
    corpus::DataType::HiFloat8,  corpus::DataType::Float8E4M3FN, corpus::DataType::Float8E5M2,
    corpus::DataType::Double,    corpus::DataType::Int8,         corpus::DataType::Int32,
    corpus::DataType::UInt8,     corpus::DataType::Int16,        corpus::DataType::UInt16,
    corpus::DataType::UInt32,    corpus::DataType::Int64,        corpus::DataType::UInt64,
    corpus::DataType::Complex64, corpus::DataType::Complex128,   corpus::DataType::Bool};

inline constexpr std::array formats{
    corpus::Format::Nchw,     corpus::Format::Ncdhw,     corpus::Format::Ncl,
    corpus::Format::Nd,       corpus::Format::Nhwc,      corpus::Format::Hwcn,
    corpus::Format::Ndhwc,    corpus::Format::Dhwcn,     corpus::Format::Nc,
    corpus::Format::Nc1hwc0,  corpus::Format::FractalZ,  corpus::Format::FractalNz,
    corpus::Format::Ndc1hwc0, corpus::Format::FractalZ3d};

inline constexpr std::array recipes{
    corpus::Distribution::ExactGrid,    corpus::Distribution::SparseFullMantissa,
    corpus::Distribution::Specials,     corpus::Distribution::Cancellation,
    corpus::Distribution::NearOverflow, corpus::Distribution::NearUnderflow,
    corpus::Distribution::Uniform};

/// The element of a table that any number stands for.
template <typename T, std::size_t size>
constexpr T chosen(const std::array<T, size>& table, std::uint64_t number) {
  return table[static_cast<std::size_t>(number % size)];
}

/// Place of a value in the table; 0 for what is not there.
template <typename T, std::size_t size>
constexpr std::size_t place_of(const std::array<T, size>& table, T wanted) {
  for (std::size_t place = 0; place < size; ++place) {
    if (table[place] == wanted) return place;
  }
  return 0;
}

}  // namespace gradproof::fuzz
