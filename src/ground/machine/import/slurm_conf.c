/* slurm_conf.c - a machine from Slurm's topology.conf */
#include "machine/import/slurm_machine.h"

const struct topo_importer topo_importer_slurm_conf = {
	.entry =
		{
			.name = "slurm-conf",
			.summary = "Slurm's topology.conf: a tree of switches, or blocks",
			.example = "slurm-conf",
			.params = slurm_lines_params,
		},
	.read = slurm_lines_read,
};
