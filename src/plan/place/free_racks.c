/* free_racks.c - which domains to free of their jobs, and where these go */
#include "place/free_racks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/out.h"
#include "machine/load.h"
#include "model/kinds.h"
#include "place/free_choice.h"
#include "place/policy/policy.h"

struct held_job {
	struct job job;
	int *nodes; /* [job.nnodes] as it has them; then as it gets them */
	int nnodes, nmoved;
	bool is_pinned, is_moved;
	char *old;
};

struct freeing {
	const struct free_options *options;
	struct topo *topo;
	struct table_in *in;
	struct job_columns columns;
	struct level_ref level;
	int k, ndomains;
	VEC(struct held_job) jobs;
	int *domain_of;       /* [nnodes] */
	int *holder;          /* [nnodes] its job; -1: idle */
	int *size, *busy;     /* [ndomains] nodes */
	bool *may, *is_freed; /* [ndomains] */
	/* what moving costs: items of domains */
	int *first, *item;
	int64_t *cost;
	struct pick pick;
	struct alloc alloc;
	struct machine machine;
	bool has_machine;
	bool by_nodes; /* what is to be least: nodes, not whole jobs */
};

/* ---- reading ---- */

static int read_asked(struct freeing *freeing, struct err *err)
{
	const char *text = freeing->options->domains, *colon = strrchr(text, ':');
	int64_t k;

	if (colon == NULL || num_int(colon + 1, 1, INT32_MAX, &k) != 0)
		return err_set(err, "--free: '%s': expected LEVEL:N, such as rack:4", text);
	freeing->k = (int)k;
	if (level_find(&freeing->level, freeing->topo, text, (size_t)(colon - text), err) != 0)
		return err_prefix(err, "--free: ");
	return 0;
}

static int hold_nodes(struct freeing *freeing, struct held_job *held, int_vec *nodes,
		      struct err *err)
{
	const struct job *job = &held->job;
	char text[TOPO_NAME];

	nodes->n = 0;
	if (job_nodes(job, freeing->topo, nodes, err) != 0)
		return -1;
	for (size_t i = 0; i < nodes->n; i++) {
		int *holder = &freeing->holder[nodes->at[i]];

		if (*holder >= 0)
			return row_error(&job->row, err,
					 "nodelist: job %s has %s, which job %s has: "
					 "expected jobs that run, each with nodes of its own",
					 job->name,
					 topo_node_name(freeing->topo, nodes->at[i], text),
					 freeing->jobs.at[*holder].job.name);
		*holder = (int)freeing->jobs.n;
	}
	held->nnodes = (int)nodes->n;
	held->nodes = xmalloc((nodes->n + 1) * sizeof(int));
	memcpy(held->nodes, nodes->at, nodes->n * sizeof(int));
	return 0;
}

static int read_jobs(struct freeing *freeing, struct err *err)
{
	int_vec nodes = {0};
	struct row row;
	int status;

	table_keep(freeing->in);
	table_unique(freeing->in);
	job_columns_bind(&freeing->columns, freeing->in);
	while ((status = table_next(freeing->in, &row, err)) == 1) {
		struct held_job held = {0};

		if (job_read(&held.job, &freeing->columns, &row, err) != 0) {
			status = -1;
			break;
		}
		if (held.job.nodelist == NULL ||
		    job_state_ended(row_text(&row, freeing->columns.state)))
			continue;
		if (hold_nodes(freeing, &held, &nodes, err) != 0) {
			status = -1;
			break;
		}
		vec_push(&freeing->jobs, held);
	}
	vec_free(&nodes);
	return status;
}

static int pin_jobs(struct freeing *freeing, struct err *err)
{
	for (int i = 0; freeing->options->keep != NULL && freeing->options->keep[i] != NULL; i++) {
		const char *name = freeing->options->keep[i];
		bool is_there = false;

		for (size_t j = 0; j < freeing->jobs.n; j++)
			if (str_eq(freeing->jobs.at[j].job.name, name))
				is_there = freeing->jobs.at[j].is_pinned = true;
		if (!is_there)
			return err_set(err, "--keep: no job %s runs", name);
	}
	return 0;
}

static int freeing_open(struct freeing *freeing, const struct run_context *context,
			const char *policy, char *const *paths, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};

	if (table_open(&freeing->in, kinds, paths, context->accepts_partial, err) != 0 ||
	    topo_resolve(&freeing->topo, context->topology, freeing->in, err) != 0 ||
	    read_asked(freeing, err) != 0)
		return -1;
	if (pick_parse(&freeing->pick, &alloc_policies, policy, err) != 0)
		return err_prefix(err, "--policy: ");
	if (((const struct alloc_policy *)freeing->pick.entry)->wants_traffic)
		return err_set(err, "--free: the policy %s needs --traffic: expected another one",
			       freeing->pick.entry->name);
	if (alloc_open(&freeing->alloc, &freeing->pick, freeing->topo, context->accepts_partial,
		       err) != 0)
		return -1;
	freeing->holder = xmalloc(((size_t)freeing->topo->nnodes + 1) * sizeof(int));
	for (int node = 0; node < freeing->topo->nnodes; node++)
		freeing->holder[node] = -1;
	if (read_jobs(freeing, err) != 0)
		return -1;
	return pin_jobs(freeing, err);
}

/* ---- what it costs ---- */

static void count_domains(struct freeing *freeing)
{
	size_t n;

	freeing->ndomains = level_count(&freeing->level);
	n = (size_t)freeing->ndomains + 1;
	freeing->domain_of = level_domains(&freeing->level);
	freeing->size = xcalloc(n, sizeof(int));
	freeing->busy = xcalloc(n, sizeof(int));
	freeing->may = xcalloc(n, sizeof(bool));
	freeing->is_freed = xcalloc(n, sizeof(bool));
	for (int node = 0; node < freeing->topo->nnodes; node++)
		if (freeing->domain_of[node] >= 0) {
			freeing->size[freeing->domain_of[node]]++;
			freeing->busy[freeing->domain_of[node]] += freeing->holder[node] >= 0;
		}
	for (int d = 0; d < freeing->ndomains; d++)
		freeing->may[d] = freeing->busy[d] > 0;
	for (int node = 0; node < freeing->topo->nnodes; node++)
		if (freeing->holder[node] >= 0 && freeing->domain_of[node] >= 0 &&
		    freeing->jobs.at[freeing->holder[node]].is_pinned)
			freeing->may[freeing->domain_of[node]] = false;
}

/* Items are the jobs of a domain, or all its busy nodes as one. */
static void list_items(struct freeing *freeing)
{
	bool by_nodes = freeing->by_nodes, by_jobs = str_eq(freeing->options->cost, "jobs");
	int ndomains = freeing->ndomains, n = 0, *first, *member;
	int *seen = xmalloc((freeing->jobs.n + 1) * sizeof(int));

	domain_members(freeing->domain_of, freeing->topo->nnodes, ndomains, &first, &member);
	freeing->first = xcalloc((size_t)ndomains + 1, sizeof(int));
	freeing->item = xmalloc(((size_t)freeing->topo->nnodes + 1) * sizeof(int));
	freeing->cost =
		xcalloc((by_nodes ? (size_t)ndomains : freeing->jobs.n) + 1, sizeof(int64_t));
	for (size_t j = 0; j < freeing->jobs.n; j++) {
		seen[j] = -1;
		if (!by_nodes)
			freeing->cost[j] = by_jobs ? 1 : freeing->jobs.at[j].nnodes;
	}
	for (int d = 0; d < ndomains; d++) {
		freeing->first[d] = n;
		if (by_nodes) {
			freeing->cost[d] = freeing->busy[d];
			freeing->item[n++] = d;
			continue;
		}
		for (int i = first[d]; i < first[d + 1]; i++) {
			int job = freeing->holder[member[i]];

			if (job >= 0 && seen[job] != d) {
				seen[job] = d;
				freeing->item[n++] = job;
			}
		}
	}
	freeing->first[ndomains] = n;
	free(first);
	free(member);
	free(seen);
}

/* ---- where the jobs go ---- */

static bool is_in_freed(const struct freeing *freeing, int node)
{
	return freeing->domain_of[node] >= 0 && freeing->is_freed[freeing->domain_of[node]];
}

/* Only the nodes that are freed are given up, unless the job asks something of all its nodes, or
 * is started again anyway. */
static bool keeps_rest(const struct freeing *freeing, const struct held_job *held)
{
	return freeing->by_nodes && held->job.segment == 0 && !domain_texts_any(&held->job.domains);
}

/* 1: it has others; 0: there are none. moved: those that it gets. */
static int move(struct freeing *freeing, struct held_job *held, int_vec *moved,
		const struct run_context *context, struct err *err)
{
	struct job job = held->job;
	struct alloc_request request = {
		.machine = &freeing->machine, .job = &job, .seed = context->seed};
	struct buf reason = {0};
	int status = 0;

	job.nnodes = keeps_rest(freeing, held) ? held->nmoved : held->nnodes;
	moved->n = 0;
	if (freeing->machine.nidle >= job.nnodes)
		status = freeing->alloc.policy->choose(&freeing->alloc, &request, moved, &reason,
						       err);
	/* what asks for nothing may have nodes that are in no domain at all */
	if (status == 0 && !domain_texts_any(&job.domains) && job.segment == 0 &&
	    freeing->machine.nidle >= job.nnodes) {
		while ((int)moved->n < job.nnodes)
			alloc_take(&request, machine_kth_idle(&freeing->machine, 0), moved);
		status = 1;
	}
	buf_free(&reason);
	return status;
}

static void take_over(const struct freeing *freeing, struct held_job *held, const int_vec *moved)
{
	struct buf old = {0};
	size_t next = 0;

	topo_nodelist_add(freeing->topo, held->nodes, (size_t)held->nnodes, &old);
	held->old = xstrdup(buf_text(&old));
	buf_free(&old);
	for (int i = 0; i < held->nnodes; i++)
		if (!keeps_rest(freeing, held) || is_in_freed(freeing, held->nodes[i]))
			held->nodes[i] = moved->at[next++];
}

/* The domains that are empty, or become so, are no place to go. */
static void make_machine(struct freeing *freeing)
{
	machine_init(&freeing->machine, freeing->topo);
	freeing->has_machine = true;
	for (int node = 0; node < freeing->topo->nnodes; node++) {
		int domain = freeing->domain_of[node];

		if (freeing->holder[node] >= 0 || (domain >= 0 && freeing->busy[domain] == 0))
			machine_take(&freeing->machine, node);
	}
	for (int i = 0; i < freeing->topo->nio; i++)
		for (int k = 0; freeing->topo->io[i].is_separate && k < freeing->topo->io[i].nnodes;
		     k++)
			if (freeing->topo->io[i].nodes != NULL &&
			    machine_is_idle(&freeing->machine, freeing->topo->io[i].nodes[k]))
				machine_take(&freeing->machine, freeing->topo->io[i].nodes[k]);
}

/* Jobs that have nodes in what is freed give them up. Those to move, the largest first. */
static void give_up(struct freeing *freeing, int_vec *order)
{
	order->n = 0;
	for (size_t j = 0; j < freeing->jobs.n; j++) {
		struct held_job *held = &freeing->jobs.at[j];
		size_t at = order->n;

		held->nmoved = 0;
		for (int i = 0; i < held->nnodes; i++)
			held->nmoved += is_in_freed(freeing, held->nodes[i]);
		if (held->nmoved == 0)
			continue;
		for (int i = 0; i < held->nnodes && !keeps_rest(freeing, held); i++)
			if (!is_in_freed(freeing, held->nodes[i]))
				machine_release(&freeing->machine, held->nodes[i]);
		vec_push(order, (int)j);
		for (; at > 0 && freeing->jobs.at[order->at[at - 1]].nnodes < held->nnodes; at--)
			order->at[at] = order->at[at - 1];
		order->at[at] = (int)j;
	}
	for (int node = 0; node < freeing->topo->nnodes; node++)
		if (is_in_freed(freeing, node) && machine_is_idle(&freeing->machine, node))
			machine_take(&freeing->machine, node);
}

/* The domains of a job that finds no nodes are left out. 1: all have nodes; 0: some have not. */
static int move_all(struct freeing *freeing, const struct run_context *context, struct err *err)
{
	size_t mark = machine_mark(&freeing->machine), done = 0;
	int_vec order = {0}, *moved;
	int status = 1;

	give_up(freeing, &order);
	moved = xcalloc(order.n + 1, sizeof(*moved));
	for (; done < order.n && status == 1; done++)
		status = move(freeing, &freeing->jobs.at[order.at[done]], &moved[done], context,
			      err);
	for (size_t i = 0; i < order.n && status == 1; i++) {
		take_over(freeing, &freeing->jobs.at[order.at[i]], &moved[i]);
		freeing->jobs.at[order.at[i]].is_moved = true;
	}
	if (status == 0) {
		const struct held_job *held = &freeing->jobs.at[order.at[done - 1]];

		for (int i = 0; i < held->nnodes; i++)
			if (is_in_freed(freeing, held->nodes[i]))
				freeing->may[freeing->domain_of[held->nodes[i]]] = false;
		machine_undo(&freeing->machine, mark);
	}
	for (size_t i = 0; i < order.n; i++)
		vec_free(&moved[i]);
	free(moved);
	vec_free(&order);
	return status;
}

/* The cost, or -1: no, -2: error. */
static int64_t plan(struct freeing *freeing, int64_t *bound, const struct run_context *context,
		    struct err *err)
{
	struct free_problem problem = {.ndomains = freeing->ndomains,
				       .nitems = freeing->by_nodes ? freeing->ndomains
								   : (int)freeing->jobs.n,
				       .first = freeing->first,
				       .item = freeing->item,
				       .cost = freeing->cost,
				       .size = freeing->size,
				       .may = freeing->may,
				       .k = freeing->k};
	int64_t cost, own_bound;
	int status = 0;

	for (int node = 0; node < freeing->topo->nnodes; node++) {
		int domain = freeing->domain_of[node];

		problem.room +=
			freeing->holder[node] < 0 && (domain < 0 || freeing->busy[domain] > 0);
	}
	make_machine(freeing);
	*bound = -1;
	do {
		cost = free_choose(&problem, freeing->is_freed, &own_bound);
		*bound = *bound < 0 ? own_bound : *bound;
		if (cost >= 0)
			status = move_all(freeing, context, err);
	} while (cost >= 0 && status == 0);
	return status < 0 ? -2 : cost;
}

/* ---- writing ---- */

static void write_rows(struct freeing *freeing, int64_t cost, int64_t bound, struct out *out,
		       bool whole)
{
	struct table_out *table = table_out_new(out, &kind_jobs);
	int nodelist, old, policy, n = 0;
	char number[NUM_TEXT], text[TOPO_NAME];
	struct buf list = {0};

	table_out_like(table, freeing->in);
	topo_record(freeing->topo, table);
	for (int d = 0; d < freeing->ndomains; d++)
		if (freeing->is_freed[d])
			buf_printf(&list, "%s%s", n++ > 0 ? "," : "",
				   level_domain_name(&freeing->level, d, text));
	table_out_meta(table, "freed", buf_text(&list));
	snprintf(number, sizeof(number), "%lld", (long long)cost);
	table_out_meta(table, "moved", number);
	snprintf(number, sizeof(number), "%lld", (long long)bound);
	table_out_meta(table, "bound", number);
	nodelist = table_out_column(table, "nodelist");
	policy = table_out_column(table, "policy");
	old = table_out_column(table, "old_nodelist");
	for (size_t j = 0; j < freeing->jobs.n; j++) {
		const struct held_job *held = &freeing->jobs.at[j];

		if (!held->is_moved)
			continue;
		buf_clear(&list);
		topo_nodelist_add(freeing->topo, held->nodes, (size_t)held->nnodes, &list);
		table_out_pass(table, &held->job.row);
		table_out_text(table, nodelist, buf_text(&list));
		table_out_text(table, policy, freeing->pick.entry->name);
		table_out_text(table, old, held->old);
		table_out_emit(table);
	}
	buf_free(&list);
	table_out_end(table, whole);
}

static void freeing_close(struct freeing *freeing)
{
	for (size_t j = 0; j < freeing->jobs.n; j++) {
		free(freeing->jobs.at[j].nodes);
		free(freeing->jobs.at[j].old);
	}
	vec_free(&freeing->jobs);
	if (freeing->has_machine)
		machine_free(&freeing->machine);
	if (freeing->alloc.policy != NULL)
		alloc_close(&freeing->alloc);
	if (freeing->pick.entry != NULL)
		pick_free(&freeing->pick);
	free(freeing->domain_of);
	free(freeing->holder);
	free(freeing->size);
	free(freeing->busy);
	free(freeing->may);
	free(freeing->is_freed);
	free(freeing->first);
	free(freeing->item);
	free(freeing->cost);
	topo_free(freeing->topo);
	table_close(freeing->in);
}

int free_racks_run(const struct run_context *context, const struct free_options *options,
		   const struct allocate_options *how, char *const *paths, struct err *err)
{
	struct freeing freeing = {.options = options, .by_nodes = str_eq(options->cost, "nodes")};
	struct out *out = NULL;
	int status;
	int64_t cost = -1, bound = 0;
	bool is_whole = true;

	if (how->queue != NULL || how->nconstraints > 0 || how->lists_candidates ||
	    how->nodes != NULL || how->idle != NULL || how->hosts != NULL || how->traffic != NULL ||
	    how->mapping != NULL || how->explains || how->replays || how->by_end ||
	    how->nahead > 0 || how->at_ns != JOB_NO_TIME)
		return err_set(err, "--free places no waiting jobs: only --cost, --keep, -t, -p "
				    "and -o go with it");
	status = freeing_open(&freeing, context, how->policy != NULL ? how->policy : "nested",
			      paths, err);
	if (status == 0) {
		count_domains(&freeing);
		list_items(&freeing);
		is_whole = table_is_whole(freeing.in);
		cost = plan(&freeing, &bound, context, err);
		status = cost == -2 ? -1 : 0;
	}
	if (status == 0 && cost == -1)
		warn("--free: no %d of the level %s can be freed: the jobs find no nodes elsewhere",
		     freeing.k, level_name(&freeing.level));
	if (status == 0 && cost >= 0) {
		status = out_open(&out, context->output, context->command, err);
		if (status == 0)
			write_rows(&freeing, cost, bound, out, is_whole);
	}
	status = out_finish(out, status, is_whole, err);
	freeing_close(&freeing);
	return status != 0 ? -1 : !is_whole ? EXIT_TROUBLE : cost < 0 ? EXIT_NO : EXIT_YES;
}
