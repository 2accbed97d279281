/* comm.c - a communication graph: what each rank sends to each other */
#include "model/comm.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

struct edges {
	VEC(int32_t) src, dst;
	VEC(double) bytes, messages;
};

void comm_free(struct comm *comm)
{
	if (comm == NULL)
		return;
	free(comm->first);
	free(comm->peer);
	free(comm->bytes);
	free(comm->messages);
	free(comm);
}

/* Stable counting sort of edges by key [n] below nkeys; order is rearranged. */
static void sort_by(const int32_t *key, int nkeys, int64_t n, int64_t *order)
{
	int64_t *place = xcalloc((size_t)nkeys + 1, sizeof(*place));
	int64_t *sorted = xmalloc((size_t)n * sizeof(*sorted));

	for (int64_t i = 0; i < n; i++)
		place[key[order[i]] + 1]++;
	for (int k = 0; k < nkeys; k++)
		place[k + 1] += place[k];
	for (int64_t i = 0; i < n; i++)
		sorted[place[key[order[i]]]++] = order[i];
	memcpy(order, sorted, (size_t)n * sizeof(*order));
	free(sorted);
	free(place);
}

struct comm *comm_make(int nranks, int64_t n, const int32_t *src, const int32_t *dst,
		       const double *bytes, const double *messages)
{
	struct comm *comm = xcalloc(1, sizeof(*comm));
	int64_t *order = xmalloc((size_t)n * sizeof(*order)), last = -1;
	int32_t last_src = -1;

	for (int64_t i = 0; i < n; i++)
		order[i] = i;
	sort_by(dst, nranks, n, order);
	sort_by(src, nranks, n, order);
	comm->nranks = nranks;
	comm->first = xcalloc((size_t)nranks + 1, sizeof(*comm->first));
	comm->peer = xmalloc((size_t)n * sizeof(*comm->peer));
	comm->bytes = xmalloc((size_t)n * sizeof(*comm->bytes));
	comm->messages = xmalloc((size_t)n * sizeof(*comm->messages));
	for (int64_t i = 0; i < n; i++) {
		int64_t e = order[i];

		if (last < 0 || src[e] != last_src || dst[e] != comm->peer[last]) {
			last = comm->nedges++;
			last_src = src[e];
			comm->peer[last] = dst[e];
			comm->bytes[last] = comm->messages[last] = 0;
			comm->first[src[e] + 1] = comm->nedges;
		}
		comm->bytes[last] += bytes[e];
		comm->messages[last] += messages != NULL ? messages[e] : 1;
	}
	for (int r = 0; r < nranks; r++)
		if (comm->first[r + 1] < comm->first[r])
			comm->first[r + 1] = comm->first[r];
	free(order);
	return comm;
}

/* One row of the stream. Returns 0, or -1. */
static int add_row(struct edges *edges, const struct table_in *in, const struct row *row,
		   struct err *err)
{
	int64_t src, dst;
	double bytes, messages = 1;
	int column = table_find(in, "messages");

	if (row_int(row, table_find(in, "src"), "src", 0, INT32_MAX - 1, &src, err) != 1 ||
	    row_int(row, table_find(in, "dst"), "dst", 0, INT32_MAX - 1, &dst, err) != 1 ||
	    row_real(row, table_find(in, "bytes"), "bytes", 0, 1e300, &bytes, err) != 1 ||
	    row_real(row, column, "messages", 0, 1e300, &messages, err) < 0)
		return -1;
	vec_push(&edges->src, (int32_t)src);
	vec_push(&edges->dst, (int32_t)dst);
	vec_push(&edges->bytes, bytes);
	vec_push(&edges->messages, messages);
	return 0;
}

static int read_rows(struct edges *edges, struct table_in *in, const char *job, struct err *err)
{
	int column = table_find(in, "job"), status;
	char *only = NULL;
	struct row row;

	while ((status = table_next(in, &row, err)) == 1) {
		const char *name = row_text(&row, column);

		if (job != NULL && name != NULL && !str_eq(name, job))
			continue;
		if (job == NULL && name != NULL && only == NULL)
			only = xstrdup(name);
		if (job == NULL && name != NULL && !str_eq(name, only)) {
			status = row_error(&row, err,
					   "a second job '%s' after '%s': say which one is meant",
					   name, only);
			break;
		}
		if (add_row(edges, in, &row, err) != 0) {
			status = -1;
			break;
		}
	}
	free(only);
	return status;
}

int comm_read(struct comm **comm, struct table_in *in, const char *job, int nranks, struct err *err)
{
	struct edges edges = {0};
	int64_t greatest = nranks - 1;
	int status = read_rows(&edges, in, job, err);

	*comm = NULL;
	for (size_t i = 0; i < edges.src.n; i++) {
		if (edges.src.at[i] > greatest)
			greatest = edges.src.at[i];
		if (edges.dst.at[i] > greatest)
			greatest = edges.dst.at[i];
	}
	/* a rank's number is believed only as far as the stream is long: ranks without a message
	 * are few */
	if (status == 0 && greatest >= nranks && greatest >= (int64_t)edges.src.n * 1024 + 1024)
		status = err_set(err, "rank %lld in a graph of %zu rows: that can't be meant",
				 (long long)greatest, edges.src.n);
	if (status == 0)
		*comm = comm_make((int)greatest + 1, (int64_t)edges.src.n, edges.src.at,
				  edges.dst.at, edges.bytes.at, edges.messages.at);
	vec_free(&edges.src);
	vec_free(&edges.dst);
	vec_free(&edges.bytes);
	vec_free(&edges.messages);
	return status;
}

struct comm *comm_symmetric(const struct comm *comm)
{
	struct edges edges = {0};
	struct comm *both;

	for (int r = 0; r < comm->nranks; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++) {
			if (comm->peer[e] == r)
				continue;
			for (int turn = 0; turn < 2; turn++) {
				vec_push(&edges.src, turn ? comm->peer[e] : r);
				vec_push(&edges.dst, turn ? r : comm->peer[e]);
				vec_push(&edges.bytes, comm->bytes[e]);
				vec_push(&edges.messages, comm->messages[e]);
			}
		}
	both = comm_make(comm->nranks, (int64_t)edges.src.n, edges.src.at, edges.dst.at,
			 edges.bytes.at, edges.messages.at);
	vec_free(&edges.src);
	vec_free(&edges.dst);
	vec_free(&edges.bytes);
	vec_free(&edges.messages);
	return both;
}

struct comm *comm_quotient(const struct comm *comm, const int *group_of, int ngroups)
{
	struct edges edges = {0};
	struct comm *groups;

	for (int r = 0; r < comm->nranks; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++) {
			if (group_of[r] == group_of[comm->peer[e]])
				continue;
			vec_push(&edges.src, group_of[r]);
			vec_push(&edges.dst, group_of[comm->peer[e]]);
			vec_push(&edges.bytes, comm->bytes[e]);
			vec_push(&edges.messages, comm->messages[e]);
		}
	groups = comm_make(ngroups, (int64_t)edges.src.n, edges.src.at, edges.dst.at,
			   edges.bytes.at, edges.messages.at);
	vec_free(&edges.src);
	vec_free(&edges.dst);
	vec_free(&edges.bytes);
	vec_free(&edges.messages);
	return groups;
}

struct comm *comm_reversed(const struct comm *comm)
{
	int32_t *src = xmalloc((size_t)comm->nedges * sizeof(*src));
	struct comm *reversed;

	for (int r = 0; r < comm->nranks; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++)
			src[e] = r;
	reversed =
		comm_make(comm->nranks, comm->nedges, comm->peer, src, comm->bytes, comm->messages);
	free(src);
	return reversed;
}

struct comm *comm_part(const struct comm *comm, const int *ranks, int n, int *scratch)
{
	struct comm *part = xcalloc(1, sizeof(*part));
	int64_t most = 0;

	for (int i = 0; i < n; i++) {
		scratch[ranks[i]] = i;
		most += comm->first[ranks[i] + 1] - comm->first[ranks[i]];
	}
	part->nranks = n;
	part->first = xmalloc(((size_t)n + 1) * sizeof(*part->first));
	part->peer = xmalloc((size_t)most * sizeof(*part->peer));
	part->bytes = xmalloc((size_t)most * sizeof(*part->bytes));
	part->messages = xmalloc((size_t)most * sizeof(*part->messages));
	part->first[0] = 0;
	for (int i = 0; i < n; i++) {
		for (int64_t e = comm->first[ranks[i]]; e < comm->first[ranks[i] + 1]; e++) {
			if (scratch[comm->peer[e]] < 0)
				continue;
			part->peer[part->nedges] = scratch[comm->peer[e]];
			part->bytes[part->nedges] = comm->bytes[e];
			part->messages[part->nedges++] = comm->messages[e];
		}
		part->first[i + 1] = part->nedges;
	}
	for (int i = 0; i < n; i++)
		scratch[ranks[i]] = -1;
	return part;
}
