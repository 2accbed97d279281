/* slurm_padded.c - Slurm's blocks from named domains, with placeholders where nodes are missing */
#include <stdlib.h>
#include <string.h>

#include "base/foreign.h"
#include "formats/slurm/slurmconf.h"
#include "machine/export/exporter.h"
#include "model/hierarchy.h"

enum { SIZES_MOST = 16, TIMES_MOST = 1 << 15 };

/* An innermost domain: nodes[first] … nodes[first + n - 1]. */
struct inner {
	const char *name, *outer;
	int first, n;
};

struct padding {
	struct topo *topo;
	struct inner *inners; /* [n] by names of outer and inner */
	int n;
	int *nodes;
	int sizes[SIZES_MOST], nsizes;
	bool has_levels, is_split, is_padded;
	int nblocks; /* written so far */
	struct out *out;
	struct buf list;
	struct arena arena; /* of names */
};

static int compare_inners(const void *a, const void *b)
{
	const struct inner *x = a, *y = b;
	int order = strcmp(x->outer, y->outer);

	return order != 0 ? order : strcmp(x->name, y->name);
}

/* The first hierarchy of domains, or of domains and sub-domains; NULL: none. */
static const struct hierarchy *find_hierarchy(const struct topo *topo)
{
	for (int i = 0; i < topo->nhierarchies; i++) {
		const struct hierarchy *at = &topo->hierarchies[i];

		if (at->nlevels <= 2 && at->levels[0].every == 0 &&
		    at->levels[at->nlevels - 1].every == 0)
			return at;
	}
	return NULL;
}

static void name_inners(struct padding *padding, const struct hierarchy *h)
{
	int inside = h != NULL ? h->nlevels - 1 : 0;

	for (int d = 0; d < padding->n; d++) {
		struct inner *inner = &padding->inners[d];
		int above = inside > 0 ? h->levels[inside].above[d] : -1;
		char text[TOPO_NAME];
		const char *name = h != NULL ? h->levels[inside].names[d]
					     : topo_router_name(padding->topo, d, text);

		inner->name = arena_strndup(&padding->arena, name, strlen(name));
		inner->outer = above >= 0 ? h->levels[0].names[above] : inner->name;
	}
}

/* Without a hierarchy the routers are the domains. */
static int find_inners(struct padding *padding, struct err *err)
{
	const struct topo *topo = padding->topo;
	const struct hierarchy *h = find_hierarchy(topo);
	const int *of = h != NULL ? h->of : topo->router_of;
	bool is_empty;
	int *first;

	if (h == NULL && topo->nhierarchies > 0)
		return err_set(err, "expected a hierarchy of one level or two, as domains and "
				    "sub-domains");
	padding->has_levels = h != NULL && h->nlevels > 1;
	padding->n = h != NULL ? h->levels[h->nlevels - 1].n : topo->nrouters;
	padding->inners = xcalloc((size_t)padding->n + 1, sizeof(*padding->inners));
	domain_members(of, topo->nnodes, padding->n, &first, &padding->nodes);
	for (int d = 0; d < padding->n; d++) {
		padding->inners[d].first = first[d];
		padding->inners[d].n = first[d + 1] - first[d];
	}
	is_empty = first[padding->n] == 0;
	free(first);
	if (is_empty)
		return err_set(err, "no node is in a domain: expected one to make blocks of");
	name_inners(padding, h);
	qsort(padding->inners, (size_t)padding->n, sizeof(*padding->inners), compare_inners);
	return 0;
}

static int given_sizes(struct padding *padding, const struct pick *pick, struct err *err)
{
	const struct value *value = pick_value(pick, "sizes");
	const int64_t *sizes = value->sizes;

	padding->nsizes = value->nsizes;
	if (padding->nsizes > SIZES_MOST)
		return err_set(err, "sizes=: %d of them, expected at most %d", padding->nsizes,
			       SIZES_MOST);
	for (int i = 0; i < padding->nsizes; i++) {
		int64_t times = sizes[i] / sizes[0];

		if (sizes[i] % sizes[0] != 0 || (times & (times - 1)) != 0 || times > TIMES_MOST ||
		    (i > 0 && sizes[i] <= sizes[i - 1]))
			return err_set(err,
				       "sizes=: %lld is not the next power of two (at most 2^15) "
				       "times the first, %lld",
				       (long long)sizes[i], (long long)sizes[0]);
		padding->sizes[i] = (int)sizes[i];
	}
	return 0;
}

/* Blocks of an outer domain that begins at i; *end: where the next one does. *nodes: its nodes. */
static int count_blocks(const struct padding *padding, int i, int *end, int *nodes)
{
	int base = padding->sizes[0], n = 0;

	*nodes = 0;
	for (*end = i;
	     *end < padding->n && str_eq(padding->inners[*end].outer, padding->inners[i].outer);
	     ++*end) {
		*nodes += padding->inners[*end].n;
		n += padding->is_split ? (padding->inners[*end].n + base - 1) / base : 1;
	}
	return n;
}

/* Base: the smallest domain, or the largest sub-domain. */
static void infer_sizes(struct padding *padding)
{
	int base = 0, largest = 0, ndomains = 0;

	for (int d = 0; d < padding->n; d++) {
		int n = padding->inners[d].n;

		ndomains += n > 0;
		if (n > 0 && (base == 0 || (padding->has_levels ? n > base : n < base)))
			base = n;
	}
	padding->sizes[padding->nsizes++] = base;
	for (int i = 0, end, nodes; i < padding->n; i = end) {
		count_blocks(padding, i, &end, &nodes);
		largest = nodes > largest ? nodes : largest;
	}
	if (padding->has_levels) {
		int64_t size = base;

		while (size < largest)
			size *= 2;
		if (size > base)
			padding->sizes[padding->nsizes++] = (int)size;
		return;
	}
	for (int times = 2; times <= ndomains && padding->nsizes < SIZES_MOST; times *= 2)
		padding->sizes[padding->nsizes++] = base * times;
}

static void write_block(struct padding *padding, const struct inner *inner, const int *nodes, int n)
{
	padding->nblocks++;
	if (n > 0) {
		out_printf(padding->out, "# block%03d=", padding->nblocks);
		out_foreign(padding->out, foreign_cell, inner->name);
	}
	out_printf(padding->out, n > 0 ? "\nBlockName=block%03d" : "BlockName=block%03d",
		   padding->nblocks);
	buf_clear(&padding->list);
	if (n > 0) {
		topo_nodelist_add(padding->topo, nodes, (size_t)n, &padding->list);
		out_printf(padding->out, " Nodes=%s", buf_text(&padding->list));
	}
	out_char(padding->out, '\n');
}

static void pad_to(struct padding *padding, int multiple)
{
	while (padding->nblocks % multiple != 0)
		write_block(padding, NULL, NULL, 0);
}

/* Blocks of the least size that holds each outer domain, at most the last one. */
static int find_slots(const struct padding *padding)
{
	int largest = 0, i = 0, nodes;

	for (int at = 0, end; at < padding->n; at = end) {
		int n = count_blocks(padding, at, &end, &nodes);

		largest = n > largest ? n : largest;
	}
	while (i + 1 < padding->nsizes && padding->sizes[i] / padding->sizes[0] < largest)
		i++;
	return padding->sizes[i] / padding->sizes[0];
}

static void write_blocks(struct padding *padding)
{
	int base = padding->sizes[0];
	int slots = padding->has_levels && padding->is_padded ? find_slots(padding) : 1;

	for (int d = 0; d < padding->n; d++) {
		const struct inner *inner = &padding->inners[d];
		int step = padding->is_split ? base : inner->n + 1;

		if (d > 0 && !str_eq(inner->outer, padding->inners[d - 1].outer))
			pad_to(padding, slots);
		for (int at = 0; at < inner->n; at += step)
			write_block(padding, inner, &padding->nodes[inner->first + at],
				    inner->n - at < step ? inner->n - at : step);
	}
	if (padding->is_padded)
		pad_to(padding, padding->sizes[padding->nsizes - 1] / base);
	out_str(padding->out, "BlockSizes=");
	for (int i = 0; i < padding->nsizes; i++)
		out_printf(padding->out, i > 0 ? ",%d" : "%d", padding->sizes[i]);
	out_char(padding->out, '\n');
}

static int write_padded(struct topo *topo, struct out *out, const struct topo_export *how,
			struct err *err)
{
	struct padding padding = {.topo = topo, .out = out};
	bool is_given = pick_has(how->pick, "sizes");
	int status = find_inners(&padding, err);

	padding.is_padded = padding.is_split = is_given || padding.has_levels;
	if (status == 0 && is_given)
		status = given_sizes(&padding, how->pick, err);
	else if (status == 0)
		infer_sizes(&padding);
	if (status == 0)
		write_blocks(&padding);
	buf_free(&padding.list);
	arena_free(&padding.arena);
	free(padding.inners);
	free(padding.nodes);
	return status;
}

static const struct param params[] = {
	{.key = "sizes",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = SLURM_NODES_MOST,
	 .optional = true,
	 .meaning = "BlockSizes, as in 18x72: nodes of a block, then of aggregated blocks, each a "
		    "power of two times the first; else from the domains: the largest sub-domain "
		    "and what holds the largest domain, or the smallest domain and its doublings"},
	{.key = NULL},
};

const struct topo_exporter topo_exporter_slurm_padded = {
	.entry =
		{
			.name = "slurm-padded",
			.summary =
				"Slurm's topology.conf: blocks from domains and sub-domains, with "
				"placeholders that keep domains in aggregates",
			.example = "slurm-padded",
			.params = params,
		},
	.write = write_padded,
};
