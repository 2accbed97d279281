/* scontrol_res_fuzz.c - Slurm's records of reservations */
#include "convert.h"

FUZZ_READER("scontrol-res", "reservations")
