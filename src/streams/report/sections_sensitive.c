/* sections_sensitive.c - jobs that are sensitive to the network, and the traffic around them
 *
 * Zhang et al., NeDD, §III-A: network-sensitive jobs belong on routers with little traffic. Shown
 * is where they were, and where the rule would have put each of them when it started. */
#include <math.h>
#include <stdlib.h>

#include "report/night_choice.h"
#include "report/sections.h"

enum { ROWS_MOST = 15 };

struct sensitive {
	struct night_choice *choices;
	size_t n;
	double was, could; /* sums over those of which both are known */
	int nboth, nbusy, nsampled;
};

/* Class, or the upper half of the scale where only that is known. */
static bool is_sensitive(const struct night_job *job)
{
	if (job->class != NULL)
		return str_eq(job->class, JOB_SENSITIVE);
	return job->sensitivity >= .5;
}

static void list_jobs(const struct night *night, struct sensitive *sensitive)
{
	sensitive->choices = xcalloc(night->jobs.n, sizeof(*sensitive->choices));
	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];

		if (job->group == 0 && job->phase == NIGHT_RAN && job->nodelist != NULL &&
		    is_sensitive(job))
			sensitive->choices[sensitive->n++].job = (int)i;
	}
}

/* The mean over the routers of the window before the job's start; NAN: there is none. */
static double mean_then(const struct night *night, const struct night_job *job)
{
	const struct traffic_window *window = traffic_at(night->traffic_table, NULL, job->start_ns);
	double sum = 0;
	int n = 0;

	for (int r = 0; window != NULL && r < night->topo->nrouters; r++)
		if (!isnan(window->traffic[r])) {
			sum += window->traffic[r];
			n++;
		}
	return n > 0 ? sum / n : NAN;
}

static void count(const struct night *night, struct sensitive *sensitive)
{
	for (size_t i = 0; i < sensitive->n; i++) {
		const struct night_choice *choice = &sensitive->choices[i];
		double was = choice->was[CHOICE_TRAFFIC], could = choice->could[CHOICE_TRAFFIC];

		if (isnan(was))
			continue;
		sensitive->nsampled++;
		sensitive->nbusy += was > mean_then(night, &night->jobs.at[choice->job]);
		if (isnan(could))
			continue;
		sensitive->was += was;
		sensitive->could += could;
		sensitive->nboth++;
	}
}

static double excess(const struct night_choice *choice)
{
	double could = choice->could[CHOICE_TRAFFIC], was = choice->was[CHOICE_TRAFFIC];

	return isnan(was) ? -INFINITY : was - (isnan(could) ? 0 : could);
}

static int by_excess(const void *a, const void *b)
{
	const struct night_choice *x = a, *y = b;
	double u = excess(x), v = excess(y);

	if (u != v)
		return u < v ? 1 : -1;
	return (x->job > y->job) - (x->job < y->job);
}

static void put_figure(struct page *page, const struct night *night,
		       const struct night_choice *choices, size_t n)
{
	struct buf svg = {0};

	section_pairs(&svg, night, choices, n, CHOICE_TRAFFIC);
	page_figure(page,
		    page_text(page,
			      "Traffic at the routers of sensitive jobs, %s (lower is better)",
			      night->traffic_unit),
		    "For each job the traffic of its routers before it started, and that of the "
		    "routers that the rule would have taken; the numbers are in the table below.",
		    &svg);
}

static void put_rows(struct page *page, const struct night *night,
		     const struct night_options *options, struct sensitive *sensitive)
{
	struct page_item *table;
	size_t n = 0;

	if (sensitive->n > 1)
		qsort(sensitive->choices, sensitive->n, sizeof(*sensitive->choices), by_excess);
	while (n < sensitive->n && n < ROWS_MOST && excess(&sensitive->choices[n]) > 0)
		n++;
	if (n == 0)
		return;
	put_figure(page, night, sensitive->choices, n);
	table = page_table(page,
			   page_text(page,
				     "Sensitive jobs that met the most traffic beyond what "
				     "%s would have chosen",
				     options->rule->entry->name),
			   (const char *const[]){"Job", "User", "Application", "Nodes",
						 "Traffic met", "By the rule",
						 "Mean of the machine", NULL});
	for (size_t i = 0; i < n; i++) {
		const struct night_choice *choice = &sensitive->choices[i];
		const struct night_job *job = &night->jobs.at[choice->job];

		page_cell_text(page, table, job->name);
		page_cell_text(page, table, job->user != NULL ? job->user : "-");
		page_cell_text(page, table, job->app != NULL ? job->app : "-");
		page_cell_number(table, job->nnodes, NULL);
		page_cell_number(table, choice->was[CHOICE_TRAFFIC], night->traffic_unit);
		page_cell_number(table, choice->could[CHOICE_TRAFFIC], night->traffic_unit);
		page_cell_number(table, mean_then(night, job), night->traffic_unit);
	}
}

static void put_sentence(struct page *page, const struct night_options *options,
			 const struct sensitive *sensitive)
{
	const char *saved =
		sensitive->nboth > 0 && sensitive->was > 0
			? page_text(page,
				    " %s would have put %d of them, each among the nodes idle at "
				    "its start, on routers with %.1f %% %s traffic in the mean.",
				    options->rule->entry->name, sensitive->nboth,
				    100 * fabs(1 - sensitive->could / sensitive->was),
				    sensitive->could <= sensitive->was ? "less" : "more")
			: "";

	page_sentence(page,
		      page_text(page,
				"Of %zu network-sensitive jobs %d started while traffic was known, "
				"%d of these on routers with more of it than the machine's mean.%s",
				sensitive->n, sensitive->nsampled, sensitive->nbusy, saved));
}

int section_sensitive(struct page *page, const struct night *night,
		      const struct night_options *options, struct err *err)
{
	struct sensitive sensitive = {0};
	int status;

	if (night->topo == NULL || night->traffic_table == NULL)
		return 0;
	list_jobs(night, &sensitive);
	status = night_choose(night, options->context, options->rule, false, sensitive.choices,
			      sensitive.n, err);
	if (status == 0 && sensitive.n > 0) {
		count(night, &sensitive);
		page_section(page, "Sensitive jobs and traffic");
		put_sentence(page, options, &sensitive);
		put_rows(page, night, options, &sensitive);
	}
	free(sensitive.choices);
	return status;
}
