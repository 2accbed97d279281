/* sim_mpi_collective.c - collective operations: from one step to the next, and what steps cost */
#include "mpi/collective/collective.h"
#include "sim/mpi/protocol.h"

struct step_taker {
	struct mpi *mpi;
	struct rank *rank;
	bool takes_sends;
	enum collective_way way;
	int64_t spent_ps; /* of the rank, on messages down a tree */
};

/* A message up a tree that carries more than control takes the NIC's delay: TraceR. */
enum { TREE_CONTROL = 16 };

/* With TraceR's costs: how long after the step's beginning the message leaves. */
static int64_t leave_ps(struct step_taker *taker, int64_t bytes)
{
	const struct sim_params *params = taker->mpi->params;
	int64_t before = taker->spent_ps;

	switch (taker->way) {
	case STEP_UP:
		return params->tree_delay_ps + (bytes > TREE_CONTROL ? params->send_delay_ps : 0);
	case STEP_DOWN:
		taker->spent_ps += params->tree_delay_ps + copy_ps(taker->mpi, bytes);
		return before;
	case STEP_EXCHANGE:
		break;
	}
	return params->send_delay_ps +
	       (bytes <= params->eager_bytes ? copy_ps(taker->mpi, bytes) : 0);
}

/* Receives of a step are posted before its sends go. */
static void take_message(void *context, bool is_send, int peer, int64_t bytes)
{
	struct step_taker *taker = context;
	struct mpi *mpi = taker->mpi;
	struct rank *rank = taker->rank;
	const struct program *program = mpi->jobs.at[rank->job].job->program;
	int self = (int)(rank - mpi->ranks.at) - mpi->jobs.at[rank->job].first;
	int32_t other;

	if (is_send != taker->takes_sends)
		return;
	other = over_all(mpi, rank, program_member(program, &rank->op, peer, self));
	rank->nstep++;
	if (!is_send) {
		const struct posted posted = {.key = rank->op.key | 1ull << 63,
					      .mask = UINT64_MAX,
					      .src = other,
					      .step = rank->step + 1,
					      .token = TOKEN_STEP};

		receive(mpi, rank, &posted);
	} else {
		struct op op = rank->op;
		bool is_complete;
		int32_t which;
		int64_t delay_ps = mpi->params->send_delay_ps;

		rank->op.bytes = bytes;
		rank->op.key |= 1ull << 63;
		if (mpi->params->has_tracer_steps)
			delay_ps = leave_ps(taker, bytes);
		else
			rank->clock += mpi->params->send_setup_ps;
		which = make_send(mpi, rank, other, TOKEN_STEP, rank->step + 1, &is_complete);
		rank->op = op;
		if (is_complete && mpi->params->has_tracer_steps && taker->way == STEP_EXCHANGE) {
			/* the step is over when it has left */
			mpi->messages.at[which].sender_token = TOKEN_STEP;
			is_complete = false;
		}
		if (is_complete)
			complete(mpi, rank, TOKEN_STEP);
		message_send_at(mpi, which, rank->clock + delay_ps);
	}
}

static const struct collective_algorithm *algorithm_of(struct mpi *mpi, struct rank *rank)
{
	return rank->op.algorithm != NULL
		       ? rank->op.algorithm
		       : collective_choose(&rank->op.call, mpi->params->collectives);
}

static enum collective_way way_of(const struct collective_algorithm *algorithm,
				  const struct collective *call, int step)
{
	return algorithm->way != NULL ? algorithm->way(call, step) : STEP_EXCHANGE;
}

/* The steps of one way are over. */
static void end_way(struct mpi *mpi, struct rank *rank, enum collective_way way)
{
	if (!mpi->params->has_tracer_steps)
		return;
	rank->clock += mpi->params->send_setup_ps;
	if (way == STEP_UP)
		rank->clock += copy_ps(mpi, rank->op.call.bytes);
}

/* Begins the step; the rank waits for its messages then. */
static void begin_step(struct mpi *mpi, struct rank *rank)
{
	const struct collective_algorithm *algorithm = algorithm_of(mpi, rank);
	const struct collective *call = &rank->op.call;
	struct step_taker taker = {mpi, rank, .way = way_of(algorithm, call, rank->step)};

	if (rank->step > 0) {
		enum collective_way last = way_of(algorithm, call, rank->step - 1);

		if (last != taker.way)
			end_way(mpi, rank, last);
	}
	rank->nstep = 0;
	rank->was_sending = false;
	algorithm->step(call, rank->op.place, rank->step, take_message, &taker);
	taker.takes_sends = true;
	algorithm->step(call, rank->op.place, rank->step, take_message, &taker);
	rank->clock += taker.spent_ps;
	rank->step++;
	rank->waiting = WAIT_STEP;
}

bool collective_goes_on(struct mpi *mpi, struct rank *rank)
{
	/* what it sends was the last to be done: it looks for what has come */
	if (mpi->params->has_tracer_steps && rank->was_sending)
		rank->clock += mpi->params->send_setup_ps;
	while (rank->step < rank->nsteps) {
		begin_step(mpi, rank);
		if (rank->nstep > 0)
			return true;
	}
	if (rank->nsteps > 0)
		end_way(mpi, rank, way_of(algorithm_of(mpi, rank), &rank->op.call, rank->step - 1));
	rank->nsteps = rank->step = 0;
	return false;
}

void collective_begin(struct mpi *mpi, struct rank *rank)
{
	const struct collective_algorithm *algorithm =
		rank->op.call.nranks > 1 ? algorithm_of(mpi, rank) : NULL;

	rank->step = 0;
	rank->was_sending = false;
	rank->nsteps = algorithm != NULL ? algorithm->nsteps(&rank->op.call) : 0;
	collective_goes_on(mpi, rank);
}
