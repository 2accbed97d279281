/* sim_mpi.c - MPI on the simulated network: runs, timers, pools */
#include "sim/mpi/sim_mpi_priv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/mpi/protocol.h"
#include "sim/mpi/sim_mpi_graph.h"

/* ---- pools ---- */

int32_t message_new(struct mpi *mpi)
{
	int32_t message = message_take(mpi);

	mpi->messages.at[message] = (struct message){
		.next = NONE, .sender_token = TOKEN_NONE, .receiver_token = TOKEN_NONE};
	return message;
}

void list_push(struct mpi *mpi, struct list *list, int32_t message)
{
	mpi->messages.at[message].next = NONE;
	if (list->first == NONE)
		list->first = message;
	else
		mpi->messages.at[list->last].next = message;
	list->last = message;
}

/* ---- what the network calls ---- */

/* So many do not fit a processor's cache. */
enum { MANY_RANKS = 1 << 13 };

static void injected(void *context, uint64_t cookie)
{
	message_injected(context, (int32_t)cookie);
}

static void delivered(void *context, uint64_t cookie)
{
	message_delivered(context, (int32_t)cookie);
}

/* What the rank will read when a message comes or its time does: its record; the first message that
 * it did not expect, and where the next message of an exchange goes. */
static inline __attribute__((always_inline)) void look_at_rank(const struct mpi *mpi,
							       int32_t number, enum net_step step)
{
	const struct rank *rank;

	if (!has_record(mpi, number))
		return;
	rank = rank_at(mpi, number);
	if (step == NET_STEP_RANK) {
		for (size_t i = 0; i < sizeof(*rank); i += 64)
			__builtin_prefetch((const char *)rank + i, 1);
		return;
	}
	fetch_ahead(mpi->messages.at, rank->unexpected.first);
	linked_fetch(&mpi->messages);
	if (rank->nto > 0)
		__builtin_prefetch(
			&mpi->node_of[mpi->jobs.at[rank->job].first +
				      rank->cursor.to[rank->cursor.nexchange - rank->nto]]);
}

static void ahead(void *context, uint64_t cookie, enum net_step step)
{
	const struct mpi *mpi = context;
	const struct message *message = &mpi->messages.at[(int32_t)cookie];

	if (step == NET_STEP_MESSAGE)
		__builtin_prefetch(message, 1);
	else
		look_at_rank(mpi, message_receiver(message), step);
}

static void timer_ahead(void *context, uint64_t cookie, enum net_step step)
{
	if (cookie >> 32 == TIMER_RANK)
		look_at_rank(context, (int32_t)(uint32_t)cookie, step);
}

void set_timer(struct mpi *mpi, int32_t node, int64_t at_ps, enum timer_kind kind, int32_t which)
{
	net_timer(mpi->net, node, at_ps,
		  net_cookie(NET_MPI, (uint64_t)kind << 32 | (uint32_t)which));
}

static void timer(void *context, uint64_t cookie)
{
	struct mpi *mpi = context;
	int32_t which = (int32_t)(uint32_t)cookie;

	switch ((enum timer_kind)(cookie >> 32)) {
	case TIMER_RANK:
		rank_at(mpi, which)->has_timer = false;
		rank_at(mpi, which)->left_ps = -1;
		rank_run(mpi, which);
		break;
	case TIMER_MESSAGE:
		message_send(mpi, which);
		break;
	case TIMER_ARRIVAL:
		message_delivered(mpi, which);
		break;
	case TIMER_COPIED:
		message_has_come(mpi, which);
		break;
	case TIMER_LEFT:
		message_left(mpi, which);
		break;
	case TIMER_TASK: {
		int32_t rank = mpi->besides.at[which].rank;

		complete(mpi, rank_at(mpi, rank), token_beside(which));
		rank_poke(mpi, rank);
		break;
	}
	case TIMER_PUT:
		put_is_known(mpi, which);
		break;
	}
}

/* ---- partitions ---- */

/* Which protocol it is, in every process. */
static uintptr_t protocol_number(const struct protocol *protocol)
{
	uintptr_t i = 0;

	while (protocols.entries[i] != &protocol->entry)
		i++;
	return i;
}

/* The record goes along to another partition, where it gets a place in the pool there. Not before
 * the message is in its NIC's queue, which may be later than it was handed over. */
static void leave(void *context, uint64_t cookie, void *record)
{
	struct mpi *mpi = context;
	struct message message = mpi->messages.at[(int32_t)cookie];

	_Static_assert(sizeof(struct message) <= NET_RECORD_BYTES, "what travels with a message");
	/* it may go to another process, where addresses are others */
	message.protocol = (const struct protocol *)protocol_number(message.protocol);
	memcpy(record, &message, sizeof(message));
	message_free(mpi, (int32_t)cookie);
}

static uint64_t enter(void *context, const void *record)
{
	struct mpi *mpi = context;
	int32_t which = message_new(mpi);
	struct message *message = &mpi->messages.at[which];

	memcpy(message, record, sizeof(*message));
	message->protocol =
		(const struct protocol *)protocols.entries[(uintptr_t)message->protocol];
	message->next = NONE;
	message->nleaving = 0;
	message->is_forgotten = false;
	return (uint64_t)which;
}

static void begin_part(struct mpi *mpi)
{
	tasks_free(mpi);
	mpi->task_times.n = 0;
	mpi->jobs.n = mpi->posteds.n = mpi->requests.n = mpi->besides.n = 0;
	linked_drop(&mpi->messages);
	mpi->free_posted = mpi->free_request = mpi->free_beside = NONE;
	mpi->nunfinished = 0;
	mpi->end_ps = 0;
	mpi->has_endless = false;
	umap_clear(&mpi->offered);
	umap_clear(&mpi->cleared);
	umap_clear(&mpi->copiers);
	umap_clear(&mpi->sent);
	umap_clear(&mpi->received);
	places_forget(mpi);
}

static void close_part(struct mpi *mpi)
{
	tasks_free(mpi);
	vec_free(&mpi->graphs);
	vec_free(&mpi->task_times);
	vec_free(&mpi->jobs);
	linked_close(&mpi->messages);
	mpi->messages = (struct messages){0};
	vec_free(&mpi->posteds);
	vec_free(&mpi->requests);
	vec_free(&mpi->besides);
	places_forget(mpi);
	vec_free(&mpi->places);
	umap_free(&mpi->place_ids);
	vec_free(&mpi->step_sends);
	umap_free(&mpi->offered);
	umap_free(&mpi->cleared);
	umap_free(&mpi->copiers);
	umap_free(&mpi->sent);
	umap_free(&mpi->received);
}

static void close_parts(struct mpi *mpi)
{
	for (int i = 1; i < mpi->nparts; i++) {
		close_part(mpi->parts[i]);
		free(mpi->parts[i]);
	}
	free(mpi->parts);
	mpi->parts = NULL;
	mpi->nparts = 0;
}

/* As many as the network has. */
static void open_parts(struct mpi *mpi)
{
	int n = net_nparts(mpi->net);

	if (n == mpi->nparts)
		return;
	close_parts(mpi);
	mpi->parts = xcalloc((size_t)n, sizeof(*mpi->parts));
	mpi->nparts = n;
	mpi->parts[0] = mpi;
	for (int i = 1; i < n; i++) {
		mpi->parts[i] = xcalloc(1, sizeof(*mpi));
		mpi->parts[i]->params = mpi->params;
		mpi->parts[i]->is_free = mpi->is_free;
		mpi->parts[i]->takes_exchanges = mpi->takes_exchanges;
	}
}

/* What partitions share is known. */
static void share_records(const struct mpi *mpi, struct mpi *part)
{
	part->ranks = mpi->ranks;
	part->rests = mpi->rests;
	part->record_of = mpi->record_of;
	part->numbers = mpi->numbers;
	part->node_of = mpi->node_of;
	part->nranks = mpi->nranks;
	part->nrecords = mpi->nrecords;
	part->run = mpi->run;
	part->has_endless = mpi->has_endless;
}

/* Each partition counts its ranks of the job; those of this process begin. */
static void share_job(struct mpi *mpi, int job)
{
	const struct job_state *state = &mpi->jobs.at[job];

	for (int32_t i = state->first; i < state->first + state->nranks; i++) {
		int32_t node = mpi->node_of[i];
		int number = net_part_of(mpi->net, node);

		mpi->parts[number]->jobs.at[job].nrunning++;
		if (net_part_is_here(mpi->net, number))
			set_timer(mpi->parts[number], node, state->job->start_ps, TIMER_RANK, i);
	}
}

static void share_jobs(struct mpi *mpi)
{
	for (int i = 1; i < mpi->nparts; i++) {
		share_records(mpi, mpi->parts[i]);
		for (size_t k = 0; k < mpi->jobs.n; k++)
			vec_push(&mpi->parts[i]->jobs, mpi->jobs.at[k]);
	}
	for (size_t k = 0; k < mpi->jobs.n; k++)
		share_job(mpi, (int)k);
	for (int i = 0; i < mpi->nparts; i++) {
		struct mpi *part = mpi->parts[i];

		for (size_t k = 0; k < part->jobs.n; k++)
			part->nunfinished +=
				!part->jobs.at[k].is_endless && part->jobs.at[k].nrunning > 0;
	}
}

/* Ranks of a job that have not ended. */
static int count_running(const struct mpi *mpi, int job)
{
	int n = 0;

	for (int i = 0; i < mpi->nparts; i++)
		n += mpi->parts[i]->jobs.at[job].nrunning;
	return n;
}

/* ---- runs ---- */

static bool is_free(const struct sim_params *params)
{
	return params->call_enter_ps == 0 && params->call_exit_ps == 0 &&
	       params->send_setup_ps == 0 && params->receive_setup_ps == 0 &&
	       params->copy_ps_per_byte == 0 && params->send_delay_ps == 0 &&
	       params->rdma_delay_ps == 0 && params->receive_wait_ps == 0 &&
	       params->match_ps == 0 && params->pin_base_ps == 0 && params->pin_page_ps == 0 &&
	       params->gpu == GPU_NONE && !params->has_tracer_steps;
}

struct mpi *mpi_open(struct net *net, const struct sim_params *params, struct storage *storage)
{
	struct mpi *mpi = xcalloc(1, sizeof(*mpi));

	mpi->net = net;
	mpi->params = params;
	mpi->is_free = is_free(params);
	mpi->takes_exchanges = mpi->is_free && !params->is_eager_buffered &&
			       !params->has_early_answers && params->local_delay_ps == 0;
	mpi->storage = storage;
	return mpi;
}

void mpi_close(struct mpi *mpi)
{
	if (mpi == NULL)
		return;
	close_parts(mpi);
	close_part(mpi);
	records_close(mpi);
	free(mpi);
}

/*
 * Ranks of a node are numbered from 0 in their order; with p of them on the fullest node and n
 * injection queues slots go to queue ⌊slot / ⌊p / n⌋⌋ mod n, as CODES does.
 */
static void set_slots(struct mpi *mpi, const struct job_state *job)
{
	int nqueues = net_nqueues(mpi->net), most = 0, share;
	struct umap next = {0};

	for (int32_t i = job->first; i < job->first + job->nranks; i++) {
		int64_t slot = 0;

		umap_get(&next, (uint64_t)mpi->node_of[i], &slot);
		if (has_record(mpi, i))
			rank_at(mpi, i)->slot = (int32_t)slot;
		umap_set(&next, (uint64_t)mpi->node_of[i], slot + 1);
		most = slot + 1 > most ? (int)slot + 1 : most;
	}
	umap_free(&next);
	share = most / nqueues > 0 ? most / nqueues : 1;
	for (int32_t i = job->first; i < job->first + job->nranks; i++)
		if (has_record(mpi, i))
			rank_at(mpi, i)->queue = (uint8_t)(rank_at(mpi, i)->slot / share % nqueues);
}

static void add_job(struct mpi *mpi, const struct mpi_job *job, int32_t first)
{
	const struct pattern_job *what = &job->program->job;
	struct job_state state = {
		.job = job,
		.first = first,
		.nranks = what->nranks,
		.is_endless = what->iterations == 0,
	};
	const struct list empty = {NONE, NONE};

	mpi->has_endless |= state.is_endless;
	for (int i = 0; i < what->nranks; i++)
		if (has_record(mpi, first + i))
			*rank_at(mpi, first + i) = (struct rank){
				.clock = job->start_ps,
				.iteration_ps = job->start_ps,
				.posted = empty,
				.unexpected = empty,
				.arrived = empty,
				.requests = NONE,
				.steps.next = NONE,
				.left_ps = -1,
				.job = (int32_t)mpi->jobs.n,
				.node = what->node_of[i],
				.has_timer = true,
				.runs_ahead = mpi->is_free && !job->program->is_ordered &&
					      !job->program->has_graph,
			};
	vec_push(&mpi->jobs, state);
	if (mpi->params->has_serial_queues || mpi->params->has_copy_slots)
		set_slots(mpi, &state);
}

static void begin(struct mpi *mpi, const struct mpi_job *jobs, int njobs)
{
	const struct net_events events = {.injected = injected,
					  .delivered = delivered,
					  .timer = timer,
					  .leave = leave,
					  .enter = enter};
	int32_t first = 0;
	int64_t n = 0;

	for (int i = 0; i < njobs; i++)
		n += jobs[i].program->job.nranks;
	open_parts(mpi);
	for (int i = 0; i < mpi->nparts; i++) {
		struct net_events part = events;

		part.context = mpi->parts[i];
		/* where programs do I/O, most of what comes is storage's, and looking is in vain */
		if (n >= MANY_RANKS && mpi->storage == NULL) {
			part.ahead = ahead;
			part.timer_ahead = timer_ahead;
		}
		mpi->parts[i]->net = net_part(mpi->net, i);
		mpi->parts[i]->records_tasks = mpi->records_tasks;
		mpi->parts[i]->now = net_clock(mpi->parts[i]->net);
		begin_part(mpi->parts[i]);
		net_listen(mpi->parts[i]->net, NET_MPI, &part);
	}
	records_open(mpi, jobs, njobs);
	for (int i = 0; i < njobs; i++) {
		add_job(mpi, &jobs[i], first);
		first += jobs[i].program->job.nranks;
	}
	share_jobs(mpi);
}

static int count_unfinished(const struct mpi *mpi)
{
	int n = 0;

	for (int i = 0; i < mpi->nparts; i++)
		n += mpi->parts[i]->nunfinished;
	return n;
}

/* The run ends when all jobs have that end by themselves, whatever others still do. */
static void await_end(struct mpi *mpi)
{
	if (!mpi->has_endless || count_unfinished(mpi) == 0)
		return;
	net_await_enough(mpi->net);
	for (int i = 0; i < mpi->nparts; i++)
		if (mpi->parts[i]->nunfinished == 0)
			net_enough(mpi->parts[i]->net, 0);
}

/* What a rank waits for, as text for a message. */
static const char *rank_waits_for(const struct rank *rank)
{
	switch (rank->op.kind) {
	case OP_SEND:
		return "its message";
	case OP_RECV:
	case OP_WAIT:
	case OP_WAITALL:
		return "messages";
	case OP_COLLECTIVE:
	case OP_FLUSH:
		return "the messages of a collective operation";
	default:
		return "data";
	}
}

static void tell_stuck(const struct mpi *mpi, int32_t number, struct err *err)
{
	const struct rank *rank = rank_at(mpi, number);
	const struct job_state *job = &mpi->jobs.at[rank->job];
	int k = number - job->first;

	if (is_io(&rank->op)) {
		storage_stuck(mpi->storage, number, err);
		err_prefix(err, "job %s: rank %d waits for its I/O: ", job->job->name, k);
		return;
	}
	if (rank->op.kind == OP_GRAPH) {
		tasks_tell_stuck(mpi->parts[net_part_of(mpi->net, rank->node)], rank, k, err);
		err_prefix(err, "job %s: ", job->job->name);
		return;
	}
	err_set(err,
		"job %s: ranks wait for each other: rank %d waits in iteration %lld for %s, "
		"which nobody %s",
		job->job->name, k, (long long)rank->cursor.iteration + 1, rank_waits_for(rank),
		rank->is_blocked && rank->op.kind == OP_SEND ? "receives" : "sends");
}

/* The first rank here that never stops waiting; of those that wait for I/O before the others, which
 * may wait for them. NONE: there is none. */
static int32_t first_stuck(const struct mpi *mpi)
{
	for (int of_io = mpi->storage != NULL; of_io >= 0; of_io--)
		for (int32_t i = 0; i < mpi->nrecords; i++) {
			const struct rank *rank = &mpi->ranks[i];

			if (rank->phase != PHASE_DONE && (!of_io || is_io(&rank->op)))
				return number_of(mpi, rank);
		}
	return NONE;
}

/* 0 where no rank of any process waits forever; where all have ended: where none of a graph has
 * left a message behind. */
static int find_stuck(const struct mpi *mpi, bool is_over, struct err *err)
{
	struct stuck_rank stuck = {.number = NONE};

	if (is_over)
		stuck.number = tasks_first_unreceived(mpi, &stuck.err);
	else if ((stuck.number = first_stuck(mpi)) != NONE)
		tell_stuck(mpi, stuck.number, &stuck.err);
	stuck_of_all(mpi, &stuck);
	if (stuck.number == NONE)
		return 0;
	*err = stuck.err;
	return -1;
}

/* Up to until_ps or the end, with a pause at each tick, or when a signal asks. As net_run. */
static int run_ticking(struct mpi *mpi, const struct mpi_ticks *ticks, int64_t until_ps,
		       struct err *err)
{
	bool has_ticks = ticks != NULL && ticks->tick != NULL;
	int64_t next = has_ticks ? ticks->interval_ps : INT64_MAX;
	int status;

	while ((status = net_run(mpi->net, next < until_ps ? next : until_ps, err)) == 1 &&
	       net_now(mpi->net) < until_ps) {
		if (!has_ticks || !ticks->tick(ticks->context, net_now(mpi->net)))
			return 0;
		if (net_now(mpi->net) == next)
			next += ticks->interval_ps;
		if (ticks->skips_idle && net_next(mpi->net) > next)
			next = net_next(mpi->net) + ticks->interval_ps;
	}
	return status;
}

int mpi_run(struct mpi *mpi, const struct mpi_job *jobs, int njobs, uint64_t seed, const char *run,
	    int64_t until_ps, const struct mpi_ticks *ticks, struct err *err)
{
	int status;

	net_start(mpi->net, seed, run, njobs + 1);
	begin(mpi, jobs, njobs);
	io_start(mpi);
	if (count_unfinished(mpi) == 0 && until_ps < 0 && njobs > 0)
		return err_set(err, "every job runs until the others end: no "
				    "end (--until gives one)");
	await_end(mpi);
	if (until_ps < 0 && !mpi->has_endless)
		net_runs_out(mpi->net);
	status = run_ticking(mpi, ticks, until_ps < 0 ? INT64_MAX : until_ps, err);
	if (status < 0)
		return -1;
	mpi_collect(mpi);
	if (count_unfinished(mpi) == 0 && status == 0)
		return find_stuck(mpi, true, err);
	return status == 1 || find_stuck(mpi, false, err) == 0 ? 1 : -1;
}

struct mpi_job_times mpi_job_times(const struct mpi *mpi, int job)
{
	const struct job_state *state = &mpi->jobs.at[job];
	struct mpi_job_times times = {.is_done = count_running(mpi, job) == 0};

	for (int i = 0; i < mpi->nparts; i++)
		if (mpi->parts[i]->jobs.at[job].end_ps > times.end_ps)
			times.end_ps = mpi->parts[i]->jobs.at[job].end_ps;
	times.mpi_ps = (double)state->mpi_ps / (state->nranks > 0 ? state->nranks : 1);
	return times;
}

bool mpi_has_unlocated(const struct mpi *mpi)
{
	bool has = false;

	for (int i = 0; i < mpi->nparts; i++)
		has |= mpi->parts[i]->has_unlocated;
	return has;
}

int32_t mpi_client(const struct mpi *mpi, int job, int rank)
{
	return mpi->jobs.at[job].first + rank;
}
