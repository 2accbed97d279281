/* slurmyaml_fuzz.c - Slurm's topology.yaml */
#include "import.h"

FUZZ_IMPORTER("slurm-yaml", fuzz_is_large)
