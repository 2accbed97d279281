/* night_overuse.c - nodes of which jobs had more than there is, as placecheck knows it */
#include "report/night_overuse.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "measure/check/check.h"
#include "measure/check/segments.h"
#include "model/kinds.h"
#include "report/night_measure.h"

struct finding {
	const struct night *night;
	struct night_overuses *overuses;
};

static void pass(void *context, const char *text)
{
	(void)context;
	(void)text;
}

static const char *keep(struct night_overuses *overuses, const char *text)
{
	return text != NULL ? arena_strndup(&overuses->arena, text, strlen(text)) : NULL;
}

/* Kept in the order of time, those found first before others of one time. */
static void add(void *context, const struct overuse *overuse)
{
	struct finding *finding = context;
	struct night_overuses *overuses = finding->overuses;
	size_t i = overuses->of.n;

	if (overuse->at_ns != INT64_MIN && (overuse->at_ns < finding->night->since_ns ||
					    overuse->at_ns > finding->night->until_ns))
		return;
	overuses->n++;
	if (i == OVERUSES_KEPT && overuse->at_ns >= overuses->of.at[i - 1].at_ns)
		return;
	if (i < OVERUSES_KEPT)
		vec_push(&overuses->of, (struct night_overuse){0});
	else
		i--;
	for (; i > 0 && overuses->of.at[i - 1].at_ns > overuse->at_ns; i--)
		overuses->of.at[i] = overuses->of.at[i - 1];
	overuses->of.at[i] = (struct night_overuse){.job = keep(overuses, overuse->job),
						    .other = keep(overuses, overuse->other),
						    .node = keep(overuses, overuse->node),
						    .what = keep(overuses, overuse->what),
						    .at_ns = overuse->at_ns,
						    .used = overuse->used,
						    .had = overuse->had,
						    .nnodes = overuse->nnodes};
}

static int check(const struct night *night, bool is_strict, struct night_overuses *overuses,
		 char **jobs, struct err *err)
{
	char *nodes[] = {(char *)night_nodes_path(night), NULL};
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	struct finding finding = {night, overuses};
	struct findings findings = {.tell = pass, .context = &finding, .overused = add, .most = 1};
	const struct block_sizes sizes = {.n = 0};
	struct node_states states = {0};
	struct table_in *in;
	bool has_states;
	int status;

	/* a cut was reported when they were read */
	if (table_open(&in, kinds, jobs, true, err) != 0)
		return -1;
	status = node_states_given(&states, nodes, NULL, NULL, true, err);
	has_states = nodes[0] != NULL && status == 0;
	if (status != 0 && !is_strict) {
		warn("what nodes have is not known: %s", err->msg);
		status = 0;
	}
	if (status == 0)
		status = check_stream(in, night->topo, has_states ? &states : NULL, NULL, &sizes,
				      false, &findings, err);
	node_states_free(&states);
	table_close(in);
	return status;
}

int night_overuse_find(const struct night *night, bool is_strict, struct night_overuses *overuses,
		       struct err *err)
{
	char **jobs = night_job_paths(night, false);
	int status = 0;

	*overuses = (struct night_overuses){0};
	if (jobs[0] != NULL)
		status = check(night, is_strict, overuses, jobs, err);
	free(jobs);
	return status;
}

void night_overuse_free(struct night_overuses *overuses)
{
	vec_free(&overuses->of);
	arena_free(&overuses->arena);
}
