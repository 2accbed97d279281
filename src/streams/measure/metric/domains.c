/* domains.c - the domains that jobs use against the fewest that they could have had */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/metric/domains_least.h"
#include "measure/metric/job_times.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"
#include "model/per_node.h"

enum { USED, LEAST, LEFT, LEFT_BEST, SHARE_MIN, SHARE_MAX, NOUTPUTS };

static const struct metric_output outputs[] = {
	{"domains", "1", "domains of the level in which the job has nodes"},
	{"domains-least", "1",
	 "the fewest possible with the nodes idle at its start, its own included, and its slices "
	 "and limits"},
	{"idle-left", "1", "nodes left idle in its domains; GPUs, for jobs that share nodes"},
	{"idle-left-best", "1", "the same of the best choice with the fewest domains"},
	{"share-min", "1", "nodes (GPUs) in the domain where it has fewest"},
	{"share-max", "1", "nodes (GPUs) in the domain where it has most"},
	{0}};

struct placed_job {
	char *id;
	const char *why; /* it is not measured; NULL: it is */
	struct domain_texts texts;
	int64_t start_ns, end_ns, order, units;
	size_t first, n; /* of the nodes */
	bool are_gpus;
};

struct used_share {
	int domain;
	int64_t units;
};

struct domains {
	const struct topo *topo;
	const struct table_in *in;
	struct domains_at at;
	struct job_times_columns times;
	VEC(struct placed_job) jobs;
	int_vec nodes, units; /* of all jobs */
	struct arena arena;
	/* while jobs start and end */
	int whole;                   /* GPUs of a node; 1: it has none */
	int *ngpus_free, *is_idle;   /* [nnodes] */
	int64_t *gpus_in, *nodes_in; /* [domains] what is idle in each */
};

static int domains_open(void **context, const struct pick *pick, const struct metric_context *in,
			struct err *err)
{
	const char *name = pick_word(pick, "level");
	struct level_ref level;
	struct domains *domains;

	*context = NULL;
	if (level_find(&level, in->topo, name, strlen(name), err) != 0)
		return err_prefix(err, "domains: ");
	*context = domains = xcalloc(1, sizeof(*domains));
	domains->topo = in->topo;
	domains->in = in->in;
	domains_at_open(&domains->at, &level);
	job_times_bind(&domains->times, in->in);
	return 0;
}

static void close(void *context)
{
	struct domains *domains = context;

	if (domains == NULL)
		return;
	domains_at_close(&domains->at);
	vec_free(&domains->jobs);
	vec_free(&domains->nodes);
	vec_free(&domains->units);
	arena_free(&domains->arena);
	free(domains->ngpus_free);
	free(domains->is_idle);
	free(domains->gpus_in);
	free(domains->nodes_in);
	free(domains);
}

/* ---- rows ---- */

static const char *keep(struct domains *domains, const struct row *row, const char *column)
{
	const char *text = row_text(row, table_find(domains->in, column));

	return text != NULL ? arena_strndup(&domains->arena, text, strlen(text)) : NULL;
}

/* Slurm's segments are slices of the blocks. */
static const char *keep_slices(struct domains *domains, const struct row *row, int64_t segment)
{
	const char *slices = keep(domains, row, "slices");
	struct level_ref blocks;
	char *text, *kept;

	if (slices != NULL || segment <= 0 || !level_with_size(&blocks, domains->topo))
		return slices;
	text = xasprintf("%s:%lld", level_name(&blocks), (long long)segment);
	kept = arena_strndup(&domains->arena, text, strlen(text));
	free(text);
	return kept;
}

/* Of each of its nodes: one, or its GPUs of it. */
static void add_units(struct domains *domains, const struct row *row, int64_t gpus,
		      struct placed_job *job)
{
	const char *list = row_text(row, table_find(domains->in, "gpus_per_node"));
	int64_t *units = xcalloc(job->n + 1, sizeof(*units));
	struct err none;

	if (job->are_gpus && (list == NULL || per_node_read(list, units, (int)job->n, &none) != 0))
		for (size_t i = 0; i < job->n; i++)
			units[i] = per_node_of(gpus, (int)job->n, (int)i);
	for (size_t i = 0; i < job->n; i++) {
		int64_t own = job->are_gpus ? units[i] : 1;

		if (own > domains->topo->gpus && job->are_gpus)
			job->why = "more GPUs than its nodes have";
		vec_push(&domains->units, job->why == NULL ? (int)own : 0);
		job->units += own;
	}
	free(units);
}

static int row(void *context, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct domains *domains = context;
	const struct row *row = item->row;
	const char *exclusive = row_text(row, table_find(domains->in, "exclusive"));
	struct placed_job job = {.first = domains->nodes.n, .n = (size_t)item->nnodes};
	const int *nodes = metric_item_nodes(item);
	struct job_times times = {0};
	int64_t gpus = 0, segment = 0;

	if (job_times_read(&times, &domains->times, row, err) != 0 ||
	    row_int(row, table_find(domains->in, "gpus"), "gpus", 0, INT32_MAX, &gpus, err) < 0 ||
	    row_int(row, table_find(domains->in, "segment"), "segment", 0, INT32_MAX, &segment,
		    err) < 0)
		return -1;
	job.id = metric_item_id(sink) != NULL ? arena_strndup(&domains->arena, metric_item_id(sink),
							      strlen(metric_item_id(sink)))
					      : NULL;
	job.start_ns = times.has_start ? times.start : INT64_MIN;
	job.end_ns = times.has_end ? times.end : INT64_MAX;
	job.order = (int64_t)domains->jobs.n;
	job.texts = (struct domain_texts){.slices = keep_slices(domains, row, segment),
					  .spread = keep(domains, row, "spread")};
	job.are_gpus = exclusive != NULL && strcmp(exclusive, "no") == 0 && gpus > 0;
	if (item->nnodes == 0)
		job.why = "not placed";
	else if (times.nodes > 0 && times.nodes != item->nnodes)
		job.why = "not as many nodes as asked for";
	for (int i = 0; i < item->nnodes; i++)
		vec_push(&domains->nodes, nodes[i]);
	add_units(domains, row, gpus, &job);
	vec_push(&domains->jobs, job);
	return 0;
}

/* ---- in the order of time ---- */

/* The node has so many GPUs more, or less. */
static void change(struct domains *domains, int node, int ngpus)
{
	int domain = domains->at.of[node], was = domains->is_idle[node];

	domains->ngpus_free[node] += ngpus;
	domains->is_idle[node] = domains->ngpus_free[node] == domains->whole;
	if (domain >= 0) {
		domains->gpus_in[domain] += ngpus;
		domains->nodes_in[domain] += domains->is_idle[node] - was;
	}
}

static int ngpus_of(const struct domains *domains, const struct placed_job *job, size_t i)
{
	return job->are_gpus ? domains->units.at[job->first + i] : domains->whole;
}

static void hold(struct domains *domains, const struct placed_job *job, int sign)
{
	for (size_t i = 0; i < job->n; i++)
		change(domains, domains->nodes.at[job->first + i],
		       sign * ngpus_of(domains, job, i));
}

static bool is_idle(const struct domains *domains, const struct placed_job *job)
{
	for (size_t i = 0; i < job->n; i++)
		if (domains->ngpus_free[domains->nodes.at[job->first + i]] <
		    ngpus_of(domains, job, i))
			return false;
	return true;
}

static int by_domain(const void *a, const void *b)
{
	const struct used_share *x = a, *y = b;

	return (x->domain > y->domain) - (x->domain < y->domain);
}

/* Its share of each domain. False: some node is in none. */
static bool find_shares(const struct domains *domains, const struct placed_job *job,
			struct used_share *shares, size_t *n)
{
	size_t nshares = 0;

	for (size_t i = 0; i < job->n; i++) {
		int domain = domains->at.of[domains->nodes.at[job->first + i]];

		if (domain < 0)
			return false;
		shares[i] = (struct used_share){domain, domains->units.at[job->first + i]};
	}
	if (job->n > 1)
		qsort(shares, job->n, sizeof(*shares), by_domain);
	for (size_t i = 0; i < job->n; i++)
		if (nshares > 0 && shares[nshares - 1].domain == shares[i].domain)
			shares[nshares - 1].units += shares[i].units;
		else
			shares[nshares++] = shares[i];
	*n = nshares;
	return true;
}

/* values [NOUTPUTS], with the nodes idle as they are before it takes its own. */
static const char *measure(struct domains *domains, const struct placed_job *job, double *values)
{
	struct used_share *shares = xmalloc((job->n + 1) * sizeof(*shares));
	const int64_t *idle = job->are_gpus ? domains->gpus_in : domains->nodes_in;
	int64_t left = -job->units, fewest = INT64_MAX, most = 0;
	struct domains_least least;
	struct domain_asks asks;
	const char *why = NULL;
	struct err none;
	size_t n;

	if (!find_shares(domains, job, shares, &n)) {
		free(shares);
		return "some of its nodes are in no domain of the level";
	}
	for (size_t i = 0; i < n; i++) {
		left += idle[shares[i].domain];
		fewest = shares[i].units < fewest ? shares[i].units : fewest;
		most = shares[i].units > most ? shares[i].units : most;
	}
	free(shares);
	values[USED] = (double)n;
	values[LEFT] = (double)left;
	values[SHARE_MIN] = (double)fewest;
	values[SHARE_MAX] = (double)most;
	if (domain_asks_read(&asks, domains->topo, &job->texts, &none) != 0)
		why = "its slices or limits can't be read";
	else if (!domains_least(&domains->at, &asks,
				job->are_gpus ? domains->ngpus_free : domains->is_idle, idle,
				job->units, &least))
		why = "no domains hold it with its slices and limits";
	if (why == NULL) {
		values[LEAST] = (double)least.domains;
		values[LEFT_BEST] = (double)least.idle_left;
	}
	return why;
}

static void put(struct domains *domains, struct placed_job *job, struct metric_sink *sink)
{
	double values[NOUTPUTS] = {NAN, NAN, NAN, NAN, NAN, NAN};

	if (job->why == NULL && !is_idle(domains, job))
		job->why = "has what another job has";
	if (job->why == NULL) {
		const char *why = measure(domains, job, values);

		for (int i = 0; i < NOUTPUTS; i++)
			metric_put_item(sink, job->id, outputs[i].name, "1", values[i],
					isnan(values[i]) ? why : level_name(&domains->at.level));
		hold(domains, job, -1);
		return;
	}
	for (int i = 0; i < NOUTPUTS; i++)
		metric_put_item(sink, job->id, outputs[i].name, "1", NAN, job->why);
}

static int by_start(const void *a, const void *b)
{
	const struct placed_job *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

struct job_end {
	int64_t ns;
	size_t job;
};

static int by_end(const void *a, const void *b)
{
	const struct job_end *x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

static void make_idle(struct domains *domains)
{
	int nnodes = domains->topo->nnodes;

	domains->whole = domains->topo->gpus > 0 ? domains->topo->gpus : 1;
	domains->ngpus_free = xcalloc((size_t)nnodes + 1, sizeof(int));
	domains->is_idle = xcalloc((size_t)nnodes + 1, sizeof(int));
	domains->gpus_in = xcalloc((size_t)domains->at.n + 1, sizeof(int64_t));
	domains->nodes_in = xcalloc((size_t)domains->at.n + 1, sizeof(int64_t));
	for (int node = 0; node < nnodes; node++)
		change(domains, node, domains->whole);
}

/* What ends at a time is idle for what starts then. */
static int end(void *context, struct metric_sink *sink, struct err *err)
{
	struct domains *domains = context;
	size_t njobs = domains->jobs.n, nends = 0, done = 0;
	struct placed_job *jobs = domains->jobs.at;
	struct job_end *ends = xmalloc((njobs + 1) * sizeof(*ends));

	(void)err;
	make_idle(domains);
	if (njobs > 1)
		qsort(jobs, njobs, sizeof(*jobs), by_start);
	for (size_t i = 0; i < njobs; i++)
		if (jobs[i].end_ns < INT64_MAX)
			ends[nends++] = (struct job_end){jobs[i].end_ns, i};
	if (nends > 1)
		qsort(ends, nends, sizeof(*ends), by_end);
	for (size_t i = 0; i < njobs; i++) {
		for (; done < nends && ends[done].ns <= jobs[i].start_ns; done++)
			if (ends[done].job < i && jobs[ends[done].job].why == NULL)
				hold(domains, &jobs[ends[done].job], 1);
		put(domains, &jobs[i], sink);
	}
	free(ends);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_domains = {
	.entry = {.name = "domains",
		  .example = "domains:level=router",
		  .summary = "domains of a level that the job uses, and the fewest it could have "
			     "used",
		  .params = (const struct param[]){{.key = "level",
						    .type = PARAM_TEXT,
						    .meaning = "level of a hierarchy of the "
							       "machine, or tier of its network"},
						   {0}}},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY,
	.per_run = true,
	.only_when_asked = true,
	.outputs = outputs,
	.open = domains_open,
	.row = row,
	.end = end,
	.close = close,
};
