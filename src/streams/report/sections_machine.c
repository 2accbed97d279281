/* sections_machine.c - the machine and its load, and what policies did */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/night_busy.h"
#include "report/sections.h"

enum { CELLS_MOST = 2500, JOBS_MOST = 20 };

/* ---- the machine ---- */

/* Nanoseconds in which each node was busy. */
static void add_busy(void *context, int node, int nnodes, int64_t from, int64_t to)
{
	double *busy = context;

	(void)nnodes;
	if (node >= 0)
		busy[node] += (double)(to - from);
}

/* The part of the time in which each node was busy; of a moment 1 or 0. */
static double *busy_of_nodes(const struct night *night)
{
	double *busy = xcalloc((size_t)night->topo->nnodes, sizeof(*busy));
	double length = (double)(night->until_ns - night->since_ns);

	if (night->at_ns == JOB_NO_TIME) {
		night_busy(night, add_busy, busy);
		for (int node = 0; node < night->topo->nnodes; node++)
			busy[node] = length > 0 ? busy[node] / length : 0;
		return busy;
	}
	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];
		int_vec nodes = night_nodes(night, job);

		for (size_t k = 0; night_job_runs(job, night->at_ns) && k < nodes.n; k++)
			busy[nodes.at[k]] = 1;
	}
	return busy;
}

/* The mean of each router's traffic, or that of the newest window by the moment; NULL: none. */
static const double *traffic_of_routers(const struct night *night)
{
	const struct traffic_window *window;

	if (night->at_ns == JOB_NO_TIME || night->traffic == NULL)
		return night->traffic;
	window = traffic_at(night->traffic_table, NULL, night->at_ns);
	return window != NULL ? window->traffic : NULL;
}

/* The tier whose domains are few enough to be drawn one by one. */
static int choose_tier(const struct topo *topo)
{
	int tier = 0;

	while (tier + 1 < topo->ntiers && topo->tiers[tier].n > CELLS_MOST)
		tier++;
	return tier;
}

/* What each domain carried, as a part of the most it can (time), or of the greatest (traffic). */
static double *parts_of_domains(const struct night *night, int tier)
{
	const struct topo *topo = night->topo;
	int n = topo->tiers[tier].n;
	double *sum = xcalloc((size_t)n, sizeof(*sum)),
	       *weight = xcalloc((size_t)n, sizeof(*weight));
	double *busy = busy_of_nodes(night), most = 0;
	const double *traffic = traffic_of_routers(night);

	for (int node = 0; node < topo->nnodes; node++) {
		int domain = topo_domain(topo, node, tier), router = topo->router_of[node];

		if (domain < 0)
			continue;
		if (traffic == NULL)
			sum[domain] += busy[node];
		else if (!isnan(traffic[router]))
			sum[domain] += traffic[router];
		weight[domain]++;
	}
	for (int d = 0; d < n; d++) {
		sum[d] = weight[d] > 0 ? sum[d] / weight[d] : NAN;
		most = sum[d] > most ? sum[d] : most;
	}
	for (int d = 0; traffic != NULL && d < n; d++)
		sum[d] = most > 0 ? sum[d] / most : sum[d];
	free(weight);
	free(busy);
	return sum;
}

/* The domains of the tier above, if they are several; else NULL. To be freed. */
static int *groups_of(const struct topo *topo, int tier, int n)
{
	int *group_of;

	if (tier + 1 >= topo->ntiers || topo->tiers[tier + 1].n < 2)
		return NULL;
	group_of = xcalloc((size_t)n, sizeof(*group_of));
	for (int node = 0; node < topo->nnodes; node++) {
		int domain = topo_domain(topo, node, tier);

		if (domain >= 0 && domain < n)
			group_of[domain] = topo_domain(topo, node, tier + 1);
	}
	return group_of;
}

static int by_size(const void *a, const void *b)
{
	const struct night_job *x = *(const struct night_job *const *)a;
	const struct night_job *y = *(const struct night_job *const *)b;

	if (x->nnodes != y->nnodes)
		return x->nnodes > y->nnodes ? -1 : 1;
	return (x > y) - (x < y);
}

/* The largest jobs that ran at the moment. */
static void put_running(struct page *page, const struct night *night)
{
	VEC(const struct night_job *) running = {0};
	struct page_item *table;

	for (size_t i = 0; i < night->jobs.n; i++)
		if (night_job_runs(&night->jobs.at[i], night->at_ns))
			vec_push(&running, &night->jobs.at[i]);
	if (running.n == 0)
		return;
	qsort(running.at, running.n, sizeof(*running.at), by_size);
	table = page_table(
		page,
		page_text(page, "Jobs that ran then: %zu%s", running.n,
			  running.n > JOBS_MOST ? ", the largest" : ""),
		(const char *const[]){"Job", "User", "Nodes", "Node list", "Since", NULL});
	for (size_t i = 0; i < running.n && i < JOBS_MOST; i++) {
		const struct night_job *job = running.at[i];

		page_cell_text(page, table, job->name);
		page_cell_text(page, table, job->user != NULL ? job->user : "-");
		page_cell_number(table, job->nnodes, NULL);
		page_cell_text(page, table, job->nodelist != NULL ? job->nodelist : "-");
		page_cell_text(page, table, section_time(page, job->start_ns));
	}
	vec_free(&running);
}

void section_machine(struct page *page, const struct night *night)
{
	const struct topo *topo = night->topo;
	int tier, n;
	double *parts;
	const char **titles;
	int *groups;
	struct buf svg = {0};
	bool is_moment = night->at_ns != JOB_NO_TIME, is_traffic;

	if (topo == NULL)
		return;
	tier = choose_tier(topo);
	n = topo->tiers[tier].n;
	if (n > CELLS_MOST * 2)
		n = CELLS_MOST * 2;
	parts = parts_of_domains(night, tier);
	titles = xmalloc(((size_t)n + 1) * sizeof(*titles));
	for (int d = 0; d < n; d++) {
		char room[TOPO_NAME];

		if (tier == 0)
			titles[d] = page_text(page, "%s: %.0f %%", topo_router_name(topo, d, room),
					      100 * parts[d]);
		else
			titles[d] = page_text(page, "%s %d: %.0f %%", topo->tiers[tier].name, d,
					      100 * parts[d]);
	}
	is_traffic = traffic_of_routers(night) != NULL;
	page_section(page, "The machine");
	page_sentence(page, page_text(page, "%d nodes at %d routers%s%s.", topo->nnodes,
				      topo->nrouters, is_moment ? ", at " : "",
				      is_moment ? section_time(page, night->at_ns) : ""));
	groups = groups_of(topo, tier, n);
	chart_heat(&svg, parts, titles, groups, n);
	free(groups);
	page_figure(
		page,
		page_text(page,
			  is_traffic ? "Traffic by %s%s: each square one, the stronger its colour "
				       "the more of the greatest"
			  : is_moment
				  ? "Busy nodes by %s%s: each square one, the stronger its "
				    "colour the more of its nodes were busy"
				  : "Busy time by %s%s: each square one, the stronger its colour "
				    "the longer its nodes were busy",
			  topo->tiers[tier].name,
			  n < topo->tiers[tier].n ? " (the first of them)" : ""),
		"Squares in label order, in five shades; their names and values are their titles.",
		&svg);
	free(parts);
	free(titles);
	if (is_moment)
		put_running(page, night);
}

/* ---- measured, by policy ---- */

static void put_ranges(struct page *page, const struct night *night, const char *metric,
		       const char *caption)
{
	struct chart_range *rows = xcalloc(night->policies.n + 1, sizeof(*rows));
	struct buf svg = {0};
	int n = 0;

	for (size_t p = 0; p < night->policies.n; p++) {
		const struct night_metric *found =
			night_metric(night, night->policies.at[p], metric);

		if (found != NULL && !isnan(found->mean))
			rows[n++] = (struct chart_range){found->policy, found->q1, found->mean,
							 found->q3};
	}
	if (n > 1) {
		chart_ranges(&svg, rows, n);
		page_figure(
			page, caption,
			"A dot for the mean, a bar from the first to the third quartile; lower is "
			"better. The numbers are in the table below.",
			&svg);
	}
	free(rows);
}

/* Waits of the same jobs under two policies. */
struct paired {
	int n, nshorter, nlonger;
	double difference_s; /* sum */
};

static void pair_job(const struct night *night, const struct night_job *job, struct paired *paired)
{
	const struct night_job *first = night_first_of(night, job->name);
	int64_t ns;

	if (first == NULL || first->start_ns == JOB_NO_TIME || job->start_ns == JOB_NO_TIME ||
	    first->submit_ns != job->submit_ns || job->submit_ns == JOB_NO_TIME)
		return;
	ns = job->start_ns - first->start_ns;
	paired->n++;
	paired->nshorter += ns < 0;
	paired->nlonger += ns > 0;
	paired->difference_s += (double)ns / 1e9;
}

/* Job by job beside the first policy: a mean alone hides who pays for it. */
static void put_pairs(struct page *page, const struct night *night)
{
	struct paired *paired = xcalloc(night->policies.n, sizeof(*paired));
	struct page_item *table = NULL;

	for (size_t i = 0; i < night->jobs.n; i++)
		if (night->jobs.at[i].group > 0 && !night->jobs.at[i].is_counted)
			pair_job(night, &night->jobs.at[i], &paired[night->jobs.at[i].group]);
	for (size_t p = 1; p < night->policies.n; p++) {
		if (paired[p].n == 0)
			continue;
		if (table == NULL)
			table = page_table(page,
					   page_text(page, "Waits beside %s, job by job",
						     night->policies.at[0]),
					   (const char *const[]){"Policy", "Jobs", "Shorter",
								 "Longer", "Mean difference",
								 NULL});
		page_cell_text(page, table, night->policies.at[p]);
		page_cell_number(table, paired[p].n, NULL);
		page_cell_number(table, paired[p].nshorter, NULL);
		page_cell_number(table, paired[p].nlonger, NULL);
		page_cell_number(table, paired[p].difference_s / paired[p].n, "s");
	}
	free(paired);
}

void section_policies(struct page *page, const struct night *night)
{
	struct page_item *table;

	if (night->metrics.n == 0)
		return;
	page_section(page,
		     night->policies.n > 1 ? "What other policies would have done" : "Measured");
	page_sentence(page, page_text(page,
				      "From %s to %s, as evalmetrics --by policy measures it with "
				      "since= and until=: %zu polic%s.",
				      section_time(page, night->since_ns),
				      section_time(page, night->until_ns), night->policies.n,
				      night->policies.n == 1 ? "y" : "ies"));
	put_ranges(page, night, "wait_s", "Waits by policy, seconds (lower is better)");
	put_ranges(page, night, "routers", "Routers per job by policy (lower is better)");
	put_ranges(page, night, "traffic-mean",
		   "Traffic that jobs met at their start, by policy (lower is better)");
	put_pairs(page, night);
	section_paired(page, night);
	table = page_table(page, "Measurements",
			   (const char *const[]){"Metric", "Policy", "Unit", "N", "Mean", "Min",
						 "Q1", "Median", "Q3", "Max", NULL});
	table->is_folded = true;
	for (size_t i = 0; i < night->metrics.n; i++) {
		const struct night_metric *row = &night->metrics.at[i];
		bool is_run = row->n == 1;

		page_cell_text(page, table, row->metric);
		page_cell_text(page, table, row->policy);
		page_cell_text(page, table, row->unit != NULL ? row->unit : "-");
		page_cell_number(table, row->n, NULL);
		page_cell_number(table, isnan(row->mean) ? row->value : row->mean, row->unit);
		page_cell_number(table, is_run ? NAN : row->min, row->unit);
		page_cell_number(table, is_run ? NAN : row->q1, row->unit);
		page_cell_number(table, is_run ? NAN : row->median, row->unit);
		page_cell_number(table, is_run ? NAN : row->q3, row->unit);
		page_cell_number(table, is_run ? NAN : row->max, row->unit);
	}
}
