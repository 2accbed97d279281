/* constraint_list.c - several constraints on one machine, and the policy's choice within what they
 * allow */
#include "place/constraint/constraint_list.h"

#include <stdlib.h>
#include <string.h>

/* In the order of their numbers. */
static void rank_by_number(struct constraint_list *list)
{
	for (int node = 0; node < list->space.topo->nnodes; node++)
		list->rank[node] = node;
}

int constraint_list_open(struct constraint_list *list, struct topo *topo, const char *const *texts,
			 int n, const char *routing, const bool *away, struct err *err)
{
	*list = (struct constraint_list){0};
	if (n > CONSTRAINTS_MOST)
		return err_set(err, "more than %d constraints", CONSTRAINTS_MOST);
	if (space_open(&list->space, topo, routing, away, err) != 0)
		return -1;
	list->rank = xmalloc((size_t)topo->nnodes * sizeof(*list->rank));
	rank_by_number(list);
	list->free = xmalloc((size_t)((topo->nnodes + 63) / 64) * sizeof(*list->free));
	failed_sets_open(&list->failed, topo->nnodes);
	for (; list->n < n; list->n++)
		if (pick_parse(&list->picks[list->n], &constraints, texts[list->n], err) != 0 ||
		    constraint_open(&list->at[list->n], &list->picks[list->n], &list->space, err) !=
			    0) {
			constraint_list_close(list);
			return err_prefix(err, "--constraint: ");
		}
	return 0;
}

void constraint_list_close(struct constraint_list *list)
{
	for (int i = 0; i < CONSTRAINTS_MOST; i++) {
		constraint_close(&list->at[i]);
		if (list->picks[i].entry != NULL)
			pick_free(&list->picks[i]);
	}
	if (list->space.topo != NULL)
		space_close(&list->space);
	free(list->rank);
	free(list->free);
	failed_sets_close(&list->failed);
	*list = (struct constraint_list){0};
}

/* ---- one attempt ---- */

/* The constraints that count in it, and the best of what was found. */
struct attempt {
	struct constraint_list *list;
	struct search search;
	unsigned counts; /* bits */
	unsigned soft;   /* of these, best effort now */
	int first;       /* whose regions are asked for */
	bool is_unknown; /* some check could not be made */
	int64_t best;    /* value; −1: nothing found */
	int_vec region;
	int (*visit)(void *context, const int *nodes, int n);
	void *context;
};

/* Whether the other constraints hold for a set. */
static bool others_hold(struct attempt *attempt, const int *nodes)
{
	for (int i = 0; i < attempt->list->n; i++) {
		struct constraint *constraint = &attempt->list->at[i];
		int holds;

		if ((attempt->counts >> i & 1) == 0 || i == attempt->first)
			continue;
		attempt->search.least_now = attempt->soft >> i & 1;
		holds = constraint->type->holds(constraint, &attempt->search, nodes);
		attempt->search.least_now = attempt->soft >> attempt->first & 1;
		if (holds < 0)
			attempt->is_unknown = true;
		if (holds != 1)
			return false;
	}
	return true;
}

static int keep_best(void *context, const int *nodes, int n)
{
	struct attempt *attempt = context;
	int64_t value;

	value = search_value(&attempt->search, nodes, n);
	if (value >= attempt->search.below)
		return 0;
	if (n == attempt->search.wanted && !others_hold(attempt, nodes))
		return 0;
	attempt->best = attempt->search.below = value;
	attempt->region.n = 0;
	for (int i = 0; i < n; i++)
		vec_push(&attempt->region, nodes[i]);
	return 0;
}

static int pass_on(void *context, const int *nodes, int n)
{
	struct attempt *attempt = context;

	return others_hold(attempt, nodes) ? attempt->visit(attempt->context, nodes, n) : 0;
}

static int find_any(void *context, const int *nodes, int n)
{
	struct attempt *attempt = context;

	(void)nodes;
	(void)n;
	attempt->best = 0;
	return 1;
}

static void set_up(struct attempt *attempt, const struct alloc_request *request,
		   const struct constraint_case *job_case)
{
	attempt->best = -1;
	attempt->search.machine = request->machine;
	attempt->search.attempt = ++attempt->list->nattempts;
	attempt->search.rank = attempt->list->rank;
	attempt->search.io = &job_case->io;
	attempt->search.running = job_case->running;
	attempt->search.nrunning = job_case->nrunning;
	attempt->search.context = attempt;
	attempt->first = -1;
	for (int i = 0; i < attempt->list->n; i++)
		if ((attempt->counts >> i & 1) &&
		    (attempt->first < 0 || attempt->list->at[i].type->turn <
						   attempt->list->at[attempt->first].type->turn))
			attempt->first = i;
	/* what is checked must be visited set by set; one constraint at least counts */
	attempt->search.wants_all = (attempt->counts & (attempt->counts - 1)) != 0;
	attempt->search.below = INT64_MAX;
	attempt->soft = job_case->soft & attempt->counts;
	attempt->search.least_now = attempt->soft >> attempt->first & 1;
}

static int run(struct attempt *attempt, int64_t steps)
{
	struct constraint *constraint = &attempt->list->at[attempt->first];
	int end;

	attempt->search.steps = steps;
	end = constraint->type->regions(constraint, &attempt->search);
	return attempt->is_unknown && end == SEARCH_ALL ? SEARCH_BOUND : end;
}

/* ---- the policy's order ---- */

/* Ranks the idle nodes; 0 with a reason, or -1, as the policy says for the job alone. */
static int rank_nodes(struct constraint_list *list, struct alloc *alloc,
		      const struct alloc_request *request, int_vec *nodes, struct buf *reason,
		      struct err *err)
{
	struct machine *machine = request->machine;
	struct alloc_request again = *request;
	struct job job = *request->job;
	size_t mark = machine_mark(machine);
	int status, rank = 0;

	if (alloc->policy->first != NULL) {
		alloc->policy->first(alloc, machine->idle.level[0], machine->nidle, nodes);
		for (size_t i = 0; i < nodes->n; i++)
			list->rank[nodes->at[i]] = rank++;
		return 1;
	}
	status = alloc_choose(alloc, request, nodes, reason, err);
	for (size_t i = 0; i < nodes->n; i++)
		list->rank[nodes->at[i]] = rank++;
	job.nnodes = machine->nidle;
	again.job = &job;
	if (status == 1 && job.nnodes > 0)
		status = alloc_choose(alloc, &again, nodes, reason, err) < 0 ? -1 : 1;
	else
		nodes->n = 0;
	for (size_t i = 0; i < nodes->n; i++)
		list->rank[nodes->at[i]] = rank++;
	/* a policy may refuse what is no job of its own */
	if (status == 1)
		for (int node = -1; (node = bitset_next(&machine->idle, node + 1)) >= 0;)
			list->rank[node] = rank++;
	machine_undo(machine, mark);
	return status;
}

/* The policy's choice in a region: the idle nodes outside of it are taken meanwhile. */
static int choose_inside(struct alloc *alloc, const struct alloc_request *request, const int *rank,
			 const int_vec *region, int_vec *nodes, struct buf *reason, struct err *err)
{
	struct machine *machine = request->machine;
	size_t mark = machine_mark(machine);
	bool *is_inside;
	int status;

	if (alloc->policy->first != NULL) {
		struct search search = {.rank = rank};

		for (size_t i = 0; i < region->n; i++)
			vec_push(nodes, region->at[i]);
		search_sort(&search, nodes->at, (int)nodes->n);
		nodes->n = (size_t)request->job->nnodes;
		if (!request->is_trial)
			machine_take_all(machine, nodes->at, nodes->n);
		return 1;
	}
	is_inside = xcalloc((size_t)machine->nnodes, sizeof(*is_inside));

	for (size_t i = 0; i < region->n; i++)
		is_inside[region->at[i]] = true;
	for (int node = -1; (node = bitset_next(&machine->idle, node + 1)) >= 0;)
		if (!is_inside[node])
			machine_take(machine, node);
	status = alloc_choose(alloc, request, nodes, reason, err);
	machine_undo(machine, mark);
	for (size_t i = 0; i < nodes->n; i++)
		machine_take(machine, nodes->at[i]);
	free(is_inside);
	return status;
}

/* ---- decisions ---- */

static void add_some(const struct constraint_list *list, unsigned counts, struct buf *text)
{
	const char *separator = "";

	for (int i = 0; i < list->n; i++)
		if (counts >> i & 1) {
			buf_printf(text, "%s%s", separator, list->picks[i].entry->name);
			separator = ", ";
		}
}

static void add_names(const struct attempt *attempt, struct buf *text)
{
	add_some(attempt->list, attempt->counts, text);
}

void constraint_list_say_none(const struct constraint_list *list, bool is_unsure, struct buf *text)
{
	add_some(list, (1U << list->n) - 1, text);
	buf_str(text, is_unsure ? ": unknown: bound reached" : ": no region");
}

/* The nodes that a job of n gets. */
static int pad(const struct attempt *attempt, int n)
{
	for (int i = 0; i < attempt->list->n; i++) {
		struct constraint *constraint = &attempt->list->at[i];

		if ((attempt->counts >> i & 1) && constraint->type->pad != NULL)
			n = constraint->type->pad(constraint, n);
	}
	return n;
}

static bool asks_local(const struct attempt *attempt)
{
	for (int i = 0; i < attempt->list->n; i++)
		if ((attempt->counts >> i & 1) && attempt->list->at[i].type->is_local)
			return true;
	return false;
}

static int say_none(const struct attempt *attempt, int end, struct buf *reason)
{
	bool all_count = attempt->counts == (1U << attempt->list->n) - 1;

	attempt->list->gave_up =
		end == SEARCH_BOUND && all_count && constraint_list_is_bounded(attempt->list);
	attempt->list->was_left_out = attempt->search.is_left_out;
	attempt->list->is_no = end == SEARCH_ALL && all_count;
	attempt->list->is_unsure = end == SEARCH_BOUND;
	buf_clear(reason);
	add_names(attempt, reason);
	buf_str(reason, end == SEARCH_ALL ? ": no region" : ": unknown: bound reached");
	return 0;
}

/* 1, 0 or -1, without a region: as constraint_type.fits, for all that count. */
static int ask_fits(const struct attempt *attempt)
{
	const uint64_t *idle = attempt->search.machine->idle.level[0];
	int fits = (attempt->counts & (attempt->counts - 1)) == 0 ? 1 : -1;

	if (attempt->search.io->wanted != 0)
		return -1;
	for (int i = 0; i < attempt->list->n; i++) {
		struct constraint *constraint = &attempt->list->at[i];
		int status = -1;

		if ((attempt->counts >> i & 1) == 0)
			continue;
		if (constraint->type->fits != NULL &&
		    !(constraint->type->is_least && (attempt->soft >> i & 1)))
			status = constraint->type->fits(constraint, idle, attempt->search.wanted);
		if (status == 0)
			return 0;
		fits = status < 0 ? -1 : fits;
	}
	return fits;
}

/*
 * Whether all that counts is the idle nodes and how many are asked for, of constraints that search
 * long, under a policy with one order: what failed does so again.
 */
static bool is_kept(const struct attempt *attempt, const struct alloc *alloc)
{
	const struct constraint_list *list = attempt->list;

	if (attempt->counts != (1U << list->n) - 1 || attempt->soft != 0 ||
	    attempt->search.io->wanted != 0 || alloc->policy->first == NULL)
		return false;
	for (int i = 0; i < list->n; i++)
		if (list->at[i].type->reads_running)
			return false;
	return constraint_list_is_bounded(list);
}

/* How a search failed before for so many of the same idle nodes or, on large machines, of more;
 * SEARCH_STOP: that is not known. */
static int failed_before(struct attempt *attempt)
{
	const struct machine *machine = attempt->search.machine;
	bool is_large = constraint_list_is_large(attempt->list);

	switch (failed_sets_find(&attempt->list->failed, machine->idle.level[0],
				 attempt->search.wanted)) {
	case FAILED_SURE:
		return SEARCH_ALL;
	case FAILED_SAME:
		attempt->search.is_left_out = is_large;
		return SEARCH_BOUND;
	case FAILED_WITHIN:
		attempt->search.is_left_out = is_large;
		return is_large ? SEARCH_BOUND : SEARCH_STOP;
	case FAILED_UNKNOWN:
		break;
	}
	return SEARCH_STOP;
}

static int say_failed(struct attempt *attempt, const struct alloc *alloc, int end,
		      struct buf *reason)
{
	if (is_kept(attempt, alloc))
		failed_sets_add(&attempt->list->failed, attempt->search.machine->idle.level[0],
				attempt->search.wanted, end == SEARCH_ALL);
	return say_none(attempt, end, reason);
}

static int try_one(struct attempt *attempt, struct alloc *alloc,
		   const struct alloc_request *request, const struct constraint_case *job_case,
		   int_vec *nodes, struct buf *reason, struct err *err)
{
	struct alloc_request padded = *request;
	struct job job = *request->job;
	int status, end, fits;

	set_up(attempt, request, job_case);
	job.nnodes = pad(attempt, job.nnodes);
	padded.job = &job;
	attempt->search.wanted = job.nnodes;
	fits = ask_fits(attempt);
	if (fits == 0)
		return say_none(attempt, SEARCH_ALL, reason);
	end = fits < 0 && is_kept(attempt, alloc) ? failed_before(attempt) : SEARCH_STOP;
	if (end != SEARCH_STOP)
		return say_none(attempt, end, reason);
	if (attempt->list->at[attempt->first].type->is_quick && !attempt->search.wants_all &&
	    fits < 0) {
		attempt->search.visit = find_any;
		rank_by_number(attempt->list);
		end = run(attempt, SEARCH_STEPS);
		if (attempt->best < 0)
			return say_failed(attempt, alloc, end, reason);
		attempt->best = -1;
	}
	attempt->search.visit = keep_best;
	status = rank_nodes(attempt->list, alloc, &padded, nodes, reason, err);
	if (status != 1) {
		nodes->n = 0;
		return status;
	}
	end = run(attempt, SEARCH_STEPS);
	buf_clear(reason);
	nodes->n = 0;
	if (attempt->best < 0)
		return say_failed(attempt, alloc, end, reason);
	status = choose_inside(alloc, &padded, attempt->list->rank, &attempt->region, nodes, reason,
			       err);
	attempt->list->is_unsure = status == 0; /* other regions were not asked about */
	return status;
}

/* I/O nodes that are not free now keep a job waiting wherever its nodes are. */
static bool has_io(const struct constraint_list *list, const struct io_request *io,
		   struct buf *reason)
{
	int n = io->npinned > 0 ? io->npinned : list->space.npoints, nfree = 0;

	for (int i = 0; i < n; i++)
		nfree += io_is_free(&list->space, io, io->npinned > 0 ? io->pinned[i] : i);
	if (nfree >= io->wanted)
		return true;
	buf_printf(reason, "%d I/O nodes requested, %d of %s free", io->wanted, nfree,
		   io->npinned > 0 ? "them" : "all");
	return false;
}

/* Lets go of the last soft one that counts; false: there is none. */
static bool relax(unsigned *counts, unsigned soft)
{
	for (int i = CONSTRAINTS_MOST - 1; i >= 0; i--)
		if (*counts & soft & 1U << i) {
			*counts &= ~(1U << i);
			return true;
		}
	return false;
}

/* What was tried before, and the next reason. */
static void note(struct buf *text, const char *what)
{
	buf_printf(text, "%s%s", text->n > 0 && what[0] != '\0' ? "; " : "", what);
}

/* Attempts with fewer and fewer constraints; text collects the reasons. */
static int try_all(struct constraint_list *list, struct alloc *alloc,
		   const struct alloc_request *request, const struct constraint_case *job_case,
		   int_vec *nodes, bool *local, struct buf *text, struct err *err)
{
	struct buf reason = {0};
	unsigned counts = (1U << list->n) - 1;
	int status = 0;
	bool again;

	do {
		struct attempt attempt = {.list = list, .counts = counts};

		list->is_unsure = false;
		*local = asks_local(&attempt);
		status = counts == 0
				 ? alloc_choose(alloc, request, nodes, &reason, err)
				 : try_one(&attempt, alloc, request, job_case, nodes, &reason, err);
		if (status == 1 && counts != 0) {
			note(text, "kept ");
			add_names(&attempt, text);
		}
		note(text, buf_text(&reason));
		free(attempt.region.at);
		again = status == 0 && relax(&counts, job_case->soft);
		if (again)
			buf_str(text, ", let go");
	} while (again);
	buf_free(&reason);
	return status;
}

int constraint_list_choose(struct constraint_list *list, struct alloc *alloc,
			   const struct alloc_request *request,
			   const struct constraint_case *job_case, int_vec *nodes, int_vec *points,
			   struct buf *reason, struct err *err)
{
	bool local = false;
	int status;

	points->n = nodes->n = 0;
	list->is_no = list->gave_up = list->was_left_out = list->is_unsure = false;
	buf_clear(reason);
	if (request->job->nnodes > request->machine->nidle) {
		buf_printf(reason, "%d nodes requested, %d idle", request->job->nnodes,
			   request->machine->nidle);
		return 0;
	}
	if (!has_io(list, &job_case->io, reason))
		return 0;
	status = try_all(list, alloc, request, job_case, nodes, &local, reason, err);
	if (status == 1 &&
	    !io_choose(&list->space, &job_case->io, nodes->at, (int)nodes->n, local, points))
		return err_set(err, "job %s: its I/O nodes were there, and are not any more",
			       request->job->name);
	return status;
}

/* Without a constraint any idle nodes will do. */
static int all_idle(struct constraint_list *list, const struct alloc_request *request,
		    int64_t steps, int (*visit)(void *context, const int *nodes, int n),
		    void *context)
{
	struct search search = {.machine = request->machine,
				.wanted = request->job->nnodes,
				.rank = list->rank,
				.wants_all = true,
				.steps = steps,
				.visit = visit,
				.context = context};
	int_vec nodes = {0};
	int end;

	for (int node = -1; (node = bitset_next(&request->machine->idle, node + 1)) >= 0;)
		vec_push(&nodes, node);
	end = search_any(&search, nodes.at, (int)nodes.n);
	free(nodes.at);
	return end;
}

int constraint_list_all(struct constraint_list *list, const struct alloc_request *request,
			const struct constraint_case *job_case, int64_t steps,
			int (*visit)(void *context, const int *nodes, int n), void *context)
{
	struct attempt attempt = {
		.list = list, .counts = (1U << list->n) - 1, .visit = visit, .context = context};

	for (int node = 0; node < request->machine->nnodes; node++)
		list->rank[node] = node;
	if (list->n == 0)
		return all_idle(list, request, steps, visit, context);
	set_up(&attempt, request, job_case);
	attempt.search.wants_all = true;
	attempt.search.wanted = pad(&attempt, request->job->nnodes);
	attempt.search.visit = pass_on;
	return run(&attempt, steps);
}
