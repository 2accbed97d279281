/* scontrol_part_fuzz.c - Slurm's records of partitions */
#include "convert.h"

FUZZ_READER("scontrol-part", "partitions")
