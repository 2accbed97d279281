/* slurm_hostfile_fuzz.c - SLURM_HOSTFILE */
#include "convert.h"

FUZZ_READER("slurm-hostfile", "mapping")
