/* home.c - which device holds the first stripe of a file */
#include "sim/storage/storage_priv.h"

/* The first device of the entry at node or behind it. */
static int32_t first_from(const struct storage *storage, const struct entry_state *entry, int node)
{
	int32_t low = 0, high = entry->n;

	while (low < high) {
		int32_t mid = low + (high - low) / 2;

		if (storage->devices[entry->first + mid].node < node)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Nodes are numbered in label order: the nearest device is the one before or behind, of which the
 * one that shares the smaller domain counts, then the nearer number, then the lower one. */
static int32_t adjacent(const struct storage *storage, const struct entry_state *entry, int node)
{
	const struct topo *topo = storage->topo;
	int32_t behind = first_from(storage, entry, node), before = behind - 1;
	int a, b;

	if (behind == entry->n || before < 0)
		return before < 0 ? behind : before;
	a = storage->devices[entry->first + before].node;
	b = storage->devices[entry->first + behind].node;
	for (int tier = 0; tier < topo->ntiers; tier++) {
		bool has_a = topo_domain(topo, a, tier) == topo_domain(topo, node, tier);
		bool has_b = topo_domain(topo, b, tier) == topo_domain(topo, node, tier);

		if (has_a != has_b)
			return has_a ? before : behind;
		if (has_a)
			break;
	}
	return node - a <= b - node ? before : behind;
}

int32_t home_of(const struct storage *storage, const struct entry_state *entry,
		const struct client *client, uint64_t object)
{
	int32_t total = storage->ncompute[storage->topo->nnodes];
	int32_t place = storage->ncompute[client->node];

	switch (entry->spec->home) {
	case HOME_HASH:
		return (int32_t)(object % (uint64_t)entry->n);
	case HOME_LIST:
		return client->rank % entry->n;
	case HOME_ADJACENT:
		return adjacent(storage, entry, client->node);
	case HOME_PROPORTIONAL:
		break;
	}
	/* a node of none that computes may be behind all that do */
	if (place >= total)
		place = total > 0 ? total - 1 : 0;
	return total > 0 ? (int32_t)((int64_t)place * entry->n / total) : 0;
}
