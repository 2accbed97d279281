/* scontrol_part.c - scontrol show partition as partitions: their nodes and limits */
#include <string.h>

#include "base/num.h"
#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_partition.h"
#include "convert/reader/slurm_record.h"

struct scontrol_part_reader {
	struct flow *flow;
	struct slurm_record record;
	struct slurm_partition_columns columns;
};

static const char *value(const struct scontrol_part_reader *reading, const char *key)
{
	return slurm_record_value(&reading->record, key);
}

/* UNLIMITED is no number. */
static void read_number(const char *text, int64_t *number)
{
	if (text != NULL)
		num_int(text, 0, INT32_MAX, number);
}

static int read_duration(const char *text, int64_t *seconds, struct err *err)
{
	return slurm_duration(text, seconds, err) < 0 ? -1 : 0;
}

/* ALL is no list of accounts. */
static const char *listed(const char *text)
{
	return text != NULL && strcasecmp(text, "ALL") == 0 ? NULL : text;
}

static int put_record(void *context, struct err *err)
{
	struct scontrol_part_reader *reading = context;
	struct slurm_partition partition;
	const char *is_default = value(reading, "Default");

	slurm_partition_clear(&partition);
	partition.name = value(reading, "PartitionName");
	partition.nodelist = value(reading, "Nodes");
	partition.state = value(reading, "State");
	partition.oversubscribe = value(reading, "OverSubscribe");
	/* 26.05 has Exclusive=NODE beside OverSubscribe= */
	if (value(reading, "Exclusive") != NULL &&
	    strcasecmp(value(reading, "Exclusive"), "NODE") == 0)
		partition.oversubscribe = "exclusive";
	partition.accounts = listed(value(reading, "AllowAccounts"));
	if (is_default != NULL)
		partition.is_default = strcasecmp(is_default, "YES") == 0;
	read_number(value(reading, "MinNodes"), &partition.nodes_min);
	read_number(value(reading, "MaxNodes"), &partition.nodes_max);
	read_number(value(reading, "PriorityTier"), &partition.priority);
	if (read_duration(value(reading, "DefaultTime"), &partition.walltime_default_s, err) != 0 ||
	    read_duration(value(reading, "MaxTime"), &partition.walltime_max_s, err) != 0)
		return -1;
	return slurm_partition_put(&partition, &reading->columns, reading->flow, err);
}

static int read_partitions(const struct reader_input *input, struct flow *flow, bool *whole,
			   struct err *err)
{
	struct scontrol_part_reader reading = {.flow = flow, .record.first_key = "PartitionName"};
	int status;

	(void)whole;
	slurm_partition_declare(&reading.columns, flow);
	status = slurm_records_read(&reading.record, input->paths, flow, put_record, &reading, err);
	return status;
}

static bool is_partitions(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "PartitionName=") && strstr(head, " TotalNodes=") != NULL;
}

static const struct table_kind *const makes[] = {&kind_partitions, NULL};

const struct reader reader_scontrol_part = {
	.entry = {.name = "scontrol-part",
		  .example = "scontrol-part",
		  .summary = "Slurm's scontrol show partition, one or several lines per partition",
		  .feed = "scontrol show partition -o"},
	.makes = makes,
	.is_proof = is_partitions,
	.read = read_partitions,
};
