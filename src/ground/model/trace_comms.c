/* trace_comms.c - the communicators of an mpitrace stream: ##comm=ID:RANKS */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "model/mpitrace.h"

enum { RANKS_MOST = 1 << 24 }; /* of all communicators together, as the text's ranges unfold */

void trace_comms_free(struct trace_comms *comms)
{
	for (size_t i = 0; i < comms->at.n; i++) {
		free(comms->at.at[i].ranks);
		free(comms->at.at[i].remote);
	}
	vec_free(&comms->at);
	map_free(&comms->index);
	arena_free(&comms->arena);
	*comms = (struct trace_comms){0};
}

/* "0-3,8,6", up to its end or a bar. */
int trace_ranks_read(const char **text, int room, int32_t **ranks, int *n, struct err *err)
{
	VEC(int32_t) list = {0};

	for (;;) {
		const char *p = *text;
		size_t length = strcspn(p, ",|"), dash = strcspn(p, "-,|");
		char first[12], last[12];
		int64_t from, to;

		if (dash >= sizeof(first) || length - dash >= sizeof(last))
			goto wrong;
		memcpy(first, p, dash);
		first[dash] = '\0';
		memcpy(last, dash < length ? p + dash + 1 : first,
		       dash < length ? length - dash - 1 : dash);
		last[dash < length ? length - dash - 1 : dash] = '\0';
		if (num_int(first, 0, INT32_MAX - 1, &from) != 0 ||
		    num_int(last, from, INT32_MAX - 1, &to) != 0 ||
		    to - from >= room - (int64_t)list.n)
			goto wrong;
		for (int64_t rank = from; rank <= to; rank++)
			vec_push(&list, (int32_t)rank);
		*text = p + length;
		if (**text != ',')
			break;
		++*text;
	}
	*ranks = list.at;
	*n = (int)list.n;
	return 0;
wrong:
	vec_free(&list);
	return err_set(err, "'%.40s' is not a list of ranks such as 0-3,8", *text);
}

/* What follows the colon. */
static int read_members(struct trace_comm *comm, int room, const char *text, struct err *err)
{
	if (str_eq(text, "self")) {
		comm->is_self = true;
		comm->n = 1;
		return 0;
	}
	if (trace_ranks_read(&text, room, &comm->ranks, &comm->n, err) != 0)
		return -1;
	if (*text == '|') {
		text++;
		if (trace_ranks_read(&text, room - comm->n, &comm->remote, &comm->nremote, err) !=
		    0)
			return -1;
	}
	return *text == '\0' ? 0 : err_set(err, "'%.40s' follows the ranks", text);
}

static bool is_same(const struct trace_comm *a, const struct trace_comm *b)
{
	return a->is_self == b->is_self && a->n == b->n && a->nremote == b->nremote &&
	       (a->ranks == NULL ||
		memcmp(a->ranks, b->ranks, (size_t)a->n * sizeof(*a->ranks)) == 0) &&
	       (a->remote == NULL ||
		memcmp(a->remote, b->remote, (size_t)a->nremote * sizeof(*a->remote)) == 0);
}

/* Takes comm and what it owns; id [n] is copied. */
static int put(struct trace_comms *comms, struct trace_comm comm, const char *id, size_t n,
	       struct err *err)
{
	int64_t at = map_add(&comms->index, id, n, (int64_t)comms->at.n);
	int status = 0;

	if (at == (int64_t)comms->at.n) {
		comms->nmembers += comm.n + comm.nremote;
		comm.id = arena_strndup(&comms->arena, id, n);
		vec_push(&comms->at, comm);
		return 0;
	}
	if (!is_same(&comms->at.at[at], &comm))
		status = err_set(err, "##comm=%.*s: was another communicator before",
				 (int)(n < 40 ? n : 40), id);
	free(comm.ranks);
	free(comm.remote);
	return status;
}

int trace_comms_add(struct trace_comms *comms, const char *text, struct err *err)
{
	size_t n = strcspn(text, ":");
	struct trace_comm comm = {0};

	if (n == 0 || text[n] != ':')
		return err_set(err, "##comm=%.40s: expected ID:RANKS, as in 3:0-7,12", text);
	if (read_members(&comm, RANKS_MOST - comms->nmembers, text + n + 1, err) != 0) {
		free(comm.ranks);
		free(comm.remote);
		return err_prefix(err, "##comm=%.*s: ", (int)(n < 40 ? n : 40), text);
	}
	return put(comms, comm, text, n, err);
}

static int32_t *copy_ranks(const int32_t *ranks, int n)
{
	int32_t *copy = NULL;

	if (ranks != NULL) {
		copy = xcalloc((size_t)n + 1, sizeof(*copy));
		memcpy(copy, ranks, (size_t)n * sizeof(*copy));
	}
	return copy;
}

int trace_comms_make(struct trace_comms *comms, const struct trace_comm *comm, struct err *err)
{
	struct trace_comm copy = *comm;

	if (comm->n + comm->nremote > RANKS_MOST - comms->nmembers)
		return err_set(err, "communicators of more than %d ranks together", RANKS_MOST);
	copy.ranks = copy_ranks(comm->ranks, comm->n);
	copy.remote = copy_ranks(comm->remote, comm->nremote);
	return put(comms, copy, comm->id, strlen(comm->id), err);
}

void trace_ranks_print(const int32_t *ranks, int n, struct buf *buf)
{
	for (int i = 0; i < n;) {
		int j = i + 1;

		while (j < n && ranks[j] == ranks[j - 1] + 1)
			j++;
		buf_printf(buf, "%s%d", i > 0 ? "," : "", ranks[i]);
		if (j > i + 1)
			buf_printf(buf, "-%d", ranks[j - 1]);
		i = j;
	}
}

const char *trace_comm_text(const struct trace_comm *comm, struct buf *buf)
{
	buf_clear(buf);
	buf_printf(buf, "%s:", comm->id);
	if (comm->is_self)
		buf_str(buf, "self");
	else
		trace_ranks_print(comm->ranks, comm->n, buf);
	if (comm->remote != NULL) {
		buf_char(buf, '|');
		trace_ranks_print(comm->remote, comm->nremote, buf);
	}
	return buf_text(buf);
}

/* seen [nranks]: the last list, from 1, that has the rank. */
static int check_ranks(const int32_t *ranks, int n, int nranks, int list, int *seen, const char *id,
		       struct err *err)
{
	for (int i = 0; i < n; i++) {
		if (ranks[i] >= nranks)
			return err_set(err, "##comm=%.200s: rank %d is not among the %d of the job",
				       id, ranks[i], nranks);
		if (seen[ranks[i]] == list)
			return err_set(err, "##comm=%.200s: rank %d is there twice", id, ranks[i]);
		seen[ranks[i]] = list;
	}
	return 0;
}

int trace_comms_check(const struct trace_comms *comms, int nranks, struct err *err)
{
	int *seen = xcalloc((size_t)nranks + 1, sizeof(*seen)), status = 0;

	for (size_t i = 0; i < comms->at.n && status == 0; i++) {
		const struct trace_comm *comm = &comms->at.at[i];
		int list = 2 * (int)i + 1;

		if (comm->ranks != NULL)
			status = check_ranks(comm->ranks, comm->n, nranks, list, seen, comm->id,
					     err);
		if (comm->remote != NULL && status == 0)
			status = check_ranks(comm->remote, comm->nremote, nranks, list + 1, seen,
					     comm->id, err);
	}
	free(seen);
	return status;
}

int trace_comm_size(const struct trace_comms *comms, int32_t comm)
{
	return comm < 0 ? comms->nranks : comms->at.at[comm].n;
}

int trace_comm_place(const struct trace_comms *comms, int32_t comm, int32_t rank)
{
	const struct trace_comm *at = comm < 0 ? NULL : &comms->at.at[comm];

	if (rank < 0)
		return -1;
	if (at == NULL)
		return rank < comms->nranks ? rank : -1;
	if (at->is_self)
		return 0;
	if (at->remote != NULL)
		return -1;
	if (rank < at->n && at->ranks[rank] == rank)
		return rank;
	for (int i = 0; i < at->n; i++)
		if (at->ranks[i] == rank)
			return i;
	return -1;
}

int32_t trace_comm_rank(const struct trace_comms *comms, int32_t comm, int place, int32_t self)
{
	if (comm < 0)
		return place;
	return comms->at.at[comm].is_self ? self : comms->at.at[comm].ranks[place];
}

int trace_meta_take(struct trace_comms *comms, const struct flow *flow, size_t *ndone,
		    struct err *err)
{
	for (; *ndone < flow->meta.n; (*ndone)++) {
		const struct flow_meta *meta = &flow->meta.at[*ndone];
		int64_t n;

		if (str_eq(meta->key, "comm")) {
			if (trace_comms_add(comms, meta->value, err) != 0)
				return -1;
		} else if (str_eq(meta->key, "ranks")) {
			if (num_int(meta->value, 1, RANKS_MOST, &n) != 0)
				return flow_error(flow, err, "##ranks=%s is not a number of ranks",
						  meta->value);
			comms->nranks = (int)n;
		}
	}
	return 0;
}
