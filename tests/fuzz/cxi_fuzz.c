/* cxi_fuzz.c - telemetry of the cxi driver */
#include "convert.h"

FUZZ_READER("cxi:component=n1", "counters")
