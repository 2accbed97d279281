/* flux_fuzz.c - Flux jobspecs and resource sets */
#include "convert.h"

FUZZ_READER("flux:cores=8", "jobs")
