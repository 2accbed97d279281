/* netloc_matrix_fuzz.c - dense matrices */
#include "convert.h"

FUZZ_READER("netloc-matrix", "comm")
