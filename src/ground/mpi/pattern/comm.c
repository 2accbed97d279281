/* comm.c - every edge of a communication graph is a message */
#include <math.h>
#include <stdlib.h>

#include "mpi/pattern/pattern.h"
#include "base/mem.h"
#include "base/str.h"
#include "formats/table.h"
#include "model/comm.h"
#include "model/kinds.h"

static const struct param params[] = {
	{.key = "path", .type = PARAM_FILE, .meaning = "the graph, a comm stream"},
	{.key = "job",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "the job whose rows are used; default: all"},
	{0}};

struct graph {
	struct comm *out, *in; /* in: every edge turned round */
	double scale;
};

static int64_t edge_bytes(const struct graph *graph, double bytes)
{
	return llround(bytes * graph->scale);
}

/* All receives, all sends, one wait. Messages of a rank to itself use no network: left out. */
static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	const struct graph *graph = part->state;
	int64_t nin, nout;

	if (rank >= graph->out->nranks)
		return;
	nin = graph->in->first[rank + 1] - graph->in->first[rank];
	nout = graph->out->first[rank + 1] - graph->out->first[rank];
	while (cursor->mark < nin + nout) {
		bool is_send = cursor->mark >= nin;
		const struct comm *comm = is_send ? graph->out : graph->in;
		int64_t edge = comm->first[rank] + cursor->mark++ - (is_send ? nin : 0);

		if (comm->peer[edge] == rank)
			continue;
		op->kind = is_send ? OP_ISEND : OP_IRECV;
		op->peer = comm->peer[edge];
		op->bytes = edge_bytes(graph, comm->bytes[edge]);
		cursor->sub = 1;
		return;
	}
	if (cursor->mark == nin + nout && cursor->sub == 1) {
		cursor->mark++;
		op->kind = OP_WAITALL;
	}
}

static void close(struct pattern_part *part)
{
	struct graph *graph = part->state;

	comm_free(graph->out);
	comm_free(graph->in);
	free(graph);
}

static int read(struct graph *graph, const struct pattern_part *part, const char *path,
		struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_comm, NULL};
	struct table_in *in;
	int status;

	if (table_open_one(&in, kinds, path, part->job->accepts_partial, err) != 0)
		return -1;
	status = comm_read(&graph->out, in, pick_word(part->pick, "job"), 0, err);
	if (status == 0 && !table_is_whole(in)) {
		comm_free(graph->out);
		status = err_set(err, "%s: truncated", path);
	}
	table_close(in);
	return status;
}

static int comm_open(struct pattern_part *part, struct err *err)
{
	struct graph *graph;
	const char *name = pick_word(part->pick, "path");
	char *path = pattern_file(part, "path", err);
	double most = 0;
	int status;

	if (path == NULL)
		return -1;
	graph = xcalloc(1, sizeof(*graph));
	status = read(graph, part, path, err);
	free(path);
	if (status != 0) {
		free(graph);
		return -1;
	}
	graph->in = comm_reversed(graph->out);
	part->state = graph;
	for (int64_t i = 0; i < graph->out->nedges; i++)
		most = fmax(most, graph->out->bytes[i]);
	graph->scale = part->job->bytes >= 0 && most > 0 ? (double)part->job->bytes / most : 1;
	if (graph->out->nranks > part->job->nranks) {
		err_set(err, "%s has %d ranks, the job %d", name, graph->out->nranks,
			part->job->nranks);
		close(part);
		return -1;
	}
	return 0;
}

const struct pattern pattern_comm = {
	.entry = {.name = "comm",
		  .example = "comm:path=ring.tsv",
		  .summary = "every edge of a communication graph is a message in each "
			     "iteration: all receives, all sends, one wait; the job's "
			     "bytes, if given, are those of the largest edge, and the "
			     "others are scaled alike",
		  .params = params},
	.open = comm_open,
	.close = close,
	.next = next,
};
