/* jobs.c - what must hold of jobs and of where they are placed */
#include <stdlib.h>
#include <string.h>

#include "measure/check/capacity.h"
#include "measure/check/constraint_check.h"
#include "measure/check/occupancy.h"
#include "measure/check/whereabouts.h"
#include "base/str.h"
#include "formats/hostlist.h"
#include "model/job.h"
#include "model/kinds.h"

struct jobs {
	struct occupancy occupancy;
	VEC(int64_t) seen; /* [names of nodes]: the last list (counted) that had the node */
	int64_t nlists;
	struct whereabouts whereabouts;
	VEC(const char *) names; /* of the nodes of a row */
	char *is_io; /* [nnodes] nodes of the machine that run no jobs; NULL: there are none */
};

/* One node list while it is read. */
struct list {
	struct checking *checking;
	const struct row *row;
	const char *column;
	unsigned duty; /* what its nodes are wanted for */
	size_t first, n;
};

static void mark_io(struct jobs *jobs, const struct topo *topo)
{
	if (topo->nio == 0)
		return;
	jobs->is_io = xcalloc((size_t)topo->nnodes, 1);
	for (int i = 0; i < topo->nio; i++)
		for (int k = 0; topo->io[i].is_separate && k < topo->io[i].nnodes; k++)
			if (topo->io[i].nodes != NULL)
				jobs->is_io[topo->io[i].nodes[k]] = 1;
}

static void open(struct checking *checking)
{
	struct jobs *jobs = xcalloc(1, sizeof(*jobs));

	checking->state = jobs;
	if (checking->topo != NULL)
		mark_io(jobs, checking->topo);
	whereabouts_open(&jobs->whereabouts, checking->topo);
}

/* I/O may be at switches, which go by their names. */
static bool is_io_switch(const struct topo *topo, const char *name, size_t n)
{
	for (int i = 0; i < topo->nio; i++)
		if (topo->io[i].at_level > 0 && topo_router_find(topo, name, n) >= 0)
			return true;
	return false;
}

/* The node exists, and is there for this. */
static void check_member(struct list *list, const char *name, size_t n)
{
	struct checking *checking = list->checking;
	const struct jobs *jobs = checking->state;
	int node;

	if (checking->topo != NULL && list->duty != DUTY_COMPUTE &&
	    is_io_switch(checking->topo, name, n))
		return;
	if (checking->topo != NULL) {
		node = topo_node_find(checking->topo, name, n);
		if (node < 0)
			found_at(checking, list->row, "%s: '%s' is not a node of %s", list->column,
				 name, checking->topo->name);
		else if (list->duty == DUTY_COMPUTE && jobs->is_io != NULL && jobs->is_io[node])
			found_at(checking, list->row, "%s: %s is an I/O node", list->column, name);
	}
	if (checking->states != NULL &&
	    (node_states_of(checking->states, name).duties & list->duty) == 0)
		found_at(checking, list->row, "%s: the role of %s is not %s or both", list->column,
			 name, list->duty == DUTY_COMPUTE ? "compute" : "io");
}

static int add_member(void *context, const char *name, size_t n, struct err *err)
{
	struct list *list = context;
	struct jobs *jobs = list->checking->state;
	int node = occupancy_node(&jobs->occupancy, name, n);

	(void)err;
	while (jobs->seen.n < jobs->occupancy.names.n)
		vec_push(&jobs->seen, 0);
	list->n++;
	if (jobs->seen.at[node] == jobs->nlists) {
		found_at(list->checking, list->row, "%s: %s is there twice", list->column, name);
		return 0;
	}
	jobs->seen.at[node] = jobs->nlists;
	vec_push(&jobs->occupancy.nodes, node);
	check_member(list, name, n);
	return 0;
}

/* Reads a list and checks its nodes; false: there is none, or it can't be read. Its nodes stand at
 * the end of occupancy.nodes. */
static bool read_list(struct list *list, const char *column, unsigned duty)
{
	struct jobs *jobs = list->checking->state;
	const char *text = row_text(list->row, table_find(list->checking->in, column));
	struct err err;
	int64_t n;

	list->column = column;
	list->duty = duty;
	list->first = jobs->occupancy.nodes.n;
	list->n = 0;
	if (text == NULL)
		return false;
	/* a short text may name any number of nodes */
	n = hostlist_count(text);
	if (list->checking->topo != NULL && n > list->checking->topo->nnodes) {
		found_at(list->checking, list->row, "%s: has %lld nodes, the machine %d", column,
			 (long long)n, list->checking->topo->nnodes);
		return false;
	}
	jobs->nlists++;
	if (hostlist_walk(text, add_member, list, &err) == 0)
		return true;
	found_at(list->checking, list->row, "%s: %s", column, err.msg);
	jobs->occupancy.nodes.n = list->first;
	return false;
}

static void check_count(const struct list *list, const char *column)
{
	int64_t wanted;

	if (cell_int(list->row, table_find(list->checking->in, column), &wanted) &&
	    wanted != (int64_t)list->n)
		found_at(list->checking, list->row, "%s: has %zu nodes, %s is %lld", list->column,
			 list->n, column, (long long)wanted);
}

static const char *keep(struct jobs *jobs, const char *text)
{
	return arena_strndup(&jobs->occupancy.arena, text, strlen(text));
}

static int64_t time_or(const struct checking *checking, const struct row *at, const char *column,
		       int64_t otherwise)
{
	int64_t ns;

	return cell_seconds(at, table_find(checking->in, column), &ns) ? ns : otherwise;
}

/* Names numbered as they come up. */
static int id_of(struct map *ids, const char *name)
{
	return (int)map_add(ids, name, strlen(name), (int64_t)ids->n);
}

/* Of one type; jobs that had several may have had any. */
static int gpu_type_id(struct jobs *jobs, const char *type)
{
	struct occupancy *occupancy = &jobs->occupancy;
	int id;

	if (type == NULL || strchr(type, ',') != NULL)
		return -1;
	id = id_of(&occupancy->gpu_type_ids, type);
	if (id == (int)occupancy->gpu_types.n)
		vec_push(&occupancy->gpu_types, keep(jobs, type));
	return id;
}

static void add_occupant(struct checking *checking, const struct row *at, size_t first)
{
	struct jobs *jobs = checking->state;
	struct occupancy *occupancy = &jobs->occupancy;
	const char *run = row_text(at, table_find(checking->in, "run"));
	const char *policy = row_text(at, table_find(checking->in, "policy"));
	const char *exclusive = row_text(at, table_find(checking->in, "exclusive"));
	size_t njobs = occupancy->jobs.n;
	bool is_given = policy != NULL && !str_eq(policy, JOB_RECORDED);
	bool says_no = exclusive != NULL && str_eq(exclusive, "no");
	bool has_cpus = row_text(at, table_find(checking->in, "cpus")) != NULL;
	struct occupant job = {
		.start_ns = time_or(checking, at, "start_s", INT64_MIN),
		.end_ns = time_or(checking, at, "end_s", INT64_MAX),
		.first = first,
		.n = occupancy->nodes.n - first,
		.name = keep(jobs, row_text(at, table_find(checking->in, "job"))),
		.line = at->line,
		.run = id_of(&occupancy->runs, run != NULL ? run : ""),
		.policy = policy != NULL ? 1 + id_of(&occupancy->policies, policy) : 0,
		.is_given = is_given,
		/* one that came with its nodes may have had parts of them, if nobody says not */
		.is_shared = is_given ? says_no : says_no || (has_cpus && exclusive == NULL),
		.gpu_type = gpu_type_id(jobs, row_text(at, table_find(checking->in, "gpu_type"))),
	};

	/* most rows are of the same file as the one before */
	job.file = njobs > 0 && str_eq(occupancy->jobs.at[njobs - 1].file, at->file)
			   ? occupancy->jobs.at[njobs - 1].file
			   : keep(jobs, at->file);
	vec_push(&occupancy->jobs, job);
	if (checking->states != NULL && checking->states->has_resources)
		capacity_note(occupancy, checking, at, is_given, job.n);
}

static void check_whereabouts(struct checking *checking, const struct row *at, size_t first)
{
	struct jobs *jobs = checking->state;

	jobs->names.n = 0;
	for (size_t i = first; i < jobs->occupancy.nodes.n; i++)
		vec_push(&jobs->names, jobs->occupancy.names.at[jobs->occupancy.nodes.at[i]]);
	whereabouts_check(&jobs->whereabouts, checking, at, jobs->names.at, jobs->names.n);
}

static void row(struct checking *checking, const struct row *at)
{
	static const char *const classes[] = {"network-sensitive", "network-insensitive",
					      "unprofiled", NULL};
	struct jobs *jobs = checking->state;
	struct list list = {.checking = checking, .row = at};
	size_t nnodes;

	check_not_negative(checking, at, "runtime_s", false);
	check_not_negative(checking, at, "walltime_s", false);
	check_times_ordered(checking, at, "submit_s", "start_s");
	check_times_ordered(checking, at, "start_s", "end_s");
	check_word(checking, at, "class", classes);
	if (read_list(&list, "nodelist", DUTY_COMPUTE)) {
		check_count(&list, "nodes");
		check_whereabouts(checking, at, list.first);
		add_occupant(checking, at, list.first);
		if (checking->constraints != NULL)
			constraint_checks_row(checking->constraints, checking, at);
	}
	/* I/O nodes may be shared: they occupy nothing */
	nnodes = jobs->occupancy.nodes.n;
	if (read_list(&list, "io_nodelist", DUTY_IO))
		check_count(&list, "io_nodes");
	read_list(&list, "io_pinned", DUTY_IO);
	jobs->occupancy.nodes.n = nnodes;
}

static void close(struct checking *checking)
{
	struct jobs *jobs = checking->state;

	occupancy_check(&jobs->occupancy, checking);
	if (checking->constraints != NULL)
		constraint_checks_end(checking->constraints, checking);
	occupancy_free(&jobs->occupancy);
	free(jobs->seen.at);
	free(jobs->is_io);
	whereabouts_close(&jobs->whereabouts);
	vec_free(&jobs->names);
	free(jobs);
}

const struct check check_jobs = {
	.entry =
		{
			.name = "jobs",
			.example = "jobs",
			.summary =
				"nodes exist, are as many as asked for, idle, of the right role, "
				"and in one job at a time; times are in order",
		},
	.kind = &kind_jobs,
	.open = open,
	.row = row,
	.close = close,
};
