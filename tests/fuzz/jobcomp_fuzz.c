/* jobcomp_fuzz.c - Slurm's log of completed jobs */
#include "convert.h"

FUZZ_READER("jobcomp", "jobs")
