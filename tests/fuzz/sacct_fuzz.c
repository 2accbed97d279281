/* sacct_fuzz.c - Slurm's accounting */
#include "convert.h"

FUZZ_READER("sacct", "jobs")
