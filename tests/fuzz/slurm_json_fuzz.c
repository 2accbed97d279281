/* slurm_json_fuzz.c - the JSON of Slurm's commands */
#include "convert.h"

FUZZ_READER("slurm-json", "jobs")
