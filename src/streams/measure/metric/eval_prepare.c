/* eval_prepare.c - which metrics, by which columns, with what at hand */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/metric/eval_priv.h"
#include "machine/load.h"
#include "base/die.h"
#include "base/str.h"
#include "model/kinds.h"
#include "place/policy/policy.h"

static bool measures(const struct metric *metric, const struct table_kind *kind)
{
	for (int i = 0; metric->kinds != NULL; i++)
		if (metric->kinds[i] == NULL || metric->kinds[i] == kind)
			return metric->kinds[i] == kind;
	return true;
}

static int measures_others(const struct metric *metric, const struct table_kind *kind,
			   struct err *err)
{
	struct buf kinds = {0};

	for (int i = 0; metric->kinds[i] != NULL; i++)
		buf_printf(&kinds, "%s%s", i > 0 ? ", " : "", metric->kinds[i]->name);
	err_set(err, "-m %s: it does not measure a %s stream, but: %s", metric->entry.name,
		kind->name, buf_text(&kinds));
	buf_free(&kinds);
	return -1;
}

/* A column that the metric needs and the stream has not, or NULL. A stream without any is empty. */
static const char *lacking(const struct eval *eval, const struct metric *metric)
{
	for (int i = 0; metric->columns != NULL && metric->columns[i] != NULL; i++)
		if (table_find(eval->in, metric->columns[i]) < 0 && table_ncolumns(eval->in) > 0)
			return metric->columns[i];
	return NULL;
}

/* Whether the last metric was chosen before, with the same parameters; then it goes. */
static bool is_repeated(struct eval *eval)
{
	char *last = pick_text(&eval->metrics[eval->nmetrics - 1].pick);
	bool same = false;

	for (int i = 0; i < eval->nmetrics - 1 && !same; i++) {
		char *text = pick_text(&eval->metrics[i].pick);

		same = str_eq(text, last);
		free(text);
	}
	free(last);
	if (same)
		pick_free(&eval->metrics[--eval->nmetrics].pick);
	return same;
}

static int choose_given(struct eval *eval, struct err *err)
{
	for (int i = 0; i < eval->options->nmetrics; i++) {
		struct eval_metric *chosen = &eval->metrics[eval->nmetrics];

		if (pick_parse(&chosen->pick, &metrics, eval->options->metrics[i], err) != 0)
			return -1;
		eval->nmetrics++;
		if (is_repeated(eval))
			continue;
		chosen->metric = metric_of(chosen->pick.entry);
		if (!measures(chosen->metric, eval->kind))
			return measures_others(chosen->metric, eval->kind, err);
		if ((chosen->metric->needs & METRIC_TRAFFIC) != 0 && eval->options->traffic == NULL)
			return err_set(err, "-m %s: it needs --traffic", chosen->pick.entry->name);
		if ((chosen->metric->needs & METRIC_LOADS) != 0 && eval->options->graph == NULL)
			return err_set(err, "-m %s: it needs -g, the graph of the job",
				       chosen->pick.entry->name);
		if (lacking(eval, chosen->metric) != NULL)
			return err_set(err, "-m %s: the stream has no column '%s'",
				       chosen->pick.entry->name, lacking(eval, chosen->metric));
	}
	return 0;
}

/* Everything that the stream and what was given allow. */
static int choose_all(struct eval *eval, struct err *err)
{
	for (int i = 0; i < metrics.n; i++) {
		const struct metric *metric = metric_of(metrics.entries[i]);
		struct eval_metric *chosen = &eval->metrics[eval->nmetrics];

		if (metric->only_when_asked || !measures(metric, eval->kind) ||
		    lacking(eval, metric) != NULL ||
		    ((metric->needs & METRIC_TRAFFIC) != 0 && eval->options->traffic == NULL) ||
		    ((metric->needs & METRIC_LOADS) != 0 && eval->options->graph == NULL))
			continue;
		if (pick_parse(&chosen->pick, &metrics, metric->entry.name, err) != 0)
			return -1;
		chosen->metric = metric;
		eval->nmetrics++;
	}
	if (eval->nmetrics == 0)
		return err_set(
			err, "which metric of a %s stream? -m column:name=COLUMN takes any%s",
			eval->kind->name,
			eval->kind == &kind_mapping ? "; -g COMM says what the ranks send" : "");
	return 0;
}

static int add_column(struct eval *eval, const char *name, size_t n, struct err *err)
{
	char *kept = arena_strndup(&eval->arena, name, n);
	struct near_name near;

	for (int i = 0; i < eval->ncolumns; i++)
		if (str_eq(eval->columns[i], kept))
			return 0;
	if (eval->ncolumns == EVAL_COLUMNS)
		return err_set(err, "--by: more than %d columns", EVAL_COLUMNS - 3);
	eval->column_at[eval->ncolumns] = table_find(eval->in, kept);
	if (eval->column_at[eval->ncolumns] < 0 && table_ncolumns(eval->in) > 0)
		return err_set(err, "--by: the stream has no column '%s'%s", kept,
			       table_hint(eval->in, kept, &near));
	eval->columns[eval->ncolumns++] = kept;
	return 0;
}

/* --paired: --baseline COLUMN=VALUE, where COLUMN is among the columns. */
static int open_pairs(struct eval *eval, struct err *err)
{
	const char *text = eval->options->baseline;
	const char *equals = text != NULL ? strchr(text, '=') : NULL;
	struct metrics_pairing how = {.columns = eval->columns,
				      .ncolumns = eval->ncolumns,
				      .nby = eval->nby,
				      .baseline_at = -1,
				      .level = eval->options->ci,
				      .seed = eval->run->seed};

	if (equals == NULL)
		return err_set(err, "--paired: expected --baseline COLUMN=VALUE beside it");
	for (int i = 0; i < eval->ncolumns; i++)
		if (strlen(eval->columns[i]) == (size_t)(equals - text) &&
		    strncmp(eval->columns[i], text, (size_t)(equals - text)) == 0)
			how.baseline_at = i;
	if (how.baseline_at < 0)
		return err_set(err,
			       "--baseline: '%.*s' is not run, policy, mapper or a column of --by",
			       (int)(equals - text), text);
	how.baseline = equals + 1;
	how.alias = alloc_policy_in(eval->columns[how.baseline_at], equals + 1);
	eval->pairs = metrics_pairs_new(&how);
	return 0;
}

static int choose_columns(struct eval *eval, struct err *err)
{
	static const char *const always[] = {"run", "policy", "mapper"};
	const char *by = eval->options->by;

	eval->has_summaries = by != NULL || eval->options->paired;
	eval->has_items = by == NULL || eval->options->each || eval->options->paired;
	while (by != NULL && !str_eq(by, ".")) {
		size_t n = strcspn(by, ",");

		if (add_column(eval, by, n, err) != 0)
			return -1;
		by = by[n] == ',' ? by + n + 1 : NULL;
	}
	eval->nby = eval->ncolumns;
	for (int i = 0; i < 3; i++)
		if (table_find(eval->in, always[i]) >= 0 &&
		    add_column(eval, always[i], strlen(always[i]), err) != 0)
			return -1;
	return eval->options->paired ? open_pairs(eval, err) : 0;
}

/* "jobs" holds a job in each row; what "traffic" holds in each has no name but row. */
static void name_scopes(struct eval *eval)
{
	const char *name = str_ends(eval->kind->name, "s") ? eval->kind->name : "rows";

	snprintf(eval->items_scope, sizeof(eval->items_scope), "%s", name);
	snprintf(eval->item_scope, sizeof(eval->item_scope), "%.*s", (int)strlen(name) - 1, name);
	for (int i = 0; eval->kind->key != NULL && eval->kind->key[i] != NULL; i++) {
		const char *key = eval->kind->key[i];

		if (!str_eq(key, "run") && !str_eq(key, "policy") && !str_eq(key, "mapper") &&
		    table_find(eval->in, key) >= 0 && eval->nkeys < 8)
			eval->key_columns[eval->nkeys++] = table_find(eval->in, key);
	}
}

static unsigned all_needs(const struct eval *eval)
{
	unsigned needs = 0;

	for (int i = 0; i < eval->nmetrics; i++)
		needs |= eval->metrics[i].metric->needs;
	if (eval->options->links != NULL)
		needs |= METRIC_LOADS;
	return (needs & METRIC_LOADS) != 0 ? needs | METRIC_TOPOLOGY | METRIC_ROUTES : needs;
}

static int open_needs(struct eval *eval, struct err *err)
{
	unsigned needs = all_needs(eval);

	if (eval->options->traffic != NULL && (needs & METRIC_TRAFFIC) == 0)
		warn_no_effect("--traffic", "no metric that is measured uses traffic");
	if (eval->options->routing != NULL && (needs & (METRIC_ROUTES | METRIC_LOADS)) == 0)
		warn_no_effect("--routing", "no metric that is measured uses routes");
	eval->context = (struct metric_context){.in = eval->in, .kind = eval->kind};
	/* a machine that is given is recorded, needed or not */
	if ((needs & ~METRIC_NAMED) == 0 && eval->run->topology == NULL &&
	    ((needs & METRIC_NAMED) == 0 || !topo_is_named(NULL, eval->in)))
		return 0;
	if (topo_resolve(&eval->context.topo, eval->run->topology, eval->in, err) != 0)
		return -1;
	if ((needs & METRIC_ROUTES) != 0 && routing_open(&eval->context.routing, eval->context.topo,
							 eval->options->routing, err) != 0)
		return -1;
	if ((needs & METRIC_LOADS) != 0 && eval_loads_open(eval, err) != 0)
		return -1;
	if ((needs & METRIC_TRAFFIC) == 0)
		return 0;
	eval->has_traffic = true;
	eval->context.traffic = &eval->traffic;
	return traffic_read(&eval->traffic, eval->context.topo, eval->options->traffic,
			    eval->run->accepts_partial, err);
}

/* Whether all metrics compare the values of a column that rows are not told apart by. */
static bool compare_it(const struct eval *eval, const char *column)
{
	for (int i = 0; i < eval->nmetrics; i++)
		if (eval->metrics[i].metric->compares == NULL ||
		    !str_eq(eval->metrics[i].metric->compares, column))
			return false;
	for (int i = 0; i < eval->ncolumns; i++)
		if (str_eq(eval->columns[i], column))
			return false;
	return true;
}

/* --baseline COLUMN=VALUE, where that is a parameter of each metric. */
static int pass_baseline(struct eval *eval, struct err *err)
{
	const char *text = eval->options->baseline;
	const char *equals = text != NULL ? strchr(text, '=') : NULL;

	if (equals == NULL ||
	    !compare_it(eval, arena_strndup(&eval->arena, text, (size_t)(equals - text))))
		return 0;
	eval->has_own_baseline = true;
	for (int i = 0; i < eval->nmetrics; i++) {
		struct pick *pick = &eval->metrics[i].pick;
		char *given = pick_text(pick);
		char *all = xasprintf("%s%cbaseline%s", given,
				      strchr(given, ':') != NULL ? ',' : ':', equals);
		int status;

		pick_free(pick);
		status = pick_parse(pick, &metrics, all, err);
		free(given);
		free(all);
		if (status != 0)
			return -1;
	}
	return 0;
}

/* Whether the nodes of each job matter. */
static bool reads_nodes(const struct eval *eval)
{
	for (int i = 0; i < eval->nmetrics; i++) {
		const struct eval_metric *at = &eval->metrics[i];

		if ((at->metric->needs & METRIC_NAMED) != 0 && eval->context.topo != NULL &&
		    pick_has(&at->pick, "since"))
			return true;
	}
	return (all_needs(eval) & METRIC_TOPOLOGY) != 0;
}

int eval_prepare(struct eval *eval, struct err *err)
{
	int most = eval->options->nmetrics + metrics.n;

	eval->metrics = xcalloc((size_t)most, sizeof(*eval->metrics));
	if (eval->options->links != NULL && eval->options->graph == NULL)
		return err_set(err, "--links: it needs -g, the graph of the job");
	if (eval->options->graph != NULL && eval->kind != &kind_mapping)
		return err_set(err, "-g says what the ranks of a mapping send; this is a %s stream",
			       eval->kind->name);
	if ((eval->options->nmetrics > 0 ? choose_given(eval, err) : choose_all(eval, err)) != 0 ||
	    choose_columns(eval, err) != 0 || pass_baseline(eval, err) != 0 ||
	    open_needs(eval, err) != 0)
		return -1;
	name_scopes(eval);
	eval->run_column = table_find(eval->in, "run");
	eval->het_column = table_find(eval->in, "het_job");
	eval->nodelist_column = -1;
	if (reads_nodes(eval) && eval->kind == &kind_jobs)
		eval->nodelist_column = table_find(eval->in, "nodelist");
	for (int i = 0; i < eval->nmetrics; i++) {
		struct eval_metric *at = &eval->metrics[i];

		if (!at->metric->per_run && at->metric->open != NULL &&
		    at->metric->open(&at->state, &at->pick, &eval->context, err) != 0)
			return -1;
	}
	return 0;
}
