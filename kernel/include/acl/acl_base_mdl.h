#ifndef GRADPROOF_ACL_ACL_BASE_MDL_H
#define GRADPROOF_ACL_ACL_BASE_MDL_H

/* Graph and model descriptions: no part of what is simulated. The file exists so that programs that
 * include it compile. */

#endif
