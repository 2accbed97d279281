/* ptram.c - PTRAM's refinement: swaps with the closest nodes lower the maximum congestion */
#include <stdlib.h>
#include <string.h>

#include "map/problem/hybrid_metric.h"
#include "map/problem/problem.h"
#include "map/team/team.h"
#include "base/mem.h"

struct swap {
	int a, b;  /* nodes of the allocation; -1: none */
	int place; /* of b among the closest of a */
	double max;
};

/* One member's view: all keep the whole state; each is the leaders of every nmembers-th node. */
struct refine {
	const struct map_input *in;
	const struct map_parts *parts;
	const struct comm *reverse;
	int member, nmembers;
	int *part_at; /* [nnodes]; -1: vacant */
	int *node_of; /* [nparts] */
	struct hybrid hybrid;
	bool both_ends;
	int k;
	int *closest; /* [own nodes × k], -1 padded */
};

struct near {
	int node, hops;
};

static int nearer(const void *a, const void *b)
{
	const struct near *x = a, *y = b;

	return x->hops != y->hops ? (x->hops > y->hops) - (x->hops < y->hops)
				  : (x->node > y->node) - (x->node < y->node);
}

/* The k nodes closest to an own one. */
static int *closest_of(const struct refine *s, int v)
{
	return s->closest + (int64_t)(v / s->nmembers) * s->k;
}

/* Closest by hops within the allocation, without the node itself, then by list position. */
static void find_closest(struct refine *s)
{
	const struct map_input *in = s->in;
	struct near *near = xmalloc((size_t)in->nnodes * sizeof(*near));

	s->closest = xmalloc(((size_t)in->nnodes / (size_t)s->nmembers + 1) * (size_t)s->k *
			     sizeof(*s->closest));
	for (int v = s->member; v < in->nnodes; v += s->nmembers) {
		int n = 0, *closest = closest_of(s, v);

		for (int w = 0; w < in->nnodes; w++)
			if (w != v)
				near[n++] =
					(struct near){w, route_hops(s->hybrid.routes->routing,
								    in->nodes[v], in->nodes[w])};
		qsort(near, (size_t)n, sizeof(*near), nearer);
		for (int i = 0; i < s->k; i++)
			closest[i] = i < n ? near[i].node : -1;
	}
	free(near);
}

static int place_after(const struct refine *s, int part, int a, int b)
{
	int node = s->node_of[part];

	return node == a ? b : node == b ? a : node;
}

static void book_edges(struct refine *s, int part, int other, int a, int b)
{
	for (int turn = 0; turn < 2; turn++) {
		const struct comm *comm = turn ? s->reverse : s->parts->comm;

		for (int64_t e = comm->first[part]; e < comm->first[part + 1]; e++) {
			int peer = comm->peer[e], here = s->node_of[part];
			int there = s->node_of[peer], here2 = place_after(s, part, a, b);
			int there2 = place_after(s, peer, a, b);

			if (peer == other)
				continue; /* booked with the other one */
			if (turn == 0) {
				hybrid_book(&s->hybrid, here, there, -comm->bytes[e]);
				hybrid_book(&s->hybrid, here2, there2, comm->bytes[e]);
			} else {
				hybrid_book(&s->hybrid, there, here, -comm->bytes[e]);
				hybrid_book(&s->hybrid, there2, here2, comm->bytes[e]);
			}
		}
	}
}

static void book_swap(struct refine *s, int a, int b)
{
	if (s->part_at[a] >= 0)
		book_edges(s, s->part_at[a], -1, a, b);
	if (s->part_at[b] >= 0)
		book_edges(s, s->part_at[b], s->part_at[a], a, b);
}

/* The channel (dense number) with the greatest load; the lowest of the machine's among equals. */
static int max_link(const struct refine *s)
{
	const struct routes *routes = s->hybrid.routes;
	int best = -1;
	double max = 0;

	for (size_t c = 0; c < s->hybrid.load.n; c++) {
		double load = s->hybrid.load.at[c] * routes->per_byte.at[c];

		if (load > max || (load == max && best >= 0 &&
				   routes->channels.at[c] < routes->channels.at[best])) {
			max = load;
			best = (int)c;
		}
	}
	return best;
}

static bool crosses(struct refine *s, int a, int b, int link)
{
	const int32_t *route = routes_get(s->hybrid.routes, a, b);

	for (int i = 1; i <= route[0]; i++)
		if (route[i] == link)
			return true;
	return false;
}

/* Algorithm 2, line 5: whether the part on node v talks across the link. */
static bool is_candidate(struct refine *s, int v, int link)
{
	int part = s->part_at[v];

	if (part < 0)
		return false;
	for (int turn = 0; turn < 1 + s->both_ends; turn++) {
		const struct comm *comm = turn ? s->reverse : s->parts->comm;

		for (int64_t e = comm->first[part]; e < comm->first[part + 1]; e++) {
			int peer = s->node_of[comm->peer[e]];

			if (comm->bytes[e] > 0 &&
			    (turn ? crosses(s, peer, v, link) : crosses(s, v, peer, link)))
				return true;
		}
	}
	return false;
}

/* The best swap of one leader: a strict drop wins, the first one is kept. */
static void try_leader(struct refine *s, int v, struct swap *best)
{
	for (int i = 0; i < s->k; i++) {
		int m = closest_of(s, v)[i];
		double max;

		if (m < 0 || !map_fits(s->in, s->parts, s->part_at[v], m) ||
		    (s->part_at[m] >= 0 && !map_fits(s->in, s->parts, s->part_at[m], v)))
			continue;
		book_swap(s, v, m);
		max = hybrid_look(&s->hybrid).mc;
		hybrid_settle(&s->hybrid, false);
		if (max < best->max)
			*best = (struct swap){v, m, i, max};
	}
}

static void enforce(struct refine *s, const struct swap *swap)
{
	int a = s->part_at[swap->a], b = s->part_at[swap->b];

	book_swap(s, swap->a, swap->b);
	hybrid_settle(&s->hybrid, true);
	s->part_at[swap->a] = b;
	s->part_at[swap->b] = a;
	s->node_of[a] = swap->b;
	if (b >= 0)
		s->node_of[b] = swap->a;
}

static void start(struct refine *s, struct routes *routes, const int *node_of_rank)
{
	const struct map_input *in = s->in;
	const struct map_parts *parts = s->parts;

	s->node_of = xmalloc((size_t)parts->nparts * sizeof(*s->node_of));
	s->part_at = xmalloc((size_t)in->nnodes * sizeof(*s->part_at));
	for (int v = 0; v < in->nnodes; v++)
		s->part_at[v] = -1;
	for (int r = 0; r < in->comm->nranks; r++)
		s->node_of[parts->part_of[r]] = node_of_rank[r];
	for (int p = 0; p < parts->nparts; p++)
		s->part_at[s->node_of[p]] = p;
	hybrid_init(&s->hybrid, routes, comm_unit(parts->comm));
	for (int p = 0; p < parts->nparts; p++)
		for (int64_t e = parts->comm->first[p]; e < parts->comm->first[p + 1]; e++)
			hybrid_book(&s->hybrid, s->node_of[p], s->node_of[parts->comm->peer[e]],
				    parts->comm->bytes[e]);
	hybrid_settle(&s->hybrid, true);
	find_closest(s);
}

/* One round: the best swap of all leaders, the first of equals by leader, then by closeness. */
static struct swap best_swap(struct refine *s)
{
	int link = max_link(s), n = s->in->nnodes;
	struct swap mine = {-1, -1, 0, hybrid_look(&s->hybrid).mc};
	struct team_offer best;

	for (int v = s->member; v < n && link >= 0; v += s->nmembers)
		if (is_candidate(s, v, link))
			try_leader(s, v, &mine);
	best = (struct team_offer){mine.max, -1};
	if (mine.a >= 0)
		best.number = ((int64_t)mine.a * s->k + mine.place) * n + mine.b;
	best = team_least(s->in->team, s->member, best);
	if (best.number < 0)
		return (struct swap){-1, -1, 0, 0};
	return (struct swap){(int)(best.number / n / s->k), (int)(best.number % n), 0, best.value};
}

/* What all members are given, and where the first one of a process puts the result. */
struct task {
	const struct map_input *in;
	const struct map_parts *parts;
	const struct comm *reverse;
	const struct pick *pick;
	int *node_of; /* [nranks] as it was */
	int *refined; /* [nranks] */
	struct map_refine_result *result;
};

static void refine(struct refine *s, const struct task *task)
{
	struct map_refine_result result = {0};

	while (result.nrounds < pick_int(task->pick, "rounds")) {
		struct swap best = best_swap(s);

		result.nrounds++;
		if (best.a < 0)
			break;
		enforce(s, &best);
		result.nmoves++;
	}
	if (!map_is_own(s->in, s->member))
		return;
	*task->result = result;
	for (int r = 0; r < s->in->comm->nranks; r++)
		task->refined[r] = s->node_of[s->parts->part_of[r]];
}

static int work(void *context, int member, struct err *err)
{
	const struct task *task = context;
	struct refine s = {
		.in = task->in,
		.parts = task->parts,
		.reverse = task->reverse,
		.member = member,
		.nmembers = team_nmembers(task->in->team),
		.both_ends = pick_is(task->pick, "ends", "both"),
		.k = (int)pick_int(task->pick, "k"),
	};
	struct map_routes routes;
	int status = map_routes_open(&routes, task->in, member, err);

	if (status == 0) {
		start(&s, routes.routes, task->node_of);
		refine(&s, task);
		hybrid_free(&s.hybrid);
	}
	map_routes_close(&routes);
	free(s.node_of);
	free(s.part_at);
	free(s.closest);
	return status;
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct map_refine_result *result, struct err *err)
{
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of);
	struct comm *reverse = comm_reversed(parts->comm);
	int *refined = xmalloc(size);
	struct task task = {in, parts, reverse, pick, node_of, refined, result};
	int status = team_run(in->team, work, &task, err);

	if (status == 0)
		memcpy(node_of, refined, size);
	comm_free(reverse);
	free(refined);
	return status;
}

const struct map_refiner map_refiner_ptram = {
	.entry =
		{
			.name = "ptram",
			.example = "ptram:k=7,rounds=10",
			.summary = "swap processes with those on the closest nodes: in "
				   "each round the swap that lowers the maximum "
				   "congestion most",
			.paper = "Mirsadeghi, Afsahi: PTRAM, Algorithm 2",
			.params =
				(const struct param[]){
					{.key = "k",
					 .type = PARAM_INT,
					 .min = 1,
					 .max = 1000,
					 .def = "7",
					 .meaning = "how many of the closest nodes a leader tries"},
					{.key = "rounds",
					 .type = PARAM_INT,
					 .min = 1,
					 .max = 1000000,
					 .def = "10",
					 .meaning = "maximum number of rounds"},
					{.key = "ends",
					 .type = PARAM_WORD,
					 .choices = "out|both",
					 .def = "out",
					 .meaning = "which messages on the most loaded link "
						    "make a process a candidate: those it "
						    "sends, or also those it receives"},
					{0}},
		},
	.wants_parts = true,
	.run = run,
};
