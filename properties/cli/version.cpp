#include "properties/cli/version.h"

namespace gradproof::properties::cli {

std::string program_version() { return "gradproof " GRADPROOF_VERSION GRADPROOF_COMMIT; }

}  // namespace gradproof::properties::cli
