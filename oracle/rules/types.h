#pragma once

#include <string_view>
#include <vector>

#include "oracle/facts/case_facts.h"

namespace gradproof::oracle::rules {

/// True if the product lists this dtype for tensors at all; when an 8-bit one may be used is
/// another matter (F8-01).
bool is_listed(const Facts& facts, corpus::DataType type);

/// The names of the listed dtypes, for messages.
std::vector<std::string_view> listed_types(const Facts& facts);

}  // namespace gradproof::oracle::rules
