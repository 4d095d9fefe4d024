#ifndef GRADPROOF_ACL_ACL_OP_H
#define GRADPROOF_ACL_ACL_OP_H

#include "acl/acl_base.h"

/* Single operators by name: no part of what is simulated; operators are called through the aclnn
 * headers. */

#endif
