/* book.c - jobs that came with their nodes hold them until their end */
#include <stdlib.h>
#include <string.h>

#include "place/run/run.h"
#include "place/run/stock.h"
#include "place/run/whole_blocks.h"

struct booking {
	int node, job;
	int64_t start_ns, end_ns; /* INT64_MIN, INT64_MAX: open */
};

static int by_node_and_start(const void *a, const void *b)
{
	const struct booking *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	/* what takes no time has its nodes before another gets them */
	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* How a job that came with its nodes shares them. */
static struct share share_of(const struct run *run, const struct job *job)
{
	struct share how = {.is_whole = !job->is_shared};

	if (run->schedule->stock != NULL)
		stock_enter(run->schedule->stock, job, job->is_shared, job->partition,
			    job->partition != NULL ? strcspn(job->partition, ",") : 0, &how);
	return how;
}

/* Two bookings must not have one node at one time, unless both are of jobs that share their nodes;
 * the one that ends last gives the node back. */
static int check_bookings(struct run *run, struct booking *at, size_t n, struct err *err)
{
	int *holder = run->schedule->holder;
	size_t longest = 0; /* of this node so far */

	if (n > 1)
		qsort(at, n, sizeof(*at), by_node_and_start);
	for (size_t i = 0; i < n; i++) {
		const struct job *job = &run->jobs[at[i].job], *other;
		char name[TOPO_NAME];

		if (i == 0 || at[i].node != at[longest].node ||
		    at[i].start_ns >= at[longest].end_ns) {
			longest = i;
			holder[at[i].node] = at[i].job;
			continue;
		}
		other = &run->jobs[at[longest].job];
		if (share_of(run, job).is_whole || share_of(run, other).is_whole)
			return row_error(&job->row, err,
					 "jobs %s and %s have the node %s at the same time",
					 other->name, job->name,
					 topo_node_name(run->schedule->topo, at[i].node, name));
		if (at[i].end_ns >= at[longest].end_ns) {
			longest = i;
			holder[at[i].node] = at[i].job;
		}
	}
	return 0;
}

static int book_one(struct run *run, int i, struct err *err)
{
	const struct job *job = &run->jobs[i];
	struct outcome *outcome = &run->outcomes[i];
	struct machine *machine = &run->schedule->machine;
	struct lacking *lacking = run->schedule->lacking;
	bool is_partial;

	if (job_nodes_known(job, run->schedule->topo, &outcome->nodes, lacking, err) != 0)
		return -1;
	is_partial = lacking != NULL && lacking->is_met;
	if (lacking != NULL)
		lacking_count(lacking);
	outcome->is_placed = outcome->is_booked = outcome->is_decided = true;
	outcome->start_ns = job->start_ns;
	outcome->end_ns = job->end_ns != JOB_NO_TIME ? job->end_ns
						     : time_after(job->start_ns, job_length(job));
	for (size_t k = 0; k < outcome->nodes.n; k++)
		if (machine_is_idle(machine, outcome->nodes.at[k]))
			machine_take(machine, outcome->nodes.at[k]);
	if (run->schedule->is_sharing) {
		struct share how = share_of(run, job);

		/* which of its shares are those of the nodes that the machine has is not said */
		how.is_whole |= is_partial;
		stock_take(run->schedule->stock, job, i, outcome->nodes.at, (int)outcome->nodes.n,
			   &how);
	}
	run_note_end(run, i);
	return 0;
}

static int64_t booked_until(const struct run *run, int job)
{
	int64_t end_ns = run->outcomes[job].end_ns;

	return end_ns != JOB_NO_TIME ? end_ns : INT64_MAX;
}

/* One that nobody has, or that is given back before the job ends. */
static bool is_kept(const struct run *run, int job, int node)
{
	const struct schedule *schedule = run->schedule;
	int holder = schedule->holder[node];

	if (schedule->use[node] == NODE_AWAY || holder == job)
		return false;
	if (schedule->is_sharing) /* one that others have may have parts to give out */
		return true;
	if (holder < 0)
		return schedule->use[node] == NODE_IDLE;
	return booked_until(run, holder) < booked_until(run, job);
}

/* A job that has its blocks alone keeps the rest of them until its end. */
static void book_blocks(struct run *run, int job)
{
	struct schedule *schedule = run->schedule;
	int_vec *nodes = &run->outcomes[job].nodes;
	bool *is_used = whole_blocks_of(schedule->topo, nodes);
	size_t nown = nodes->n;

	for (int node = 0; node < schedule->topo->nnodes; node++) {
		if (!is_used[schedule->topo->router_of[node]] || !is_kept(run, job, node))
			continue;
		vec_push(nodes, node);
		schedule->holder[node] = job;
		if (machine_is_idle(&schedule->machine, node))
			machine_take(&schedule->machine, node);
	}
	if (schedule->is_sharing) {
		const struct share how = {.is_whole = true, .nrows = 1, .partition = -1};

		stock_take(schedule->stock, &run->jobs[job], job, &nodes->at[nown],
			   (int)(nodes->n - nown), &how);
	}
	free(is_used);
}

int run_book(struct run *run, struct err *err)
{
	VEC(struct booking) bookings = {0};
	int status = 0;

	for (int i = 0; i < run->n && status == 0; i++) {
		const struct outcome *outcome = &run->outcomes[i];

		if (run->jobs[i].nodelist == NULL)
			continue;
		status = book_one(run, i, err);
		arrays_come(&run->arrays, i);
		for (size_t k = 0; status == 0 && k < outcome->nodes.n; k++)
			vec_push(&bookings,
				 (struct booking){outcome->nodes.at[k], i, outcome->start_ns,
						  outcome->end_ns != JOB_NO_TIME ? outcome->end_ns
										 : INT64_MAX});
	}
	if (status == 0)
		status = check_bookings(run, bookings.at, bookings.n, err);
	free(bookings.at);
	if (run->schedule->is_sharing)
		stock_begin(run->schedule->stock);
	for (int i = 0; i < run->n && status == 0; i++)
		if (run->outcomes[i].is_booked && run->jobs[i].exclusive_topo)
			book_blocks(run, i);
	machine_forget(&run->schedule->machine);
	return status;
}
