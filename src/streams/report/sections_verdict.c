/* sections_verdict.c - the first screen: what a night was, and what to do about it */
#include "report/sections_verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/hostlist.h"
#include "report/night_sweep.h"
#include "report/numbers.h"
#include "report/sections.h"

enum { THINGS = 3, MONTH = 30, WAIT_LEAST_S = 3600 };

/* ---- alarms ---- */

static void put_alarms(struct page *page, const struct alarms *alarms)
{
	struct page_item *table;

	if (alarms->of.n == 0)
		return;
	table = page_table(page, "Alarms",
			   (const char *const[]){"Metric", "Verdict", "Value", "Threshold", NULL});
	for (size_t i = 0; i < alarms->of.n; i++) {
		const struct alarm *alarm = &alarms->of.at[i];
		const char *limit = alarm->text + strlen(alarm->metric);
		char room[48];

		page_cell_text(page, table, alarm->metric);
		page_cell_text(page, table,
			       alarm->is_raised      ? "raised"
			       : isnan(alarm->value) ? "not measured"
			       : isnan(alarm->limit) ? "no nights before"
						     : "quiet");
		table->cells.at[table->cells.n - 1].is_bad = alarm->is_raised;
		page_cell_number(table, alarm->value, NULL);
		page_cell_text(page, table,
			       alarm->ndays == 0 || isnan(alarm->limit)
				       ? limit
				       : page_text(page, "%s (%s)", limit,
						   page_number(alarm->limit, NULL, room)));
	}
}

/* ---- six numbers ---- */

static void put_numbers(struct page *page, const struct verdict *verdict)
{
	const struct night *night = verdict->night;
	struct page_item *tiles = page_tiles(page, "The night in six numbers");

	for (int i = 0; i < NUMBERS_OF_VERDICT; i++) {
		const struct number *number = &numbers_known[i];
		struct page_tile tile = {.title = number->title,
					 .value = verdict->values[i],
					 .unit = number->unit,
					 .is_part = i == NUMBER_UTILIZATION};
		double before;

		if (numbers_before(night, number->name, 1, &before, 1) == 0)
			before = NAN;
		tile.before = before;
		tile.mean = numbers_mean_before(night, number->name, MONTH);
		tile.npast = numbers_before(night, number->name, MONTH, tile.past, MONTH);
		for (size_t k = 0; k < verdict->alarms->of.n; k++)
			tile.is_bad |= verdict->alarms->of.at[k].is_raised &&
				       str_eq(verdict->alarms->of.at[k].metric, number->name);
		vec_push(&tiles->tiles, tile);
	}
}

/* ---- three things ---- */

/* Whether a shell takes a text as it is, between single quotes. */
static bool is_plain(const char *text)
{
	return *text != '\0' && *text != '-' && strlen(text) <= 300 &&
	       text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				 "_.,+[]-")] == '\0';
}

const char *verdict_job_id(struct page *page, const struct night_job *job)
{
	const char *name = page_text(page, "%.*s", (int)strcspn(job->name, "~"), job->name);

	return is_plain(name) ? name : NULL;
}

struct things {
	struct page *page;
	struct page_item *list;
	const struct verdict *verdict;
	int n;
};

static void add(struct things *things, const char *text, const char *command)
{
	if (things->n == THINGS)
		return;
	if (things->list == NULL)
		things->list = page_advice(things->page, "What to do first");
	page_log_line(things->page, things->list, text);
	page_log_line(things->page, things->list, command != NULL ? command : "");
	things->n++;
}

static const char *command_of_nodes(struct page *page, const char *command, const char *nodes)
{
	return is_plain(nodes) ? page_text(page, command, nodes) : NULL;
}

static void add_ghosts(struct things *things)
{
	const struct night_signs *signs = things->verdict->signs;
	const struct night_ghost *ghost;
	const char *id;

	if (signs->ghosts.n == 0)
		return;
	ghost = &signs->ghosts.at[0];
	id = verdict_job_id(things->page, ghost->job);
	add(things,
	    page_text(
		    things->page,
		    "Accounting has job %s running on %s, which is %s%s: find out which is right.",
		    ghost->job->name, ghost->node->name, ghost->node->state,
		    signs->ghosts.n > 1 ? " (and others, below)" : ""),
	    id != NULL && is_plain(ghost->node->name)
		    ? page_text(things->page, "scontrol show job %s; scontrol show node '%s'", id,
				ghost->node->name)
		    : NULL);
}

static void add_overused(struct things *things)
{
	const struct night_overuses *overuses = things->verdict->overuses;
	const struct night_overuse *one;
	const char *what;

	if (overuses->n == 0)
		return;
	one = &overuses->of.at[0];
	what = one->other != NULL
		       ? page_text(things->page, "Job %s got %s while job %s had it", one->job,
				   one->node, one->other)
		       : page_text(things->page, "With job %s, %lld of %lld %s of %s were used",
				   one->job, (long long)one->used, (long long)one->had, one->what,
				   one->node);
	add(things,
	    page_text(things->page, "%s%s: find out why Slurm gave it out twice.", what,
		      overuses->n > 1 ? " (and others, below)" : ""),
	    is_plain(one->node) ? page_text(things->page, "scontrol show node '%s'", one->node)
				: NULL);
}

/* The nodes that are still out for the state and reason that took most, in one command. */
static void add_outage(struct things *things)
{
	const struct night_out *out = things->verdict->out;
	const struct night_outage *first = NULL;
	struct hostlist list = {0};
	double hours = 0;
	char room[48];
	int n = 0;

	for (size_t i = 0; i < out->outages.n; i++) {
		const struct night_outage *outage = &out->outages.at[i];

		if (!outage->is_lasting || outage->hours <= 0)
			continue;
		if (first == NULL)
			first = outage;
		if (strcmp(outage->state != NULL ? outage->state : "",
			   first->state != NULL ? first->state : "") != 0 ||
		    strcmp(outage->reason != NULL ? outage->reason : "",
			   first->reason != NULL ? first->reason : "") != 0)
			continue;
		hostlist_add(&list, outage->name, strlen(outage->name));
		hours += outage->hours;
		n++;
	}
	if (first != NULL)
		add(things,
		    page_text(things->page,
			      "Bring back %d node%s (%s%s%s), which took %s node-hours.", n,
			      n == 1 ? "" : "s", first->state != NULL ? first->state : "out",
			      first->reason != NULL ? ": " : "",
			      first->reason != NULL ? first->reason : "",
			      page_number(hours, NULL, room)),
		    command_of_nodes(things->page, "scontrol show node '%s'",
				     hostlist_text(&list)));
	hostlist_free(&list);
}

static void add_broken(struct things *things)
{
	const struct night *night = things->verdict->night;
	struct hostlist list = {0};
	int n = 0;

	if (things->verdict->out->outages.n > 0)
		return;
	for (size_t i = 0; i < night->nodes.n; i++)
		if (!night_is_usable(night->nodes.at[i].state)) {
			hostlist_add(&list, night->nodes.at[i].name,
				     strlen(night->nodes.at[i].name));
			n++;
		}
	if (n > 0)
		add(things,
		    page_text(things->page, "Bring back %d node%s out of service.", n,
			      n == 1 ? "" : "s"),
		    n > 20 ? "sinfo -R"
			   : command_of_nodes(things->page, "scontrol show node '%s'",
					      hostlist_text(&list)));
	hostlist_free(&list);
}

static void add_failing(struct things *things)
{
	const struct night_signs *signs = things->verdict->signs;
	char room[TOPO_NAME];
	const char *name;

	if (signs->failing.n == 0)
		return;
	name = topo_node_name(things->verdict->night->topo, signs->failing.at[0].node, room);
	add(things,
	    page_text(things->page, "Drain %s: %d of its %d jobs failed, those of several users.",
		      name, signs->failing.at[0].nfailed, signs->failing.at[0].njobs),
	    command_of_nodes(things->page,
			     "scontrol update NodeName='%s' State=DRAIN Reason='jobs fail'", name));
}

/* Reasons that time does not end. */
static bool is_for_ever(const char *reason)
{
	static const char *const words[] = {"DependencyNeverSatisfied",
					    "BadConstraints",
					    "PartitionNodeLimit",
					    "PartitionTimeLimit",
					    "AccountNotAllowed",
					    "InvalidAccount",
					    "InvalidQOS",
					    "QOSNotAllowed"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (str_eq(reason, words[i]))
			return true;
	return false;
}

static void add_waiting(struct things *things)
{
	const struct night *night = things->verdict->night;
	const struct night_job *longest = NULL, *never = NULL;
	const char *id;
	int64_t most = INT64_C(1000000000) * WAIT_LEAST_S;
	char room[48];

	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];

		if (job->group != 0 || job->is_counted || job->phase != NIGHT_WAITS)
			continue;
		if (never == NULL && job->reason != NULL && is_for_ever(job->reason))
			never = job;
		else if (night_wait(night, job) > most) {
			most = night_wait(night, job);
			longest = job;
		}
	}
	if (never != NULL) {
		id = verdict_job_id(things->page, never);
		add(things,
		    page_text(things->page, "Job %s can never start (%s): tell its user.",
			      never->name, never->reason),
		    id != NULL ? page_text(things->page, "scontrol show job %s", id) : NULL);
	}
	if (longest == NULL)
		return;
	id = verdict_job_id(things->page, longest);
	add(things,
	    page_text(things->page, "Job %s on %d node%s waits since %s%s%s%s.", longest->name,
		      longest->nnodes_all, longest->nnodes_all == 1 ? "" : "s",
		      page_number((double)most / 1e9, "s", room),
		      longest->reason != NULL ? " (" : "",
		      longest->reason != NULL ? longest->reason : "",
		      longest->reason != NULL ? ")" : ""),
	    id == NULL ? NULL
	    : longest->leaf_switches > 0
		    ? page_text(things->page, "scontrol update JobId=%s Switches=0", id)
		    : page_text(things->page, "sprio -l -j %s; scontrol show job %s", id, id));
}

static void add_placed(struct things *things)
{
	const struct night_placed *placed = things->verdict->placed;
	const struct placed_job *worst;
	const struct night_job *job;

	if (placed->navoidable == 0)
		return;
	worst = &placed->jobs.at[0];
	job = &things->verdict->night->jobs.at[worst->job];
	add(things,
	    page_text(things->page,
		      "Job %s had %d nodes on %d routers where %d would have held them: its next "
		      "run can ask for that, and wait up to an hour for it.",
		      job->name, job->nnodes, worst->nrouters, worst->possible),
	    page_text(things->page, "sbatch --switches=%d@01:00:00", worst->possible));
}

/* ---- all ---- */

static const char *sentence_of(struct page *page, const struct alarms *alarms)
{
	struct buf text = {0};
	const char *kept;
	char value[48];

	if (alarms->of.n == 0)
		return "No alarm is set.";
	if (alarms->nraised == 0)
		return page_text(page, "Quiet: none of %zu alarm%s was raised.", alarms->of.n,
				 alarms->of.n == 1 ? "" : "s");
	for (size_t i = 0; i < alarms->of.n; i++) {
		const struct alarm *alarm = &alarms->of.at[i];
		const char *limit = alarm->text + strlen(alarm->metric) + 1;

		if (alarm->is_raised)
			buf_printf(&text, "%s%s is %s, %s %s", text.n > 0 ? "; " : "",
				   alarm->metric, page_number(alarm->value, NULL, value),
				   alarm->sign == '>' ? "above" : "below", limit);
	}
	kept = page_text(page, "%d of %zu alarms %s raised: %s.", alarms->nraised, alarms->of.n,
			 alarms->nraised == 1 ? "was" : "were", buf_text(&text));
	buf_free(&text);
	return kept;
}

void section_verdict(struct page *page, const struct verdict *verdict)
{
	struct things things = {.page = page, .verdict = verdict};

	page_section(page, "Verdict");
	page_banner(page, sentence_of(page, verdict->alarms), verdict->alarms->nraised > 0);
	for (int i = 0; i < verdict->nnotes; i++)
		page_banner(page, verdict->notes[i], true);
	if (verdict->night->has_jobs || verdict->night->has_states)
		put_numbers(page, verdict);
	add_ghosts(&things);
	add_overused(&things);
	add_outage(&things);
	add_broken(&things);
	add_failing(&things);
	add_waiting(&things);
	add_placed(&things);
	put_alarms(page, verdict->alarms);
}
