/* batsim_fuzz.c - Batsim's workloads and results */
#include "convert.h"

FUZZ_READER("batsim", "jobs")
