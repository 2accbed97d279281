/* graph.c - the replay of graphs of computation and messages */
#include <stdlib.h>

#include "mpi/collective/collective.h"
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
	struct pick *picks;        /* [npicks] of its algorithms */
	size_t npicks;
};

static void close(struct pattern_part *part)
{
	struct replay *replay = part->state;

	for (size_t i = 0; i < replay->npicks; i++)
		pick_free(&replay->picks[i]);
	free(replay->picks);
	free(replay->graph.algorithms);
	task_graph_free(&replay->graph.graph);
	free(replay);
}

/* Algorithms of collectives by name; each does what its tasks ask of it. */
static int find_algorithms(struct replay *replay, const char *path, struct err *err)
{
	const struct task_graph *graph = &replay->graph.graph;
	size_t n = graph->algorithms.n;

	replay->picks = xcalloc(n + 1, sizeof(*replay->picks));
	replay->graph.algorithms = xcalloc(n + 1, sizeof(*replay->graph.algorithms));
	for (; replay->npicks < n; replay->npicks++) {
		struct pick *pick = &replay->picks[replay->npicks];

		if (pick_parse(pick, &collective_algorithms, graph->algorithms.at[replay->npicks],
			       err) != 0)
			return err_prefix(err, "%s: algorithm: ", path);
		replay->graph.algorithms[replay->npicks + 1] = collective_of(pick->entry);
	}
	for (size_t i = 0; i < graph->programs.n; i++)
		for (size_t k = 0; k < graph->programs.at[i].tasks.n; k++) {
			const struct task *task = &graph->programs.at[i].tasks.at[k];

			if (task->algorithm != 0 &&
			    (replay->graph.algorithms[task->algorithm]->ops >> task->collective &
			     1) == 0)
				return err_set(err,
					       "%s: program %s, id %d: algorithm: %s does no %s",
					       path, graph->programs.at[i].name, task->id,
					       graph->algorithms.at[task->algorithm - 1],
					       task_op_name(TASK_COLLECTIVE,
							    (enum collective_op)task->collective));
		}
	return 0;
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
	return find_algorithms(replay, path, err);
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
