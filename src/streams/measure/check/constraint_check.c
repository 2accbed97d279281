/* constraint_check.c - whether placed jobs keep geometric constraints */
#include "measure/check/constraint_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/checker/geometry.h"

/* A placed job, kept for constraints on pairs. */
struct placed {
	struct region region; /* in the arena */
	int64_t start_ns, end_ns;
	const char *run, *policy; /* policy "": it came with its nodes */
	const char *name, *file;
	long line;
};

struct constraint_checks {
	struct geometry geometry;
	struct routing *routing;
	bool *may_serve; /* [nnodes] or NULL */
	struct pick *picks;
	struct checker *checkers;
	int n, npicks;
	bool has_pairs;
	VEC(struct placed) placed;
	int_vec nodes, links;
	io_places io;
	struct arena arena;
	struct buf witness;
	int64_t nopen;
	char first_open[512];
};

/* ---- opening ---- */

static void note_states(struct constraint_checks *rules, const struct topo *topo,
			const struct node_states *states)
{
	char name[TOPO_NAME];

	if (states == NULL)
		return;
	rules->may_serve = xcalloc((size_t)topo->nnodes, sizeof(*rules->may_serve));
	for (int node = 0; node < topo->nnodes; node++) {
		struct node_state state = node_states_of(states, topo_node_name(topo, node, name));

		rules->may_serve[node] = state.is_usable && (state.duties & DUTY_COMPUTE) != 0;
	}
}

static int open_checkers(struct constraint_checks *rules, const char *const *picks, int n,
			 struct err *err)
{
	rules->picks = xcalloc((size_t)n + 1, sizeof(*rules->picks));
	rules->checkers = xcalloc((size_t)n + 1, sizeof(*rules->checkers));
	for (int i = 0; i < n; i++) {
		if (pick_parse(&rules->picks[i], &checkers, picks[i], err) != 0)
			return -1;
		rules->npicks++;
		if (checker_open(&rules->checkers[i], &rules->picks[i], &rules->geometry, err) != 0)
			return -1;
		rules->n++;
		rules->has_pairs = rules->has_pairs || rules->checkers[i].type->is_of_pairs;
	}
	return 0;
}

int constraint_checks_open(struct constraint_checks **result, struct topo *topo,
			   const char *routing, const struct node_states *states,
			   const char *const *picks, int n, struct err *err)
{
	struct constraint_checks *rules = xcalloc(1, sizeof(*rules));

	*result = NULL;
	note_states(rules, topo, states);
	if (routing_open(&rules->routing, topo, routing, err) != 0 ||
	    geometry_open(&rules->geometry, topo, rules->routing, rules->may_serve, err) != 0 ||
	    open_checkers(rules, picks, n, err) != 0) {
		constraint_checks_close(rules);
		return -1;
	}
	*result = rules;
	return 0;
}

void constraint_checks_close(struct constraint_checks *rules)
{
	if (rules == NULL)
		return;
	for (int i = 0; i < rules->n; i++)
		checker_close(&rules->checkers[i]);
	for (int i = 0; i < rules->npicks; i++)
		pick_free(&rules->picks[i]);
	if (rules->geometry.topo != NULL)
		geometry_close(&rules->geometry);
	routing_close(rules->routing);
	free(rules->checkers);
	free(rules->picks);
	free(rules->may_serve);
	free(rules->placed.at);
	free(rules->nodes.at);
	free(rules->links.at);
	free(rules->io.at);
	arena_free(&rules->arena);
	buf_free(&rules->witness);
	free(rules);
}

/* ---- single jobs ---- */

static const char *cell(const struct checking *checking, const struct row *row, const char *column)
{
	return row_text(row, table_find(checking->in, column));
}

static void judge(struct constraint_checks *rules, struct checking *checking,
		  const struct checker *checker, enum verdict verdict, const struct placed *job)
{
	const char *name = checker->pick->entry->name;

	if (verdict == VERDICT_BROKEN)
		found_in(checking, job->file, job->line, "%s: job %s: %s", name, job->name,
			 buf_text(&rules->witness));
	if (verdict != VERDICT_OPEN)
		return;
	if (rules->nopen++ == 0)
		snprintf(rules->first_open, sizeof(rules->first_open), "%.100s:%ld: %s: job %s: %s",
			 job->file, job->line, name, job->name, buf_text(&rules->witness));
}

static const char *keep(struct constraint_checks *rules, const char *text)
{
	text = text != NULL ? text : "";
	return arena_strndup(&rules->arena, text, strlen(text));
}

static void keep_job(struct constraint_checks *rules, const struct placed *job)
{
	struct placed kept = *job;
	int *nodes = arena_alloc(&rules->arena, (size_t)job->region.n * sizeof(*nodes));
	int *links;

	memcpy(nodes, job->region.nodes, (size_t)job->region.n * sizeof(*nodes));
	geometry_links(&rules->geometry, &job->region, &rules->links);
	links = arena_alloc(&rules->arena, (rules->links.n + 1) * sizeof(*links));
	for (size_t i = 0; i < rules->links.n; i++)
		links[i] = rules->links.at[i];
	kept.region = (struct region){
		.nodes = nodes, .n = job->region.n, .links = links, .nlinks = (int)rules->links.n};
	kept.run = keep(rules, job->run);
	kept.policy = keep(rules, job->policy);
	kept.name = keep(rules, job->name);
	kept.file = keep(rules, job->file);
	vec_push(&rules->placed, kept);
}

void constraint_checks_row(struct constraint_checks *rules, struct checking *checking,
			   const struct row *row)
{
	const char *list = cell(checking, row, "nodelist"),
		   *io = cell(checking, row, "io_nodelist");
	struct placed job = {.start_ns = INT64_MIN,
			     .end_ns = INT64_MAX,
			     .run = cell(checking, row, "run"),
			     .policy = cell(checking, row, "policy"),
			     .name = cell(checking, row, "job"),
			     .file = row->file,
			     .line = row->line};
	struct err err;

	rules->nodes.n = rules->io.n = 0;
	if (list == NULL || topo_nodelist_read(checking->topo, list, &rules->nodes, &err) != 0 ||
	    rules->nodes.n == 0 ||
	    (io != NULL && geometry_io_read(&rules->geometry, io, &rules->io, &err) != 0))
		return;
	cell_seconds(row, table_find(checking->in, "start_s"), &job.start_ns);
	cell_seconds(row, table_find(checking->in, "end_s"), &job.end_ns);
	job.region = (struct region){.nodes = rules->nodes.at,
				     .n = (int)rules->nodes.n,
				     .io = rules->io.at,
				     .nio = (int)rules->io.n};
	if (rules->has_pairs)
		keep_job(rules, &job);
	/* of a stream that distinguishes them, jobs that came with their nodes are not judged */
	if (job.policy == NULL && table_find(checking->in, "policy") >= 0)
		return;
	for (int i = 0; i < rules->n; i++)
		if (!rules->checkers[i].type->is_of_pairs)
			judge(rules, checking, &rules->checkers[i],
			      checker_check(&rules->checkers[i], &job.region, &rules->witness),
			      &job);
}

/* ---- pairs ---- */

static int by_run_and_start(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	int order = strcmp(x->run, y->run);

	if (order != 0)
		return order;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* Placed by one policy, or one of them came with its nodes; but not both, where streams say so. */
static bool is_pair(const struct checking *checking, const struct placed *a, const struct placed *b)
{
	if (*a->policy == '\0' && *b->policy == '\0')
		return table_find(checking->in, "policy") < 0;
	return *a->policy == '\0' || *b->policy == '\0' || str_eq(a->policy, b->policy);
}

/* The job against those of its run that started before and have not ended. */
static void judge_pairs(struct constraint_checks *rules, struct checking *checking, size_t at,
			const int_vec *running)
{
	const struct placed *job = &rules->placed.at[at];

	for (int i = 0; i < rules->n; i++) {
		struct checker *checker = &rules->checkers[i];

		for (size_t k = 0; checker->type->is_of_pairs && k < running->n; k++) {
			const struct placed *other = &rules->placed.at[running->at[k]];
			enum verdict verdict;

			if (!is_pair(checking, job, other))
				continue;
			buf_clear(&rules->witness);
			verdict = checker->type->compare(checker, &other->region, &job->region,
							 &rules->witness);
			if (verdict == VERDICT_BROKEN)
				buf_printf(&rules->witness, " of job %s", other->name);
			judge(rules, checking, checker, verdict, job);
		}
	}
}

void constraint_checks_end(struct constraint_checks *rules, struct checking *checking)
{
	int_vec running = {0};

	if (rules->placed.n > 1)
		qsort(rules->placed.at, rules->placed.n, sizeof(*rules->placed.at),
		      by_run_and_start);
	for (size_t i = 0; i < rules->placed.n; i++) {
		const struct placed *job = &rules->placed.at[i];
		size_t nkept = 0;

		for (size_t k = 0; k < running.n; k++) {
			const struct placed *other = &rules->placed.at[running.at[k]];

			if (other->end_ns > job->start_ns && str_eq(other->run, job->run))
				running.at[nkept++] = running.at[k];
		}
		running.n = nkept;
		judge_pairs(rules, checking, i, &running);
		vec_push(&running, (int)i);
	}
	free(running.at);
}

int64_t constraint_checks_nopen(const struct constraint_checks *rules, const char **first)
{
	*first = rules->first_open;
	return rules->nopen;
}
