#pragma once

#include "acl/acl_base.h"
#include "kernel/device/machine.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::kernel::device {

/// Beginning and end of the process's use of the device. Functions return the codes of the API
/// function they are named after and report their own texts.

aclError initialise(const char* config_path);           ///< aclInit
aclError finalise();                                    ///< aclFinalize
aclError finalise_reference(std::uint64_t* remaining);  ///< aclFinalizeReference
aclError aclnn_initialise(const char* config_path);     ///< aclnnInit, in the codes of aclInit
aclError aclnn_finalise();  ///< aclnnFinalize, in the codes of aclFinalize

/// The machine last initialised; before that the default one. Never null.
std::shared_ptr<const Machine> current_machine();

/// Remembers what was released because the program had not done so, for the report at the end.
void note_leftovers(std::vector<std::string> leftovers);

/// Has the report at the end count the objects of one more kind, e.g. "aclTensor". For libraries
/// above this one.
void count_at_the_end(std::string_view kind, std::function<std::size_t()> live);

}  // namespace gradproof::kernel::device
