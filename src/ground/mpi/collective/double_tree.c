/* double_tree.c - NCCL's double trees: allreduce up and down two binary trees over the domains */
#include "mpi/collective/nccl.h"
#include "mpi/collective/steps.h"

/* ---- a chain in each domain below the tree's GPU there ---- */

/*
 * There are as many pairs of trees as a domain has GPUs, each with another one at the domain's end
 * of the tree. Part s crosses the edge above a rank of depth p in step s + depth - p on its way up,
 * and in step s + depth + p - 1 on its way down.
 */
struct tree {
	const struct collective *call;
	struct step_messages *messages;
	int64_t bytes;
	int k, nparts, depth;
};

static int depth_in_all(const struct collective *call)
{
	return collective_log2_up(places_domains(call)) + places_local(call) - 1;
}

static int nsegments(const struct collective *call)
{
	int n = places_domains(call);

	return places_segments(call, 2 * depth_in_all(call),
			       n > 1 ? nccl_tree_load(n) / places_local(call) : 2, n > 1);
}

static int nsteps(const struct collective *call)
{
	return nsegments(call) + 2 * depth_in_all(call) - 1;
}

/* The edge above a rank of that depth: to the parent, of which peer is the index, or to a child. */
static void edge(const struct tree *tree, int depth, bool is_to_parent, int peer)
{
	int up = tree->k - (tree->depth - depth), down = tree->k - (tree->depth + depth - 1);

	if (up >= 0 && up < tree->nparts)
		step_add(tree->messages, is_to_parent, peer,
			 collective_share(tree->bytes, tree->nparts, up));
	if (down >= 0 && down < tree->nparts)
		step_add(tree->messages, !is_to_parent, peer,
			 collective_share(tree->bytes, tree->nparts, down));
}

/* Of the tree whose GPU in each domain is head. */
static void edges_of(const struct tree *tree, int which, int head, int index)
{
	int m = places_local(tree->call), n = places_domains(tree->call), domain = index / m;
	int l = index % m, below = (l - head + m) % m, children[TREE_CHILDREN] = {0}, nchildren = 0;
	int depth = nccl_tree_depth(n, which, domain) + below;
	int parent = nccl_tree_parent(n, which, domain);

	if (below > 0)
		edge(tree, depth, true, domain * m + (l - 1 + m) % m);
	else if (parent >= 0)
		edge(tree, depth, true, parent * m + head);
	if (below < m - 1)
		edge(tree, depth + 1, false, domain * m + (l + 1) % m);
	if (below == 0)
		nchildren = nccl_tree_children(n, which, domain, children);
	for (int i = 0; i < nchildren; i++)
		edge(tree, depth + 1, false, children[i] * m + head);
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	struct step_messages messages = {.call = call};
	struct tree tree = {call, &messages, .k = k, .nparts = nsegments(call),
			    .depth = depth_in_all(call)};
	int m = places_local(call);

	for (int i = 0; i < 2 * m; i++) {
		tree.bytes = collective_share(call->bytes, 2 * m, i);
		edges_of(&tree, i % 2, i / 2, place_index(call, rank));
	}
	step_emit(&messages, true, message, context);
	step_emit(&messages, false, message, context);
}

const struct collective_algorithm collective_algorithm_double_tree = {
	.entry = {.name = "double-tree",
		  .example = "double-tree",
		  .summary = "allreduce up and down two complementary binary trees over the "
			     "domains, a chain in each",
		  .paper = "Sanders, Speck, Träff 2009; NCCL"},
	.ops = COLLECTIVE_BIT(ALLREDUCE),
	.nsteps = nsteps,
	.step = step,
	.delay_ps = nccl_tree_delay_ps,
};

/* ---- scattered in each domain, reduced on each rail, gathered in the domain ---- */

/*
 * Part s is scattered in step s, crosses the trees as above, one step later, and is gathered in
 * step s + 2 depth + 1. Between GPUs of a domain a message has what is scattered and what is
 * gathered.
 */
static int rail_depth(const struct collective *call)
{
	return collective_log2_up(places_domains(call));
}

static int rail_segments(const struct collective *call)
{
	int n = places_domains(call);

	return n < 2 ? 1
		     : places_segments(call, 2 * rail_depth(call) + 1,
				       nccl_tree_load(n) / places_local(call), true);
}

static int rail_nsteps(const struct collective *call)
{
	return rail_segments(call) + 2 * rail_depth(call) + 1;
}

/* What GPU l owns of part s; none: of a part that is not there. */
static int64_t owned(const struct collective *call, int s, int l)
{
	int nparts = rail_segments(call);

	if (s < 0 || s >= nparts)
		return 0;
	return collective_share(collective_share(call->bytes, nparts, s), places_local(call), l);
}

/* NVLink's: load is what the switch makes of the bytes that are sent straight. */
static void in_domain(const struct collective *call, int index, int k, double load, bool is_send,
		      collective_message_fn *message, void *context)
{
	int m = places_local(call), l = index % m, late = k - 2 * rail_depth(call) - 1;
	int nparts = rail_segments(call);

	if (k >= nparts && (late < 0 || late >= nparts))
		return;
	for (int i = 1; i < m; i++) {
		int peer = (l + (is_send ? i : m - i)) % m;
		int64_t bytes =
			owned(call, k, is_send ? peer : l) + owned(call, late, is_send ? l : peer);

		message(context, is_send, place_rank(call, index - l + peer),
			(int64_t)((double)bytes * load));
	}
}

static void on_rail(struct step_messages *messages, int index, int k)
{
	const struct collective *call = messages->call;
	int n = places_domains(call), m = places_local(call), nparts = rail_segments(call);
	int depth = rail_depth(call), domain = index / m, children[TREE_CHILDREN];

	for (int which = 0; which < 2; which++) {
		int parent = nccl_tree_parent(n, which, domain);
		int nchildren = nccl_tree_children(n, which, domain, children);

		for (int i = -1; i < nchildren; i++) {
			int peer = i < 0 ? parent : children[i];
			int below = nccl_tree_depth(n, which, i < 0 ? domain : children[i]);
			int s[2] = {k - 1 - (depth - below), k - (depth + below)};

			for (int way = 0; peer >= 0 && way < 2; way++)
				if (s[way] >= 0 && s[way] < nparts)
					step_add(messages, (way == 0) == (i < 0),
						 peer * m + index % m,
						 collective_share(owned(call, s[way], index % m), 2,
								  which));
		}
	}
}

static void rail_step(const struct collective *call, int rank, int k, double load,
		      collective_message_fn *message, void *context)
{
	struct step_messages messages = {.call = call};
	int index = place_index(call, rank);

	on_rail(&messages, index, k);
	for (int is_send = 1; is_send >= 0; is_send--) {
		in_domain(call, index, k, load, is_send, message, context);
		step_emit(&messages, is_send, message, context);
	}
}

static void hierarchical_step(const struct collective *call, int rank, int k,
			      collective_message_fn *message, void *context)
{
	rail_step(call, rank, k, 1, message, context);
}

const struct collective_algorithm collective_algorithm_hierarchical = {
	.entry = {.name = "hierarchical",
		  .example = "hierarchical",
		  .summary =
			  "allreduce as reduce_scatter in each domain, allreduce along two trees "
			  "on each rail, and allgather in the domain, in parts",
		  .paper = "Jia et al. 2018, §4.2"},
	.ops = COLLECTIVE_BIT(ALLREDUCE),
	.nsteps = rail_nsteps,
	.step = hierarchical_step,
	.delay_ps = nccl_nvls_delay_ps,
};

/* Half of what a port carries in all, scattered over the other GPUs. */
static void nvls_step(const struct collective *call, int rank, int k,
		      collective_message_fn *message, void *context)
{
	double m = places_local(call);

	rail_step(call, rank, k, m > 1 ? nccl_nvls_load(call) / 2 * m / (m - 1) : 1, message,
		  context);
}

const struct collective_algorithm collective_algorithm_nvls = {
	.entry = {.name = "nvls",
		  .example = "nvls",
		  .summary = "the same, with NVLink switches that add up: a port carries the "
			     "vector once",
		  .paper = "NCCL (NVLS, NVLSTree)"},
	.ops = COLLECTIVE_BIT(ALLREDUCE),
	.nsteps = rail_nsteps,
	.step = nvls_step,
	.delay_ps = nccl_nvls_delay_ps,
};
