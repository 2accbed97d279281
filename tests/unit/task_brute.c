/* task_brute.c - small graphs of tasks against an evaluator that looks at every task at every time
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "machine/load.h"
#include "ideal_net.h"

enum { NODES = 12, RANKS = 2, STREAMS = 3, GRAPHS = 800 };

/* One node: of a rank, with what it waits for among those made before. */
struct node {
	int rank, id, kind, stream, priority, other; /* kind: enum task_kind; other: of a receive */
	int64_t ps, bytes;
	bool waits[NODES], on_begin[NODES];
	int64_t ready_ps, begin_ps, end_ps;
};

struct graph {
	struct node nodes[NODES];
	int n;
};

static void draw_node(struct graph *graph, int rank, int kind, struct rng *rng)
{
	struct node *node = &graph->nodes[graph->n];

	*node = (struct node){.rank = rank, .id = graph->n, .kind = kind, .other = -1};
	node->stream = kind == TASK_COMPUTE ? (int)rng_below(rng, STREAMS - 1) : STREAMS - 1;
	node->priority = (int)rng_below(rng, 3) - 1;
	node->ps = 1000 * (1 + (int64_t)rng_below(rng, 30));
	node->bytes = 1 + (int64_t)rng_below(rng, 400);
	for (int i = 0; i < graph->n; i++)
		if (graph->nodes[i].rank == rank && rng_below(rng, 3) == 0) {
			node->waits[i] = true;
			node->on_begin[i] = rng_below(rng, 3) == 0;
		}
	graph->n++;
}

static void draw(struct graph *graph, struct rng *rng)
{
	graph->n = 0;
	while (graph->n < NODES - 1) {
		int rank = (int)rng_below(rng, RANKS), what = (int)rng_below(rng, 8);

		if (what < 2) {
			draw_node(graph, rank, TASK_SEND, rng);
			draw_node(graph, 1 - rank, TASK_RECV, rng);
			graph->nodes[graph->n - 1].other = graph->n - 2;
		} else {
			draw_node(graph, rank, what == 2 ? TASK_MARK : TASK_COMPUTE, rng);
		}
		if (rng_below(rng, 10) == 0)
			return;
	}
}

/* Ids in another order than that of making: those of time are to decide. */
static void shuffle_ids(struct graph *graph, struct rng *rng)
{
	for (int i = graph->n - 1; i > 0; i--) {
		int k = (int)rng_below(rng, (uint64_t)i + 1), id = graph->nodes[i].id;

		graph->nodes[i].id = graph->nodes[k].id;
		graph->nodes[k].id = id;
	}
}

/* ---- the evaluator ---- */

static bool is_met(const struct graph *graph, const struct node *node, int64_t now)
{
	for (int i = 0; i < graph->n; i++) {
		const struct node *on = &graph->nodes[i];

		if (node->waits[i] &&
		    (on->begin_ps < 0 || (!node->on_begin[i] && on->end_ps > now)))
			return false;
	}
	return true;
}

static bool is_free(const struct graph *graph, const struct node *node, int64_t now)
{
	for (int i = 0; i < graph->n; i++) {
		const struct node *other = &graph->nodes[i];

		if (other != node && other->rank == node->rank && other->stream == node->stream &&
		    other->kind != TASK_RECV && other->kind != TASK_MARK && other->begin_ps >= 0 &&
		    other->end_ps > now)
			return false;
	}
	return true;
}

/* Whether a goes before b on their stream. */
static bool goes_before(const struct node *a, const struct node *b)
{
	if (a->priority != b->priority)
		return a->priority > b->priority;
	return a->ready_ps != b->ready_ps ? a->ready_ps < b->ready_ps : a->id < b->id;
}

/* Receives and marks first, which wait for no stream; then the lowest id of those next on a free
 * stream. NULL: nothing can begin now. */
static struct node *next_to_begin(struct graph *graph, int64_t now)
{
	struct node *best = NULL;

	for (int i = 0; i < graph->n; i++) {
		struct node *node = &graph->nodes[i];
		bool is_first = true;

		if (node->begin_ps >= 0 || node->ready_ps < 0)
			continue;
		if (node->kind == TASK_RECV || node->kind == TASK_MARK)
			return node;
		for (int k = 0; k < graph->n; k++) {
			const struct node *other = &graph->nodes[k];

			if (other != node && other->rank == node->rank &&
			    other->stream == node->stream && other->begin_ps < 0 &&
			    other->ready_ps >= 0 && other->kind != TASK_RECV &&
			    other->kind != TASK_MARK && goes_before(other, node))
				is_first = false;
		}
		if (is_first && is_free(graph, node, now) && (best == NULL || node->id < best->id))
			best = node;
	}
	return best;
}

static void set_end(struct graph *graph, struct node *node, int64_t now, int64_t *nic_free)
{
	node->begin_ps = now;
	node->end_ps = now;
	if (node->kind == TASK_COMPUTE)
		node->end_ps = now + node->ps;
	if (node->kind == TASK_SEND) {
		if (*nic_free < now)
			*nic_free = now;
		*nic_free += node->bytes * PS_PER_BYTE;
		node->end_ps = *nic_free;
	}
	if (node->kind == TASK_RECV) {
		const struct node *send = &graph->nodes[node->other];
		int64_t come_ps = send->begin_ps < 0 ? INT64_MAX : send->end_ps + LATENCY;

		node->end_ps = come_ps > now ? come_ps : now;
	}
}

static void evaluate(struct graph *graph)
{
	int64_t now = 0, nic_free[RANKS] = {0};

	for (int i = 0; i < graph->n; i++)
		graph->nodes[i].ready_ps = graph->nodes[i].begin_ps = graph->nodes[i].end_ps = -1;
	while (now < INT64_MAX) {
		struct node *node;
		int64_t next = INT64_MAX;

		do {
			for (int i = 0; i < graph->n; i++)
				if (graph->nodes[i].ready_ps < 0 &&
				    is_met(graph, &graph->nodes[i], now))
					graph->nodes[i].ready_ps = now;
			node = next_to_begin(graph, now);
			if (node != NULL)
				set_end(graph, node, now, &nic_free[node->rank]);
			/* a receive that was open before its message was sent */
			for (int i = 0; node != NULL && i < graph->n; i++)
				if (graph->nodes[i].begin_ps >= 0 && node->kind == TASK_SEND &&
				    graph->nodes[i].kind == TASK_RECV &&
				    &graph->nodes[graph->nodes[i].other] == node)
					graph->nodes[i].end_ps = node->end_ps + LATENCY;
		} while (node != NULL);
		for (int i = 0; i < graph->n; i++)
			if (graph->nodes[i].end_ps > now && graph->nodes[i].end_ps < next)
				next = graph->nodes[i].end_ps;
		now = next;
	}
}

/* ---- the simulation ---- */

static void write_node(const struct graph *graph, const struct node *node, FILE *file)
{
	int nwaits = 0;

	fprintf(file, "r%d\t%d\t%s\t", node->rank, node->id,
		task_op_name((enum task_kind)node->kind, COLLECTIVE_BARRIER));
	for (int i = 0; i < graph->n; i++)
		if (node->waits[i])
			fprintf(file, "%s%s%d", nwaits++ > 0 ? "," : "",
				node->on_begin[i] ? "^" : "", graph->nodes[i].id);
	fprintf(file, "%s\ts%d\t%d\t", nwaits > 0 ? "" : ".", node->stream, node->priority);
	if (node->kind == TASK_COMPUTE)
		fprintf(file, "%.9f\t.\t.\t.\n", (double)node->ps / 1e12);
	else if (node->kind == TASK_MARK)
		fprintf(file, ".\t.\t.\t.\n");
	else
		fprintf(file, ".\t%lld\t%d\t%d\n",
			node->kind == TASK_SEND ? (long long)node->bytes : 0, 1 - node->rank,
			node->kind == TASK_SEND ? (int)(node - graph->nodes) : node->other);
}

static void write_graph(const struct graph *graph, const char *path)
{
	FILE *file = fopen(path, "w");

	fprintf(file, "##placetools=graph/1\n##ranks=2\n##program=r0:0\n##program=r1:1\n"
		      "program\tid\top\tafter\tstream\tpriority\ttime_s\tbytes\tpeer\ttag\n");
	for (int i = 0; i < graph->n; i++)
		write_node(graph, &graph->nodes[i], file);
	fclose(file);
}

static const struct sim_params plain = {.eager_bytes = 8192, .collectives = "mpich"};

/* The n-th of a rank's nodes by id. */
static const struct node *node_of(const struct graph *graph, int rank, int n)
{
	for (int id = 0; id < graph->n; id++)
		for (int i = 0; i < graph->n; i++)
			if (graph->nodes[i].id == id && graph->nodes[i].rank == rank && n-- == 0)
				return &graph->nodes[i];
	return NULL;
}

/* Whether every node begins and ends when it is to. */
static bool agrees(const struct graph *graph, const char *pattern, struct topo *machine)
{
	static const int nodes[RANKS] = {0, 1};
	const struct pattern_job what = {.nranks = RANKS,
					 .node_of = nodes,
					 .topo = machine,
					 .bytes = -1,
					 .iterations = 1,
					 .folder = "",
					 .default_bytes = 1024};
	struct mpi *mpi = mpi_open(&network, &plain, NULL);
	const struct mpi_task_time *times;
	struct program program;
	struct mpi_job job = {.program = &program, .name = "1"};
	struct err err = {0};
	bool does = false;
	size_t n;

	mpi_record_tasks(mpi);
	if (program_open(&program, pattern, &what, &err) != 0) {
		printf("%s\n", err.msg);
		mpi_close(mpi);
		return false;
	}
	if (mpi_run(mpi, &job, 1, 1, NULL, -1, NULL, &err) == 0) {
		times = mpi_task_times(mpi, &n);
		does = n == (size_t)graph->n;
		for (size_t i = 0; i < n && does; i++) {
			const struct node *node = node_of(graph, times[i].rank, times[i].task);

			does = node != NULL && node->begin_ps == times[i].begin_ps &&
			       node->end_ps == times[i].end_ps;
		}
	} else {
		printf("%s\n", err.msg);
	}
	program_close(&program);
	mpi_close(mpi);
	return does;
}

int main(void)
{
	char path[] = "/tmp/task_brute.XXXXXX", pattern[64];
	int fd = mkstemp(path), nwrong = 0;
	struct graph graph;
	struct topo *machine;
	struct rng rng;
	struct err err;

	if (fd < 0 || topo_load(&machine, "dragonfly:groups=3,routers=2,nodes=2", &err) != 0)
		return 1;
	close(fd);
	snprintf(pattern, sizeof(pattern), "graph:path=%s", path);
	rng = rng_make(1, "graphs", "1", "1");
	for (int i = 0; i < GRAPHS && nwrong == 0; i++) {
		draw(&graph, &rng);
		shuffle_ids(&graph, &rng);
		evaluate(&graph);
		write_graph(&graph, path);
		if (!agrees(&graph, pattern, machine)) {
			nwrong++;
			printf("graph %d differs\n", i);
			for (int k = 0; k < graph.n; k++)
				printf("r%d id %d begins %lld ends %lld\n", graph.nodes[k].rank,
				       graph.nodes[k].id, (long long)graph.nodes[k].begin_ps,
				       (long long)graph.nodes[k].end_ps);
		}
		CHECK_INT(nwrong, 0);
	}
	unlink(path);
	vec_free(&network.events);
	topo_free(machine);
	return check_done();
}
