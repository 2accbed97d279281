/* dumpi_fuzz.c - binary DUMPI traces */
#include "convert.h"

FUZZ_READER("dumpi", "mpitrace")
