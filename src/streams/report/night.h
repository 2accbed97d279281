/* night.h - what a report is about: jobs, nodes, traffic and measurements of one stretch of time */
#ifndef REPORT_NIGHT_H
#define REPORT_NIGHT_H

#include "base/names.h"
#include "base/registry.h"
#include "base/run_context.h"
#include "formats/table.h"
#include "model/job.h"
#include "model/topo.h"
#include "model/traffic_table.h"

/* What a job is to the time from since to until. */
enum night_phase {
	NIGHT_OUTSIDE,   /* it ended before, or came later; its group is -1 */
	NIGHT_WAITS,     /* in the end */
	NIGHT_RAN,       /* it has started */
	NIGHT_WITHDRAWN, /* it left the queue without a start, at end_ns if that is known */
	NIGHT_PLACED,    /* it has nodes, and no times */
};

struct night_job {
	const char *name, *user, *app, *partition, *state, *reason, *nodelist, *class;
	const char *account;
	enum night_phase phase;
	double sensitivity; /* 0 … 1, or NAN */
	double comm_time_s; /* as netsim simulated it; NAN: it was not */
	int nnodes;
	/* A heterogeneous job is one job for waits: its first component, with the nodes of all. */
	bool is_counted;           /* one came before this one */
	const char *het_job;       /* that the job is a component of; NULL: of none */
	int nnodes_all;            /* of all components, in the first one */
	unsigned asks;             /* night_asks, likewise */
	int group;                 /* in night->policies */
	size_t first, nnodes_read; /* its nodes, in night->nodes_of_jobs */
	/* JOB_NO_TIME: not known, or (start, end) not before the end of the window. One that runs
	 * has no end, and has run for runtime_ns when it was listed. */
	int64_t submit_ns, start_ns, end_ns, runtime_ns;
	int64_t gpus;      /* 0: none, or not known */
	int leaf_switches; /* that it asked for; 0: any number */
	long line;         /* of its input */
	const char *file;  /* likewise */
};

struct night_node {
	const char *name, *state, *reason;
};

/* A time in which a node was out of service. */
struct night_event {
	const char *name, *state, *reason; /* state and reason: NULL where they are not said */
	int64_t start_ns, end_ns;          /* end JOB_NO_TIME: it lasts */
};

/* A number of a night before. */
struct night_past {
	const char *number;
	int64_t until_ns;
	double value;
};

/* A row of a metrics table. */
struct night_metric {
	const char *policy, *scope, *metric, *unit; /* policy ".": the only one */
	double value, n, mean, min, q1, median, q3, max;
};

struct night_input {
	const char *path, *kind;
	bool is_estimate; /* jobs that were there before, with netsim's times */
	bool is_queue;    /* jobs that wait, beside an operand of jobs before: why they do */
	bool has_comm_times;
	uint64_t hash; /* of the bytes */
	int64_t bytes;
};

struct night {
	struct arena arena;
	struct topo *topo; /* NULL: not known */
	VEC(struct night_job) jobs;
	int_vec nodes_of_jobs; /* of the first policy, where the machine is known */
	VEC(struct night_node) nodes;
	VEC(struct night_event) events;
	VEC(struct night_past) past;
	VEC(const char *) policies; /* in the order they come; "recorded" where there is none */
	VEC(struct night_metric) metrics;
	VEC(const char *) commands; /* ##command= lines, each once */
	VEC(struct night_input) inputs;
	const char *run;               /* whose jobs they are, ".": not said; NULL: none yet */
	struct map job_ids;            /* "policy\tjob" → its number in jobs */
	VEC(char *) traffic_paths;     /* operands; ends in NULL once all are read */
	struct traffic *traffic_table; /* NULL: none */
	double *traffic;               /* [nrouters] mean per router, or NULL */
	const char *traffic_unit;
	/* What every number is of: as the options, else the stream's ##since= and ##until= say,
	 * else from the first start (where jobs still run, of the last day) to the last time. */
	int64_t since_ns, until_ns;
	int64_t nskipped; /* rows that the readers of the inputs left out */
	/* "1 job on 1 node that the machine lacks: login1"; NULL: it has all of them */
	const char *lacking;
	int64_t at_ns;              /* the moment that the machine is shown at; JOB_NO_TIME: none */
	struct map users, accounts; /* their pseudonyms' numbers */
	int npeople[2];
	bool is_whole, has_states, has_jobs, has_events;
	const char
		*events_since; /* from when on events are known, as their stream says; NULL: all */
};

struct night_options {
	const struct run_context *context;
	char *const *paths;          /* files, ends in NULL */
	int64_t since_ns, until_ns;  /* JOB_NO_TIME: not given */
	int64_t at_ns;               /* JOB_NO_TIME: the machine is shown over all of that */
	const struct pick *rule;     /* who chooses for jobs that are sensitive to the network */
	const struct pick *possible; /* who chooses for those that were placed worst */
	const char *replay;          /* a policy to replay the night with; NULL: it is not */
	bool pseudonyms;             /* instead of users and accounts; no names of jobs */
};

/* Reads all operands, each by its kind, and measures the jobs as evalmetrics --by policy does. */
int night_read(struct night *night, const struct night_options *options, struct err *err);
void night_free(struct night *night);

/* The job of that name under the first policy; NULL: there is none. */
const struct night_job *night_first_of(const struct night *night, const char *name);

/* The nodes of a job of the first policy; none: no list, or one that can't be read. Not to be
 * freed. */
int_vec night_nodes(const struct night *night, const struct night_job *job);

/* How long a job of the first policy waited for a start within the window, or still waits; -1: it
 * did neither. */
int64_t night_wait(const struct night *night, const struct night_job *job);

/* The part of a job that ran within the window, in nanoseconds. */
int64_t night_inside(const struct night *night, const struct night_job *job);

/* Whether a job of the first policy has its nodes at a time. */
bool night_job_runs(const struct night_job *job, int64_t at_ns);

/* The metric of a policy; NULL: it was not measured. */
const struct night_metric *night_metric(const struct night *night, const char *policy,
					const char *metric);

#endif
