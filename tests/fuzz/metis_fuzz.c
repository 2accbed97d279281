/* metis_fuzz.c - METIS graphs */
#include "convert.h"

FUZZ_READER("metis", "comm")
