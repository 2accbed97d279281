/* sections_waits.c - waits, and who waited for what */
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "model/metrics.h"
#include "report/night_asks.h"
#include "report/sections.h"

struct waits {
	VEC(double) of; /* seconds */
	size_t nwaited;
};

static bool has_started(const struct night *night, const struct night_job *job)
{
	return job->phase == NIGHT_RAN && night_wait(night, job) >= 0;
}

static void add(struct waits *waits, const struct night_job *job)
{
	double wait_s = (double)(job->start_ns - job->submit_ns) / 1e9;

	vec_push(&waits->of, wait_s);
	waits->nwaited += wait_s > 0;
}

/* By what they asked for; a job that asked for several things is in several. */
static void collect(const struct night *night, struct waits *waits /* [NIGHT_ASKS] */)
{
	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];

		if (!has_started(night, job))
			continue;
		for (int ask = 0; ask < NIGHT_ASKS_NOTHING; ask++)
			if ((job->asks >> ask & 1) != 0)
				add(&waits[ask], job);
		if (job->asks == 0)
			add(&waits[NIGHT_ASKS_NOTHING], job);
	}
}

static void put_row(struct page *page, struct page_item *table, const char *name,
		    const struct waits *waits, const struct summary *summary)
{
	page_cell_text(page, table, name);
	page_cell_number(table, (double)summary->n, NULL);
	page_cell_number(table, (double)waits->nwaited, NULL);
	page_cell_number(table, summary->mean, "s");
	page_cell_number(table, summary->median, "s");
	page_cell_number(table, summary->max, "s");
}

static void put_asks(struct page *page, struct waits *waits)
{
	struct summary summaries[NIGHT_ASKS];
	struct chart_range rows[NIGHT_ASKS];
	struct page_item *table;
	struct buf svg = {0};
	int n = 0, longest = -1;

	for (int ask = 0; ask < NIGHT_ASKS; ask++) {
		if (waits[ask].of.n == 0)
			continue;
		summary_make(&summaries[ask], waits[ask].of.at, waits[ask].of.n);
		rows[n++] = (struct chart_range){night_ask_names[ask], summaries[ask].q1,
						 summaries[ask].mean, summaries[ask].q3};
		if (longest < 0 || summaries[ask].mean > summaries[longest].mean)
			longest = ask;
	}
	if (longest < 0) {
		page_sentence(page, "No job that started says when it was submitted.");
		return;
	}
	page_sentence(page, page_text(page,
				      "Jobs that asked for %s waited longest: %s in the mean, "
				      "from submission to start.",
				      night_ask_names[longest],
				      page_number(summaries[longest].mean, "s", (char[48]){""})));
	chart_ranges(&svg, rows, n);
	page_figure(page, "Waits by what jobs asked for (lower is better)",
		    "A dot for the mean, a bar from the first to the third quartile. The numbers "
		    "are in the table below.",
		    &svg);
	table = page_table(page,
			   "Waits by what jobs asked for; one that asked for several things is in "
			   "several rows",
			   (const char *const[]){"Asked for", "Jobs", "Waited", "Mean", "Median",
						 "Longest", NULL});
	for (int ask = 0; ask < NIGHT_ASKS; ask++)
		if (waits[ask].of.n > 0)
			put_row(page, table, night_ask_names[ask], &waits[ask], &summaries[ask]);
}

struct reason {
	const char *text;
	int njobs;
	int64_t nnodes;
};

/* The jobs that still wait, by what Slurm or allocate says of them. */
static void put_reasons(struct page *page, const struct night *night)
{
	VEC(struct reason) reasons = {0};
	struct page_item *table = NULL;
	struct map ids = {0};

	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];
		int64_t id;

		if (job->group != 0 || job->is_counted || job->phase != NIGHT_WAITS ||
		    job->reason == NULL)
			continue;
		id = map_add(&ids, job->reason, strlen(job->reason), (int64_t)reasons.n);
		if (id == (int64_t)reasons.n)
			vec_push(&reasons, (struct reason){.text = job->reason});
		reasons.at[id].njobs++;
		reasons.at[id].nnodes += job->nnodes_all;
	}
	if (reasons.n > 0)
		table = page_table(page, "Jobs that wait, by reason",
				   (const char *const[]){"Reason", "Jobs", "Nodes", NULL});
	for (size_t i = 0; i < reasons.n; i++) {
		page_cell_text(page, table, reasons.at[i].text);
		page_cell_number(table, reasons.at[i].njobs, NULL);
		page_cell_number(table, (double)reasons.at[i].nnodes, NULL);
	}
	vec_free(&reasons);
	map_free(&ids);
}

void section_waits(struct page *page, const struct night *night)
{
	struct waits waits[NIGHT_ASKS] = {0};
	bool asks = false;

	for (size_t i = 0; i < night->jobs.n; i++)
		asks |= night->jobs.at[i].group == 0 && night->jobs.at[i].asks != 0;
	if (!asks)
		return;
	collect(night, waits);
	page_section(page, "Waits");
	put_asks(page, waits);
	put_reasons(page, night);
	for (int ask = 0; ask < NIGHT_ASKS; ask++)
		vec_free(&waits[ask].of);
}
