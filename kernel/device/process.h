#pragma once

#include <cstdint>

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

namespace gradproof::kernel::device {

/// Beginning and end of the process's use of the device. Functions return the codes of the API
/// function they are named after and report their own texts.

aclError initialise(const char* config_path);           ///< aclInit
aclError finalise();                                    ///< aclFinalize
aclError finalise_reference(std::uint64_t* remaining);  ///< aclFinalizeReference
aclError aclnn_initialise(const char* config_path);     ///< aclnnInit, in the codes of aclInit
aclError aclnn_finalise();  ///< aclnnFinalize, in the codes of aclFinalize

/// Callbacks of the program for the beginning and the end of its use of the device, called in the
/// order of registration. A pair of type and function is registered once.

void add_initialisation_callback(aclRegisterCallbackType type, aclInitCallbackFunc callback,
                                 void* data);
/// False if the pair is not registered; here and below.
bool remove_initialisation_callback(aclRegisterCallbackType type, aclInitCallbackFunc callback);

void add_finalisation_callback(aclRegisterCallbackType type, aclFinalizeCallbackFunc callback,
                               void* data);
bool remove_finalisation_callback(aclRegisterCallbackType type, aclFinalizeCallbackFunc callback);

/// Each gets the configuration's text, or null and 0 where there is no file. The first answer that
/// is not 0; later callbacks are not called.
aclError call_at_initialisation(const char* config_path);
aclError call_at_finalisation();

}  // namespace gradproof::kernel::device
