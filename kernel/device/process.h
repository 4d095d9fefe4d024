#pragma once

#include "acl/acl_base.h"

#include <cstdint>

namespace gradproof::kernel::device {

/// Beginning and end of the process's use of the device. Functions return the codes of the API
/// function they are named after and report their own texts.

aclError initialise(const char* config_path);           ///< aclInit
aclError finalise();                                    ///< aclFinalize
aclError finalise_reference(std::uint64_t* remaining);  ///< aclFinalizeReference
aclError aclnn_initialise(const char* config_path);     ///< aclnnInit, in the codes of aclInit
aclError aclnn_finalise();  ///< aclnnFinalize, in the codes of aclFinalize

}  // namespace gradproof::kernel::device
