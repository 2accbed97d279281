/* slurm_show.c - a machine from what scontrol show topology prints */
#include "machine/import/slurm_machine.h"

const struct topo_importer topo_importer_slurm_show = {
	.entry =
		{
			.name = "slurm-show",
			.summary = "what scontrol show topology prints (of Slurm)",
			.example = "slurm-show",
			.params = slurm_lines_params,
		},
	.read = slurm_lines_read,
};
