#pragma once

#include <string>
#include <vector>

#include "bench/fault_hunt.h"
#include "bench/planted_faults.h"

namespace gradproof::bench {

/// One fault, looked for with one seed.
struct HuntRow {
  PlantedFault fault;
  std::uint64_t seed = 0;
  Hunt hunt;
};

/// Half and group: hunts, found, and median, 95 % and worst of processor seconds and cases. One
/// that was not found took forever.
std::string power_table(const std::vector<HuntRow>& rows);

/// The hunts that took longest.
std::string slowest_table(const std::vector<HuntRow>& rows, std::size_t most);

/// Where the processor time went, by what runs show, and what each sort of them found first.
std::string spending_table(const std::vector<HuntRow>& rows);

std::string hunts_as_json(const std::vector<HuntRow>& rows);

}  // namespace gradproof::bench
