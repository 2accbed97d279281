/* slurm_yaml.c - a machine from Slurm's topology.yaml */
#include "machine/import/slurm_machine.h"

static int read(struct topo **topo, const struct topo_import *from, struct err *err)
{
	const char *path = from->paths[0] != NULL ? from->paths[0] : "-";
	struct slurm_topology *slurm;
	int status;

	if (from->paths[0] != NULL && from->paths[1] != NULL)
		return err_set(err, "%s: a topology.yaml is one file; a second one was given",
			       from->paths[1]);
	if (slurm_topology_read_yaml(&slurm, path, pick_word(from->pick, "topology"), err) != 0)
		return -1;
	status = slurm_machine(topo, slurm, from, err);
	slurm_topology_free(slurm);
	return status;
}

static const struct param params[] = {
	{.key = "topology",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "name of the topology in the file; else the "
		    "cluster's default, or the only one"},
	SLURM_PARAMS,
	{.key = NULL},
};

const struct topo_importer topo_importer_slurm_yaml = {
	.entry =
		{
			.name = "slurm-yaml",
			.summary = "Slurm's topology.yaml: one of its trees, blocks, rings or tori",
			.example = "slurm-yaml",
			.params = params,
		},
	.read = read,
};
