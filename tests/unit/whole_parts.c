/* whole_parts.c - parts of a job that do not talk to each other, packed onto nodes by hand */
#include "check.h"
#include "machine.h"
#include "machine/route/routing.h"
#include "map/mapper/whole_parts.h"

enum { NODES = 4, RANKS = 10 };

static const int everyone[NODES] = {0, 1, 2, 3};

/* Ranks 0-3 talk to each other, 4-6, 7 and 9; 8 is alone. */
static struct comm *groups(void)
{
	static const int32_t src[] = {0, 1, 2, 4, 5, 9}, dst[] = {1, 2, 3, 5, 6, 7};
	static const double bytes[] = {1, 1, 1, 1, 1, 1};

	return comm_make(RANKS, 6, src, dst, bytes, NULL);
}

/* Where they go on nodes with so much room; false: it is left to others. */
static bool packed(const int *room, const struct comm *comm, int *node_of)
{
	struct topo *topo = machine("line:nodes=4");
	struct comm *symmetric = comm_symmetric(comm);
	struct routing *routing;
	struct routes routes;
	struct map_input in = {.topo = topo,
			       .routes = &routes,
			       .comm = comm,
			       .symmetric = symmetric,
			       .nodes = everyone,
			       .nnodes = NODES,
			       .room = room};
	struct err err;
	bool is_packed;

	CHECK_INT(routing_open(&routing, topo, NULL, &err), 0);
	routes_init(&routes, topo, routing, everyone, NODES);
	is_packed = whole_parts(&in, node_of);
	routes_free(&routes);
	routing_close(routing);
	topo_free(topo);
	comm_free(symmetric);
	return is_packed;
}

static void check_packed(const struct comm *comm, const int *room, const int *expected)
{
	int node_of[RANKS];

	CHECK(packed(room, comm, node_of));
	for (int r = 0; r < RANKS; r++)
		CHECK_INT(node_of[r], expected[r]);
}

int main(void)
{
	struct comm *comm = groups(), *ring;
	int32_t src[RANKS], dst[RANKS];
	double bytes[RANKS];
	int node_of[RANKS];

	/* the largest first, each where least room is left */
	check_packed(comm, (const int[]){9, 2, 4, 3}, (const int[]){2, 2, 2, 2, 3, 3, 3, 1, 0, 1});
	/* the four fit nowhere: they fill what is left, the most room first */
	check_packed(comm, (const int[]){3, 2, 2, 3}, (const int[]){3, 3, 3, 2, 0, 0, 0, 1, 2, 1});
	check_packed(comm, (const int[]){1, 1, 1, 7}, (const int[]){3, 3, 3, 3, 3, 3, 3, 1, 0, 2});
	/* there is but one part */
	for (int r = 0; r < RANKS; r++) {
		src[r] = r;
		dst[r] = (r + 1) % RANKS;
		bytes[r] = 1;
	}
	ring = comm_make(RANKS, RANKS, src, dst, bytes, NULL);
	CHECK(!packed((const int[]){5, 5, 5, 5}, ring, node_of));
	comm_free(ring);
	comm_free(comm);
	return check_done();
}
