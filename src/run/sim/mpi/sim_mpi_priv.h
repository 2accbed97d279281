/* sim_mpi_priv.h - what the files of the MPI layer share */
#ifndef SIM_MPI_SIM_MPI_PRIV_H
#define SIM_MPI_SIM_MPI_PRIV_H

#include "base/mem.h"
#include "base/umap.h"
#include "sim/mpi/sim_mpi.h"
#include "sim/network/net_pool.h"

/* Lists are of indices into pools; NONE ends them. */
enum { NONE = -1 };
struct list {
	int32_t first, last;
};

/* What a message is at the moment. */
enum message_kind {
	MESSAGE_EAGER,  /* the data, to the rank */
	MESSAGE_LOCAL,  /* the same inside a node, whose sender waits for the match */
	MESSAGE_ASK,    /* a large one's request, to the rank */
	MESSAGE_ANSWER, /* back to the sender's node, which needs no rank for it */
	MESSAGE_DATA,   /* what was asked for; to the rank */
	MESSAGE_DONE,   /* back to the sending rank: its call is complete */
	MESSAGE_RTS,    /* request to send, of which the receiver's answer may be on its way */
	MESSAGE_CTS, /* clear to send, back to the sender's node: sim/protocol/receiver_driven.c */
	MESSAGE_CLEARED,  /* the data, which the receiver has cleared; to the rank */
	MESSAGE_PUT,      /* to the node; the sender counts those that came */
	MESSAGE_PUT_DONE, /* back to the rank */
	MESSAGE_GET,      /* to the node */
	MESSAGE_GET_DATA  /* back to the rank */
};

/*
 * Whose completion it is: a number of a request, or one of these. A blocking call is the only one
 * of its rank at a time.
 */
enum { TOKEN_BLOCKING = -1, TOKEN_ANY = -2, TOKEN_STEP = -3, TOKEN_NONE = -4 };

/* Or the step of a collective operation that goes on beside other calls: its index in the pool. */
static inline int32_t token_beside(int32_t beside)
{
	return TOKEN_NONE - 1 - beside;
}

static inline int32_t beside_of(int32_t token)
{
	return TOKEN_NONE - 1 - token;
}

struct protocol; /* protocol.h */

struct message {
	const struct protocol *protocol;
	uint64_t key;
	int64_t bytes;
	int32_t src, dst;     /* ranks over all jobs */
	int32_t step;         /* of a collective, from 1; 0: none */
	int32_t sender_token; /* complete when it has left, or MESSAGE_DONE is back */
	union {
		/* until it is matched: among those from src to dst, where the order counts */
		uint32_t order;
		/* once matched; of one-sided calls: complete with the answer */
		int32_t receiver_token;
	};
	int32_t next;
	/* Of messages that a receiver clears: which it is, from 1, of those from src to dst with
	 * its key; of an eager one: how many of them went before it. */
	uint32_t ordinal;
	uint8_t way; /* enum gpu_mode: of its data */
	uint8_t kind;
	uint8_t nleaving;      /* times it was sent and has not left its node yet */
	bool is_forgotten : 1; /* free as soon as it has */
	bool is_between : 1;   /* nodes; known when it was sent */
};
_Static_assert(sizeof(struct message) == 56, "there are millions of them");

struct messages {
	LINKED_POOL(struct message);
};

struct posted {
	uint64_t key, mask;
	int32_t src; /* over all jobs; NONE: anybody */
	int32_t step;
	int32_t token;
	int32_t next;
	uint32_t ordinal; /* of the message that it has cleared; 0: none yet */
	uint8_t way;      /* enum gpu_mode: of its call */
};

/* What a rank sends in a step of a collective, to a rank over all jobs. */
struct step_send {
	int64_t bytes;
	int32_t dst;
};

/* A request that a wait may name. */
struct request {
	int64_t receives; /* bytes of a receive of an eager message; −1: it is none */
	int64_t done_ps;  /* of one that is done: not before; 0: at once */
	int32_t id, next;
	bool is_done;
};

/* How far a rank is in a collective operation. */
struct steps {
	/* When the last byte leaves of what the step has sent, as far as the network knew it at
	 * the hand-over. */
	int64_t left_ps;
	int64_t copied_ps;    /* when the copy of this half is done; 0: there is none */
	int32_t step;         /* the next one */
	uint32_t nsteps : 31; /* 0: there is no operation */
	bool was_sending : 1; /* the step ended with what it sent */
	int32_t npending;     /* messages of the step that are not done */
	int32_t next;         /* of the operations that go on beside others, in the pool */
};

/* A collective operation with a request: in the calls of its rank it begins its next step when the
 * messages of the last one are done. */
struct beside {
	struct op op; /* its call */
	struct steps steps;
	int32_t token; /* of its request */
	int32_t task;  /* of a graph, which it is; NONE: it is none */
	int32_t rank;  /* over all jobs, of a task */
	int64_t begin_ps;
	bool is_begun; /* its step is being begun: what is done at once is seen then */
};

enum phase {
	PHASE_NEXT,     /* the next call */
	PHASE_HANDOVER, /* the call's message goes to the NIC */
	PHASE_WAIT,     /* in a call, which may be complete */
	PHASE_WORKED,   /* arrivals were dealt with, while in a call */
	PHASE_LEAVE,    /* the call is complete: what has come? */
	/* the network's time has come to the rank's clock, where it goes on with what it is to do
	 * at that time: the call, a computation, its end */
	PHASE_BEGIN,
	PHASE_COMPUTE,
	PHASE_END,
	PHASE_DONE
};

enum waiting { WAIT_NOTHING, WAIT_BLOCKING, WAIT_REQUEST, WAIT_ALL, WAIT_STEP, WAIT_FLUSH };

/* What few ranks have, in an array of which nothing is touched but what is used. */
struct rank_rest {
	uint32_t run;                     /* mpi.run, or all is as before the run */
	bool has_loop;                    /* the trace names one */
	int64_t copy_ps;                  /* of copies between its GPU and the host */
	int64_t loop_ps, loop_compute_ps; /* in the region that the trace names */
	struct list parked;               /* messages whose turn has not come */
	struct list offers;               /* data that wait at their sender to be cleared */
	struct list grants;               /* that have come, and nothing waits for them */
	struct graph_rank *graph;         /* of the graph that it is in; NULL: none yet */
};

struct rank {
	struct cursor cursor;
	struct op op;         /* the call it is in */
	int64_t clock;        /* ps; ≥ now whenever it does something */
	int64_t call_ps;      /* when the call began */
	int64_t iteration_ps; /* when the iteration began that it is in */
	int64_t mpi_ps, compute_ps;
	int64_t wait_ps;  /* in calls that something had to come for */
	int64_t received; /* bytes of the receive that the call waited for; −1: it is none */
	int64_t sent_bytes, received_bytes; /* of messages to and from other nodes */
	/* When the last byte leaves of what was handed over last, if the network said so: what the
	 * rank does at that time has the turn of its node, behind all that arrives then. */
	int64_t left_ps;
	/* The same of what requests without a number have sent, as far as the network knew it at
	 * the hand-over. */
	int64_t any_left_ps;
	struct steps steps; /* of the call that it is in; next: the first beside it */
	struct list posted, unexpected, arrived;
	uint32_t iteration;  /* the lower bits of which one it is in */
	int32_t requests;    /* list of struct request */
	int32_t nunfinished; /* requests that are not done */
	int32_t nputs;       /* that have not come */
	int32_t waiting_for; /* WAIT_REQUEST: which */
	int32_t job, node;
	int32_t slot;  /* which of the job's ranks on its node */
	uint8_t queue; /* injection queue */
	uint8_t phase, waiting;
	uint8_t nto;         /* sends of an exchange that are to come */
	uint8_t expects;     /* bit i: what it receives from cursor.from[i] has not come */
	bool is_blocked;     /* in a blocking send or receive that is not complete */
	bool has_timer;      /* it goes on when its timer rings, whatever comes */
	bool is_working : 1; /* its loop runs: arrivals wait */
	bool runs_ahead : 1; /* is_free */
	bool has_waited : 1; /* in this call */
};
_Static_assert(sizeof(struct rank) == 320, "five cache lines: there are millions of them");

struct job_state {
	const struct mpi_job *job;
	const struct collective_algorithm *algorithm; /* of the last collective, with its call */
	int32_t first;                                /* rank over all jobs */
	int nranks;
	int nrunning; /* of the partition */
	bool is_endless;
	int64_t end_ps;
	__int128 mpi_ps; /* in calls, of all ranks; known when the run is over */
};

/* A communicator: ranks of a part of a job's program that agree on its number and its first rank.
 */
struct known_places {
	int32_t job, part, comm, first, nranks;
	struct collective_places *places; /* owned */
};

/*
 * Each partition of the network has a separate mpi, with its pools, for the ranks on its nodes;
 * the ranks themselves stand together, and jobs count those of the partition.
 */
struct mpi {
	struct net *net;    /* the partition */
	const int64_t *now; /* of it, ps */
	const struct sim_params *params;
	struct storage *storage; /* or NULL */
	struct mpi **parts;      /* [nparts] the first is the one that callers have */
	int nparts;
	/* Of all jobs, shared by the partitions. Where there are several processes each has
	 * records of its own ranks only, in their order. */
	struct rank *ranks;      /* [nrecords] */
	struct rank_rest *rests; /* [nrecords] */
	int32_t *record_of;      /* [nranks] NONE: in another process; NULL: the rank's number */
	int32_t *numbers;        /* [nrecords] the rank of a record; NULL: the record's number */
	int32_t *node_of;        /* [nranks] */
	int32_t nranks, ranks_cap;
	int32_t nrecords, records_cap;
	uint32_t run; /* how many there have been */
	VEC(struct job_state) jobs;
	struct messages messages;
	VEC(struct posted) posteds;
	VEC(struct request) requests;
	VEC(struct beside) besides;
	VEC(struct graph_rank *) graphs; /* of ranks here */
	VEC(struct mpi_task_time) task_times;
	bool records_tasks;
	VEC(struct known_places) places; /* of communicators; place_ids: by known_places' hash */
	struct umap place_ids;
	int32_t free_posted, free_request, free_beside;
	int nunfinished; /* jobs with ranks here that end by themselves and have not */
	int64_t end_ps;  /* of the last rank here of such a job that has ended */
	bool has_endless;
	bool has_unlocated; /* with GPU_TRACE: a call whose buffers are nowhere */
	/*
	 * Neither calls nor messages take a rank's time: then it makes no difference when exactly a
	 * rank looks, only what it has done before what. So its clock may run ahead of the
	 * network's time up to the next hand-over or computation, where a send is over at a time
	 * that the network knows (rank->runs_ahead: of programs that need no order of messages).
	 */
	bool is_free;
	bool takes_exchanges;             /* sim_mpi_exchange.c: as far as the parameters say */
	struct umap offered, cleared;     /* messages so far: sim/protocol/receiver_driven.c */
	struct umap copiers;              /* when a node's link between GPUs and host is free */
	struct umap sent, received;       /* the next order, by source and destination */
	VEC(struct step_send) step_sends; /* of the collective's step that is being posted */
};

static inline bool is_io(const struct op *op)
{
	return op->kind == OP_READ || op->kind == OP_WRITE || op->kind == OP_SYNC;
}

/* Cookies of timers: what, and which rank or message. */
enum timer_kind {
	TIMER_RANK,    /* it goes on */
	TIMER_MESSAGE, /* is handed to the NIC */
	TIMER_ARRIVAL, /* has come inside the node */
	TIMER_COPIED,  /* has come, and is copied to the GPU */
	TIMER_LEFT,    /* the GPU has notified the rank: GPU_SEND_DONE */
	TIMER_TASK,    /* a computation of a graph is over: which of those beside */
	TIMER_PUT      /* the rank knows that one of its puts has come */
};

/* Inside a node, where a profile says that this takes a fixed time and no copy. */
static inline bool is_short_cut(const struct mpi *mpi, int32_t a, int32_t b)
{
	return mpi->params->local_delay_ps > 0 && mpi->node_of[a] == mpi->node_of[b];
}

static inline bool has_record(const struct mpi *mpi, int32_t number)
{
	return mpi->record_of == NULL || mpi->record_of[number] != NONE;
}

/* Of one that has a record. */
static inline struct rank *rank_at(const struct mpi *mpi, int32_t number)
{
	return &mpi->ranks[mpi->record_of == NULL ? number : mpi->record_of[number]];
}

static inline int32_t number_of(const struct mpi *mpi, const struct rank *rank)
{
	int32_t record = (int32_t)(rank - mpi->ranks);

	return mpi->numbers == NULL ? record : mpi->numbers[record];
}

/* ---- pools and timers (sim_mpi.c) ---- */
/* Rings at a node, where the rank or message is. */
void set_timer(struct mpi *mpi, int32_t node, int64_t at_ps, enum timer_kind kind, int32_t which);
/* A record that nothing is written in yet. */
static inline int32_t message_take(struct mpi *mpi)
{
	return linked_take(&mpi->messages);
}
int32_t message_new(struct mpi *mpi);
static inline void message_free(struct mpi *mpi, int32_t message)
{
	if (mpi->messages.at[message].nleaving > 0) {
		mpi->messages.at[message].is_forgotten = true;
		return;
	}
	linked_give(&mpi->messages, message);
}
/* It is known when it has left. Its record may have gone to another partition already. */
static inline void message_is_away(struct mpi *mpi, int32_t which)
{
	struct message *message = &mpi->messages.at[which];

	if (--message->nleaving == 0 && message->is_forgotten)
		message_free(mpi, which);
}
void list_push(struct mpi *mpi, struct list *list, int32_t message);

/* ---- ranks' records (sim_mpi_records.c) ---- */
/* Room for the ranks of all jobs, and which of them are here. */
void records_open(struct mpi *mpi, const struct mpi_job *jobs, int njobs);
void records_close(struct mpi *mpi);
/* To be written to. */
struct rank_rest *rest_of(struct mpi *mpi, const struct rank *rank);
/* As it is. */
struct rank_rest rest_read(const struct mpi *mpi, const struct rank *rank);

/* ---- messages (sim_mpi_message.c) ---- */
/* Hands a message over to the network now; it goes from rank src to dst, or back for the kinds that
 * answer. */
void message_send(struct mpi *mpi, int32_t message);
/* The same of a message of a rank's call that token is waiting for, where it runs ahead: it is
 * complete at once where the network knows when the message leaves. */
void message_send_of(struct mpi *mpi, struct rank *rank, int32_t message, int32_t token);
/* The same at a time that may lie ahead. */
void message_send_at(struct mpi *mpi, int32_t message, int64_t at_ps);
void message_injected(struct mpi *mpi, int32_t message);
/* The rank that it comes to. */
int32_t message_receiver(const struct message *message);
void message_delivered(struct mpi *mpi, int32_t message);
/* The same, when its GPU has notified the rank. */
void message_left(struct mpi *mpi, int32_t which);
void message_has_come(struct mpi *mpi, int32_t which);
/* The rank knows that one of its puts has come. */
void put_is_known(struct mpi *mpi, int32_t rank);
/* The receive finds its message among the unexpected ones, or is posted, as it says. Moves the
 * rank's clock by what the search costs. */
int32_t receive(struct mpi *mpi, struct rank *rank, const struct posted *posted);
/* The first half: whether it finds its message. */
bool receive_unexpected(struct mpi *mpi, struct rank *rank, const struct posted *posted);
/* A receive behind those that the rank has posted. */
int32_t post(struct mpi *mpi, struct rank *rank, const struct posted *posted);
void posted_unlink(struct mpi *mpi, struct list *list, int32_t posted, int32_t before);
/* Walks the posted receives in the order of posting; else the message waits for one. */
void match(struct mpi *mpi, struct rank *rank, int32_t which);
void cancel(struct mpi *mpi, struct rank *rank, int32_t request);
/* Deals with everything that has arrived, and moves the clock by what it costs. */
void work_off(struct mpi *mpi, struct rank *rank);
/* The same where it costs nothing, at the network's time. */
void work_off_now(struct mpi *mpi, struct rank *rank);
void complete(struct mpi *mpi, struct rank *rank, int32_t token);
/* Of kinds that must match: the next one between its ranks, where the program needs an order. */
bool message_must_match(const struct message *message);

/* ---- requests (sim_mpi_requests.c) ---- */
/* receives: bytes of a receive of an eager message; −1: it is none. Returns its token. */
int32_t request_new(struct mpi *mpi, struct rank *rank, int32_t id, int64_t receives);
/* The one of that number; NONE: there is none. */
int32_t request_find(const struct mpi *mpi, const struct rank *rank, int32_t id);
void request_forget(struct mpi *mpi, struct rank *rank, int32_t index);

/* ---- between GPUs and hosts (sim_mpi_gpu.c) ---- */
/* How the data of the rank's call go, whose buffers are where the call says. */
enum gpu_mode gpu_way_of(struct mpi *mpi, const struct op *op);
static inline enum gpu_mode gpu_way(struct mpi *mpi, const struct op *op)
{
	return mpi->params->gpu == GPU_NONE ? GPU_NONE : gpu_way_of(mpi, op);
}
/* When a message leaves whose rank is done with it at from_ps. */
int64_t message_leaves_ps(struct mpi *mpi, const struct message *message, int64_t from_ps);
/* The copy of so many bytes between GPU and host, which is ready at from_ps: when it is done. */
int64_t gpu_copied_ps(struct mpi *mpi, struct rank *rank, int64_t bytes, int64_t from_ps);
/* What a copy takes without others. */
int64_t gpu_copy_ps(const struct mpi *mpi, int64_t bytes);
/* A word between a rank and its GPU. */
int64_t gpu_word_ps(const struct mpi *mpi);

/* ---- I/O (sim_mpi_io.c) ---- */
/* Ranks over all jobs are the clients of storage, if there is one. */
void io_start(struct mpi *mpi);
/* Begins what the rank's op says; the rank is blocked until it has ended. */
void io_begin(struct mpi *mpi, struct rank *rank);

/* ---- ranks (sim_mpi_rank.c) ---- */
/* A rank of the same job, by its number over all jobs; NONE: any. */
static inline int32_t over_all(const struct mpi *mpi, const struct rank *rank, int32_t peer)
{
	return peer < 0 ? NONE : mpi->jobs.at[rank->job].first + peer;
}
/* Copying so much of an eager message. */
int64_t copy_ps(const struct mpi *mpi, int64_t bytes);
/* A message to a rank (over all jobs) of what the rank's op says, which token is waiting for. */
int32_t make_send(struct mpi *mpi, struct rank *rank, int32_t dst, const struct protocol *protocol,
		  int32_t token, int step, bool *is_complete);
/* The protocol of the message that the rank's op sends. */
const struct protocol *protocol_of_op(struct mpi *mpi, const struct rank *rank, int32_t dst);

/* ---- collective operations (sim_mpi_collective.c) ---- */
/* Begins the first step that the rank has messages in. */
void collective_begin(struct mpi *mpi, struct rank *rank);
/* The next step, when the messages of the last one are done; false: there is none. */
bool collective_goes_on(struct mpi *mpi, struct rank *rank);
/* Begins one that goes on beside other calls, until the token is complete. */
void collective_begin_beside(struct mpi *mpi, struct rank *rank, int32_t token);
/* Next steps of those whose messages are done. Returns whether there was one. */
bool collectives_go_on_beside(struct mpi *mpi, struct rank *rank);

/* Room for what goes on beside others, with nothing in it; and back. */
int32_t beside_new(struct mpi *mpi);
void beside_free(struct mpi *mpi, int32_t beside);
/* The rank's op is its call. It has no message yet. */
void beside_begin(struct mpi *mpi, struct rank *rank, int32_t beside);
/* Next steps, up to one that must be waited for; false: it is over. */
bool beside_goes_on(struct mpi *mpi, struct rank *rank, int32_t beside);

/* ---- where ranks are (sim_mpi_places.c) ---- */
/* Of the communicator of the collective operation that the rank's op is. */
const struct collective_places *places_of(struct mpi *mpi, const struct rank *rank);
void places_forget(struct mpi *mpi);

/* ---- exchanges (sim_mpi_exchange.c) ---- */
/* Receives that other receives or messages stand before. */
void exchange_receive_behind(struct mpi *mpi, struct rank *rank);
/* Whether the rank's op begins one that can be done at once; then its receives are posted. */
static inline bool exchange_take(struct mpi *mpi, struct rank *rank)
{
	struct cursor *cursor = &rank->cursor;

	if (!rank->runs_ahead || !mpi->takes_exchanges ||
	    rank->op.bytes > mpi->params->eager_bytes || cursor->nexchange == 0)
		return false;
	rank->op.kind = OP_EXCHANGE;
	rank->op.is_inner_last = cursor->ends;
	rank->steps.npending = rank->nto = cursor->nexchange;
	cursor->nfollow = 0;
	if (rank->posted.first == NONE && rank->unexpected.first == NONE)
		rank->expects = (uint8_t)((1U << cursor->nexchange) - 1);
	else
		exchange_receive_behind(mpi, rank);
	return true;
}
/* Its next send. */
void exchange_send(struct mpi *mpi, struct rank *rank);
/* Whether the message is one that the rank's exchange expects, which has it then. */
static inline bool exchange_receive(struct mpi *mpi, struct rank *rank, int32_t which)
{
	const struct message *message = &mpi->messages.at[which];
	const struct cursor *cursor = &rank->cursor;
	int32_t from = message->src - mpi->jobs.at[rank->job].first;
	int i = (rank->expects & 1) != 0 && cursor->from[0] == from ? 0 : 1;

	if (message->key != rank->op.key || message->step != 0 || message->kind != MESSAGE_EAGER ||
	    (rank->expects >> i & 1) == 0 || cursor->from[i] != from)
		return false;
	rank->expects &= (uint8_t) ~(1U << i);
	rank->steps.npending--;
	message_free(mpi, which);
	return true;
}

/* ---- the end of a run, of several processes (sim_mpi_collect.c) ---- */
/* What jobs have done is known to every process. */
void mpi_collect(struct mpi *mpi);
/* The first rank that never stops waiting; NONE: there is none. */
struct stuck_rank {
	int32_t number;
	struct err err;
};
/* Each process comes with its own, and has the first of all. */
void stuck_of_all(const struct mpi *mpi, struct stuck_rank *stuck);

/* The rank would compute too long: the run ends with that. */
void rank_refuse_length(struct mpi *mpi, const struct rank *rank);
/* Goes on as far as it can. */
void rank_run(struct mpi *mpi, int32_t rank);
/* Something has come or is complete: goes on if it waits for that. */
void rank_poke(struct mpi *mpi, int32_t rank);

#endif
