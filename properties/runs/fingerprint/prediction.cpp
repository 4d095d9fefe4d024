#include "properties/runs/fingerprint/prediction.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "corpus/element_encoding.h"
#include "corpus/random_source.h"

namespace gradproof::runs {
namespace {

constexpr std::size_t most_misses_kept = 16;

double at(const Operands& operands, const cases::SitePlan& plan, corpus::InputRole role,
          const oracle::Shape& coordinate) {
  return operands[role][oracle::offset_of(plan.geometry().shape(role), coordinate)];
}

/// Value that the tensor holds for a value.
double stored(const corpus::Case& call, corpus::InputRole role, double value) {
  const auto& tensor = corpus::tensor(call, role);
  if (!tensor) return value;
  const auto bits = corpus::encode_towards_zero(tensor->dtype, value);
  return corpus::decode(tensor->dtype, bits.value_or(0)).value_or(value);
}

std::string hexadecimal(double value) { return fmt::format("{:a}", value); }

}  // namespace

Operands random_operands(const Prober& prober, std::uint64_t seed) {
  constexpr std::int64_t binades = 8;
  constexpr std::uint64_t turns_with_zeros = 4, turns_that_cancel = 5;
  corpus::RandomSource random(seed, 0);
  Operands operands = prober.zeros();
  const bool has_zeros = seed % turns_with_zeros == 1;
  const bool cancels = seed % turns_that_cancel == 2;
  for (std::size_t role = 0; role < operands.size(); ++role) {
    for (double& value : operands[role]) {
      const double fraction =
          std::ldexp(static_cast<double>(random.between(0, (1 << 23) - 1)), -23);
      const int exponent = cancels ? 0 : -static_cast<int>(random.between(0, binades - 1));
      const bool is_zero = has_zeros && random.between(0, 2) == 0;
      const bool is_negative = random.between(0, 1) == 1;
      value = is_zero ? 0 : std::ldexp(1 + (cancels ? fraction * 0x1p-12 : fraction), exponent);
      if (is_negative) value = is_zero ? 0 : -value;
      value = stored(prober.call(), static_cast<corpus::InputRole>(role), value);
    }
  }
  return operands;
}

Predictor::Predictor(const cases::SitePlan& plan, const corpus::Case& call,
                     const cases::Site& measured)
    : plan_(plan), call_(call), measured_(measured) {
  constexpr std::int64_t most_products_kept = 2'000'000;
  constexpr std::ptrdiff_t most_first = 64;
  const oracle::Shape shape = plan.geometry().shape(plan.role());
  const std::int64_t count = oracle::element_count(shape);
  const auto products = static_cast<std::int64_t>(measured.products.size());
  const std::int64_t step = 1 + count * products / most_products_kept;
  for (std::int64_t i = 0; i < count; i += step) {
    sites_.push_back(plan.site_at(oracle::coordinate_of(shape, static_cast<std::uint64_t>(i))));
  }
  std::ptrdiff_t first = 0;
  std::stable_partition(sites_.begin(), sites_.end(), [&](const cases::Site& site) {
    return position_of(site.element) == position_of(measured.element) && first++ < most_first;
  });
}

void Predictor::take(const cases::Model& model) {
  trees_.clear();
  places_.clear();
  products_of_trees_ = {measured_.numbers()};
  for (const corpus::OtherTree& other : model.machine().elsewhere) {
    const Position at = other.positions.empty() ? Position{} : other.positions.front();
    products_of_trees_.push_back(plan_.site_at({0, 0, at[0], at[1], at[2]}).numbers());
    for (const Position& position : other.positions) {
      places_[position] = products_of_trees_.size() - 1;
    }
  }
}

std::size_t Predictor::tree_at(const oracle::Shape& element) const {
  const auto found = places_.find(position_of(element));
  return found == places_.end() ? 0 : found->second;
}

const cases::AdditionTree& Predictor::tree_for(const cases::Model& model, std::size_t which,
                                               const std::vector<std::int64_t>& numbers) {
  const auto found = trees_.find({which, numbers});
  if (found != trees_.end()) return found->second;
  const auto& machine = model.machine();
  const auto& tree = which == 0 ? machine.tree : machine.elsewhere[which - 1].tree;
  const auto& order = which == 0 ? machine.order : machine.elsewhere[which - 1].order;
  return trees_
      .emplace(std::pair(which, numbers),
               cases::tree_of(tree, order, plan_.role(), plan_.lengths(), numbers))
      .first->second;
}

double Predictor::computed(const RandomRun& run, const oracle::Shape& at) const {
  return element_value(run.result, corpus::tensor(call_, plan_.role())->dtype,
                       oracle::offset_of(plan_.geometry().shape(plan_.role()), at));
}

std::optional<double> Predictor::predicted(const cases::Model& model, const RandomRun& run,
                                           const cases::Site& site) {
  const std::vector<std::int64_t> numbers = site.numbers();
  const std::size_t which = tree_at(site.element);
  const auto& machine = model.machine();
  const auto& tree = which == 0 ? machine.tree : machine.elsewhere[which - 1].tree;
  const bool is_explicit = tree.family == corpus::TreeFamily::Explicit;
  if (is_explicit && numbers != products_of_trees_[which]) return std::nullopt;
  std::vector<double> varied, shared;
  for (const cases::SiteProduct& product : site.products) {
    varied.push_back(at(run.operands, plan_, plan_.varied(), product.varied));
    if (plan_.has_shared()) {
      shared.push_back(at(run.operands, plan_, plan_.shared(), product.shared));
    }
  }
  return model.element(tree_for(model, which, numbers), varied, shared);
}

Prediction Predictor::of(const cases::Model& model, const std::vector<RandomRun>& runs,
                         std::uint64_t most) {
  Prediction prediction;
  take(model);
  for (const RandomRun& run : runs) {
    for (const cases::Site& site : sites_) {
      if (prediction.compared >= most) return prediction;
      const auto value = predicted(model, run, site);
      if (!value) {
        ++prediction.not_compared;
        prediction.open.insert(position_of(site.element));
        continue;
      }
      ++prediction.compared;
      if (*value == computed(run, site.element)) continue;
      ++prediction.missed;
      const Position position = position_of(site.element);
      prediction.missed_here += position == position_of(measured_.element) ? 1 : 0;
      prediction.open.insert(position);
      if (prediction.misses.size() < most_misses_kept) prediction.misses.push_back(site.element);
    }
  }
  return prediction;
}

bool Predictor::misses(const cases::Model& model, const RandomRun& run, const oracle::Shape& at) {
  take(model);
  const auto value = predicted(model, run, plan_.site_at(at));
  return value && *value != computed(run, at);
}

Probed<Miss> Predictor::shrunk(Prober& prober, const cases::Model& model, RandomRun run,
                               const oracle::Shape& at_element) {
  take(model);
  const cases::Site site = plan_.site_at(at_element);
  const auto role = to_size(plan_.role());
  const auto varied = to_size(plan_.varied());
  const oracle::Shape shape = plan_.geometry().shape(plan_.varied());
  std::vector<cases::SiteProduct> left = site.products;
  for (std::size_t size = (left.size() + 1) / 2; size > 0; size /= 2) {
    for (std::size_t first = 0; first < left.size();) {
      const std::size_t count = std::min(size, left.size() - first);
      RandomRun smaller = run;
      for (std::size_t i = first; i < first + count; ++i) {
        smaller.operands[varied][oracle::offset_of(shape, left[i].varied)] = 0;
      }
      auto outputs = prober.run(smaller.operands);
      if (!outputs) return tl::unexpected(outputs.error());
      smaller.result = std::move((*outputs)[role]);
      const auto value = predicted(model, smaller, site);
      if (value && *value != computed(smaller, at_element)) {
        const auto begin = left.begin() + static_cast<std::ptrdiff_t>(first);
        left.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
        run = std::move(smaller);
      } else {
        first += count;
      }
    }
  }
  Miss miss{at_element, {}, predicted(model, run, site).value_or(NAN), computed(run, at_element)};
  for (const cases::SiteProduct& product : left) {
    std::string words =
        fmt::format("p{} = {}", product.number,
                    hexadecimal(at(run.operands, plan_, plan_.varied(), product.varied)));
    if (plan_.has_shared()) {
      words += " * " + hexadecimal(at(run.operands, plan_, plan_.shared(), product.shared));
    }
    miss.products.push_back(std::move(words));
  }
  return miss;
}

}  // namespace gradproof::runs
