#include "kernel/api/add/add_elements.h"

#include <complex>
#include <cstring>

#include "kernel/numeric/bfloat16.h"
#include "kernel/numeric/half.h"

namespace gradproof::kernel::api::add {
namespace {

using numeric::OverflowMode;

template <typename T>
T bits_at(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Calls `visit` with an element's value, in the C++ type that holds it exactly.
template <typename Visit>
void with_value(ConstElement element, Visit visit) {
  switch (element.type) {
    case ACL_BOOL:
      return visit(bits_at<std::uint8_t>(element.at) != 0);
    case ACL_UINT8:
      return visit(bits_at<std::uint8_t>(element.at));
    case ACL_INT8:
      return visit(bits_at<std::int8_t>(element.at));
    case ACL_INT16:
      return visit(bits_at<std::int16_t>(element.at));
    case ACL_INT32:
      return visit(bits_at<std::int32_t>(element.at));
    case ACL_INT64:
      return visit(bits_at<std::int64_t>(element.at));
    case ACL_FLOAT16:
      return visit(numeric::Half::decode(bits_at<std::uint16_t>(element.at)));
    case ACL_BF16:
      return visit(numeric::BFloat16::decode(bits_at<std::uint16_t>(element.at)));
    case ACL_FLOAT:
      return visit(bits_at<float>(element.at));
    case ACL_DOUBLE:
      return visit(bits_at<double>(element.at));
    case ACL_COMPLEX64:
      return visit(bits_at<std::complex<float>>(element.at));
    default:
      return visit(bits_at<std::complex<double>>(element.at));
  }
}

template <typename T>
constexpr bool is_complex = false;
template <typename T>
constexpr bool is_complex<std::complex<T>> = true;

/// A number of one kind as one of its own kind or a larger one.
template <typename To, typename From>
To converted(From value) {
  if constexpr (is_complex<To>) {
    using Part = typename To::value_type;
    if constexpr (is_complex<From>) {
      return {static_cast<Part>(value.real()), static_cast<Part>(value.imag())};
    } else {
      return {static_cast<Part>(value), Part{0}};
    }
  } else if constexpr (is_complex<From>) {
    return static_cast<To>(value.real());  // no call that passed the checks comes here
  } else {
    return static_cast<To>(value);
  }
}

template <typename To>
To read(ConstElement element) {
  To result{};
  with_value(element, [&](auto value) { result = converted<To>(value); });
  return result;
}

template <typename T>
void put(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

template <typename Value>
void store(aclDataType type, std::byte* to, Value value) {
  switch (type) {
    case ACL_BOOL:
      return put(to, static_cast<std::uint8_t>(value != Value{}));
    case ACL_UINT8:
      return put(to, converted<std::uint8_t>(value));
    case ACL_INT8:
      return put(to, converted<std::int8_t>(value));
    case ACL_INT16:
      return put(to, converted<std::int16_t>(value));
    case ACL_INT32:
      return put(to, converted<std::int32_t>(value));
    case ACL_INT64:
      return put(to, converted<std::int64_t>(value));
    case ACL_FLOAT16:
      return put(to, numeric::Half::encode(converted<float>(value), OverflowMode::InfNan));
    case ACL_BF16:
      return put(to, numeric::BFloat16::encode(converted<float>(value), OverflowMode::InfNan));
    case ACL_FLOAT:
      return put(to, converted<float>(value));
    case ACL_DOUBLE:
      return put(to, converted<double>(value));
    case ACL_COMPLEX64:
      return put(to, converted<std::complex<float>>(value));
    default:
      return put(to, converted<std::complex<double>>(value));
  }
}

/// The sum in a C++ type, which may be wider than the dtype.
template <typename Value>
Value sum(ConstElement left, ConstElement right, ConstElement factor) {
  const auto one = read<Value>(left), other = read<Value>(right), times = read<Value>(factor);
  return times == Value{1} ? one + other : one + times * other;
}

/// Rounds to a half dtype what is then stored as another.
float rounded(aclDataType common, float value) {
  if (common == ACL_FLOAT16) {
    return numeric::Half::decode(numeric::Half::encode(value, OverflowMode::InfNan));
  }
  if (common != ACL_BF16) return value;
  return numeric::BFloat16::decode(numeric::BFloat16::encode(value, OverflowMode::InfNan));
}

/// Cuts an integer sum to its dtype's width.
std::int64_t wrapped(aclDataType common, std::uint64_t value) {
  switch (common) {
    case ACL_UINT8:
      return static_cast<std::uint8_t>(value);
    case ACL_INT8:
      return static_cast<std::int8_t>(value);
    case ACL_INT16:
      return static_cast<std::int16_t>(value);
    case ACL_INT32:
      return static_cast<std::int32_t>(value);
    default:
      return static_cast<std::int64_t>(value);
  }
}

}  // namespace

void store_sum(aclDataType common, ConstElement left, ConstElement right, ConstElement factor,
               aclDataType type, std::byte* to) {
  switch (common) {
    case ACL_BOOL:
      return store(type, to, read<bool>(left) || (read<bool>(factor) && read<bool>(right)));
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_FLOAT:
      return store(type, to, rounded(common, sum<float>(left, right, factor)));
    case ACL_DOUBLE:
      return store(type, to, sum<double>(left, right, factor));
    case ACL_COMPLEX64:
      return store(type, to, sum<std::complex<float>>(left, right, factor));
    case ACL_COMPLEX128:
      return store(type, to, sum<std::complex<double>>(left, right, factor));
    default:
      return store(type, to, wrapped(common, sum<std::uint64_t>(left, right, factor)));
  }
}

}  // namespace gradproof::kernel::api::add
