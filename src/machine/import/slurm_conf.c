/* slurm_conf.c - a machine from Slurm's topology.conf */
#include "machine/import/slurm_machine.h"

static int read(struct topo **topo, const struct topo_import *from, struct err *err)
{
	struct slurm_topology *slurm;
	int status;

	if (slurm_topology_read(&slurm, from->paths, err) != 0)
		return -1;
	status = slurm_machine(topo, slurm, from, err);
	slurm_topology_free(slurm);
	return status;
}

static const struct param params[] = {
	SLURM_PARAMS,
	{.key = NULL},
};

const struct topo_importer topo_importer_slurm_conf = {
	.entry =
		{
			.name = "slurm-conf",
			.summary = "Slurm's topology.conf: a tree of switches, or blocks",
			.example = "slurm-conf",
			.params = params,
		},
	.read = read,
};
