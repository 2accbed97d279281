/* slurm_show.c - a machine from what scontrol show topology prints */
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

const struct topo_importer topo_importer_slurm_show = {
	.entry =
		{
			.name = "slurm-show",
			.summary = "what scontrol show topology prints (of Slurm)",
			.example = "slurm-show",
			.params = params,
		},
	.read = read,
};
