#ifndef GRADPROOF_ACL_ACL_MDL_H
#define GRADPROOF_ACL_ACL_MDL_H

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Offline models are not simulated: both answer ACL_ERROR_API_NOT_SUPPORT. */
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFile(const char* modelPath, uint32_t* modelId);
ACL_FUNC_VISIBILITY aclError aclmdlUnload(uint32_t modelId);

#ifdef __cplusplus
}
#endif

#endif
