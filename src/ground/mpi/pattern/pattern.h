/* pattern.h - communication patterns: what each rank of a job calls, one call after the other */
#ifndef MPI_PATTERN_PATTERN_H
#define MPI_PATTERN_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/registry.h"
#include "model/mpi_collective.h"
#include "model/task_graph.h"
#include "model/topo.h"

struct collective_algorithm; /* mpi/collective/collective.h */

enum op_kind {
	OP_END, /* of a pattern's iteration; of the whole program */
	OP_COMPUTE,
	OP_SEND,
	OP_ISEND,
	OP_RECV,
	OP_IRECV,
	OP_WAIT,
	OP_WAITALL, /* for all of the rank's requests */
	OP_COLLECTIVE,
	OP_ICOLLECTIVE, /* with a request; only in programs that are ordered */
	OP_PUT,         /* one-sided */
	OP_GET,         /* one-sided; done when the data are there */
	OP_FLUSH,       /* until all its puts have come and its collective operations are over */
	OP_CANCEL,      /* of a receive */
	OP_ENTER,       /* the loop that is measured begins; no call */
	OP_LEAVE,       /* it ends */
	OP_UNTIL, /* computes until duration_ps after the iteration began, if that is to come */
	/* I/O, which blocks: of a file, on the machine's storage */
	OP_OPEN, /* or close: no time */
	OP_READ,
	OP_WRITE,
	OP_SYNC,    /* what the rank has written is on the devices */
	OP_NOTHING, /* a call that costs what every call costs */
	OP_GRAPH,   /* a pass of the pattern's graph of tasks: sim/mpi/sim_mpi_graph.c */
	OP_EXCHANGE /* all calls of one, by who does them at once: sim/mpi/sim_mpi_exchange.c */
};

enum { ANY_RANK = -1, NO_REQUEST = -1 };

/* No simulation lasts longer: 53 days. */
#define PATTERN_MOST_PS (INT64_MAX / 2)

/* What takes longer than a simulation can takes just too long. */
static inline int64_t pattern_duration(double ps)
{
	return ps < (double)PATTERN_MOST_PS ? (int64_t)ps : PATTERN_MOST_PS + 1;
}

/* One call. What is not said is 0, but for call. Peers are ranks of the job. Each rank keeps one:
 * what only computation, only I/O and only collective operations have share
 * their place. */
struct op {
	uint8_t kind;
	bool is_inner_first, is_inner; /* part of one call: its first op, one in the middle */
	bool is_inner_last;
	bool is_synchronous; /* sends: done when it is matched; puts: when it has come */
	bool is_any_tag;
	uint8_t send_location,
		recv_location; /* enum buffer_location of the buffers, as far as known */
	int32_t peer;          /* receives: or ANY_RANK */
	int32_t request;       /* OP_ISEND, OP_IRECV, OP_ICOLLECTIVE: what OP_WAIT calls it; or
				* NO_REQUEST */
	int32_t tag;           /* 0 … 65535, within the pattern's iteration */
	int32_t part;          /* set by program_next */
	uint64_t key; /* what must match; made by program_next of the rest, unless is_keyed */
	int64_t bytes;
	union {
		int64_t duration_ps;    /* OP_COMPUTE, OP_UNTIL */
		struct {                /* of I/O */
			int64_t offset; /* where the bytes are in the file */
			int32_t file;   /* a number that program_text() knows; -1: the rank's own */
			int32_t target; /* which storage, likewise; -1: the machine's first */
		};
		/* OP_COLLECTIVE, OP_ICOLLECTIVE: the algorithm, NULL: that which the library
		 * chooses; the rank's place in its communicator, which the pattern's member()
		 * knows */
		struct {
			const struct collective_algorithm *algorithm;
			int32_t place, comm;
		};
	};
	struct collective call; /* of a collective operation, else left as it was */
};

/* What a pattern knows of its job. */
struct pattern_job {
	int nranks;
	const int *node_of; /* [nranks] */
	const struct topo *topo;
	int64_t bytes;         /* of a message; -1: not said */
	int64_t iterations;    /* 0: until the others end */
	int64_t compute_ps;    /* before each iteration */
	bool does_as_sst;      /* where descriptions leave a choice, do as SST's motifs */
	uint64_t seed;         /* for what is drawn, with run and job */
	const char *run, *job; /* run: or NULL */
	const char *folder;    /* for relative names of files; "" is the current one */
	bool accepts_partial;  /* of such files */
	/* The pattern comes from a stream: it names regular files below folder or one of these. */
	bool is_from_stream;
	const char *const *allowed; /* [nallowed] folders */
	int nallowed;
	int64_t default_bytes;   /* for patterns that must know one: 1024 */
	struct task_rates rates; /* of the GPUs */
};

enum { EXCHANGE_MOST = 2 };

/* Where a rank is. Zeroed is the beginning; step and mark are the pattern's own, and 0 at the
 * beginning of each of its iterations. */
struct cursor {
	int64_t iteration;
	int64_t mark;
	int32_t step, sub;
	int32_t part;  /* of the program: 0 before an iteration, then 1 … nparts */
	bool has_done; /* something in this iteration */
	/*
	 * A receive that a pattern gives may be the first call of an exchange, which goes on
	 * without asking the pattern: nexchange receives from `from` (requests 0, 1, …), as many
	 * blocking sends to `to`, of the same bytes and tag, and a wait for each receive. nfollow
	 * of these calls are to come. ends: the last wait ends the call that they are part of.
	 */
	uint8_t nexchange, nfollow;
	bool ends;
	int32_t from[EXCHANGE_MOST], to[EXCHANGE_MOST];
};

/* The op, of which peer, bytes and tag are known, begins an exchange of n of them. */
static inline void exchange_begin(struct cursor *cursor, struct op *op, int nexchange)
{
	cursor->nexchange = (uint8_t)nexchange;
	cursor->nfollow = (uint8_t)(3 * nexchange - 1);
	op->kind = OP_IRECV;
	op->peer = cursor->from[0];
	op->request = 0;
}

struct pattern_part {
	const struct pattern *pattern;
	const struct pick *pick;
	const struct pattern_job *job;
	int64_t bytes;    /* of a message, known */
	bool needs_order; /* set by open: as pattern.is_ordered */
	void *state;
};

/* A graph of tasks to be replayed. */
struct graph_replay {
	struct task_graph graph;
	/* [graph.algorithms.n + 1] by task.algorithm; [0] is NULL */
	const struct collective_algorithm *const *algorithms;
	double compute; /* factor for computations */
};

/* Above them a key has the part of the program, one of 8; the last bit is the simulation's. */
enum { PATTERN_KEY_BITS = 60 };

struct pattern {
	struct entry entry;
	bool is_keyed;   /* sets op->key itself, as a number of PATTERN_KEY_BITS */
	bool is_ordered; /* messages between two ranks must match in the order they were sent */
	int (*open)(struct pattern_part *part, struct err *err); /* NULL: nothing to prepare */
	void (*close)(struct pattern_part *part);                /* NULL: nothing */
	/* The rank's next call in this iteration, OP_END behind the last one. op is zeroed. */
	void (*next)(const struct pattern_part *part, int rank, struct cursor *cursor,
		     struct op *op);
	/* The rank that has a place in a communicator; NULL: all are places of the world. */
	int (*member)(const struct pattern_part *part, int comm, int place, int rank);
	/* What OP_GRAPH does; NULL: the pattern has no such op. */
	const struct graph_replay *(*graph)(const struct pattern_part *part);
	/* What op->file and op->target call it; NULL: it does no I/O. */
	const char *(*text)(const struct pattern_part *part, int32_t number);
};

extern const struct registry patterns; /* "patterns" */

/* ---- programs: iterations of a sum of patterns, with computation between ---- */

enum { PROGRAM_PARTS = 1 << (63 - PATTERN_KEY_BITS) };

struct program {
	struct pattern_job job;
	struct pick picks[PROGRAM_PARTS];
	struct pattern_part parts[PROGRAM_PARTS];
	int nparts;
	bool is_ordered;
	bool has_graph;
};

/* text: a pick, or several with + between ("halo3d+allreduce"). What job points at must outlive the
 * program, which must not move. */
int program_open(struct program *program, const char *text, const struct pattern_job *job,
		 struct err *err);
void program_close(struct program *program);
/* The next call of a rank; OP_END when it is done. op: what the last one of the rank left there. */
void program_next(const struct program *program, int rank, struct cursor *cursor, struct op *op);
int program_member(const struct program *program, const struct op *op, int place, int rank);
/* The graph of OP_GRAPH of a part; NULL: it has none. */
const struct graph_replay *program_graph(const struct program *program, int part);
/* The name of a file or target of I/O that a part does; NULL: it has none. */
const char *program_text(const struct program *program, int part, int32_t number);
/* Whether text would open, as far as that is known without a job. */
int program_check(const char *text, struct err *err);

/* ---- process grids (process_grid.c) ---- */

enum { GRID_DIMS = 4 };

/* Rank = position[0] + size[0]·(position[1] + size[1]·(…)). */
struct grid {
	int ndims;
	int size[GRID_DIMS];
	bool is_periodic;
};

/* 2 dimensions: the largest divisor of n not above its square root, and the rest. */
void grid_square(struct grid *grid, int n);
/* 3 dimensions, as SST's motifs: of all factorizations in lexicographic order the last one of the
 * least variance, in whole numbers. */
void grid_cube(struct grid *grid, int n);
/* Any number of dimensions: the least sum of the sides, ascending towards the last dimension; of
 * equal ones the first in lexicographic order. */
void grid_even(struct grid *grid, int ndims, int n);
/* The rank at an offset from a rank; -1: outside, or the rank itself. */
int grid_neighbour(const struct grid *grid, int rank, const int8_t *offset /* [ndims] */);

/* ---- shapes that several patterns have (shapes.c) ---- */

/* A neighbour to exchange messages with: offset in the grid, and bytes. */
struct halo_face {
	int8_t offset[GRID_DIMS];
	int64_t bytes;
};

/* irecv from all, isend to all, waitall; the sender's tag is that of the opposite face.
 * opposite [nfaces] */
void exchange_next(const struct grid *grid, const struct halo_face *faces, const int *opposite,
		   int nfaces, int rank, struct cursor *cursor, struct op *op);
/* Fills opposite: the face whose offset is the negative one. */
void halo_opposites(const struct halo_face *faces, int nfaces, int *opposite);

/* One step of an all-to-all in a group: irecv from (place - i), send to (place + i), wait, for
 * i = 1 … n - 1. size_of gives what place to sends to whom; the rest is the caller's. */
struct group_alltoall {
	int n, place;
	int32_t tag;
	bool is_first, is_last; /* whether the call begins and ends with it: yes and yes */
};
/* Sets op (peers are places) and advances cursor->sub; false when it is over, with sub 0. */
bool group_alltoall_next(const struct group_alltoall *group, struct cursor *cursor, struct op *op);

/* ---- for patterns that read files ---- */

/* The path of the file that the parameter names, to be freed; NULL: it may not be opened. */
char *pattern_file(const struct pattern_part *part, const char *param, struct err *err);
/* Opens a pattern of one file, path=: load sets part->state, and what it left there after an error
 * is closed. */
int pattern_open_file(struct pattern_part *part,
		      int (*load)(struct pattern_part *part, const char *path, struct err *err),
		      struct err *err);

#endif
