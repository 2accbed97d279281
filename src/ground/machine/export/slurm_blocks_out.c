/* slurm_blocks_out.c - the blocks of a machine as Slurm wants them */
#include "machine/export/slurm_blocks_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/foreign.h"
#include "formats/slurm/slurmconf.h"
#include "machine/export/yaml_write.h"

struct block_list {
	const struct level_ref *ref;
	int *first, *nodes; /* of domain d: nodes[first[d]] … nodes[first[d + 1] - 1] */
	int sizes[SLURM_SIZES_MOST], nsizes;
};

bool slurm_blocks_are_routers(const struct level_ref *ref)
{
	const struct topo *topo = ref->topo;
	char text[TOPO_NAME], router[TOPO_NAME];

	for (int node = 0; node < topo->nnodes; node++) {
		int domain = level_domain(ref, node);

		if (domain < 0 ||
		    strcmp(level_domain_name(ref, domain, text),
			   topo_router_name(topo, topo->router_of[node], router)) != 0)
			return false;
	}
	return true;
}

/* The planned size, then those of the levels of every= outside it. */
static int find_sizes(struct block_list *list, struct err *err)
{
	const struct domain_level *levels = list->ref->hierarchy->levels;
	int64_t base = levels[list->ref->level].size, times = 1;

	list->sizes[list->nsizes++] = (int)base;
	for (int l = list->ref->level - 1; l >= 0 && levels[l].every > 0; l--) {
		times *= levels[l].every;
		if (times > 1 << SLURM_DOUBLINGS_MOST || (times & (times - 1)) != 0 ||
		    base * times > SLURM_NODES_MOST)
			return err_set(
				err,
				"the level '%s' joins %lld blocks, which Slurm does not take: "
				"expected a power of two, at most 2^%d",
				levels[l].name, (long long)times, SLURM_DOUBLINGS_MOST);
		if (levels[l].every > 1)
			list->sizes[list->nsizes++] = (int)(base * times);
	}
	return 0;
}

static int check_names(const struct level_ref *ref, struct err *err)
{
	const struct domain_level *level = &ref->hierarchy->levels[ref->level];

	for (int d = 0; d < level->n; d++)
		if (strlen(level->names[d]) > SLURM_NAME_MOST)
			return err_set(err,
				       "the block '%.80s' has a name of more than %d letters, "
				       "which Slurm does not take",
				       level->names[d], SLURM_NAME_MOST);
	return 0;
}

static int list_make(struct block_list *list, const struct level_ref *ref, struct err *err)
{
	int *of;

	*list = (struct block_list){.ref = ref};
	if (check_names(ref, err) != 0 || find_sizes(list, err) != 0)
		return -1;
	of = level_domains(ref);
	domain_members(of, ref->topo->nnodes, level_count(ref), &list->first, &list->nodes);
	free(of);
	return 0;
}

static void list_free(struct block_list *list)
{
	free(list->first);
	free(list->nodes);
}

/* The nodes of a block, folded; "" where it has none. */
static void add_nodes(const struct block_list *list, int block, struct buf *text)
{
	int first = list->first[block], n = list->first[block + 1] - first;

	buf_clear(text);
	if (n > 0)
		topo_nodelist_add(list->ref->topo, &list->nodes[first], (size_t)n, text);
}

int slurm_blocks_conf(const struct level_ref *ref, struct out *out, struct err *err)
{
	struct block_list list;
	struct buf text = {0};
	char name[TOPO_NAME];

	if (list_make(&list, ref, err) != 0)
		return -1;
	for (int d = 0; d < level_count(ref); d++) {
		add_nodes(&list, d, &text);
		out_str(out, "BlockName=");
		out_foreign(out, foreign_cell, level_domain_name(ref, d, name));
		out_str(out, text.n > 0 ? " Nodes=" : "");
		out_str(out, buf_text(&text));
		out_char(out, '\n');
	}
	out_str(out, "BlockSizes=");
	for (int i = 0; i < list.nsizes; i++)
		out_printf(out, i > 0 ? ",%d" : "%d", list.sizes[i]);
	out_char(out, '\n');
	buf_free(&text);
	list_free(&list);
	return 0;
}

int slurm_blocks_yaml(const struct level_ref *ref, struct out *out, const char *name,
		      bool is_default, struct err *err)
{
	struct block_list list;
	struct buf text = {0};
	char domain[TOPO_NAME];

	if (list_make(&list, ref, err) != 0)
		return -1;
	out_str(out, "- topology: ");
	yaml_write_text(out, name);
	out_str(out, "\n  cluster_default: ");
	out_str(out, is_default ? "true" : "false");
	out_str(out, "\n  block:\n    block_sizes:\n");
	for (int i = 0; i < list.nsizes; i++)
		out_printf(out, "      - %d\n", list.sizes[i]);
	out_str(out, "    blocks:\n");
	for (int d = 0; d < level_count(ref); d++) {
		out_str(out, "      - block: ");
		yaml_write_text(out, level_domain_name(ref, d, domain));
		out_char(out, '\n');
		add_nodes(&list, d, &text);
		if (text.n == 0)
			continue;
		out_str(out, "        nodes: ");
		yaml_write_text(out, buf_text(&text));
		out_char(out, '\n');
	}
	buf_free(&text);
	list_free(&list);
	return 0;
}

const struct param slurm_out_params[] = {
	{.key = "as",
	 .type = PARAM_WORD,
	 .choices = "blocks|tree",
	 .def = "blocks",
	 .meaning =
		 "whether domains with a size are written as blocks, or only the tree of the network"},
	{0}};
