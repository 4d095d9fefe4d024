#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/advice/explain/call_from_words.h"
#include "properties/advice/tensors/given_tensors.h"

namespace gradproof::advice {

/// The tensors of one call from files. `words`: each a folder, a file, or "TENSOR=FILE", files with
/// ":DTYPE" behind them where it has to be said. What a file is called says which tensor it is
/// (grad_output, gradOutput, dy, ...; list_of_names()); of a folder, files with other names are
/// left alone. A .npy file says its shape and type; of bare elements `call` says them. Results ask
/// for themselves. Errors: a sentence with the file or the option.
tl::expected<GivenTensors, std::string> tensors_of_files(const std::vector<std::string>& words,
                                                         CallWords call);

/// The names by which a file is recognised, a line for each tensor.
std::string list_of_names();

}  // namespace gradproof::advice
