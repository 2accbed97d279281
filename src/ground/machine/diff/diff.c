/* diff.c - the cabling that was planned against the one that is there: missing, extra, swapped */
#include "machine/diff/diff.h"

#include <string.h>

#include "base/die.h"
#include "base/umap.h"
#include "formats/table.h"
#include "machine/diff/cabling.h"
#include "machine/load.h"

static const struct column columns[] = {
	{.name = "what",
	 .type = COLUMN_NAME,
	 .required = true,
	 .meaning = "missing: a cable that only the plan has; extra: that it does not have; "
		    "swapped: two of the plan whose ends were exchanged"},
	{.name = "from",
	 .type = COLUMN_TEXT,
	 .required = true,
	 .meaning = "an end of the cable, or (swapped) the first cable, by the names of the plan"},
	{.name = "to",
	 .type = COLUMN_TEXT,
	 .required = true,
	 .meaning = "the other end, or the second cable"},
	{.name = "observed_from",
	 .type = COLUMN_TEXT,
	 .meaning = "the same by the names of what was observed; of two swapped cables the first "
		    "as it is there"},
	{.name = "observed_to", .type = COLUMN_TEXT, .meaning = "likewise"},
	{.name = NULL},
};
static const struct table_kind kind_differences = {
	.name = "differences",
	.version = 1,
	.summary = "what differs between a cabling that was planned and the one that is there",
	.columns = columns,
};

struct diff {
	struct cabling plan, seen;
	cable_vec missing, extra;
	VEC(int32_t) swaps; /* pairs of missing ones */
	struct table_out *table;
	int column[5];
};

/* ---- two cables whose ends were exchanged ---- */

/* Cables by their ends: chains through next. */
struct chains {
	int32_t *first; /* [number of vertices] */
	int32_t *next;  /* [2·cables]: of end e of cable i at 2i + e */
};

static void chains_make(struct chains *chains, const cable_vec *cables, int nvertices)
{
	chains->first = xmalloc(((size_t)nvertices + 1) * sizeof(*chains->first));
	chains->next = xmalloc((2 * cables->n + 1) * sizeof(*chains->next));
	memset(chains->first, -1, ((size_t)nvertices + 1) * sizeof(*chains->first));
	for (size_t i = 2 * cables->n; i-- > 0;) {
		int v = cables->at[i / 2].ends[i % 2];

		chains->next[i] = chains->first[v];
		chains->first[v] = (int32_t)i;
	}
}

static uint64_t ends_key(int a, int b)
{
	return a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
}

/* Extra cables by both ends: the first is in ids, next leads to the others. */
static int32_t *extras_by_ends(const cable_vec *extra, struct umap *ids)
{
	int32_t *next = xmalloc((extra->n + 1) * sizeof(*next));

	for (size_t i = extra->n; i-- > 0;) {
		uint64_t key = ends_key(extra->at[i].ends[0], extra->at[i].ends[1]);
		int64_t first = -1;

		umap_get(ids, key, &first);
		next[i] = (int32_t)first;
		umap_set(ids, key, (int64_t)i);
	}
	return next;
}

/* Missing (a, b) and (c, d), extra (a, d) and (c, b). */
static bool find_swap(struct diff *diff, const struct chains *chains, const struct umap *ids,
		      const int32_t *next_extra, size_t number)
{
	struct cable *missing = diff->missing.at, *extra = &diff->extra.at[number];

	for (int32_t i = chains->first[extra->ends[0]]; i >= 0; i = chains->next[i])
		for (int32_t k = missing[i / 2].is_swapped ? -1 : chains->first[extra->ends[1]];
		     k >= 0; k = chains->next[k]) {
			int b = missing[i / 2].ends[1 - i % 2], c = missing[k / 2].ends[1 - k % 2];
			int64_t back = -1;

			if (missing[k / 2].is_swapped || i / 2 == k / 2)
				continue;
			umap_get(ids, ends_key(b, c), &back);
			while (back >= 0 &&
			       (diff->extra.at[back].is_swapped || (size_t)back == number))
				back = next_extra[back];
			if (back < 0)
				continue;
			missing[i / 2].is_swapped = missing[k / 2].is_swapped = true;
			extra->is_swapped = diff->extra.at[back].is_swapped = true;
			vec_push(&diff->swaps, i);
			vec_push(&diff->swaps, k);
			return true;
		}
	return false;
}

static void find_swaps(struct diff *diff)
{
	struct chains chains;
	struct umap ids = {0};
	int32_t *next_extra = extras_by_ends(&diff->extra, &ids);

	chains_make(&chains, &diff->missing, diff->plan.n + diff->seen.n);
	for (size_t i = 0; i < diff->extra.n; i++)
		if (!diff->extra.at[i].is_swapped)
			find_swap(diff, &chains, &ids, next_extra, i);
	free(chains.first);
	free(chains.next);
	free(next_extra);
	umap_free(&ids);
}

/* ---- rows ---- */

/* NULL: has no counterpart there */
static const char *name_of(const struct diff *diff, int end, bool is_observed, char text[TOPO_NAME])
{
	int seen = end < diff->plan.n ? diff->plan.mate[end] : end - diff->plan.n;

	if (is_observed)
		return seen >= 0 ? cabling_name(&diff->seen, seen, text) : NULL;
	return end < diff->plan.n ? cabling_name(&diff->plan, end, text)
				  : cabling_name(&diff->seen, seen, text);
}

static void write_end(struct diff *diff, int column, int end, bool is_observed)
{
	char text[TOPO_NAME];

	table_out_text(diff->table, diff->column[column], name_of(diff, end, is_observed, text));
}

/* By name, as both descriptions number their vertices differently. */
static bool is_turned(const struct diff *diff, int a, int b)
{
	char text_a[TOPO_NAME], text_b[TOPO_NAME];

	return strcmp(name_of(diff, a, false, text_a), name_of(diff, b, false, text_b)) > 0;
}

static void write_one(struct diff *diff, const char *what, const struct cable *cable)
{
	bool turned = is_turned(diff, cable->ends[0], cable->ends[1]);

	table_out_text(diff->table, diff->column[0], what);
	for (int is_observed = 0; is_observed < 2; is_observed++) {
		write_end(diff, 2 * is_observed + 1, cable->ends[turned], is_observed);
		write_end(diff, 2 * is_observed + 2, cable->ends[!turned], is_observed);
	}
	table_out_emit(diff->table);
}

/* A cable as one word. */
static void write_both(struct diff *diff, int column, int a, int b, bool is_observed)
{
	bool turned = is_turned(diff, a, b);
	char text_a[TOPO_NAME], text_b[TOPO_NAME];
	const char *from = name_of(diff, turned ? b : a, is_observed, text_a);
	const char *to = name_of(diff, turned ? a : b, is_observed, text_b);
	char *both = xasprintf("%s-%s", from, to);

	table_out_text(diff->table, diff->column[column], both);
	free(both);
}

/* ends: of missing cables, 2·cable + end; those were exchanged that stand opposite. */
static void write_swap(struct diff *diff, const int32_t ends[2])
{
	const struct cable *one = &diff->missing.at[ends[0] / 2];
	const struct cable *two = &diff->missing.at[ends[1] / 2];
	int a = one->ends[ends[0] % 2], b = one->ends[1 - ends[0] % 2];
	int d = two->ends[ends[1] % 2], c = two->ends[1 - ends[1] % 2];

	table_out_text(diff->table, diff->column[0], "swapped");
	write_both(diff, 1, a, b, false);
	write_both(diff, 2, c, d, false);
	write_both(diff, 3, a, d, true);
	write_both(diff, 4, c, b, true);
	table_out_emit(diff->table);
}

static int64_t write_rows(struct diff *diff, struct out *out)
{
	int64_t n = 0;

	diff->table = table_out_new(out, &kind_differences);
	for (int i = 0; i < 5; i++)
		diff->column[i] = table_out_column(diff->table, columns[i].name);
	for (size_t i = 0; i < diff->missing.n; i++)
		if (!diff->missing.at[i].is_swapped) {
			write_one(diff, "missing", &diff->missing.at[i]);
			n++;
		}
	for (size_t i = 0; i < diff->extra.n; i++)
		if (!diff->extra.at[i].is_swapped) {
			write_one(diff, "extra", &diff->extra.at[i]);
			n++;
		}
	for (size_t i = 0; i < diff->swaps.n; i += 2, n++)
		write_swap(diff, &diff->swaps.at[i]);
	table_out_end(diff->table, true);
	return n;
}

/* ---- rails: leaves that common nodes join ---- */

/* Nodes that hang on leaves of several of the plan's units: a cable in a wrong rack. */
static void warn_of_joins(const struct diff *diff)
{
	const struct cabling *plan = &diff->plan, *seen = &diff->seen;
	int32_t *units = cabling_units(plan);
	int njoins = 0, first = -1;

	for (int v = 0; units != NULL && v < seen->topo->nnodes; v++) {
		int unit = -1, is_join = 0;

		for (int64_t i = seen->first[v]; i < seen->first[v + 1]; i++) {
			int leaf = seen->mate[seen->peer[i]];

			if (leaf < 0)
				continue;
			leaf = units[leaf];
			is_join |= unit >= 0 && unit != leaf;
			unit = leaf;
		}
		first = njoins == 0 && is_join ? v : first;
		njoins += is_join;
	}
	if (njoins > 0) {
		char text[TOPO_NAME];

		warn("%d nodes join leaves that no node of the plan joins: %s%s", njoins,
		     cabling_name(seen, first, text), njoins > 1 ? ", …" : "");
	}
	free(units);
}

/* How many rows; -1: the machines have no node in common. */
static int64_t compare(struct topo *plan, struct topo *seen, struct out *out, struct err *err)
{
	struct diff diff = {0};
	int64_t n = -1;

	cabling_make(&diff.plan, plan);
	cabling_make(&diff.seen, seen);
	if (cabling_match(&diff.plan, &diff.seen) == 0) {
		err_set(err,
			"the two machines have no node of the same name: expected nodes to keep "
			"their names");
	} else {
		cabling_compare(&diff.plan, &diff.seen, &diff.missing, &diff.extra);
		find_swaps(&diff);
		n = write_rows(&diff, out);
		warn_of_joins(&diff);
	}
	vec_free(&diff.missing);
	vec_free(&diff.extra);
	vec_free(&diff.swaps);
	cabling_free(&diff.plan);
	cabling_free(&diff.seen);
	return n;
}

static int read_plan(struct topo **topo, const char *path, const char *from_text,
		     const struct topo_import *how, struct err *err)
{
	struct topo_import from = *how;
	char *files[] = {xstrdup(path), NULL};
	int status;

	from.paths = files;
	status = from_text != NULL && !topo_is_ref(path) ? topo_import(topo, from_text, &from, err)
							 : topo_load(topo, path, err);
	free(files[0]);
	return status;
}

int topo_diff_run(const char *plan_path, const char *from_text, const struct topo_import *how,
		  const struct run_context *context, struct err *err)
{
	struct topo *plan = NULL, *seen = NULL;
	struct out *out = NULL;
	int64_t nrows = 0;
	int status = read_plan(&plan, plan_path, from_text, how, err);

	if (status == 0)
		status = topo_from_operands(&seen, from_text, how, err);
	if (status == 0)
		status = out_open(&out, context->output, context->command, err);
	if (status == 0) {
		nrows = compare(plan, seen, out, err);
		status = nrows < 0 ? -1 : 0;
	}
	status = out_finish(out, status, true, err);
	topo_free(plan);
	topo_free(seen);
	return status != 0 ? -1 : nrows > 0 ? EXIT_NO : EXIT_YES;
}
