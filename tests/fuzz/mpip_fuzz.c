/* mpip_fuzz.c - mpiP reports */
#include "convert.h"

FUZZ_READER("mpip", "profile")
