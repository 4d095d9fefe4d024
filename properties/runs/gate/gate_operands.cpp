#include "properties/runs/gate/gate_operands.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

#include "corpus/data_type.h"
#include "corpus/element_encoding.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::InputRole;

std::uint64_t coded(DataType type, double value) {
  if (type == DataType::Double) return std::bit_cast<std::uint64_t>(value);
  if (type == DataType::Float) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return corpus::encode_towards_zero(type, value).value_or(0);
}

/// The lowest bit of a number that is not 0.
double least_bit_of(double value) {
  int exponent = 0;
  const auto significand = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  return std::ldexp(static_cast<double>(significand & -significand), exponent - 53);
}

/// Numbers of which each is alike the one before, as in an image.
std::function<double()> alike_neighbours(Secret& secret, double unit) {
  const double middle = secret.chance(50) ? unit * secret.normal() : 0;
  return [&secret, unit, middle, now = 0.0]() mutable {
    now = 0.9 * now + 0.4 * secret.normal();
    return middle + unit * now;
  };
}

/// Numbers of one operand as a user's tensor has them.
std::function<double()> user_like(Secret& secret, bool is_narrow) {
  const double unit = std::ldexp(1 + secret.uniform(), is_narrow ? -2 : int(secret.between(-6, 6)));
  const double far = is_narrow ? unit : std::ldexp(1.0, exponent_far_from_0(secret));
  switch (secret.between(0, 12)) {
    case 0:
      return [&secret, unit] {
        return unit * std::exp(1.5 * secret.normal()) * (secret.chance(50) ? -1 : 1);
      };
    case 1:
      return [&secret, unit] { return unit * std::max(secret.normal(), 0.0); };
    case 2:
      return [&secret, is_narrow] { return (is_narrow ? 1e-3 : 1e-6) * secret.normal(); };
    case 3:
      return [&secret] { return secret.chance(50) ? 1.0 : 0.0; };
    case 4:
      return [&secret, unit] { return unit * (0.5 + secret.uniform()); };
    case 5:
      return [&secret, unit] {
        return unit / (1 + std::floor(99 * secret.uniform() * secret.uniform()));
      };
    case 6: {  // of sizes far apart: small ones count where they meet alone
      const int range = is_narrow ? 4 : 36;
      return [&secret, unit, range] {
        return std::ldexp(unit * secret.normal(), -static_cast<int>(secret.between(0, range)));
      };
    }
    case 7:  // nearly all 0, or far from 1
      return [&secret, unit] { return secret.chance(92) ? 0.0 : unit * secret.normal(); };
    case 8:
      return [&secret, far] { return far * secret.normal(); };
    case 9:
    case 10:
      return alike_neighbours(secret, unit);
    default:
      return [&secret, unit] { return unit * secret.normal(); };
  }
}

}  // namespace

std::vector<std::byte> filled(const Case& test_case, InputRole role,
                              const std::function<double()>& draw) {
  const DataType type = corpus::tensor(test_case, role)->dtype;
  const std::size_t width = corpus::size_bytes(type), count = elements_of(test_case, role);
  std::vector<std::byte> bytes(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = coded(type, draw());
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return bytes;
}

int exponent_far_from_0(Secret& secret) { return static_cast<int>(secret.between(-45, 45)); }

std::size_t elements_of(const Case& test_case, InputRole role) {
  return to_size(corpus::element_count(corpus::tensor(test_case, role)->shape).value_or(0));
}

corpus::PerInput<std::span<const std::byte>> spans_of(const OperandBytes& operands) {
  return {operands[0], operands[1], operands[2]};
}

OperandBytes dense_operands(const Case& test_case, Secret& secret) {
  OperandBytes operands;
  for (const InputRole role : corpus::input_roles) {
    const bool is_narrow = corpus::tensor(test_case, role)->dtype == DataType::Float16;
    operands.at(static_cast<std::size_t>(role)) =
        filled(test_case, role, user_like(secret, is_narrow));
  }
  return operands;
}

OperandBytes balanced_operands(const Case& test_case, Secret& secret) {
  const bool is_half = test_case.input->dtype == DataType::Float16;
  const bool is_large = secret.chance(50) && !is_half;
  OperandBytes operands;
  for (const InputRole role : corpus::input_roles) {
    const auto exponent = is_large ? secret.between(0, 4) : secret.between(-8, 2);
    const double unit = std::ldexp(1 + secret.uniform(), static_cast<int>(exponent));
    operands.at(static_cast<std::size_t>(role)) =
        filled(test_case, role, [&] { return unit * secret.normal(); });
  }
  return operands;
}

double element(DataType type, std::span<const std::byte> bytes, std::size_t index) {
  const std::size_t width = corpus::size_bytes(type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * width, width);
  if (type == DataType::Double) return std::bit_cast<double>(bits);
  if (type == DataType::Float) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return corpus::decode(type, bits).value_or(0);
}

void set_element(DataType type, std::vector<std::byte>& bytes, std::size_t index, double value) {
  const std::size_t width = corpus::size_bytes(type);
  const std::uint64_t bits = coded(type, value);
  std::memcpy(bytes.data() + index * width, &bits, width);
}

bool change_element(const Case& test_case, InputRole role, std::size_t index, ElementChange change,
                    OperandBytes& operands) {
  const DataType type = corpus::tensor(test_case, role)->dtype;
  auto& bytes = operands.at(static_cast<std::size_t>(role));
  const std::size_t count = bytes.size() / corpus::size_bytes(type);
  const double now = element(type, bytes, index);
  if (now != 0 && change != ElementChange::Swap) {
    const double step =
        change == ElementChange::Sign ? 2 * now : std::copysign(least_bit_of(now), now);
    set_element(type, bytes, index, now - step);
    return true;
  }
  constexpr double far = 0.382;  // in another channel and sample, where there are several
  std::size_t other = (index + 1 + static_cast<std::size_t>(far * double(count))) % count;
  while (other != index && element(type, bytes, other) == now) other = (other + 1) % count;
  if (other == index) return false;
  const double value = element(type, bytes, other);
  set_element(type, bytes, index, value);
  if (change == ElementChange::Swap) set_element(type, bytes, other, now);
  return true;
}

bool scale(const Case& test_case, InputRole role, int exponent, OperandBytes& operands) {
  const DataType type = corpus::tensor(test_case, role)->dtype;
  auto& bytes = operands.at(static_cast<std::size_t>(role));
  const int least = type == DataType::Float16 ? -14 : type == DataType::Double ? -1022 : -126;
  const int most = type == DataType::Float16 ? 15 : type == DataType::Double ? 1023 : 127;
  const std::size_t count = bytes.size() / corpus::size_bytes(type);
  std::vector<std::byte> scaled = bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = element(type, bytes, i);
    if (value == 0) continue;
    const int found = std::ilogb(value) + exponent;
    if (found < least || found > most) return false;
    set_element(type, scaled, i, std::ldexp(value, exponent));
  }
  bytes = std::move(scaled);
  return true;
}

}  // namespace gradproof::runs
