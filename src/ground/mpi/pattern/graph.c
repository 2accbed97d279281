/* graph.c - the replay of graphs of computation and messages */
#include <stdlib.h>

#include "mpi/collective/task_algorithms.h"
#include "mpi/pattern/pattern.h"

static const struct param params[] = {
	{.key = "path", .type = PARAM_FILE, .meaning = "the graph, a graph stream"},
	{.key = "compute",
	 .type = PARAM_REAL,
	 .max = 1e6,
	 .def = "1",
	 .meaning = "factor for the computations"},
	{0}};

struct replay {
	struct graph_replay graph; /* what others see */
	struct task_algorithms algorithms;
};

static void close(struct pattern_part *part)
{
	struct replay *replay = part->state;

	task_algorithms_close(&replay->algorithms);
	task_graph_free(&replay->graph.graph);
	free(replay);
}

static int load(struct pattern_part *part, const char *path, struct err *err)
{
	struct replay *replay = xcalloc(1, sizeof(*replay));

	part->state = replay;
	replay->graph.compute = pick_real(part->pick, "compute");
	if (task_graph_read(&replay->graph.graph, path, part->job->nranks, &part->job->rates,
			    part->job->accepts_partial, err) != 0)
		return -1;
	part->needs_order = replay->graph.graph.has_any;
	if (task_algorithms_open(&replay->algorithms, &replay->graph.graph, err) != 0)
		return err_prefix(err, "%s: ", path);
	replay->graph.algorithms = replay->algorithms.at;
	return 0;
}

static int graph_open(struct pattern_part *part, struct err *err)
{
	return pattern_open_file(part, load, err);
}

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	(void)part, (void)rank;
	if (cursor->mark == 0)
		op->kind = OP_GRAPH;
	cursor->mark++;
}

static int member(const struct pattern_part *part, int comm, int place, int rank)
{
	const struct replay *replay = part->state;

	return task_group_rank(&replay->graph.graph, comm, place, rank);
}

static const struct graph_replay *graph_of(const struct pattern_part *part)
{
	const struct replay *replay = part->state;

	return &replay->graph;
}

const struct pattern pattern_graph = {
	.entry = {.name = "graph",
		  .example = "graph:path=step.graph",
		  .summary = "a graph of computation and messages, one pass per iteration: each "
			     "node begins when those that it depends on have ended and its stream "
			     "is free, whatever else the rank does",
		  .params = params},
	.is_keyed = true,
	.open = graph_open,
	.close = close,
	.next = next,
	.member = member,
	.graph = graph_of,
};
