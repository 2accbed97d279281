/* comm.c - a communication graph: what each rank sends to each other */
#include "model/comm.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

struct edges {
	VEC(int32_t) src, dst;
	VEC(double) bytes, messages; /* messages: none where each edge is one */
};

/* Where a stream has its columns; -1: absent. */
struct comm_columns {
	int src, dst, bytes, messages, job;
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

double comm_largest(const struct comm *comm)
{
	double largest = 0;

	for (int rank = 0; rank < comm->nranks; rank++)
		for (int64_t e = comm->first[rank]; e < comm->first[rank + 1]; e++)
			if (comm->peer[e] != rank && comm->bytes[e] > largest)
				largest = comm->bytes[e];
	return largest;
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

/* By source, then destination; no pair comes twice if strictly. */
static bool is_sorted(const int32_t *src, const int32_t *dst, int64_t n, bool strictly)
{
	for (int64_t i = 1; i < n; i++)
		if (src[i - 1] > src[i] ||
		    (src[i - 1] == src[i] && dst[i - 1] >= dst[i] + !strictly))
			return false;
	return true;
}

static struct comm *comm_alloc(int nranks, int64_t nedges)
{
	struct comm *comm = xcalloc(1, sizeof(*comm));

	comm->nranks = nranks;
	comm->first = xcalloc((size_t)nranks + 1, sizeof(*comm->first));
	comm->peer = xmalloc((size_t)nedges * sizeof(*comm->peer));
	comm->bytes = xmalloc((size_t)nedges * sizeof(*comm->bytes));
	comm->messages = xmalloc((size_t)nedges * sizeof(*comm->messages));
	return comm;
}

struct comm *comm_make(int nranks, int64_t n, const int32_t *src, const int32_t *dst,
		       const double *bytes, const double *messages)
{
	struct comm *comm = comm_alloc(nranks, n);
	int64_t *order = NULL, last = -1; /* NULL: as they come */
	int32_t last_src = -1;

	if (!is_sorted(src, dst, n, false)) {
		order = xmalloc((size_t)n * sizeof(*order));
		for (int64_t i = 0; i < n; i++)
			order[i] = i;
		sort_by(dst, nranks, n, order);
		sort_by(src, nranks, n, order);
	}
	for (int64_t i = 0; i < n; i++) {
		int64_t e = order != NULL ? order[i] : i;

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

/* Where every edge comes after the one before, the arrays are the graph already: they are its own
 * from here on. NULL: they are not. */
static struct comm *take_edges(struct edges *edges, int nranks)
{
	size_t n = edges->src.n;
	struct comm *comm;

	if (!is_sorted(edges->src.at, edges->dst.at, (int64_t)n, true))
		return NULL;
	comm = xcalloc(1, sizeof(*comm));
	comm->nranks = nranks;
	comm->nedges = (int64_t)n;
	comm->first = xcalloc((size_t)nranks + 1, sizeof(*comm->first));
	for (size_t i = 0; i < n; i++)
		comm->first[edges->src.at[i] + 1]++;
	for (int r = 0; r < nranks; r++)
		comm->first[r + 1] += comm->first[r];
	if (edges->messages.n == 0)
		for (size_t i = 0; i < n; i++)
			vec_push(&edges->messages, 1);
	comm->peer = xrealloc(edges->dst.at, n, sizeof(*comm->peer));
	comm->bytes = xrealloc(edges->bytes.at, n, sizeof(*comm->bytes));
	comm->messages = xrealloc(edges->messages.at, n, sizeof(*comm->messages));
	edges->dst.at = NULL;
	edges->bytes.at = edges->messages.at = NULL;
	return comm;
}

/* One row of the stream. Returns 0, or -1. */
static int add_row(struct edges *edges, const struct comm_columns *columns, const struct row *row,
		   struct err *err)
{
	int64_t src, dst;
	double bytes, messages = 1;

	if (row_int(row, columns->src, "src", 0, INT32_MAX - 1, &src, err) != 1 ||
	    row_int(row, columns->dst, "dst", 0, INT32_MAX - 1, &dst, err) != 1 ||
	    row_real(row, columns->bytes, "bytes", 0, 1e300, &bytes, err) != 1 ||
	    row_real(row, columns->messages, "messages", 0, 1e300, &messages, err) < 0)
		return -1;
	vec_push(&edges->src, (int32_t)src);
	vec_push(&edges->dst, (int32_t)dst);
	vec_push(&edges->bytes, bytes);
	if (columns->messages >= 0)
		vec_push(&edges->messages, messages);
	return 0;
}

static int read_rows(struct edges *edges, struct table_in *in, const char *job, struct err *err)
{
	const struct comm_columns columns = {table_find(in, "src"), table_find(in, "dst"),
					     table_find(in, "bytes"), table_find(in, "messages"),
					     table_find(in, "job")};
	int status;
	char *only = NULL;
	struct row row;

	while ((status = table_next(in, &row, err)) == 1) {
		const char *name = row_text(&row, columns.job);

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
		if (add_row(edges, &columns, &row, err) != 0) {
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
		*comm = take_edges(&edges, (int)greatest + 1);
	if (status == 0 && *comm == NULL)
		*comm = comm_make((int)greatest + 1, (int64_t)edges.src.n, edges.src.at,
				  edges.dst.at, edges.bytes.at, edges.messages.at);
	vec_free(&edges.src);
	vec_free(&edges.dst);
	vec_free(&edges.bytes);
	vec_free(&edges.messages);
	return status;
}

/* Appends edge e of another graph, or adds it to the last one if that has the same peer. */
static void merge_edge(struct comm *comm, int rank, const struct comm *from, int64_t e)
{
	int64_t last = comm->nedges - 1;

	if (last < comm->first[rank] || comm->peer[last] != from->peer[e]) {
		last = comm->nedges++;
		comm->peer[last] = from->peer[e];
		comm->bytes[last] = comm->messages[last] = 0;
	}
	comm->bytes[last] += from->bytes[e];
	comm->messages[last] += from->messages[e];
}

struct comm *comm_symmetric(const struct comm *comm)
{
	struct comm *back = comm_reversed(comm), *both;

	both = comm_alloc(comm->nranks, 2 * comm->nedges);
	for (int r = 0; r < comm->nranks; r++) {
		int64_t a = comm->first[r], b = back->first[r];

		both->first[r] = both->nedges;
		while (a < comm->first[r + 1] || b < back->first[r + 1]) {
			bool is_out = b == back->first[r + 1] ||
				      (a < comm->first[r + 1] && comm->peer[a] <= back->peer[b]);
			const struct comm *from = is_out ? comm : back;
			int64_t e = is_out ? a++ : b++;

			if (from->peer[e] != r)
				merge_edge(both, r, from, e);
		}
	}
	both->first[comm->nranks] = both->nedges;
	comm_free(back);
	return both;
}

/* The ranks of each group in ascending order: those of group g are members[first[g] … first[g + 1]
 * - 1]. members [nranks], first [ngroups + 1] zeroed */
static void list_members(const int *group_of, int nranks, int ngroups, int *members, int *first)
{
	for (int r = 0; r < nranks; r++)
		first[group_of[r] + 1]++;
	for (int g = 0; g < ngroups; g++)
		first[g + 1] += first[g];
	for (int r = 0; r < nranks; r++)
		members[first[group_of[r]]++] = r;
	memmove(first + 1, first, (size_t)ngroups * sizeof(*first));
	first[0] = 0;
}

static int ascending(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* What a group sends to another one. */
struct group_sum {
	double bytes, messages;
	bool is_met;
};

/* Appends what ranks [n], which are a group, send to others. sum [ngroups]: zeroed before
 * and after */
static void add_group(struct comm *groups, const struct comm *comm, const int *group_of, int group,
		      const int *ranks, int n, struct group_sum *sum)
{
	int32_t *met = groups->peer + groups->nedges;
	int64_t nmet = 0;

	for (int i = 0; i < n; i++)
		for (int64_t e = comm->first[ranks[i]]; e < comm->first[ranks[i] + 1]; e++) {
			int other = group_of[comm->peer[e]];

			if (other == group)
				continue;
			if (!sum[other].is_met)
				met[nmet++] = other;
			sum[other].is_met = true;
			sum[other].bytes += comm->bytes[e];
			sum[other].messages += comm->messages[e];
		}
	qsort(met, (size_t)nmet, sizeof(*met), ascending);
	for (int64_t i = 0; i < nmet; i++) {
		groups->bytes[groups->nedges] = sum[met[i]].bytes;
		groups->messages[groups->nedges++] = sum[met[i]].messages;
		sum[met[i]] = (struct group_sum){0};
	}
	groups->first[group + 1] = groups->nedges;
}

struct comm *comm_quotient(const struct comm *comm, const int *group_of, int ngroups)
{
	struct comm *groups = comm_alloc(ngroups, comm->nedges);
	int *members = xmalloc((size_t)comm->nranks * sizeof(*members));
	int *first = xcalloc((size_t)ngroups + 1, sizeof(*first));
	struct group_sum *sum = xcalloc((size_t)ngroups, sizeof(*sum));

	list_members(group_of, comm->nranks, ngroups, members, first);
	for (int g = 0; g < ngroups; g++)
		add_group(groups, comm, group_of, g, members + first[g], first[g + 1] - first[g],
			  sum);
	free(members);
	free(first);
	free(sum);
	return groups;
}

struct comm *comm_reversed(const struct comm *comm)
{
	struct comm *reversed = comm_alloc(comm->nranks, comm->nedges);
	int64_t *next = xmalloc((size_t)(comm->nranks + 1) * sizeof(*next));

	reversed->nedges = comm->nedges;
	for (int64_t e = 0; e < comm->nedges; e++)
		reversed->first[comm->peer[e] + 1]++;
	for (int r = 0; r < comm->nranks; r++)
		reversed->first[r + 1] += reversed->first[r];
	memcpy(next, reversed->first, (size_t)(comm->nranks + 1) * sizeof(*next));
	for (int r = 0; r < comm->nranks; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++) {
			int64_t at = next[comm->peer[e]]++;

			reversed->peer[at] = r;
			reversed->bytes[at] = comm->bytes[e];
			reversed->messages[at] = comm->messages[e];
		}
	free(next);
	return reversed;
}

struct comm *comm_part(const struct comm *comm, const int *ranks, int n, int *scratch)
{
	struct comm *part;
	int64_t most = 0;

	for (int i = 0; i < n; i++) {
		scratch[ranks[i]] = i;
		most += comm->first[ranks[i] + 1] - comm->first[ranks[i]];
	}
	part = comm_alloc(n, most);
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
