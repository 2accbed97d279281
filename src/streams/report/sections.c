/* sections.c - what is broken, full and waiting, and what happened */
#include "report/sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "formats/hostlist.h"
#include "report/night_busy.h"
#include "report/night_sweep.h"

enum { ROWS_MOST = 15, BINS = 144 };

/* ---- times ---- */

/* Days since 1970-01-01 to year, month and day; as base/time.h counts them. */
static void civil(int64_t days, int64_t *year, int *month, int *day)
{
	int64_t era, of_era, of_year, y;
	int m;

	days += 719468;
	era = (days >= 0 ? days : days - 146096) / 146097;
	of_era = days - era * 146097;
	y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	of_year = of_era - (365 * y + y / 4 - y / 100);
	m = (int)((5 * of_year + 2) / 153);
	*day = (int)(of_year - (153 * m + 2) / 5) + 1;
	*month = m < 10 ? m + 3 : m - 9;
	*year = y + era * 400 + (*month <= 2);
}

const char *section_time(struct page *page, int64_t ns)
{
	int64_t seconds = ns / 1000000000, days = seconds / 86400, year;
	int rest = (int)(seconds - days * 86400), month, day;

	if (ns == JOB_NO_TIME)
		return "-";
	if (seconds < 100000000) /* before 1973: a simulation's time */
		return page_text(page, "%lld s", (long long)seconds);
	civil(days, &year, &month, &day);
	return page_text(page, "%04lld-%02d-%02d %02d:%02d UTC", (long long)year, month, day,
			 rest / 3600, rest / 60 % 60);
}

/* ---- counted names ---- */

struct tally {
	struct map ids;
	VEC(const char *) names;
	VEC(double) counts;
};

static void tally_add(struct tally *tally, const char *name, double count)
{
	int64_t id;

	if (name == NULL)
		name = "unknown";
	id = map_add(&tally->ids, name, strlen(name), (int64_t)tally->names.n);
	if (id == (int64_t)tally->names.n) {
		vec_push(&tally->names, name);
		vec_push(&tally->counts, 0);
	}
	tally->counts.at[id] += count;
}

static void tally_free(struct tally *tally)
{
	map_free(&tally->ids);
	vec_free(&tally->names);
	vec_free(&tally->counts);
}

/* Its rows as a table, with bars. */
static void put_tally(struct page *page, const struct tally *tally, const char *caption,
		      const char *what, const char *unit)
{
	struct page_item *table;

	if (tally->names.n == 0)
		return;
	table = page_table(page, caption, (const char *const[]){what, unit, NULL});
	table->bars = 1;
	for (size_t i = 0; i < tally->names.n; i++) {
		page_cell_text(page, table, tally->names.at[i]);
		page_cell_number(table, tally->counts.at[i], NULL);
	}
}

/* ---- now ---- */

/* Nodes that can't be used, by state and reason, their names folded. */
static void put_broken(struct page *page, const struct night *night)
{
	struct map seen = {0};
	struct page_item *table = NULL;
	int nrows = 0;

	for (size_t i = 0; i < night->nodes.n; i++) {
		const struct night_node *first = &night->nodes.at[i];
		struct hostlist list = {0};
		char *key;
		int n = 0;

		if (night_is_usable(first->state))
			continue;
		key = xasprintf("%s\t%s", first->state, first->reason != NULL ? first->reason : "");
		if (map_get(&seen, key, strlen(key)) < 0 && nrows < ROWS_MOST) {
			map_add(&seen, key, strlen(key), 1);
			for (size_t k = i; k < night->nodes.n; k++) {
				const struct night_node *node = &night->nodes.at[k];

				if (str_eq(node->state, first->state) &&
				    str_eq(node->reason != NULL ? node->reason : "",
					   first->reason != NULL ? first->reason : "")) {
					hostlist_add(&list, node->name, strlen(node->name));
					n++;
				}
			}
			if (table == NULL)
				table = page_table(page, "Nodes out of service",
						   (const char *const[]){"State", "Reason", "Nodes",
									 "Count", NULL});
			page_cell_text(page, table, first->state);
			page_cell_text(page, table, first->reason != NULL ? first->reason : "-");
			page_cell_nodes(page, table, hostlist_text(&list), n);
			page_cell_number(table, n, NULL);
			nrows++;
		}
		hostlist_free(&list);
		free(key);
	}
	map_free(&seen);
}

struct waited {
	int64_t ns;
	size_t job;
};

/* The longest first. */
static int by_wait(const void *a, const void *b)
{
	const struct waited *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->job > y->job) - (x->job < y->job);
}

static void put_wait(struct page *page, const struct night *night, struct page_item *table,
		     const struct waited *waited)
{
	const struct night_job *job = &night->jobs.at[waited->job];
	bool waits = job->phase == NIGHT_WAITS;

	page_cell_text(page, table, job->het_job != NULL ? job->het_job : job->name);
	page_cell_text(page, table, job->user != NULL ? job->user : "-");
	page_cell_text(page, table, job->partition != NULL ? job->partition : "-");
	page_cell_number(table, job->nnodes_all, NULL);
	page_cell_number(table, (double)waited->ns / 1e9, "s");
	page_cell_text(page, table, section_time(page, job->submit_ns));
	page_cell_text(page, table,
		       waits && job->reason != NULL ? job->reason
		       : waits                      ? "waits"
		       : job->state != NULL         ? job->state
						    : "started");
}

/* The jobs of the first policy that wait or waited longest. */
static void put_waits(struct page *page, const struct night *night)
{
	VEC(struct waited) waited = {0};
	struct page_item *table;

	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];
		int64_t ns = night_wait(night, job);

		if (ns > 0 || (job->group == 0 && !job->is_counted && job->phase == NIGHT_WAITS))
			vec_push(&waited, (struct waited){ns, i});
	}
	if (waited.n > 1)
		qsort(waited.at, waited.n, sizeof(*waited.at), by_wait);
	if (waited.n > 0) {
		table = page_table(page, "Longest waits",
				   (const char *const[]){"Job", "User", "Partition", "Nodes",
							 "Waited", "Since", "State or reason",
							 NULL});
		for (size_t i = 0; i < waited.n && i < ROWS_MOST; i++)
			put_wait(page, night, table, &waited.at[i]);
	}
	vec_free(&waited);
}

void section_now(struct page *page, const struct night *night)
{
	struct tally states = {0};
	size_t nbroken = 0, nidle = 0, nwaiting = 0, nplaced = 0;
	const char *wait;

	for (size_t i = 0; i < night->nodes.n; i++) {
		tally_add(&states, night->nodes.at[i].state, 1);
		nbroken += !night_is_usable(night->nodes.at[i].state);
		nidle += str_eq(night->nodes.at[i].state, "idle");
	}
	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];

		nwaiting += job->group == 0 && !job->is_counted && job->phase == NIGHT_WAITS;
		nplaced += job->group == 0 && !job->is_counted && job->phase == NIGHT_PLACED;
	}
	wait = nwaiting == 1 ? "job waits" : "jobs wait";
	page_section(page, "Now");
	if (night->has_states)
		page_sentence(page, page_text(page,
					      "%zu of %zu nodes are out of service, %zu "
					      "%s idle; %zu %s.",
					      nbroken, night->nodes.n, nidle,
					      nidle == 1 ? "is" : "are", nwaiting, wait));
	else
		page_sentence(page, page_text(page,
					      "%zu %s. The states of the nodes were not given (a "
					      "stream of the kind nodes).",
					      nwaiting, wait));
	if (nplaced > 0)
		page_sentence(page, page_text(page, "%zu job%s placed, with no times.", nplaced,
					      nplaced == 1 ? " is" : "s are"));
	if (night->lacking != NULL)
		page_sentence(page, page_text(page, "%s.", night->lacking));
	if (night->nskipped > 0)
		page_sentence(
			page,
			page_text(page,
				  "%lld row%s of the inputs could not be read and %s left out.",
				  (long long)night->nskipped, night->nskipped == 1 ? "" : "s",
				  night->nskipped == 1 ? "was" : "were"));
	put_broken(page, night);
	put_tally(page, &states, "Nodes by state", "State", "Nodes");
	put_waits(page, night);
	tally_free(&states);
}

/* ---- the night ---- */

/* Busy nodes in the mean of each bin, and all node-nanoseconds. */
struct busy {
	int64_t since_ns, length_ns; /* of a bin */
	double bins[BINS], all_ns;
};

static void add_busy(void *context, int node, int nnodes, int64_t from, int64_t to)
{
	struct busy *busy = context;
	int first = (int)((from - busy->since_ns) / busy->length_ns);

	(void)node;
	busy->all_ns += (double)(to - from) * nnodes;
	for (int b = first; b < BINS; b++) {
		int64_t begin = busy->since_ns + b * busy->length_ns, end = begin + busy->length_ns;
		int64_t low = from > begin ? from : begin, high = to < end ? to : end;

		if (low >= high)
			break;
		busy->bins[b] += (double)(high - low) / (double)busy->length_ns * nnodes;
	}
}

static void find_busy(const struct night *night, struct busy *busy)
{
	*busy = (struct busy){.since_ns = night->since_ns,
			      .length_ns = (night->until_ns - night->since_ns) / BINS + 1};
	night_busy(night, add_busy, busy);
}

static void put_busy(struct page *page, const struct night *night, const double *busy)
{
	double least = busy[0], most = busy[0], scale, sum = 0;
	struct page_item *table;
	struct buf svg = {0};

	for (int b = 0; b < BINS; b++) {
		least = busy[b] < least ? busy[b] : least;
		most = busy[b] > most ? busy[b] : most;
		sum += busy[b];
	}
	scale = night->topo != NULL ? night->topo->nnodes : most;
	chart_area(&svg, busy, BINS, scale, section_time(page, night->since_ns),
		   section_time(page, night->until_ns));
	page_figure(page, "Busy nodes over time",
		    page_text(page, "Between %.4g and %.4g nodes were busy, %.4g in the mean.",
			      least, most, sum / BINS),
		    &svg);
	table = page_table(page, "Busy nodes, mean of each sixth of the time",
			   (const char *const[]){"From", "Nodes", NULL});
	table->is_detail = true;
	for (int k = 0; k < 6; k++) {
		double part = 0;

		for (int b = k * BINS / 6; b < (k + 1) * BINS / 6; b++)
			part += busy[b] / (BINS / 6);
		page_cell_text(
			page, table,
			section_time(page, night->since_ns +
						   (night->until_ns - night->since_ns) / 6 * k));
		page_cell_number(table, part, NULL);
	}
}

void section_night(struct page *page, const struct night *night)
{
	struct tally states = {0}, users = {0};
	struct busy busy;
	size_t nstarted = 0, nfirst = 0;

	find_busy(night, &busy);
	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];

		if (job->group != 0)
			continue;
		nfirst += !job->is_counted;
		nstarted += !job->is_counted && job->phase == NIGHT_RAN &&
			    job->start_ns >= night->since_ns;
		if (job->state != NULL && !job->is_counted)
			tally_add(&states, job->state, 1);
		if (job->user != NULL)
			tally_add(&users, job->user,
				  (double)night_inside(night, job) / 3.6e12 * job->nnodes);
	}
	page_section(page, "What happened");
	page_sentence(page, page_text(page,
				      "From %s to %s %zu of %zu jobs started, and "
				      "%.4g node-hours were used%s.",
				      section_time(page, night->since_ns),
				      section_time(page, night->until_ns), nstarted, nfirst,
				      busy.all_ns / 3.6e12,
				      night->policies.n > 1 ? " (the first policy)" : ""));
	if (night->until_ns > night->since_ns)
		put_busy(page, night, busy.bins);
	put_tally(page, &states, "Jobs by state", "State", "Jobs");
	if (users.names.n > 1 && users.names.n <= 24)
		put_tally(page, &users, "Node-hours by user (a shared node counts for each job)",
			  "User", "Node-hours");
	tally_free(&states);
	tally_free(&users);
}

/* ---- choices ---- */

void section_pairs(struct buf *svg, const struct night *night, const struct night_choice *choices,
		   size_t n, enum choice_figure figure)
{
	struct chart_pair *rows = xcalloc(n, sizeof(*rows));

	for (size_t i = 0; i < n; i++)
		rows[i] = (struct chart_pair){night->jobs.at[choices[i].job].name,
					      choices[i].was[figure], choices[i].could[figure]};
	chart_pairs(svg, rows, (int)n);
	free(rows);
}
