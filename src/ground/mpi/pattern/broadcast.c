/* broadcast.c - rank 0 sends a message to all */
#include "mpi/collective/collective.h"
#include "mpi/pattern/pattern.h"

extern const struct collective_algorithm collective_algorithm_binary;

static const struct param params[] = {
	{.key = "tree",
	 .type = PARAM_BOOL,
	 .optional = true,
	 .meaning = "yes: along a binary tree over the ranks, with children 2r + 1 and 2r"
		    " + 2. no: a star. Default: a tree if the profile follows SST, else a"
		    " star"},
	{0}};

static bool is_tree(const struct pattern_part *part)
{
	return pick_has(part->pick, "tree") ? pick_bool(part->pick, "tree")
					    : part->job->does_as_sst;
}

static void next_in_tree(const struct pattern_part *part, int rank, struct cursor *cursor,
			 struct op *op)
{
	if (cursor->step++ > 0)
		return;
	op->kind = OP_COLLECTIVE;
	op->call = (struct collective){
		.op = COLLECTIVE_BCAST, .nranks = part->job->nranks, .bytes = part->bytes};
	op->place = rank;
	op->algorithm = &collective_algorithm_binary;
}

static void next_in_star(const struct pattern_part *part, int rank, struct cursor *cursor,
			 struct op *op)
{
	int n = rank == 0 ? part->job->nranks - 1 : 1;

	if (cursor->step >= n)
		return;
	op->kind = rank == 0 ? OP_SEND : OP_RECV;
	op->peer = rank == 0 ? ++cursor->step : 0;
	op->bytes = part->bytes;
	cursor->step = rank == 0 ? cursor->step : 1;
}

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	if (part->job->nranks < 2)
		return;
	if (is_tree(part))
		next_in_tree(part, rank, cursor, op);
	else
		next_in_star(part, rank, cursor, op);
}

const struct pattern pattern_broadcast = {
	.entry = {.name = "broadcast",
		  .example = "broadcast:tree=yes",
		  .summary = "rank 0 sends a message to every rank; a rank waits only for"
			     " its own, so iterations follow each other through the tree "
			     "without a barrier",
		  .paper = "Zhang et al., Level-Spread, §V-B (the star); SST's Bcast (the tree)",
		  .params = params},
	.next = next,
};
