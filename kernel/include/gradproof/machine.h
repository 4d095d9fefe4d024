#ifndef GRADPROOF_GRADPROOF_MACHINE_H
#define GRADPROOF_GRADPROOF_MACHINE_H

/* What a test of a program or of a verifier varies of the simulated machine while it runs. A real
 * CANN has no such function: look it up with dlsym and do without it. Exported by ascendcl. C99. */

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Another value of a setting for the calls that this thread plans (phase one) or launches (Ascend
 * C) from now on. A call keeps what it was planned with, whichever thread or stream runs it.
 *
 * schedule_seed  integer of 64 bits from 0: the order in which cores begin and in which they add
 * host_threads   1 to 64: so many threads simulate the cores of every launch, however small it is
 * cores          1 to 1024: cube cores that work is split over
 * path           "device" or "plain"
 * profile        "documented" or "released": whose statuses
 *
 * A null value gives the setting back to the machine: what aclInit read.
 *
 * Returns 0, or 100000 (ACL_ERROR_INVALID_PARAM) and changes nothing: setting is null or none of
 * these, or value is not allowed; aclGetRecentErrMsg says what is. Needs neither aclInit nor a
 * device. */
ACL_FUNC_VISIBILITY aclError gradproofSetForThread(const char* setting, const char* value);

#ifdef __cplusplus
}
#endif

#endif
