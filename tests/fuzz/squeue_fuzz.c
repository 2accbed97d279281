/* squeue_fuzz.c - Slurm's queue */
#include "convert.h"

FUZZ_READER("squeue", "jobs")
