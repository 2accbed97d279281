/* kinds.c - the kinds of tables, their columns and what they mean */
#include "model/kinds.h"

#include <stddef.h>

#include "model/kinds_rows.h"

#define MAPPER NAME("mapper", "what made the mapping")

static const char *const job_key[] = {"run", "policy", "job", NULL};

static const struct column job_columns[] = {
	KEY("job", "the job's name; with run and policy the key of the row"),
	MUST_INT("nodes", 1, "how many nodes the job asks for"),
	RUN,
	NAME("workload", "the workload that the row belongs to"),
	INT("rep", "repetition of the workload"),
	INSTANT("submit_s", "time of submission"),
	INSTANT("eligible_s", "earliest start: the job was held until then, or asked for it"),
	TEXT("depends", "jobs of the run, by name and separated by commas, that must have ended "
			"before it starts; 102 is every task of the array 102_1, 102_2, ..."),
	TIME("depends_delay_s",
	     "how long after the end of the last of these it arrives: SWF's think "
	     "time"),
	TIME("runtime_s", "time the job runs"),
	TIME("walltime_s", "time the job asked for"),
	INT("ranks_per_node", "MPI ranks on each node"),
	NAME("app", "the application"),
	NAME("size", "its size: with app the name of a kernel"),
	INT("launches", "how often the job launches its kernel"),
	TIME("init_s", "initialisation on the host before the first launch"),
	{.name = "priority",
	 .type = COLUMN_INT,
	 .min = -1000000000,
	 .max = 1000000000,
	 .meaning = "jobs of a higher one go first"},
	NAME("binary", "the executable's file name"),
	NAME("user", "who submitted the job"),
	NAME("account", "the account that is charged for the job"),
	TEXT("partition",
	     "the job's partition; of one that waits, those it may start in, separated by commas"),
	INT("tasks", "tasks in all"),
	INT("nodes_max", "the most nodes the job takes: it asks for tasks, and gets the fewest "
			 "nodes, at least nodes, that have room for them"),
	INT("cpus_per_task", "CPUs of each of these tasks; 1 if missing"),
	INT("tasks_per_node", "the most of these tasks on a node; 0: as many as it has CPUs for"),
	INT("cpus", "CPUs in all: given to the job, or requested while it waits"),
	INT("gpus", "GPUs in all, likewise"),
	NAME("gpu_type", "the type of the GPUs"),
	REAL("memory_bytes", "memory in all, likewise"),
	TEXT("cpus_per_node",
	     "CPUs on each node of nodelist, in its order, as in 8(x2),4: 8 on the "
	     "first two, 4 on the third; one number holds for all nodes"),
	TEXT("gpus_per_node", "GPUs on each node, likewise"),
	TEXT("memory_per_node_bytes", "memory on each node, likewise"),
	TEXT("features", "features the nodes must have: & for and, | for or, "
			 "[a|b] for the same one on all nodes"),
	BOOL("exclusive", "whether the job gets whole nodes; so it is where this is missing"),
	BOOL("exclusive_topo", "whether the job has its blocks alone, too: no other job gets nodes "
			       "of the leaf switches that it has nodes of"),
	BOOL("oversubscribe", "whether the job accepts CPUs that others have, too, in partitions "
			      "that allow it (yes:N)"),
	NAME("reservation", "the reservation that the job runs in"),
	INT("segment", "nodes of a segment, which is in one block; 0: none"),
	TEXT("within", "levels of domains that the job has all its nodes in one domain of, as "
		       "block,rack?: with ? if it can be"),
	TEXT("slices", "the job's nodes are groups of so many, each in one domain of the level: "
		       "zone:64,rack:16, outermost first, each size a divisor of the one before"),
	TEXT("spread", "the most of them in a domain of the level: rack:4"),
	TEXT("balance", "the level whose domains have shares as even as they can be"),
	TEXT("together", "a group of jobs that share a domain, and its level: svc-0:block"),
	INT("leaf_switches", "the most leaf switches (routers) that the job wants its nodes on; "
			     "0: any number"),
	TIME("switch_wait_s",
	     "how long the job waits for that, from its arrival; then it takes any "
	     "nodes; missing: as long as it takes"),
	INT("array_limit", "the most tasks of the job's array that run at once; 102_4 is a task "
			   "of the array 102; 0: any number"),
	NAME("het_job", "the heterogeneous job that the job is a component of"),
	TEXT("pattern", "communication pattern, a pick of netsim's"),
	REAL("bytes", "size of a message of the pattern"),
	INT("iterations", "iterations of the pattern; 0 means until the others end"),
	TIME("compute_s", "computation between two iterations"),
	REAL("mpi_s", "time in MPI, mean of the ranks"),
	REAL("intensity", "network traffic intensity the job makes, flits/s on each of its nodes"),
	NAME("class", "network-sensitive, network-insensitive or unprofiled"),
	FRACTION("sensitivity", "0 (insensitive) to 1 (sensitive)"),
	TEXT("io", "what I/O the job does"),
	INT("nodes_asked", "how many nodes the job asked for, where it may be given more"),
	INT("io_nodes", "how many I/O nodes the job asks for"),
	NODES("io_pinned", "the I/O nodes that the job names"),
	NODES("io_nodelist", "the I/O nodes that the job was given"),
	NAME("state", "the job's state"),
	INSTANT("start_s", "when the job started"),
	INSTANT("end_s", "when the job ended, or will"),
	NODES("nodelist", "the job's nodes, in the order they were picked"),
	TEXT("devices", "the devices that the job had, joined by +"),
	INT("switches", "how often the job left a set of devices for another"),
	POLICY,
	TEXT("scheduler", "the queue that decided when the job starts"),
	TEXT("reason", "what decided, or why the job waits"),
	NAME("gpu", "how messages of GPUs went: hostcopy, gpudirect or trace"),
	NAME("mapping", "how ranks go to the nodes: in-order, random or leaf-round-robin"),
	REAL("comm_time_s", "from the job's start to its last rank's finish"),
	REAL("io_time_s", "time in I/O"),
	REAL("io_phase_s", "length of the phases of I/O, from the first rank to the last"),
	REAL("io_bytes", "bytes that it read and wrote"),
	REAL("io_hops_mean", "mean number of links that packets of its I/O took"),
	FRACTION("io_nonminimal_fraction", "part of these that took a non-minimal route"),
	INT("packets", "packets that the job sent"),
	REAL("hops_mean", "mean number of links that its packets took"),
	FRACTION("nonminimal_fraction", "part of its packets that took a non-minimal route"),
	{0}};

const struct table_kind kind_jobs = {
	.name = "jobs",
	.version = 1,
	.summary = "jobs, waiting, placed or done: one row for each",
	.columns = job_columns,
	.key = job_key,
};

static const char *const node_key[] = {"run", "node", NULL};
static const struct column node_columns[] = {
	KEY("node", "the node's name"),
	RUN,
	NAME("state",
	     "idle, allocated, down, drained, …; only idle and planned nodes are given out"),
	NAME("role", "compute, io or both"),
	NAME("job", "the job that has the node"),
	NAME("router", "the router the node hangs on"),
	TEXT("partitions", "the partitions that have the node, separated by commas"),
	TEXT("oversubscribe",
	     "how jobs of each of these partitions share nodes, or one word for all: no, exclusive "
	     "(whole nodes), force:N (N jobs may have one CPU), yes:N (of jobs that accept it)"),
	TEXT("features", "the node's features, separated by commas"),
	INT("sockets", "processor sockets"),
	INT("cores", "cores in all"),
	INT("cpus", "CPUs that jobs can be given: cores or hardware threads"),
	INT("gpus", "GPUs"),
	NAME("gpu_type", "their type; types separated by commas"),
	REAL("memory_bytes", "memory that jobs can be given"),
	INT("cpus_used", "CPUs that jobs have"),
	INT("gpus_used", "GPUs that jobs have"),
	REAL("memory_used_bytes", "memory that jobs have"),
	INT("weight", "the lightest nodes that are enough for a job are given out"),
	NAME("reservation", "the reservation that holds the node"),
	TEXT("reason", "why the node is down or drained"),
	{0}};

const struct table_kind kind_nodes = {
	.name = "nodes",
	.version = 1,
	.summary = "the states of a machine's nodes",
	.columns = node_columns,
	.key = node_key,
};

static const char *const partition_key[] = {"partition", NULL};
static const struct column partition_columns[] = {
	KEY("partition", "the partition's name"),
	NODES("nodelist", "its nodes"),
	NAME("state", "up; no job starts in one that is down or inactive; drain: those in the "
		      "queue still start"),
	BOOL("default", "whether it is that of jobs which name none"),
	TEXT("oversubscribe", "no, yes:N, force:N (N jobs to a core) or exclusive (whole nodes)"),
	INT("nodes_min", "fewest nodes of a job"),
	INT("nodes_max", "most nodes of a job"),
	TIME("walltime_default_s", "limit of jobs that ask for none"),
	TIME("walltime_max_s", "longest limit of a job"),
	INT("priority", "its tier: jobs of a higher one go first"),
	TEXT("accounts", "the accounts that may use it, separated by commas; missing: all"),
	{0}};

const struct table_kind kind_partitions = {
	.name = "partitions",
	.version = 1,
	.summary = "a scheduler's partitions: their nodes and limits",
	.columns = partition_columns,
	.key = partition_key,
};

static const char *const reservation_key[] = {"reservation", NULL};
static const struct column reservation_columns[] = {
	KEY("reservation", "the reservation's name"),
	NODES("nodelist", "the nodes that it holds"),
	INSTANT("start_s", "from when"),
	INSTANT("end_s", "until when"),
	NAME("state", "active or inactive, when it was listed"),
	TEXT("flags", "maint, ignore-jobs, ..., separated by commas"),
	INT("cores", "the cores that it holds; less than its nodes have: a part of each"),
	NAME("partition", "its partition"),
	TEXT("users", "who may use it, separated by commas; -NAME: who may not"),
	TEXT("accounts", "accounts, likewise"),
	{0}};

const struct table_kind kind_reservations = {
	.name = "reservations",
	.version = 1,
	.summary = "a scheduler's reservations: which nodes, from when, until when",
	.columns = reservation_columns,
	.key = reservation_key,
};

static const char *const event_key[] = {"node", "start_s", NULL};
static const struct column event_columns[] = {KEY("node", "the node's name"),
					      MUST_TIME("start_s", "from when"),
					      INSTANT("end_s", "until when; missing: it lasts"),
					      NAME("state", "its state, as down or drained"),
					      TEXT("reason", "why"),
					      {0}};

const struct table_kind kind_events = {
	.name = "events",
	.version = 1,
	.summary = "when nodes were out of service, and why",
	.columns = event_columns,
	.key = event_key,
};

static const char *const night_key[] = {"night", "number", NULL};
static const struct column night_columns[] = {
	KEY("night", "the night's name, as its date"),
	MUST_TIME("until_s", "when it ended"),
	KEY("number", "what was measured, as wait-mean_s or utilization"),
	SIGNED("value", "how much"),
	{0}};

const struct table_kind kind_nights = {
	.name = "nights",
	.version = 1,
	.summary = "numbers of earlier nights, with which a report compares",
	.columns = night_columns,
	.key = night_key,
};

static const char *const counter_key[] = {"run", "time_s", "component", "plane", NULL};
static const struct column counter_columns[] = {
	MUST_TIME("time_s", "time of the sample"),
	KEY("component", "what was sampled: a node, a router, a port"),
	INT("plane", "of several copies of the network: which one the counters are of"),
	RUN,
	{0}};

const struct table_kind kind_counters = {
	.name = "counters",
	.version = 1,
	.summary =
		"samples of hardware counters: one column for each counter, cumulative unless its "
		"name ends in a rate's unit",
	.columns = counter_columns,
	.key = counter_key,
};

static const char *const traffic_key[] = {"run",  "time_s", "router", "node",
					  "link", "region", NULL};
static const char *const traffic_one_of[] = {"router|node|link|region",
					     "traffic_flits_per_s|traffic_Bps", NULL};
static const struct column traffic_columns[] = {
	MUST_TIME("time_s", "end of the window"),
	MUST_TIME("window_s", "length of the window"),
	NAME("router", "the router"),
	NAME("node", "the node"),
	NAME("link", "the link"),
	INT("region", "number of the region of adjacent routers"),
	RUN,
	REAL("traffic_flits_per_s",
	     "flits per second between the nodes and their router, both ways"),
	REAL("traffic_Bps", "bytes per second between the nodes and their router, both ways"),
	REAL("stall_per_s", "stalls per second on the network tiles or ports, in counts"),
	INT("samples", "valid intervals between two samples that the mean is over"),
	INT("resets", "intervals left out because a counter went backwards"),
	BOOL("incomplete", "some of the component's counters gave no valid interval"),
	{0}};

const struct table_kind kind_traffic = {
	.name = "traffic",
	.version = 1,
	.summary = "network traffic intensity per component and window",
	.columns = traffic_columns,
	.one_of = traffic_one_of,
	.key = traffic_key,
};

static const char *const profile_key[] = {"app", "binary", "ranks", "nodes_min", "nodes_max", NULL};
static const struct column profile_columns[] = {
	KEY("app", "the application"),
	MUST_INT("ranks", 1, "MPI ranks of the profiled run"),
	{.name = "mpi_fraction",
	 .type = COLUMN_REAL,
	 .required = true,
	 .max = 1,
	 .meaning = "time in MPI over execution time"},
	NAME("binary", "file names of the executable, separated by commas"),
	INT("nodes", "nodes of the profiled run"),
	INT("nodes_min", "the profile holds from this many nodes"),
	INT("nodes_max", "up to this many"),
	REAL("runtime_s", "execution time"),
	REAL("mpi_s", "time in MPI, mean of the ranks"),
	FRACTION("allreduce_fraction",
		 "MPI_Allreduce with its synchronisation, over execution time"),
	FRACTION("sendrecv_fraction", "MPI_Send, _Isend, _Sendrecv, over execution time"),
	FRACTION("wait_fraction", "MPI_Wait, _Waitall, over execution time"),
	FRACTION("other_fraction", "the other MPI operations, over execution time"),
	REAL("slowdown", "mean execution time under congestion over that without"),
	FRACTION("sensitivity", "0 (insensitive) to 1 (sensitive)"),
	NAME("class", "network-sensitive or network-insensitive"),
	{0}};

const struct table_kind kind_profile = {
	.name = "profile",
	.version = 1,
	.summary = "MPI profiles of applications",
	.columns = profile_columns,
	.key = profile_key,
};

static const char *const comm_key[] = {"job", "src", "dst", NULL};
static const struct column comm_columns[] = {MUST_INT("src", 0, "sending rank"),
					     MUST_INT("dst", 0, "receiving rank"),
					     MUST_BYTES("bytes", "bytes sent in all"),
					     REAL("messages", "messages sent in all"),
					     NAME("job", "the job"),
					     {0}};

const struct table_kind kind_comm = {
	.name = "comm",
	.version = 1,
	.summary = "a communication graph: what each rank sends to each other",
	.columns = comm_columns,
	.key = comm_key,
};

static const char *const mapping_key[] = {"run", "policy", "mapper", "job", "rank", NULL};
static const struct column mapping_columns[] = {MUST_INT("rank", 0, "MPI rank"),
						KEY("node", "the node it goes to"),
						INT("core", "the core there"),
						RUN,
						POLICY,
						MAPPER,
						NAME("job", "the job"),
						{0}};

const struct table_kind kind_mapping = {
	.name = "mapping",
	.version = 1,
	.summary = "where ranks go",
	.columns = mapping_columns,
	.key = mapping_key,
};

static const char *const link_key[] = {"run", "policy", "mapper", "link", NULL};
static const struct column link_columns[] = {
	MUST_INT("link", 0, "number of the directed channel"),
	KEY("from", "node or router at its beginning"),
	KEY("to", "node or router at its end"),
	KEY("level", "level of the link: terminal, local, global, …"),
	RUN,
	POLICY,
	MAPPER,
	INT("plane", "network that the link is of, where there are several"),
	INT("nic", "NIC of the node, where it has several"),
	REAL("capacity_Bps", "bandwidth"),
	REAL("bytes", "bytes carried"),
	REAL("packets", "packets carried"),
	REAL("messages", "messages carried"),
	REAL("stall_s", "time in which the input queue it ends in held a packet that waited"),
	REAL("utilization", "part of the time the link was busy"),
	{0}};

const struct table_kind kind_links = {
	.name = "links",
	.version = 1,
	.summary = "what each direction of each link carried; unused links too",
	.columns = link_columns,
	.key = link_key,
};

static const char *const rank_key[] = {"run", "policy", "job", "rank", NULL};
static const struct column rank_columns[] = {
	KEY("job", "the job"),
	MUST_INT("rank", 0, "MPI rank"),
	KEY("node", "its node"),
	RUN,
	POLICY,
	REAL("comm_time_s", "from start to finish"),
	REAL("compute_s", "time in computation"),
	REAL("mpi_s", "time in MPI"),
	REAL("wait_s", "of it, waiting for something to come"),
	REAL("copy_s", "copies between its GPU and the host"),
	REAL("sent_bytes", "of messages to ranks of other nodes"),
	REAL("received_bytes", "of messages from ranks of other nodes"),
	REAL("loop_s", "time in the region that the replay names"),
	REAL("loop_compute_s", "computation in it"),
	NAME("gpu", "how messages of GPUs went"),
	REAL("io_time_s", "time in I/O"),
	{0}};

const struct table_kind kind_ranks = {
	.name = "ranks",
	.version = 1,
	.summary = "times of single ranks",
	.columns = rank_columns,
	.key = rank_key,
};

static const char *const loadcurve_key[] = {"run", "pattern", "routing", "offered", NULL};
static const struct column loadcurve_columns[] = {
	KEY("pattern", "traffic pattern"),
	KEY("routing", "routing"),
	MUST_BYTES("offered", "offered load, as a fraction of the terminal bandwidth"),
	MUST_BYTES("accepted", "accepted load, likewise"),
	MUST_BYTES("latency_s", "mean latency of those messages measured that came"),
	RUN,
	BOOL("drained", "whether all messages measured came before the run was given up"),
	REAL("hops_mean", "mean number of links that packets took"),
	FRACTION("nonminimal_fraction", "part of the packets that took a non-minimal route"),
	{0}};

const struct table_kind kind_loadcurve = {
	.name = "loadcurve",
	.version = 1,
	.summary = "latency and throughput under open-loop load",
	.columns = loadcurve_columns,
	.key = loadcurve_key,
};

static const struct column iotrace_columns[] = {
	MUST_INT("rank", 0, "MPI rank"),
	KEY("op", "operation, of a closed list"),
	MUST_TIME("start_s", "when it starts, or the think time before it (##timing=)"),
	MUST_BYTES("bytes", "its size"),
	NAME("job", "the job"),
	TEXT("file", "the file"),
	REAL("offset", "offset in the file, bytes"),
	TIME("end_s", "when it ended"),
	TEXT("comm", "communicator of a collective operation"),
	TEXT("target", "where it goes: storage target"),
	REAL("hops", "links on the path of its packets, mean"),
	RUN,
	POLICY,
	{0}};

const struct table_kind kind_iotrace = {
	.name = "iotrace",
	.version = 1,
	.summary = "I/O operations of ranks",
	.columns = iotrace_columns,
};

static const char *const storage_key[] = {"run", "policy", "device", "node", NULL};
static const struct column storage_columns[] = {
	KEY("device", "the entry of io: that the device belongs to"),
	KEY("node", "its node"),
	MUST_BYTES("bytes_read", "bytes that it read"),
	MUST_BYTES("bytes_written", "bytes that it wrote"),
	RUN,
	POLICY,
	INT("ops", "requests that it served"),
	REAL("busy_s", "time in which it served a request"),
	REAL("wait_s", "time that all requests waited in its queue"),
	INT("queue_max", "requests that waited at one time, at most"),
	REAL("bytes_drained", "bytes that went on to where it drains to"),
	REAL("elapsed_s", "simulated time of the run"),
	{0}};

const struct table_kind kind_storage = {
	.name = "storage",
	.version = 1,
	.summary = "what storage devices did",
	.columns = storage_columns,
	.key = storage_key,
};

static const struct column mpitrace_columns[] = {
	MUST_INT("rank", 0, "world rank"),
	MUST_TIME("time_s", "when the call begins"),
	KEY("op", "the call"),
	TIME("end_s", "when it returns"),
	INT("peer", "world rank of the other side"),
	REAL("bytes", "bytes sent"),
	REAL("recv_bytes", "bytes received"),
	INT("tag", "tag"),
	TEXT("comm", "communicator (##comm=ID:RANKS)"),
	INT("request", "request that it starts or completes"),
	INT("root", "root of a rooted collective"),
	NAME("send_location", "where the send buffer is: host or gpu"),
	NAME("recv_location", "where the receive buffer is"),
	TEXT("region", "user region"),
	{0}};

const struct table_kind kind_mpitrace = {
	.name = "mpitrace",
	.version = 1,
	.summary = "MPI calls of ranks, replayable",
	.columns = mpitrace_columns,
};

static const char *const metric_key[] = {"scope", "id", "metric", NULL};
static const struct column metric_columns[] = {
	KEY("scope", "what the row is about: job, group of jobs, machine, link, …"),
	NAME("id", "which one; . is the only one"),
	KEY("metric", "name of the metric"),
	SIGNED("value", "its value"),
	NAME("unit", "unit of the value"),
	INT("n", "how many values were summarised"),
	SIGNED("mean", "their mean"),
	SIGNED("sd", "their standard deviation (n − 1)"),
	SIGNED("min", "the least"),
	SIGNED("q1", "first quartile"),
	SIGNED("median", "median"),
	SIGNED("q3", "third quartile"),
	SIGNED("max", "the greatest"),
	SIGNED("baseline", "value of the baseline"),
	SIGNED("ratio", "value over baseline; of pairs: mean over the baseline's mean"),
	SIGNED("ci_low", "lower end of the interval of the mean"),
	SIGNED("ci_high", "its upper end"),
	REAL("p_sign", "sign test of the pairs, two-sided"),
	REAL("p_wilcoxon", "Wilcoxon's signed-rank test of the pairs, two-sided"),
	TEXT("note", "a witness, or how it was found"),
	{0}};

const struct table_kind kind_metrics = {
	.name = "metrics",
	.version = 1,
	.summary = "measurements",
	.columns = metric_columns,
	.key = metric_key,
};

static const char *const kernel_key[] = {"app", "size", "device", NULL};
static const struct column kernel_columns[] = {
	KEY("app", "the application"),
	KEY("size", "its size, a name"),
	KEY("device", "a device, or a set of devices as in cpu+gpu"),
	REAL("rate_slices_per_s", "speed on the device; 0: it can't run there"),
	REAL("time_s",
	     "in place of the rate: all slices of a launch, without copies; of a set: with them"),
	{.name = "slices",
	 .type = COLUMN_INT,
	 .min = 1,
	 .max = 1000000000,
	 .meaning = "slices of a launch; the same in all rows of a size"},
	REAL("slice_overhead_s", "what each slice takes in addition"),
	REAL("copy_in_s", "time to copy the input in; else bytes over the device's bandwidth"),
	REAL("copy_out_s", "time to copy the output out; else likewise"),
	REAL("bytes", "memory that it needs on each device"),
	TIME("init_s", "initialisation on the host"),
	{0}};

const struct table_kind kind_kernels = {
	.name = "kernels",
	.version = 1,
	.summary = "how fast applications are on devices",
	.columns = kernel_columns,
	.key = kernel_key,
};

static const char *const classifier_key[] = {"column", NULL};
static const struct column classifier_columns[] = {
	KEY("column", "a column of profiles; (intercept), the first row, is none"),
	SIGNED("weight", "what a standard deviation of the column adds to the log odds"),
	SIGNED("mean", "the column's mean over the profiles of the training"),
	REAL("sd", "its standard deviation over them"),
	{0}};

const struct table_kind kind_classifier = {
	.name = "classifier",
	.version = 1,
	.summary = "how likely a profile is network-sensitive",
	.columns = classifier_columns,
	.key = classifier_key,
};

const struct table_kind *const all_kinds[] = {
	&kind_classifier, &kind_comm,    &kind_counters, &kind_events,       &kind_graph,
	&kind_iotrace,    &kind_jobs,    &kind_kernels,  &kind_links,        &kind_loadcurve,
	&kind_mapping,    &kind_metrics, &kind_mpitrace, &kind_nights,       &kind_nodes,
	&kind_partitions, &kind_profile, &kind_ranks,    &kind_reservations, &kind_sharing,
	&kind_slices,     &kind_storage, &kind_timeline, &kind_traffic,      NULL};
