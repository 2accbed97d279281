/* simulation.c - one run of a jobs stream on the simulated network */
#include "sim/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "base/progress.h"
#include "base/str.h"
#include "sim/sim_counters.h"
#include "sim/sim_io.h"

/* ---- rows ---- */

void sim_columns_bind(struct sim_columns *columns, const struct table_in *in)
{
	*columns = (struct sim_columns){
		.job = table_find(in, "job"),
		.run = table_find(in, "run"),
		.policy = table_find(in, "policy"),
		.nodes = table_find(in, "nodes"),
		.nodelist = table_find(in, "nodelist"),
		.pattern = table_find(in, "pattern"),
		.bytes = table_find(in, "bytes"),
		.iterations = table_find(in, "iterations"),
		.compute = table_find(in, "compute_s"),
		.ranks_per_node = table_find(in, "ranks_per_node"),
		.mapping = table_find(in, "mapping"),
		.start = table_find(in, "start_s"),
	};
}

static int read_mapping(struct sim_job *job, const struct row *row, int column, struct err *err)
{
	const char *mapping = row_text(row, column);

	if (mapping != NULL && rank_order_find(mapping, &job->order) != 0)
		return row_error(row, err,
				 "mapping: '%s'; expected in-order, random or leaf-round-robin",
				 mapping);
	return 0;
}

static int read_numbers(struct sim_job *job, const struct sim_columns *columns,
			const struct row *row, struct err *err)
{
	int64_t compute_ns = 0;
	double bytes;
	int status = row_real(row, columns->bytes, "bytes", 0, 1e15, &bytes, err);
	int counted = row_int(row, columns->iterations, "iterations", 0, INT32_MAX,
			      &job->iterations, err);
	int ranked = row_int(row, columns->ranks_per_node, "ranks_per_node", 1, 1 << 20,
			     &job->ranks_per_node, err);

	if (status == 1)
		job->bytes = llround(bytes);
	job->takes_bytes = status == 0;
	job->takes_iterations = counted == 0;
	job->takes_ranks = ranked == 0;
	if (status < 0 || counted < 0 || ranked < 0 ||
	    row_seconds(row, columns->compute, "compute_s", &compute_ns, err) < 0 ||
	    row_seconds(row, columns->start, "start_s", &job->start_ns, err) < 0)
		return -1;
	if (compute_ns < 0 || compute_ns > PATTERN_MOST_PS / 1000)
		return row_error(row, err, "compute_s: expected a time from 0 to 53 days");
	job->compute_ps = compute_ns * 1000;
	return 0;
}

static int read_nodes(struct sim_job *job, const struct row *row, const char *nodelist,
		      const struct sim_options *options, struct err *err)
{
	if (topo_nodelist_read(options->topo, nodelist, &job->nodes, err) != 0)
		return err_prefix(err, "%s:%ld: nodelist: ", row->file, row->line);
	if (job->nodes.n != (size_t)job->nnodes)
		return row_error(row, err, "nodelist: has %zu nodes, the job asks for %d",
				 job->nodes.n, job->nnodes);
	return 0;
}

static int read_pattern(struct sim_job *job, const struct row *row, int column,
			const struct sim_options *options, struct err *err)
{
	const char *text = row_text(row, column);

	job->pattern = text != NULL ? text : options->pattern;
	job->takes_pattern = text == NULL;
	if (text != NULL && program_check(text, err) != 0)
		return err_prefix(err, "%s:%ld: pattern: ", row->file, row->line);
	return 0;
}

int sim_job_read(struct sim_job *job, const struct sim_columns *columns, const struct row *row,
		 const struct sim_options *options, struct err *err)
{
	const char *nodelist = row_text(row, columns->nodelist);
	int64_t nnodes;

	*job = (struct sim_job){
		.row = *row,
		.name = row_text(row, columns->job),
		.run = row_text(row, columns->run),
		.policy = row_text(row, columns->policy),
		.bytes = options->bytes,
		.iterations = options->iterations,
		.ranks_per_node = options->ranks_per_node,
		.start_ns = INT64_MIN,
	};
	if (row_int(row, columns->nodes, "nodes", 1, INT32_MAX, &nnodes, err) != 1 ||
	    read_numbers(job, columns, row, err) != 0 ||
	    read_mapping(job, row, columns->mapping, err) != 0 ||
	    read_pattern(job, row, columns->pattern, options, err) != 0)
		return -1;
	job->nnodes = (int)nnodes;
	job->is_placed = nodelist != NULL;
	if (job->is_placed && nnodes * job->ranks_per_node > 1 << 24)
		return row_error(row, err, "%lld ranks are more than 2^24",
				 (long long)(nnodes * job->ranks_per_node));
	return job->is_placed ? read_nodes(job, row, nodelist, options, err) : 0;
}

/* ---- one simulation ---- */

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* A mapping's ranks must be on the job's own nodes. */
static int check_mapping(const struct sim_job *job, const int_vec *nodes, struct err *err)
{
	int *sorted = xcalloc(job->nodes.n, sizeof(*sorted));
	int status = 0;

	memcpy(sorted, job->nodes.at, job->nodes.n * sizeof(*sorted));
	qsort(sorted, job->nodes.n, sizeof(*sorted), by_number);
	for (size_t rank = 0; rank < nodes->n && status == 0; rank++)
		if (bsearch(&nodes->at[rank], sorted, job->nodes.n, sizeof(*sorted), by_number) ==
		    NULL)
			status = row_error(&job->row, err,
					   "job %s: the mapping has rank %zu on a "
					   "node that is not the job's",
					   job->name, rank);
	free(sorted);
	return status;
}

static int place(struct sim_job *job, const struct sim_options *options, struct err *err)
{
	const int_vec *mapped = NULL;

	if (options->placements != NULL)
		mapped = placements_find(options->placements, job->run, job->policy, job->name);
	job->is_mapped = mapped != NULL;
	if (mapped != NULL && check_mapping(job, mapped, err) != 0)
		return -1;
	job->nranks = mapped != NULL ? (int)mapped->n : job->nnodes * (int)job->ranks_per_node;
	job->node_of = xcalloc((size_t)job->nranks, sizeof(*job->node_of));
	if (mapped != NULL)
		memcpy(job->node_of, mapped->at, mapped->n * sizeof(*mapped->at));
	else
		place_ranks(options->topo, job->nodes.at, job->nnodes, (int)job->ranks_per_node,
			    job->order, options->seed, job->run, job->name, job->node_of);
	return 0;
}

/* A program that does I/O needs storage, whose records are in one process. */
static int check_io(const struct sim_job *job, const struct sim_options *options, struct err *err)
{
	for (int i = 0; i < job->program.nparts; i++) {
		const struct pattern *pattern = job->program.parts[i].pattern;

		if (pattern->text != NULL && !options->has_storage)
			return row_error(
				&job->row, err,
				"job %s: %s: the machine has no storage: expected io: with a device "
				"(topogen --io)",
				job->name, pattern->entry.name);
		if (pattern->text != NULL && options->is_shared)
			return row_error(&job->row, err,
					 "job %s: %s: expected one process, as several do not "
					 "simulate I/O",
					 job->name, pattern->entry.name);
	}
	return 0;
}

/* Each rank has a GPU for itself where all buffers are on GPUs, and the machine says how many there
 * are. */
static int check_gpus(const struct sim_job *job, const struct sim_options *options, struct err *err)
{
	const struct topo *topo = options->topo;
	char name[TOPO_NAME];
	int *sorted, nhere = 0, status = 0;

	if (topo->gpus == 0 ||
	    (options->params->gpu != GPU_HOSTCOPY && options->params->gpu != GPU_GPUDIRECT))
		return 0;
	sorted = xcalloc((size_t)job->nranks, sizeof(*sorted));
	memcpy(sorted, job->node_of, (size_t)job->nranks * sizeof(*sorted));
	qsort(sorted, (size_t)job->nranks, sizeof(*sorted), by_number);
	for (int i = 0; i < job->nranks && status == 0; i++) {
		nhere = i > 0 && sorted[i] == sorted[i - 1] ? nhere + 1 : 1;
		if (nhere > topo->gpus)
			status = row_error(&job->row, err,
					   "job %s: more than %d ranks are on node %s, which has "
					   "%d GPUs: expected a GPU for each rank",
					   job->name, topo->gpus,
					   topo_node_name(topo, sorted[i], name), topo->gpus);
	}
	free(sorted);
	return status;
}

static int open_job(struct sim_job *job, const struct sim_options *options, struct err *err)
{
	struct pattern_job what;

	if (!job->is_placed || job->pattern == NULL)
		return 0;
	if (place(job, options, err) != 0 || check_gpus(job, options, err) != 0)
		return -1;
	what = (struct pattern_job){
		.nranks = job->nranks,
		.node_of = job->node_of,
		.topo = options->topo,
		.bytes = job->bytes,
		.iterations = job->iterations,
		.compute_ps = job->compute_ps,
		.does_as_sst = options->params->does_as_sst,
		.seed = options->seed,
		.run = job->run,
		.job = job->name,
		.folder = options->folder,
		.accepts_partial = options->accepts_partial,
		.is_from_stream = job->pattern != options->pattern,
		.allowed = options->allowed,
		.nallowed = options->nallowed,
		.default_bytes = 1024,
		.rates = {options->params->gpu_flops, options->params->gpu_memory},
	};
	if (program_open(&job->program, job->pattern, &what, err) != 0)
		return err_prefix(err, "%s:%ld: job %s: ", job->row.file, job->row.line, job->name);
	job->runs = true;
	return check_io(job, options, err);
}

/* When jobs start: together, or as they were scheduled, relative to the first one; those that do
 * not say it start with that one. */
static int set_starts(struct simulation *simulation, const struct sim_options *options,
		      struct err *err)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; options->is_scheduled && i < simulation->jobs.n; i++) {
		int64_t start = simulation->jobs.at[i].start_ns;

		if (start != INT64_MIN && start < first)
			first = start;
	}
	for (size_t i = 0; options->is_scheduled && i < simulation->jobs.n; i++) {
		struct sim_job *job = &simulation->jobs.at[i];
		double delay_ps;

		if (job->start_ns == INT64_MIN)
			continue;
		delay_ps = ((double)job->start_ns - (double)first) * 1000 * options->time_scale;
		if (delay_ps > 1e18)
			return row_error(&job->row, err,
					 "start_s: more than a week of simulated time after the "
					 "first job: --time-scale makes it less");
		job->start_ps = llround(delay_ps);
	}
	return 0;
}

struct ticking {
	struct simulation *simulation;
	const struct sim_options *options;
	struct net *net;
};

static bool tick(void *context, int64_t now_ps)
{
	struct ticking *ticking = context;
	const struct sim_options *options = ticking->options;

	if (options->counters != NULL) {
		net_collect_channels(ticking->net);
		sim_counters_sample(options->counters, ticking->net, now_ps);
	}
	if (progress_must_tell()) {
		const struct sim_job *job = &ticking->simulation->jobs.at[0];

		warn("at %.9g s of run %s", (double)now_ps * 1e-12,
		     job->run != NULL ? job->run : ".");
	}
	if (!net_must_stop(ticking->net))
		return true;
	ticking->simulation->was_stopped = true;
	ticking->simulation->elapsed_ps = now_ps;
	return false;
}

static void keep_results(struct simulation *simulation, const struct sim_options *options,
			 struct net *net, struct mpi *mpi, struct storage *storage)
{
	int number = 0;

	for (size_t i = 0; i < simulation->jobs.n; i++) {
		struct sim_job *job = &simulation->jobs.at[i];
		struct mpi_job_times times;

		if (!job->runs)
			continue;
		times = mpi_job_times(mpi, number);
		job->is_done = times.is_done && job->iterations > 0;
		job->time_ps = times.end_ps - job->start_ps;
		job->mpi_ps = times.mpi_ps;
		job->totals = net_totals(net, NET_MPI, number);
		job->io_totals = net_totals(net, NET_IO, number);
		sim_io_keep_job(simulation, job, storage, mpi, number, options);
		if (times.is_done && times.end_ps > simulation->elapsed_ps)
			simulation->elapsed_ps = times.end_ps;
		if (options->keeps_ranks) {
			job->ranks = xcalloc((size_t)job->nranks, sizeof(*job->ranks));
			mpi_rank_times(mpi, number, job->ranks);
		}
		number++;
	}
	simulation->nevents = net_nevents(net);
	simulation->has_unlocated = mpi_has_unlocated(mpi);
	simulation->network_ps = net_now(net);
	simulation->idle = net_idle_ports(net);
	sim_io_keep_devices(simulation, storage);
	if (options->keeps_links || options->counters != NULL)
		net_collect_channels(net);
	if (!options->keeps_links)
		return;
	simulation->nchannels = net_nchannels(net);
	simulation->nplanes = net_nplanes(net);
	simulation->nnics = net_nnics(net);
	simulation->channels =
		xcalloc((size_t)simulation->nchannels + 1, sizeof(*simulation->channels));
	simulation->copies =
		xcalloc((size_t)simulation->nchannels + 1, sizeof(*simulation->copies));
	for (int64_t i = 0; i < simulation->nchannels; i++) {
		simulation->channels[i] = net_channel(net, i);
		simulation->copies[i] = net_copy(net, i);
	}
}

static double thread_cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int run(struct simulation *simulation, const struct sim_options *options, struct net *net,
	       struct mpi *mpi, struct storage *storage, struct mpi_job *jobs)
{
	struct ticking ticking = {simulation, options, net};
	const struct mpi_ticks ticks = {
		.tick = tick,
		.context = &ticking,
		.interval_ps = options->counters != NULL ? options->counters_every_ps : 10000000,
		.skips_idle = options->counters == NULL};
	const char *name = simulation->jobs.at[0].run;
	struct err *err = &simulation->err;
	int njobs = 0, status;

	status = set_starts(simulation, options, err);
	for (size_t i = 0; i < simulation->jobs.n && status == 0; i++) {
		struct sim_job *job = &simulation->jobs.at[i];

		status = open_job(job, options, err);
		if (job->runs)
			jobs[njobs++] = (struct mpi_job){.program = &job->program,
							 .name = job->name,
							 .start_ps = job->start_ps};
	}
	if (processes_agree(net_processes(net), status, err) != 0)
		return -1;
	if (njobs == 0)
		return 0;
	if (options->counters != NULL) {
		sim_counters_begin(options->counters, name);
		sim_counters_sample(options->counters, net, 0);
	}
	status = mpi_run(mpi, jobs, njobs, options->seed, name, options->until_ps, &ticks, err);
	if (simulation->was_stopped)
		return err_set(err, "interrupted at %.9g s of run %s",
			       (double)simulation->elapsed_ps * 1e-12, name != NULL ? name : ".");
	if (status < 0)
		return err_prefix(err, "run %s: ", name != NULL ? name : ".");
	simulation->elapsed_ps = status == 1 ? net_now(net) : 0;
	keep_results(simulation, options, net, mpi, storage);
	if (options->counters != NULL)
		sim_counters_sample(options->counters, net, net_now(net));
	return 0;
}

void simulation_run(struct simulation *simulation, const struct sim_options *options,
		    struct net *net, struct mpi *mpi, struct storage *storage)
{
	struct mpi_job *jobs = xcalloc(simulation->jobs.n, sizeof(*jobs));
	double begin = thread_cpu_s() + net_work(net).cpu_s;

	simulation->status = run(simulation, options, net, mpi, storage, jobs);
	for (size_t i = 0; i < simulation->jobs.n; i++)
		if (simulation->jobs.at[i].runs)
			program_close(&simulation->jobs.at[i].program);
	simulation->cpu_s = thread_cpu_s() + net_work(net).cpu_s - begin;
	free(jobs);
}

void simulation_free(struct simulation *simulation)
{
	for (size_t i = 0; i < simulation->jobs.n; i++) {
		struct sim_job *job = &simulation->jobs.at[i];

		vec_free(&job->nodes);
		free(job->node_of);
		free(job->ranks);
		sim_io_free_job(job);
	}
	vec_free(&simulation->jobs);
	free(simulation->devices);
	free(simulation->channels);
	free(simulation->copies);
	arena_free(&simulation->arena);
	*simulation = (struct simulation){0};
}
