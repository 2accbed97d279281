/* slurm_conf.c - Slurm's topology.conf */
#include "machine/export/exporter.h"
#include "machine/export/slurm_blocks_out.h"
#include "machine/export/slurm_tree.h"

static int write_conf(struct topo *topo, struct out *out, const struct topo_export *how,
		      struct err *err)
{
	struct slurm_tree tree = {0};
	struct buf list = {0};
	struct level_ref blocks;
	int next = 0, status;

	if (pick_is(how->pick, "as", "blocks") && level_with_size_next(&blocks, topo, &next))
		return slurm_blocks_conf(&blocks, out, err);
	status = slurm_tree_make(&tree, topo, err);
	for (size_t i = 0; i < tree.switches.n && status == 0; i++) {
		const struct slurm_out *sw = &tree.switches.at[i];

		if (sw->nodes.n == 0 && sw->children.n == 0)
			continue;
		buf_clear(&list);
		if (sw->nodes.n > 0)
			topo_nodelist_add(topo, sw->nodes.at, sw->nodes.n, &list);
		else
			slurm_tree_children(&tree, (int)i, &list);
		out_printf(out, "SwitchName=%s %s=%s\n", sw->name,
			   sw->nodes.n > 0 ? "Nodes" : "Switches", buf_text(&list));
	}
	buf_free(&list);
	slurm_tree_free(&tree);
	return status;
}

const struct topo_exporter topo_exporter_slurm_conf = {
	.entry =
		{
			.name = "slurm-conf",
			.summary =
				"Slurm's topology.conf: the blocks, if any domains have a size; "
				"else the switches, if they make a tree, or routers, groups and a "
				"top",
			.example = "slurm-conf",
			.params = slurm_out_params,
		},
	.write = write_conf,
};
