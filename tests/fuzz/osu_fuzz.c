/* osu_fuzz.c - reports of the OSU micro-benchmarks */
#include "convert.h"

FUZZ_READER("osu", "metrics")
