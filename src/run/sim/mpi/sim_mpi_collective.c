/* sim_mpi_collective.c - collective operations: from one step to the next, and what steps cost */
#include "mpi/collective/collective.h"
#include "sim/mpi/sim_mpi_eager.h"

/* The rank's op is the operation's call. */
struct step_taker {
	struct mpi *mpi;
	struct rank *rank;
	struct steps *steps;
	int32_t token; /* of the step's messages */
	enum collective_way way;
	int64_t spent_ps; /* of the rank, on messages down a tree */
	bool is_pushed;   /* by kernels, which ask nobody */
	int64_t delay_ps; /* until they do */
};

/* A message up a tree that carries more than control takes the NIC's delay: TraceR. */
enum { TREE_CONTROL = 16 };

/*
 * With TraceR's costs: when a message along a tree leaves. HostCopy copies once for all of a half
 * of the operation; GPUDirect asks the GPU for each.
 */
static int64_t tree_leaves_ps(struct step_taker *taker, enum gpu_mode gpu, int64_t bytes)
{
	const struct sim_params *params = taker->mpi->params;
	struct rank *rank = taker->rank;
	int64_t at_ps = rank->clock;

	if (gpu == GPU_HOSTCOPY) {
		if (taker->steps->copied_ps == 0)
			taker->steps->copied_ps = gpu_copied_ps(taker->mpi, rank, bytes, at_ps);
		at_ps = taker->steps->copied_ps;
	}
	if (gpu == GPU_GPUDIRECT)
		at_ps += params->gpudirect_delay_ps + gpu_word_ps(taker->mpi) +
			 params->rdma_delay_ps;
	if (taker->way == STEP_UP)
		return at_ps + params->tree_delay_ps +
		       (bytes > TREE_CONTROL ? params->send_delay_ps : 0);
	if (gpu == GPU_GPUDIRECT)
		return at_ps + params->send_delay_ps;
	at_ps += taker->spent_ps;
	taker->spent_ps += params->tree_delay_ps + copy_ps(taker->mpi, bytes);
	return at_ps;
}

static void send_eager_step(struct mpi *mpi, struct rank *rank, int32_t other)
{
	struct steps *steps = &rank->steps;
	int64_t left_ps = message_send_eager(mpi, rank, other, TOKEN_STEP, steps->step + 1);

	if (left_ps < 0)
		return;
	rank->left_ps = left_ps;
	steps->left_ps = left_ps > steps->left_ps ? left_ps : steps->left_ps;
	steps->npending--;
}

/* The op is of the message: its bytes, its key. */
static void send_step(struct step_taker *taker, int32_t other)
{
	struct mpi *mpi = taker->mpi;
	struct rank *rank = taker->rank;
	const struct sim_params *params = mpi->params;
	bool is_tree = params->has_tracer_steps && taker->way != STEP_EXCHANGE, is_complete;
	const struct protocol *protocol = &protocol_eager;
	int64_t bytes = rank->op.bytes, at_ps;
	int32_t which;

	if (taker->token == TOKEN_STEP && taker->delay_ps == 0 &&
	    can_send_eager(mpi, rank, other)) {
		send_eager_step(mpi, rank, other);
		return;
	}
	if ((!is_tree && !taker->is_pushed) || is_short_cut(mpi, number_of(mpi, rank), other))
		protocol = protocol_of_op(mpi, rank, other);
	if (!params->has_tracer_steps)
		rank->clock += params->send_setup_ps;
	which = make_send(mpi, rank, other, protocol, taker->token, taker->steps->step + 1,
			  &is_complete);
	if (is_complete && params->has_tracer_steps && !is_tree) {
		/* the step is over when it has left */
		mpi->messages.at[which].sender_token = taker->token;
		is_complete = false;
	}
	if (is_complete)
		complete(mpi, rank, taker->token);
	if (is_tree) {
		at_ps = tree_leaves_ps(taker, gpu_way(mpi, &rank->op), bytes);
	} else {
		if (rank->runs_ahead && taker->delay_ps == 0 &&
		    mpi->messages.at[which].sender_token == TOKEN_STEP) {
			message_send_of(mpi, rank, which, TOKEN_STEP);
			return;
		}
		at_ps = taker->delay_ps +
			message_leaves_ps(mpi, &mpi->messages.at[which], rank->clock);
		if (params->has_tracer_steps && protocol->copies)
			at_ps += copy_ps(mpi, bytes);
	}
	message_send_at(mpi, which, at_ps);
}

/* Receives of a step are posted before its sends go. */
static void take_message(void *context, bool is_send, int peer, int64_t bytes)
{
	struct step_taker *taker = context;
	struct mpi *mpi = taker->mpi;
	struct rank *rank = taker->rank;
	const struct program *program = mpi->jobs.at[rank->job].job->program;
	int self = number_of(mpi, rank) - mpi->jobs.at[rank->job].first;
	int32_t other = over_all(mpi, rank, program_member(program, &rank->op, peer, self));

	taker->steps->npending++;
	if (!is_send) {
		const struct posted posted = {.key = rank->op.key | 1ull << 63,
					      .mask = UINT64_MAX,
					      .src = other,
					      .step = taker->steps->step + 1,
					      .token = taker->token,
					      .way = (uint8_t)gpu_way(mpi, &rank->op)};

		int32_t index = receive(mpi, rank, &posted);

		if (index != NONE && taker->way == STEP_EXCHANGE)
			clear_early(mpi, rank, index, bytes);
	} else {
		vec_push(&mpi->step_sends, (struct step_send){bytes, other});
	}
}

/* What was taken, with the op as that of each message. */
static void send_taken(struct step_taker *taker)
{
	struct mpi *mpi = taker->mpi;
	struct op *op = &taker->rank->op;
	int64_t bytes = op->bytes;
	uint64_t key = op->key;

	op->key |= 1ull << 63;
	for (size_t i = 0; i < mpi->step_sends.n; i++) {
		op->bytes = mpi->step_sends.at[i].bytes;
		send_step(taker, mpi->step_sends.at[i].dst);
	}
	op->bytes = bytes;
	op->key = key;
}

static const struct collective_algorithm *algorithm_of(struct mpi *mpi, struct rank *rank)
{
	rank->op.call.is_on_gpu = gpu_way(mpi, &rank->op) == GPU_GPUDIRECT;
	return rank->op.algorithm != NULL
		       ? rank->op.algorithm
		       : collective_choose(&rank->op.call, mpi->params->collectives);
}

static enum collective_way way_of(const struct collective_algorithm *algorithm,
				  const struct collective *call, int step)
{
	return algorithm->way != NULL ? algorithm->way(call, step) : STEP_EXCHANGE;
}

/* The steps in one direction are done. */
static void end_way(struct mpi *mpi, struct rank *rank, struct steps *steps,
		    enum collective_way way)
{
	if (!mpi->params->has_tracer_steps)
		return;
	if (way != STEP_EXCHANGE && gpu_way(mpi, &rank->op) == GPU_HOSTCOPY) {
		/* a copy for what it has received, where it sends nothing */
		if (steps->copied_ps == 0)
			steps->copied_ps =
				gpu_copied_ps(mpi, rank, rank->op.call.bytes, rank->clock);
		if (rank->clock < steps->copied_ps)
			rank->clock = steps->copied_ps;
	}
	steps->copied_ps = 0;
	rank->clock += mpi->params->send_setup_ps;
	if (way == STEP_UP)
		rank->clock += copy_ps(mpi, rank->op.call.bytes);
}

/* Begins the step, whose messages are pending then. */
static void begin_step(struct mpi *mpi, struct rank *rank, struct steps *steps, int32_t token)
{
	const struct collective_algorithm *algorithm = algorithm_of(mpi, rank);
	const struct collective *call = &rank->op.call;
	struct step_taker taker = {mpi, rank, steps, token,
				   .way = way_of(algorithm, call, steps->step)};

	if (algorithm->delay_ps != NULL) {
		taker.is_pushed = true;
		taker.delay_ps = algorithm->delay_ps(call, steps->step);
	}

	if (steps->step > 0) {
		enum collective_way last = way_of(algorithm, call, steps->step - 1);

		if (last != taker.way)
			end_way(mpi, rank, steps, last);
	}
	steps->npending = 0;
	steps->left_ps = 0;
	steps->was_sending = false;
	mpi->step_sends.n = 0;
	algorithm->step(call, rank->op.place, steps->step, take_message, &taker);
	send_taken(&taker);
	rank->clock += taker.spent_ps;
	steps->step++;
}

/* Next steps, up to one that must be waited for; false: the operation is over. */
static bool go_on(struct mpi *mpi, struct rank *rank, struct steps *steps, int32_t token)
{
	/* what it sends was the last to be done: it looks for what has come */
	if (mpi->params->has_tracer_steps && steps->was_sending)
		rank->clock += mpi->params->send_setup_ps;
	while (steps->step < (int32_t)steps->nsteps) {
		begin_step(mpi, rank, steps, token);
		if (steps->npending > 0 || steps->left_ps > rank->clock)
			return true;
	}
	if (steps->nsteps > 0)
		end_way(mpi, rank, steps,
			way_of(algorithm_of(mpi, rank), &rank->op.call, steps->step - 1));
	steps->nsteps = 0;
	steps->step = 0;
	return false;
}

bool collective_goes_on(struct mpi *mpi, struct rank *rank)
{
	if (rank->steps.nsteps > 0)
		rank->waiting = WAIT_STEP;
	return go_on(mpi, rank, &rank->steps, TOKEN_STEP);
}

/* The operations that TraceR's reader of OTF2 does not know. */
enum {
	TRACER_DROPS = 1 << COLLECTIVE_GATHER | 1 << COLLECTIVE_GATHERV | 1 << COLLECTIVE_SCATTERV |
		       1 << COLLECTIVE_ALLTOALLW | 1 << COLLECTIVE_SCAN | 1 << COLLECTIVE_EXSCAN |
		       1 << COLLECTIVE_REDUCE_SCATTER | 1 << COLLECTIVE_REDUCE_SCATTER_BLOCK
};

/* Its barrier is an allreduce of nothing. */
static void do_as_tracer_reads(struct collective *call)
{
	if (call->op == COLLECTIVE_BARRIER) {
		call->op = COLLECTIVE_ALLREDUCE;
		call->bytes = 0;
	}
	if ((TRACER_DROPS >> call->op & 1) != 0)
		call->nranks = 1;
}

/* The rank's op is the call: how many steps, and by which algorithm. */
static void set_steps(struct mpi *mpi, struct rank *rank, struct steps *steps)
{
	const struct collective_algorithm *algorithm = NULL;

	if (mpi->params->has_tracer_artefacts && rank->op.algorithm == NULL)
		do_as_tracer_reads(&rank->op.call);
	if (rank->op.call.nranks > 1 &&
	    (collective_asks_places(mpi->params->collectives) ||
	     (rank->op.algorithm != NULL && rank->op.algorithm->delay_ps != NULL)))
		rank->op.call.places = places_of(mpi, rank);
	if (rank->op.call.nranks > 1)
		algorithm = algorithm_of(mpi, rank);
	steps->step = 0;
	steps->was_sending = false;
	steps->copied_ps = 0;
	rank->op.algorithm = algorithm; /* of all its steps */
	steps->nsteps = algorithm != NULL ? (uint32_t)algorithm->nsteps(&rank->op.call) : 0;
}

void collective_begin(struct mpi *mpi, struct rank *rank)
{
	set_steps(mpi, rank, &rank->steps);
	collective_goes_on(mpi, rank);
}

/* ---- beside other calls ---- */

int32_t beside_new(struct mpi *mpi)
{
	const struct beside empty = {.task = NONE};
	int32_t index = mpi->free_beside;

	if (index == NONE) {
		vec_push(&mpi->besides, empty);
		return (int32_t)mpi->besides.n - 1;
	}
	mpi->free_beside = mpi->besides.at[index].steps.next;
	mpi->besides.at[index] = empty;
	return index;
}

void beside_free(struct mpi *mpi, int32_t index)
{
	mpi->besides.at[index].task = NONE;
	mpi->besides.at[index].steps.next = mpi->free_beside;
	mpi->free_beside = index;
}

void beside_begin(struct mpi *mpi, struct rank *rank, int32_t index)
{
	struct beside *beside = &mpi->besides.at[index];

	set_steps(mpi, rank, &beside->steps);
	beside->op = rank->op;
}

/* With the operation's call as the rank's own for that long. */
bool beside_goes_on(struct mpi *mpi, struct rank *rank, int32_t index)
{
	struct op own = rank->op;
	bool goes_on;

	rank->op = mpi->besides.at[index].op;
	mpi->besides.at[index].is_begun = true;
	goes_on = go_on(mpi, rank, &mpi->besides.at[index].steps, token_beside(index));
	mpi->besides.at[index].is_begun = false;
	rank->op = own;
	return goes_on;
}

/* link: where its number stands. */
static void end_beside(struct mpi *mpi, struct rank *rank, int32_t *link)
{
	int32_t index = *link;

	complete(mpi, rank, mpi->besides.at[index].token);
	*link = mpi->besides.at[index].steps.next;
	beside_free(mpi, index);
}

void collective_begin_beside(struct mpi *mpi, struct rank *rank, int32_t token)
{
	int32_t index = beside_new(mpi), *link = &rank->steps.next;
	struct beside *beside = &mpi->besides.at[index];

	rank->op.kind = OP_COLLECTIVE;
	beside_begin(mpi, rank, index);
	beside->token = token;
	beside->steps.next = NONE;
	while (*link != NONE)
		link = &mpi->besides.at[*link].steps.next;
	*link = index;
	if (!beside_goes_on(mpi, rank, index))
		end_beside(mpi, rank, link);
}

bool collectives_go_on_beside(struct mpi *mpi, struct rank *rank)
{
	int32_t *link = &rank->steps.next;
	bool has_gone_on = false;

	while (*link != NONE) {
		struct steps *steps = &mpi->besides.at[*link].steps;

		if (steps->npending > 0) {
			link = &steps->next;
			continue;
		}
		has_gone_on = true;
		if (beside_goes_on(mpi, rank, *link))
			link = &steps->next;
		else
			end_beside(mpi, rank, link);
	}
	return has_gone_on;
}
