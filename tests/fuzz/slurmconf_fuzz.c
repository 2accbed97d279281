/* slurmconf_fuzz.c - Slurm's topology.conf and what scontrol shows of it */
#include "import.h"

FUZZ_IMPORTER("slurm-conf", fuzz_is_large)
