/* scotch_fuzz.c - Scotch graphs */
#include "convert.h"

FUZZ_READER("scotch", "comm")
