/* sim_rows.h - the rows of simulated jobs, and what of the options they took */
#ifndef SIM_SIM_ROWS_H
#define SIM_SIM_ROWS_H

#include "formats/out.h"
#include "sim/netsim_options.h"
#include "sim/sim.h"
#include "sim/simulation.h"

struct sim_rows {
	const struct run_context *context;
	const struct netsim_options *options;
	struct netsim_result *result; /* sums over the rows */
	struct table_out *table;      /* NULL: nothing was begun */
	bool has_storage;
	enum gpu_mode mode;
	int comm_time, runtime, mpi, packets, hops, nonminimal;
	int io_time, io_phase, io_bytes, io_hops, io_nonminimal;
	int gpu; /* −1: not requested */
	/* what of the options some job that ran took */
	bool has_run, took_pattern, took_bytes, took_iterations, took_ranks, took_mapping;
	struct net_idle_ports idle; /* of the first run that left ports idle */
	const struct topo *topo;
	bool has_unlocated; /* gpu=trace: a call did not say where its buffers are */
};

/* The rows' context, options and result are set. A jobs stream like the input, with the columns
 * of what is simulated. */
void sim_rows_begin(struct sim_rows *rows, struct out *out, struct table_in *in,
		    const struct topo *topo, const struct sim_params *params,
		    const struct sim_options *how);
void sim_rows_write(struct sim_rows *rows, const struct sim_job *job);
void sim_rows_end(struct sim_rows *rows, bool is_whole);
/* Defaults that no job took. */
void sim_rows_warn_unused(const struct sim_rows *rows);

#endif
