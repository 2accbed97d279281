/* scontrol_node.c - scontrol show node as the states and resources of nodes */
#include <string.h>

#include "base/num.h"
#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_record.h"
#include "convert/reader/slurm_rows.h"
#include "convert/reader/slurm_states.h"

struct scontrol_node_reader {
	struct flow *flow;
	struct slurm_record record;
	struct slurm_node_columns columns;
	char word[32];
	struct buf reason;
};

static const char *value(const struct scontrol_node_reader *reading, const char *key)
{
	return slurm_record_value(&reading->record, key);
}

static void read_number(const char *text, int64_t *number)
{
	if (text != NULL)
		num_int(text, 0, INT32_MAX, number);
}

static void read_memory(const char *text, double *bytes)
{
	char per;

	if (text != NULL)
		slurm_memory(text, bytes, &per);
}

/* What is configured, and what of it jobs have: of several keys the later ones fill up. */
static void read_resources(const struct scontrol_node_reader *reading, struct slurm_node *node)
{
	struct slurm_tres has, used;

	slurm_tres_read(&has, value(reading, "CfgTRES"));
	slurm_tres_read(&used, value(reading, "AllocTRES"));
	node->cpus = has.cpus;
	node->memory_bytes = has.memory_bytes;
	node->gpus = has.gpus < 0 ? 0 : has.gpus;
	read_number(value(reading, "CPUTot"), &node->cpus);
	read_number(value(reading, "CPUEfctv"), &node->cpus);
	read_number(value(reading, "CPUAlloc"), &node->cpus_used);
	read_number(value(reading, "Weight"), &node->weight);
	read_number(value(reading, "Sockets"), &node->sockets);
	read_number(value(reading, "CoresPerSocket"), &node->cores);
	if (node->cores > 0 && node->sockets > 0)
		node->cores *= node->sockets;
	read_memory(value(reading, "RealMemory"), &node->memory_bytes);
	read_memory(value(reading, "AllocMem"), &node->memory_used_bytes);
	if (value(reading, "Gres") != NULL) {
		node->gpus = 0;
		slurm_gres_add(value(reading, "Gres"), &node->gpus, node->gpu_type);
	} else {
		memcpy(node->gpu_type, has.gpu_type, sizeof(has.gpu_type));
	}
	if (value(reading, "GresUsed") != NULL)
		slurm_gres_add(value(reading, "GresUsed"), &node->gpus_used, (char[64]){""});
	else if (value(reading, "CPUAlloc") != NULL)
		node->gpus_used = used.gpus < 0 && node->gpus == 0 ? 0 : used.gpus;
}

/* "bad DIMM [root@2026-11-22T10:27:11]": without who said so, and when. */
static const char *read_reason(struct scontrol_node_reader *reading)
{
	const char *text = value(reading, "Reason"), *at;
	size_t n;

	if (text == NULL)
		return NULL;
	n = strlen(text);
	at = strrchr(text, '[');
	if (at != NULL && at > text && text[n - 1] == ']' && strchr(at, '@') != NULL)
		n = (size_t)(at - text);
	while (n > 0 && text[n - 1] == ' ')
		n--;
	buf_clear(&reading->reason);
	buf_add(&reading->reason, text, n);
	return reading->reason.text;
}

static int put_record(void *context, struct err *err)
{
	struct scontrol_node_reader *reading = context;
	const char *state = value(reading, "State");
	struct slurm_node node;

	slurm_node_clear(&node);
	node.name = value(reading, "NodeName");
	if (node.name == NULL)
		return err_set(err, "a node without its name");
	if (state == NULL && value(reading, "CfgTRES") == NULL)
		return err_set(err, "the node '%s' has no State=", node.name);
	if (state != NULL)
		node.state = slurm_node_state(reading->flow, state, reading->word);
	node.partitions = value(reading, "Partitions");
	node.features = value(reading, "ActiveFeatures");
	if (node.features == NULL)
		node.features = value(reading, "AvailableFeatures");
	node.reservation = value(reading, "ReservationName");
	node.reason = read_reason(reading);
	read_resources(reading, &node);
	slurm_node_put(&node, &reading->columns, reading->flow);
	return flow_emit(reading->flow, err);
}

static int read_nodes(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	struct scontrol_node_reader reading = {.flow = flow, .record.first_key = "NodeName"};
	int status;

	(void)whole;
	slurm_node_declare(&reading.columns, flow);
	status = slurm_records_read(&reading.record, input->paths, flow, put_record, &reading, err);
	buf_free(&reading.reason);
	return status;
}

static bool is_nodes(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "NodeName=") &&
	       (strstr(head, " CPUTot=") != NULL || strstr(head, " CfgTRES=") != NULL);
}

static const struct table_kind *const makes[] = {&kind_nodes, NULL};

const struct reader reader_scontrol_node = {
	.entry = {.name = "scontrol-node",
		  .example = "scontrol-node",
		  .summary = "Slurm's scontrol show node, one or several lines per node",
		  .feed = "scontrol -d show node -o"},
	.makes = makes,
	.is_proof = is_nodes,
	.read = read_nodes,
};
