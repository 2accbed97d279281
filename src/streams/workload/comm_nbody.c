/* comm_nbody.c - who talks to whom in an N-body code: clustered bodies, domains along a curve */
#include <math.h>
#include <stdlib.h>

#include "machine/order/gilbert.h"
#include "workload/comm_graphs.h"
#include "base/rng.h"

/*
 * As in Springel's Gadget: space is a periodic cube of cells, at least CELLS for each rank; bodies
 * form clusters, each with Plummer's density; the cells are along Hilbert's curve, which is cut
 * into one stretch of about the same number of bodies for each rank; and the bodies of a cell are
 * sent to the owners of all cells within a reach, fewer of them the farther it is:
 * their number falls with the square of the distance. So a rank in a cluster has few cells and few,
 * large messages; one outside has many cells and many partners.
 *
 * All is computed by operations that IEEE 754 defines to the last bit.
 */
enum { CELLS = 16 };

struct cluster {
	double at[3], mass, radius; /* in cells; mass: of its densest cell */
};

struct comm_nbody {
	int side, reach, nranks;
	double bytes;
	int *cell_at;      /* [side³] along the curve */
	int64_t ncells;    /* so far */
	int *owner;        /* [side³] */
	double *bodies;    /* [side³] */
	int64_t *first_of; /* [nranks + 1] along the curve */
};

static void visit(void *context, const int at[3])
{
	struct comm_nbody *nbody = context;

	nbody->cell_at[nbody->ncells++] = (at[0] * nbody->side + at[1]) * nbody->side + at[2];
}

static void draw(struct cluster *clusters, int n, int side, double contrast, uint64_t seed)
{
	struct rng rng = rng_make(seed, "comm-nbody", NULL, NULL);

	for (int i = 0; i < n; i++) {
		for (int d = 0; d < 3; d++)
			clusters[i].at[d] = rng_unit(&rng) * side;
		clusters[i].mass = contrast / (i + 1);
		clusters[i].radius = (0.02 + 0.08 * rng_unit(&rng)) * side;
	}
}

/* Plummer: mass · (1 + d²/radius²)^(−5/2), over a background of 1. */
static double density(const struct cluster *clusters, int n, int side, const int at[3])
{
	double sum = 1;

	for (int i = 0; i < n; i++) {
		double square = 0, q;

		for (int d = 0; d < 3; d++) {
			double apart = fabs(at[d] + 0.5 - clusters[i].at[d]);

			apart = apart > side / 2.0 ? side - apart : apart;
			square += apart * apart;
		}
		q = 1 + square / (clusters[i].radius * clusters[i].radius);
		sum += clusters[i].mass / (q * q * sqrt(q));
	}
	return sum;
}

/* Stretches of the curve with about the same number of bodies, at least one cell each. */
static void cut(struct comm_nbody *nbody)
{
	double all = 0, sum = 0;
	int64_t at = 0;

	for (int64_t i = 0; i < nbody->ncells; i++)
		all += nbody->bodies[nbody->cell_at[i]];
	for (int r = 0; r < nbody->nranks; r++) {
		double end = all * (r + 1) / nbody->nranks;

		nbody->first_of[r] = at;
		do {
			nbody->owner[nbody->cell_at[at]] = r;
			sum += nbody->bodies[nbody->cell_at[at++]];
		} while ((r == nbody->nranks - 1 || sum < end) &&
			 nbody->ncells - at > nbody->nranks - 1 - r);
	}
	nbody->first_of[nbody->nranks] = nbody->ncells;
}

struct comm_nbody *comm_nbody_new(const struct pick *pick, int nranks, uint64_t seed)
{
	struct comm_nbody *nbody = xcalloc(1, sizeof(*nbody));
	int n = (int)pick_int(pick, "clusters");
	struct cluster *clusters = xcalloc((size_t)n + 1, sizeof(*clusters));
	size_t ncells;

	nbody->nranks = nranks;
	nbody->reach = (int)pick_int(pick, "reach");
	nbody->bytes = pick_real(pick, "bytes");
	while ((int64_t)nbody->side * nbody->side * nbody->side < (int64_t)nranks * CELLS)
		nbody->side++;
	ncells = (size_t)nbody->side * (size_t)nbody->side * (size_t)nbody->side;
	nbody->cell_at = xmalloc(ncells * sizeof(*nbody->cell_at));
	nbody->owner = xmalloc(ncells * sizeof(*nbody->owner));
	nbody->bodies = xmalloc(ncells * sizeof(*nbody->bodies));
	nbody->first_of = xmalloc(((size_t)nranks + 1) * sizeof(*nbody->first_of));
	gilbert((const int[3]){nbody->side, nbody->side, nbody->side}, visit, nbody);
	draw(clusters, n, nbody->side, pick_real(pick, "contrast"), seed);
	for (int64_t i = 0; i < nbody->ncells; i++) {
		int cell = nbody->cell_at[i], side = nbody->side;
		const int at[3] = {cell / side / side, cell / side % side, cell % side};

		nbody->bodies[cell] = density(clusters, n, side, at);
	}
	cut(nbody);
	free(clusters);
	return nbody;
}

void comm_nbody_free(struct comm_nbody *nbody)
{
	if (nbody == NULL)
		return;
	free(nbody->cell_at);
	free(nbody->owner);
	free(nbody->bodies);
	free(nbody->first_of);
	free(nbody);
}

/* The bodies of a cell go to the owner of the cell at an offset. */
static void send(const struct comm_nbody *nbody, int cell, const int offset[3],
		 comm_messages *messages)
{
	int side = nbody->side, square = 0, to = 0;
	const int at[3] = {cell / side / side, cell / side % side, cell % side};

	for (int d = 0; d < 3; d++) {
		to = to * side + (at[d] + offset[d] + side) % side;
		square += offset[d] * offset[d];
	}
	if (nbody->owner[to] != nbody->owner[cell])
		vec_push(messages,
			 (struct comm_message){nbody->owner[to],
					       nbody->bytes * nbody->bodies[cell] / square});
}

void comm_nbody_rank(struct comm_nbody *nbody, int rank, comm_messages *messages)
{
	int reach = nbody->reach < nbody->side / 2 ? nbody->reach : nbody->side / 2;

	for (int64_t i = nbody->first_of[rank]; i < nbody->first_of[rank + 1]; i++)
		for (int x = -reach; x <= reach; x++)
			for (int y = -reach; y <= reach; y++)
				for (int z = -reach; z <= reach; z++)
					if (x != 0 || y != 0 || z != 0)
						send(nbody, nbody->cell_at[i],
						     (const int[3]){x, y, z}, messages);
}
