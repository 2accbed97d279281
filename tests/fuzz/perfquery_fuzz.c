/* perfquery_fuzz.c - perfquery's port counters */
#include "convert.h"

FUZZ_READER("perfquery:time=5", "counters")
