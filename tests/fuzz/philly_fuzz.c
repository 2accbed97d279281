/* philly_fuzz.c - Microsoft's Philly traces */
#include "convert.h"

FUZZ_READER("philly", "jobs")
