/* scontrol_job_fuzz.c - Slurm's records of jobs */
#include "convert.h"

FUZZ_READER("scontrol-job", "jobs")
