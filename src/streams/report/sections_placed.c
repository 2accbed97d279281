/* sections_placed.c - the worst placed jobs, beside what was possible for them */
#include <math.h>
#include <stdlib.h>

#include "report/night_choice.h"
#include "report/sections.h"

enum { ROWS_MOST = 15 };

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
	page_cell_text(page, table,
		       choice->could[CHOICE_ROUTERS] < choice->was[CHOICE_ROUTERS]
			       ? page_text(page, "sbatch --switches=%.0f@01:00:00",
					   choice->could[CHOICE_ROUTERS])
			       : "-");
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
				      "Communication (netsim)", "Ask for it by", NULL});
	for (size_t i = 0; i < n; i++)
		put_row(page, table, night, &placed[i], &choices[i]);
	free(choices);
	return 0;
}

int section_placed(struct page *page, const struct night *night,
		   const struct night_options *options, const struct night_placed *placed,
		   struct err *err)
{
	size_t nshown = 0;

	if (!placed->is_known)
		return 0;
	while (nshown < placed->jobs.n && nshown < ROWS_MOST &&
	       placed->jobs.at[nshown].nrouters > placed->jobs.at[nshown].least)
		nshown++;
	page_section(page, "Worst placed jobs");
	page_sentence(page, page_text(page,
				      "%d of %zu placed jobs are on more routers than an empty "
				      "machine would need, %d of them on more than the nodes "
				      "that were idle at their start required.",
				      placed->nworse, placed->jobs.n, placed->navoidable));
	return nshown > 0 ? put_worst(page, night, options, placed->jobs.at, nshown, err) : 0;
}
