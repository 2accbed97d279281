/* jobs.c - what must hold of jobs and of where they are placed */
#include <stdlib.h>
#include <string.h>

#include "measure/check/capacity.h"
#include "measure/check/constraint_check.h"
#include "measure/check/array_limits.h"
#include "measure/check/depends.h"
#include "measure/check/nested.h"
#include "measure/check/occupancy.h"
#include "measure/check/sharers.h"
#include "measure/check/waiting.h"
#include "measure/check/whereabouts.h"
#include "base/str.h"
#include "formats/hostlist.h"
#include "model/job.h"
#include "model/kinds.h"
#include "model/lacking.h"

struct jobs {
	struct occupancy occupancy;
	VEC(int64_t) seen; /* [nodes]: the last list (counted) read by name that had the node */
	int64_t nlists;
	struct node_ranges ranges; /* the nodes of a list */
	struct whereabouts whereabouts;
	struct depends depends;
	struct array_limits array_limits;
	struct nested_check nested;
	struct waiting waiting;
	VEC(const char *) names; /* of the nodes of a row */
	int_vec machine_nodes;   /* likewise, as the machine numbers them; -1: not of it */
	struct lacking lacking;
	char *is_io; /* [nnodes] nodes of the machine that run no jobs; NULL: there are none */
};

/* One node list while it is read. */
struct list {
	struct checking *checking;
	const struct row *row;
	const char *column;
	unsigned duty;    /* what its nodes are used for */
	bool is_recorded; /* no policy chose them */
	int64_t n;        /* names in it */
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

static void jobs_open(struct checking *checking)
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

/* What a node is good for, as far as the machine and its states are known. */
static unsigned char marks_of(const struct checking *checking, const char *name)
{
	const struct jobs *jobs = checking->state;
	const struct topo *topo = checking->topo;
	unsigned duties = DUTY_COMPUTE | DUTY_IO, marks = NODE_IS_IDLE | NODE_IS_USABLE;

	if (topo != NULL) {
		int node = topo_node_find(topo, name, strlen(name));

		if (node < 0)
			duties = 0;
		else if (jobs->is_io != NULL && jobs->is_io[node])
			duties = DUTY_IO;
	}
	if (checking->states != NULL) {
		struct node_state state = node_states_of(checking->states, name);

		duties &= state.duties;
		marks = (state.is_idle ? NODE_IS_IDLE : 0) | (state.is_usable ? NODE_IS_USABLE : 0);
	}
	return (unsigned char)(duties | marks);
}

static void mark_new(struct checking *checking)
{
	struct jobs *jobs = checking->state;
	struct occupancy *occupancy = &jobs->occupancy;

	for (size_t i = occupancy->marks.n; i < occupancy->nodes.names.n; i++) {
		vec_push(&occupancy->marks, marks_of(checking, occupancy->nodes.names.at[i].text));
		vec_push(&jobs->seen, 0);
	}
}

/* Whether all nodes in jobs->ranges are good for a duty. */
static bool are_good(const struct jobs *jobs, unsigned duty)
{
	for (size_t i = 0; i < jobs->ranges.of.n; i++)
		for (int node = jobs->ranges.of.at[i].first; node <= jobs->ranges.of.at[i].last;
		     node++)
			if ((jobs->occupancy.marks.at[node] & duty) == 0)
				return false;
	return true;
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
		if (node < 0 && !checking->findings->is_strict && list->is_recorded)
			lacking_take(&((struct jobs *)checking->state)->lacking, name, n);
		else if (node < 0)
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
	int node = name_numbers_add(&jobs->occupancy.nodes, name, n);

	(void)err;
	mark_new(list->checking);
	list->n++;
	if (jobs->seen.at[node] == jobs->nlists) {
		found_at(list->checking, list->row, "%s: %s is there twice", list->column, name);
		return 0;
	}
	jobs->seen.at[node] = jobs->nlists;
	node_ranges_add(&jobs->ranges, node, node);
	check_member(list, name, n);
	return 0;
}

/* Name by name, where something is to be said of some. */
static bool read_names(struct list *list, const char *text)
{
	struct jobs *jobs = list->checking->state;
	struct err err;

	list->n = 0;
	node_ranges_clear(&jobs->ranges);
	jobs->nlists++;
	if (hostlist_walk(text, add_member, list, &err) == 0)
		return true;
	found_at(list->checking, list->row, "%s: %s", list->column, err.msg);
	return false;
}

/* Reads a list and checks its nodes, which jobs->ranges has then; false: there is none, or it can't
 * be read. */
static bool read_list(struct list *list, const char *column, unsigned duty)
{
	struct jobs *jobs = list->checking->state;
	const char *text = row_text(list->row, table_find(list->checking->in, column));
	const char *policy = row_text(list->row, table_find(list->checking->in, "policy"));
	struct err err;
	int64_t n;
	bool is_read;

	list->column = column;
	list->duty = duty;
	list->is_recorded = policy == NULL || str_eq(policy, JOB_RECORDED);
	if (text == NULL)
		return false;
	/* a short text may name any number of nodes */
	n = hostlist_count(text);
	if (list->checking->topo != NULL && n > list->checking->topo->nnodes) {
		found_at(list->checking, list->row, "%s: has %lld nodes, the machine %d", column,
			 (long long)n, list->checking->topo->nnodes);
		return false;
	}
	is_read = name_numbers_read(&jobs->occupancy.nodes, text, &jobs->ranges, &err) == 0;
	mark_new(list->checking);
	if (!is_read || node_ranges_twice(&jobs->ranges) >= 0 || !are_good(jobs, duty))
		return read_names(list, text);
	list->n = jobs->ranges.nnodes;
	return true;
}

/* Whether they are as many as requested. */
static bool check_count(const struct list *list, const char *column)
{
	int64_t wanted;

	if (!cell_int(list->row, table_find(list->checking->in, column), &wanted) ||
	    wanted == list->n)
		return true;
	found_at(list->checking, list->row, "%s: has %lld nodes, %s is %lld", list->column,
		 (long long)list->n, column, (long long)wanted);
	return false;
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

/* Whether a job has parts of its nodes: as their partition has it, else as the job says. */
static bool is_shared_in(const struct checking *checking, const struct occupant *job)
{
	const struct jobs *jobs = checking->state;
	struct node_state state;
	bool is_forced;
	int most;

	if (checking->states == NULL || job->partition == NULL || jobs->ranges.of.n == 0)
		return job->is_shared;
	state = node_states_of(checking->states,
			       jobs->occupancy.nodes.names.at[jobs->ranges.of.at[0].first].text);
	most = sharers_of(&state, job->partition, job->accepts_others, &is_forced);
	return (is_forced && !job->has_blocks_alone) ||
	       (job->is_shared && (most != 0 || !job->is_given));
}

static void add_occupant(struct checking *checking, const struct row *at)
{
	struct jobs *jobs = checking->state;
	struct occupancy *occupancy = &jobs->occupancy;
	const char *run = row_text(at, table_find(checking->in, "run"));
	const char *policy = row_text(at, table_find(checking->in, "policy"));
	const char *exclusive = row_text(at, table_find(checking->in, "exclusive"));
	const char *partition = row_text(at, table_find(checking->in, "partition"));
	const char *alone = row_text(at, table_find(checking->in, "exclusive_topo"));
	const char *accepts = row_text(at, table_find(checking->in, "oversubscribe"));
	size_t njobs = occupancy->jobs.n;
	bool has_alone = alone != NULL && str_eq(alone, "yes");
	bool is_given = policy != NULL && !str_eq(policy, JOB_RECORDED);
	bool says_no = exclusive != NULL && str_eq(exclusive, "no");
	bool has_cpus = row_text(at, table_find(checking->in, "cpus")) != NULL;
	struct occupant job = {
		.start_ns = time_or(checking, at, "start_s", INT64_MIN),
		.end_ns = time_or(checking, at, "end_s", INT64_MAX),
		.first = occupancy->ranges.n,
		.n = jobs->ranges.of.n,
		.first_need = occupancy->needs.n,
		.name = keep(jobs, row_text(at, table_find(checking->in, "job"))),
		.line = at->line,
		.run = id_of(&occupancy->runs, run != NULL ? run : ""),
		.policy = policy != NULL ? 1 + id_of(&occupancy->policies, policy) : 0,
		.is_given = is_given,
		/* one that came with its nodes may have had parts of them, if nothing denies it */
		.is_shared = !has_alone &&
			     (is_given ? says_no : says_no || (has_cpus && exclusive == NULL)),
		.gpu_type = gpu_type_id(jobs, row_text(at, table_find(checking->in, "gpu_type"))),
		.partition = partition != NULL ? keep(jobs, partition) : NULL,
		.has_blocks_alone = has_alone,
		.accepts_others = accepts != NULL && str_eq(accepts, "yes"),
	};

	job.is_shared = is_shared_in(checking, &job);
	/* most rows are of the same file as the one before */
	job.file = njobs > 0 && str_eq(occupancy->jobs.at[njobs - 1].file, at->file)
			   ? occupancy->jobs.at[njobs - 1].file
			   : keep(jobs, at->file);
	occupancy->is_replay |= policy != NULL && !is_given;
	vec_push(&occupancy->jobs, job);
	for (size_t i = 0; i < job.n; i++)
		vec_push(&occupancy->ranges, jobs->ranges.of.at[i]);
	if (capacity_is_known(checking))
		capacity_note(occupancy, checking, at, is_given, (size_t)jobs->ranges.nnodes);
}

static void check_whereabouts(struct checking *checking, const struct row *at)
{
	struct jobs *jobs = checking->state;

	if (!whereabouts_matter(&jobs->whereabouts, checking, at))
		return;
	jobs->names.n = 0;
	for (size_t i = 0; i < jobs->ranges.of.n; i++)
		for (int node = jobs->ranges.of.at[i].first; node <= jobs->ranges.of.at[i].last;
		     node++)
			vec_push(&jobs->names, jobs->occupancy.nodes.names.at[node].text);
	whereabouts_check(&jobs->whereabouts, checking, at, jobs->names.at, jobs->names.n);
}

static bool asks_domains(const struct checking *checking, const struct row *at)
{
	struct domain_texts texts;

	nested_texts(checking, at, &texts);
	return domain_texts_any(&texts);
}

/* What the job asks of domains; a wrong number of nodes is reported alone. */
static void check_domains(struct checking *checking, const struct row *at, bool has_nodes,
			  bool is_count_right)
{
	struct jobs *jobs = checking->state;
	const struct topo *topo = checking->topo;

	jobs->machine_nodes.n = 0;
	if (topo == NULL)
		return;
	for (size_t i = 0; has_nodes && i < jobs->ranges.of.n; i++)
		for (int k = jobs->ranges.of.at[i].first; k <= jobs->ranges.of.at[i].last; k++) {
			const char *name = jobs->occupancy.nodes.names.at[k].text;

			vec_push(&jobs->machine_nodes, topo_node_find(topo, name, strlen(name)));
		}
	if (has_nodes && is_count_right)
		nested_check(&jobs->nested, checking, at, jobs->machine_nodes.at,
			     jobs->machine_nodes.n);
	if (checking->is_about_waiting)
		waiting_add(&jobs->waiting, checking, at, jobs->machine_nodes.at,
			    jobs->machine_nodes.n);
}

static void row(struct checking *checking, const struct row *at)
{
	static const char *const classes[] = {"network-sensitive", "network-insensitive",
					      "unprofiled", NULL};
	struct list list = {.checking = checking, .row = at};

	check_not_negative(checking, at, "runtime_s", false);
	check_not_negative(checking, at, "walltime_s", false);
	check_times_ordered(checking, at, "submit_s", "start_s");
	check_times_ordered(checking, at, "eligible_s", "start_s");
	depends_add(&((struct jobs *)checking->state)->depends, checking, at);
	array_limits_add(&((struct jobs *)checking->state)->array_limits, checking, at);
	check_times_ordered(checking, at, "start_s", "end_s");
	check_word(checking, at, "class", classes);
	if (read_list(&list, "nodelist", DUTY_COMPUTE)) {
		bool is_count_right = check_count(&list, "nodes");

		if (checking->is_about_waiting || asks_domains(checking, at))
			check_domains(checking, at, true, is_count_right);
		check_whereabouts(checking, at);
		add_occupant(checking, at);
		if (checking->constraints != NULL)
			constraint_checks_row(checking->constraints, checking, at);
	} else if (checking->is_about_waiting &&
		   row_text(at, table_find(checking->in, "nodelist")) == NULL) {
		check_domains(checking, at, false, true);
	}
	/* I/O nodes may be shared: they occupy nothing */
	if (read_list(&list, "io_nodelist", DUTY_IO))
		check_count(&list, "io_nodes");
	read_list(&list, "io_pinned", DUTY_IO);
	lacking_count(&((struct jobs *)checking->state)->lacking);
}

static void close(struct checking *checking)
{
	struct jobs *jobs = checking->state;
	char *text = lacking_text(&jobs->lacking);

	if (text != NULL)
		checking->findings->tell(checking->findings->context, text);
	free(text);
	lacking_free(&jobs->lacking);
	occupancy_check(&jobs->occupancy, checking);
	depends_end(&jobs->depends, checking);
	array_limits_end(&jobs->array_limits, checking);
	if (checking->constraints != NULL)
		constraint_checks_end(checking->constraints, checking);
	waiting_end(&jobs->waiting, checking);
	nested_free(&jobs->nested);
	vec_free(&jobs->machine_nodes);
	occupancy_free(&jobs->occupancy);
	free(jobs->seen.at);
	node_ranges_free(&jobs->ranges);
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
			.summary = "nodes exist, are as many as requested, idle, of the "
				   "right role, and in one job at a time; times are in order",
		},
	.kind = &kind_jobs,
	.open = jobs_open,
	.row = row,
	.close = close,
};
