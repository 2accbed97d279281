/* convex.c - nodes whose routes no other job can use (Def. 4) */
#include "place/constraint/convex.h"

#include <stdlib.h>

/* For pad: the machine without jobs, and what sizes became there. */
struct padding {
	struct machine empty;
	int *rank;   /* [nnodes] */
	int *padded; /* [nnodes + 1]; 0: not known yet */
};

struct convex {
	struct padding *padding;    /* NULL: none */
	struct convex_gates *gates; /* NULL: it is not such a machine */
};

static struct padding *padding_new(const struct space *space)
{
	struct padding *padding = xcalloc(1, sizeof(*padding));

	machine_init(&padding->empty, space->topo);
	padding->rank = xmalloc((size_t)space->topo->nnodes * sizeof(int));
	padding->padded = xcalloc((size_t)space->topo->nnodes + 1, sizeof(int));
	for (int node = 0; node < space->topo->nnodes; node++) {
		padding->rank[node] = node;
		if (!space->serves[node])
			machine_take(&padding->empty, node);
	}
	return padding;
}

static int convex_open(struct constraint *constraint, struct err *err)
{
	bool pads = pick_bool(constraint->pick, "pad");
	bool is_literal = pick_bool(constraint->pick, "literal");
	struct convex *convex;

	if (pads && is_literal)
		return err_set(err, "pad goes with the closed reading only, not with literal");
	convex = xcalloc(1, sizeof(*convex));
	constraint->state = convex;
	if (pads)
		convex->padding = padding_new(constraint->space);
	if (!is_literal)
		convex->gates = convex_gates_new(constraint->space);
	return 0;
}

static void close(struct constraint *constraint)
{
	struct convex *convex = constraint->state;

	if (convex == NULL)
		return;
	if (convex->padding != NULL) {
		machine_free(&convex->padding->empty);
		free(convex->padding->rank);
		free(convex->padding->padded);
		free(convex->padding);
	}
	convex_gates_free(convex->gates);
	free(convex);
}

static int closed_regions(const struct space *space, struct search *search)
{
	int end, more = SEARCH_ALL;

	if (space->is_adaptive)
		return convex_adaptive(space, search);
	end = convex_routers(space, search);
	if (end != SEARCH_ALL)
		return end;
	if (space->is_dor)
		more = convex_boxes(space, search);
	else if (space->is_tree)
		more = convex_subtrees(space, search);
	else
		more = search->wants_all ? convex_hulls(space, search)
					 : convex_groups(space, search);
	return more;
}

struct found {
	struct search *search;
	bool is_found;
};

static int note(void *context, const int *nodes, int n)
{
	struct found *found = context;

	found->is_found = true;
	return found->search == NULL || found->search->visit(found->search->context, nodes, n);
}

/* Groups of routers first; sets over several groups only where there is nothing inside one. */
static int regions(struct constraint *constraint, struct search *search)
{
	const struct space *space = constraint->space;
	const struct convex *convex = constraint->state;
	struct found found = {.search = search};
	struct search inner = *search;
	int end;

	if (pick_bool(constraint->pick, "literal"))
		return convex_literal(space, search);
	if (search->wants_all || space->is_dor || space->is_tree || space->is_adaptive)
		end = closed_regions(space, search);
	else {
		inner.visit = note;
		inner.context = &found;
		end = closed_regions(space, &inner);
		if (!found.is_found && end == SEARCH_ALL)
			end = convex->gates != NULL ? convex_gates_best(convex->gates, &inner)
						    : convex_hulls(space, &inner);
		search->steps = inner.steps;
	}
	/* with I/O nodes all around it a set need not be a box */
	return space->is_dor && space->has_separate && end == SEARCH_ALL ? SEARCH_BOUND : end;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	return pick_bool(constraint->pick, "literal")
		       ? convex_is_literal(constraint->space, nodes, search->wanted, search)
		       : convex_is_closed(constraint->space, nodes, search->wanted, search);
}

static int pad(struct constraint *constraint, int n)
{
	const struct convex *convex = constraint->state;
	struct padding *padding = convex->padding;
	int most = constraint->space->nserving, padded = n;

	if (padding == NULL || n > most || padding->padded[n] != 0)
		return padding == NULL || n > most ? n : padding->padded[n];
	for (; padded <= most; padded++) {
		struct found found = {0};
		struct search search = {.machine = &padding->empty,
					.wanted = padded,
					.rank = padding->rank,
					.steps = SEARCH_STEPS,
					.visit = note,
					.context = &found};

		regions(constraint, &search);
		if (found.is_found)
			break;
	}
	padding->padded[n] = padded <= most ? padded : n;
	return padding->padded[n];
}

static int fits(struct constraint *constraint, const uint64_t *idle, int n)
{
	const struct convex *convex = constraint->state;

	return convex->gates != NULL ? convex_gates_fit(convex->gates, idle, n) : -1;
}

const struct constraint_type constraint_convex = {
	.entry =
		{
			.name = "convex",
			.example = "convex",
			.summary = "nodes whose routes to each other use only the job's "
				   "routers: boxes of a grid, subtrees of a tree",
			.paper = "Bleuse et al., Def. 4",
			.params =
				(const struct param[]){
					{.key = "literal",
					 .type = PARAM_BOOL,
					 .def = "no",
					 .meaning = "as the definition reads: none of their "
						    "links is on a route between two other "
						    "nodes"},
					{.key = "pad",
					 .type = PARAM_BOOL,
					 .def = "no",
					 .meaning = "if a size never fits, the job gets all "
						    "nodes of the next larger size that does"},
					CONSTRAINT_PARAMS,
					{0}},
		},
	.turn = TURN_BOXES,
	.is_bounded = true,
	.open = convex_open,
	.close = close,
	.regions = regions,
	.holds = holds,
	.fits = fits,
	.pad = pad,
};
