/* confine.h - the constraints of a schedule, and who has which I/O nodes */
#ifndef PLACE_RUN_CONFINE_H
#define PLACE_RUN_CONFINE_H

#include "base/names.h"
#include "place/constraint/constraint_list.h"
#include "place/run/schedule.h"

/* An exclusive I/O node is a job's as long as one of its nodes is: so it is known in any state of
 * the machine that queues try. */
struct io_hold {
	int point, job, node;
};

struct confine {
	struct constraint_list list;
	int64_t wait_ns[CONSTRAINTS_MOST]; /* INT64_MAX: forever; 0: best effort */
	bool reads_running, pads;
	VEC(struct io_hold) holds;
	bool *is_held;           /* [npoints] */
	bool is_planning;        /* running and is_held are those of a plan */
	const int_vec *promised; /* the I/O nodes of the job that starts next; NULL: the nearest */
	struct searches {
		int64_t n;
		struct map jobs; /* names of those that they were for */
	} gave_up, left_out;     /* at their bound; not begun, as they are long */
	bool is_unsure;          /* as constraint_list's, of all that sched_choose asked it */
	int_vec pinned, points;
	VEC(struct constraint_job) running;
	struct constraint_job tried; /* runs, too, though no node has it as holder; n 0: none */
	int_vec tried_points;        /* the exclusive ones that it gets */
	int64_t round;               /* of listing those that run */
	VEC(int64_t) listed_in;      /* by the number of a job: the last round that it is in */

	/* Of jobs that differ only in their number of nodes: what has failed for sure since nodes
	 * were last given back, and what a machine without jobs has room for. */
	int *failed_at;   /* [nnodes + 1] the epoch */
	bool *was_unsure; /* [nnodes + 1] a search gave up then */
	int epoch, least_failed;
	int ngave_up_now;            /* searches that gave up since then */
	unsigned char *was_possible; /* [nnodes + 1] */
};

/* Nodes that are NODE_AWAY in use [nnodes] never count. texts [n]: picks of constraints. */
int confine_open(struct confine **confine, struct topo *topo, const char *const *texts, int n,
		 const char *routing, const unsigned char *use, struct err *err);
void confine_close(struct confine *confine);

/* Whether it must know the one job that has a node. */
bool confine_needs_holders(const struct confine *confine);

/* Jobs have other numbers; -1: they are over. */
void confine_renumber(struct confine *confine, const int *number_of);

/* A run begins: the I/O nodes of booked jobs are theirs. Refuses a list of others. */
int confine_restart(struct schedule *schedule, const struct job *jobs, int n, struct err *err);

/* As sched_choose. */
int confine_choose(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		   int_vec *nodes, struct buf *reason, struct err *err);

/* Of a plain job: whether nodes that were found for it still do in a state of the machine, where
 * they are idle. */
bool confine_still_holds(struct schedule *schedule, const struct machine *machine,
			 const int_vec *nodes);

/* A job has these nodes, too, and the I/O nodes that it gets with them; nodes NULL: no longer. */
void confine_suppose(struct schedule *schedule, const struct job *job, const int_vec *nodes);

/*
 * Queues that plan: whose nodes and I/O nodes a job meets does not follow from the state of the
 * machine then. From confine_plan to confine_plan_end they are those that were added: of jobs that
 * run, and nodes and I/O nodes that are reserved, which must outlive it.
 */
void confine_plan(struct confine *confine);
void confine_plan_job(struct schedule *schedule, int job);
void confine_plan_add(struct confine *confine, const int *nodes, int n, const int_vec *points);
void confine_plan_end(struct confine *confine);

/* A job starts on its outcome's nodes: it gets its I/O nodes, as text; NULL: it wants none. */
char *confine_start(struct schedule *schedule, const struct job *job, int i);

/* As sched_relaxes_at and sched_is_counted. */
int64_t confine_relaxes_at(const struct confine *confine, const struct job *job, int64_t after_ns);
bool confine_is_counted(const struct confine *confine, const struct job *job, int64_t now_ns);

/* Whether only a job's number of nodes matters to its constraints, now and later on. */
bool confine_is_plain(const struct confine *confine, const struct job *job);
/* Nodes were given back: what failed may be possible now. */
void confine_forget(struct confine *confine);
/* A choice failed on the machine as it is; whether one would. */
void confine_note(struct confine *confine, const struct job *job);
bool confine_knows_no(const struct confine *confine, const struct job *job);
/* Then: whether the search that failed gave up, for its number of nodes or for fewer. */
bool confine_was_unsure(const struct confine *confine, const struct job *job);
/* Whether it is not searched for, as others gave up: on large machines searches are long. Then that
 * is noted as if it had. */
bool confine_gives_up(struct confine *confine, const struct machine *machine,
		      const struct job *job);
/* No plain job of more nodes than this fits now; INT_MAX: who knows. */
int confine_most(const struct confine *confine);

/* What a job asks for and meets, of a state of the machine; valid until the next call. now_ns
 * INT64_MAX: all waits are over. */
int confine_case(struct schedule *schedule, const struct machine *machine, const struct job *job,
		 int64_t now_ns, struct constraint_case *job_case, struct err *err);

#endif
