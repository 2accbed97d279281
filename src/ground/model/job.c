/* job.c - the rows of a jobs stream, typed */
#include "model/job.h"

#include <math.h>

#include "base/str.h"
#include "formats/hostlist.h"

/* CPUs or GPUs of a job; more is a mistake of the file. */
#define JOB_MOST INT64_C(1000000000000)

void job_columns_bind(struct job_columns *columns, const struct table_in *in)
{
	*columns = (struct job_columns){
		.job = table_find(in, "job"),
		.state = table_find(in, "state"),
		.reservation = table_find(in, "reservation"),
		.run = table_find(in, "run"),
		.nodes = table_find(in, "nodes"),
		.submit = table_find(in, "submit_s"),
		.eligible = table_find(in, "eligible_s"),
		.depends = table_find(in, "depends"),
		.depends_delay = table_find(in, "depends_delay_s"),
		.runtime = table_find(in, "runtime_s"),
		.walltime = table_find(in, "walltime_s"),
		.start = table_find(in, "start_s"),
		.end = table_find(in, "end_s"),
		.class = table_find(in, "class"),
		.sensitivity = table_find(in, "sensitivity"),
		.nodelist = table_find(in, "nodelist"),
		.io_nodes = table_find(in, "io_nodes"),
		.io_pinned = table_find(in, "io_pinned"),
		.io_nodelist = table_find(in, "io_nodelist"),
		.partition = table_find(in, "partition"),
		.features = table_find(in, "features"),
		.cpus = table_find(in, "cpus"),
		.exclusive = table_find(in, "exclusive"),
		.exclusive_topo = table_find(in, "exclusive_topo"),
		.oversubscribe = table_find(in, "oversubscribe"),
		.tasks = table_find(in, "tasks"),
		.gpus = table_find(in, "gpus"),
		.gpu_type = table_find(in, "gpu_type"),
		.memory = table_find(in, "memory_bytes"),
		.cpus_per_node = table_find(in, "cpus_per_node"),
		.gpus_per_node = table_find(in, "gpus_per_node"),
		.memory_per_node = table_find(in, "memory_per_node_bytes"),
		.segment = table_find(in, "segment"),
		.ranks_per_node = table_find(in, "ranks_per_node"),
		.leaf_switches = table_find(in, "leaf_switches"),
		.nodes_max = table_find(in, "nodes_max"),
		.cpus_per_task = table_find(in, "cpus_per_task"),
		.tasks_per_node = table_find(in, "tasks_per_node"),
		.array_limit = table_find(in, "array_limit"),
		.het_job = table_find(in, "het_job"),
		.switch_wait = table_find(in, "switch_wait_s"),
		.within = table_find(in, "within"),
		.slices = table_find(in, "slices"),
		.spread = table_find(in, "spread"),
		.balance = table_find(in, "balance"),
		.together = table_find(in, "together"),
	};
}

static int read_time(const struct row *row, int column, const char *name, int64_t *ns,
		     struct err *err)
{
	*ns = JOB_NO_TIME;
	return row_seconds(row, column, name, ns, err) < 0 ? -1 : 0;
}

/* CPUs, GPUs and memory, of each node or in all. */
static int read_resources(struct job *job, const struct job_columns *columns, const struct row *row,
			  struct err *err)
{
	const char *exclusive = row_text(row, columns->exclusive);
	const char *state = row_text(row, columns->state);
	const char *oversubscribe = row_text(row, columns->oversubscribe);
	const char *topo = row_text(row, columns->exclusive_topo);
	int64_t segment = 0, leaf_switches = 0, array_limit = 0;
	double memory = 0;

	job->gpu_type = row_text(row, columns->gpu_type);
	job->cpus_per_node = row_text(row, columns->cpus_per_node);
	job->gpus_per_node = row_text(row, columns->gpus_per_node);
	job->memory_per_node = row_text(row, columns->memory_per_node);
	if (row_int(row, columns->cpus, "cpus", 0, JOB_MOST, &job->cpus, err) < 0 ||
	    row_int(row, columns->gpus, "gpus", 0, JOB_MOST, &job->gpus, err) < 0 ||
	    row_int(row, columns->segment, "segment", 0, INT32_MAX, &segment, err) < 0 ||
	    row_int(row, columns->ranks_per_node, "ranks_per_node", 1, 1 << 20,
		    &job->ranks_per_node, err) < 0 ||
	    row_int(row, columns->leaf_switches, "leaf_switches", 0, INT32_MAX, &leaf_switches,
		    err) < 0 ||
	    row_int(row, columns->array_limit, "array_limit", 0, INT32_MAX, &array_limit, err) <
		    0 ||
	    read_time(row, columns->switch_wait, "switch_wait_s", &job->switch_wait_ns, err) != 0 ||
	    row_real(row, columns->memory, "memory_bytes", 0, 1e18, &memory, err) < 0)
		return -1;
	if (job->cpus == 0 &&
	    row_int(row, columns->tasks, "tasks", 0, JOB_MOST, &job->cpus, err) < 0)
		return -1;
	job->memory_bytes = (int64_t)memory;
	job->segment = (int)segment;
	job->leaf_switches = (int)leaf_switches;
	job->array_limit = (int)array_limit;
	job->is_shared = row_text(row, columns->cpus) != NULL &&
			 (exclusive == NULL || !str_eq(exclusive, "yes"));
	job->is_suspended = state != NULL && str_eq(state, "suspended");
	job->asks_share = exclusive != NULL && str_eq(exclusive, "no");
	job->het_job = row_text(row, columns->het_job);
	job->exclusive_topo = topo != NULL && str_eq(topo, "yes");
	job->is_shared &= !job->exclusive_topo;
	job->asks_share &= !job->exclusive_topo;
	job->accepts_others = oversubscribe != NULL && str_eq(oversubscribe, "yes");
	return 0;
}

/* A job that asks for tasks takes as many nodes as they need. */
static int read_tasks(struct job *job, const struct job_columns *columns, const struct row *row,
		      struct err *err)
{
	int64_t nodes_max = 0;

	job->cpus_per_task = 1;
	if (row_int(row, columns->nodes_max, "nodes_max", 0, INT32_MAX, &nodes_max, err) < 0)
		return -1;
	if (nodes_max == 0)
		return 0;
	if (row_int(row, columns->tasks, "tasks", 1, JOB_MOST, &job->tasks, err) < 0 ||
	    row_int(row, columns->cpus_per_task, "cpus_per_task", 1, INT32_MAX, &job->cpus_per_task,
		    err) < 0 ||
	    row_int(row, columns->tasks_per_node, "tasks_per_node", 0, INT32_MAX,
		    &job->tasks_per_node, err) < 0)
		return -1;
	if (job->tasks == 0)
		return row_error(row, err, "nodes_max: expected tasks, too");
	if (nodes_max < job->nnodes)
		return row_error(row, err, "nodes_max: %lld is less than nodes, %d",
				 (long long)nodes_max, job->nnodes);
	if (job->het_job != NULL || job->exclusive_topo || job->segment > 0)
		return row_error(row, err,
				 "nodes_max: goes with none of het_job, exclusive_topo "
				 "and segment");
	job->nodes_max = (int)nodes_max;
	job->cpus = job->tasks * job->cpus_per_task;
	return 0;
}

int job_read(struct job *job, const struct job_columns *columns, const struct row *row,
	     struct err *err)
{
	int64_t nnodes, io_nodes = 0;

	*job = (struct job){
		.row = *row,
		.name = row_text(row, columns->job),
		.run = row_text(row, columns->run),
		.class = row_text(row, columns->class),
		.nodelist = row_text(row, columns->nodelist),
		.io_pinned = row_text(row, columns->io_pinned),
		.io_nodelist = row_text(row, columns->io_nodelist),
		.partition = row_text(row, columns->partition),
		.features = row_text(row, columns->features),
		.reservation = row_text(row, columns->reservation),
		.depends = row_text(row, columns->depends),
		.domains = {row_text(row, columns->within), row_text(row, columns->slices),
			    row_text(row, columns->spread), row_text(row, columns->balance),
			    row_text(row, columns->together)},
		.sensitivity = NAN,
	};
	if (row_int(row, columns->nodes, "nodes", 1, INT32_MAX, &nnodes, err) != 1 ||
	    read_time(row, columns->submit, "submit_s", &job->submit_ns, err) != 0 ||
	    read_time(row, columns->eligible, "eligible_s", &job->eligible_ns, err) != 0 ||
	    read_time(row, columns->depends_delay, "depends_delay_s", &job->depends_delay_ns,
		      err) != 0 ||
	    read_time(row, columns->runtime, "runtime_s", &job->runtime_ns, err) != 0 ||
	    read_time(row, columns->walltime, "walltime_s", &job->walltime_ns, err) != 0 ||
	    read_time(row, columns->start, "start_s", &job->start_ns, err) != 0 ||
	    read_time(row, columns->end, "end_s", &job->end_ns, err) != 0 ||
	    row_real(row, columns->sensitivity, "sensitivity", 0, 1, &job->sensitivity, err) < 0 ||
	    row_int(row, columns->io_nodes, "io_nodes", 0, INT32_MAX, &io_nodes, err) < 0)
		return -1;
	if (read_resources(job, columns, row, err) != 0)
		return -1;
	if (job->depends_delay_ns < 0 && job->depends_delay_ns != JOB_NO_TIME)
		return row_error(row, err, "depends_delay_s: a negative time");
	job->depends_delay_ns = job->depends_delay_ns > 0 ? job->depends_delay_ns : 0;
	job->nnodes = (int)nnodes;
	job->io_nodes = (int)io_nodes;
	if (read_tasks(job, columns, row, err) != 0)
		return -1;
	if (job->runtime_ns < 0 && job->runtime_ns != JOB_NO_TIME)
		return row_error(row, err, "runtime_s: a negative time");
	if (job->walltime_ns < 0 && job->walltime_ns != JOB_NO_TIME)
		return row_error(row, err, "walltime_s: a negative time");
	if (job->switch_wait_ns < 0 && job->switch_wait_ns != JOB_NO_TIME)
		return row_error(row, err, "switch_wait_s: a negative time");
	if (job->end_ns != JOB_NO_TIME && job->start_ns != JOB_NO_TIME &&
	    job->end_ns < job->start_ns)
		return row_error(row, err, "end_s is before start_s");
	return 0;
}

int job_nodes(const struct job *job, const struct topo *topo, int_vec *nodes, struct err *err)
{
	size_t before = nodes->n;

	if (topo_nodelist_read(topo, job->nodelist, nodes, err) != 0)
		return err_prefix(err, "%s:%ld: nodelist: ", job->row.file, job->row.line);
	if (nodes->n - before != (size_t)job->nnodes)
		return row_error(&job->row, err, "nodelist: has %zu nodes, the job asks for %d",
				 nodes->n - before, job->nnodes);
	return 0;
}

int job_nodes_known(const struct job *job, const struct topo *topo, int_vec *nodes,
		    struct lacking *lacking, struct err *err)
{
	const struct topo_unknown unknown = {lacking_take, lacking};
	size_t before = nodes->n;
	int64_t n;

	if (lacking == NULL)
		return job_nodes(job, topo, nodes, err);
	lacking->is_met = false;
	if (topo_nodelist_read_known(topo, job->nodelist, nodes, &unknown, err) != 0)
		return err_prefix(err, "%s:%ld: nodelist: ", job->row.file, job->row.line);
	n = hostlist_count(job->nodelist);
	if (!lacking->is_met && n != (int64_t)(nodes->n - before)) { /* one is named twice */
		nodes->n = before;
		return job_nodes(job, topo, nodes, err);
	}
	if (n != job->nnodes)
		return row_error(&job->row, err, "nodelist: has %lld nodes, the job asks for %d",
				 (long long)n, job->nnodes);
	return 0;
}

static bool is_among(const char *state, const char *const *words)
{
	for (; state != NULL && *words != NULL; words++)
		if (str_eq(state, *words))
			return true;
	return false;
}

bool job_state_runs(const char *state)
{
	static const char *const words[] = {"running",  "suspended", "configuring", "stopped",
					    "resizing", "signaling", "stage_out",   NULL};

	return is_among(state, words);
}

bool job_state_ended(const char *state)
{
	static const char *const words[] = {
		"completed",     "failed",    "cancelled", "timeout", "node_fail", "preempted",
		"out_of_memory", "boot_fail", "deadline",  "revoked", NULL};

	return is_among(state, words);
}

bool job_is_class(const struct job *job, const char *class)
{
	return job->class != NULL && str_eq(job->class, class);
}
