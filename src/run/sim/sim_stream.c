/* sim_stream.c - a jobs stream on the simulated network, run by run */
#include "sim/open_loop.h"
#include "sim/sim_stream.h"

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
#include "sim/sim_rows.h"
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

struct netsim_session {
	const struct run_context *context;
	const struct netsim_options *options;
	struct processes *processes; /* NULL: this one alone */
	bool has_agreed;             /* they have, that something went wrong */
	struct table_in *in;
	struct out *out, *counters_out;
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
	struct sim_rows rows;
	struct netsim_result *result;
};

/* ---- opening ---- */

static int parse_times(struct netsim_session *session, struct err *err)
{
	const struct netsim_options *options = session->options;
	double value;

	session->how.bytes = session->how.until_ps = -1;
	if (options->bytes != NULL) {
		if (num_bytes(options->bytes, &value) != 0 || value < 0 || value > 1e15)
			return err_set(err, "--bytes: '%s' is not a size such as 1KiB",
				       options->bytes);
		session->how.bytes = llround(value);
	}
	if (options->until != NULL) {
		if (num_duration(options->until, &value) != 0 || value < 0 || value > 9e6)
			return err_set(err, "--until: '%s' is not a time such as 20ms",
				       options->until);
		session->how.until_ps = llround(value * 1e12);
	}
	session->how.counters_every_ps = 100000000;
	if (options->counters_every != NULL) {
		if (num_duration(options->counters_every, &value) != 0 || value < 1e-6 ||
		    value > 9e6)
			return err_set(err,
				       "--counters-every: '%s' is not a time "
				       "such as 100us, from 1us on",
				       options->counters_every);
		session->how.counters_every_ps = llround(value * 1e12);
	}
	return 0;
}

static int open_worker(struct netsim_session *session, struct worker *worker, struct err *err)
{
	const struct netsim_options *options = session->options;

	if (net_open(&worker->net, session->topo, &session->params, err) != 0)
		return -1;
	if (options->counters != NULL)
		net_count_vcs(worker->net);
	if (options->counters != NULL || options->links != NULL)
		net_count_stalls(worker->net);
	if (options->io != NULL)
		net_count_hops(worker->net);
	worker->storage = storage_open(worker->net, &session->params, session->topo,
				       options->io_schedule != NULL ? &session->io_schedule : NULL,
				       options->io != NULL);
	worker->mpi = mpi_open(worker->net, &session->params, worker->storage);
	session->how.has_storage = worker->storage != NULL;
	return 0;
}

/* The first one, which shows whether the machine can be simulated; others when there are runs for
 * them. */
static int open_workers(struct netsim_session *session, struct err *err)
{
	size_t n = (size_t)session->context->nthreads;

	/* made here, so that threads only read it */
	topo_graph(session->topo);
	session->workers = xcalloc(n, sizeof(*session->workers));
	session->nworkers = (int)n;
	session->how.is_shared = session->processes != NULL;
	if (open_worker(session, &session->workers[0], err) != 0)
		return -1;
	if (net_table_bytes(session->workers[0].net) > 0)
		say("next-hop tables of %lld bytes for each thread",
		    (long long)net_table_bytes(session->workers[0].net));
	return 0;
}

/* Threads go to runs first, then into each run: as many partitions, where the machine is large
 * enough for that many. */
static int divide_threads(struct netsim_session *session, int nruns, struct err *err)
{
	int64_t nparts = session->options->partitions;
	int nthreads = session->nworkers / nruns, nprocesses = processes_count(session->processes);
	int nlarge = session->topo->nnodes / NODES_OF_A_PART;

	if (nparts == 0)
		nparts = nthreads < nlarge ? nthreads : nlarge;
	if (nparts < 1)
		nparts = 1;
	if (session->options->partitions == 0)
		nparts *= nprocesses;
	for (int i = 0; i < nruns; i++) {
		struct worker *worker = &session->workers[i];

		if (worker->net == NULL && open_worker(session, worker, err) != 0)
			return -1;
		if (worker->nthreads != nthreads &&
		    net_split(worker->net, (int)nparts, nthreads, session->processes, err) < 0)
			return -1;
		worker->nthreads = nthreads;
		if (session->options->partitions > 0)
			net_measure(worker->net);
	}
	return 0;
}

static int open_side(struct netsim_session *session, struct err *err)
{
	const struct netsim_options *options = session->options;

	if (side_table_open(&session->ranks, session->context, options->ranks, &kind_ranks,
			    session->in, &session->how, err) != 0 ||
	    side_table_open(&session->links, session->context, options->links, &kind_links,
			    session->in, &session->how, err) != 0 ||
	    side_table_open(&session->io, session->context, options->io, &kind_iotrace, session->in,
			    &session->how, err) != 0 ||
	    side_table_open(&session->storage, session->context, options->storage, &kind_storage,
			    session->in, &session->how, err) != 0)
		return -1;
	if (session->io.out != NULL)
		table_out_meta(session->io.table, "timing", "start");
	if (options->counters == NULL)
		return 0;
	if (out_open(&session->counters_out, options->counters, session->context->command, err) !=
	    0)
		return -1;
	session->how.counters = sim_counters_open(session->topo, session->counters_out);
	return 0;
}

static int open_all(struct netsim_session *session, char *const *paths, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	const struct netsim_options *options = session->options;
	const struct run_context *context = session->context;

	if (parse_times(session, err) != 0 ||
	    table_open(&session->in, kinds, paths, context->accepts_partial, err) != 0 ||
	    topo_resolve(&session->topo, context->topology, session->in, err) != 0 ||
	    sim_params_open(&session->params, session->topo, options->profile, options->settings,
			    options->nsettings, options->routing, err) != 0)
		return -1;
	if (options->pattern != NULL && program_check(options->pattern, err) != 0)
		return err_prefix(err, "--pattern: ");
	if (options->io_schedule != NULL &&
	    pick_parse(&session->io_schedule, &io_schedules, options->io_schedule, err) != 0)
		return err_prefix(err, "--io-schedule: ");
	if (options->mapping != NULL) {
		if (placements_read(&session->placements, options->mapping, session->topo,
				    context->accepts_partial, err) != 0)
			return -1;
		session->how.placements = &session->placements;
	}
	session->how.topo = session->topo;
	session->how.params = &session->params;
	session->how.accepts_partial = context->accepts_partial;
	session->how.seed = (uint64_t)context->seed;
	session->how.pattern = options->pattern;
	session->how.iterations = options->iterations >= 0 ? options->iterations : 1;
	session->how.ranks_per_node = options->ranks_per_node > 0 ? options->ranks_per_node : 1;
	session->how.is_scheduled = options->is_scheduled;
	session->how.time_scale = options->time_scale;
	session->how.keeps_ranks = options->ranks != NULL;
	session->how.keeps_links = options->links != NULL;
	session->how.keeps_io = options->io != NULL;
	session->how.folder = table_folder(session->in);
	session->how.allowed = options->allowed;
	session->how.nallowed = options->nallowed;
	sim_columns_bind(&session->columns, session->in);
	if (options->pattern == NULL && session->columns.pattern < 0 &&
	    table_ncolumns(session->in) > 0)
		return err_set(err, "the jobs have no column pattern: --pattern gives one");
	sim_params_warn_buffers(&session->params, session->topo);
	return open_workers(session, err);
}

static void close_all(struct netsim_session *session)
{
	for (int i = 0; i < session->nworkers; i++) {
		mpi_close(session->workers[i].mpi);
		storage_close(session->workers[i].storage);
		net_close(session->workers[i].net);
	}
	free(session->workers);
	for (size_t i = 0; i < session->batch.n; i++)
		simulation_free(&session->batch.at[i]);
	vec_free(&session->batch);
	if (session->io_schedule.entry != NULL)
		pick_free(&session->io_schedule);
	sim_counters_close(session->how.counters);
	placements_free(&session->placements);
	map_free(&session->names);
	sim_params_close(&session->params);
	topo_free(session->topo);
	table_close(session->in);
}

/* ---- simulating ---- */

static void simulate_one(void *context, int number, size_t item)
{
	struct netsim_session *session = context;
	struct worker *worker = &session->workers[number];

	simulation_run(&session->batch.at[item], &session->how, worker->net, worker->mpi,
		       worker->storage);
}

static void tell_progress(struct netsim_session *session)
{
	if (!progress_must_tell() && !session->context->shows_progress)
		return;
	warn("%lld runs simulated, %lld packet-hops", (long long)session->result->nsimulations,
	     (long long)session->result->packet_hops);
}

/* The first one that went wrong counts, whichever thread had it. */
static int write_batch(struct netsim_session *session, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < session->batch.n; i++) {
		struct simulation *simulation = &session->batch.at[i];

		if (status == 0 && simulation->status != 0) {
			*err = simulation->err;
			status = -1;
		}
		if (status == 0) {
			for (size_t k = 0; k < simulation->jobs.n; k++)
				sim_rows_write(&session->rows, &simulation->jobs.at[k]);
			session->rows.has_unlocated |= simulation->has_unlocated;
			if (session->rows.idle.nports == 0)
				session->rows.idle = simulation->idle;
			ranks_write(&session->ranks, simulation, &session->how);
			links_write(&session->links, simulation, &session->how);
			io_write(&session->io, simulation, &session->how);
			storage_write(&session->storage, simulation, &session->how);
			session->result->nsimulations++;
			session->result->nevents += simulation->nevents;
			session->result->cpu_s += simulation->cpu_s;
		}
		simulation_free(simulation);
	}
	session->batch.n = 0;
	return status;
}

static int simulate_batch(struct netsim_session *session, struct err *err)
{
	int nruns = (size_t)session->nworkers < session->batch.n ? session->nworkers
								 : (int)session->batch.n;
	int status;

	/* one after the other: all processes share each run, all runs the file of counters */
	if (session->processes != NULL || session->how.counters != NULL)
		nruns = 1;
	if (session->how.counters != NULL && session->batch.n > 1)
		sim_counters_name_runs(session->how.counters);
	status = divide_threads(session, nruns, err);
	if (processes_agree(session->processes, status, err) != 0) {
		session->has_agreed = true;
		return -1;
	}
	progress_begin();
	threads_share(nruns, session->batch.n, simulate_one, session);
	progress_end();
	status = write_batch(session, err);
	if (status != 0 && progress_must_stop())
		err_prefix(err, "%lld runs simulated; ", (long long)session->result->nsimulations);
	tell_progress(session);
	return status;
}

/* ---- run by run ---- */

/* Whether the job begins another simulation: another run, another policy (rows without one, as of
 * jobs that ran before, go with the others), or a job of that name was there. */
static bool begins(struct netsim_session *session, const struct sim_job *job)
{
	const struct simulation *simulation;

	if (session->batch.n == 0)
		return true;
	simulation = &session->batch.at[session->batch.n - 1];
	if (!str_same(simulation->jobs.at[0].run, job->run) ||
	    map_get(&session->names, job->name, strlen(job->name)) >= 0)
		return true;
	for (size_t i = simulation->jobs.n; i-- > 0 && job->policy != NULL;)
		if (simulation->jobs.at[i].policy != NULL)
			return !str_same(simulation->jobs.at[i].policy, job->policy);
	return false;
}

/* The row that begins a batch outlives table_forget: its cells move into the simulation's own
 * arena. */
static void save_row(struct netsim_session *session, struct arena *arena, struct row *row)
{
	int n = table_ncolumns(session->in);
	char **cells = arena_alloc(arena, (size_t)n * sizeof(*cells));

	for (int i = 0; i < n; i++)
		cells[i] = arena_strndup(arena, row->cells[i], strlen(row->cells[i]));
	row->cells = cells;
}

static int read_job(struct netsim_session *session, struct sim_job *job, const struct row *row,
		    struct err *err)
{
	int status = sim_job_read(job, &session->columns, row, &session->how, err);

	if (status != 0)
		vec_free(&job->nodes);
	return status;
}

static int begin_simulation(struct netsim_session *session, struct sim_job *job, struct err *err)
{
	struct simulation simulation = {0};
	struct err told;

	if (session->how.counters != NULL &&
	    sim_counters_admit(session->how.counters, job->run, &told) != 0)
		return row_error(&job->row, err, "%s", told.msg);
	if (session->batch.n >= BATCH) {
		struct row row = job->row;

		save_row(session, &simulation.arena, &row);
		vec_free(&job->nodes);
		if (simulate_batch(session, err) != 0 || read_job(session, job, &row, err) != 0) {
			arena_free(&simulation.arena);
			job->nodes = (int_vec){0};
			return -1;
		}
		table_forget(session->in);
	}
	map_free(&session->names);
	session->names = (struct map){0};
	vec_push(&session->batch, simulation);
	return 0;
}

static int pass_jobs(struct netsim_session *session, struct err *err)
{
	struct row row;
	int status;

	table_keep(session->in);
	while ((status = table_next(session->in, &row, err)) == 1) {
		struct sim_job job;

		if (read_job(session, &job, &row, err) != 0)
			return -1;
		if (begins(session, &job) && begin_simulation(session, &job, err) != 0) {
			vec_free(&job.nodes);
			return -1;
		}
		map_set(&session->names, job.name, strlen(job.name), 1);
		vec_push(&session->batch.at[session->batch.n - 1].jobs, job);
	}
	return status == 0 && session->batch.n > 0 ? simulate_batch(session, err) : status;
}

static int close_outputs(struct netsim_session *session, bool whole, int status, struct err *err)
{
	struct err dropped = {0}, *told = status == 0 ? err : &dropped;

	if (side_table_close(&session->ranks, whole, told) != 0 && status == 0)
		status = -1, told = &dropped;
	if (side_table_close(&session->links, whole, told) != 0 && status == 0)
		status = -1, told = &dropped;
	if (side_table_close(&session->io, whole, told) != 0 && status == 0)
		status = -1, told = &dropped;
	if (side_table_close(&session->storage, whole, told) != 0 && status == 0)
		status = -1, told = &dropped;
	if (out_close(session->counters_out, whole, told) != 0 && status == 0)
		status = -1, told = &dropped;
	sim_rows_end(&session->rows, whole && status == 0);
	if (out_close(session->out, whole && status == 0, told) != 0 && status == 0)
		status = -1;
	return status;
}

int sim_stream(const struct run_context *context, const struct netsim_options *options,
	       struct processes *processes, char *const *paths, struct netsim_result *result,
	       struct err *err)
{
	struct netsim_session session = {
		.context = context,
		.options = options,
		.processes = processes,
		.result = result,
		.rows = {.context = context, .options = options, .result = result}};
	int status;

	*result = (struct netsim_result){0};
	status = open_all(&session, paths, err);
	if (status == 0)
		status = out_open(&session.out, context->output, context->command, err);
	if (status == 0)
		status = open_side(&session, err);
	if (status == 0) {
		sim_rows_begin(&session.rows, session.out, session.in, session.topo,
			       &session.params, &session.how);
		status = pass_jobs(&session, err);
	}
	if (!session.has_agreed)
		status = processes_agree(processes, status, err);
	result->is_whole = status == 0 && table_is_whole(session.in);
	if (session.workers != NULL && session.workers[0].net != NULL)
		result->work = net_work(session.workers[0].net);
	status = close_outputs(&session, result->is_whole, status, err);
	if (status == 0)
		sim_rows_warn_unused(&session.rows);
	close_all(&session);
	return status;
}
