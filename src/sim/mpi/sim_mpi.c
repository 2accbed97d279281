/* sim_mpi.c - MPI on the simulated network: runs, timers, pools */
#include "sim/mpi/sim_mpi_priv.h"

#include <stdlib.h>

/* ---- pools ---- */

int32_t message_new(struct mpi *mpi)
{
	int32_t message = mpi->free_message;

	if (message == NONE) {
		vec_push(&mpi->messages, (struct message){0});
		message = (int32_t)mpi->messages.n - 1;
	} else {
		mpi->free_message = mpi->messages.at[message].next;
	}
	mpi->messages.at[message] = (struct message){
		.next = NONE, .sender_token = TOKEN_NONE, .receiver_token = TOKEN_NONE};
	return message;
}

void message_free(struct mpi *mpi, int32_t message)
{
	if (mpi->messages.at[message].nleaving > 0) {
		mpi->messages.at[message].is_forgotten = true;
		return;
	}
	mpi->messages.at[message].next = mpi->free_message;
	mpi->free_message = message;
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

static void injected(void *context, uint64_t cookie)
{
	message_injected(context, (int32_t)cookie);
}

static void delivered(void *context, uint64_t cookie)
{
	message_delivered(context, (int32_t)cookie);
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
		mpi->ranks.at[which].has_timer = false;
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
	case TIMER_PUT:
		put_is_known(mpi, which);
		break;
	}
}

/* ---- runs ---- */

struct mpi *mpi_open(struct net *net, const struct sim_params *params, struct storage *storage)
{
	struct mpi *mpi = xcalloc(1, sizeof(*mpi));

	mpi->net = net;
	mpi->params = params;
	mpi->storage = storage;
	return mpi;
}

void mpi_close(struct mpi *mpi)
{
	if (mpi == NULL)
		return;
	vec_free(&mpi->ranks);
	vec_free(&mpi->jobs);
	vec_free(&mpi->messages);
	vec_free(&mpi->posteds);
	vec_free(&mpi->requests);
	vec_free(&mpi->step_messages);
	umap_free(&mpi->offered);
	umap_free(&mpi->cleared);
	umap_free(&mpi->copiers);
	umap_free(&mpi->sent);
	umap_free(&mpi->received);
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

	for (int i = 0; i < job->nranks; i++) {
		struct rank *rank = &mpi->ranks.at[job->first + i];
		int64_t slot = 0;

		umap_get(&next, (uint64_t)rank->node, &slot);
		rank->slot = (int32_t)slot;
		umap_set(&next, (uint64_t)rank->node, slot + 1);
		most = slot + 1 > most ? (int)slot + 1 : most;
	}
	umap_free(&next);
	share = most / nqueues > 0 ? most / nqueues : 1;
	for (int i = 0; i < job->nranks; i++) {
		struct rank *rank = &mpi->ranks.at[job->first + i];

		rank->queue = (uint8_t)(rank->slot / share % nqueues);
	}
}

static void add_job(struct mpi *mpi, const struct mpi_job *job)
{
	const struct pattern_job *what = &job->program->job;
	struct job_state state = {
		.job = job,
		.first = (int32_t)mpi->ranks.n,
		.nranks = what->nranks,
		.nrunning = what->nranks,
		.is_endless = what->iterations == 0,
	};
	const struct list empty = {NONE, NONE};

	mpi->nunfinished += !state.is_endless;
	mpi->has_endless |= state.is_endless;
	vec_reserve(&mpi->ranks, mpi->ranks.n + (size_t)what->nranks);
	for (int i = 0; i < what->nranks; i++) {
		struct rank rank = {
			.clock = job->start_ps,
			.iteration_ps = job->start_ps,
			.posted = empty,
			.unexpected = empty,
			.arrived = empty,
			.parked = empty,
			.offers = empty,
			.grants = empty,
			.requests = NONE,
			.job = (int32_t)mpi->jobs.n,
			.node = what->node_of[i],
			.has_timer = true,
		};

		set_timer(mpi, rank.node, job->start_ps, TIMER_RANK, state.first + i);
		vec_push(&mpi->ranks, rank);
	}
	vec_push(&mpi->jobs, state);
	if (mpi->params->has_serial_queues || mpi->params->has_copy_slots)
		set_slots(mpi, &state);
}

/* A rank's I/O has ended. */
static void io_done(void *context, int32_t client)
{
	struct mpi *mpi = context;

	mpi->ranks.at[client].is_blocked = false;
	rank_poke(mpi, client);
}

/* Ranks over all jobs are the clients of storage. */
static void begin_io(struct mpi *mpi)
{
	const struct storage_events events = {.done = io_done, .context = mpi};

	if (mpi->storage == NULL)
		return;
	storage_start(mpi->storage, &events, (int32_t)mpi->ranks.n, (int32_t)mpi->jobs.n);
	for (size_t i = 0; i < mpi->ranks.n; i++) {
		const struct rank *rank = &mpi->ranks.at[i];
		const struct job_state *job = &mpi->jobs.at[rank->job];

		storage_client(mpi->storage, (int32_t)i, rank->node, rank->job,
			       (int32_t)i - job->first, job->nranks);
	}
}

static void begin(struct mpi *mpi)
{
	mpi->ranks.n = mpi->jobs.n = 0;
	mpi->messages.n = mpi->posteds.n = mpi->requests.n = 0;
	mpi->free_message = mpi->free_posted = mpi->free_request = NONE;
	mpi->nunfinished = 0;
	mpi->has_endless = false;
	umap_clear(&mpi->offered);
	umap_clear(&mpi->cleared);
	umap_clear(&mpi->copiers);
	umap_clear(&mpi->sent);
	umap_clear(&mpi->received);
}

static int tell_stuck(const struct mpi *mpi, const struct job_state *job, int k, struct err *err)
{
	const struct rank *rank = &mpi->ranks.at[job->first + k];

	if (is_io(&rank->op)) {
		storage_stuck(mpi->storage, job->first + k, err);
		return err_prefix(err, "job %s: rank %d waits for its I/O: ", job->job->name, k);
	}
	return err_set(err,
		       "job %s: ranks wait for each other: rank %d waits in iteration %lld for %s, "
		       "which nobody %s",
		       job->job->name, k, (long long)rank->cursor.iteration + 1,
		       rank_waits_for(rank),
		       rank->is_blocked && rank->op.kind == OP_SEND ? "receives" : "sends");
}

/* The first rank that waits for ever, if any; of those that wait for I/O before the others, which
 * may wait for them. */
static int find_stuck(const struct mpi *mpi, struct err *err)
{
	for (int of_io = mpi->storage != NULL; of_io >= 0; of_io--)
		for (size_t i = 0; i < mpi->ranks.n; i++) {
			const struct rank *rank = &mpi->ranks.at[i];
			const struct job_state *job = &mpi->jobs.at[rank->job];

			if (rank->phase != PHASE_DONE && (!of_io || is_io(&rank->op)))
				return tell_stuck(mpi, job, (int)i - job->first, err);
		}
	return 0;
}

/* Up to until_ps or the end, with a pause at each tick. As net_run. */
static int run_ticking(struct mpi *mpi, const struct mpi_ticks *ticks, int64_t until_ps,
		       struct err *err)
{
	int64_t next = ticks != NULL && ticks->tick != NULL ? ticks->interval_ps : INT64_MAX;
	int status;

	while ((status = net_run(mpi->net, next < until_ps ? next : until_ps, err)) == 1 &&
	       net_now(mpi->net) < until_ps) {
		if (!ticks->tick(ticks->context, next))
			return 0;
		next += ticks->interval_ps;
	}
	return status;
}

int mpi_run(struct mpi *mpi, const struct mpi_job *jobs, int njobs, uint64_t seed, const char *run,
	    int64_t until_ps, const struct mpi_ticks *ticks, struct err *err)
{
	const struct net_events events = {
		.injected = injected, .delivered = delivered, .timer = timer, .context = mpi};
	int status;

	begin(mpi);
	net_start(mpi->net, seed, run, njobs + 1);
	net_listen(mpi->net, NET_MPI, &events);
	for (int i = 0; i < njobs; i++)
		add_job(mpi, &jobs[i]);
	begin_io(mpi);
	if (mpi->nunfinished == 0 && until_ps < 0 && njobs > 0)
		return err_set(err, "every job runs until the others end: no "
				    "end (--until gives one)");
	status = run_ticking(mpi, ticks, until_ps < 0 ? INT64_MAX : until_ps, err);
	if (status < 0)
		return -1;
	if (mpi->nunfinished == 0 && status == 0)
		return 0;
	return status == 1 || find_stuck(mpi, err) == 0 ? 1 : -1;
}

struct mpi_job_times mpi_job_times(const struct mpi *mpi, int job)
{
	const struct job_state *state = &mpi->jobs.at[job];
	struct mpi_job_times times = {.is_done = state->nrunning == 0, .end_ps = state->end_ps};

	for (int i = 0; i < state->nranks; i++)
		times.mpi_ps += (double)mpi->ranks.at[state->first + i].mpi_ps;
	times.mpi_ps /= state->nranks > 0 ? state->nranks : 1;
	return times;
}

struct mpi_rank_times mpi_rank_times(const struct mpi *mpi, int job, int rank)
{
	const struct rank *state = &mpi->ranks.at[mpi->jobs.at[job].first + rank];

	return (struct mpi_rank_times){.is_done = state->phase == PHASE_DONE,
				       .end_ps = state->clock,
				       .mpi_ps = state->mpi_ps,
				       .compute_ps = state->compute_ps,
				       .wait_ps = state->wait_ps,
				       .copy_ps = state->copy_ps};
}

int32_t mpi_client(const struct mpi *mpi, int job, int rank)
{
	return mpi->jobs.at[job].first + rank;
}
