/* sections_limits.c - what the limits that jobs ask of the network cost */
#include "report/night_asks.h"
#include "report/sections.h"

enum { ROWS_MOST = 10 };

/* "few leaf switches, segments" */
static const char *asked(struct page *page, unsigned asks)
{
	const char *text = "";

	for (int i = 0; i < NIGHT_ASKS_NOTHING; i++)
		if ((asks & NIGHT_ASKS_NETWORK & 1u << i) != 0)
			text = page_text(page, "%s%s%s", text, *text != '\0' ? ", " : "",
					 night_ask_names[i]);
	return text;
}

static void put_worst(struct page *page, const struct night *night,
		      const struct night_limits *limits)
{
	struct page_item *table = page_table(
		page, "Jobs whose limits held up others most",
		(const char *const[]){"Job", "User", "Nodes", "Asked for", "Started later by",
				      "Others waited longer meanwhile", NULL});

	for (size_t i = 0; i < limits->worst.n && i < ROWS_MOST; i++) {
		const struct night_limit *limit = &limits->worst.at[i];
		const struct night_job *job = &night->jobs.at[limit->job];

		page_cell_text(page, table, job->het_job != NULL ? job->het_job : job->name);
		page_cell_text(page, table, job->user != NULL ? job->user : "-");
		page_cell_number(table, job->nnodes_all, NULL);
		page_cell_text(page, table, asked(page, job->asks));
		page_cell_number(table, (double)limit->later_ns / 1e9, "s");
		page_cell_number(table, (double)limit->others_ns / 1e9, "s");
	}
}

void section_limits(struct page *page, const struct night *night,
		    const struct night_options *options, const struct night_limits *limits)
{
	char with[48], without[48], cost[48];
	double with_s = (double)limits->with_ns / 1e9, without_s = (double)limits->without_ns / 1e9;

	if (limits->njobs == 0)
		return;
	page_section(page, "What limits cost");
	if (limits->failure != NULL) {
		page_sentence(page, page_text(page, "The night could not be replayed: %s.",
					      limits->failure));
		return;
	}
	page_sentence(
		page,
		page_text(page,
			  "%d job%s asked for something of the network. In a replay under %s with "
			  "EASY backfilling jobs waited %s in all, and %s without these limits: "
			  "they %s %s of waiting.",
			  limits->njobs, limits->njobs == 1 ? "" : "s", options->replay,
			  page_number(with_s, "s", with), page_number(without_s, "s", without),
			  with_s < without_s ? "saved" : "cost",
			  page_number(with_s < without_s ? without_s - with_s : with_s - without_s,
				      "s", cost)));
	if (limits->worst.n > 0)
		put_worst(page, night, limits);
}
