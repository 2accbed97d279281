/* barrier.c - barriers in I/O traces, of all ranks or of groups of them */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/filter/io_trace.h"
#include "base/num.h"
#include "base/str.h"

/* Each rank's communicator: number in the trace's; -1: all ranks; -2: it takes no part. */
struct groups {
	int32_t *comm_of; /* [nranks] */
	int nranks;
};

/* A new communicator ID:RANKS, and who is in it. */
static int add_group(struct io_trace *trace, struct groups *groups, const char *ranks,
		     struct err *err)
{
	size_t number = trace->comms.at.n;
	char *text;
	int status;

	/* an ID that is not there yet */
	for (;; number++) {
		char id[24];
		int n = snprintf(id, sizeof(id), "%zu", number);

		if (map_get(&trace->comms.index, id, (size_t)n) < 0)
			break;
	}
	text = xasprintf("%zu:%s", number, ranks);
	status = trace_comms_add(&trace->comms, text, err);
	free(text);
	if (status != 0)
		return err_prefix(err, "barrier: ");
	for (int i = 0; i < trace->comms.at.at[trace->comms.at.n - 1].n; i++) {
		const struct trace_comm *comm = &trace->comms.at.at[trace->comms.at.n - 1];
		int32_t rank = comm->ranks != NULL ? comm->ranks[i] : groups->nranks;

		if (rank >= groups->nranks)
			return err_set(err, "barrier: group %s: there are %d ranks", ranks,
				       groups->nranks);
		if (groups->comm_of[rank] != -2)
			return err_set(err, "barrier: rank %d is in two groups", rank);
		groups->comm_of[rank] = (int32_t)trace->comms.at.n - 1;
	}
	return 0;
}

/* groups=0-3+4-7, size=4, or all ranks. */
static int make_groups(struct io_filter *filter, struct groups *groups, struct err *err)
{
	const struct pick *pick = filter->pick;
	int64_t size = pick_int(pick, "size");

	for (int rank = 0; rank < groups->nranks; rank++)
		groups->comm_of[rank] = pick_has(pick, "groups") || size > 0 ? -2 : -1;
	if (pick_has(pick, "groups")) {
		char *text = xstrdup(pick_word(pick, "groups")), *part = text;
		int status = 0;

		while (status == 0 && part != NULL) {
			char *next = strchr(part, '+');

			if (next != NULL)
				*next++ = '\0';
			status = add_group(&filter->trace, groups, part, err);
			part = next;
		}
		free(text);
		return status;
	}
	for (int64_t first = 0; size > 0 && first < groups->nranks; first += size) {
		int64_t last = first + size - 1 < groups->nranks - 1 ? first + size - 1
								     : groups->nranks - 1;
		char text[48];

		snprintf(text, sizeof(text), "%lld-%lld", (long long)first, (long long)last);
		if (add_group(&filter->trace, groups, text, err) != 0)
			return -1;
	}
	return 0;
}

static bool counts(const struct io_op *op)
{
	return op->kind == IO_READ || op->kind == IO_WRITE;
}

/* Barriers of each group: as many as its rank with the fewest operations has turns, so that no rank
 * waits forever. fewest [ncomms + 1], the last for all ranks */
static int64_t *count_turns(const struct io_trace *trace, const struct groups *groups,
			    int64_t every)
{
	size_t ncomms = trace->comms.at.n;
	int64_t *nops = xcalloc((size_t)groups->nranks + 1, sizeof(*nops));
	int64_t *fewest = xcalloc(ncomms + 1, sizeof(*fewest));

	for (size_t i = 0; i <= ncomms; i++)
		fewest[i] = INT64_MAX;
	for (size_t i = 0; i < trace->ops.n; i++)
		nops[trace->ops.at[i].rank] += counts(&trace->ops.at[i]);
	for (int rank = 0; rank < groups->nranks; rank++) {
		int32_t comm = groups->comm_of[rank];
		size_t of = comm >= 0 ? (size_t)comm : ncomms;

		if (comm != -2 && nops[rank] / every < fewest[of])
			fewest[of] = nops[rank] / every;
	}
	free(nops);
	return fewest;
}

struct output {
	VEC(struct io_op) ops;
};

static void add_barrier(struct output *output, int32_t rank, int32_t comm, int64_t start)
{
	struct io_op op = {.kind = IO_BARRIER,
			   .rank = rank,
			   .file = -1,
			   .job = -1,
			   .target = -1,
			   .comm = comm,
			   .start_ns = start,
			   .offset = -1};

	vec_push(&output->ops, op);
}

/* One rank's operations with its barriers; where: begin, every, end. */
static void copy_rank(const struct io_filter *filter, const struct groups *groups, int rank,
		      size_t first, size_t end, int64_t turns, struct output *output)
{
	const struct io_trace *trace = &filter->trace;
	int64_t every = pick_int(filter->pick, "every"), n = 0, last = 0;
	int32_t comm = groups->comm_of[rank];

	if (comm != -2 && pick_is(filter->pick, "where", "begin"))
		add_barrier(output, rank, comm, 0);
	for (size_t i = first; i < end; i++) {
		const struct io_op *op = &trace->ops.at[i];

		vec_push(&output->ops, *op);
		last = trace->is_think ? 0 : op->has_end ? op->end_ns : op->start_ns;
		n += counts(op);
		if (comm != -2 && counts(op) && n % every == 0 && n / every <= turns &&
		    pick_is(filter->pick, "where", "every"))
			add_barrier(output, rank, comm, last);
	}
	if (comm != -2 && pick_is(filter->pick, "where", "end"))
		add_barrier(output, rank, comm, last);
}

static int change(struct io_filter *filter, struct err *err)
{
	struct io_trace *trace = &filter->trace;
	struct groups groups = {.nranks = io_trace_nranks(trace)};
	struct output output = {0};
	size_t *first;
	int64_t *turns;
	int status;

	if (io_filter_room(filter, (double)trace->ops.n + groups.nranks, "barrier", err) != 0)
		return -1;
	groups.comm_of = xcalloc((size_t)groups.nranks + 1, sizeof(*groups.comm_of));
	status = make_groups(filter, &groups, err);
	if (status == 0) {
		first = io_filter_ranks(trace, groups.nranks);
		turns = count_turns(trace, &groups, pick_int(filter->pick, "every"));
		for (int rank = 0; rank < groups.nranks; rank++) {
			int32_t comm = groups.comm_of[rank];

			copy_rank(filter, &groups, rank, first[rank], first[rank + 1],
				  turns[comm >= 0 ? (size_t)comm : trace->comms.at.n], &output);
		}
		*filter->has_changed = output.ops.n > trace->ops.n;
		free(trace->ops.at);
		trace->ops.at = output.ops.at;
		trace->ops.n = output.ops.n;
		trace->ops.cap = output.ops.cap;
		trace->comms.nranks = groups.nranks;
		free(first);
		free(turns);
	}
	free(groups.comm_of);
	return status;
}

static void *start(const struct filter_input *input, struct err *err)
{
	(void)err;
	return io_filter_start(input, change);
}

static const struct param params[] = {
	{.key = "where",
	 .type = PARAM_WORD,
	 .def = "every",
	 .choices = "every|begin|end",
	 .meaning = "after a number of reads and writes, before all operations, or after "
		    "them"},
	{.key = "every",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1e15,
	 .def = "1",
	 .unit = "operations",
	 .meaning = "reads and writes of a rank between two barriers"},
	{.key = "groups",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "a barrier for each of these groups of ranks, as in 0-3+4-7; other "
		    "ranks do not participate"},
	{.key = "size",
	 .type = PARAM_INT,
	 .min = 0,
	 .max = 1 << 26,
	 .def = "0",
	 .unit = "ranks",
	 .meaning = "size of groups of consecutive ranks; 0: one group of all ranks"},
	{0}};

const struct filter filter_barrier = {
	.entry = {.name = "barrier",
		  .example = "barrier:every=8",
		  .summary =
			  "barriers in I/O traces, of all ranks or of groups of them; as many as "
			  "the rank with the fewest operations allows",
		  .paper = "Khetawat 2022, §2.6.2",
		  .params = params},
	.takes = io_filter_takes,
	.no_effect = "the rank with the fewest reads and writes has too few",
	.start = start,
	.taker = {io_filter_begin, io_filter_row, io_filter_end},
	.stop = io_filter_stop,
};
