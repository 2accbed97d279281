/* sections_placed.c - the worst placed jobs, beside what was possible for them */
#include <math.h>
#include <stdlib.h>

#include "report/night_choice.h"
#include "report/night_sweep.h"
#include "report/sections.h"

enum { ROWS_MOST = 15 };

/* possible: the fewest routers that its nodes could be had of when it started; 0: too few nodes
 * were idle, as it shares some. least: of an empty machine. */
struct placed_job {
	int job, nrouters, possible, least;
};

struct placing {
	const struct night *night;
	VEC(struct placed_job) jobs;
	int *seen, most; /* [nrouters] stamp of the last job; nodes of the largest router */
	int nworse, navoidable;
};

/* The routers a job has nodes of. */
static int count_routers(struct placing *placing, const int_vec *nodes)
{
	int n = 0, stamp = (int)placing->jobs.n + 1;

	for (size_t i = 0; i < nodes->n; i++) {
		int router = placing->night->topo->router_of[nodes->at[i]];

		n += placing->seen[router] != stamp;
		placing->seen[router] = stamp;
	}
	return n;
}

/* Those with the most idle nodes are the fewest that hold n. */
static int fewest_routers(const struct machine *machine, int n)
{
	int nrouters = 0;

	if (machine->nidle < n)
		return 0;
	for (int idle = machine->most; idle > 0 && n > 0; idle--)
		for (int router = machine_router_with(machine, idle, 0); router >= 0 && n > 0;
		     router = machine_router_with(machine, idle, router + 1)) {
			n -= idle;
			nrouters++;
		}
	return nrouters;
}

static int start(void *context, struct machine *machine, int job, const int_vec *nodes,
		 struct err *err)
{
	struct placing *placing = context;
	struct placed_job one = {.job = job};

	(void)err;
	if (nodes->n == 0)
		return 0;
	placing->most = machine->most;
	one.nrouters = count_routers(placing, nodes);
	one.possible = fewest_routers(machine, (int)nodes->n);
	one.least = ((int)nodes->n + machine->most - 1) / machine->most;
	placing->nworse += one.nrouters > one.least;
	placing->navoidable += one.possible > 0 && one.nrouters > one.possible;
	vec_push(&placing->jobs, one);
	return 0;
}

static int could_save(const struct placed_job *job)
{
	return job->possible > 0 ? job->nrouters - job->possible : 0;
}

/* By routers that could have been saved, then by those beyond an empty machine's, then
 * by number. */
static int by_excess(const void *a, const void *b)
{
	const struct placed_job *x = a, *y = b;
	int u = could_save(x), v = could_save(y);

	if (u == v) {
		u = x->nrouters - x->least;
		v = y->nrouters - y->least;
	}
	if (u != v)
		return u < v ? 1 : -1;
	return (x->job > y->job) - (x->job < y->job);
}

static void put_figure(struct page *page, const struct night *night,
		       const struct night_choice *choices, size_t n)
{
	struct buf svg = {0};

	section_pairs(&svg, night, choices, n, CHOICE_ROUTERS);
	page_figure(page, "Routers of the worst placed jobs (lower is better)",
		    "For each job its routers, and those that the other policy would have taken "
		    "at its start; the numbers are in the table below.",
		    &svg);
}

static void put_row(struct page *page, struct page_item *table, const struct night *night,
		    const struct placed_job *placed, const struct night_choice *choice)
{
	const struct night_job *job = &night->jobs.at[placed->job];
	bool has_traffic = night->traffic_table != NULL;

	page_cell_text(page, table, job->name);
	page_cell_text(page, table, job->user != NULL ? job->user : "-");
	page_cell_text(page, table, job->app != NULL ? job->app : "-");
	page_cell_number(table, job->nnodes, NULL);
	page_cell_number(table, choice->was[CHOICE_ROUTERS], NULL);
	page_cell_number(table, choice->could[CHOICE_ROUTERS], NULL);
	page_cell_number(table, placed->least, NULL);
	page_cell_number(table, choice->was[CHOICE_HOPS], NULL);
	page_cell_number(table, choice->could[CHOICE_HOPS], NULL);
	page_cell_number(table, has_traffic ? choice->was[CHOICE_TRAFFIC] : NAN,
			 night->traffic_unit);
	page_cell_number(table, job->comm_time_s, "s");
}

static int put_worst(struct page *page, const struct night *night,
		     const struct night_options *options, const struct placed_job *placed, size_t n,
		     struct err *err)
{
	struct night_choice *choices = xcalloc(n, sizeof(*choices));
	struct page_item *table;

	for (size_t i = 0; i < n; i++)
		choices[i].job = placed[i].job;
	if (night_choose(night, options->context, options->possible, true, choices, n, err) != 0) {
		free(choices);
		return -1;
	}
	put_figure(page, night, choices, n);
	table = page_table(
		page,
		page_text(page,
			  "Jobs on the most routers beyond the least possible; then: what %s would "
			  "have chosen of the nodes idle at their start",
			  options->possible->entry->name),
		(const char *const[]){"Job", "User", "Application", "Nodes", "Routers",
				      "Routers then", "Least", "Hops", "Hops then", "Traffic met",
				      "Communication (netsim)", NULL});
	for (size_t i = 0; i < n; i++)
		put_row(page, table, night, &placed[i], &choices[i]);
	free(choices);
	return 0;
}

int section_placed(struct page *page, const struct night *night,
		   const struct night_options *options, struct err *err)
{
	struct placing placing = {.night = night};
	const struct night_sweep sweep = {.start = start, .context = &placing};
	size_t nshown = 0;
	int status;

	if (night->topo == NULL || night->jobs.n == 0)
		return 0;
	placing.seen = xcalloc((size_t)night->topo->nrouters, sizeof(*placing.seen));
	status = night_sweep(night, &sweep, err);
	if (placing.jobs.n > 1)
		qsort(placing.jobs.at, placing.jobs.n, sizeof(*placing.jobs.at), by_excess);
	while (nshown < placing.jobs.n && nshown < ROWS_MOST &&
	       placing.jobs.at[nshown].nrouters > placing.jobs.at[nshown].least)
		nshown++;
	if (status == 0) {
		page_section(page, "Worst placed jobs");
		page_sentence(page,
			      page_text(page,
					"%d of %zu placed jobs are on more routers than an empty "
					"machine would need, %d of them on more than the nodes "
					"that were idle at their start required.",
					placing.nworse, placing.jobs.n, placing.navoidable));
	}
	if (status == 0 && nshown > 0)
		status = put_worst(page, night, options, placing.jobs.at, nshown, err);
	vec_free(&placing.jobs);
	free(placing.seen);
	return status;
}
