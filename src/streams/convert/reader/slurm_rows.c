/* slurm_rows.c - a job and a node as any of Slurm's commands report them, put into rows */
#include "convert/reader/slurm_rows.h"

#include <string.h>

#include "formats/hostlist.h"
#include "model/job.h"

static int count_one(void *context, const char *name, size_t n, struct err *err)
{
	(void)name;
	(void)n;
	(void)err;
	++*(int64_t *)context;
	return 0;
}

int64_t slurm_count_nodes(const char *list)
{
	struct err why;
	int64_t nnodes = 0;

	if (list == NULL || hostlist_walk(list, count_one, &nnodes, &why) != 0)
		return 0;
	return nnodes;
}

void slurm_job_clear(struct slurm_job *job)
{
	*job = (struct slurm_job){.nodes = -1,
				  .tasks = -1,
				  .segment = -1,
				  .submit_ns = SLURM_NO_TIME,
				  .eligible_ns = SLURM_NO_TIME,
				  .start_ns = SLURM_NO_TIME,
				  .end_ns = SLURM_NO_TIME,
				  .runtime_ns = SLURM_NO_TIME,
				  .walltime_ns = SLURM_NO_TIME};
	slurm_asks_clear(&job->asks);
	slurm_tres_clear(&job->tres);
}

void slurm_job_declare(struct slurm_job_columns *columns, struct flow *flow)
{
	columns->job = flow_column(flow, "job");
	columns->submit = flow_column(flow, "submit_s");
	columns->eligible = flow_column(flow, "eligible_s");
	columns->depends = flow_column(flow, "depends");
	columns->nodes = flow_column(flow, "nodes");
	columns->tasks = flow_column(flow, "tasks");
	columns->runtime = flow_column(flow, "runtime_s");
	columns->walltime = flow_column(flow, "walltime_s");
	columns->app = flow_column(flow, "app");
	columns->user = flow_column(flow, "user");
	columns->account = flow_column(flow, "account");
	columns->partition = flow_column(flow, "partition");
	columns->cpus = flow_column(flow, "cpus");
	columns->gpus = flow_column(flow, "gpus");
	columns->gpu_type = flow_column(flow, "gpu_type");
	columns->memory = flow_column(flow, "memory_bytes");
	columns->cpus_per_node = flow_column(flow, "cpus_per_node");
	columns->gpus_per_node = flow_column(flow, "gpus_per_node");
	columns->memory_per_node = flow_column(flow, "memory_per_node_bytes");
	columns->features = flow_column(flow, "features");
	slurm_asks_declare(&columns->asks, flow);
	columns->reservation = flow_column(flow, "reservation");
	columns->segment = flow_column(flow, "segment");
	columns->het_job = flow_column(flow, "het_job");
	columns->state = flow_column(flow, "state");
	columns->reason = flow_column(flow, "state_reason");
	columns->start = flow_column(flow, "start_s");
	columns->end = flow_column(flow, "end_s");
	columns->nodelist = flow_column(flow, "nodelist");
}

static void put_int(struct flow *flow, int column, int64_t number)
{
	if (number >= 0)
		flow_int(flow, column, number);
}

static void put_real(struct flow *flow, int column, double number)
{
	if (number >= 0)
		flow_real(flow, column, number);
}

static void put_time(struct flow *flow, int column, int64_t ns)
{
	if (ns != SLURM_NO_TIME)
		flow_seconds(flow, column, ns);
}

bool slurm_is_withdrawn(const char *state, const char *nodelist, int64_t start_ns, int64_t end_ns)
{
	return state != NULL && job_state_ended(state) && nodelist == NULL &&
	       (start_ns == SLURM_NO_TIME || end_ns == SLURM_NO_TIME || start_ns >= end_ns);
}

static void put_times(const struct slurm_job *job, const struct slurm_job_columns *columns,
		      struct flow *flow)
{
	bool has_begun = job->state == NULL || !str_eq(job->state, "pending");
	bool has_ended = has_begun && (job->state == NULL || (!str_eq(job->state, "running") &&
							      !str_eq(job->state, "suspended")));

	put_time(flow, columns->submit, job->submit_ns);
	if (job->eligible_ns > job->submit_ns &&
	    !(job->end_ns != SLURM_NO_TIME && has_ended && job->end_ns < job->eligible_ns) &&
	    !(has_begun && job->start_ns != SLURM_NO_TIME && job->start_ns < job->eligible_ns))
		put_time(flow, columns->eligible, job->eligible_ns);
	put_time(flow, columns->walltime, job->walltime_ns);
	if (slurm_is_withdrawn(job->state, job->nodelist, job->start_ns, job->end_ns)) {
		put_time(flow, columns->end, job->end_ns);
	} else if (has_begun && job->start_ns != SLURM_NO_TIME) {
		put_time(flow, columns->start, job->start_ns);
		put_time(flow, columns->end, job->end_ns); /* of one that runs: by its limit */
		if (job->runtime_ns != SLURM_NO_TIME)
			put_time(flow, columns->runtime, job->runtime_ns);
		else if (has_ended && job->end_ns != SLURM_NO_TIME && job->end_ns >= job->start_ns)
			put_time(flow, columns->runtime, job->end_ns - job->start_ns);
	}
}

/* One clause, "afterok:12:13_4+5(unfulfilled)". */
static void add_depends(const char *clause, size_t n, struct buf *names)
{
	static const char *const ends[] = {"afterany", "afterok", "afternotok", "aftercorr",
					   "afterburstbuffer"};
	size_t word = 0, i = 0;

	while (word < n && clause[word] != ':')
		word++;
	while (i < sizeof(ends) / sizeof(*ends) &&
	       (strlen(ends[i]) != word || memcmp(ends[i], clause, word) != 0))
		i++;
	if (i == sizeof(ends) / sizeof(*ends))
		return;
	for (size_t at = word; at < n && clause[at] == ':';) {
		size_t length = strspn(clause + at + 1, "0123456789_");

		if (length > 0)
			buf_printf(names, "%s%.*s", names->n > 0 ? "," : "", (int)length,
				   clause + at + 1);
		for (at += 1 + length; at < n && clause[at] != ':'; at++)
			; /* "+5", "_*", "(unfulfilled)" */
	}
}

void slurm_depends(const char *dependency, struct buf *names)
{
	buf_clear(names);
	while (dependency != NULL && *dependency != '\0') {
		size_t n = strcspn(dependency, ",?");

		add_depends(dependency, n, names);
		dependency += n + (dependency[n] != '\0');
	}
}

void slurm_job_end(struct slurm_job_columns *columns)
{
	buf_free(&columns->depends_text);
	requeue_end(&columns->requeue);
}

void slurm_job_put(const struct slurm_job *job, struct slurm_job_columns *columns,
		   struct flow *flow)
{
	flow_text(flow, columns->job, requeue_name(&columns->requeue, job->id));
	slurm_depends(job->dependency, &columns->depends_text);
	if (columns->depends_text.n > 0)
		flow_text(flow, columns->depends, columns->depends_text.text);
	put_times(job, columns, flow);
	put_int(flow, columns->nodes, job->nodes);
	put_int(flow, columns->tasks, job->tasks);
	flow_text(flow, columns->app, job->name);
	flow_text(flow, columns->user, job->user);
	flow_text(flow, columns->account, job->account);
	flow_text(flow, columns->partition, job->partition);
	put_int(flow, columns->cpus, job->tres.cpus);
	put_int(flow, columns->gpus, job->tres.gpus);
	flow_text(flow, columns->gpu_type, job->tres.gpu_type);
	put_real(flow, columns->memory, job->tres.memory_bytes);
	flow_text(flow, columns->cpus_per_node, job->cpus_per_node);
	flow_text(flow, columns->gpus_per_node, job->gpus_per_node);
	flow_text(flow, columns->memory_per_node, job->memory_per_node);
	flow_text(flow, columns->features, job->features);
	slurm_asks_put(&job->asks, &columns->asks, flow);
	flow_text(flow, columns->reservation, job->reservation);
	if (job->segment > 0)
		flow_int(flow, columns->segment, job->segment);
	flow_text(flow, columns->het_job, job->het_job);
	flow_text(flow, columns->state, job->state);
	flow_text(flow, columns->reason, job->reason);
	flow_text(flow, columns->nodelist, job->nodelist);
}

/* ---- nodes ---- */

void slurm_node_clear(struct slurm_node *node)
{
	*node = (struct slurm_node){.sockets = -1,
				    .cores = -1,
				    .cpus = -1,
				    .gpus = -1,
				    .cpus_used = -1,
				    .gpus_used = -1,
				    .weight = -1,
				    .memory_bytes = -1,
				    .memory_used_bytes = -1};
}

void slurm_node_declare(struct slurm_node_columns *columns, struct flow *flow)
{
	columns->node = flow_column(flow, "node");
	columns->state = flow_column(flow, "state");
	columns->partitions = flow_column(flow, "partitions");
	columns->features = flow_column(flow, "features");
	columns->sockets = flow_column(flow, "sockets");
	columns->cores = flow_column(flow, "cores");
	columns->cpus = flow_column(flow, "cpus");
	columns->gpus = flow_column(flow, "gpus");
	columns->gpu_type = flow_column(flow, "gpu_type");
	columns->memory = flow_column(flow, "memory_bytes");
	columns->cpus_used = flow_column(flow, "cpus_used");
	columns->gpus_used = flow_column(flow, "gpus_used");
	columns->memory_used = flow_column(flow, "memory_used_bytes");
	columns->weight = flow_column(flow, "weight");
	columns->reservation = flow_column(flow, "reservation");
	columns->reason = flow_column(flow, "reason");
}

void slurm_node_put(const struct slurm_node *node, const struct slurm_node_columns *columns,
		    struct flow *flow)
{
	flow_text(flow, columns->node, node->name);
	flow_text(flow, columns->state, node->state);
	flow_text(flow, columns->partitions, node->partitions);
	flow_text(flow, columns->features, node->features);
	put_int(flow, columns->sockets, node->sockets);
	put_int(flow, columns->cores, node->cores);
	put_int(flow, columns->cpus, node->cpus);
	put_int(flow, columns->gpus, node->gpus);
	flow_text(flow, columns->gpu_type, node->gpu_type);
	put_real(flow, columns->memory, node->memory_bytes);
	put_int(flow, columns->cpus_used, node->cpus_used);
	put_int(flow, columns->gpus_used, node->gpus_used);
	put_real(flow, columns->memory_used, node->memory_used_bytes);
	put_int(flow, columns->weight, node->weight);
	flow_text(flow, columns->reservation, node->reservation);
	flow_text(flow, columns->reason, node->reason);
}

/* ---- shares ---- */

static void end_share(struct slurm_shares *shares)
{
	if (shares->count == 0)
		return;
	buf_printf(&shares->text, "%s%lld", shares->text.n > 0 ? "," : "", (long long)shares->last);
	if (shares->count > 1)
		buf_printf(&shares->text, "(x%lld)", (long long)shares->count);
	shares->count = 0;
}

void slurm_shares_add(struct slurm_shares *shares, int64_t number, int64_t count)
{
	if (shares->count > 0 && shares->last != number)
		end_share(shares);
	shares->last = number;
	shares->count += count;
}

const char *slurm_shares_text(struct slurm_shares *shares)
{
	end_share(shares);
	return shares->text.n > 0 ? shares->text.text : NULL;
}

void slurm_shares_clear(struct slurm_shares *shares)
{
	buf_clear(&shares->text);
	shares->count = 0;
}

void slurm_shares_free(struct slurm_shares *shares)
{
	buf_free(&shares->text);
}

int slurm_read_rows(struct slurm_table *table, struct flow *flow,
		    int (*read_row)(void *context, struct err *err), void *context, struct err *err)
{
	int status;

	while ((status = slurm_next(table, flow, err)) == 1) {
		flow->line = table->line;
		if (read_row(context, err) == 0)
			continue;
		err_prefix(err, "%s:%ld: ", in_name(table->in), table->line);
		if (flow_leave_out(flow, err) != 0)
			return -1;
	}
	slurm_report_joined(table);
	return status;
}
