#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "corpus/case.h"

namespace gradproof::library {

/// The call that a text says: a case's JSON line, or the words of `gradproof explain`, as options
/// ("--input 2,3,8,8 --weight 4,3,3,3 --stride 2"), as keys ("input:2,3,8,8 weight:4,3,3,3") or
/// with a module ("Conv2d(3, 4, 3) --input 2,3,8,8"). Errors: a sentence.
tl::expected<corpus::Case, std::string> call_of_text(std::string_view text);

}  // namespace gradproof::library
