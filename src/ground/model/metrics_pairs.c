/* metrics_pairs.c - measurements in pairs: what differs from a baseline, and how surely */
#include "model/metrics_pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"

/* A row that is not of the baseline, until all are there. */
struct other {
	size_t group;
	int64_t pair;
	double value;
};

struct group {
	const char *scope, *metric, *unit, **by; /* [nby of the output] */
	VEC(double) differences, baselines;
	VEC(double) tested; /* differences without what rounding left */
	int64_t nalone;     /* rows without a value, or without their baseline's */
};

struct metrics_pairs {
	struct metrics_pairing how;
	const char **by; /* [nby] */
	int nby, by_at[64];
	struct map pair_ids, group_ids, seen;
	VEC(double) baselines; /* by pair; NAN: not there */
	VEC(struct other) others;
	VEC(struct group) groups;
	char *twice; /* the first row that was there before; NULL: none */
	struct arena arena;
	struct buf key;
};

struct metrics_pairs *metrics_pairs_new(const struct metrics_pairing *how)
{
	struct metrics_pairs *pairs = xcalloc(1, sizeof(*pairs));

	pairs->how = *how;
	for (int i = 0; i < how->nby; i++)
		pairs->by_at[pairs->nby++] = i;
	if (how->baseline_at >= how->nby)
		pairs->by_at[pairs->nby++] = how->baseline_at;
	pairs->by = xcalloc((size_t)pairs->nby, sizeof(*pairs->by));
	for (int i = 0; i < pairs->nby; i++)
		pairs->by[i] = how->columns[pairs->by_at[i]];
	return pairs;
}

void metrics_pairs_free(struct metrics_pairs *pairs)
{
	if (pairs == NULL)
		return;
	for (size_t i = 0; i < pairs->groups.n; i++) {
		vec_free(&pairs->groups.at[i].differences);
		vec_free(&pairs->groups.at[i].tested);
		vec_free(&pairs->groups.at[i].baselines);
	}
	vec_free(&pairs->groups);
	vec_free(&pairs->others);
	vec_free(&pairs->baselines);
	map_free(&pairs->pair_ids);
	map_free(&pairs->group_ids);
	map_free(&pairs->seen);
	arena_free(&pairs->arena);
	buf_free(&pairs->key);
	free(pairs->twice);
	free(pairs->by);
	free(pairs);
}

const char *const *metrics_pairs_by(const struct metrics_pairs *pairs)
{
	return pairs->by;
}

int metrics_pairs_nby(const struct metrics_pairs *pairs)
{
	return pairs->nby;
}

static void add_text(struct metrics_pairs *pairs, const char *text)
{
	buf_str(&pairs->key, text != NULL ? text : ".");
	buf_char(&pairs->key, '\t');
}

static void begin_key(struct metrics_pairs *pairs, const struct metrics_row *row)
{
	buf_clear(&pairs->key);
	add_text(pairs, row->scope);
	add_text(pairs, row->metric);
}

static int64_t number_in(struct metrics_pairs *pairs, struct map *map)
{
	return map_add(map, buf_text(&pairs->key), pairs->key.n, (int64_t)map->n);
}

/* What both rows of a pair have in common. */
static int64_t pair_of(struct metrics_pairs *pairs, const struct metrics_row *row)
{
	int64_t pair;

	begin_key(pairs, row);
	add_text(pairs, row->id);
	for (int i = 0; i < pairs->how.ncolumns; i++)
		if (i != pairs->how.baseline_at)
			add_text(pairs, row->by[i]);
	pair = number_in(pairs, &pairs->pair_ids);
	while ((size_t)pair >= pairs->baselines.n)
		vec_push(&pairs->baselines, (double)NAN);
	add_text(pairs, row->by[pairs->how.baseline_at]);
	if (map_get(&pairs->seen, buf_text(&pairs->key), pairs->key.n) >= 0 && pairs->twice == NULL)
		pairs->twice =
			xasprintf("%s of %s", row->metric, row->id != NULL ? row->id : "run");
	map_set(&pairs->seen, buf_text(&pairs->key), pairs->key.n, 0);
	return pair;
}

static size_t group_of(struct metrics_pairs *pairs, const struct metrics_row *row)
{
	struct group group = {0};
	size_t number;

	begin_key(pairs, row);
	for (int i = 0; i < pairs->nby; i++)
		add_text(pairs, row->by[pairs->by_at[i]]);
	number = (size_t)number_in(pairs, &pairs->group_ids);
	if (number < pairs->groups.n)
		return number;
	group.scope = arena_strndup(&pairs->arena, row->scope, strlen(row->scope));
	group.metric = row->metric;
	group.unit = row->unit;
	group.by = arena_alloc(&pairs->arena, (size_t)pairs->nby * sizeof(*group.by));
	for (int i = 0; i < pairs->nby; i++) {
		const char *cell = row->by[pairs->by_at[i]];

		group.by[i] = arena_strndup(&pairs->arena, cell, strlen(cell));
	}
	vec_push(&pairs->groups, group);
	return number;
}

void metrics_pairs_row(struct metrics_pairs *pairs, const struct metrics_row *row)
{
	int64_t pair = pair_of(pairs, row);

	if (str_eq(row->by[pairs->how.baseline_at], pairs->how.baseline) ||
	    str_eq(row->by[pairs->how.baseline_at], pairs->how.alias))
		pairs->baselines.at[pair] = row->value;
	else
		vec_push(&pairs->others, ((struct other){group_of(pairs, row), pair, row->value}));
}

static void write_group(struct metrics_pairs *pairs, struct group *group, struct metrics_out *out)
{
	size_t n = group->differences.n;
	struct summary summary = {0};
	struct inference inference = {NAN, NAN, NAN, NAN, NAN};
	struct metrics_row row = {.scope = group->scope,
				  .metric = group->metric,
				  .unit = group->unit,
				  .value = NAN,
				  .summary = &summary,
				  .inference = &inference,
				  .by = group->by};
	char note[64];

	if (n > 0) {
		struct rng rng = rng_make((uint64_t)pairs->how.seed, "bootstrap", group->metric,
					  group->by[pairs->nby - 1]);

		/* sorts them: nothing depends on the order of the rows */
		summary_make(&summary, group->baselines.at, n);
		inference.baseline = summary.mean;
		summary_make(&summary, group->differences.at, n);
		inference.p_sign = sign_test(group->tested.at, n);
		inference.p_wilcoxon = wilcoxon_test(group->tested.at, n);
		if (pairs->how.level > 0)
			bootstrap_mean(group->differences.at, n, pairs->how.level, &rng,
				       &inference.low, &inference.high);
		row.value = summary.mean;
	}
	if (group->nalone > 0) {
		snprintf(note, sizeof(note), "%" PRId64 " more without a pair", group->nalone);
		row.note = note;
	}
	metrics_out_row(out, &row);
}

int metrics_pairs_write(struct metrics_pairs *pairs, struct metrics_out *out, struct err *err)
{
	bool has_baseline = false;

	if (pairs->twice != NULL)
		return err_set(
			err,
			"--paired: %s is there twice: expected columns (--by) that distinguish the "
			"rows apart",
			pairs->twice);
	for (size_t i = 0; i < pairs->others.n; i++) {
		const struct other *other = &pairs->others.at[i];
		struct group *group = &pairs->groups.at[other->group];
		double baseline = pairs->baselines.at[other->pair];

		if (isnan(baseline) || isnan(other->value)) {
			group->nalone++;
			continue;
		}
		has_baseline = true;
		vec_push(&group->differences, other->value - baseline);
		vec_push(&group->tested, tested_difference(other->value, baseline));
		vec_push(&group->baselines, baseline);
	}
	if (pairs->others.n > 0 && !has_baseline)
		return err_set(err, "--paired: no row has a partner with '%s' in column %s",
			       pairs->how.baseline, pairs->how.columns[pairs->how.baseline_at]);
	for (size_t i = 0; i < pairs->groups.n; i++)
		write_group(pairs, &pairs->groups.at[i], out);
	return 0;
}
