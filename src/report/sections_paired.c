/* sections_paired.c - the spread of the same jobs under two policies */
#include <stdlib.h>

#include "report/sections.h"

struct paired_routers {
	int n, nfewer, nmore;
	int64_t difference; /* sum */
};

struct pairing {
	const struct night *night;
	int_vec nodes;
	int *seen; /* [nrouters] the last count that it was in */
	int ncounts;
};

static int count_routers(struct pairing *pairing, const int_vec *nodes)
{
	int n = 0;

	pairing->ncounts++;
	for (size_t i = 0; i < nodes->n; i++) {
		int *seen = &pairing->seen[pairing->night->topo->router_of[nodes->at[i]]];

		n += *seen != pairing->ncounts;
		*seen = pairing->ncounts;
	}
	return n;
}

static void pair(struct pairing *pairing, const struct night_job *job,
		 struct paired_routers *paired)
{
	const struct night_job *first = night_first_of(pairing->night, job->name);
	int_vec before;
	int difference;

	if (first == NULL || job->nodelist == NULL || first->submit_ns != job->submit_ns)
		return;
	before = night_nodes(pairing->night, first);
	pairing->nodes.n = 0;
	if (before.n == 0 || topo_nodelist_read(pairing->night->topo, job->nodelist,
						&pairing->nodes, &(struct err){0}) != 0)
		return;
	difference = count_routers(pairing, &pairing->nodes);
	difference -= count_routers(pairing, &before);
	paired->n++;
	paired->nfewer += difference < 0;
	paired->nmore += difference > 0;
	paired->difference += difference;
}

static void put_table(struct page *page, const struct night *night,
		      const struct paired_routers *paired /* [policies] */)
{
	struct page_item *table = NULL;

	for (size_t p = 1; p < night->policies.n; p++) {
		if (paired[p].n == 0)
			continue;
		if (table == NULL)
			table = page_table(page,
					   page_text(page, "Routers beside %s, job by job",
						     night->policies.at[0]),
					   (const char *const[]){"Policy", "Jobs", "On fewer",
								 "On more", "Mean difference",
								 NULL});
		page_cell_text(page, table, night->policies.at[p]);
		page_cell_number(table, paired[p].n, NULL);
		page_cell_number(table, paired[p].nfewer, NULL);
		page_cell_number(table, paired[p].nmore, NULL);
		page_cell_number(table, (double)paired[p].difference / paired[p].n, NULL);
	}
}

void section_paired_routers(struct page *page, const struct night *night)
{
	struct pairing pairing = {.night = night};
	struct paired_routers *paired;

	if (night->topo == NULL || night->policies.n < 2)
		return;
	paired = xcalloc(night->policies.n, sizeof(*paired));
	pairing.seen = xcalloc((size_t)night->topo->nrouters + 1, sizeof(*pairing.seen));
	for (size_t i = 0; i < night->jobs.n; i++)
		if (night->jobs.at[i].group > 0)
			pair(&pairing, &night->jobs.at[i], &paired[night->jobs.at[i].group]);
	put_table(page, night, paired);
	free(pairing.seen);
	vec_free(&pairing.nodes);
	free(paired);
}
