#ifndef GRADPROOF_ACL_ACL_H
#define GRADPROOF_ACL_ACL_H

#include "acl_mdl.h"
#include "acl_op.h"
#include "acl_rt.h"

#endif
