/* sections_paired.c - the same jobs under two policies: their routers, and the traffic they met */
#include <math.h>
#include <stdlib.h>

#include "report/sections.h"

struct paired {
	int n, nless, nmore;
	double difference; /* sum */
};

struct pairing {
	const struct night *night;
	int_vec nodes, routers;
	int *seen; /* [nrouters] the last set of routers that it was in */
	int nsets;
};

/* What is compared of a job on these routers, each once; NAN: it has none. */
typedef double job_figure(const struct night *night, const struct night_job *job,
			  const int_vec *routers);

static double count_routers(const struct night *night, const struct night_job *job,
			    const int_vec *routers)
{
	(void)night, (void)job;
	return (double)routers->n;
}

/* The mean over the routers with a sample, of the window before the start. */
static double mean_traffic(const struct night *night, const struct night_job *job,
			   const int_vec *routers)
{
	const struct traffic_window *window =
		job->start_ns != JOB_NO_TIME ? traffic_at(night->traffic_table, NULL, job->start_ns)
					     : NULL;
	double sum = 0;
	int n = 0;

	for (size_t i = 0; window != NULL && i < routers->n; i++) {
		double traffic = window->traffic[routers->at[i]];

		if (!isnan(traffic)) {
			sum += traffic;
			n++;
		}
	}
	return n > 0 ? sum / n : NAN;
}

static const int_vec *routers_of(struct pairing *pairing, const int_vec *nodes)
{
	pairing->nsets++;
	pairing->routers.n = 0;
	for (size_t i = 0; i < nodes->n; i++) {
		int router = pairing->night->topo->router_of[nodes->at[i]];

		if (pairing->seen[router] != pairing->nsets)
			vec_push(&pairing->routers, router);
		pairing->seen[router] = pairing->nsets;
	}
	return &pairing->routers;
}

static void pair(struct pairing *pairing, const struct night_job *job, job_figure *measure,
		 struct paired *paired)
{
	const struct night *night = pairing->night;
	const struct night_job *first = night_first_of(night, job->name);
	int_vec before;
	double difference;

	if (first == NULL || job->nodelist == NULL || first->submit_ns != job->submit_ns)
		return;
	before = night_nodes(night, first);
	pairing->nodes.n = 0;
	if (before.n == 0 ||
	    topo_nodelist_read(night->topo, job->nodelist, &pairing->nodes, &(struct err){0}) != 0)
		return;
	difference = measure(night, job, routers_of(pairing, &pairing->nodes));
	difference -= measure(night, first, routers_of(pairing, &before));
	if (isnan(difference))
		return;
	paired->n++;
	paired->nless += difference < 0;
	paired->nmore += difference > 0;
	paired->difference += difference;
}

static void put_table(struct page *page, const struct night *night, const char *caption,
		      const char *const *columns, const struct paired *paired /* [policies] */)
{
	struct page_item *table = NULL;

	for (size_t p = 1; p < night->policies.n; p++) {
		if (paired[p].n == 0)
			continue;
		if (table == NULL)
			table = page_table(page, caption, columns);
		page_cell_text(page, table, night->policies.at[p]);
		page_cell_number(table, paired[p].n, NULL);
		page_cell_number(table, paired[p].nless, NULL);
		page_cell_number(table, paired[p].nmore, NULL);
		page_cell_number(table, paired[p].difference / paired[p].n, NULL);
	}
}

static void compare(struct page *page, const struct night *night, job_figure *measure,
		    const char *caption, const char *const *columns)
{
	struct pairing pairing = {.night = night};
	struct paired *paired = xcalloc(night->policies.n, sizeof(*paired));

	pairing.seen = xcalloc((size_t)night->topo->nrouters + 1, sizeof(*pairing.seen));
	for (size_t i = 0; i < night->jobs.n; i++)
		if (night->jobs.at[i].group > 0)
			pair(&pairing, &night->jobs.at[i], measure,
			     &paired[night->jobs.at[i].group]);
	put_table(page, night, caption, columns, paired);
	free(pairing.seen);
	vec_free(&pairing.nodes);
	vec_free(&pairing.routers);
	free(paired);
}

void section_paired(struct page *page, const struct night *night)
{
	static const char *const routers[] = {"Policy",          "Jobs", "On fewer", "On more",
					      "Mean difference", NULL};
	static const char *const traffic[] = {"Policy",          "Jobs", "Met less", "Met more",
					      "Mean difference", NULL};

	if (night->topo == NULL || night->policies.n < 2)
		return;
	compare(page, night, count_routers,
		page_text(page, "Routers beside %s, job by job", night->policies.at[0]), routers);
	if (night->traffic_table != NULL)
		compare(page, night, mean_traffic,
			page_text(page, "Traffic met beside %s, job by job, %s",
				  night->policies.at[0], night->traffic_unit),
			traffic);
}
