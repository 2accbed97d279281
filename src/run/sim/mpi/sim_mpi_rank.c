/* sim_mpi_rank.c - ranks: from one call to the next */
#include "sim/mpi/protocol.h"
#include "sim/mpi/sim_mpi_graph.h"

/*
 * The phases of a call: its own work; handing a message over; waiting, while arrivals are dealt
 * with; and leaving, with what has arrived until then dealt with once more. A rank's clock may run
 * ahead of the network's time as long as nothing that comes from outside can matter; where it can,
 * a timer waits for the network.
 */

static bool enter_later(struct mpi *mpi, struct rank *rank)
{
	rank->has_timer = true;
	set_timer(mpi, rank->node, rank->clock, TIMER_RANK, number_of(mpi, rank));
	return false;
}

/* Whether the phase can begin now; else the timer was set. */
static inline __attribute__((always_inline)) bool enter(struct mpi *mpi, struct rank *rank,
							enum phase phase)
{
	rank->phase = phase;
	if (rank->clock > *mpi->now || rank->left_ps == *mpi->now)
		return enter_later(mpi, rank);
	rank->clock = *mpi->now;
	return true;
}

/* Where the clock may run ahead the call goes on. */
static inline __attribute__((always_inline)) bool enter_wait(struct mpi *mpi, struct rank *rank)
{
	rank->phase = PHASE_WAIT;
	return rank->runs_ahead || enter(mpi, rank, PHASE_WAIT);
}

/* Registering memory for a large message. */
static int64_t pin_ps(const struct mpi *mpi, int64_t bytes)
{
	const struct sim_params *params = mpi->params;

	return params->pin_base_ps + bytes / 4096 * params->pin_page_ps;
}

/* ---- waiting ---- */

/* What the call waited for was over only then. */
static void catch_up(struct rank *rank, int64_t done_ps)
{
	if (done_ps <= rank->clock)
		return;
	rank->wait_ps += done_ps - rank->clock;
	rank->clock = done_ps;
}

static bool is_waited_for(struct mpi *mpi, struct rank *rank)
{
	switch ((enum waiting)rank->waiting) {
	case WAIT_NOTHING:
		return true;
	case WAIT_BLOCKING:
		return !rank->is_blocked;
	case WAIT_REQUEST:
		if (!mpi->requests.at[rank->waiting_for].is_done)
			return false;
		rank->received = mpi->requests.at[rank->waiting_for].receives;
		catch_up(rank, mpi->requests.at[rank->waiting_for].done_ps);
		request_forget(mpi, rank, rank->waiting_for);
		return true;
	case WAIT_ALL:
		if (rank->nunfinished > 0)
			return false;
		catch_up(rank, rank->any_left_ps);
		while (rank->requests != NONE) {
			catch_up(rank, mpi->requests.at[rank->requests].done_ps);
			request_forget(mpi, rank, rank->requests);
		}
		return true;
	case WAIT_STEP:
		if (rank->steps.npending > 0)
			return false;
		catch_up(rank, rank->steps.left_ps);
		return true;
	case WAIT_FLUSH:
		return rank->nputs == 0 && rank->steps.next == NONE;
	}
	return true;
}

/* ---- calls that send ---- */

int64_t copy_ps(const struct mpi *mpi, int64_t bytes)
{
	return (int64_t)((double)bytes * mpi->params->copy_ps_per_byte + .5);
}

static uint32_t next_order(struct mpi *mpi, const struct rank *rank, int32_t src, int32_t dst)
{
	uint64_t pair = (uint64_t)src << 32 | (uint32_t)dst;
	int64_t order = 0;

	if (!mpi->jobs.at[rank->job].job->program->is_ordered)
		return 0;
	umap_get(&mpi->sent, pair, &order);
	umap_set(&mpi->sent, pair, order + 1);
	return (uint32_t)order;
}

const struct protocol *protocol_of_op(struct mpi *mpi, const struct rank *rank, int32_t dst)
{
	const struct op *op = &rank->op;

	return protocol_of(mpi, rank, dst, op->bytes, op->is_synchronous, gpu_way(mpi, op));
}

/* A message to a rank, which token is waiting for; its time to be handed over has come, or comes
 * at_ps. */
int32_t make_send(struct mpi *mpi, struct rank *rank, int32_t dst, const struct protocol *protocol,
		  int32_t token, int step, bool *is_complete)
{
	const struct op *op = &rank->op;
	int32_t src = number_of(mpi, rank), which = message_new(mpi);
	struct message *message = &mpi->messages.at[which];

	message->way = (uint8_t)(src == dst ? GPU_NONE : gpu_way(mpi, op));
	message->protocol = protocol;
	message->key = op->key;
	message->bytes = op->bytes;
	message->src = src;
	message->dst = dst;
	message->step = step;
	message->sender_token = token;
	*is_complete = protocol->begin(mpi, which);
	if (message_must_match(&mpi->messages.at[which]))
		mpi->messages.at[which].order = next_order(mpi, rank, src, dst);
	return which;
}

static void hand_over_two_sided(struct mpi *mpi, struct rank *rank)
{
	bool is_blocking = rank->op.kind == OP_SEND, is_complete;
	int32_t dst = over_all(mpi, rank, rank->op.peer);
	int32_t token = is_blocking ? TOKEN_BLOCKING : request_new(mpi, rank, rank->op.request, -1);
	int32_t which;

	rank->is_blocked = is_blocking;
	which = make_send(mpi, rank, dst, protocol_of_op(mpi, rank, dst), token, 0, &is_complete);
	if (is_complete)
		complete(mpi, rank, token);
	rank->waiting = is_blocking ? WAIT_BLOCKING : WAIT_NOTHING;
	if (rank->runs_ahead && mpi->messages.at[which].sender_token == token) {
		message_send_of(mpi, rank, which, token);
		return;
	}
	message_send_at(mpi, which, message_leaves_ps(mpi, &mpi->messages.at[which], rank->clock));
	if (mpi->messages.at[which].protocol->registers)
		rank->clock += mpi->params->send_delay_ps;
}

static void hand_over_one_sided(struct mpi *mpi, struct rank *rank)
{
	int32_t which = message_new(mpi);
	struct message *message = &mpi->messages.at[which];

	message->protocol = &protocol_one_sided;
	message->src = number_of(mpi, rank);
	message->dst = over_all(mpi, rank, rank->op.peer);
	message->bytes = rank->op.bytes;
	message->kind = rank->op.kind == OP_GET ? MESSAGE_GET : MESSAGE_PUT;
	rank->is_blocked = true;
	rank->waiting = WAIT_BLOCKING;
	if (rank->op.kind == OP_GET || rank->op.is_synchronous) {
		message->receiver_token = TOKEN_BLOCKING;
	} else {
		message->sender_token = TOKEN_BLOCKING;
		rank->nputs++;
	}
	if (rank->runs_ahead && message->sender_token == TOKEN_BLOCKING)
		message_send_of(mpi, rank, which, TOKEN_BLOCKING);
	else
		message_send(mpi, which);
}

static void hand_over(struct mpi *mpi, struct rank *rank)
{
	if (rank->op.kind == OP_EXCHANGE)
		exchange_send(mpi, rank);
	else if (is_io(&rank->op))
		io_begin(mpi, rank);
	else if (rank->op.kind == OP_PUT || rank->op.kind == OP_GET)
		hand_over_one_sided(mpi, rank);
	else
		hand_over_two_sided(mpi, rank);
}

/* ---- one call after the other ---- */

static void finish(struct mpi *mpi, struct rank *rank)
{
	struct job_state *job = &mpi->jobs.at[rank->job];

	rank->phase = PHASE_DONE;
	if (rank->clock > job->end_ps)
		job->end_ps = rank->clock;
	if (!job->is_endless && rank->clock > mpi->end_ps)
		mpi->end_ps = rank->clock;
	if (--job->nrunning > 0 || job->is_endless)
		return;
	if (--mpi->nunfinished == 0 && mpi->has_endless)
		net_enough(mpi->net, mpi->end_ps);
}

/* Bytes of a receive of an eager message; −1: it is of another one. */
static int64_t eager_receive(struct mpi *mpi, const struct op *op)
{
	return op->bytes <= mpi->params->eager_bytes && gpu_way(mpi, op) != GPU_GPUDIRECT
		       ? op->bytes
		       : -1;
}

static bool begin_receive(struct mpi *mpi, struct rank *rank)
{
	const struct op *op = &rank->op;
	bool is_blocking = op->kind == OP_RECV;
	int32_t index;
	struct posted posted = {.key = op->key,
				.mask = op->is_any_tag ? ~(uint64_t)UINT32_MAX : UINT64_MAX,
				.src = over_all(mpi, rank, op->peer),
				.way = (uint8_t)gpu_way(mpi, op)};

	if (op->bytes > mpi->params->eager_bytes)
		rank->clock += pin_ps(mpi, op->bytes);
	rank->is_blocked = is_blocking;
	posted.token = is_blocking ? TOKEN_BLOCKING
				   : request_new(mpi, rank, op->request, eager_receive(mpi, op));
	index = receive(mpi, rank, &posted);
	if (index != NONE)
		clear_early(mpi, rank, index, op->bytes);
	rank->waiting = is_blocking ? WAIT_BLOCKING : WAIT_NOTHING;
	return enter_wait(mpi, rank);
}

static bool begin_send(struct mpi *mpi, struct rank *rank)
{
	const struct op *op = &rank->op;
	const struct protocol *protocol = &protocol_one_sided;

	if (op->kind == OP_SEND || op->kind == OP_ISEND)
		protocol = protocol_of_op(mpi, rank, over_all(mpi, rank, op->peer));
	rank->clock += mpi->params->send_setup_ps;
	if (protocol->registers)
		rank->clock += pin_ps(mpi, op->bytes);
	if (protocol->copies)
		rank->clock += copy_ps(mpi, op->bytes);
	return enter(mpi, rank, PHASE_HANDOVER);
}

static bool begin_wait(struct mpi *mpi, struct rank *rank)
{
	rank->waiting = WAIT_ALL;
	if (rank->op.kind == OP_FLUSH)
		rank->waiting = WAIT_FLUSH;
	if (rank->op.kind == OP_WAIT) {
		rank->waiting_for = request_find(mpi, rank, rank->op.request);
		rank->waiting = rank->waiting_for == NONE ? WAIT_NOTHING : WAIT_REQUEST;
	}
	return enter_wait(mpi, rank);
}

static bool begin_collective(struct mpi *mpi, struct rank *rank)
{
	rank->waiting = WAIT_NOTHING;
	collective_begin(mpi, rank);
	return enter(mpi, rank, PHASE_WAIT);
}

static bool begin_collective_beside(struct mpi *mpi, struct rank *rank)
{
	rank->waiting = WAIT_NOTHING;
	collective_begin_beside(mpi, rank, request_new(mpi, rank, rank->op.request, -1));
	return enter(mpi, rank, PHASE_WAIT);
}

static bool begin_cancel(struct mpi *mpi, struct rank *rank)
{
	int32_t request = request_find(mpi, rank, rank->op.request);

	rank->waiting = WAIT_NOTHING;
	if (request != NONE) {
		cancel(mpi, rank, request);
		if (mpi->requests.at[request].is_done)
			request_forget(mpi, rank, request);
	}
	return enter_wait(mpi, rank);
}

static bool begin_kind(struct mpi *mpi, struct rank *rank)
{
	switch ((enum op_kind)rank->op.kind) {
	case OP_SEND:
	case OP_ISEND:
	case OP_PUT:
	case OP_GET:
		return begin_send(mpi, rank);
	case OP_RECV:
	case OP_IRECV:
		return begin_receive(mpi, rank);
	case OP_WAIT:
	case OP_WAITALL:
	case OP_FLUSH:
		return begin_wait(mpi, rank);
	case OP_COLLECTIVE:
		return begin_collective(mpi, rank);
	case OP_ICOLLECTIVE:
		return begin_collective_beside(mpi, rank);
	case OP_CANCEL:
		return begin_cancel(mpi, rank);
	case OP_GRAPH:
		rank->waiting = WAIT_NOTHING;
		tasks_begin(mpi, rank);
		return enter_wait(mpi, rank);
	default:
		rank->waiting = WAIT_NOTHING;
		return enter_wait(mpi, rank);
	}
}

/* Whether it makes a difference when the call begins. */
static bool has_its_time(const struct mpi *mpi, const struct op *op)
{
	switch ((enum op_kind)op->kind) {
	case OP_COLLECTIVE:
	case OP_ICOLLECTIVE:
	case OP_CANCEL:
		return true;
	case OP_RECV:
	case OP_IRECV:
		return op->bytes > mpi->params->eager_bytes; /* the answer to a request */
	default:
		return false;
	}
}

static void end_call(struct mpi *mpi, struct rank *rank)
{
	rank->phase = PHASE_NEXT;
	if (is_io(&rank->op))
		return;
	if (rank->op.is_inner && !rank->op.is_inner_last)
		return;
	rank->clock += mpi->params->call_exit_ps;
	rank->mpi_ps += rank->clock - rank->call_ps;
}

/* The exchange's sends, one when the other has left. Returns whether the rank goes on. */
static bool send_exchange(struct mpi *mpi, struct rank *rank)
{
	do {
		if (!enter(mpi, rank, PHASE_HANDOVER))
			return false;
		exchange_send(mpi, rank);
		rank->phase = PHASE_WAIT;
		if (rank->arrived.first != NONE)
			work_off_now(mpi, rank);
		if (rank->is_blocked)
			return false;
	} while (rank->nto > 0);
	if (rank->steps.npending > 0)
		return false;
	end_call(mpi, rank);
	return true;
}

/* The next call. Returns whether it can go on at once. */
static bool begin_call(struct mpi *mpi, struct rank *rank)
{
	const struct job_state *job = &mpi->jobs.at[rank->job];
	struct op *op = &rank->op;

	rank->has_waited = false;
	rank->received = -1;
	program_next(job->job->program, number_of(mpi, rank) - job->first, &rank->cursor, op);
	if (op->kind == OP_END) {
		if (rank->nputs == 0 && rank->steps.next == NONE)
			return enter(mpi, rank, PHASE_END);
		op->kind = OP_FLUSH;
	}
	if ((uint32_t)rank->cursor.iteration != rank->iteration) {
		rank->iteration = (uint32_t)rank->cursor.iteration;
		rank->iteration_ps = rank->clock;
	}
	if (op->kind == OP_UNTIL) {
		op->duration_ps += rank->iteration_ps - rank->clock;
		op->kind = OP_COMPUTE;
		if (op->duration_ps < 0)
			op->duration_ps = 0;
	}
	if (op->kind == OP_OPEN)
		return true;
	if (op->kind == OP_COMPUTE)
		return enter(mpi, rank, PHASE_COMPUTE);
	if (is_io(op)) /* not a call of MPI: what comes meanwhile waits for the next one */
		return enter(mpi, rank, PHASE_HANDOVER);
	if (op->kind == OP_ENTER || op->kind == OP_LEAVE) {
		struct rank_rest *rest = rest_of(mpi, rank);
		int sign = op->kind == OP_LEAVE ? 1 : -1;

		rest->loop_ps += sign * rank->clock;
		rest->loop_compute_ps += sign * rank->compute_ps;
		rest->has_loop = true;
		return true;
	}
	if (!op->is_inner || op->is_inner_first) {
		rank->call_ps = rank->clock;
		rank->clock += mpi->params->call_enter_ps;
	}
	if (rank->cursor.nfollow > 0 && op->kind == OP_IRECV && exchange_take(mpi, rank))
		return send_exchange(mpi, rank);
	if (rank->runs_ahead && has_its_time(mpi, op) && !enter(mpi, rank, PHASE_BEGIN))
		return false;
	return begin_kind(mpi, rank);
}

/* A large message that was received: its memory is no longer registered. */
static int64_t unpin_ps(const struct mpi *mpi, const struct rank *rank)
{
	return rank->op.kind == OP_RECV && rank->op.bytes > mpi->params->eager_bytes
		       ? pin_ps(mpi, rank->op.bytes)
		       : 0;
}

/* An eager message came while its receive waited. */
static int64_t waited_ps(struct mpi *mpi, const struct rank *rank)
{
	int64_t bytes = rank->op.kind == OP_RECV ? eager_receive(mpi, &rank->op) : rank->received;

	if (!rank->has_waited || bytes < 0 || mpi->params->receive_wait_ps == 0)
		return 0;
	return mpi->params->receive_wait_ps + copy_ps(mpi, bytes);
}

static bool wait_exchange(struct mpi *mpi, struct rank *rank)
{
	if (rank->arrived.first != NONE)
		work_off_now(mpi, rank);
	if (rank->is_blocked)
		return false;
	if (rank->nto > 0)
		return send_exchange(mpi, rank);
	if (rank->steps.npending > 0)
		return false;
	end_call(mpi, rank);
	return true;
}

/* In PHASE_WAIT at its clock: is it complete, has something come, or must it wait? */
static bool wait(struct mpi *mpi, struct rank *rank)
{
	if (is_io(&rank->op)) {
		if (!rank->is_blocked)
			end_call(mpi, rank);
		return !rank->is_blocked;
	}
	if (rank->op.kind == OP_EXCHANGE)
		return wait_exchange(mpi, rank);
	if (rank->op.kind == OP_GRAPH) {
		if (tasks_go_on(mpi, rank))
			return false;
		end_call(mpi, rank);
		return true;
	}
	if (rank->steps.next != NONE && collectives_go_on_beside(mpi, rank))
		return enter(mpi, rank, PHASE_WAIT);
	if (rank->runs_ahead && rank->arrived.first != NONE)
		work_off_now(mpi, rank);
	if (is_waited_for(mpi, rank)) {
		rank->waiting = WAIT_NOTHING;
		if (rank->steps.nsteps > 0) {
			if (!enter(mpi, rank, PHASE_WAIT))
				return false;
			if (collective_goes_on(mpi, rank))
				return enter(mpi, rank, PHASE_WAIT);
		}
		if (rank->runs_ahead) {
			end_call(mpi, rank);
			return true;
		}
		rank->clock += unpin_ps(mpi, rank) + waited_ps(mpi, rank);
		if (rank->arrived.first == NONE && rank->clock <= *mpi->now) {
			end_call(mpi, rank); /* what PHASE_LEAVE would do now */
			return true;
		}
		return enter(mpi, rank, PHASE_LEAVE);
	}
	if (rank->arrived.first == NONE) {
		rank->has_waited = true;
		return false;
	}
	work_off(mpi, rank);
	return enter_wait(mpi, rank);
}

void rank_refuse_length(struct mpi *mpi, const struct rank *rank)
{
	const struct job_state *job = &mpi->jobs.at[rank->job];
	struct err *err = net_fail(mpi->net);

	if (err != NULL)
		err_set(err,
			"job %s: rank %d would compute beyond 53 days of simulated time, the most "
			"that there can be",
			job->job->name, number_of(mpi, rank) - job->first);
}

void rank_run(struct mpi *mpi, int32_t which)
{
	struct rank *rank = rank_at(mpi, which);
	bool goes_on = true;

	rank->is_working = true;
	if (rank->clock < *mpi->now) {
		if (rank->phase == PHASE_WAIT && !is_io(&rank->op) && rank->op.kind != OP_GRAPH)
			rank->wait_ps += *mpi->now - rank->clock;
		rank->clock = *mpi->now;
	}
	while (goes_on)
		switch ((enum phase)rank->phase) {
		case PHASE_NEXT:
			goes_on = begin_call(mpi, rank);
			break;
		case PHASE_HANDOVER:
			hand_over(mpi, rank);
			goes_on = enter_wait(mpi, rank);
			break;
		case PHASE_WAIT:
			goes_on = wait(mpi, rank);
			break;
		case PHASE_LEAVE:
			if (rank->arrived.first == NONE) {
				end_call(mpi, rank);
				break;
			}
			work_off(mpi, rank);
			if (rank->steps.next != NONE)
				collectives_go_on_beside(mpi, rank);
			goes_on = enter(mpi, rank, PHASE_WORKED);
			break;
		case PHASE_WORKED:
			end_call(mpi, rank);
			break;
		case PHASE_BEGIN:
			goes_on = begin_kind(mpi, rank);
			break;
		case PHASE_COMPUTE:
			if (rank->op.duration_ps > PATTERN_MOST_PS - rank->clock) {
				rank_refuse_length(mpi, rank);
				goes_on = false;
				break;
			}
			rank->clock += rank->op.duration_ps;
			rank->compute_ps += rank->op.duration_ps;
			goes_on = enter(mpi, rank, PHASE_NEXT);
			break;
		case PHASE_END:
			finish(mpi, rank);
			goes_on = false;
			break;
		case PHASE_DONE:
			goes_on = false;
			break;
		}
	rank->is_working = false;
}

void rank_poke(struct mpi *mpi, int32_t which)
{
	struct rank *rank = rank_at(mpi, which);

	if (rank->is_working)
		return;
	/* between calls nothing is looked at; a timer that is set will look by itself, or the rank
	 * has run ahead of a send that is not over */
	if (!rank->has_timer && rank->phase == PHASE_WAIT)
		rank_run(mpi, which);
	else if (rank->runs_ahead && rank->has_timer && rank->phase != PHASE_NEXT)
		work_off_now(mpi, rank);
}
