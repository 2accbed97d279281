/* product_grid.c - stencils and groups with random numbers are grids again; others are none */
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "map/grid/product_grid.h"
#include "map/grid/rank_grid.h"

enum { SIDES = 3, RANKS_MOST = 1024 };

/* Whom a rank sends to, by how many steps along how many sides: 5- and 7-point stencils, those with
 * faces and corners (9, 15), all around (27), and every rank that shares all sides but one. */
enum stencil { ALONG, FACES_AND_CORNERS, AROUND, LINES };

struct job {
	int side[SIDES], nranks;
	bool is_periodic;
	enum stencil stencil;
	int number_of[RANKS_MOST]; /* of the rank at a place */
	struct comm *comm;
};

static bool is_sent(enum stencil stencil, int nsides, int nmoved)
{
	switch (stencil) {
	case ALONG:
	case LINES:
		return nmoved == 1;
	case FACES_AND_CORNERS:
		return nmoved == 1 || nmoved == nsides;
	case AROUND:
		return nmoved > 0;
	}
	return false;
}

/* Steps between two places, along a side. */
static int steps(const struct job *job, int s, int a, int b)
{
	int apart = abs(a - b), around = job->side[s] - apart;

	return job->is_periodic && around < apart ? around : apart;
}

static bool are_partners(const struct job *job, int a, int b)
{
	int nmoved = 0, nsides = 0;

	for (int s = 0; s < SIDES; s++) {
		int n = steps(job, s, a % job->side[s], b % job->side[s]);

		if (n > 1 && job->stencil != LINES)
			return false;
		nmoved += n > 0;
		nsides += job->side[s] > 1;
		a /= job->side[s];
		b /= job->side[s];
	}
	return is_sent(job->stencil, nsides, nmoved);
}

/* weight: of what goes along one side only */
static void make(struct job *job, double weight)
{
	struct rng rng = rng_make(7, "product-grid", NULL, NULL);
	int32_t *src, *dst;
	double *bytes;
	int n = 0;

	job->nranks = job->side[0] * job->side[1] * job->side[2];
	src = xmalloc((size_t)job->nranks * (size_t)job->nranks * sizeof(*src));
	dst = xmalloc((size_t)job->nranks * (size_t)job->nranks * sizeof(*dst));
	bytes = xmalloc((size_t)job->nranks * (size_t)job->nranks * sizeof(*bytes));
	for (int r = 0; r < job->nranks; r++)
		job->number_of[r] = r;
	rng_shuffle(&rng, job->number_of, (size_t)job->nranks);
	for (int a = 0; a < job->nranks; a++)
		for (int b = 0; b < job->nranks; b++)
			if (are_partners(job, a, b)) {
				struct job along = *job;

				along.stencil = ALONG;
				src[n] = job->number_of[a];
				dst[n] = job->number_of[b];
				bytes[n++] = are_partners(&along, a, b) ? weight : 1;
			}
	job->comm = comm_make(job->nranks, n, src, dst, bytes, NULL);
	free(src);
	free(dst);
	free(bytes);
}

/* All partners along a side are neighbours by the numbers that were found, in the grid that has its
 * smallest side first; partners anywhere in one line share it. */
static void check_grid(const struct job *job)
{
	int *number_of = product_grid_number(job->comm);
	bool is_there[RANKS_MOST] = {0};
	struct job found = *job;

	CHECK(number_of != NULL);
	if (number_of == NULL)
		return;
	for (int r = 0; r < job->nranks; r++) {
		CHECK(number_of[r] >= 0 && number_of[r] < job->nranks);
		CHECK(!is_there[number_of[r]]);
		is_there[number_of[r]] = true;
	}
	for (int a = 0; a < job->nranks; a++)
		for (int b = 0; b < job->nranks; b++)
			CHECK(are_partners(job, a, b) ==
			      are_partners(&found, number_of[job->number_of[a]],
					   number_of[job->number_of[b]]));
	free(number_of);
}

/* sides ascend */
static void test_grid(enum stencil stencil, bool is_periodic, int x, int y, int z, double weight)
{
	struct job job = {.side = {x, y, z}, .is_periodic = is_periodic, .stencil = stencil};

	make(&job, weight);
	check_grid(&job);
	comm_free(job.comm);
}

static void test_grids(void)
{
	for (int is_periodic = 0; is_periodic < 2; is_periodic++) {
		test_grid(ALONG, is_periodic, 1, 1, 31, 1);
		test_grid(ALONG, is_periodic, 1, 5, 8, 1);
		test_grid(ALONG, is_periodic, 3, 5, 8, 1);
		test_grid(ALONG, is_periodic, 5, 6, 7, 1);
		test_grid(AROUND, is_periodic, 1, 6, 9, 8);
		test_grid(FACES_AND_CORNERS, is_periodic, 5, 6, 7, 8);
		test_grid(AROUND, is_periodic, 5, 6, 7, 8);
	}
	test_grid(ALONG, false, 2, 2, 2, 1);
	/* by triangles and squares alone */
	test_grid(AROUND, true, 1, 6, 9, 1);
	test_grid(FACES_AND_CORNERS, true, 6, 6, 7, 1);
	test_grid(AROUND, true, 5, 6, 7, 1);
	/* all along a side */
	test_grid(LINES, false, 1, 4, 6, 1);
	test_grid(LINES, false, 3, 4, 6, 1);
}

/* Groups of a size that talk among themselves: each has numbers of its own in a row. */
static void test_groups(void)
{
	enum { GROUPS = 40, SIZE = 6 };
	int32_t src[GROUPS * SIZE * SIZE], dst[GROUPS * SIZE * SIZE];
	double bytes[GROUPS * SIZE * SIZE];
	struct comm *comm;
	int *number_of, n = 0;

	for (int a = 0; a < GROUPS * SIZE; a++)
		for (int b = a % GROUPS; b < GROUPS * SIZE; b += GROUPS)
			if (a != b) {
				src[n] = a;
				dst[n] = b;
				bytes[n++] = 1;
			}
	comm = comm_make(GROUPS * SIZE, n, src, dst, bytes, NULL);
	number_of = product_grid_number(comm);
	CHECK(number_of != NULL);
	for (int r = 0; r < GROUPS * SIZE && number_of != NULL; r++)
		CHECK_INT(number_of[r] / SIZE, number_of[r % GROUPS] / SIZE);
	free(number_of);
	comm_free(comm);
}

/* A message from a to b, and one back; n grows. */
static void add_both(int32_t *src, int32_t *dst, int *n, int a, int b)
{
	src[*n] = dst[*n + 1] = a;
	dst[*n] = src[*n + 1] = b;
	*n += 2;
}

/* A torus whose ring is shifted by one where it closes, with sides that have no common divisor, is
 * one ring: no product. Nor is a random graph. */
static void test_others(void)
{
	enum { X = 6, Y = 5, N = X * Y };
	struct rng rng = rng_make(3, "product-grid", NULL, NULL);
	int32_t src[8 * N], dst[8 * N];
	double bytes[8 * N];
	struct comm *comm;
	int n = 0;

	for (int i = 0; i < 8 * N; i++)
		bytes[i] = 1;
	for (int r = 0; r < N; r++) {
		add_both(src, dst, &n, r, (r + 1) % N); /* on to the next row */
		add_both(src, dst, &n, r, (r + X) % N);
	}
	comm = comm_make(N, n, src, dst, bytes, NULL);
	CHECK(product_grid_number(comm) == NULL);
	comm_free(comm);
	for (n = 0; n < 8 * N;) {
		int a = (int)rng_below(&rng, N), b = (int)rng_below(&rng, N);

		add_both(src, dst, &n, a, b);
	}
	comm = comm_make(N, n, src, dst, bytes, NULL);
	CHECK(product_grid_number(comm) == NULL);
	comm_free(comm);
	comm = comm_make(1, 0, src, dst, bytes, NULL);
	free(product_grid_number(comm));
	comm_free(comm);
}

/* The sides are those of the grid, whatever the numbers are. */
static void test_sides(void)
{
	struct job job = {.side = {5, 6, 7}, .is_periodic = true, .stencil = ALONG};
	struct rank_grid grid;
	int nranks = 1;

	make(&job, 1);
	rank_grid_find(&grid, job.comm);
	CHECK(grid.number_of != NULL);
	CHECK(grid.looseness < 0.5);
	for (int s = 0; s < grid.nsides; s++)
		nranks *= grid.side[s];
	CHECK_INT(nranks, job.nranks);
	rank_grid_free(&grid);
	comm_free(job.comm);
}

int main(void)
{
	test_grids();
	test_groups();
	test_others();
	test_sides();
	return check_done();
}
