#ifndef GRADPROOF_ERROR_CODES_GE_ERROR_CODES_H
#define GRADPROOF_ERROR_CODES_GE_ERROR_CODES_H

/* Codes of the graph engine: no function of the simulated library returns one. */

#endif
