/* simulation.h - one run of a jobs stream on the simulated network */
#ifndef SIM_SIMULATION_H
#define SIM_SIMULATION_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi/pattern/pattern.h"
#include "formats/table.h"
#include "sim/mpi/sim_mpi.h"
#include "sim/mpi/rank_placement.h"

struct sim_counters; /* sim/sim_counters.h */

/* How all runs of a stream are simulated. What the rows of jobs say comes first. */
struct sim_options {
	struct topo *topo;
	const struct sim_params *params;
	uint64_t seed;
	const char *pattern; /* of jobs that name none; NULL: these are silent */
	int64_t bytes;       /* -1: the pattern's own */
	int64_t iterations, ranks_per_node;
	const struct placements *placements; /* NULL: none */
	bool is_scheduled;                   /* jobs start at their start_s, else together */
	double time_scale;                   /* simulated per scheduled second */
	int64_t until_ps;                    /* -1: no limit */
	bool keeps_ranks, keeps_links, keeps_io;
	bool has_storage;              /* the machine */
	bool is_shared;                /* several processes simulate it */
	struct sim_counters *counters; /* NULL: none */
	int64_t counters_every_ps;
	const char *folder;         /* for files that patterns name */
	bool accepts_partial;       /* of such files */
	const char *const *allowed; /* [nallowed] other folders, for those of the stream */
	int nallowed;
};

/* I/O of a job's ranks. */
struct io_sums {
	double io_ps;     /* in operations, mean of the ranks */
	int64_t phase_ps; /* of its phases: from their first rank's begin to their last one's end */
	int64_t bytes_read, bytes_written;
};

struct io_record {
	int32_t rank;
	const char *file; /* in records' arena, or NULL */
	const char *entry;
	enum storage_op_kind kind;
	int64_t offset, bytes, start_ps, end_ps;
	double hops; /* links on the way of its packets, mean */
};

/* A job of a run, its row, and what became of it. */
struct sim_job {
	struct row row;
	const char *name, *run, *policy, *pattern; /* of the row, or NULL */
	int nnodes, nranks;
	int_vec nodes;
	int *node_of; /* [nranks] */
	int64_t bytes, iterations, compute_ps, ranks_per_node, start_ns, start_ps;
	enum rank_order order;
	bool is_placed, runs; /* runs: has a program */
	bool is_mapped;       /* by the options' placements */
	/* which defaults of the options it took */
	bool takes_pattern, takes_bytes, takes_iterations, takes_ranks;
	struct program program;
	/* results */
	bool is_done;
	int64_t time_ps; /* from its start to its last rank's finish */
	double mpi_ps;
	struct net_totals totals;
	struct net_totals io_totals;
	struct io_sums io;
	struct mpi_rank_times *ranks;  /* [nranks], where options keep them */
	double *rank_io_s;             /* [nranks] the same, where there is storage */
	VEC(struct io_record) records; /* in the order of ranks, where options keep them */
};

struct simulation {
	VEC(struct sim_job) jobs;
	struct arena arena; /* the first row, which outlives the others */
	int64_t elapsed_ps, nevents;
	int64_t network_ps;           /* when the last thing happened */
	struct net_channel *channels; /* [nchannels], where options keep them */
	struct net_copy *copies;      /* [nchannels] what they are */
	int64_t nchannels;
	struct storage_device_sums *devices; /* [ndevices] */
	int ndevices;
	int nplanes, nnics;
	double cpu_s;
	bool was_stopped;
	struct net_idle_ports idle;
	bool has_unlocated; /* with gpu=trace: buffers of which nothing is known */
	int status;
	struct err err;
};

/* Where the columns of a jobs stream are that a simulation reads. */
struct sim_columns {
	int job, run, policy, nodes, nodelist, pattern, bytes, iterations, compute, ranks_per_node,
		mapping, start;
};
void sim_columns_bind(struct sim_columns *columns, const struct table_in *in);

/* Reads a row; its cells must live as long as the job. */
int sim_job_read(struct sim_job *job, const struct sim_columns *columns, const struct row *row,
		 const struct sim_options *options, struct err *err);

/* Simulates it; status and err (and was_stopped) say how it went. One net and one mpi serve one
 * simulation after the other. */
void simulation_run(struct simulation *simulation, const struct sim_options *options,
		    struct net *net, struct mpi *mpi, struct storage *storage);
void simulation_free(struct simulation *simulation);

#endif
