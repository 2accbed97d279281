/* nedd.c - the experiment that NeDD was judged by: a pool of idle nodes, a
 * congestor, applications */
#include "workload/nedd.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "workload/workload.h"
#include "base/rng.h"
#include "model/kinds.h"

static const struct param params[] = {
	{.key = "jobs",
	 .type = PARAM_TEXT,
	 .def = "all",
	 .meaning = "what runs together with the congestor: one (the six applications of "
		    "Table I), two (the pairs of Fig. 5), all, or a list such as "
		    "[miniMD,LAMMPS+HPCG]"},
	{.key = "reps",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1000000,
	 .def = "10",
	 .meaning = "repetitions of each"},
	{.key = "pool",
	 .type = PARAM_INT,
	 .min = 2,
	 .max = 100000000,
	 .def = "201",
	 .unit = "nodes",
	 .meaning = "number of idle nodes for the experiment, N"},
	{.key = "log",
	 .type = PARAM_FILE,
	 .optional = true,
	 .meaning = "placed jobs, as allocate -q writes: pool and background are what its "
		    "scheduler left at the start of pool-job, the same in all runs"},
	{.key = "pool-job",
	 .type = PARAM_TEXT,
	 .def = "pool",
	 .meaning = "with log: the job whose nodes form the pool"},
	{.key = "congestor-nodes",
	 .type = PARAM_INT,
	 .min = 2,
	 .max = 100000000,
	 .def = "64",
	 .unit = "nodes",
	 .meaning = "nodes of GPCNeT, C: four fifths form the congestor, the rest the "
		    "canary"},
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 100000000,
	 .def = "32",
	 .unit = "nodes",
	 .meaning = "nodes of each application, M"},
	{.key = "occupancy",
	 .type = PARAM_REAL,
	 .max = 1,
	 .optional = true,
	 .meaning = "fraction of the machine that background jobs hold; default: all but "
		    "the pool"},
	{.key = "background",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 24,
	 .def = "8",
	 .unit = "nodes",
	 .meaning = "largest background job: the smaller, the more scattered the pool"},
	{.key = "background-intensity",
	 .type = PARAM_REAL,
	 .max = 1e12,
	 .def = "1e6",
	 .unit = "flits/s",
	 .meaning = "mean traffic of a background job's node; individual jobs have 0 to 3"
		    " times that"},
	{.key = "congestor-intensity",
	 .type = PARAM_REAL,
	 .max = 1e12,
	 .def = "4e6",
	 .unit = "flits/s",
	 .meaning = "traffic of a congestor's node; its root has that much for each of "
		    "the others"},
	{.key = "canary-intensity",
	 .type = PARAM_REAL,
	 .max = 1e12,
	 .def = "1e5",
	 .unit = "flits/s",
	 .meaning = "traffic of a canary's node"},
	{.key = "congestor",
	 .type = PARAM_BOOL,
	 .def = "yes",
	 .meaning = "no: its nodes stay taken but idle, the case No-Congestor"},
	{.key = "warmup",
	 .type = PARAM_DURATION,
	 .def = "120",
	 .unit = "s",
	 .meaning = "how long the congestor runs before the applications are placed"},
	{.key = "hold",
	 .type = PARAM_DURATION,
	 .def = "600",
	 .unit = "s",
	 .meaning = "how long it runs after that; the next run follows"},
	{.key = "start",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "start of the first run"},
	{0}};

enum nedd_column {
	RUN,
	WORKLOAD,
	REP,
	JOB,
	NODES,
	APP,
	BINARY,
	RANKS,
	SUBMIT,
	START,
	END,
	PATTERN,
	BYTES,
	ITERATIONS,
	INTENSITY,
	NODELIST,
	NCOLUMNS
};
static const char *const column_names[NCOLUMNS] = {
	"run",    "workload",       "rep",       "job",     "nodes", "app",
	"binary", "ranks_per_node", "submit_s",  "start_s", "end_s", "pattern",
	"bytes",  "iterations",     "intensity", "nodelist"};

/* The experiment as asked for, and the run that is being written. */
struct nedd {
	const struct pick *pick;
	const struct topo *topo;
	struct table_out *table;
	int place[NCOLUMNS];
	struct nedd_sizes sizes;
	int nodes_per_job;
	uint64_t seed;
	int64_t warmup_ns, hold_ns;
	bool has_log;
	struct nedd_log log;
	const struct nedd_jobs *jobs;
	int64_t rep, start_ns;
	char run[192];
};

static int check_sizes(const struct pick *pick, const struct nedd *nedd, const nedd_jobs_vec *jobs,
		       struct err *err)
{
	const struct nedd_sizes *sizes = &nedd->sizes;
	int64_t most = 0;

	for (size_t i = 0; i < jobs->n; i++)
		if (jobs->at[i].n > most)
			most = jobs->at[i].n;
	if (sizes->nidle > sizes->nnodes || sizes->nidle < sizes->npool)
		return err_set(
			err,
			"nedd: pool: needs %d idle nodes, but %s of the "
			"machine's %d nodes leaves %d",
			sizes->npool, pick_has(pick, "occupancy") ? "this occupancy" : "the size",
			sizes->nnodes, sizes->nidle < sizes->nnodes ? sizes->nidle : sizes->nnodes);
	if (1 + sizes->ncongestor + most * nedd->nodes_per_job > sizes->npool)
		return err_set(err,
			       "nedd: a pool of %d nodes is too small for the control node, %d "
			       "nodes of congestor and %" PRId64 " jobs of %d nodes",
			       sizes->npool, sizes->ncongestor, most, nedd->nodes_per_job);
	return 0;
}

/* The log has the pool's size and the background's. */
static int open_log(struct nedd *nedd, const struct pick *pick, struct err *err)
{
	static const char *const drawn[] = {"pool", "occupancy", "background"};

	if (!pick_has(pick, "log")) {
		if (pick_value(pick, "pool-job")->is_given)
			return err_set(err, "%s", "nedd: pool-job: expected log=, which has it");
		return 0;
	}
	for (size_t i = 0; i < sizeof(drawn) / sizeof(drawn[0]); i++)
		if (pick_value(pick, drawn[i])->is_given)
			return err_set(err, "nedd: %s: the log has its own", drawn[i]);
	if (nedd_log_read(&nedd->log, pick_word(pick, "log"), pick_word(pick, "pool-job"),
			  nedd->topo, err) != 0)
		return -1;
	nedd->has_log = true;
	nedd->sizes.npool = nedd->log.npool;
	nedd->sizes.nidle = nedd->log.npool + nedd->log.nvacant;
	return 0;
}

static void nedd_open(struct nedd *nedd, const struct pick *pick,
		      const struct workload_input *input)
{
	int nnodes = input->topo->nnodes, npool = (int)pick_int(pick, "pool");

	*nedd = (struct nedd){.pick = pick, .topo = input->topo, .seed = input->seed};
	nedd->sizes = (struct nedd_sizes){
		.nnodes = nnodes,
		.nidle = npool,
		.npool = npool,
		.ncongestor = (int)pick_int(pick, "congestor-nodes"),
		.most_background = (int)pick_int(pick, "background"),
	};
	if (pick_has(pick, "occupancy"))
		nedd->sizes.nidle = nnodes - (int)(pick_real(pick, "occupancy") * nnodes);
	nedd->nodes_per_job = (int)pick_int(pick, "nodes");
	nedd->warmup_ns = llround(pick_real(pick, "warmup") * 1e9);
	nedd->hold_ns = llround(pick_real(pick, "hold") * 1e9);
	nedd->start_ns = llround(pick_real(pick, "start") * 1e9);
}

/* What every row says about its run. */
static void put_row(const struct nedd *nedd, const char *job, int64_t nnodes, const char *app)
{
	table_out_text(nedd->table, nedd->place[RUN], nedd->run);
	table_out_text(nedd->table, nedd->place[WORKLOAD], nedd->jobs->name);
	table_out_int(nedd->table, nedd->place[REP], nedd->rep);
	table_out_text(nedd->table, nedd->place[JOB], job);
	table_out_int(nedd->table, nedd->place[NODES], nnodes);
	table_out_text(nedd->table, nedd->place[APP], app);
}

/* The rest of a row that has its nodes from the beginning to the end of the run. */
static void put_running(const struct nedd *nedd, const int *nodes, int n, double intensity)
{
	struct buf list = {0};

	topo_nodelist_add(nedd->topo, nodes, (size_t)n, &list);
	table_out_text(nedd->table, nedd->place[NODELIST], buf_text(&list));
	buf_free(&list);
	table_out_seconds(nedd->table, nedd->place[SUBMIT], nedd->start_ns);
	table_out_seconds(nedd->table, nedd->place[START], nedd->start_ns);
	table_out_seconds(nedd->table, nedd->place[END],
			  nedd->start_ns + nedd->warmup_ns + nedd->hold_ns);
	table_out_real(nedd->table, nedd->place[INTENSITY], intensity);
}

static void write_background(const struct nedd *nedd, const struct nedd_draw *draw)
{
	double mean = pick_real(nedd->pick, "background-intensity");
	char job[256];

	for (size_t i = 0; i < draw->background.n; i++) {
		const struct nedd_background *background = &draw->background.at[i];
		struct rng rng;
		double u;

		if (background->name != NULL)
			snprintf(job, sizeof(job), "b%s", background->name);
		else
			snprintf(job, sizeof(job), "b%zu", i + 1);
		rng = rng_make(nedd->seed, "nedd-intensity", nedd->has_log ? NULL : nedd->run, job);
		u = rng_unit(&rng);
		put_row(nedd, job, background->n, "background");
		table_out_text(nedd->table, nedd->place[PATTERN], "uniform");
		/* mean of u² is 1/3: many quiet jobs, few loud ones */
		put_running(nedd, background->nodes, background->n, floor(3 * mean * u * u));
		table_out_emit(nedd->table);
	}
}

/* GPCNeT: ranks of the congestor MPI_Get 4 096 bytes from rank 0 until the others end. */
static void write_congestor(const struct nedd *nedd, const struct nedd_draw *draw)
{
	bool runs = pick_bool(nedd->pick, "congestor");
	int n = nedd->sizes.ncongestor, ncongesting = (int)((int64_t)n * 4 / 5);
	static const char *const names[] = {"congestor", "canary"};
	static const char *const patterns[] = {"gpcnet-rma-broadcast", "gpcnet-canary"};

	for (int i = 0; i < 2; i++) {
		const int *nodes = draw->congestor + (i == 0 ? 0 : ncongesting);
		int nnodes = i == 0 ? ncongesting : n - ncongesting;

		put_row(nedd, names[i], nnodes, "GPCNeT");
		if (runs) {
			table_out_text(nedd->table, nedd->place[PATTERN], patterns[i]);
			table_out_int(nedd->table, nedd->place[BYTES], i == 0 ? 4096 : 8);
			table_out_int(nedd->table, nedd->place[ITERATIONS], 0);
		}
		put_running(nedd, nodes, nnodes,
			    !runs    ? 0
			    : i == 0 ? pick_real(nedd->pick, "congestor-intensity")
				     : pick_real(nedd->pick, "canary-intensity"));
		table_out_emit(nedd->table);
	}
}

/* Rows that keep their nodes, though they make no traffic: the control node, idle nodes
 * of others. */
static void write_quiet(const struct nedd *nedd, const struct nedd_draw *draw)
{
	int nvacant = nedd->sizes.nidle - nedd->sizes.npool;

	put_row(nedd, "control", 1, "LDMS");
	put_running(nedd, &draw->control, 1, 0);
	table_out_emit(nedd->table);
	if (nvacant == 0)
		return;
	put_row(nedd, "vacant", nvacant, "none");
	put_running(nedd, draw->idle + nedd->sizes.npool, nvacant, 0);
	table_out_emit(nedd->table);
}

/* The applications wait for their nodes, in this order. */
static void write_applications(const struct nedd *nedd)
{
	for (int i = 0; i < nedd->jobs->n; i++) {
		const struct nedd_app *app = nedd->jobs->apps[i];
		char job[64];
		int nth = 1;

		for (int k = 0; k < i; k++)
			nth += nedd->jobs->apps[k] == app;
		snprintf(job, sizeof(job), nth > 1 ? "%s.%d" : "%s", app->name, nth);
		put_row(nedd, job, nedd->nodes_per_job, app->name);
		table_out_text(nedd->table, nedd->place[BINARY], app->binary);
		table_out_int(nedd->table, nedd->place[RANKS], app->ranks_per_node);
		table_out_seconds(nedd->table, nedd->place[SUBMIT],
				  nedd->start_ns + nedd->warmup_ns);
		table_out_emit(nedd->table);
	}
}

static void write_run(struct nedd *nedd)
{
	struct nedd_draw draw;

	snprintf(nedd->run, sizeof(nedd->run), "%s.%" PRId64, nedd->jobs->name, nedd->rep);
	nedd_draw(&draw, &nedd->sizes, nedd->has_log ? &nedd->log : NULL, nedd->seed, nedd->run);
	write_background(nedd, &draw);
	write_quiet(nedd, &draw);
	write_congestor(nedd, &draw);
	write_applications(nedd);
	nedd_draw_free(&draw);
	nedd->start_ns += nedd->warmup_ns + nedd->hold_ns;
}

static int write(const struct pick *pick, struct workload_input *input, struct err *err)
{
	int64_t nreps = pick_int(pick, "reps");
	nedd_jobs_vec jobs = {0};
	struct nedd nedd;
	int status = nedd_jobs_parse(&jobs, pick_word(pick, "jobs"), err);

	nedd_open(&nedd, pick, input);
	if (status == 0)
		status = open_log(&nedd, pick, err);
	if (status == 0)
		status = check_sizes(pick, &nedd, &jobs, err);
	nedd.table = table_out_new(input->out, &kind_jobs);
	workload_record(input, nedd.table);
	for (int i = 0; i < NCOLUMNS; i++)
		nedd.place[i] = table_out_column(nedd.table, column_names[i]);
	for (size_t i = 0; i < jobs.n && status == 0; i++) {
		nedd.jobs = &jobs.at[i];
		for (nedd.rep = 1; nedd.rep <= nreps; nedd.rep++)
			write_run(&nedd);
	}
	table_out_end(nedd.table, status == 0);
	nedd_log_free(&nedd.log);
	vec_free(&jobs);
	return status;
}

const struct workload workload_nedd = {
	.entry = {.name = "nedd",
		  .example = "nedd:pool=60,congestor-nodes=20,nodes=8,reps=2",
		  .summary = "the experiment of NeDD: idle nodes left by background jobs,"
			     " a network congestor on some of them, applications to place"
			     " on others",
		  .paper = "Zhang et al., NeDD, §IV-B",
		  .params = params},
	.needs_topology = true,
	.write = write,
};
