/* stock.c - the CPUs, GPUs and memory of nodes, and which jobs have which part of them */
#include "place/run/stock.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "model/per_node.h"

struct stock *stock_new(int nnodes)
{
	struct stock *stock = xcalloc(1, sizeof(*stock));

	stock->nnodes = nnodes;
	stock->nodes = xcalloc((size_t)nnodes + 1, sizeof(*stock->nodes));
	for (int i = 0; i < nnodes; i++) {
		stock->nodes[i].cpus = stock->nodes[i].memory = STOCK_UNKNOWN;
		stock->nodes[i].gpus = STOCK_UNKNOWN;
	}
	return stock;
}

void stock_free(struct stock *stock)
{
	if (stock == NULL)
		return;
	for (int i = 0; i < stock->nnodes; i++) {
		vec_free(&stock->nodes[i].types);
		vec_free(&stock->nodes[i].of);
	}
	free(stock->nodes);
	map_free(&stock->types);
	sharings_free(&stock->sharings);
	free(stock);
}

/* ---- what nodes have ---- */

static int type_id(struct stock *stock, const char *name, size_t n)
{
	int id = (int)map_add(&stock->types, name, n, stock->ntypes);

	stock->ntypes += id == stock->ntypes;
	return id;
}

/* Types without their numbers may be as many as there are GPUs: their sum is what counts. */
void stock_set_gpus(struct stock *stock, int node, int64_t gpus, const char *gpu_type)
{
	struct stock_node *at = &stock->nodes[node];

	at->gpus = gpus;
	while (gpu_type != NULL && *gpu_type != '\0') {
		size_t n = strcspn(gpu_type, ","), name = n;
		int64_t count = gpus;
		char digits[24];

		for (size_t i = 0; i < n; i++)
			if (gpu_type[i] == ':')
				name = i;
		if (name < n && n - name < sizeof(digits)) {
			memcpy(digits, gpu_type + name + 1, n - name - 1);
			digits[n - name - 1] = '\0';
			if (num_int(digits, 0, gpus, &count) != 0) {
				count = gpus;
				name = n;
			}
		}
		vec_push(&at->types, (struct gpu_count){type_id(stock, gpu_type, name), count});
		gpu_type += n + (gpu_type[n] == ',');
	}
}

void stock_ready(struct stock *stock, const bool *is_away)
{
	bool has_gpus = false;

	for (int i = 0; i < stock->nnodes; i++)
		has_gpus |= stock->nodes[i].gpus != STOCK_UNKNOWN;
	stock->least =
		(struct share){STOCK_UNKNOWN, STOCK_UNKNOWN, STOCK_UNKNOWN, GPU_ANY, true, 1, -1};
	for (int i = 0; i < stock->nnodes; i++) {
		struct stock_node *node = &stock->nodes[i];

		/* a list that names GPUs at all has none where it names none */
		if (has_gpus && node->gpus == STOCK_UNKNOWN)
			node->gpus = 0;
		if (is_away[i])
			continue;
		if (node->cpus < stock->least.cpus)
			stock->least.cpus = node->cpus;
		if (node->gpus < stock->least.gpus)
			stock->least.gpus = node->gpus;
		if (node->memory < stock->least.memory)
			stock->least.memory = node->memory;
	}
}

/* ---- what jobs ask for ---- */

/* The most of a list; else an even part of the total, rounded up. */
static int most_of(const struct job *job, const char *list, const char *name, int64_t total,
		   int64_t *most, struct err *err)
{
	int64_t *numbers;
	int status;

	*most = per_node_of(total, job->nnodes, 0);
	if (list == NULL)
		return 0;
	numbers = xmalloc((size_t)job->nnodes * sizeof(*numbers));
	status = per_node_read(list, numbers, job->nnodes, err);
	for (int i = 0; i < job->nnodes && status == 0; i++)
		*most = i == 0 || numbers[i] > *most ? numbers[i] : *most;
	free(numbers);
	return status == 0 ? 0
			   : err_prefix(err, "%s:%ld: %s: ", job->row.file, job->row.line, name);
}

static int gpu_type_of(const struct stock *stock, const char *type)
{
	int64_t id;

	if (type == NULL || strchr(type, ',') != NULL)
		return GPU_ANY;
	id = map_get(&stock->types, type, strcspn(type, ":"));
	if (strchr(type, ':') != NULL && id < 0)
		id = map_get(&stock->types, type, strlen(type));
	return id >= 0 ? (int)id : GPU_UNKNOWN;
}

int stock_request(const struct stock *stock, const struct job *job, struct share *share,
		  struct err *err)
{
	*share = (struct share){.is_whole = !job->asks_share, .nrows = 1, .partition = -1};
	if (most_of(job, job->cpus_per_node, "cpus_per_node", job->cpus, &share->cpus, err) != 0 ||
	    most_of(job, job->gpus_per_node, "gpus_per_node", job->gpus, &share->gpus, err) != 0 ||
	    most_of(job, job->memory_per_node, "memory_per_node_bytes", job->memory_bytes,
		    &share->memory, err) != 0)
		return -1;
	if (job->nodes_max > 0) /* each has one task at least */
		share->cpus = job->cpus_per_task;
	share->gpu_type = gpu_type_of(stock, job->gpu_type);
	return 0;
}

void stock_enter(const struct stock *stock, const struct job *job, bool may_share,
		 const char *partition, size_t n, struct share *share)
{
	int id = partition != NULL ? sharings_find(&stock->sharings, partition, n) : -1;
	struct sharing sharing =
		id >= 0 ? stock->sharings.of.at[id] : (struct sharing){SHARING_NO, 1};
	bool is_forced = sharing.kind == SHARING_FORCE && sharing.njobs > 1 && !job->exclusive_topo;

	share->is_whole = sharing.kind == SHARING_EXCLUSIVE || (!may_share && !is_forced);
	share->nrows = is_forced || (sharing.kind == SHARING_YES && job->accepts_others &&
				     !share->is_whole)
			       ? sharing.njobs
			       : 1;
	share->partition = id;
	if (!share->is_whole && share->cpus == 0)
		share->cpus = 1;
}

bool stock_may_share(const struct stock *stock, const struct job *job)
{
	struct share share = {0};

	if (job->partition == NULL || stock->sharings.of.n == 0)
		return job->asks_share;
	for (const char *name = job->partition; *name != '\0'; name += *name == ',') {
		size_t n = strcspn(name, ",");

		stock_enter(stock, job, job->asks_share, name, n, &share);
		if (!share.is_whole)
			return true;
		name += n;
	}
	return false;
}

bool stock_serves_all(const struct stock *stock, const struct share *share)
{
	return share->is_whole && share->cpus <= stock->least.cpus &&
	       share->memory <= stock->least.memory && share->gpus == 0;
}

/* ---- what there is room for ---- */

static int64_t of_type(const struct stock_node *node, int type)
{
	int64_t n = 0;

	for (size_t i = 0; i < node->types.n; i++)
		if (node->types.at[i].type == type)
			n += node->types.at[i].n;
	return n;
}

/* Whether the node has this beside what is in use; GPUs in use of no known type may be of any. */
static bool fits(const struct stock_node *node, const struct share *share, const struct share *used,
		 int64_t used_of_type)
{
	if ((node->cpus != STOCK_UNKNOWN && used->cpus + share->cpus > node->cpus) ||
	    (node->memory != STOCK_UNKNOWN && used->memory + share->memory > node->memory))
		return false;
	if (share->gpus == 0 || node->gpus == STOCK_UNKNOWN)
		return true;
	if (share->gpu_type == GPU_UNKNOWN || used->gpus + share->gpus > node->gpus)
		return false;
	return share->gpu_type == GPU_ANY ||
	       used_of_type + share->gpus <= of_type(node, share->gpu_type);
}

bool stock_serves(const struct stock *stock, int node, const struct share *share)
{
	static const struct share nothing = {.gpu_type = GPU_ANY};

	return fits(&stock->nodes[node], share, &nothing, 0);
}

bool stock_is_open(const struct stock *stock, int node)
{
	const struct stock_node *at = &stock->nodes[node];

	return at->of.n > 0 ? !at->of.at[0].share.is_whole : at->is_held && at->is_open;
}

static bool stays(const struct stock *stock, int job, int64_t time_ns)
{
	/* one that runs beyond its plan ends in the next instant; who has no number stays */
	return job < 0 || stock->planned_end == NULL || *stock->now_ns >= time_ns ||
	       stock->planned_end[job] > time_ns;
}

/* Whether a job may be beside one on a node: jobs whose CPUs others may have are not among jobs
 * that have theirs alone, as in Slurm, but for such of their own partition that came later. */
static bool may_be_beside(const struct share *share, const struct share *other)
{
	if (share->is_whole || other->is_whole)
		return false;
	if (other->cpus == 0) /* suspended */
		return true;
	if (share->nrows > 1)
		return other->nrows > 1;
	return other->nrows <= 1 || other->partition == share->partition;
}

/* The fullest row with room for the CPUs; -1: none has. base: CPUs that count in every row. */
static int find_row(const struct stock *stock, int node, const struct share *share, int64_t base,
		    int64_t time_ns)
{
	const struct stock_node *at = &stock->nodes[node];
	int best = -1;
	int64_t most = 0;

	for (int row = 0; row < share->nrows; row++) {
		int64_t used = base;

		for (size_t i = 0; i < at->of.n; i++)
			if (at->of.at[i].share.partition == share->partition &&
			    at->of.at[i].row == row && stays(stock, at->of.at[i].job, time_ns))
				used += at->of.at[i].share.cpus;
		if (used + share->cpus <= at->cpus && (best < 0 || used > most)) {
			best = row;
			most = used;
		}
	}
	return best;
}

bool stock_has_room(const struct stock *stock, int node, const struct share *share, int64_t time_ns)
{
	const struct stock_node *at = &stock->nodes[node];
	struct share used = at->others, rest = *share;
	int64_t used_of_type = at->others.gpus;

	for (size_t i = 0; i < at->of.n; i++) {
		const struct share *other = &at->of.at[i].share;

		if (!stays(stock, at->of.at[i].job, time_ns))
			continue;
		if (at->cpus == STOCK_UNKNOWN || !may_be_beside(share, other))
			return false;
		if (share->nrows == 1 || other->partition != share->partition)
			used.cpus += other->cpus;
		used.gpus += other->gpus;
		used.memory += other->memory;
		if (other->gpu_type == share->gpu_type ||
		    (other->gpu_type == GPU_ANY && at->types.n > 1))
			used_of_type += other->gpus;
	}
	if (share->nrows > 1 && at->cpus != STOCK_UNKNOWN) {
		if (find_row(stock, node, share, used.cpus, time_ns) < 0)
			return false;
		rest.cpus = 0;
	}
	return fits(at, &rest, &used, used_of_type);
}

bool stock_is_free_at(const struct stock *stock, int node, int64_t time_ns)
{
	const struct stock_node *at = &stock->nodes[node];

	for (size_t i = 0; i < at->of.n; i++)
		if (stays(stock, at->of.at[i].job, time_ns))
			return false;
	return !at->is_held;
}

/* ---- who has what ---- */

/* Of each node by the list, else evenly. numbers [n] */
static void spread(const char *list, int64_t total, int64_t *numbers, int n)
{
	struct err err;

	if (list != NULL && per_node_read(list, numbers, n, &err) == 0)
		return;
	for (int i = 0; i < n; i++)
		numbers[i] = per_node_of(total, n, i);
}

/* GPUs of any type come from the one type the node has. */
static int only_type(const struct stock_node *node, int type)
{
	return type == GPU_ANY && node->types.n == 1 ? node->types.at[0].type : type;
}

int64_t stock_tasks(const struct stock *stock, int node, const struct job *job,
		    const struct share *share, int64_t time_ns)
{
	int64_t low = 0, high = job->tasks;

	if (job->tasks_per_node > 0 && job->tasks_per_node < high)
		high = job->tasks_per_node;
	while (stock != NULL && low < high) {
		struct share more = *share;
		int64_t middle = low + (high - low + 1) / 2;

		more.cpus = middle * job->cpus_per_task;
		if (share->is_whole ? stock_serves(stock, node, &more)
				    : stock_has_room(stock, node, &more, time_ns))
			low = middle;
		else
			high = middle - 1;
	}
	return stock != NULL ? low : high;
}

void stock_deal(const struct stock *stock, const struct job *job, const struct share *share,
		const int *nodes, int n, int64_t *cpus)
{
	int64_t left = job->tasks;

	for (int i = 0; i < n; i++) {
		int64_t tasks = stock_tasks(stock, nodes[i], job, share, INT64_MIN);

		if (tasks > left - (n - 1 - i)) /* the others have one each */
			tasks = left - (n - 1 - i);
		tasks = tasks > 0 ? tasks : 1;
		cpus[i] = tasks * job->cpus_per_task;
		left -= tasks;
	}
}

/* The row of a job's CPUs: where there is room, else the first. */
static int row_of(const struct stock *stock, int node, const struct share *share)
{
	const struct stock_node *at = &stock->nodes[node];
	int64_t base = at->others.cpus;
	int row;

	if (share->nrows <= 1)
		return 0;
	for (size_t i = 0; i < at->of.n; i++)
		if (at->of.at[i].share.partition != share->partition)
			base += at->of.at[i].share.cpus;
	row = find_row(stock, node, share, base, INT64_MIN);
	return row >= 0 ? row : 0;
}

void stock_take(struct stock *stock, const struct job *job, int number, const int *nodes, int n,
		const struct share *how)
{
	int64_t *cpus = xmalloc(3 * (size_t)n * sizeof(*cpus) + 1), *gpus = cpus + n,
		*memory = gpus + n;
	int type = gpu_type_of(stock, job->gpu_type);

	if (job->nodes_max > 0 && job->cpus_per_node == NULL)
		stock_deal(stock, job, how, nodes, n, cpus);
	else
		spread(job->cpus_per_node, job->cpus, cpus, n);
	spread(job->gpus_per_node, job->gpus, gpus, n);
	spread(job->memory_per_node, job->memory_bytes, memory, n);
	for (int i = 0; i < n; i++) {
		struct stock_node *node = &stock->nodes[nodes[i]];
		struct share share = *how;
		int row;

		share.cpus = job->is_suspended ? 0 : cpus[i] > 0 ? cpus[i] : 1;
		share.gpus = gpus[i];
		share.memory = memory[i];
		share.gpu_type = only_type(node, type);
		row = row_of(stock, nodes[i], &share);
		vec_push(&node->of, (struct holding){number, share, row});
	}
	free(cpus);
}

void stock_give_back(struct stock *stock, int number, const int *nodes, int n)
{
	for (int i = 0; i < n; i++) {
		struct stock_node *node = &stock->nodes[nodes[i]];

		for (size_t k = 0; k < node->of.n; k++)
			if (node->of.at[k].job == number) {
				memmove(&node->of.at[k], &node->of.at[k + 1],
					(node->of.n - k - 1) * sizeof(*node->of.at));
				node->of.n--;
				break;
			}
		/* what was in use besides is given back with the last job of a node */
		if (node->of.n == 0 && !node->is_held)
			node->others = (struct share){.gpu_type = GPU_ANY};
	}
}

void stock_renumber(struct stock *stock, const int *number_of)
{
	for (int node = 0; node < stock->nnodes; node++)
		for (size_t k = 0; k < stock->nodes[node].of.n; k++)
			stock->nodes[node].of.at[k].job =
				number_of[stock->nodes[node].of.at[k].job];
}

int stock_holder(const struct stock *stock, int node)
{
	const struct stock_node *at = &stock->nodes[node];

	return at->of.n > 0 ? at->of.at[at->of.n - 1].job : -1;
}

static int64_t rest(int64_t told, int64_t known)
{
	return told > known ? told - known : 0;
}

void stock_begin(struct stock *stock)
{
	for (int i = 0; i < stock->nnodes; i++) {
		struct stock_node *node = &stock->nodes[i];
		struct share known = {0};

		for (size_t k = 0; k < node->of.n; k++) {
			known.cpus += node->of.at[k].share.cpus;
			known.gpus += node->of.at[k].share.gpus;
			known.memory += node->of.at[k].share.memory;
		}
		node->others = (struct share){.cpus = rest(node->told.cpus, known.cpus),
					      .gpus = rest(node->told.gpus, known.gpus),
					      .memory = rest(node->told.memory, known.memory),
					      .gpu_type = GPU_ANY};
		node->is_held = node->is_busy && node->of.n == 0;
	}
}

void stock_end(struct stock *stock)
{
	for (int i = 0; i < stock->nnodes; i++)
		stock->nodes[i].of.n = 0;
	stock->planned_end = stock->now_ns = NULL;
}
