/* comm.c - communication graphs against matrices: made, turned, merged into groups, read */
#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "check.h"
#include "model/comm.h"
#include "model/kinds.h"

enum { RANKS = 13, EDGES = 90, GROUPS = 4 };

struct list {
	int32_t src[EDGES], dst[EDGES];
	double bytes[EDGES], messages[EDGES];
};

typedef double matrix[RANKS][RANKS];

/* The bytes of a graph as a matrix; its order and the length of its rows are checked. */
static void to_matrix(const struct comm *comm, matrix bytes)
{
	memset(bytes, 0, sizeof(matrix));
	CHECK_INT(comm->first[0], 0);
	CHECK_INT(comm->first[comm->nranks], comm->nedges);
	for (int r = 0; r < comm->nranks; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++) {
			CHECK(e == comm->first[r] || comm->peer[e - 1] < comm->peer[e]);
			bytes[r][comm->peer[e]] = comm->bytes[e] + 1000 * comm->messages[e];
		}
}

static void check_same(const struct comm *comm, matrix want)
{
	matrix got;

	to_matrix(comm, got);
	for (int a = 0; a < RANKS; a++)
		for (int b = 0; b < RANKS; b++)
			CHECK(got[a][b] == want[a][b]);
}

/* Edges with repeated pairs and messages to oneself; whole numbers, so that sums are exact. */
static void draw(struct rng *rng, struct list *list, bool sorted, bool unique)
{
	for (int i = 0; i < EDGES; i++) {
		int at = unique ? 1 + (i * (RANKS * RANKS - 1)) / EDGES
				: (int)rng_below(rng, RANKS * RANKS);

		if (sorted && !unique)
			at = i * RANKS * RANKS / (2 * EDGES);
		list->src[i] = at / RANKS;
		list->dst[i] = at % RANKS;
		list->bytes[i] = (double)rng_below(rng, 100);
		list->messages[i] = 1 + (double)rng_below(rng, 3);
	}
}

static void test_graphs(const struct list *list)
{
	struct comm *comm =
		comm_make(RANKS, EDGES, list->src, list->dst, list->bytes, list->messages);
	struct comm *reversed = comm_reversed(comm), *both = comm_symmetric(comm), *groups;
	matrix bytes = {0}, turned, sum, merged = {0};
	int group_of[RANKS];

	for (int i = 0; i < EDGES; i++)
		bytes[list->src[i]][list->dst[i]] += list->bytes[i] + 1000 * list->messages[i];
	for (int r = 0; r < RANKS; r++)
		group_of[r] = r * 7 % GROUPS;
	for (int a = 0; a < RANKS; a++)
		for (int b = 0; b < RANKS; b++) {
			turned[b][a] = bytes[a][b];
			sum[a][b] = a == b ? 0 : bytes[a][b] + bytes[b][a];
			if (group_of[a] != group_of[b])
				merged[group_of[a]][group_of[b]] += bytes[a][b];
		}
	groups = comm_quotient(comm, group_of, GROUPS);
	CHECK_INT(groups->nranks, GROUPS);
	check_same(comm, bytes);
	check_same(reversed, turned);
	check_same(both, sum);
	check_same(groups, merged);
	comm_free(groups);
	comm_free(both);
	comm_free(reversed);
	comm_free(comm);
}

/* What is read is what is made of the same edges, whether they come in order, once each, or not. */
static void test_read(const struct list *list, bool with_messages)
{
	const struct table_kind *const kinds[] = {&kind_comm, NULL};
	char path[64], *paths[] = {path, NULL};
	struct comm *read, *made = comm_make(RANKS, EDGES, list->src, list->dst, list->bytes,
					     with_messages ? list->messages : NULL);
	struct table_in *in;
	struct err err;
	matrix want;
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/comm-test-%d", (int)getpid());
	file = fopen(path, "w");
	if (file == NULL)
		abort();
	fprintf(file, "##placetools=comm/1\nsrc\tdst\tbytes%s\n",
		with_messages ? "\tmessages" : "");
	for (int i = 0; i < EDGES; i++) {
		fprintf(file, "%d\t%d\t%g", list->src[i], list->dst[i], list->bytes[i]);
		if (with_messages)
			fprintf(file, "\t%g", list->messages[i]);
		fprintf(file, "\n");
	}
	fclose(file);
	CHECK(table_open(&in, kinds, paths, false, &err) == 0 &&
	      comm_read(&read, in, NULL, RANKS, &err) == 0);
	to_matrix(made, want);
	check_same(read, want);
	comm_free(read);
	comm_free(made);
	table_close(in);
	unlink(path);
}

int main(void)
{
	struct rng rng = rng_make(1, "comm", NULL, NULL);
	struct list list;

	for (int kind = 0; kind < 3; kind++)
		for (int i = 0; i < 20; i++) {
			draw(&rng, &list, kind > 0, kind > 1);
			test_graphs(&list);
			test_read(&list, i % 2 == 0);
		}
	return check_done();
}
