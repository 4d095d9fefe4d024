#pragma once

#include "corpus/case.h"
#include "corpus/json_object.h"

namespace gradproof::corpus {

/// The object `data` of a case whose tensors are read already. Errors stay with the object.
DataRecipe read_data(JsonObject object, const Case& problem);

}  // namespace gradproof::corpus
