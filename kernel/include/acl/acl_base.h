#ifndef GRADPROOF_ACL_ACL_BASE_H
#define GRADPROOF_ACL_ACL_BASE_H

#include "acl/acl_base_mdl.h"
#include "acl/acl_base_rt.h"

#include "error_codes/ge_error_codes.h"
#include "error_codes/rt_error_codes.h"

#endif
