/* chakra_fuzz.c - Chakra execution traces */
#include "convert.h"

FUZZ_READER("chakra", "graph")
