/* slurm_json.c - the JSON of Slurm's commands as jobs, nodes, partitions or reservations */
#include "convert/reader/slurm_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/names.h"
#include "convert/reader/json_file.h"
#include "convert/reader/slurm_array.h"
#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_partition.h"
#include "convert/reader/slurm_states.h"
#include "convert/reader/text.h"
#include "formats/hostlist.h"

struct slurm_json_reader {
	struct flow *flow;
	struct slurm_job_columns job_columns;
	struct slurm_node_columns node_columns;
	struct slurm_partition_columns partition_columns;
	struct slurm_reservation_columns reservation_columns;
	struct json_partition_room partition_room;
	struct json_job_room room;
	struct buf state, partitions, features;
	struct map seen;         /* nodes of sinfo's grouped rows */
	struct slurm_node group; /* what a grouped row says about each of its nodes */
	char word[32];
	long nrows, nothers, nsizeless; /* rows made; items of other kinds; jobs without nodes */
	const char *other;              /* what the last of those were */
};

/* ---- nodes ---- */

static void read_count(const struct yaml *value, int64_t *number)
{
	int64_t found;

	if (json_number(value, &found))
		*number = found;
}

static void read_memory(const struct yaml *value, double *bytes)
{
	int64_t mebibytes;

	if (json_number(value, &mebibytes))
		*bytes = (double)mebibytes * 1024 * 1024;
}

/* 22.05: a word and state_flags; later: a list of words. */
static const char *node_state(struct slurm_json_reader *reading, const struct yaml *item)
{
	const struct yaml *flags = yaml_get(item, "state_flags");
	struct buf more = {0};
	const char *text = json_words(yaml_get(item, "state"), "+", &reading->state), *flag;

	if (text == NULL)
		return NULL;
	flag = json_words(flags, "+", &more);
	if (flag != NULL) {
		if (text != reading->state.text) {
			buf_clear(&reading->state);
			buf_str(&reading->state, text);
		}
		buf_printf(&reading->state, "+%s", flag);
		text = reading->state.text;
	}
	buf_free(&more);
	return slurm_node_state(reading->flow, text, reading->word);
}

static int read_node(struct slurm_json_reader *reading, const struct yaml *item, struct err *err)
{
	struct slurm_node node;

	slurm_node_clear(&node);
	node.name = json_text(item, "name");
	if (node.name == NULL)
		return err_set(err, "a node without its name");
	node.state = node_state(reading, item);
	node.partitions = json_words(yaml_get(item, "partitions"), ",", &reading->partitions);
	node.features = json_words(yaml_get(item, "active_features"), ",", &reading->features);
	if (node.features == NULL)
		node.features = json_words(yaml_get(item, "features"), ",", &reading->features);
	node.reservation = json_text(item, "reservation");
	node.reason = json_text(item, "reason");
	read_count(yaml_get(item, "sockets"), &node.sockets);
	read_count(yaml_get(item, "cores"), &node.cores);
	if (node.cores > 0 && node.sockets > 0)
		node.cores *= node.sockets; /* they are those of a socket */
	read_count(yaml_get(item, "cpus"), &node.cpus);
	read_count(yaml_get(item, "alloc_cpus"), &node.cpus_used);
	read_count(yaml_get(item, "weight"), &node.weight);
	read_memory(yaml_get(item, "real_memory"), &node.memory_bytes);
	read_memory(yaml_get(item, "alloc_memory"), &node.memory_used_bytes);
	node.gpus = node.gpus_used = 0;
	slurm_gres_add(json_text(item, "gres"), &node.gpus, node.gpu_type);
	slurm_gres_add(json_text(item, "gres_used"), &node.gpus_used, (char[64]){""});
	slurm_node_put(&node, &reading->node_columns, reading->flow);
	reading->nrows++;
	return flow_emit(reading->flow, err);
}

static int put_grouped(void *context, const char *name, size_t n, struct err *err)
{
	struct slurm_json_reader *reading = context;
	struct slurm_node node = reading->group;

	if (map_get(&reading->seen, name, n) != -1)
		return 0; /* in several partitions, or groups */
	map_add(&reading->seen, name, n, 1);
	node.name = name;
	slurm_node_put(&node, &reading->node_columns, reading->flow);
	reading->nrows++;
	return flow_emit(reading->flow, err);
}

/* A number that a grouped row has for all of its nodes: minimum and maximum are the same. */
static void read_common(const struct yaml *range, int64_t *number)
{
	int64_t least, most;

	if (json_number(json_at(range, "minimum"), &least) &&
	    json_number(json_at(range, "maximum"), &most) && least == most)
		*number = least;
}

/* 23.02 and later: a row of sinfo[] represents the nodes of one partition in one state. */
static int read_group(struct slurm_json_reader *reading, const struct yaml *item, struct err *err)
{
	const struct yaml *list = json_at(item, "nodes", "nodes");
	struct slurm_node *node = &reading->group;
	int64_t mebibytes = -1;
	int status = 0;

	slurm_node_clear(node);
	node->state = node_state(reading, json_at(item, "node"));
	read_common(json_at(item, "cpus"), &node->cpus);
	read_common(json_at(item, "sockets"), &node->sockets);
	read_common(json_at(item, "cores"), &node->cores);
	if (node->cores > 0 && node->sockets > 0)
		node->cores *= node->sockets;
	read_common(json_at(item, "weight"), &node->weight);
	read_common(json_at(item, "memory"), &mebibytes);
	if (mebibytes >= 0)
		node->memory_bytes = (double)mebibytes * 1024 * 1024;
	node->gpus = 0;
	slurm_gres_add(json_text(json_at(item, "gres"), "total"), &node->gpus, node->gpu_type);
	node->features = json_words(json_at(item, "features", "total"), ",", &reading->features);
	node->reason =
		json_words(json_at(item, "reason", "description"), ",", &reading->partitions);
	if (list == NULL || list->type == YAML_MAP)
		return 0;
	if (list->type == YAML_SCALAR)
		return hostlist_walk(list->text, put_grouped, reading, err);
	for (size_t i = 0; i < list->n && status == 0; i++)
		if (list->items[i]->type == YAML_SCALAR)
			status = hostlist_walk(list->items[i]->text, put_grouped, reading, err);
	return status;
}

/* ---- jobs ---- */

/* What slurm_array_walk calls for a job, or for each task of an array that waits. */
struct job_put {
	struct slurm_json_reader *reading;
	struct slurm_job job;
};

static int put_job(void *context, const char *id, struct err *err)
{
	struct job_put *put = context;

	put->job.id = id;
	slurm_job_put(&put->job, &put->reading->job_columns, put->reading->flow);
	put->reading->nrows++;
	return flow_emit(put->reading->flow, err);
}

static int read_job(struct slurm_json_reader *reading, const struct yaml *item, struct err *err)
{
	struct job_put put = {.reading = reading};

	json_job_read(&put.job, item, &reading->room);
	if (put.job.nodes <= 0) {
		reading->nsizeless++;
		return 0;
	}
	return slurm_array_walk(put.job.id, put_job, &put, err);
}

/* ---- partitions, reservations ---- */

static int read_partition(struct slurm_json_reader *reading, const struct yaml *item,
			  struct err *err)
{
	struct slurm_partition partition;

	json_partition_read(&partition, item, &reading->partition_room);
	reading->nrows++;
	return slurm_partition_put(&partition, &reading->partition_columns, reading->flow, err);
}

static int read_reservation(struct slurm_json_reader *reading, const struct yaml *item,
			    struct err *err)
{
	struct slurm_reservation reservation;

	json_reservation_read(&reservation, item, &reading->partition_room);
	reading->nrows++;
	return slurm_reservation_put(&reservation, &reading->reservation_columns, reading->flow,
				     err);
}

/* ---- documents ---- */

/* The lists of a document that have rows, of one kind each. */
static const struct list {
	const char *key;
	const struct table_kind *kind;
	int (*read)(struct slurm_json_reader *reading, const struct yaml *item, struct err *err);
} lists[] = {{"jobs", &kind_jobs, read_job},
	     {"nodes", &kind_nodes, read_node},
	     {"sinfo", &kind_nodes, read_group},
	     {"partitions", &kind_partitions, read_partition},
	     {"reservations", &kind_reservations, read_reservation}};

/* An item of a list that matters; others (meta) are passed over. */
static int read_item(void *context, const char *key, const struct yaml *item, struct err *err)
{
	struct slurm_json_reader *reading = context;

	if (item->type != YAML_MAP)
		return 0;
	if (str_eq(key, "errors") && json_text(item, "error") != NULL)
		warn("Slurm reported an error beside these rows: %s", json_text(item, "error"));
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		if (!str_eq(key, lists[i].key))
			continue;
		if (lists[i].kind == reading->flow->kind)
			return lists[i].read(reading, item, err);
		reading->nothers++;
		reading->other = lists[i].kind->name;
	}
	return 0;
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct slurm_json_reader *reading = context;

	return json_file_read(in, reading->flow, read_item, reading, err);
}

static int read_json(const struct reader_input *input, struct flow *flow, bool *whole,
		     struct err *err)
{
	struct slurm_json_reader reading = {.flow = flow, .room.flow = flow};
	int status;

	(void)whole;
	if (flow->kind == &kind_jobs)
		slurm_job_declare(&reading.job_columns, flow);
	else if (flow->kind == &kind_nodes)
		slurm_node_declare(&reading.node_columns, flow);
	else if (flow->kind == &kind_partitions)
		slurm_partition_declare(&reading.partition_columns, flow);
	else
		slurm_reservation_declare(&reading.reservation_columns, flow);
	status = text_read_files(input->paths, read_file, &reading, err);
	if (status == 0 && reading.nrows == 0 && reading.nothers > 0)
		status = err_set(err, "%s: holds %s, but %s were asked for (--to)", input->paths[0],
				 reading.other, flow->kind->name);
	if (status == 0 && reading.nsizeless > 0)
		warn("%ld jobs without nodes were left out", reading.nsizeless);
	slurm_job_end(&reading.job_columns);
	json_job_room_free(&reading.room);
	json_partition_room_free(&reading.partition_room);
	buf_free(&reading.state);
	buf_free(&reading.partitions);
	buf_free(&reading.features);
	map_free(&reading.seen);
	return status;
}

/* An object that has one of Slurm's lists and one of the keys of their items. */
static bool is_slurm(const char *head, size_t n)
{
	static const char *const signs[] = {"\"Slurm\"",
					    "\"job_id\"",
					    "\"accrue_time\"",
					    "\"allocation_nodes\"",
					    "\"real_memory\"",
					    "\"Slurm OpenAPI",
					    "\"active_features\"",
					    "\"cpu_binding\"",
					    "\"next_state_after_reboot\"",
					    "\"allowed_allocation\"",
					    "\"core_specializations\""};

	(void)n;
	head += strspn(head, " \t\r\n");
	if (*head != '{')
		return false;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (strstr(head, signs[i]) != NULL)
			return true;
	return false;
}

static const struct table_kind *const makes[] = {&kind_jobs, &kind_nodes, &kind_partitions,
						 &kind_reservations, NULL};

const struct reader reader_slurm_json = {
	.entry =
		{.name = "slurm-json",
		 .example = "slurm-json",
		 .summary = "the JSON of squeue, sacct, sinfo and scontrol show (21.08 to 25.11): "
			    "jobs, or with --to what else it has: nodes, partitions, reservations",
		 .feed = "squeue --json; sacct --json; scontrol show nodes --json; scontrol show partitions --json"},
	.makes = makes,
	.is_proof = is_slurm,
	.read = read_json,
};
