#include "properties/cli/version.h"

namespace gradproof::cli {

std::string program_version() { return "gradproof " GRADPROOF_VERSION GRADPROOF_COMMIT; }

}  // namespace gradproof::cli
