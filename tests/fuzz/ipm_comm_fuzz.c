/* ipm_comm_fuzz.c - IPM's XML logs as communication graphs */
#include "convert.h"

FUZZ_READER("ipm-xml", "comm")
