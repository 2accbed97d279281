/* slurm_yaml.c - Slurm's topology.yaml */
#include "machine/export/exporter.h"
#include "machine/export/slurm_blocks_out.h"
#include "machine/export/slurm_tree.h"
#include "machine/export/yaml_write.h"

static int write_tree(struct topo *topo, struct out *out, struct err *err)
{
	struct slurm_tree tree = {0};
	struct buf list = {0};
	int status = slurm_tree_make(&tree, topo, err);

	if (status == 0) {
		out_str(out, "- topology: ");
		yaml_write_text(out, topo->name != NULL ? topo->name : "machine");
		out_str(out, "\n  cluster_default: true\n  tree:\n    switches:\n");
	}
	for (size_t i = 0; i < tree.switches.n && status == 0; i++) {
		const struct slurm_out *sw = &tree.switches.at[i];

		if (sw->nodes.n == 0 && sw->children.n == 0)
			continue;
		buf_clear(&list);
		if (sw->nodes.n > 0)
			topo_nodelist_add(topo, sw->nodes.at, sw->nodes.n, &list);
		else
			slurm_tree_children(&tree, (int)i, &list);
		out_str(out, "      - switch: ");
		yaml_write_text(out, sw->name);
		out_printf(out, "\n        %s: ", sw->nodes.n > 0 ? "nodes" : "children");
		yaml_write_text(out, buf_text(&list));
		out_char(out, '\n');
	}
	buf_free(&list);
	slurm_tree_free(&tree);
	return status;
}

/* The tree, unless it shows no more than the first blocks do, then the blocks. */
static int write_yaml(struct topo *topo, struct out *out, const struct topo_export *how,
		      struct err *err)
{
	const char *name = topo->name != NULL ? topo->name : "machine";
	bool has_blocks = pick_is(how->pick, "as", "blocks"), is_first = true;
	struct level_ref blocks;
	int next = 0;

	while (has_blocks && level_with_size_next(&blocks, topo, &next)) {
		bool is_network = is_first && slurm_blocks_are_routers(&blocks);

		if ((is_first && !is_network && write_tree(topo, out, err) != 0) ||
		    slurm_blocks_yaml(&blocks, out, is_network ? name : blocks.hierarchy->name,
				      is_network, err) != 0)
			return -1;
		is_first = false;
	}
	return is_first ? write_tree(topo, out, err) : 0;
}

const struct topo_exporter topo_exporter_slurm_yaml = {
	.entry =
		{
			.name = "slurm-yaml",
			.summary = "Slurm's topology.yaml (25.05 and later), "
				   "with the tree of slurm-conf, and all blocks",
			.example = "slurm-yaml",
			.params = slurm_out_params,
		},
	.write = write_yaml,
};
