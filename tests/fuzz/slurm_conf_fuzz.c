/* slurm_conf_fuzz.c - slurm.conf and gres.conf as nodes */
#include "convert.h"

FUZZ_READER("slurm-conf", "nodes")
