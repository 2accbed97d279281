/* digits_plan.c - which digit of a rank is which digit of its place */
#include "map/grid/digits_priv.h"

#include <stdlib.h>

#include "base/mem.h"

/* ---- making one ---- */

static void swap_ints(int *a, int *b)
{
	int kept = *a;

	*a = *b;
	*b = kept;
}

static void turn(struct digits_code *code, int at)
{
	swap_ints(&code->radix[at], &code->radix[at + 1]);
	swap_ints(&code->number[at], &code->number[at + 1]);
}

static void split(struct digits_code *code, int size)
{
	*code = (struct digits_code){0};
	for (int f = 2; size > 1; f++) {
		if ((int64_t)f * f > size)
			f = size;
		for (; size % f == 0; size /= f)
			code->radix[code->n++] = f;
	}
}

/* The radices in a random order. */
static void shuffle(struct digits_code *code, struct rng *rng)
{
	if (rng != NULL && code->n > 1)
		rng_shuffle(rng, code->radix, (size_t)code->n);
}

/* The digits of one side are consecutive, ascending, the sides in the dimension's order: what is
 * left of a side keeps its neighbours. */
static void sort_dim(struct digits_plan *plan, int d)
{
	struct digits_code *dim = &plan->dim[d];
	int rank_of[DIGITS_MOST] = {0};

	for (int s = 0; s < plan->nsides; s++)
		for (int i = 0; i < plan->side[s].n; i++)
			rank_of[plan->side[s].number[i]] =
				plan->place_of_side[d][s] * DIGITS_MOST + i;
	for (int i = 1; i < dim->n; i++)
		for (int k = i; k > 0 && rank_of[dim->number[k]] < rank_of[dim->number[k - 1]]; k--)
			turn(dim, k - 1);
}

static void order_sides(struct digits_plan *plan, int d, struct rng *rng)
{
	for (int s = 0; s < plan->nsides; s++)
		plan->place_of_side[d][s] = s;
	if (rng != NULL)
		rng_shuffle(rng, plan->place_of_side[d], (size_t)plan->nsides);
	sort_dim(plan, d);
}

void digits_plan_make(struct digits_plan *plan, const struct rank_grid *grid,
		      const struct places *places, struct rng *rng)
{
	int radix_of[DIGITS_MOST] = {0}, free_digits[DIGITS_MOST] = {0}, n = 0;

	*plan = (struct digits_plan){.nsides = grid->nsides, .ndims = places->ndims};
	for (int s = 0; s < grid->nsides; s++) {
		split(&plan->side[s], grid->side[s]);
		shuffle(&plan->side[s], rng);
		for (int i = 0; i < plan->side[s].n; i++) {
			plan->side[s].number[i] = n;
			free_digits[n] = n;
			radix_of[n++] = plan->side[s].radix[i];
		}
	}
	if (rng != NULL)
		rng_shuffle(rng, free_digits, (size_t)n);
	for (int d = 0; d < places->ndims; d++) {
		struct digits_code *dim = &plan->dim[d];

		split(dim, places->dims[d].size);
		shuffle(dim, rng);
		dim->is_folded =
			places->dims[d].kind == PLACE_LINE && rng != NULL && rng_below(rng, 2) == 1;
		for (int i = 0; i < dim->n; i++) {
			int k = 0;

			while (free_digits[k] < 0 || radix_of[free_digits[k]] != dim->radix[i])
				k++;
			dim->number[i] = free_digits[k];
			free_digits[k] = -1;
		}
		order_sides(plan, d, rng);
	}
}

/* ---- changing it ---- */

typedef VEC(struct digits_change) change_vec;

static void add_swaps(const struct digits_plan *plan, int d, change_vec *changes)
{
	for (int i = 0; i < plan->dim[d].n; i++)
		for (int e = d + 1; e < plan->ndims; e++)
			for (int k = 0; k < plan->dim[e].n; k++)
				vec_push(changes,
					 ((struct digits_change){DIGITS_SWAP, d, i, e, k}));
}

struct digits_change *digits_changes(const struct digits_plan *plan, const struct places *places,
				     int *n)
{
	change_vec changes = {0};

	for (int d = 0; d < plan->ndims; d++) {
		add_swaps(plan, d, &changes);
		for (int s = 0; s + 1 < plan->nsides && places->dims[d].kind != PLACE_ANY; s++)
			for (int t = s + 1; t < plan->nsides; t++)
				vec_push(&changes,
					 ((struct digits_change){DIGITS_ORDER, d, s, 0, t}));
		if (places->dims[d].kind == PLACE_LINE && places->dims[d].size > 2)
			vec_push(&changes, ((struct digits_change){DIGITS_FOLD, d, 0, 0, 0}));
	}
	for (int s = 0; s < plan->nsides; s++)
		for (int i = 0; i + 1 < plan->side[s].n; i++)
			if (plan->side[s].radix[i] != plan->side[s].radix[i + 1])
				vec_push(&changes,
					 ((struct digits_change){DIGITS_TURN, s, i, 0, 0}));
	*n = (int)changes.n;
	return changes.at;
}

/* Whether digits of a side are in a dimension. */
static bool has_side(const struct digits_plan *plan, int d, int s)
{
	for (int i = 0; i < plan->dim[d].n; i++)
		for (int k = 0; k < plan->side[s].n; k++)
			if (plan->dim[d].number[i] == plan->side[s].number[k])
				return true;
	return false;
}

static bool swap_digits(struct digits_plan *plan, const struct digits_change *change)
{
	struct digits_code *dim = &plan->dim[change->dim], *other = &plan->dim[change->other];

	/* digits of a dimension may have changed places since the change was listed */
	if (dim->radix[change->at] != other->radix[change->with])
		return false;
	swap_ints(&dim->number[change->at], &other->number[change->with]);
	sort_dim(plan, change->dim);
	sort_dim(plan, change->other);
	return true;
}

bool digits_change(struct digits_plan *plan, const struct digits_change *change)
{
	int d = change->dim;

	switch (change->kind) {
	case DIGITS_SWAP:
		return swap_digits(plan, change);
	case DIGITS_ORDER:
		if (!has_side(plan, d, change->at) || !has_side(plan, d, change->with))
			return false;
		swap_ints(&plan->place_of_side[d][change->at],
			  &plan->place_of_side[d][change->with]);
		sort_dim(plan, d);
		return true;
	case DIGITS_TURN:
		turn(&plan->side[d], change->at);
		for (int k = 0; k < plan->ndims; k++)
			sort_dim(plan, k);
		return true;
	case DIGITS_FOLD:
		plan->dim[d].is_folded = !plan->dim[d].is_folded;
		return true;
	}
	return false;
}

/* ---- reading it ---- */

/* The reflected mixed-radix Gray code of a coordinate. digit [of all] */
static void encode(const struct digits_code *code, int coordinate, int *digit)
{
	for (int i = 0; i < code->n; i++) {
		int above = coordinate / code->radix[i], here = coordinate % code->radix[i];

		digit[code->number[i]] = above % 2 == 0 ? here : code->radix[i] - 1 - here;
		coordinate = above;
	}
}

/* 0, 2, 4 … 5, 3, 1 */
static int fold(int at, int size)
{
	return 2 * at < size ? 2 * at : 2 * (size - 1 - at) + 1;
}

static int decode(const struct digits_code *code, enum place_kind kind, int size, const int *digit)
{
	int at = 0;

	for (int i = code->n - 1; i >= 0; i--) {
		int here = digit[code->number[i]];

		if (kind != PLACE_ANY && at % 2 == 1)
			here = code->radix[i] - 1 - here;
		at = at * code->radix[i] + here;
	}
	return code->is_folded ? fold(at, size) : at;
}

void digits_decode(const struct digits_plan *plan, const struct places *places, int nranks,
		   int *node_of)
{
	int digit[DIGITS_MOST], at[RANK_GRID_SIDES] = {0}, size[RANK_GRID_SIDES] = {0};

	for (int s = 0; s < plan->nsides; s++) {
		size[s] = 1;
		for (int i = 0; i < plan->side[s].n; i++)
			size[s] *= plan->side[s].radix[i];
		encode(&plan->side[s], 0, digit);
	}
	for (int r = 0; r < nranks; r++) {
		int node = 0;

		for (int d = plan->ndims - 1; d > 0; d--)
			node = node * places->dims[d].size + decode(&plan->dim[d],
								    places->dims[d].kind,
								    places->dims[d].size, digit);
		node_of[r] = places->node_at[node];
		for (int s = 0; s < plan->nsides; s++) { /* the next rank's digits */
			at[s] = (at[s] + 1) % size[s];
			encode(&plan->side[s], at[s], digit);
			if (at[s] > 0)
				break;
		}
	}
}
