/* choose.h - which nodes a job gets: what its constraints allow, and the policy's choice in it */
#ifndef PLACE_RUN_CHOOSE_H
#define PLACE_RUN_CHOOSE_H

#include "place/run/schedule.h"

/* Makes the machine's idle nodes these [a bit for each], undoably. */
void sched_set_idle(struct machine *machine, const uint64_t *idle);

/* What a job's nodes are chosen from at a time (JOB_NO_TIME: none is known, the newest traffic). */
struct alloc_request sched_request(struct schedule *schedule, const struct job *job,
				   int64_t now_ns);

/*
 * Chooses idle nodes of request->machine for request->job at now_ns and takes them, undoably;
 * queues ask it of states that may come as well as of the present one. 1: nodes has them; 0: none
 * were taken, reason says why; -1: error. nodes and reason are cleared first. Of a heterogeneous
 * job nodes has those of each component, in their order; one that finds none beside the others is
 * tried before them.
 */
int sched_choose(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		 int_vec *nodes, struct buf *reason, struct err *err);

/* The same among all idle nodes, whatever islands, partitions and features say. */
int sched_choose_any(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		     int_vec *nodes, struct buf *reason, struct err *err);

/*
 * The first time after after_ns at which a job that waits has to be looked at again though no job
 * ended: one of its constraints is dropped (wait=S), its wait for leaf switches is over, the first
 * traffic is known, or a reservation begins or ends. JOB_NO_TIME: never.
 */
int64_t sched_relaxes_at(struct schedule *schedule, const struct job *job, int64_t after_ns);
/* And from which on it may get less, whatever has ended by then: a reservation comes near. */
int64_t sched_narrows_at(const struct schedule *schedule, const struct job *job, int64_t after_ns);

/*
 * Whether any idle nodes will do for a job at now_ns if they are enough, now and later on: then
 * queues plan with numbers of nodes, else with the nodes themselves. job NULL: for every job at any
 * time.
 */
bool sched_is_counted(const struct schedule *schedule, const struct job *job, int64_t now_ns);

/*
 * The same, of these idle nodes [a bit for each]; none are taken. Under a policy that takes what
 * comes first in an order no state of the machine is made for it.
 */
int sched_choose_among(struct schedule *schedule, const struct alloc_request *request,
		       const uint64_t *idle, int64_t now_ns, int_vec *nodes, struct buf *reason,
		       struct err *err);

/*
 * Constraints that only the number of a job's nodes matters to, under a policy that refuses no job:
 * then there are answers without a choice.
 */
bool sched_is_plain(const struct schedule *schedule, const struct job *job);
/* Whether a plain job is always chosen the same of the same idle nodes. */
bool sched_is_repeatable(const struct schedule *schedule, const struct job *job);
/* Of a plain job: whether nodes that it was given among some that are idle [a bit for each] still
 * do when these are. */
bool sched_still_holds(struct schedule *schedule, const uint64_t *idle, const int_vec *nodes);
/* Those nodes, and the I/O nodes that go with them, are in use, too, by a job that has not started;
 * nodes NULL: no longer. */
void sched_suppose(struct schedule *schedule, const struct job *job, const int_vec *nodes);
/* Whether nodes for a plain job are among those idle: 1, 0: surely not, -1: who knows. */
int sched_fits(const struct schedule *schedule, const struct job *job, const uint64_t *idle);
/* When a plain job finds nodes, not before; *is_exact: then it does. INT64_MAX: never. */
int64_t sched_earliest(const struct schedule *schedule, const struct job *job,
		       const struct free_times *times, bool *is_exact);

/* Whether the last choice that failed did so for sure: no search for it gave up, and the policy
 * refused no region that was found. */
bool sched_is_sure(const struct schedule *schedule);
/* Whether searches may give up and are long: then there are to be few. */
bool sched_is_long(const struct schedule *schedule);
/* Those that may give up before jobs that have to be searched for wait: in EASY for nodes that are
 * given back, in conservative backfilling, where they keep what they have, for the next pass. */
enum { SCHED_MOST_GAVE_UP = 8 };
/* Rises when nodes are given back, where there are constraints. */
int sched_epoch(const struct schedule *schedule);
/* As sched_choose, on the machine as it is now, where what failed is not tried again before nodes
 * are given back. */
int sched_choose_now(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		     int_vec *nodes, struct buf *reason, struct err *err);
/* No job of more nodes can start now; INT_MAX - 1: who knows. */
int sched_most(const struct schedule *schedule);

/* ---- nodes that are tried ---- */

/* The CPUs of the nodes of a job that asks for tasks, before it takes them, as 8(x2),4. */
char *sched_cpus(const struct schedule *schedule, const struct job *job, const int_vec *nodes);
/* Nodes that were chosen for a job (by its number in the run) are taken for it, until it is sure
 * whether it starts; planned_end is known by then. */
void sched_hold(struct schedule *schedule, const struct job *job, int number, const int_vec *nodes);
/* It does not start: they are given back. Or it does, and run_start takes them for good. */
void sched_release(struct schedule *schedule, int number, const int_vec *nodes);
void sched_unhold(struct schedule *schedule, int number, const int_vec *nodes);

#endif
