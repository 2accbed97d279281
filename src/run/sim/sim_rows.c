/* sim_rows.c - the rows of simulated jobs, and what of the options they took */
#include "sim/sim_rows.h"

#include <math.h>
#include <stdio.h>

#include "machine/load.h"
#include "base/die.h"
#include "base/num.h"
#include "model/kinds.h"

void sim_rows_begin(struct sim_rows *rows, struct out *out, struct table_in *in,
		    const struct topo *topo, const struct sim_params *params,
		    const struct sim_options *how)
{
	char seed[NUM_TEXT];

	rows->table = table_out_new(out, &kind_jobs);
	rows->topo = topo;
	table_out_like(rows->table, in);
	topo_record(topo, rows->table);
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)rows->context->seed);
	table_out_meta(rows->table, "seed", seed);
	table_out_meta(rows->table, "profile",
		       rows->options->profile != NULL ? rows->options->profile : "default");
	table_out_meta(rows->table, "routing", params->routing);
	if (die_is_verbose())
		sim_params_record(params, topo, rows->table);
	rows->has_storage = how->has_storage;
	rows->mode = params->gpu;
	rows->gpu = -1;
	if (rows->mode != GPU_NONE)
		rows->gpu = table_out_column(rows->table, "gpu");
	rows->comm_time = table_out_column(rows->table, "comm_time_s");
	rows->runtime = table_out_column(rows->table, "runtime_s");
	rows->mpi = table_out_column(rows->table, "mpi_s");
	rows->packets = table_out_column(rows->table, "packets");
	rows->hops = table_out_column(rows->table, "hops_mean");
	rows->nonminimal = table_out_column(rows->table, "nonminimal_fraction");
	if (!rows->has_storage)
		return;
	rows->io_time = table_out_column(rows->table, "io_time_s");
	rows->io_phase = table_out_column(rows->table, "io_phase_s");
	rows->io_bytes = table_out_column(rows->table, "io_bytes");
	rows->io_hops = table_out_column(rows->table, "io_hops_mean");
	rows->io_nonminimal = table_out_column(rows->table, "io_nonminimal_fraction");
}

/* A job whose bytes stay on its nodes takes no hops. */
static void write_job_io(struct sim_rows *rows, const struct sim_job *job)
{
	const struct net_totals *totals = &job->io_totals;
	double npackets = (double)totals->packets;
	struct table_out *table = rows->table;

	if (!rows->has_storage || !job->runs)
		return;
	table_out_real(table, rows->io_time, round(job->io.io_ps) / 1e12);
	table_out_real(table, rows->io_phase, (double)job->io.phase_ps / 1e12);
	table_out_real(table, rows->io_bytes,
		       (double)job->io.bytes_read + (double)job->io.bytes_written);
	table_out_text(table, rows->io_hops, NULL);
	table_out_text(table, rows->io_nonminimal, NULL);
	if (job->io.bytes_read + job->io.bytes_written == 0)
		return;
	table_out_real(table, rows->io_hops,
		       npackets > 0 ? (double)totals->packet_hops / npackets + 1 : 0);
	table_out_real(table, rows->io_nonminimal,
		       npackets > 0 ? (double)totals->nonminimal / npackets : 0);
}

void sim_rows_write(struct sim_rows *rows, const struct sim_job *job)
{
	const struct net_totals *totals = &job->totals;
	struct table_out *table = rows->table;
	double npackets = (double)totals->packets;

	table_out_pass(table, &job->row);
	if (rows->gpu >= 0)
		table_out_text(table, rows->gpu, gpu_modes[rows->mode]);
	if (job->runs) {
		table_out_text(table, rows->comm_time, NULL);
		table_out_text(table, rows->runtime, NULL);
		if (job->is_done) {
			table_out_real(table, rows->comm_time, (double)job->time_ps / 1e12);
			table_out_seconds(table, rows->runtime, (job->time_ps + 500) / 1000);
		}
		table_out_real(table, rows->mpi, round(job->mpi_ps) / 1e12);
		table_out_int(table, rows->packets, totals->packets);
		table_out_text(table, rows->hops, NULL);
		table_out_text(table, rows->nonminimal, NULL);
	}
	/* links on the way: one more than routers */
	if (job->runs && totals->packets > 0) {
		table_out_real(table, rows->hops, (double)totals->packet_hops / npackets + 1);
		table_out_real(table, rows->nonminimal, (double)totals->nonminimal / npackets);
	}
	write_job_io(rows, job);
	table_out_emit(table);
	if (job->runs) {
		rows->has_run = true;
		rows->took_pattern |= job->takes_pattern;
		rows->took_bytes |= job->takes_bytes;
		rows->took_iterations |= job->takes_iterations;
		rows->took_ranks |= job->takes_ranks && !job->is_mapped;
		rows->took_mapping |= job->is_mapped;
	}
	rows->result->packets += totals->packets + job->io_totals.packets;
	rows->result->packet_hops += totals->packet_hops + job->io_totals.packet_hops;
	rows->result->nunplaced += !job->is_placed;
	rows->result->nunfinished += job->runs && !job->is_done && job->iterations > 0;
}

static void warn_idle(const struct sim_rows *rows)
{
	const struct net_idle_ports *idle = &rows->idle;
	char name[TOPO_NAME];

	warn("%lld of %lld equal ports at %d routers carry nothing, as the numbers of the "
	     "destinations choose them (%s: %d destinations, %d of %d ports): -r "
	     "minimal:ties=hash or ties=adaptive uses all",
	     (long long)(idle->nports - idle->nused), (long long)idle->nports, idle->nrouters,
	     topo_router_name(rows->topo, idle->router, name), idle->ndestinations_there,
	     idle->nused_there, idle->nports_there);
}

void sim_rows_warn_unused(const struct sim_rows *rows)
{
	const struct netsim_options *options = rows->options;
	const struct {
		const char *option, *why;
		bool is_given, is_taken;
	} defaults[] = {
		{"--pattern", "every job names its pattern", options->pattern != NULL,
		 rows->took_pattern},
		{"--bytes", "every job has its bytes", options->bytes != NULL, rows->took_bytes},
		{"--iterations", "every job has its iterations", options->iterations >= 0,
		 rows->took_iterations},
		{"--ranks-per-node", "every job has its ranks_per_node or a mapping",
		 options->ranks_per_node > 0, rows->took_ranks},
		{"--mapping", "it has none of these jobs", options->mapping != NULL,
		 rows->took_mapping},
	};

	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (rows->has_run && defaults[i].is_given && !defaults[i].is_taken)
			warn_no_effect(defaults[i].option, "%s", defaults[i].why);
	if (rows->idle.nports > 0)
		warn_idle(rows);
	if (rows->has_unlocated)
		warn("gpu=trace: calls that do not say where their buffers are count as on the "
		     "host: traceconv -f mark:gpu marks them");
}

void sim_rows_end(struct sim_rows *rows, bool is_whole)
{
	if (rows->table != NULL)
		table_out_end(rows->table, is_whole);
}
