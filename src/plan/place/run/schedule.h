/* schedule.h - a stream of jobs passes over a machine in time, run by run */
#ifndef PLACE_RUN_SCHEDULE_H
#define PLACE_RUN_SCHEDULE_H

#include "place/policy/policy.h"
#include "place/run/site_rules.h"
#include "place/state/free_times.h"

/* How a job fared. Zeroed before. */
struct outcome {
	bool is_placed;
	bool is_booked;           /* it came with its nodes, as a running job does */
	bool is_decided;          /* it is placed, or will not be */
	bool is_over;             /* it has no nodes any more, or never gets any */
	bool is_told;             /* handed to schedule->decided */
	int64_t start_ns, end_ns; /* JOB_NO_TIME: not known, or never */
	/* In the order of picking, then those that no other job gets as long as it runs; all are
	 * given back with its end. */
	int_vec nodes;
	char *nodelist;        /* of a job that was placed here: its nodes as text */
	int nnodes;            /* of one: may be more than it asked for */
	char *cpus_per_node;   /* of one that asks for tasks: as text */
	char *partition;       /* of one that named several: that of its nodes */
	char *io_nodelist;     /* of one: its I/O nodes as text; NULL: none */
	char *reason;          /* NULL: nothing to say */
	struct outcome *parts; /* [nparts] of a heterogeneous job; NULL: it is none */
	int nparts;
};
void outcome_free(struct outcome *outcome);
/* What is written of it, and not needed any more. */
void outcome_free_texts(struct outcome *outcome);

/* What is known of each node before the jobs come. */
enum node_use {
	NODE_IDLE, /* may be given out */
	NODE_BUSY, /* is not idle now; the end of a job that is booked on it gives it back */
	NODE_AWAY, /* down, drained, no compute node: never given out */
};

struct confine;  /* place/run/confine.h */
struct eligible; /* place/run/eligible.h */
struct stock;    /* place/run/stock.h */

struct schedule {
	const struct topo *topo;
	struct alloc *alloc;
	const struct pick *queue;      /* of the registry queues */
	const struct traffic *traffic; /* NULL: none */
	int64_t max_age_ns;            /* of a window of it; JOB_NO_TIME: by its length */
	uint64_t seed;
	bool explains;             /* keep the reasons */
	unsigned char *use;        /* [nnodes] of enum node_use */
	struct eligible *eligible; /* islands, partitions, features; NULL: all nodes alike */
	struct site_rules rules;   /* of partitions and reservations */
	int64_t delay_ns;          /* a job that is chosen at a time starts so much later */
	struct stock *stock;       /* CPUs, GPUs, memory of the nodes; NULL: not known */
	bool is_selective;         /* some jobs of the run may not have every node */
	bool is_sharing;           /* some may have parts of nodes; then stock keeps who has what */
	struct confine *confine;   /* constraints and I/O nodes; NULL: neither */
	struct lacking *lacking;   /* takes nodes that the machine lacks; NULL: they are errors */
	const struct outcome *outcomes; /* of the run that passes; NULL: none does */
	const struct job *jobs;         /* likewise */
	const struct job *group;        /* whose components are chosen for; NULL: none's */
	int64_t *come_ns; /* [jobs] when each arrived, where jobs wait for leaf switches; NULL */
	struct machine machine;
	struct bitset trial; /* the idle nodes of a state that queues look at; made when needed */
	int *holder; /* [nnodes] the job of the run that gives the node back at its end; -1 */

	/* Called for each job of a run in the order of the stream, once it and all before it are
	 * decided, or (by_end) as they end, those that get no nodes once that is decided, those
	 * without an end after all others; may free the outcome's texts. NULL: no callback. */
	bool by_end;
	void (*decided)(void *context, int job, struct outcome *outcome);
	void *context;
	struct job_feed *feed; /* place/run/job_feed.h; NULL: the jobs of a run are all there */
};

/* All nodes idle; set use[] and what else is known, then schedule_ready, which also takes the
 * separate I/O nodes of the topology away. topo, alloc and queue must outlive it. */
void schedule_init(struct schedule *schedule, const struct topo *topo, struct alloc *alloc,
		   const struct pick *queue);
void schedule_ready(struct schedule *schedule);
void schedule_free(struct schedule *schedule);

/*
 * Places the jobs of one run, which starts on the machine as it was given. Jobs that are placed
 * already are booked first, each until its end; two bookings of a node at one time are refused.
 * When the others start is the queue's affair (place/queue/queue.h); a job ends runtime_s (else
 * walltime_s) after its start and gives its nodes back; one without either keeps them.
 * jobs, outcomes [n]. With a feed there are none yet (NULL, NULL, 0), and none may be placed
 * already.
 */
int schedule_run(struct schedule *schedule, const struct job *jobs, struct outcome *outcomes, int n,
		 struct err *err);

#endif
