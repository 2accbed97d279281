/* dumpi_ascii_fuzz.c - what dumpi2ascii prints */
#include "convert.h"

FUZZ_READER("dumpi-ascii", "mpitrace")
