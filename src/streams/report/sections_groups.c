/* sections_groups.c - waits, node-hours and GPU-hours by partition, account and user */
#include "report/sections_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/str.h"

enum { ROWS_MOST = 12 };

static const char *name_of(const struct night_job *job, enum night_group by)
{
	const char *name = by == NIGHT_BY_PARTITION ? job->partition
			   : by == NIGHT_BY_ACCOUNT ? job->account
						    : job->user;

	return name != NULL ? name : "not said";
}

struct member {
	int group;
	int64_t start_ns;
	size_t job;
};

static int by_group(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* Node-hours of jobs of one group, in the order of their starts: a node that several of them share
 * counts once. */
static double node_hours(const struct night *night, const struct night_job *job, int stamp,
			 int *stamps, int64_t *busy_until)
{
	int_vec nodes = night_nodes(night, job);
	int64_t start = job->start_ns > night->since_ns ? job->start_ns : night->since_ns;
	int64_t end = start + night_inside(night, job);
	double sum_ns = 0;

	if (nodes.n == 0)
		return night->topo != NULL && job->nodelist != NULL
			       ? 0 /* of nodes that the machine lacks */
			       : (double)(end - start) / 3.6e12 * job->nnodes;
	for (size_t i = 0; i < nodes.n; i++) {
		int node = nodes.at[i];
		int64_t from = stamps[node] == stamp && busy_until[node] > start ? busy_until[node]
										 : start;

		if (from >= end)
			continue;
		sum_ns += (double)(end - from);
		stamps[node] = stamp;
		busy_until[node] = end;
	}
	return sum_ns / 3.6e12;
}

static void count(const struct night *night, const struct night_job *job,
		  struct night_group_row *row)
{
	double wait_s = (double)night_wait(night, job) / 1e9;

	row->gpu_hours += (double)job->gpus * (double)night_inside(night, job) / 3.6e12;
	if (job->is_counted)
		return;
	row->nwaiting += job->phase == NIGHT_WAITS;
	row->nstarted += job->phase == NIGHT_RAN && job->start_ns >= night->since_ns;
	if (wait_s < 0)
		return;
	row->longest_s = wait_s > row->longest_s ? wait_s : row->longest_s;
	if (job->phase == NIGHT_RAN) {
		row->waited_s += wait_s;
		row->nwaited++;
	}
}

static int by_hours(const void *a, const void *b)
{
	const struct night_group_row *x = a, *y = b;

	if (x->node_hours != y->node_hours)
		return x->node_hours < y->node_hours ? 1 : -1;
	if (x->nwaiting != y->nwaiting)
		return x->nwaiting < y->nwaiting ? 1 : -1;
	return strcmp(x->name, y->name);
}

void night_groups_find(const struct night *night, enum night_group by, struct night_groups *groups)
{
	VEC(struct member) members = {0};
	struct map ids = {0};
	size_t nnodes = night->topo != NULL ? (size_t)night->topo->nnodes : 0;
	int *stamps = xcalloc(nnodes + 1, sizeof(*stamps));
	int64_t *busy_until = xcalloc(nnodes + 1, sizeof(*busy_until));

	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];
		const char *name = name_of(job, by);
		int64_t id;

		if (job->group != 0 || (job->phase != NIGHT_RAN && job->phase != NIGHT_WAITS))
			continue;
		id = map_add(&ids, name, strlen(name), (int64_t)groups->rows.n);
		if (id == (int64_t)groups->rows.n)
			vec_push(&groups->rows, (struct night_group_row){.name = name});
		count(night, job, &groups->rows.at[id]);
		groups->has_gpus |= job->gpus > 0;
		if (job->phase == NIGHT_RAN)
			vec_push(&members, (struct member){(int)id, job->start_ns, i});
	}
	if (members.n > 1)
		qsort(members.at, members.n, sizeof(*members.at), by_group);
	for (size_t i = 0; i < members.n; i++)
		groups->rows.at[members.at[i].group].node_hours +=
			node_hours(night, &night->jobs.at[members.at[i].job],
				   members.at[i].group + 1, stamps, busy_until);
	if (groups->rows.n > 1)
		qsort(groups->rows.at, groups->rows.n, sizeof(*groups->rows.at), by_hours);
	groups->is_said = groups->rows.n > 1 ||
			  (groups->rows.n == 1 && !str_eq(groups->rows.at[0].name, "not said"));
	free(stamps);
	free(busy_until);
	vec_free(&members);
	map_free(&ids);
}

void night_groups_free(struct night_groups *groups)
{
	vec_free(&groups->rows);
}

static void put_row(struct page *page, struct page_item *table, const struct night_group_row *row,
		    bool has_gpus)
{
	page_cell_text(page, table, row->name);
	page_cell_number(table, row->node_hours, NULL);
	if (has_gpus)
		page_cell_number(table, row->gpu_hours, NULL);
	page_cell_number(table, row->nstarted, NULL);
	page_cell_number(table, row->nwaiting, NULL);
	page_cell_number(table, row->nwaited > 0 ? row->waited_s / row->nwaited : NAN, "s");
	page_cell_number(table, row->longest_s, "s");
}

/* Those that fit; the others together. */
static void put_table(struct page *page, const struct night_groups *groups, const char *caption,
		      const char *what)
{
	const char *headings[] = {what,      "Node-hours", "GPU-hours", "Started",
				  "Waiting", "Mean wait",  "Longest",   NULL};
	struct night_group_row rest = {.name = "others"};
	struct page_item *table;

	for (int i = 2; !groups->has_gpus && i < 7; i++)
		headings[i] = headings[i + 1];
	table = page_table(page, caption, headings);
	table->bars = 1;
	for (size_t i = 0; i < groups->rows.n; i++) {
		const struct night_group_row *row = &groups->rows.at[i];

		if (i < ROWS_MOST || groups->rows.n == ROWS_MOST + 1) {
			put_row(page, table, row, groups->has_gpus);
			continue;
		}
		rest.node_hours += row->node_hours;
		rest.gpu_hours += row->gpu_hours;
		rest.nstarted += row->nstarted;
		rest.nwaiting += row->nwaiting;
		rest.nwaited += row->nwaited;
		rest.waited_s += row->waited_s;
		rest.longest_s = row->longest_s > rest.longest_s ? row->longest_s : rest.longest_s;
	}
	if (groups->rows.n > ROWS_MOST + 1) {
		rest.name = page_text(page, "%zu others", groups->rows.n - ROWS_MOST);
		put_row(page, table, &rest, groups->has_gpus);
	}
}

void section_groups(struct page *page, const struct night *night)
{
	static const struct {
		const char *caption, *what;
	} groups[NIGHT_GROUPS] = {[NIGHT_BY_PARTITION] = {"By partition", "Partition"},
				  [NIGHT_BY_ACCOUNT] = {"By account", "Account"},
				  [NIGHT_BY_USER] = {"By user", "User"}};
	bool is_begun = false;

	for (int by = 0; by < NIGHT_GROUPS; by++) {
		struct night_groups of = {0};

		night_groups_find(night, (enum night_group)by, &of);
		if (of.is_said && !is_begun) {
			is_begun = true;
			page_section(page, "Who waited, and who had the machine");
			page_sentence(page, "Node-hours within the time above; a node that jobs "
					    "of a row share counts once in it.");
		}
		if (of.is_said)
			put_table(page, &of, groups[by].caption, groups[by].what);
		night_groups_free(&of);
	}
}
