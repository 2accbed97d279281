/* sim_mpi.h - MPI on the simulated network: ranks of jobs that follow their programs */
#ifndef SIM_MPI_SIM_MPI_H
#define SIM_MPI_SIM_MPI_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi/pattern/pattern.h"
#include "base/err.h"
#include "sim/network/net.h"
#include "sim/params/params.h"
#include "sim/storage/storage.h"

/*
 * Ranks are state machines: each has a separate clock, which calls, matching and computation
 * advance. Messages match by (source, tag, communicator) in the order of posting; those of at most
 * params->eager_bytes are sent at once, larger ones ask first (request, answer, data, and where the
 * parameters say so an acknowledgement). What has come is looked at while the rank is inside an
 * MPI call: at its end, and as long as it waits. What a call, a search, a copy costs are parameters
 * (sim/params/parameters.c), all 0 in the default profile.
 */
struct mpi;

struct mpi_job {
	const struct program *program;
	const char *name; /* for messages */
	int64_t start_ps;
};

/* The client of storage that a rank of a job is. */
int32_t mpi_client(const struct mpi *mpi, int job, int rank);

struct mpi_job_times {
	bool is_done;
	int64_t end_ps; /* of its last rank */
	double mpi_ps;  /* in calls, mean of the ranks */
};

struct mpi_rank_times {
	bool is_done;
	int64_t end_ps, mpi_ps, compute_ps;
	int64_t wait_ps; /* in calls, for what had to come */
	bool has_loop;
	int64_t loop_ps, loop_compute_ps;   /* in the region that the trace names */
	int64_t copy_ps;                    /* of copies between its GPU and the host */
	int64_t sent_bytes, received_bytes; /* of messages to and from other nodes */
};

/* When a task of a graph began and ended. */
struct mpi_task_time {
	int32_t rank, task; /* over all jobs; index in its program */
	int64_t begin_ps, end_ps;
};

/* Called after each interval_ps of simulated time while jobs run; false ends the run.
 * NULL: never. */
struct mpi_ticks {
	bool (*tick)(void *context, int64_t now_ps);
	void *context;
	int64_t interval_ps;
	bool skips_idle; /* not called again before something has happened */
};

/* net, params and storage (NULL: no program does I/O) must outlive it. One run after the other. */
struct mpi *mpi_open(struct net *net, const struct sim_params *params, struct storage *storage);
void mpi_close(struct mpi *mpi); /* NULL is allowed */

/*
 * A run: until all jobs that have a number of iterations are done (all must be, unless until_ps ≥ 0
 * ends it before: then 1 is returned if one was not). Jobs without an end stop at the first whole
 * microsecond after that. Counted by the network for owner i: job i.
 * Returns -1 when ranks wait for each other, or the network says so. jobs must live until the next
 * run.
 */
int mpi_run(struct mpi *mpi, const struct mpi_job *jobs, int njobs, uint64_t seed, const char *run,
	    int64_t until_ps, const struct mpi_ticks *ticks, struct err *err);

/* From here on runs record when the tasks of graphs begin and end. Of the last one: by rank, task
 * and time; all processes ask alike. */
void mpi_record_tasks(struct mpi *mpi);
const struct mpi_task_time *mpi_task_times(struct mpi *mpi, size_t *n);

/* Whether a call of the last run did not say where its buffers are, and was to. */
bool mpi_has_unlocated(const struct mpi *mpi);
/* Of the last run. */
struct mpi_job_times mpi_job_times(const struct mpi *mpi, int job);
/* Of a job's ranks, times [ranks]. All processes ask for them alike. */
void mpi_rank_times(const struct mpi *mpi, int job, struct mpi_rank_times *times);

#endif
