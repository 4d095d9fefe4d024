#ifndef GRADPROOF_ACL_ACL_RT_MEMORY_SOMA_H
#define GRADPROOF_ACL_ACL_RT_MEMORY_SOMA_H

/* Pools of memory: declared there, and not simulated. */
#include "acl/acl_rt.h"

#endif
