/* slurm_blocks.c - Slurm's blocks as a hierarchy of a machine */
#include "machine/import/slurm_blocks.h"

#include <stdio.h>
#include <string.h>

#include "model/hierarchy.h"

enum { USUAL_LEVELS = 4 }; /* above the base block, where no sizes are said */

static bool has_all_nodes(const struct topo *topo, const struct slurm_topology *slurm)
{
	for (size_t i = 0; i < slurm->nodes.n; i++)
		if (topo_node_find(topo, slurm->nodes.at[i], strlen(slurm->nodes.at[i])) < 0)
			return false;
	return true;
}

/* The sizes as they are said, or as Slurm finds them. Returns how many. */
static int find_sizes(const struct slurm_topology *slurm, int sizes[SLURM_SIZES_MOST])
{
	int n = slurm->nsizes, block = 0;

	memcpy(sizes, slurm->sizes, sizeof(slurm->sizes));
	if (n > 0)
		return n;
	while (block < slurm->nblocks - 1 && slurm->switches.at[block].nodes.n == 0)
		block++;
	sizes[0] = (int)slurm->switches.at[block].nodes.n;
	for (n = 1; n <= USUAL_LEVELS && 1 << (n - 1) < slurm->nblocks; n++)
		sizes[n] = sizes[0] << n;
	return n;
}

static bool is_taken(const struct topo *topo, const char *name)
{
	struct level_ref ref;
	struct err none;

	return level_find(&ref, topo, name, strlen(name), &none) == 0;
}

static int add_levels(struct topo *topo, int h, const int *sizes, int nsizes, const char *base,
		      struct err *err)
{
	char name[TOPO_NAME];

	for (int i = nsizes - 1; i >= 0; i--) {
		struct domain_level like = {
			.every = i > 0 ? sizes[i] / sizes[i - 1] : 0,
			.size = i > 0 ? 0 : sizes[0],
		};
		int n = i > 0 ? snprintf(name, sizeof(name), "%.200s%d", base, sizes[i])
			      : snprintf(name, sizeof(name), "%.200s", base);

		if (hierarchy_level(topo, h, name, (size_t)n, &like, err) < 0)
			return -1;
	}
	return nsizes - 1;
}

static int add_nodes(struct topo *topo, int h, const struct slurm_topology *slurm, int block,
		     int domain, struct err *err)
{
	const struct slurm_switch *sw = &slurm->switches.at[block];
	struct err why;

	for (size_t i = 0; i < sw->nodes.n; i++) {
		const char *name = slurm->nodes.at[sw->nodes.at[i]];

		int node = topo_node_find(topo, name, strlen(name));

		if (hierarchy_nodes(topo, h, domain, node, node, &why) != 0)
			return err_set(err, "%s:%ld: %.900s", sw->file, sw->line, why.msg);
	}
	return 0;
}

int slurm_add_blocks(struct topo *topo, const struct slurm_topology *slurm, const char *name,
		     struct err *err)
{
	int sizes[SLURM_SIZES_MOST], nsizes, h, level;
	struct err why;

	if (slurm->nblocks == 0 || !has_all_nodes(topo, slurm))
		return 0;
	nsizes = find_sizes(slurm, sizes);
	h = hierarchy_add(topo, name, strlen(name), &why);
	level = h < 0 ? -1
		      : add_levels(topo, h, sizes, nsizes, is_taken(topo, "block") ? name : "block",
				   &why);
	if (level < 0)
		return err_set(err, "%s:%ld: %.900s", slurm->switches.at[0].file,
			       slurm->switches.at[0].line, why.msg);
	for (int block = 0; block < slurm->nblocks; block++) {
		const char *text = slurm->switches.at[block].name;
		int domain = hierarchy_domain(topo, h, level, text, strlen(text), -1, err);

		if (domain < 0 || add_nodes(topo, h, slurm, block, domain, err) != 0)
			return -1;
	}
	return hierarchy_finish(topo, h, err);
}
