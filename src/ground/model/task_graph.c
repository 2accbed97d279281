/* task_graph.c - graphs of tasks: their ranks, programs and groups */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "model/kinds.h"
#include "model/mpitrace.h"
#include "model/task_reading.h"

/* PLACES_MOST: of the ranks in all groups. */
enum { RANKS_MOST = 1 << 24, GROUPS_MOST = UINT16_MAX, PLACES_MOST = 1 << 27 };

void task_rows_free(struct task_rows *rows)
{
	if (rows == NULL)
		return;
	vec_free(&rows->lines);
	vec_free(&rows->names);
	vec_free(&rows->waits);
	free(rows);
}

void task_graph_free(struct task_graph *graph)
{
	for (size_t i = 0; i < graph->programs.n; i++) {
		struct task_program *program = &graph->programs.at[i];

		vec_free(&program->tasks);
		vec_free(&program->streams);
		free(program->dependents);
		free(program->names);
		free(program->ranks);
		task_rows_free(program->rows);
	}
	for (size_t i = 0; i < graph->groups.n; i++) {
		free(graph->groups.at[i].members);
		free(graph->groups.at[i].first);
		free(graph->groups.at[i].at);
	}
	vec_free(&graph->programs);
	vec_free(&graph->groups);
	vec_free(&graph->algorithms);
	free(graph->program_of);
	map_free(&graph->program_ids);
	map_free(&graph->group_ids);
	map_free(&graph->algorithm_ids);
	map_free(&graph->classes);
	arena_free(&graph->arena);
	*graph = (struct task_graph){0};
}

/* ---- ##ranks, ##group, ##program ---- */

static int take_nranks(struct task_graph *graph, const char *text, struct err *err)
{
	int64_t n;

	if (num_int(text, 1, RANKS_MOST, &n) != 0)
		return err_set(err, "##ranks=%.40s: expected a number of ranks from 1 to %d", text,
			       RANKS_MOST);
	if (graph->nranks > 0 && graph->nranks != (int)n)
		return err_set(err, "##ranks=%.40s: there were %d ranks before", text,
			       graph->nranks);
	if (graph->nranks > 0)
		return 0;
	graph->nranks = (int)n;
	graph->program_of = xcalloc((size_t)n, sizeof(*graph->program_of));
	for (int i = 0; i < graph->nranks; i++)
		graph->program_of[i] = -1;
	vec_push(&graph->groups, (struct task_group){.name = "all ranks", .nparts = 1});
	return 0;
}

/* "NAME:" of a line; how long the name is. */
static int take_name(const struct task_graph *graph, const char *what, const char *text, size_t *n,
		     struct err *err)
{
	*n = strcspn(text, ":");
	if (*n == 0 || text[*n] != ':')
		return err_set(err, "##%s=%.40s: expected NAME:RANKS, as in a:0-7", what, text);
	if (graph->nranks == 0)
		return err_set(err, "##%s=%.40s: no line ##ranks=N before", what, text);
	return 0;
}

/* Lists of ranks, with bars between; where each begins. */
static int take_lists(const struct task_graph *graph, const char *text, struct task_group *group,
		      struct err *err)
{
	VEC(int32_t) members = {0}, first = {0};
	int status = 0;

	for (;;) {
		int32_t *ranks = NULL;
		int n = 0;

		vec_push(&first, (int32_t)members.n);
		status = trace_ranks_read(&text, graph->nranks - (int)members.n, &ranks, &n, err);
		for (int i = 0; i < n && status == 0; i++) {
			vec_push(&members, ranks[i]);
			if (ranks[i] >= graph->nranks)
				status = err_set(err, "rank %d is not among the %d", ranks[i],
						 graph->nranks);
		}
		free(ranks);
		if (status != 0 || *text != '|')
			break;
		text++;
	}
	vec_push(&first, (int32_t)members.n);
	group->members = members.at;
	group->nmembers = (int)members.n;
	group->first = first.at;
	group->nparts = (int)first.n - 1;
	return status;
}

static int place_members(const struct task_graph *graph, struct task_group *group, struct err *err)
{
	group->at = xcalloc((size_t)graph->nranks, sizeof(*group->at));
	for (int i = 0; i < graph->nranks; i++)
		group->at[i] = -1;
	for (int i = 0; i < group->nmembers; i++) {
		if (group->at[group->members[i]] >= 0)
			return err_set(err, "rank %d is there twice", group->members[i]);
		group->at[group->members[i]] = i;
	}
	return 0;
}

static int take_group(struct task_graph *graph, const char *text, struct err *err)
{
	struct task_group group = {0};
	int64_t number = (int64_t)graph->groups.n;
	size_t n;

	if (take_name(graph, "group", text, &n, err) != 0)
		return -1;
	if (graph->groups.n > GROUPS_MOST || (int64_t)graph->groups.n * graph->nranks > PLACES_MOST)
		return err_set(err, "too many groups: %zu of %d ranks", graph->groups.n,
			       graph->nranks);
	if (map_add(&graph->group_ids, text, n, number) != number)
		return err_set(err, "##group=%.*s: was there before", (int)n, text);
	if (take_lists(graph, text + n + 1, &group, err) != 0 ||
	    place_members(graph, &group, err) != 0) {
		free(group.members);
		free(group.first);
		free(group.at);
		return err_prefix(err, "##group=%.*s: ", (int)n, text);
	}
	group.name = arena_strndup(&graph->arena, text, n);
	vec_push(&graph->groups, group);
	return 0;
}

static int take_program(struct task_graph *graph, const char *text, struct err *err)
{
	struct task_program program = {0};
	struct task_group ranks = {0};
	int64_t number = (int64_t)graph->programs.n;
	size_t n;
	int status;

	if (take_name(graph, "program", text, &n, err) != 0)
		return -1;
	if (map_add(&graph->program_ids, text, n, number) != number)
		return err_set(err, "##program=%.*s: was there before", (int)n, text);
	status = take_lists(graph, text + n + 1, &ranks, err);
	if (status == 0 && ranks.nparts > 1)
		status = err_set(err, "expected ranks as in 0-7,12");
	for (int i = 0; i < ranks.nmembers && status == 0; i++) {
		int32_t *of = &graph->program_of[ranks.members[i]];

		if (*of >= 0)
			status = err_set(err, "rank %d has the program %s", ranks.members[i],
					 *of < number ? graph->programs.at[*of].name : "already");
		*of = (int32_t)number;
	}
	free(ranks.first);
	if (status != 0) {
		free(ranks.members);
		return err_prefix(err, "##program=%.*s: ", (int)n, text);
	}
	program.name = arena_strndup(&graph->arena, text, n);
	program.ranks = ranks.members;
	program.nranks = ranks.nmembers;
	vec_push(&graph->programs, program);
	return 0;
}

int task_meta_take(struct task_graph *graph, const struct flow *flow, size_t *ndone,
		   struct err *err)
{
	for (; *ndone < flow->meta.n; (*ndone)++) {
		const struct flow_meta *meta = &flow->meta.at[*ndone];
		int status = 0;

		if (str_eq(meta->key, "ranks"))
			status = take_nranks(graph, meta->value, err);
		else if (str_eq(meta->key, "group"))
			status = take_group(graph, meta->value, err);
		else if (str_eq(meta->key, "program"))
			status = take_program(graph, meta->value, err);
		if (status != 0)
			return flow->file != NULL ? err_prefix(err, "%s: ", flow->file) : -1;
	}
	return 0;
}

/* ---- groups ---- */

static int part_of(const struct task_group *group, int at)
{
	int low = 0, high = group->nparts;

	while (high - low > 1) {
		int middle = low + (high - low) / 2;

		if (group->first[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int task_group_size(const struct task_graph *graph, int group, int rank)
{
	const struct task_group *of = &graph->groups.at[group];
	int part;

	if (group == TASK_NO_GROUP)
		return graph->nranks;
	part = part_of(of, of->at[rank]);
	return of->first[part + 1] - of->first[part];
}

int task_group_place(const struct task_graph *graph, int group, int rank)
{
	const struct task_group *of = &graph->groups.at[group];

	if (group == TASK_NO_GROUP)
		return rank;
	return of->at[rank] - of->first[part_of(of, of->at[rank])];
}

int32_t task_group_rank(const struct task_graph *graph, int group, int place, int rank)
{
	const struct task_group *of = &graph->groups.at[group];

	if (group == TASK_NO_GROUP)
		return place;
	return of->members[of->first[part_of(of, of->at[rank])] + place];
}

int32_t task_peer(const struct task_graph *graph, const struct task *task, int rank)
{
	int64_t n, place;

	if (!task->is_relative)
		return task->peer;
	n = task_group_size(graph, task->group, rank);
	place = (task_group_place(graph, task->group, rank) + task->peer) % n;
	return task_group_rank(graph, task->group, (int)(place < 0 ? place + n : place), rank);
}
