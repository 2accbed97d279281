/* goal_out.c - graphs of computation and messages as GOAL schedules of LogGOPSim, text or binary */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "convert/reader/goal.h"
#include "convert/writer/goal_out.h"
#include "convert/writer/writer.h"
#include "mpi/collective/task_algorithms.h"

struct state {
	const struct pick *pick;
	struct out *out;
	struct task_graph graph;
	struct task_reading reading;
	struct task_algorithms algorithms;
	int64_t tick_ps;
	int64_t nrounded;            /* computations that are no whole ticks */
	uint32_t *tag_of;            /* [nclasses] of the first step of a collective */
	uint32_t *nsteps_of;         /* [nclasses] most steps that a part takes */
	VEC(struct goal_rank) ranks; /* of the binary form, which begins with their sizes */
};

static void *start(const struct writer_input *input, struct err *err)
{
	int64_t tick_ps = goal_tick_ps(input->pick, err);
	struct state *state;

	if (tick_ps < 0)
		return NULL;
	state = xcalloc(1, sizeof(*state));
	state->pick = input->pick;
	state->out = input->out;
	state->tick_ps = tick_ps;
	state->reading.keeps_names = true;
	return state;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	(void)err;
	task_reading_begin(&state->reading, &state->graph, flow);
	return 0;
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	return task_reading_row(&state->reading, flow, err);
}

/* ---- a rank ---- */

/* "cpu1.nic0" as they were read; of other streams their number in the program. */
static void set_places(struct goal_node *node, const char *stream, int number)
{
	char text[32];
	uint64_t cpu, nic = 0;
	const char *dot = strchr(stream, '.');
	size_t n = dot != NULL ? (size_t)(dot - stream) : strlen(stream);

	node->cpu = (uint8_t)(number < UINT8_MAX ? number : UINT8_MAX);
	node->nic = 0;
	if (strncmp(stream, "cpu", 3) != 0 || n < 4 || n >= sizeof(text) ||
	    num_digits(stream + 3, n - 3, &cpu) != 0 || cpu > UINT8_MAX)
		return;
	if (dot != NULL && (strncmp(dot, ".nic", 4) != 0 ||
			    num_digits(dot + 4, strlen(dot + 4), &nic) != 0 || nic > UINT8_MAX))
		return;
	node->cpu = (uint8_t)cpu;
	node->nic = (uint8_t)nic;
}

/* The rank's collective that is being taken apart. */
struct expansion {
	struct goal_rank *goal;
	struct goal_node node; /* its place */
	const struct task_graph *graph;
	const struct task *task;
	int rank;
};

static void take_message(void *context, bool is_send, int peer, int64_t bytes)
{
	struct expansion *expansion = context;
	struct goal_node node = expansion->node;

	node.op = is_send ? GOAL_SEND : GOAL_RECV;
	node.peer = (uint32_t)task_group_rank(expansion->graph, expansion->task->group, peer,
					      expansion->rank);
	node.size = (uint64_t)bytes;
	vec_push(&expansion->goal->nodes, node);
}

static void need(struct goal_rank *goal, size_t node, size_t on, bool is_start)
{
	vec_push(&goal->needs, (struct goal_need){(int32_t)node, (int32_t)on, is_start});
}

static const struct collective_algorithm *choose(const struct state *state, const struct task *task,
						 const struct collective *call)
{
	if (task->algorithm > 0)
		return call->nranks > 1 ? state->algorithms.at[task->algorithm] : NULL;
	return collective_choose(call, pick_word(state->pick, "collectives"));
}

static struct collective call_of(const struct task_graph *graph, const struct task *task, int rank)
{
	return (struct collective){.op = (enum collective_op)task->collective,
				   .nranks = task_group_size(graph, task->group, rank),
				   .root = task->peer,
				   .bytes = task->bytes};
}

/* Where the nodes of a task are: those that begin it, and those whose end is its end. */
struct span {
	int32_t first, nfirst, last, nlast;
};

/* Steps follow each other: each message requires those of the rank's step before. */
static struct span expand(const struct state *state, struct expansion *expansion)
{
	const struct task *task = expansion->task;
	const struct collective call = call_of(expansion->graph, task, expansion->rank);
	const struct collective_algorithm *algorithm = choose(state, task, &call);
	int nsteps = algorithm != NULL ? algorithm->nsteps(&call) : 0;
	int place = task_group_place(expansion->graph, task->group, expansion->rank);
	struct goal_rank *goal = expansion->goal;
	struct span span = {.first = -1};
	size_t before = 0, nbefore = 0;

	for (int step = 0; step < nsteps; step++) {
		size_t from = goal->nodes.n;

		expansion->node.tag = state->tag_of[task->tag] +
				      (uint32_t)task->ordinal * state->nsteps_of[task->tag] +
				      (uint32_t)step;
		algorithm->step(&call, place, step, take_message, expansion);
		if (goal->nodes.n == from)
			continue;
		for (size_t i = from; i < goal->nodes.n; i++)
			for (size_t k = before; k < before + nbefore; k++)
				need(goal, i, k, false);
		before = from;
		nbefore = goal->nodes.n - from;
		if (span.first < 0)
			span = (struct span){(int32_t)from, (int32_t)nbefore, 0, 0};
	}
	if (span.first < 0) { /* nothing to send: it takes no time */
		span = (struct span){(int32_t)goal->nodes.n, 1, 0, 0};
		before = goal->nodes.n;
		nbefore = 1;
		expansion->node.op = GOAL_CALC;
		expansion->node.peer = 0;
		expansion->node.tag = 0;
		vec_push(&goal->nodes, expansion->node);
	}
	span.last = (int32_t)before;
	span.nlast = (int32_t)nbefore;
	return span;
}

static struct span put_task(struct state *state, struct goal_rank *goal,
			    const struct task_program *program, int32_t index, int rank)
{
	const struct task *task = &program->tasks.at[index];
	struct goal_node node = {.op = GOAL_CALC};
	struct expansion expansion = {
		.goal = goal, .graph = &state->graph, .task = task, .rank = rank};
	int32_t at = (int32_t)goal->nodes.n, peer;

	set_places(&node, program->streams.at[task->stream], task->stream);
	node.label = program->names != NULL ? program->names[index] : NULL;
	if (task->kind == TASK_COLLECTIVE) {
		node.label = NULL;
		expansion.node = node;
		return expand(state, &expansion);
	}
	if (task->kind == TASK_COMPUTE) {
		state->nrounded += task->duration_ps % state->tick_ps != 0;
		node.size = (uint64_t)((task->duration_ps + state->tick_ps / 2) / state->tick_ps);
	}
	if (task->kind == TASK_SEND || task->kind == TASK_RECV) {
		node.op = task->kind == TASK_SEND ? GOAL_SEND : GOAL_RECV;
		peer = task_peer(&state->graph, task, rank);
		node.peer = peer == TASK_ANY_RANK ? GOAL_ANY : (uint32_t)peer;
		node.tag = task->has_any_tag ? GOAL_ANY : task->tag;
		node.size = (uint64_t)task->bytes;
	}
	vec_push(&goal->nodes, node);
	return (struct span){at, 1, at, 1};
}

/* Collectives of one stream follow each other, in an order in which they can. */
static void chain(struct goal_rank *goal, const struct task_program *program,
		  const struct span *spans)
{
	int32_t *order = xcalloc(program->tasks.n + 1, sizeof(*order));
	int32_t *last = xcalloc(program->streams.n + 1, sizeof(*last));
	uint32_t *left = xcalloc(program->tasks.n + 1, sizeof(*left));
	size_t n = task_order(program, order, left);

	memset(last, -1, (program->streams.n + 1) * sizeof(*last));
	for (size_t i = 0; i < n; i++) {
		const struct task *task = &program->tasks.at[order[i]];
		struct span to = spans[order[i]], from;

		if (task->kind != TASK_COLLECTIVE)
			continue;
		if (last[task->stream] >= 0) {
			from = spans[last[task->stream]];
			for (int32_t a = to.first; a < to.first + to.nfirst; a++)
				for (int32_t b = from.last; b < from.last + from.nlast; b++)
					need(goal, (size_t)a, (size_t)b, false);
		}
		last[task->stream] = order[i];
	}
	free(order);
	free(last);
	free(left);
}

static void make_rank(struct state *state, struct goal_rank *goal, int rank)
{
	const struct task_program *program =
		&state->graph.programs.at[state->graph.program_of[rank]];
	struct span *spans = xcalloc(program->tasks.n + 1, sizeof(*spans));

	for (int32_t i = 0; i < (int32_t)program->tasks.n; i++)
		spans[i] = put_task(state, goal, program, i, rank);
	for (size_t i = 0; i < program->tasks.n; i++) {
		const struct task *task = &program->tasks.at[i];

		for (uint32_t k = task[0].first; k < task[1].first; k++) {
			bool on_begin = dependent_on_begin(program->dependents[k]);
			struct span to = spans[dependent_task(program->dependents[k])];
			struct span from = spans[i];
			int32_t on = on_begin ? from.first : from.last;
			int32_t non = on_begin ? from.nfirst : from.nlast;

			for (int32_t a = to.first; a < to.first + to.nfirst; a++)
				for (int32_t b = on; b < on + non; b++)
					need(goal, (size_t)a, (size_t)b, on_begin);
		}
	}
	chain(goal, program, spans);
	free(spans);
}

/* ---- text ---- */

static int by_node(const void *a, const void *b)
{
	const struct goal_need *x = a, *y = b;

	if (x->node != y->node)
		return (x->node > y->node) - (x->node < y->node);
	return (x->on > y->on) - (x->on < y->on);
}

static bool is_label(const char *text)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	return text != NULL && text[strspn(text, letters)] == '\0' && *text != '\0' &&
	       (*text < '0' || *text > '9');
}

/* Names that are labels, each once; else all are l1, l2, … */
static bool has_labels(const struct goal_rank *goal)
{
	struct map seen = {0};
	bool has = true;

	for (size_t i = 0; i < goal->nodes.n && has; i++) {
		const char *label = goal->nodes.at[i].label;

		has = is_label(label) &&
		      map_add(&seen, label, strlen(label), (int64_t)i) == (int64_t)i;
	}
	map_free(&seen);
	return has;
}

static void put_any(struct out *out, const char *before, uint32_t number)
{
	out_str(out, before);
	if (number == GOAL_ANY)
		out_str(out, "-1");
	else
		out_printf(out, "%" PRIu32, number);
}

static void put_label(struct out *out, const struct goal_rank *goal, bool has, int32_t node)
{
	if (has)
		out_str(out, goal->nodes.at[node].label);
	else
		out_printf(out, "l%d", node + 1);
}

static void print_node(struct out *out, const struct goal_node *node)
{
	if (node->op == GOAL_CALC) {
		out_printf(out, "calc %" PRIu64, node->size);
	} else {
		out_printf(out, "%s %" PRIu64 "b", node->op == GOAL_SEND ? "send" : "recv",
			   node->size);
		put_any(out, node->op == GOAL_SEND ? " to " : " from ", node->peer);
		put_any(out, " tag ", node->tag);
	}
	if (node->cpu > 0)
		out_printf(out, " cpu %d", node->cpu);
	if (node->nic > 0)
		out_printf(out, " nic %d", node->nic);
	out_char(out, '\n');
}

/* What a node requires stands below it; what requires a later one below that. */
static void print_rank(struct out *out, struct goal_rank *goal, int rank)
{
	bool has = has_labels(goal);

	for (size_t i = 0; i < goal->needs.n; i++) {
		struct goal_need *need = &goal->needs.at[i];
		int32_t node = need->node;

		/* sorted by the one that is defined last; back below */
		if (need->on > node)
			*need = (struct goal_need){need->on, ~node, need->is_start};
	}
	if (goal->needs.n > 0)
		qsort(goal->needs.at, goal->needs.n, sizeof(*goal->needs.at), by_node);
	out_printf(out, "\nrank %d {\n", rank);
	for (size_t i = 0, k = 0; i < goal->nodes.n; i++) {
		put_label(out, goal, has, (int32_t)i);
		out_str(out, ": ");
		print_node(out, &goal->nodes.at[i]);
		for (; k < goal->needs.n && goal->needs.at[k].node == (int32_t)i; k++) {
			const struct goal_need *need = &goal->needs.at[k];
			bool is_back = need->on < 0;

			put_label(out, goal, has, is_back ? ~need->on : need->node);
			out_str(out, need->is_start ? " irequires " : " requires ");
			put_label(out, goal, has, is_back ? need->node : need->on);
			out_char(out, '\n');
		}
	}
	out_str(out, "}\n");
}

/* ---- all ---- */

static void most_steps(struct state *state, const struct task *task, int rank, uint32_t *nof)
{
	const struct collective call = call_of(&state->graph, task, rank);
	const struct collective_algorithm *algorithm = choose(state, task, &call);
	uint32_t nsteps = algorithm != NULL ? (uint32_t)algorithm->nsteps(&call) : 0;

	if (nsteps > state->nsteps_of[task->tag])
		state->nsteps_of[task->tag] = nsteps;
	if ((uint32_t)task->ordinal + 1 > nof[task->tag])
		nof[task->tag] = (uint32_t)task->ordinal + 1;
}

/* Tags of collectives' steps are above those of messages, each of its own. */
static int number_tags(struct state *state, struct err *err)
{
	size_t n = (size_t)state->graph.nclasses + 1;
	uint32_t *nof = xcalloc(n, sizeof(*nof));
	uint64_t next = 0;

	state->tag_of = xcalloc(n, sizeof(*state->tag_of));
	state->nsteps_of = xcalloc(n, sizeof(*state->nsteps_of));
	for (size_t i = 0; i < state->graph.programs.n; i++) {
		const struct task_program *program = &state->graph.programs.at[i];

		for (size_t k = 0; k < program->tasks.n; k++) {
			const struct task *task = &program->tasks.at[k];

			if (task->kind == TASK_COLLECTIVE)
				for (int r = 0; r < program->nranks; r++)
					most_steps(state, task, program->ranks[r], nof);
			else if (task->kind >= TASK_SEND && task->tag >= next)
				next = (uint64_t)task->tag + 1;
		}
	}
	for (size_t i = 0; i + 1 < n; i++) {
		state->tag_of[i] = (uint32_t)next;
		next += (uint64_t)nof[i] * state->nsteps_of[i];
	}
	free(nof);
	if (next >= GOAL_ANY)
		return err_set(err, "goal: steps of collectives have more than 2^32 tags");
	return 0;
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct state *state = context;
	bool is_binary = pick_is(state->pick, "form", "binary");

	if (!whole)
		return err_set(err, "goal: the graph is truncated");
	if (task_reading_end(&state->reading, flow, err) != 0 ||
	    task_algorithms_open(&state->algorithms, &state->graph, err) != 0 ||
	    number_tags(state, err) != 0)
		return -1;
	if (!is_binary)
		out_printf(state->out, "num_ranks %d\n", state->graph.nranks);
	for (int rank = 0; rank < state->graph.nranks; rank++) {
		struct goal_rank goal = {0};

		make_rank(state, &goal, rank);
		if (is_binary) {
			vec_push(&state->ranks, goal);
			continue;
		}
		print_rank(state->out, &goal, rank);
		goal_rank_free(&goal);
	}
	if (is_binary)
		goal_write_binary(state->out, state->ranks.at, state->ranks.n);
	if (state->nrounded > 0)
		warn("goal: %" PRId64 " computations are not whole ticks: rounded; tick= names a "
		     "smaller one",
		     state->nrounded);
	return out_check(state->out, err);
}

static void stop(void *context)
{
	struct state *state = context;

	for (size_t i = 0; i < state->ranks.n; i++)
		goal_rank_free(&state->ranks.at[i]);
	vec_free(&state->ranks);
	task_reading_free(&state->reading);
	task_algorithms_close(&state->algorithms);
	task_graph_free(&state->graph);
	free(state->tag_of);
	free(state->nsteps_of);
	free(state);
}

static const struct param params[] = {
	{.key = "form",
	 .type = PARAM_WORD,
	 .choices = "text|binary",
	 .def = "text",
	 .meaning = "as people read it, or as LogGOPSim does"},
	{.key = "tick",
	 .type = PARAM_DURATION,
	 .def = "1ns",
	 .unit = "s",
	 .meaning = "what calc counts, in whole picoseconds"},
	{.key = "collectives",
	 .type = PARAM_WORD,
	 .def = "mpich",
	 .choices = COLLECTIVE_LIBRARIES,
	 .meaning = "whose algorithms turn collectives into messages"},
	{0}};
static const struct table_kind *const takes[] = {&kind_graph, NULL};

const struct writer writer_goal = {
	.entry = {.name = "goal",
		  .example = "goal",
		  .summary = "GOAL schedules of LogGOPSim, as text or as its txt2bin writes them",
		  .params = params},
	.takes = takes,
	.start = start,
	.taker = {begin, row, end},
	.stop = stop,
};
