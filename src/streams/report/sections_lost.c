/* sections_lost.c - node-hours lost, nodes where jobs fail, and accounting against nodes */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "formats/hostlist.h"
#include "report/sections.h"
#include "report/sections_verdict.h"

enum { ROWS_MOST = 15 };

/* The outages of one state and reason. */
struct cause {
	const char *state, *reason;
	double hours;
	struct hostlist nodes;
	int nnodes, nlasting;
};

static void put_causes(struct page *page, const struct night_out *out)
{
	VEC(struct cause) causes = {0};
	struct map ids = {0};
	struct page_item *table =
		page_table(page, "Node-hours lost, by state and reason",
			   (const char *const[]){"State", "Reason", "Node-hours", "Nodes", "Still",
						 "Which", NULL});

	table->bars = 2;
	for (size_t i = 0; i < out->outages.n; i++) {
		const struct night_outage *outage = &out->outages.at[i];
		const char *state = outage->state != NULL ? outage->state : "-";
		const char *reason = outage->reason != NULL ? outage->reason : "-";
		const char *key = page_text(page, "%s\t%s", state, reason);
		int64_t id = map_add(&ids, key, strlen(key), (int64_t)causes.n);

		if (id == (int64_t)causes.n)
			vec_push(&causes, (struct cause){.state = state, .reason = reason});
		causes.at[id].hours += outage->hours;
		causes.at[id].nnodes++;
		causes.at[id].nlasting += outage->is_lasting;
		hostlist_add(&causes.at[id].nodes, outage->name, strlen(outage->name));
	}
	for (size_t i = 0; i < causes.n; i++) {
		struct cause *cause = &causes.at[i];

		if (i < ROWS_MOST) {
			page_cell_text(page, table, cause->state);
			page_cell_text(page, table, cause->reason);
			page_cell_number(table, cause->hours, NULL);
			page_cell_number(table, cause->nnodes, NULL);
			page_cell_number(table, cause->nlasting, NULL);
			page_cell_nodes(page, table, hostlist_text(&cause->nodes), cause->nnodes);
		}
		hostlist_free(&cause->nodes);
	}
	vec_free(&causes);
	map_free(&ids);
}

static void put_failing(struct page *page, const struct verdict *verdict)
{
	const struct night_signs *signs = verdict->signs;
	struct page_item *table;

	if (signs->failing.n == 0)
		return;
	table = page_table(page, "Nodes where jobs fail again and again",
			   (const char *const[]){"Node", "Failed", "Jobs", NULL});
	for (size_t i = 0; i < signs->failing.n && i < ROWS_MOST; i++) {
		char room[TOPO_NAME];

		page_cell_text(
			page, table,
			topo_node_name(verdict->night->topo, signs->failing.at[i].node, room));
		page_cell_number(table, signs->failing.at[i].nfailed, NULL);
		page_cell_number(table, signs->failing.at[i].njobs, NULL);
	}
}

static void put_ghosts(struct page *page, const struct night_signs *signs)
{
	struct page_item *table;

	if (signs->ghosts.n == 0)
		return;
	table = page_table(page, "Running jobs on nodes that have none",
			   (const char *const[]){"Job", "User", "Node", "Its state", NULL});
	for (size_t i = 0; i < signs->ghosts.n && i < ROWS_MOST; i++) {
		const struct night_ghost *ghost = &signs->ghosts.at[i];

		page_cell_text(page, table, ghost->job->name);
		page_cell_text(page, table, ghost->job->user != NULL ? ghost->job->user : "-");
		page_cell_text(page, table, ghost->node->name);
		page_cell_text(page, table, ghost->node->state);
		table->cells.at[table->cells.n - 1].is_bad = true;
	}
}

void section_lost(struct page *page, const struct verdict *verdict)
{
	const struct night *night = verdict->night;
	const struct night_out *out = verdict->out;
	char room[48];

	if (!night->has_events && verdict->signs->failing.n == 0 && verdict->signs->ghosts.n == 0)
		return;
	page_section(page, "Lost");
	if (night->has_events)
		page_sentence(page,
			      page_text(page,
					"%s node-hours were lost to nodes out of service; while a "
					"node drains, only the time without a job is.%s%s%s",
					page_number(out->lost_hours, NULL, room),
					night->events_since != NULL
						? " The states of nodes are known since "
						: "",
					night->events_since != NULL ? night->events_since : "",
					night->events_since != NULL ? ", night by night." : ""));
	if (out->outages.n > 0)
		put_causes(page, out);
	put_failing(page, verdict);
	put_ghosts(page, verdict->signs);
}

void section_overused(struct page *page, const struct verdict *verdict)
{
	const struct night_overuses *overuses = verdict->overuses;
	struct page_item *table;

	if (overuses->n == 0)
		return;
	page_section(page, "Given out twice");
	page_sentence(page, page_text(page,
				      "%lld time%s a job got of a node what another one had, or "
				      "more than the node has%s.",
				      (long long)overuses->n, overuses->n == 1 ? "" : "s",
				      overuses->n > OVERUSES_KEPT ? "; the first ones" : ""));
	table = page_table(page, "Jobs that share what cannot be shared",
			   (const char *const[]){"From", "Job", "Node", "What", NULL});
	for (size_t i = 0; i < overuses->of.n; i++) {
		const struct night_overuse *one = &overuses->of.at[i];

		page_cell_text(page, table,
			       one->at_ns != INT64_MIN ? section_time(page, one->at_ns) : "-");
		page_cell_text(page, table, one->job);
		page_cell_text(page, table,
			       one->nnodes == 1 ? one->node
						: page_text(page, "%s and %lld more", one->node,
							    (long long)one->nnodes - 1));
		page_cell_text(page, table,
			       one->other != NULL
				       ? page_text(page, "beside job %s", one->other)
				       : page_text(page, "%lld of %lld %s", (long long)one->used,
						   (long long)one->had, one->what));
		table->cells.at[table->cells.n - 1].is_bad = true;
	}
}
