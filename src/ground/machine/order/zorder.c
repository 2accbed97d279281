/* zorder.c - Morton's order: the bits of the coordinates interleaved */
#include "machine/order/lattice.h"

/* Of the coordinates' highest bits that differ, the last dimension's counts most. */
static int compare(const void *a, const void *b, void *context)
{
	const struct lattice *lattice = context;
	int x = *(const int *)a, y = *(const int *)b, decides = 0;
	unsigned most = 0;

	for (int d = lattice->ndims - 1; d >= 0; d--) {
		unsigned differ = (unsigned)(lattice_at(lattice, x, d) ^ lattice_at(lattice, y, d));

		/* a higher bit than any before */
		if (differ > most && (differ ^ most) > most) {
			most = differ;
			decides = d;
		}
	}
	if (most == 0)
		return 0;
	return lattice_at(lattice, x, decides) < lattice_at(lattice, y, decides) ? -1 : 1;
}

static int make(int_vec *nodes, const struct topo *topo, const struct pick *pick, struct err *err)
{
	struct lattice lattice;

	(void)pick;
	if (lattice_of(&lattice, topo, err) != 0)
		return -1;
	lattice_sort(&lattice, compare, &lattice, nodes);
	return 0;
}

const struct order order_zorder = {
	.entry =
		{
			.name = "zorder",
			.aliases = "morton",
			.example = "zorder",
			.summary = "Z-order: the bits of the coordinates interleaved; "
				   "places that do not exist are skipped",
			.paper = "Morton, IBM 1966",
		},
	.make = make,
};
