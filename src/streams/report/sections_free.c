/* sections_free.c - free nodes over the night, and the pieces into which they fall */
#include <stdlib.h>

#include "report/night_sweep.h"
#include "report/sections.h"

enum { MOMENTS = 144, SIXTHS = 6 };

/* What was free at a moment. */
struct pieces {
	double nfree, longest, /* nodes whose labels follow each other */
		domain;        /* nodes below one domain of the tier */
};

struct looking {
	int tier;
	struct pieces at[MOMENTS];
};

static int longest_run(const struct machine *machine)
{
	int longest = 0;

	for (int from = bitset_next(&machine->idle, 0), node; from >= 0;
	     from = node < machine->nnodes ? bitset_next(&machine->idle, node) : -1) {
		for (node = from; node < machine->nnodes && machine_is_idle(machine, node); node++)
			;
		longest = node - from > longest ? node - from : longest;
	}
	return longest;
}

static void look(void *context, const struct machine *machine, int k)
{
	struct looking *looking = context;
	int most = 0;

	for (int d = 0; d < machine->ndomains[looking->tier]; d++)
		if (machine->nidle_of[looking->tier][d] > most)
			most = machine->nidle_of[looking->tier][d];
	looking->at[k] = (struct pieces){machine->nidle, longest_run(machine), most};
}

static void put_figure(struct page *page, const struct night *night, const struct looking *looking)
{
	double outer[MOMENTS], inner[MOMENTS];
	struct buf svg = {0};

	for (int k = 0; k < MOMENTS; k++) {
		outer[k] = looking->at[k].nfree;
		inner[k] = looking->at[k].domain;
	}
	chart_areas(&svg, outer, inner, MOMENTS, night->topo->nnodes,
		    section_time(page, night->since_ns), section_time(page, night->until_ns));
	page_figure(
		page,
		page_text(
			page,
			"Free nodes over time (the outer area), and those of the %s with the most (the inner one)",
			night->topo->tiers[looking->tier].name),
		"Two areas over the night; their numbers are in the table below.", &svg);
}

static void put_table(struct page *page, const struct night *night, const struct looking *looking)
{
	struct page_item *table = page_table(
		page,
		"Free nodes and their largest pieces, in the middle of each sixth of the time",
		(const char *const[]){
			"At", "Free nodes", "Longest run of labels",
			page_text(page, "Most in one %s", night->topo->tiers[looking->tier].name),
			NULL});

	table->is_detail = true;
	for (int s = 0; s < SIXTHS; s++) {
		int k = s * (MOMENTS / SIXTHS) + MOMENTS / SIXTHS / 2;
		const struct pieces *pieces = &looking->at[k];

		page_cell_text(page, table, section_time(page, night_moment(night, k, MOMENTS)));
		page_cell_number(table, pieces->nfree, NULL);
		page_cell_number(table, pieces->longest, NULL);
		page_cell_number(table, pieces->domain, NULL);
	}
}

int section_free(struct page *page, const struct night *night, struct err *err)
{
	struct looking looking = {0};
	const struct night_sweep sweep = {.moment = look, .nmoments = MOMENTS, .context = &looking};
	const struct pieces *last = &looking.at[MOMENTS - 1];

	if (night->topo == NULL || night->until_ns <= night->since_ns)
		return 0;
	/* the largest parts of the machine that are not the whole of it */
	looking.tier = night->topo->ntiers - 1;
	while (looking.tier > 0 && night->topo->tiers[looking.tier].n < 2)
		looking.tier--;
	if (night_sweep(night, &sweep, err) != 0)
		return -1;
	page_section(page, "Free nodes and fragmentation");
	page_sentence(page,
		      page_text(page,
				"In the end %.0f nodes are free; the %s with the most has %.0f of "
				"them, and the longest run of consecutive labels %.0f. Nodes "
				"that are out of service in the morning count as taken.",
				last->nfree, night->topo->tiers[looking.tier].name, last->domain,
				last->longest));
	put_figure(page, night, &looking);
	put_table(page, night, &looking);
	return 0;
}
