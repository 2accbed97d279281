/* ipm_fuzz.c - IPM's banners */
#include "convert.h"

FUZZ_READER("ipm", "profile")
