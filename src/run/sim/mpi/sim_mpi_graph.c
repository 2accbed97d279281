/* sim_mpi_graph.c - graphs of tasks: what may begin begins, whatever else the rank does */
#include "sim/mpi/sim_mpi_graph.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/mpitrace.h"
#include "mpi/collective/collective.h"
#include "sim/mpi/protocol.h"

/* A task that waits for its stream. */
struct ready_task {
	int64_t ready_ps;
	int32_t task;
};

struct task_stream {
	VEC(struct ready_task) heap; /* the first is the next */
	bool is_busy;
};

enum { ENDED = -1, FIRST_WINDOW = 64 };

/*
 * Where a rank is in its program. What tasks still wait for is counted only in a window: those
 * before low have ended, those from high on were never looked at.
 */
struct graph_rank {
	const struct graph_replay *replay;
	const struct task_program *program;
	struct task_stream *streams; /* [program->streams.n] */
	int32_t *unmet;              /* [window] of task i at i mod window, a power of two */
	uint32_t window;
	int32_t low, high;
	int32_t nleft; /* tasks that have not ended */
	int32_t rank;  /* of the job */
	int64_t pass;
	VEC(int32_t) ready;         /* tasks that wait for no other any more */
	VEC(int32_t) done;          /* besides whose step is done */
	VEC(int32_t) ended;         /* tasks that have, and were not dealt with */
	VEC(uint16_t) idle;         /* streams to look at */
	struct umap sent, received; /* messages so far, by peer and tag */
	int32_t ncomputing;
	int64_t computing_ps; /* since when */
	int64_t covered_ps;   /* in which something was computed */
};

static struct graph_rank *graph_of(const struct mpi *mpi, const struct rank *rank)
{
	return mpi->rests[rank - mpi->ranks].graph;
}

/* ---- the window ---- */

static int32_t *unmet_of(struct graph_rank *graph, int32_t task)
{
	return &graph->unmet[(uint32_t)task & (graph->window - 1)];
}

static void grow_window(struct graph_rank *graph, uint32_t want)
{
	uint32_t window = graph->window;
	int32_t *unmet;

	while (window < want)
		window *= 2;
	if (window == graph->window)
		return;
	unmet = xcalloc(window, sizeof(*unmet));
	for (int32_t i = graph->low; i < graph->high; i++)
		unmet[(uint32_t)i & (window - 1)] = *unmet_of(graph, i);
	free(graph->unmet);
	graph->unmet = unmet;
	graph->window = window;
}

/* The task is in the window. */
static int32_t *look_at(struct graph_rank *graph, int32_t task)
{
	if (task >= graph->high) {
		grow_window(graph, (uint32_t)(task + 1 - graph->low));
		for (int32_t i = graph->high; i <= task; i++)
			*unmet_of(graph, i) = (int32_t)graph->program->tasks.at[i].nunmet;
		graph->high = task + 1;
	}
	return unmet_of(graph, task);
}

/* ---- streams ---- */

static bool goes_before(const struct task_program *program, struct ready_task a,
			struct ready_task b)
{
	int16_t of_a = program->tasks.at[a.task].priority,
		of_b = program->tasks.at[b.task].priority;

	if (of_a != of_b)
		return of_a > of_b;
	return a.ready_ps != b.ready_ps ? a.ready_ps < b.ready_ps : a.task < b.task;
}

static void heap_push(struct task_stream *stream, const struct task_program *program,
		      struct ready_task what)
{
	size_t at = stream->heap.n;

	vec_push(&stream->heap, what);
	while (at > 0 && goes_before(program, what, stream->heap.at[(at - 1) / 2])) {
		stream->heap.at[at] = stream->heap.at[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	stream->heap.at[at] = what;
}

static int32_t heap_pop(struct task_stream *stream, const struct task_program *program)
{
	int32_t first = stream->heap.at[0].task;
	struct ready_task last = stream->heap.at[--stream->heap.n];
	size_t at = 0, n = stream->heap.n;

	for (;;) {
		size_t next = 2 * at + 1;

		if (next + 1 < n &&
		    goes_before(program, stream->heap.at[next + 1], stream->heap.at[next]))
			next++;
		if (next >= n || !goes_before(program, stream->heap.at[next], last))
			break;
		stream->heap.at[at] = stream->heap.at[next];
		at = next;
	}
	if (n > 0)
		stream->heap.at[at] = last;
	return first;
}

/* ---- tasks begin and end ---- */

/* A dependent waits for one task less. */
static void release(struct graph_rank *graph, int32_t task, bool on_begin)
{
	const struct task *of = &graph->program->tasks.at[task];

	for (uint32_t k = of[0].first; k < of[1].first; k++) {
		uint32_t dependent = graph->program->dependents[k];

		if (dependent_on_begin(dependent) == on_begin &&
		    --*look_at(graph, dependent_task(dependent)) == 0)
			vec_push(&graph->ready, dependent_task(dependent));
	}
}

static bool has_stream(const struct task *task)
{
	return task->kind != TASK_RECV && task->kind != TASK_MARK;
}

static void end_task(const struct rank *rank, struct graph_rank *graph, int32_t index)
{
	const struct task *task = &graph->program->tasks.at[index];

	*look_at(graph, index) = ENDED;
	while (graph->low < graph->high && *unmet_of(graph, graph->low) == ENDED)
		graph->low++;
	graph->nleft--;
	if (has_stream(task)) {
		graph->streams[task->stream].is_busy = false;
		vec_push(&graph->idle, task->stream);
	}
	if (task->kind == TASK_COMPUTE && --graph->ncomputing == 0)
		graph->covered_ps += rank->clock - graph->computing_ps;
	release(graph, index, false);
}

/* What goes on of the task beside others. */
static int32_t open_beside(struct mpi *mpi, struct rank *rank, int32_t task)
{
	int32_t index = beside_new(mpi);
	struct beside *beside = &mpi->besides.at[index];

	beside->task = task;
	beside->rank = number_of(mpi, rank);
	beside->begin_ps = rank->clock;
	beside->token = TOKEN_NONE;
	beside->steps.npending = 1;
	return index;
}

static void record(struct mpi *mpi, const struct rank *rank, int32_t task, int64_t begin_ps)
{
	if (mpi->records_tasks)
		vec_push(&mpi->task_times, (struct mpi_task_time){.rank = number_of(mpi, rank),
								  .task = task,
								  .begin_ps = begin_ps,
								  .end_ps = rank->clock});
}

/* A task that takes no time: it has begun. */
static void end_at_once(struct mpi *mpi, const struct rank *rank, struct graph_rank *graph,
			int32_t task)
{
	record(mpi, rank, task, rank->clock);
	vec_push(&graph->ended, task);
}

static void begin_compute(struct mpi *mpi, struct rank *rank, struct graph_rank *graph,
			  int32_t index)
{
	const struct task *task = &graph->program->tasks.at[index];
	int64_t duration_ps = pattern_duration((double)task->duration_ps * graph->replay->compute);
	int32_t beside;

	if (graph->ncomputing++ == 0)
		graph->computing_ps = rank->clock;
	if (duration_ps == 0) {
		end_at_once(mpi, rank, graph, index);
		return;
	}
	if (duration_ps > PATTERN_MOST_PS - rank->clock) {
		rank_refuse_length(mpi, rank);
		return;
	}
	beside = open_beside(mpi, rank, index);
	set_timer(mpi, rank->node, rank->clock + duration_ps, TIMER_TASK, beside);
}

/* Above them is the part of the program: PATTERN_KEY_BITS. Of collectives: the number of its
 * operation, tag and group, how many of these went before, the pass. */
enum { TAG_AT = 28, CLASS_AT = 31, ORDINAL_AT = 7, PASS_BITS = 7 };

/* The n-th message of a peer and tag has a key that its receive has, too: so it makes no difference
 * in which order messages come. */
static uint64_t message_key(struct graph_rank *graph, const struct task *task, int32_t peer)
{
	uint64_t key = (uint64_t)task->tag << TAG_AT,
		 pair = (uint64_t)(uint32_t)peer << 32 | task->tag;
	struct umap *map = task->kind == TASK_SEND ? &graph->sent : &graph->received;
	int64_t n = graph->pass;

	if (graph->replay->graph.has_any)
		return key;
	if (task->ordinal > 0) {
		n = 0;
		umap_get(map, pair, &n);
		umap_set(map, pair, n + 1);
	}
	return key | ((uint64_t)n & ((1U << TAG_AT) - 1));
}

static void begin_message(struct mpi *mpi, struct rank *rank, struct graph_rank *graph,
			  int32_t index)
{
	const struct task *task = &graph->program->tasks.at[index];
	int32_t peer = task_peer(&graph->replay->graph, task, graph->rank);
	int32_t beside = open_beside(mpi, rank, index), token = token_beside(beside), which;
	int32_t other = over_all(mpi, rank, peer);
	struct op own = rank->op, *op = &rank->op;
	bool is_complete;

	op->kind = task->kind == TASK_SEND ? OP_ISEND : OP_IRECV;
	op->peer = peer;
	op->bytes = task->bytes;
	op->key = message_key(graph, task, peer) | (uint64_t)own.part << PATTERN_KEY_BITS;
	op->send_location = op->recv_location = LOCATION_GPU;
	if (task->kind == TASK_SEND) {
		which = make_send(mpi, rank, other, protocol_of_op(mpi, rank, other), token, 0,
				  &is_complete);
		if (is_complete)
			complete(mpi, rank, token);
		message_send_at(mpi, which,
				message_leaves_ps(mpi, &mpi->messages.at[which], rank->clock));
	} else {
		/* of any tag: the part of the program must fit, and that it is of no collective */
		struct posted posted = {.key = op->key,
					.mask = task->has_any_tag ? UINT64_MAX << PATTERN_KEY_BITS
								  : UINT64_MAX,
					.src = other,
					.token = token,
					.way = (uint8_t)gpu_way(mpi, op)};
		int32_t posted_at = receive(mpi, rank, &posted);

		if (posted_at != NONE)
			clear_early(mpi, rank, posted_at, task->bytes);
	}
	rank->op = own;
}

static void begin_collective(struct mpi *mpi, struct rank *rank, struct graph_rank *graph,
			     int32_t index)
{
	const struct task *task = &graph->program->tasks.at[index];
	const struct task_graph *all = &graph->replay->graph;
	int32_t beside = open_beside(mpi, rank, index);
	struct op own = rank->op, *op = &rank->op;

	op->kind = OP_COLLECTIVE;
	op->key = (uint64_t)task->tag << CLASS_AT |
		  ((uint64_t)(uint32_t)task->ordinal & ((1U << (CLASS_AT - ORDINAL_AT)) - 1))
			  << ORDINAL_AT |
		  ((uint64_t)graph->pass & ((1U << PASS_BITS) - 1)) |
		  (uint64_t)own.part << PATTERN_KEY_BITS;
	op->algorithm = graph->replay->algorithms[task->algorithm];
	op->send_location = op->recv_location = LOCATION_GPU;
	op->comm = task->group;
	op->place = task_group_place(all, task->group, graph->rank);
	op->call = (struct collective){.op = (enum collective_op)task->collective,
				       .nranks = task_group_size(all, task->group, graph->rank),
				       .root = task->peer,
				       .bytes = task->bytes};
	beside_begin(mpi, rank, beside);
	rank->op = own;
	if (!beside_goes_on(mpi, rank, beside))
		vec_push(&graph->done, beside);
}

static void begin_task(struct mpi *mpi, struct rank *rank, struct graph_rank *graph, int32_t index)
{
	switch ((enum task_kind)graph->program->tasks.at[index].kind) {
	case TASK_COMPUTE:
		begin_compute(mpi, rank, graph, index);
		break;
	case TASK_SEND:
	case TASK_RECV:
		begin_message(mpi, rank, graph, index);
		break;
	case TASK_COLLECTIVE:
		begin_collective(mpi, rank, graph, index);
		break;
	default:
		end_at_once(mpi, rank, graph, index);
		break;
	}
	release(graph, index, true);
}

/* Its turn in its stream is to come; or it has none. */
static void make_ready(struct mpi *mpi, struct rank *rank, struct graph_rank *graph, int32_t index)
{
	const struct task *task = &graph->program->tasks.at[index];

	if (!has_stream(task)) {
		begin_task(mpi, rank, graph, index);
		return;
	}
	heap_push(&graph->streams[task->stream], graph->program,
		  (struct ready_task){rank->clock, index});
	vec_push(&graph->idle, task->stream);
}

/* A step is done: the next one, or the task has ended. */
static void go_on_with(struct mpi *mpi, struct rank *rank, struct graph_rank *graph, int32_t index)
{
	struct beside *beside = &mpi->besides.at[index];
	int32_t task = beside->task;

	if (beside->steps.nsteps > 0 && beside_goes_on(mpi, rank, index))
		return;
	record(mpi, rank, task, mpi->besides.at[index].begin_ps);
	beside_free(mpi, index);
	vec_push(&graph->ended, task);
}

/* The stream, of those to look at, whose next task has the lowest id; NULL: none may begin one. */
static struct task_stream *first_stream(struct graph_rank *graph)
{
	struct task_stream *first = NULL;

	for (size_t i = 0; i < graph->idle.n;) {
		struct task_stream *stream = &graph->streams[graph->idle.at[i]];

		if (stream->is_busy || stream->heap.n == 0) {
			graph->idle.at[i] = graph->idle.at[--graph->idle.n];
			continue;
		}
		if (first == NULL || stream->heap.at[0].task < first->heap.at[0].task)
			first = stream;
		i++;
	}
	return first;
}

/* What is done first, then what has become ready, then the lowest id that a stream is free for: so
 * the order of what happens at one time makes no difference. */
static bool do_one(struct mpi *mpi, struct rank *rank, struct graph_rank *graph, size_t *nready)
{
	struct task_stream *stream;

	if (graph->done.n > 0) {
		go_on_with(mpi, rank, graph, graph->done.at[--graph->done.n]);
	} else if (graph->ended.n > 0) {
		end_task(rank, graph, graph->ended.at[--graph->ended.n]);
	} else if (*nready < graph->ready.n) {
		make_ready(mpi, rank, graph, graph->ready.at[(*nready)++]);
	} else {
		graph->ready.n = *nready = 0;
		stream = first_stream(graph);
		if (stream == NULL)
			return false;
		stream->is_busy = true;
		begin_task(mpi, rank, graph, heap_pop(stream, graph->program));
	}
	return true;
}

bool tasks_go_on(struct mpi *mpi, struct rank *rank)
{
	struct graph_rank *graph = graph_of(mpi, rank);
	size_t nready = 0;

	do {
		if (rank->arrived.first != NONE)
			work_off(mpi, rank);
		while (do_one(mpi, rank, graph, &nready))
			;
	} while (rank->arrived.first != NONE);
	if (graph->nleft > 0)
		return true;
	rank->compute_ps += graph->covered_ps;
	/* what was computed is no time of messages */
	rank->call_ps += graph->covered_ps;
	rank->wait_ps += rank->clock - rank->call_ps;
	return false;
}

void task_step_done(struct mpi *mpi, struct rank *rank, int32_t beside)
{
	vec_push(&graph_of(mpi, rank)->done, beside);
}

/* ---- runs ---- */

static struct graph_rank *new_rank(struct mpi *mpi, const struct rank *rank,
				   const struct graph_replay *replay, int32_t number)
{
	struct graph_rank *graph = xcalloc(1, sizeof(*graph));

	graph->replay = replay;
	graph->rank = number;
	graph->program = &replay->graph.programs.at[replay->graph.program_of[number]];
	graph->streams = xcalloc(graph->program->streams.n + 1, sizeof(*graph->streams));
	graph->window = FIRST_WINDOW;
	graph->unmet = xcalloc(graph->window, sizeof(*graph->unmet));
	rest_of(mpi, rank)->graph = graph;
	vec_push(&mpi->graphs, graph);
	return graph;
}

void tasks_begin(struct mpi *mpi, struct rank *rank)
{
	const struct job_state *job = &mpi->jobs.at[rank->job];
	const struct graph_replay *replay = program_graph(job->job->program, rank->op.part);
	struct graph_rank *graph = rest_of(mpi, rank)->graph;

	/* another part of the sum may be another graph */
	if (graph == NULL || graph->replay != replay)
		graph = new_rank(mpi, rank, replay, number_of(mpi, rank) - job->first);
	graph->pass = rank->cursor.iteration;
	graph->low = graph->high = 0;
	graph->nleft = (int32_t)graph->program->tasks.n;
	graph->covered_ps = 0;
	for (int32_t i = 0; i < graph->nleft; i++)
		if (graph->program->tasks.at[i].nunmet == 0)
			vec_push(&graph->ready, i);
}

void tasks_free(struct mpi *mpi)
{
	for (size_t i = 0; i < mpi->graphs.n; i++) {
		struct graph_rank *graph = mpi->graphs.at[i];

		for (size_t k = 0; k < graph->program->streams.n; k++)
			vec_free(&graph->streams[k].heap);
		free(graph->streams);
		free(graph->unmet);
		vec_free(&graph->ready);
		vec_free(&graph->done);
		vec_free(&graph->ended);
		vec_free(&graph->idle);
		umap_free(&graph->sent);
		umap_free(&graph->received);
		free(graph);
	}
	mpi->graphs.n = 0;
}

/* ---- what never ends ---- */

/* The first task of the rank that has begun and not ended. */
static int32_t first_open(const struct mpi *mpi, int32_t number)
{
	int32_t first = -1;

	for (size_t i = 0; i < mpi->besides.n; i++) {
		const struct beside *beside = &mpi->besides.at[i];

		if (beside->task >= 0 && beside->rank == number &&
		    (first < 0 || beside->task < first))
			first = beside->task;
	}
	return first;
}

void tasks_tell_stuck(const struct mpi *mpi, const struct rank *rank, int number, struct err *err)
{
	const struct graph_rank *graph = graph_of(mpi, rank);
	int32_t index = first_open(mpi, number_of(mpi, rank)), peer;
	const struct task *task = &graph->program->tasks.at[index < 0 ? graph->low : index];
	bool is_send = task->kind == TASK_SEND;
	char from[32] = "any rank", tag[32] = "any tag";

	if (task->kind == TASK_COLLECTIVE) {
		err_set(err,
			"ranks wait for each other: rank %d waits in program %s, id %d, for %s of "
			"group %s",
			number, graph->program->name, task->id,
			collective_name((enum collective_op)task->collective),
			graph->replay->graph.groups.at[task->group].name);
		return;
	}
	peer = task_peer(&graph->replay->graph, task, number);
	if (peer != TASK_ANY_RANK)
		snprintf(from, sizeof(from), "rank %d", peer);
	if (!task->has_any_tag)
		snprintf(tag, sizeof(tag), "tag %u", task->tag);
	err_set(err,
		"ranks wait for each other: rank %d waits in program %s, id %d, for its message %s "
		"%s, %s, which nobody %s",
		number, graph->program->name, task->id, is_send ? "to" : "from", from, tag,
		is_send ? "receives" : "sends");
}

/* The task of a rank that sent a message with that key: the first of its peer and tag, as which
 * of them was not received says nothing. */
static const struct task *find_send(const struct graph_replay *replay, int rank, int32_t peer,
				    uint64_t key, const struct task_program **of)
{
	const struct task_program *program =
		&replay->graph.programs.at[replay->graph.program_of[rank]];

	*of = program;
	for (size_t i = 0; i < program->tasks.n; i++) {
		const struct task *task = &program->tasks.at[i];

		if (task->kind == TASK_SEND && task->tag == (uint32_t)(key >> TAG_AT) &&
		    task_peer(&replay->graph, task, rank) == peer)
			return task;
	}
	return NULL;
}

static int tell_unreceived(const struct mpi *mpi, const struct rank *rank, int32_t which,
			   struct err *err)
{
	const struct job_state *job = &mpi->jobs.at[rank->job];

	for (; which != NONE; which = mpi->messages.at[which].next) {
		const struct message *message = &mpi->messages.at[which];
		int part = (int)(message->key >> PATTERN_KEY_BITS & (PROGRAM_PARTS - 1));
		const struct graph_replay *replay = program_graph(job->job->program, part);
		const struct task_program *program;
		const struct task *task;

		if (message->step != 0 || replay == NULL || !message_must_match(message))
			continue;
		task = find_send(replay, message->src - job->first, message->dst - job->first,
				 message->key & ((1ULL << PATTERN_KEY_BITS) - 1), &program);
		if (task == NULL)
			continue;
		return err_set(err,
			       "job %s: program %s, id %d: rank %d sends to rank %d, with tag %u, "
			       "what that never receives",
			       job->job->name, program->name, task->id, message->src - job->first,
			       message->dst - job->first, task->tag);
	}
	return 0;
}

int32_t tasks_first_unreceived(const struct mpi *mpi, struct err *err)
{
	for (int32_t i = 0; i < mpi->nrecords; i++) {
		const struct rank *rank = &mpi->ranks[i];
		const struct job_state *job = &mpi->jobs.at[rank->job];
		const struct mpi *part;

		if (!job->job->program->has_graph || job->is_endless)
			continue;
		part = mpi->parts[net_part_of(mpi->net, rank->node)];
		if (tell_unreceived(part, rank, rank->unexpected.first, err) != 0 ||
		    tell_unreceived(part, rank, rank->arrived.first, err) != 0)
			return number_of(mpi, rank);
	}
	return NONE;
}
