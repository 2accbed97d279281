/* rankfile_fuzz.c - Open MPI's rank files */
#include "convert.h"

FUZZ_READER("rankfile:nodes=n[0-3]", "mapping")
