/* sinfo_fuzz.c - Slurm's states of nodes */
#include "convert.h"

FUZZ_READER("sinfo", "nodes")
