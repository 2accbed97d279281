/* matrixmarket_fuzz.c - Matrix Market files */
#include "convert.h"

FUZZ_READER("matrixmarket", "comm")
