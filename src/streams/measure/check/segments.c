/* segments.c - whether each segment of a job is in one block */
#include "measure/check/segments.h"

#include <stdlib.h>

#include "base/num.h"
#include "base/str.h"
#include "model/hierarchy.h"

int block_sizes_read(struct block_sizes *sizes, const char *text, struct err *err)
{
	char *copy = xstrdup(text), *parts[BLOCK_SIZES_MOST];
	int n = str_split(copy, ',', parts, BLOCK_SIZES_MOST), status = 0;

	*sizes = (struct block_sizes){.n = 0};
	for (int i = 0; i < n && status == 0; i++) {
		int64_t size, base;

		if (num_int(str_trim(parts[i]), 1, INT32_MAX, &size) != 0) {
			status = err_set(err, "'%s' is not a number of nodes", parts[i]);
			break;
		}
		base = i > 0 ? sizes->at[0] : size;
		while (base < size)
			base *= 2;
		if (base != size || (i > 0 && size <= sizes->at[i - 1]))
			status = err_set(err, "%lld is not %d times a larger power of two",
					 (long long)size, sizes->at[0]);
		sizes->at[sizes->n++] = (int)size;
	}
	free(copy);
	return status;
}

/* ---- blocks ---- */

/* The domain of each node at the lowest tier with a domain of that many nodes; false: there is
 * none. */
static bool find_tier(const struct topo *topo, int64_t segment, int *block_of)
{
	int *count = xcalloc((size_t)topo->nnodes + (size_t)topo->nrouters + 1, sizeof(*count));
	bool found = false;

	for (int tier = 0; tier < topo->ntiers && !found; tier++) {
		for (int d = 0; d < topo->tiers[tier].n; d++)
			count[d] = 0;
		for (int node = 0; node < topo->nnodes; node++) {
			block_of[node] = topo_domain(topo, node, tier);
			if (block_of[node] >= 0)
				found |= ++count[block_of[node]] >= segment;
		}
	}
	free(count);
	return found;
}

/* The aggregate of base blocks that a segment is planned for; false: it is that of all. */
static bool find_aggregates(const struct topo *topo, const struct block_sizes *sizes,
			    int64_t segment, int *block_of)
{
	int *number = xcalloc((size_t)topo->nrouters + 1, sizeof(*number));
	int64_t nbase = (segment + sizes->at[0] - 1) / sizes->at[0];
	int width = 0, n = 0;
	struct level_ref blocks;
	bool has_blocks = level_with_size(&blocks, topo);

	for (int i = sizes->n - 1; i >= 0; i--)
		if (sizes->at[i] / sizes->at[0] >= nbase)
			width = sizes->at[i] / sizes->at[0];
	for (int node = 0; node < topo->nnodes; node++)
		number[topo->router_of[node]] = 1;
	for (int r = 0; r < topo->nrouters; r++)
		number[r] = number[r] > 0 ? n++ : -1;
	for (int node = 0; node < topo->nnodes && width > 0; node++) {
		int base = has_blocks ? level_domain(&blocks, node) : number[topo->router_of[node]];

		block_of[node] = base < 0 ? -1 : base / width;
	}
	free(number);
	return width > 0;
}

/* The sizes of the machine's own blocks; n 0: it has none. */
static void find_sizes(const struct topo *topo, struct block_sizes *sizes)
{
	struct level_ref base;
	const struct domain_level *levels;

	sizes->n = 0;
	if (!level_with_size(&base, topo))
		return;
	levels = base.hierarchy->levels;
	sizes->at[sizes->n++] = levels[base.level].size;
	for (int l = base.level - 1; l >= 0 && levels[l].every > 0; l--) {
		int64_t size = (int64_t)sizes->at[sizes->n - 1] * levels[l].every;

		if (sizes->n == BLOCK_SIZES_MOST || size > INT32_MAX)
			return;
		sizes->at[sizes->n++] = (int)size;
	}
}

void segments_check(struct checking *checking, const struct row *row, const int *nodes, size_t n)
{
	const struct topo *topo = checking->topo;
	struct block_sizes sizes = *checking->block_sizes;
	int *block_of, *count;
	int64_t segment;

	if (!cell_int(row, table_find(checking->in, "segment"), &segment) || segment <= 0 ||
	    segment > (int64_t)n || topo == NULL)
		return;
	if ((int64_t)n % segment != 0) {
		found_at(checking, row, "segment: %zu nodes are not segments of %lld", n,
			 (long long)segment);
		return;
	}
	block_of = xmalloc(2 * ((size_t)topo->nnodes + 1) * sizeof(*block_of));
	count = block_of + topo->nnodes + 1;
	if (sizes.n == 0)
		find_sizes(topo, &sizes);
	if (sizes.n > 0 ? find_aggregates(topo, &sizes, segment, block_of)
			: find_tier(topo, segment, block_of)) {
		for (int i = 0; i <= topo->nnodes; i++)
			count[i] = 0;
		for (size_t i = 0; i < n; i++)
			if (nodes[i] >= 0 && block_of[nodes[i]] >= 0 &&
			    block_of[nodes[i]] <= topo->nnodes)
				count[block_of[nodes[i]]]++;
		for (size_t i = 0; i < n; i++) {
			int block = nodes[i] >= 0 ? block_of[nodes[i]] : -1;
			char name[TOPO_NAME];

			if (block < 0 || block > topo->nnodes || count[block] % segment == 0)
				continue;
			found_at(checking, row,
				 "nodelist: %d nodes in the block of %s are not segments of %lld",
				 count[block], topo_node_name(topo, nodes[i], name),
				 (long long)segment);
			break;
		}
	}
	free(block_of);
}
