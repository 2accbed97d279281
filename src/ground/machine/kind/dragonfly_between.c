/* dragonfly_between.c - how many pairs of nodes of two groups are how far apart */
#include <stdlib.h>
#include <string.h>

#include "machine/kind/dragonfly_between.h"
#include "base/bitset.h"

/*
 * The lines of a group are its rows and then its columns: a router is on two of them, and one link
 * from all others on these. So a pair is one global link apart where a cable joins the two, two
 * where a cable ends at one and on a line of the other, three where one has a cable, or one cable
 * ends on lines of both, four where a cable ends on a line of one, else five.
 */
struct end {
	uint64_t n;
	uint64_t *cell;     /* [routers] nodes */
	uint64_t *line;     /* [lines] nodes */
	int *gate;          /* [ngates] routers with cables to the other group, ascending */
	int *gated;         /* [ngated] lines with such routers */
	uint64_t *partners; /* [ngates × nwords] lines where the cables of a gate end */
	uint64_t *meets;    /* [lines × nwords] the same of a line */
	int ngates, ngated;
};

struct dragonfly_between {
	const struct dragonfly *df;
	const int *count_of;
	int lines;
	size_t nwords; /* of a set of lines */
	struct end end[2];
	uint64_t *set; /* [nwords] */
	int *rows_in;  /* [rows] of a set */
};

/* ---- groups of one row ---- */

static uint64_t nodes_of(const struct dragonfly_between *between, int group, int router)
{
	if (between->count_of == NULL)
		return 1;
	return (uint64_t)between->count_of[group * between->df->routers + router];
}

/* A router with a cable to the other group saves a link. Ports ascend with i, so equal gates are
 * next to each other. */
static void count_flat(const struct dragonfly_between *between, struct dragonfly_group a,
		       struct dragonfly_group b, uint64_t pairs[])
{
	const struct dragonfly *df = between->df;
	uint64_t ends_a = 0, ends_b = 0, joined = 0, near;
	int last_a = -1, last_b = -1;

	for (int i = 0; i < df->links; i++) {
		int gate_a = dragonfly_gate(df, a.number, b.number, i);
		int gate_b = dragonfly_gate(df, b.number, a.number, i);
		uint64_t na = nodes_of(between, a.number, gate_a);
		uint64_t nb = nodes_of(between, b.number, gate_b);

		joined += gate_a != last_a || gate_b != last_b ? na * nb : 0;
		ends_a += gate_a != last_a ? na : 0;
		ends_b += gate_b != last_b ? nb : 0;
		last_a = gate_a;
		last_b = gate_b;
	}
	near = a.nnodes * ends_b + ends_a * b.nnodes - ends_a * ends_b;
	pairs[1] += joined;
	pairs[2] += near - joined;
	pairs[3] += a.nnodes * b.nnodes - near;
}

/* ---- groups of rows and columns ---- */

static int row_of(const struct dragonfly_between *between, int router)
{
	return router / between->df->columns;
}

static int column_of(const struct dragonfly_between *between, int router)
{
	return between->df->rows + router % between->df->columns;
}

static void fill(const struct dragonfly_between *between, int group, struct end *end)
{
	const struct dragonfly *df = between->df;

	end->n = 0;
	memset(end->line, 0, (size_t)between->lines * sizeof(*end->line));
	for (int row = 0, router = 0; row < df->rows; row++)
		for (int column = 0; column < df->columns; column++, router++) {
			uint64_t n = nodes_of(between, group, router);

			end->cell[router] = n;
			end->line[row] += n;
			end->line[df->rows + column] += n;
			end->n += n;
		}
}

static void add_partner(const struct dragonfly_between *between, struct end *end, int gate,
			int partner)
{
	uint64_t *set;

	if (end->ngates == 0 || end->gate[end->ngates - 1] != gate) {
		end->gate[end->ngates++] = gate;
		memset(end->partners + (size_t)(end->ngates - 1) * between->nwords, 0,
		       between->nwords * sizeof(*end->partners));
	}
	set = end->partners + (size_t)(end->ngates - 1) * between->nwords;
	bits_add(set, row_of(between, partner));
	bits_add(set, column_of(between, partner));
}

/* Fills gates and partners of both ends; returns the pairs of nodes that a cable joins. */
static uint64_t fill_gates(struct dragonfly_between *between, int a, int b)
{
	const struct dragonfly *df = between->df;
	struct end *end_a = &between->end[0], *end_b = &between->end[1];
	uint64_t joined = 0;
	int last_a = -1, last_b = -1;

	end_a->ngates = end_b->ngates = 0;
	for (int i = 0; i < df->links; i++) {
		int gate_a = dragonfly_gate(df, a, b, i), gate_b = dragonfly_gate(df, b, a, i);

		if (gate_a == last_a && gate_b == last_b)
			continue;
		joined += end_a->cell[gate_a] * end_b->cell[gate_b];
		add_partner(between, end_a, gate_a, gate_b);
		add_partner(between, end_b, gate_b, gate_a);
		last_a = gate_a;
		last_b = gate_b;
	}
	return joined;
}

/* Lists the lines with gates, and where their cables end. */
static void fill_meets(const struct dragonfly_between *between, struct end *end)
{
	end->ngated = 0;
	memset(end->meets, 0, (size_t)between->lines * between->nwords * sizeof(*end->meets));
	for (int g = 0; g < end->ngates; g++) {
		const uint64_t *partners = end->partners + (size_t)g * between->nwords;
		int line[2] = {row_of(between, end->gate[g]), column_of(between, end->gate[g])};

		for (int i = 0; i < 2; i++)
			for (size_t w = 0; w < between->nwords; w++)
				end->meets[(size_t)line[i] * between->nwords + w] |= partners[w];
	}
	for (int line = 0; line < between->lines; line++) {
		const uint64_t *set = end->meets + (size_t)line * between->nwords;

		for (size_t w = 0; w < between->nwords; w++)
			if (set[w] != 0) {
				end->gated[end->ngated++] = line;
				break;
			}
	}
}

/* Nodes on the lines of a set: all of its rows, and of its columns what is in no such row. */
static uint64_t count_on(struct dragonfly_between *between, const struct end *end,
			 const uint64_t *set)
{
	const struct dragonfly *df = between->df;
	uint64_t n = 0;
	int nrows = 0;

	for (size_t w = 0; w < between->nwords; w++)
		for (uint64_t bits = set[w]; bits != 0; bits &= bits - 1) {
			int line = (int)w * 64 + __builtin_ctzll(bits);

			n += end->line[line];
			if (line < df->rows)
				between->rows_in[nrows++] = line;
			else if (nrows == df->rows)
				return end->n;
			else
				for (int i = 0; i < nrows; i++)
					n -= end->cell[between->rows_in[i] * df->columns + line -
						       df->rows];
		}
	return n;
}

/* Pairs within one link of each other beside the global one, by a cable that ends at one of them:
 * those of the gates of each end, less what both count. */
static uint64_t count_beside(struct dragonfly_between *between)
{
	const struct end *a = &between->end[0], *b = &between->end[1];
	size_t nwords = between->nwords;
	uint64_t n = 0;

	for (int i = 0; i < a->ngates; i++)
		if (a->cell[a->gate[i]] > 0)
			n += a->cell[a->gate[i]] *
			     count_on(between, b, a->partners + (size_t)i * nwords);
	for (int k = 0; k < b->ngates; k++)
		if (b->cell[b->gate[k]] > 0)
			n += b->cell[b->gate[k]] *
			     count_on(between, a, b->partners + (size_t)k * nwords);
	for (int i = 0; i < a->ngates; i++) {
		const uint64_t *of_a = a->partners + (size_t)i * nwords;
		int row = row_of(between, a->gate[i]), column = column_of(between, a->gate[i]);

		for (int k = 0; k < b->ngates; k++) {
			const uint64_t *of_b = b->partners + (size_t)k * nwords;

			if ((bits_has(of_a, row_of(between, b->gate[k])) ||
			     bits_has(of_a, column_of(between, b->gate[k]))) &&
			    (bits_has(of_b, row) || bits_has(of_b, column)))
				n -= a->cell[a->gate[i]] * b->cell[b->gate[k]];
		}
	}
	return n;
}

static void drop_gates(const struct dragonfly_between *between, struct end *end)
{
	for (int g = 0; g < end->ngates; g++) {
		int gate = end->gate[g];

		end->n -= end->cell[gate];
		end->line[row_of(between, gate)] -= end->cell[gate];
		end->line[column_of(between, gate)] -= end->cell[gate];
		end->cell[gate] = 0;
	}
}

/* Pairs of nodes on lines with the two ends of one cable. Routers on one line with gates share the
 * set of that line, those on two have both. */
static uint64_t count_lined(struct dragonfly_between *between)
{
	const struct end *a = &between->end[0], *b = &between->end[1];
	int rows = between->df->rows, columns = between->df->columns, ngated_rows = 0;
	uint64_t n = 0;

	while (ngated_rows < a->ngated && a->gated[ngated_rows] < rows)
		ngated_rows++;
	for (int i = 0; i < a->ngated; i++) {
		const uint64_t *set = a->meets + (size_t)a->gated[i] * between->nwords;
		bool is_row = i < ngated_rows;
		uint64_t rest = a->line[a->gated[i]];

		for (int k = is_row ? ngated_rows : 0; k < (is_row ? a->ngated : ngated_rows);
		     k++) {
			int row = a->gated[is_row ? i : k],
			    column = a->gated[is_row ? k : i] - rows;
			uint64_t here = a->cell[row * columns + column];
			const uint64_t *other = a->meets + (size_t)a->gated[k] * between->nwords;

			rest -= here;
			if (!is_row || here == 0)
				continue;
			for (size_t w = 0; w < between->nwords; w++)
				between->set[w] = set[w] | other[w];
			n += here * count_on(between, b, between->set);
		}
		if (rest > 0)
			n += rest * count_on(between, b, set);
	}
	return n;
}

static uint64_t count_off_gates(struct dragonfly_between *between, const struct end *end)
{
	memset(between->set, 0, between->nwords * sizeof(*between->set));
	for (int i = 0; i < end->ngated; i++)
		bits_add(between->set, end->gated[i]);
	return end->n - count_on(between, end, between->set);
}

static void count_rows(struct dragonfly_between *between, int a, int b, uint64_t pairs[])
{
	struct end *end_a = &between->end[0], *end_b = &between->end[1];
	uint64_t all, joined, beside, lined, apart;

	fill(between, a, end_a);
	fill(between, b, end_b);
	all = end_a->n * end_b->n;
	joined = fill_gates(between, a, b);
	beside = count_beside(between);
	fill_meets(between, end_a);
	fill_meets(between, end_b);
	drop_gates(between, end_a);
	drop_gates(between, end_b);
	lined = all - end_a->n * end_b->n + count_lined(between); /* or one of them has a cable */
	apart = count_off_gates(between, end_a) * count_off_gates(between, end_b);
	pairs[1] += joined;
	pairs[2] += beside - joined;
	pairs[3] += lined - beside;
	pairs[4] += all - apart - lined;
	pairs[5] += apart;
}

/* ---- all ---- */

static void open_end(const struct dragonfly_between *between, struct end *end)
{
	size_t routers = (size_t)between->df->routers, lines = (size_t)between->lines;
	size_t links = (size_t)between->df->links, ngates = links < routers ? links : routers;

	end->cell = xcalloc(routers, sizeof(*end->cell));
	end->line = xcalloc(lines, sizeof(*end->line));
	end->gate = xcalloc(ngates, sizeof(*end->gate));
	end->gated = xcalloc(lines, sizeof(*end->gated));
	end->partners = xcalloc(ngates * between->nwords, sizeof(*end->partners));
	end->meets = xcalloc(lines * between->nwords, sizeof(*end->meets));
}

struct dragonfly_between *dragonfly_between_open(const struct dragonfly *df, const int *count_of)
{
	struct dragonfly_between *between = xcalloc(1, sizeof(*between));

	between->df = df;
	between->count_of = count_of;
	if (df->rows == 1)
		return between;
	between->lines = df->rows + df->columns;
	between->nwords = ((size_t)between->lines + 63) / 64;
	between->set = xcalloc(between->nwords, sizeof(*between->set));
	between->rows_in = xcalloc((size_t)df->rows, sizeof(*between->rows_in));
	for (int i = 0; i < 2; i++)
		open_end(between, &between->end[i]);
	return between;
}

void dragonfly_between_close(struct dragonfly_between *between)
{
	for (int i = 0; i < 2; i++) {
		free(between->end[i].cell);
		free(between->end[i].line);
		free(between->end[i].gate);
		free(between->end[i].gated);
		free(between->end[i].partners);
		free(between->end[i].meets);
	}
	free(between->set);
	free(between->rows_in);
	free(between);
}

void dragonfly_between_count(struct dragonfly_between *between, struct dragonfly_group a,
			     struct dragonfly_group b, uint64_t pairs[DRAGONFLY_LONGEST + 1])
{
	if (between->df->rows == 1)
		count_flat(between, a, b, pairs);
	else
		count_rows(between, a.number, b.number, pairs);
}
