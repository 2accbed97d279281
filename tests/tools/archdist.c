/* archdist.c - what libscotch makes of a target architecture: how its distances go with a machine's
 *
 * archdist TARGET MACHINE prints the architecture's name and size and, for each distance between
 * processors, the links between the nodes: "1: 2", sorted. */
#include <stdio.h>
#include <stdlib.h>

#include "machine/route/route.h"
#include "machine/load.h"
#include "base/die.h"

#ifdef HAVE_SCOTCH
/* scotch.h wants these to be there */
#include <scotch.h>

enum { FARTHEST = 64 };

/* The terminals beneath a domain, by bisection as gmap does it; terms [size]. */
static void find_terms(SCOTCH_Arch *arch, SCOTCH_ArchDom *dom, SCOTCH_ArchDom **terms)
{
	SCOTCH_ArchDom *low, *high;

	if (SCOTCH_archDomSize(arch, dom) == 1) {
		terms[SCOTCH_archDomNum(arch, dom)] = dom;
		return;
	}
	low = SCOTCH_archDomAlloc();
	high = SCOTCH_archDomAlloc();
	if (SCOTCH_archDomBipart(arch, dom, low, high) != 0)
		die("a domain of several processors can't be parted");
	free(dom);
	find_terms(arch, low, terms);
	find_terms(arch, high, terms);
}

static void print_pairs(SCOTCH_Arch *arch, SCOTCH_ArchDom **terms, int n, struct topo *topo)
{
	static bool is_there[FARTHEST][FARTHEST];
	struct routing *routing;
	int per = n / topo->nnodes;
	struct err err;

	if (routing_open(&routing, topo, NULL, &err) != 0)
		die("%s", err.msg);
	for (int a = 0; a < n; a++)
		for (int b = 0; b < n; b++) {
			int distance = (int)SCOTCH_archDomDist(arch, terms[a], terms[b]);
			int hops = a == b ? 0 : route_hops(routing, a / per, b / per);

			if (distance >= FARTHEST || hops >= FARTHEST)
				die("%d and %d are too far apart", a, b);
			is_there[distance][hops] = true;
		}
	routing_close(routing);
	for (int distance = 0; distance < FARTHEST; distance++)
		for (int hops = 0; hops < FARTHEST; hops++)
			if (is_there[distance][hops])
				printf("%d: %d\n", distance, hops);
}

int main(int argc, char **argv)
{
	SCOTCH_Arch arch;
	SCOTCH_ArchDom **terms, *whole;
	struct topo *topo;
	struct err err;
	FILE *file;
	int n;

	die_set_name("archdist");
	if (argc != 3)
		die("wanted: archdist TARGET MACHINE");
	file = fopen(argv[1], "r");
	SCOTCH_archInit(&arch);
	if (file == NULL || SCOTCH_archLoad(&arch, file) != 0)
		die("%s: libscotch does not take it", argv[1]);
	fclose(file);
	if (topo_load(&topo, argv[2], &err) != 0)
		die("%s", err.msg);
	n = (int)SCOTCH_archSize(&arch);
	printf("%s %d\n", SCOTCH_archName(&arch), n);
	terms = xcalloc((size_t)n, sizeof(SCOTCH_ArchDom *));
	whole = SCOTCH_archDomAlloc();
	SCOTCH_archDomFrst(&arch, whole);
	find_terms(&arch, whole, terms);
	print_pairs(&arch, terms, n, topo);
	for (int i = 0; i < n; i++)
		free(terms[i]);
	free(terms);
	SCOTCH_archExit(&arch);
	topo_free(topo);
	return 0;
}
#else
int main(void)
{
	printf("no libscotch\n");
	return 0;
}
#endif
