/* task_reading.c - rows of a graph stream become programs of tasks */
#include "model/task_reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/umap.h"
#include "model/kinds.h"

enum { STREAMS_MOST = UINT16_MAX, ALGORITHMS_MOST = UINT8_MAX };

void task_reading_begin(struct task_reading *reading, struct task_graph *graph,
			const struct flow *flow)
{
	reading->graph = graph;
	task_columns_find(&reading->columns, flow);
}

void task_reading_free(struct task_reading *reading)
{
	vec_free(&reading->taking.after);
	map_free(&reading->streams);
}

/* ---- rows ---- */

/* The number of a name among at most so many, which begin at first; -1: too many. */
static int64_t number_of(struct map *map, const char *key, int64_t n, int64_t most)
{
	int64_t number = map_add(map, key, strlen(key), n);

	return number < most ? number : -1;
}

static int set_stream(struct task *task, struct task_program *program, const struct task_row *row,
		      struct task_reading *reading, const struct flow *flow, struct err *err)
{
	const char *name = task_stream_name(row);
	char *key = xasprintf("%s\t%s", program->name, name);
	int64_t number =
		number_of(&reading->streams, key, (int64_t)program->streams.n, STREAMS_MOST);

	free(key);
	if (number < 0)
		return flow_error(flow, err, "stream: more than %d in a program", STREAMS_MOST);
	if (number == (int64_t)program->streams.n)
		vec_push(&program->streams,
			 arena_strndup(&reading->graph->arena, name, strlen(name)));
	task->stream = (uint16_t)number;
	return 0;
}

static int set_duration(struct task *task, const struct task_row *row,
			const struct task_rates *rates, const struct flow *flow, struct err *err)
{
	double s = row->time_s, memory_s = 0;

	if (s < 0) {
		if (row->flops > 0 && rates->flops_per_s <= 0)
			return flow_error(flow, err,
					  "flops: nothing says at which rate: expected "
					  "-s gpu-flops=N, in operations per second");
		if (row->memory_bytes > 0 && rates->memory_bytes_per_s <= 0)
			return flow_error(flow, err,
					  "memory_bytes: nothing says at which rate: "
					  "expected -s gpu-memory=BANDWIDTH");
		s = row->flops > 0 ? row->flops / rates->flops_per_s : 0;
		memory_s =
			row->memory_bytes > 0 ? row->memory_bytes / rates->memory_bytes_per_s : 0;
		s = memory_s > s ? memory_s : s;
	}
	if (s > 4.6e6)
		return flow_error(flow, err, "it computes longer than 53 days");
	task->duration_ps = (int64_t)(s * 1e12 + .5);
	return 0;
}

/* The number of a collective's operation, group and tag: those are counted together. */
static uint32_t class_of(struct task_graph *graph, const struct task_row *row, int group)
{
	char key[96];
	int64_t number;

	snprintf(key, sizeof(key), "%d %d %" PRId64, (int)row->collective, group, row->tag);
	number = map_add(&graph->classes, key, strlen(key), graph->nclasses);
	graph->nclasses += number == graph->nclasses;
	return (uint32_t)number;
}

static int set_group(struct task *task, const struct task_program *program,
		     const struct task_row *row, const struct task_graph *graph,
		     const struct flow *flow, struct err *err)
{
	int64_t number;

	if (row->group == NULL)
		return 0;
	number = map_get(&graph->group_ids, row->group, strlen(row->group));
	if (number < 0)
		return flow_error(flow, err, "group: no line ##group=%s:RANKS before", row->group);
	task->group = (uint16_t)number;
	for (int i = 0; i < program->nranks; i++)
		if (graph->groups.at[number].at[program->ranks[i]] < 0)
			return flow_error(flow, err,
					  "group: rank %d, of program %s, is in no part of %s",
					  program->ranks[i], program->name, row->group);
	return 0;
}

static int set_algorithm(struct task *task, const struct task_row *row, struct task_graph *graph,
			 const struct flow *flow, struct err *err)
{
	int64_t n = (int64_t)graph->algorithms.n, number;

	if (row->algorithm == NULL)
		return 0;
	if (row->kind != TASK_COLLECTIVE)
		return flow_error(flow, err, "algorithm: %s is not a collective operation",
				  task_op_name(row->kind, row->collective));
	number = number_of(&graph->algorithm_ids, row->algorithm, n, ALGORITHMS_MOST);
	if (number < 0)
		return flow_error(flow, err, "algorithm: more than %d", ALGORITHMS_MOST);
	if (number == n)
		vec_push(&graph->algorithms,
			 arena_strndup(&graph->arena, row->algorithm, strlen(row->algorithm)));
	task->algorithm = (uint8_t)(number + 1);
	return 0;
}

/* The smallest part of its group that a rank of the program is in. */
static int least_size(const struct task_graph *graph, const struct task_program *program, int group)
{
	int least = graph->nranks;

	for (int i = 0; i < program->nranks && group != TASK_NO_GROUP; i++) {
		int n = task_group_size(graph, group, program->ranks[i]);

		least = n < least ? n : least;
	}
	return least;
}

/* What a message or a collective has. */
static int set_partners(struct task *task, const struct task_program *program,
			const struct task_row *row, struct task_graph *graph,
			const struct flow *flow, struct err *err)
{
	if (set_group(task, program, row, graph, flow, err) != 0)
		return -1;
	if (row->kind == TASK_COLLECTIVE) {
		task->bytes = row->bytes > 0 ? row->bytes : 0;
		task->peer = row->root;
		task->collective = row->collective & 31;
		task->tag = class_of(graph, row, task->group);
		if (collective_is_rooted(row->collective) &&
		    row->root >= least_size(graph, program, task->group))
			return flow_error(flow, err, "root: %d is not a place in its group",
					  row->root);
		return 0;
	}
	if (row->kind != TASK_SEND && row->kind != TASK_RECV)
		return 0;
	task->bytes = row->bytes > 0 ? row->bytes : 0;
	task->peer = row->has_peer ? row->peer : TASK_ANY_RANK;
	task->is_relative = row->is_relative;
	task->tag = row->tag > 0 ? (uint32_t)row->tag : 0;
	task->has_any_tag = row->kind == TASK_RECV && row->tag < 0;
	graph->has_any |= task->has_any_tag || !row->has_peer;
	if (!row->is_relative && row->peer >= graph->nranks)
		return flow_error(flow, err, "peer: rank %d is not among the %d", row->peer,
				  graph->nranks);
	return 0;
}

int task_reading_row(struct task_reading *reading, const struct flow *flow, struct err *err)
{
	struct task_graph *graph = reading->graph;
	struct task_program *program;
	struct task task = {0};
	struct task_row row;
	int64_t number;

	/* the input may be closed before the end is checked */
	if (flow->file != NULL && !str_same(reading->file, flow->file))
		reading->file = arena_strndup(&graph->arena, flow->file, strlen(flow->file));
	if (task_meta_take(graph, flow, &reading->nmeta, err) != 0 ||
	    task_row_take(&row, &reading->columns, &reading->taking, flow, err) != 0)
		return -1;
	number = map_get(&graph->program_ids, row.program, strlen(row.program));
	if (number < 0)
		return flow_error(flow, err, "program: no line ##program=%s:RANKS before",
				  row.program);
	program = &graph->programs.at[number];
	if (program->rows == NULL)
		program->rows = xcalloc(1, sizeof(*program->rows));
	task.id = row.id;
	task.kind = row.kind & 7;
	task.priority = (int16_t)row.priority;
	if (set_partners(&task, program, &row, graph, flow, err) != 0 ||
	    set_stream(&task, program, &row, reading, flow, err) != 0 ||
	    set_algorithm(&task, &row, graph, flow, err) != 0 ||
	    (row.kind == TASK_COMPUTE &&
	     set_duration(&task, &row, &reading->rates, flow, err) != 0))
		return -1;
	for (int i = 0; i < row.nafter; i++)
		vec_push(&program->rows->waits,
			 (struct task_wait){(int32_t)program->tasks.n, row.after[i].id,
					    row.after[i].is_begin});
	vec_push(&program->rows->lines, (int32_t)flow->line);
	if (reading->keeps_names)
		vec_push(&program->rows->names,
			 row.name == NULL
				 ? NULL
				 : arena_strndup(&graph->arena, row.name, strlen(row.name)));
	vec_push(&program->tasks, task);
	return 0;
}

/* ---- the end ---- */

/* A row in the order of ids. */
struct ordered {
	int32_t id, row;
};

static int by_id(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	return x->id != y->id ? (x->id > y->id) - (x->id < y->id)
			      : (x->row > y->row) - (x->row < y->row);
}

/* Sorts the tasks by id; place [n] becomes where each row went. */
static int sort_tasks(struct task_program *program, int32_t *place, const char *file,
		      struct err *err)
{
	size_t n = program->tasks.n;
	struct ordered *order = xcalloc(n + 1, sizeof(*order));
	struct task *sorted = xcalloc(n + 1, sizeof(*sorted));
	const char **names = NULL;
	int status = 0;

	for (size_t i = 0; i < n; i++)
		order[i] = (struct ordered){program->tasks.at[i].id, (int32_t)i};
	qsort(order, n, sizeof(*order), by_id);
	if (program->rows->names.n > 0)
		names = xcalloc(n + 1, sizeof(*names));
	for (size_t i = 0; i < n && status == 0; i++) {
		place[order[i].row] = (int32_t)i;
		sorted[i] = program->tasks.at[order[i].row];
		if (names != NULL)
			names[i] = program->rows->names.at[order[i].row];
		if (i > 0 && order[i].id == order[i - 1].id)
			status = err_set(err,
					 "%s:%d: program %s: id %d was there before, in line %d",
					 file, program->rows->lines.at[order[i].row], program->name,
					 order[i].id, program->rows->lines.at[order[i - 1].row]);
	}
	free(order);
	vec_free(&program->tasks);
	program->tasks.at = sorted;
	program->tasks.n = n;
	program->tasks.cap = n + 1;
	program->names = names;
	return status;
}

static int32_t find_task(const struct task_program *program, int32_t id)
{
	size_t low = 0, high = program->tasks.n;

	/* ids are mostly 0, 1, 2, … */
	if ((size_t)id < high && program->tasks.at[id].id == id)
		return id;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (program->tasks.at[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < program->tasks.n && program->tasks.at[low].id == id ? (int32_t)low : -1;
}

/* From what each task waits for to what waits for it. waits' ids are indices already. */
static void set_dependents(struct task_program *program, const int32_t *place)
{
	struct task *tasks = program->tasks.at;
	size_t n = program->tasks.n, nwaits = program->rows->waits.n;
	uint32_t *next = xcalloc(n + 1, sizeof(*next));
	struct task_wait *by_task = xcalloc(nwaits + 1, sizeof(*by_task));
	uint32_t sum = 0;

	/* in the order of the tasks that wait, whatever that of the rows is */
	for (size_t i = 0; i < nwaits; i++)
		next[place[program->rows->waits.at[i].row]]++;
	for (size_t i = 0; i < n; i++) {
		uint32_t count = next[i];

		tasks[i].nunmet = count & 0x3fffffff;
		next[i] = sum;
		sum += count;
	}
	for (size_t i = 0; i < nwaits; i++)
		by_task[next[place[program->rows->waits.at[i].row]]++] = program->rows->waits.at[i];
	for (size_t i = 0; i < nwaits; i++)
		tasks[by_task[i].id].first++;
	sum = 0;
	for (size_t i = 0; i <= n; i++) {
		uint32_t count = tasks[i].first;

		next[i] = tasks[i].first = sum;
		sum += count;
	}
	program->dependents = xcalloc(nwaits + 1, sizeof(*program->dependents));
	for (size_t i = 0; i < nwaits; i++)
		program->dependents[next[by_task[i].id]++] =
			(uint32_t)place[by_task[i].row] << 1 | by_task[i].is_begin;
	free(by_task);
	free(next);
}

static int resolve(struct task_program *program, const int32_t *place, const char *file,
		   struct err *err)
{
	for (size_t i = 0; i < program->rows->waits.n; i++) {
		struct task_wait *wait = &program->rows->waits.at[i];
		int32_t on = find_task(program, wait->id);

		if (on < 0)
			return err_set(err, "%s:%d: program %s, id %d: after: there is no id %d",
				       file, program->rows->lines.at[wait->row], program->name,
				       program->tasks.at[place[wait->row]].id, wait->id);
		wait->id = on;
	}
	set_dependents(program, place);
	return 0;
}

/* Collectives of one kind, tag and group are counted by id; messages of one peer and tag are marked
 * where there are several. */
static void count_tasks(struct task_program *program)
{
	struct umap seen = {0};

	for (int32_t i = 0; i < (int32_t)program->tasks.n; i++) {
		struct task *task = &program->tasks.at[i];
		uint64_t key = (uint64_t)task->kind << 62 | task->tag;
		int64_t before = 0;

		if (task->kind < TASK_SEND)
			continue;
		if (task->kind == TASK_COLLECTIVE) {
			umap_get(&seen, task->tag, &before);
			task->ordinal = (int32_t)before;
			umap_set(&seen, task->tag, before + 1);
			continue;
		}
		/* relative and absolute peers may be the same rank: then all are marked */
		key = u64_mix(key) ^ (uint64_t)(uint32_t)task->peer << 17 ^
		      (uint64_t)task->is_relative << 16 ^ task->group;
		key = u64_mix(key) | 1ULL << 63;
		if (umap_get(&seen, key, &before)) {
			program->tasks.at[before].ordinal = 1;
			task->ordinal = 1;
		}
		umap_set(&seen, key, i);
	}
	umap_free(&seen);
}

/* Whether peers are named in one way only, so that different names are different ranks. */
static bool has_one_naming(const struct task_program *program)
{
	int naming = -1;

	for (size_t i = 0; i < program->tasks.n; i++) {
		const struct task *task = &program->tasks.at[i];
		int now = task->is_relative ? task->group : TASK_NO_GROUP;

		if (task->kind != TASK_SEND && task->kind != TASK_RECV)
			continue;
		now = now * 2 + task->is_relative;
		if (naming >= 0 && naming != now)
			return false;
		naming = now;
	}
	/* -1 and +3 are the same rank of a group of four */
	return naming <= 0;
}

static void mark_messages(struct task_program *program)
{
	if (has_one_naming(program))
		return;
	for (size_t i = 0; i < program->tasks.n; i++)
		if (program->tasks.at[i].kind == TASK_SEND ||
		    program->tasks.at[i].kind == TASK_RECV)
			program->tasks.at[i].ordinal = 1;
}

static int end_program(struct task_program *program, const char *file, struct err *err)
{
	int32_t *place;
	int status;

	if (program->rows == NULL)
		program->rows = xcalloc(1, sizeof(*program->rows));
	place = xcalloc(program->tasks.n + 1, sizeof(*place));
	status = sort_tasks(program, place, file, err);
	if (status == 0)
		status = resolve(program, place, file, err);
	free(place);
	if (status != 0)
		return -1;
	count_tasks(program);
	mark_messages(program);
	task_rows_free(program->rows);
	program->rows = NULL;
	return 0;
}

int task_reading_end(struct task_reading *reading, const struct flow *flow, struct err *err)
{
	struct task_graph *graph = reading->graph;
	const char *file = reading->file != NULL ? reading->file : "graph";

	if (task_meta_take(graph, flow, &reading->nmeta, err) != 0)
		return -1;
	if (graph->nranks == 0)
		return err_set(err, "%s: expected a line ##ranks=N", file);
	for (int i = 0; i < graph->nranks; i++)
		if (graph->program_of[i] < 0)
			return err_set(err,
				       "%s: rank %d has no program: expected a line "
				       "##program=NAME:RANKS with it",
				       file, i);
	for (size_t i = 0; i < graph->programs.n; i++)
		if (end_program(&graph->programs.at[i], file, err) != 0)
			return -1;
	if (task_graph_check(graph, err) != 0)
		return err_prefix(err, "%s: ", file);
	return 0;
}

int task_graph_read(struct task_graph *graph, const char *path, int nranks,
		    const struct task_rates *rates, bool accepts_partial, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_graph, NULL};
	struct task_reading reading = {.rates = *rates, .file = path};
	struct table_in *in;
	struct flow flow;
	struct row row;
	size_t npassed = 0;
	int status;

	if (table_open_one(&in, kinds, path, accepts_partial, err) != 0)
		return -1;
	flow_init(&flow, &kind_graph, NULL, NULL);
	for (int i = 0; i < table_ncolumns(in); i++)
		flow_column(&flow, table_column(in, i));
	flow.file = path;
	task_reading_begin(&reading, graph, &flow);
	while ((status = table_next(in, &row, err)) == 1) {
		flow_meta_lines(&flow, in, &npassed);
		for (int i = 0; i < table_ncolumns(in); i++)
			flow_text(&flow, i, row_text(&row, i));
		flow.file = row.file;
		flow.line = row.line;
		if (task_reading_row(&reading, &flow, err) != 0) {
			status = -1;
			break;
		}
	}
	flow_meta_lines(&flow, in, &npassed);
	if (status == 0 && !table_is_whole(in))
		status = err_set(err, "%s: truncated", path);
	if (status == 0)
		status = task_reading_end(&reading, &flow, err);
	if (status == 0 && nranks > 0 && nranks != graph->nranks)
		status = err_set(err, "%s: the graph is of %d ranks, the job has %d", path,
				 graph->nranks, nranks);
	task_reading_free(&reading);
	flow_free(&flow);
	table_close(in);
	return status;
}
