/* scontrol_node_fuzz.c - Slurm's records of nodes */
#include "convert.h"

FUZZ_READER("scontrol-node", "nodes")
