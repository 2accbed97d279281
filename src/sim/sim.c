/* sim.c - a jobs stream is simulated, run by run */
#include "sim/open_loop.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/load.h"
#include "base/die.h"
#include "base/num.h"
#include "base/progress.h"
#include "base/str.h"
#include "formats/out.h"
#include "model/kinds.h"
#include "sim/sim_counters.h"
#include "sim/side_tables.h"
#include "sim/sim_io.h"
#include "sim/storage/io_schedule.h"
#include "sim/simulation.h"
#include "base/threads.h"

/* Simulations that are read before one is written; the same for any number of threads, as ##lines
 * in the midst of the input are where they were met. */
enum { BATCH = 128 };
/* Fewer are not worth a thread. */
enum { NODES_OF_A_PART = 2000 };

/* What one thread simulates with. */
struct worker {
	struct net *net;
	struct mpi *mpi;
	struct storage *storage; /* NULL: the machine has none */
	int nthreads;            /* of its runs */
};

struct work {
	const struct run_context *context;
	const struct netsim_options *options;
	struct table_in *in;
	struct out *out, *counters_out;
	struct table_out *table;
	struct topo *topo;
	struct sim_params params;
	struct placements placements;
	struct sim_options how;
	struct sim_columns columns;
	struct side_table ranks, links, io, storage;
	struct pick io_schedule;
	struct worker *workers; /* [nworkers] */
	int nworkers;
	VEC(struct simulation) batch;
	struct map names; /* of the jobs of the simulation that is being read */
	int comm_time, runtime, mpi, packets, hops, nonminimal; /* of the output */
	int io_time, io_phase, io_bytes, io_hops, io_nonminimal;
	bool has_unlocated; /* gpu=trace: a call did not say where its buffers are */
	int gpu;            /* −1: not requested */
	struct netsim_result *result;
	/* what of the options some job that ran took */
	bool has_run, took_pattern, took_bytes, took_iterations, took_ranks, took_mapping;
};

/* ---- opening ---- */

static int parse_times(struct work *work, struct err *err)
{
	const struct netsim_options *options = work->options;
	double value;

	work->how.bytes = work->how.until_ps = -1;
	if (options->bytes != NULL) {
		if (num_bytes(options->bytes, &value) != 0 || value < 0 || value > 1e15)
			return err_set(err, "--bytes: '%s' is not a size such as 1KiB",
				       options->bytes);
		work->how.bytes = llround(value);
	}
	if (options->until != NULL) {
		if (num_duration(options->until, &value) != 0 || value < 0 || value > 9e6)
			return err_set(err, "--until: '%s' is not a time such as 20ms",
				       options->until);
		work->how.until_ps = llround(value * 1e12);
	}
	work->how.counters_every_ps = 100000000;
	if (options->counters_every != NULL) {
		if (num_duration(options->counters_every, &value) != 0 || value < 1e-6 ||
		    value > 9e6)
			return err_set(err,
				       "--counters-every: '%s' is not a time "
				       "such as 100us, from 1us on",
				       options->counters_every);
		work->how.counters_every_ps = llround(value * 1e12);
	}
	return 0;
}

static int open_worker(struct work *work, struct worker *worker, struct err *err)
{
	const struct netsim_options *options = work->options;

	if (net_open(&worker->net, work->topo, &work->params, err) != 0)
		return -1;
	if (options->counters != NULL)
		net_count_vcs(worker->net);
	if (options->counters != NULL || options->links != NULL)
		net_count_stalls(worker->net);
	if (options->io != NULL)
		net_count_hops(worker->net);
	worker->storage = storage_open(worker->net, &work->params, work->topo,
				       options->io_schedule != NULL ? &work->io_schedule : NULL,
				       options->io != NULL);
	worker->mpi = mpi_open(worker->net, &work->params, worker->storage);
	work->how.has_storage = worker->storage != NULL;
	return 0;
}

/* The first one, which shows whether the machine can be simulated; others when there are runs for
 * them. */
static int open_workers(struct work *work, struct err *err)
{
	size_t n = (size_t)work->context->nthreads;

	/* made here, so that threads only read it */
	topo_graph(work->topo);
	work->workers = xcalloc(n, sizeof(*work->workers));
	work->nworkers = (int)n;
	if (open_worker(work, &work->workers[0], err) != 0)
		return -1;
	if (net_table_bytes(work->workers[0].net) > 0)
		say("next-hop tables of %lld bytes for each thread",
		    (long long)net_table_bytes(work->workers[0].net));
	return 0;
}

/* Threads go to runs first, then into each run: as many partitions, where the machine is large
 * enough for that many. */
static int divide_threads(struct work *work, int nruns, struct err *err)
{
	int64_t nparts = work->options->partitions;
	int nthreads = work->nworkers / nruns;

	if (nparts == 0)
		nparts = nthreads < work->topo->nnodes / NODES_OF_A_PART
				 ? nthreads
				 : work->topo->nnodes / NODES_OF_A_PART;
	for (int i = 0; i < nruns; i++) {
		struct worker *worker = &work->workers[i];

		if (worker->net == NULL && open_worker(work, worker, err) != 0)
			return -1;
		if (worker->nthreads != nthreads &&
		    net_split(worker->net, (int)nparts, nthreads, err) < 0)
			return -1;
		worker->nthreads = nthreads;
		if (work->options->partitions > 0)
			net_measure(worker->net);
	}
	return 0;
}

static int open_side(struct work *work, struct err *err)
{
	const struct netsim_options *options = work->options;

	if (side_table_open(&work->ranks, work->context, options->ranks, &kind_ranks, work->in,
			    &work->how, err) != 0 ||
	    side_table_open(&work->links, work->context, options->links, &kind_links, work->in,
			    &work->how, err) != 0 ||
	    side_table_open(&work->io, work->context, options->io, &kind_iotrace, work->in,
			    &work->how, err) != 0 ||
	    side_table_open(&work->storage, work->context, options->storage, &kind_storage,
			    work->in, &work->how, err) != 0)
		return -1;
	if (work->io.out != NULL)
		table_out_meta(work->io.table, "timing", "start");
	if (options->counters == NULL)
		return 0;
	if (out_open(&work->counters_out, options->counters, work->context->command, err) != 0)
		return -1;
	work->how.counters = sim_counters_open(work->topo, work->counters_out);
	return 0;
}

static int open_all(struct work *work, char *const *paths, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	const struct netsim_options *options = work->options;
	const struct run_context *context = work->context;

	if (parse_times(work, err) != 0 ||
	    table_open(&work->in, kinds, paths, context->accepts_partial, err) != 0 ||
	    topo_resolve(&work->topo, context->topology, work->in, err) != 0 ||
	    sim_params_open(&work->params, work->topo, options->profile, options->settings,
			    options->nsettings, options->routing, err) != 0)
		return -1;
	if (options->pattern != NULL && program_check(options->pattern, err) != 0)
		return err_prefix(err, "--pattern: ");
	if (options->io_schedule != NULL &&
	    pick_parse(&work->io_schedule, &io_schedules, options->io_schedule, err) != 0)
		return err_prefix(err, "--io-schedule: ");
	if (options->mapping != NULL) {
		if (placements_read(&work->placements, options->mapping, work->topo,
				    context->accepts_partial, err) != 0)
			return -1;
		work->how.placements = &work->placements;
	}
	work->how.topo = work->topo;
	work->how.params = &work->params;
	work->how.accepts_partial = context->accepts_partial;
	work->how.seed = (uint64_t)context->seed;
	work->how.pattern = options->pattern;
	work->how.iterations = options->iterations >= 0 ? options->iterations : 1;
	work->how.ranks_per_node = options->ranks_per_node > 0 ? options->ranks_per_node : 1;
	work->how.is_scheduled = options->is_scheduled;
	work->how.time_scale = options->time_scale;
	work->how.keeps_ranks = options->ranks != NULL;
	work->how.keeps_links = options->links != NULL;
	work->how.keeps_io = options->io != NULL;
	work->how.folder = table_folder(work->in);
	work->how.allowed = options->allowed;
	work->how.nallowed = options->nallowed;
	sim_columns_bind(&work->columns, work->in);
	if (options->pattern == NULL && work->columns.pattern < 0 && table_ncolumns(work->in) > 0)
		return err_set(err, "the jobs have no column pattern: --pattern gives one");
	return open_workers(work, err);
}

static void close_all(struct work *work)
{
	for (int i = 0; i < work->nworkers; i++) {
		mpi_close(work->workers[i].mpi);
		storage_close(work->workers[i].storage);
		net_close(work->workers[i].net);
	}
	free(work->workers);
	for (size_t i = 0; i < work->batch.n; i++)
		simulation_free(&work->batch.at[i]);
	vec_free(&work->batch);
	if (work->io_schedule.entry != NULL)
		pick_free(&work->io_schedule);
	sim_counters_close(work->how.counters);
	placements_free(&work->placements);
	map_free(&work->names);
	sim_params_close(&work->params);
	topo_free(work->topo);
	table_close(work->in);
}

/* ---- writing ---- */

static void begin_output(struct work *work)
{
	char seed[NUM_TEXT];

	work->table = table_out_new(work->out, &kind_jobs);
	table_out_like(work->table, work->in);
	topo_record(work->topo, work->table);
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)work->context->seed);
	table_out_meta(work->table, "seed", seed);
	table_out_meta(work->table, "profile",
		       work->options->profile != NULL ? work->options->profile : "default");
	table_out_meta(work->table, "routing", work->params.routing);
	work->gpu = -1;
	if (work->params.gpu != GPU_NONE)
		work->gpu = table_out_column(work->table, "gpu");
	work->comm_time = table_out_column(work->table, "comm_time_s");
	work->runtime = table_out_column(work->table, "runtime_s");
	work->mpi = table_out_column(work->table, "mpi_s");
	work->packets = table_out_column(work->table, "packets");
	work->hops = table_out_column(work->table, "hops_mean");
	work->nonminimal = table_out_column(work->table, "nonminimal_fraction");
	if (!work->how.has_storage)
		return;
	work->io_time = table_out_column(work->table, "io_time_s");
	work->io_phase = table_out_column(work->table, "io_phase_s");
	work->io_bytes = table_out_column(work->table, "io_bytes");
	work->io_hops = table_out_column(work->table, "io_hops_mean");
	work->io_nonminimal = table_out_column(work->table, "io_nonminimal_fraction");
}

/* A job whose bytes stay on its nodes takes no hops. */
static void write_job_io(struct work *work, const struct sim_job *job)
{
	const struct net_totals *totals = &job->io_totals;
	double npackets = (double)totals->packets;
	struct table_out *table = work->table;

	if (!work->how.has_storage || !job->runs)
		return;
	table_out_real(table, work->io_time, round(job->io.io_ps) / 1e12);
	table_out_real(table, work->io_phase, (double)job->io.phase_ps / 1e12);
	table_out_real(table, work->io_bytes,
		       (double)job->io.bytes_read + (double)job->io.bytes_written);
	table_out_text(table, work->io_hops, NULL);
	table_out_text(table, work->io_nonminimal, NULL);
	if (job->io.bytes_read + job->io.bytes_written == 0)
		return;
	table_out_real(table, work->io_hops,
		       npackets > 0 ? (double)totals->packet_hops / npackets + 1 : 0);
	table_out_real(table, work->io_nonminimal,
		       npackets > 0 ? (double)totals->nonminimal / npackets : 0);
}

static void write_job(struct work *work, const struct sim_job *job)
{
	const struct net_totals *totals = &job->totals;
	struct table_out *table = work->table;
	double npackets = (double)totals->packets;

	table_out_pass(table, &job->row);
	if (work->gpu >= 0)
		table_out_text(table, work->gpu, gpu_modes[work->params.gpu]);
	if (job->runs) {
		table_out_text(table, work->comm_time, NULL);
		table_out_text(table, work->runtime, NULL);
		if (job->is_done) {
			table_out_real(table, work->comm_time, (double)job->time_ps / 1e12);
			table_out_seconds(table, work->runtime, (job->time_ps + 500) / 1000);
		}
		table_out_real(table, work->mpi, round(job->mpi_ps) / 1e12);
		table_out_int(table, work->packets, totals->packets);
		table_out_text(table, work->hops, NULL);
		table_out_text(table, work->nonminimal, NULL);
	}
	/* links on the way: one more than routers */
	if (job->runs && totals->packets > 0) {
		table_out_real(table, work->hops, (double)totals->packet_hops / npackets + 1);
		table_out_real(table, work->nonminimal, (double)totals->nonminimal / npackets);
	}
	write_job_io(work, job);
	table_out_emit(table);
	if (job->runs) {
		work->has_run = true;
		work->took_pattern |= job->takes_pattern;
		work->took_bytes |= job->takes_bytes;
		work->took_iterations |= job->takes_iterations;
		work->took_ranks |= job->takes_ranks && !job->is_mapped;
		work->took_mapping |= job->is_mapped;
	}
	work->result->packets += totals->packets + job->io_totals.packets;
	work->result->packet_hops += totals->packet_hops + job->io_totals.packet_hops;
	work->result->nunplaced += !job->is_placed;
	work->result->nunfinished += job->runs && !job->is_done && job->iterations > 0;
}

/* Defaults that no job took. */
static void warn_unused(const struct work *work)
{
	const struct netsim_options *options = work->options;
	const struct {
		const char *option, *why;
		bool is_given, is_taken;
	} defaults[] = {
		{"--pattern", "every job names its pattern", options->pattern != NULL,
		 work->took_pattern},
		{"--bytes", "every job has its bytes", options->bytes != NULL, work->took_bytes},
		{"--iterations", "every job has its iterations", options->iterations >= 0,
		 work->took_iterations},
		{"--ranks-per-node", "every job has its ranks_per_node or a mapping",
		 options->ranks_per_node > 0, work->took_ranks},
		{"--mapping", "it has none of these jobs", options->mapping != NULL,
		 work->took_mapping},
	};

	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (work->has_run && defaults[i].is_given && !defaults[i].is_taken)
			warn_no_effect(defaults[i].option, "%s", defaults[i].why);
	if (work->has_unlocated)
		warn("gpu=trace: calls that do not say where their buffers are count as on the "
		     "host: traceconv -f mark:gpu marks them");
}

/* ---- simulating ---- */

static void simulate_one(void *context, int number, size_t item)
{
	struct work *work = context;
	struct worker *worker = &work->workers[number];

	simulation_run(&work->batch.at[item], &work->how, worker->net, worker->mpi,
		       worker->storage);
}

static void tell_progress(struct work *work)
{
	if (!progress_must_tell() && !work->context->shows_progress)
		return;
	warn("%lld runs simulated, %lld packet-hops", (long long)work->result->nsimulations,
	     (long long)work->result->packet_hops);
}

/* The first one that went wrong counts, whichever thread had it. */
static int write_batch(struct work *work, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < work->batch.n; i++) {
		struct simulation *simulation = &work->batch.at[i];

		if (status == 0 && simulation->status != 0) {
			*err = simulation->err;
			status = -1;
		}
		if (status == 0) {
			for (size_t k = 0; k < simulation->jobs.n; k++)
				write_job(work, &simulation->jobs.at[k]);
			work->has_unlocated |= simulation->has_unlocated;
			ranks_write(&work->ranks, simulation, &work->how);
			links_write(&work->links, simulation, &work->how);
			io_write(&work->io, simulation, &work->how);
			storage_write(&work->storage, simulation, &work->how);
			work->result->nsimulations++;
			work->result->nevents += simulation->nevents;
			work->result->cpu_s += simulation->cpu_s;
		}
		simulation_free(simulation);
	}
	work->batch.n = 0;
	return status;
}

static int simulate_batch(struct work *work, struct err *err)
{
	int nruns = (size_t)work->nworkers < work->batch.n ? work->nworkers : (int)work->batch.n;
	int status;

	if (divide_threads(work, nruns, err) != 0)
		return -1;
	progress_begin();
	threads_share(nruns, work->batch.n, simulate_one, work);
	progress_end();
	status = write_batch(work, err);
	if (status != 0 && progress_must_stop())
		err_prefix(err, "%lld runs simulated; ", (long long)work->result->nsimulations);
	tell_progress(work);
	return status;
}

/* ---- run by run ---- */

static bool same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && str_eq(a, b));
}

/* Whether the job begins another simulation: another run, another policy (rows without one, as of
 * jobs that ran before, go with the others), or a job of that name was there. */
static bool begins(struct work *work, const struct sim_job *job)
{
	const struct simulation *simulation;

	if (work->batch.n == 0)
		return true;
	simulation = &work->batch.at[work->batch.n - 1];
	if (!same(simulation->jobs.at[0].run, job->run) ||
	    map_get(&work->names, job->name, strlen(job->name)) >= 0)
		return true;
	for (size_t i = simulation->jobs.n; i-- > 0 && job->policy != NULL;)
		if (simulation->jobs.at[i].policy != NULL)
			return !same(simulation->jobs.at[i].policy, job->policy);
	return false;
}

/* The row that begins a batch outlives table_forget: its cells move into the simulation's own
 * arena. */
static void save_row(struct work *work, struct arena *arena, struct row *row)
{
	int n = table_ncolumns(work->in);
	char **cells = arena_alloc(arena, (size_t)n * sizeof(*cells));

	for (int i = 0; i < n; i++)
		cells[i] = arena_strndup(arena, row->cells[i], strlen(row->cells[i]));
	row->cells = cells;
}

static int read_job(struct work *work, struct sim_job *job, const struct row *row, struct err *err)
{
	int status = sim_job_read(job, &work->columns, row, &work->how, err);

	if (status != 0)
		vec_free(&job->nodes);
	return status;
}

static int begin_simulation(struct work *work, struct sim_job *job, struct err *err)
{
	struct simulation simulation = {0};

	if (work->options->counters != NULL &&
	    work->batch.n + (size_t)work->result->nsimulations > 0)
		return row_error(&job->row, err,
				 "a second run: --counters is of one (rows of one "
				 "run have the same run and policy)");
	if (work->batch.n >= BATCH) {
		struct row row = job->row;

		save_row(work, &simulation.arena, &row);
		vec_free(&job->nodes);
		if (simulate_batch(work, err) != 0 || read_job(work, job, &row, err) != 0) {
			arena_free(&simulation.arena);
			job->nodes = (int_vec){0};
			return -1;
		}
		table_forget(work->in);
	}
	map_free(&work->names);
	work->names = (struct map){0};
	vec_push(&work->batch, simulation);
	return 0;
}

static int pass_jobs(struct work *work, struct err *err)
{
	struct row row;
	int status;

	table_keep(work->in);
	while ((status = table_next(work->in, &row, err)) == 1) {
		struct sim_job job;

		if (read_job(work, &job, &row, err) != 0)
			return -1;
		if (begins(work, &job) && begin_simulation(work, &job, err) != 0) {
			vec_free(&job.nodes);
			return -1;
		}
		map_set(&work->names, job.name, strlen(job.name), 1);
		vec_push(&work->batch.at[work->batch.n - 1].jobs, job);
	}
	return status == 0 && work->batch.n > 0 ? simulate_batch(work, err) : status;
}

static int close_outputs(struct work *work, bool whole, int status, struct err *err)
{
	struct err dropped = {0}, *told = status == 0 ? err : &dropped;

	if (side_table_close(&work->ranks, whole, told) != 0 && status == 0)
		status = -1, told = &dropped;
	if (side_table_close(&work->links, whole, told) != 0 && status == 0)
		status = -1, told = &dropped;
	if (side_table_close(&work->io, whole, told) != 0 && status == 0)
		status = -1, told = &dropped;
	if (side_table_close(&work->storage, whole, told) != 0 && status == 0)
		status = -1, told = &dropped;
	if (out_close(work->counters_out, whole, told) != 0 && status == 0)
		status = -1, told = &dropped;
	if (work->table != NULL)
		table_out_end(work->table, whole && status == 0);
	if (out_close(work->out, whole && status == 0, told) != 0 && status == 0)
		status = -1;
	return status;
}

int netsim_stream(const struct run_context *context, const struct netsim_options *options,
		  char *const *paths, struct netsim_result *result, struct err *err)
{
	struct work work = {.context = context, .options = options, .result = result};
	int status;

	if (options->open_loop != NULL)
		return paths[0] == NULL
			       ? open_loop_stream(context, options, result, err)
			       : err_set(err, "--open-loop takes no jobs: '%.200s'", paths[0]);
	*result = (struct netsim_result){0};
	status = open_all(&work, paths, err);
	if (status == 0)
		status = out_open(&work.out, context->output, context->command, err);
	if (status == 0)
		status = open_side(&work, err);
	if (status == 0) {
		begin_output(&work);
		status = pass_jobs(&work, err);
	}
	result->is_whole = status == 0 && table_is_whole(work.in);
	if (work.workers != NULL && work.workers[0].net != NULL)
		result->work = net_work(work.workers[0].net);
	status = close_outputs(&work, result->is_whole, status, err);
	if (status == 0)
		warn_unused(&work);
	close_all(&work);
	return status;
}
