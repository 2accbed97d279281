/* scontrol_res.c - scontrol show reservation as reservations: which nodes, from when, until when */
#include <string.h>

#include "base/num.h"
#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_partition.h"
#include "convert/reader/slurm_record.h"

struct scontrol_res_reader {
	const struct reader_input *input;
	struct flow *flow;
	struct slurm_record record;
	struct slurm_reservation_columns columns;
};

static const char *value(const struct scontrol_res_reader *reading, const char *key)
{
	return slurm_record_value(&reading->record, key);
}

static int put_record(void *context, struct err *err)
{
	struct scontrol_res_reader *reading = context;
	const char *cores = value(reading, "CoreCnt");
	struct slurm_reservation reservation;

	slurm_reservation_clear(&reservation);
	reservation.name = value(reading, "ReservationName");
	reservation.nodelist = value(reading, "Nodes");
	reservation.state = value(reading, "State");
	reservation.flags = value(reading, "Flags");
	reservation.partition = value(reading, "PartitionName");
	reservation.users = value(reading, "Users");
	reservation.accounts = value(reading, "Accounts");
	if (cores != NULL)
		num_int(cores, 0, INT32_MAX, &reservation.cores);
	if (slurm_time(reading->input, value(reading, "StartTime"), &reservation.start_ns, err) <
		    0 ||
	    slurm_time(reading->input, value(reading, "EndTime"), &reservation.end_ns, err) < 0)
		return -1;
	return slurm_reservation_put(&reservation, &reading->columns, reading->flow, err);
}

static int read_reservations(const struct reader_input *input, struct flow *flow, bool *whole,
			     struct err *err)
{
	struct scontrol_res_reader reading = {.input = input,
					      .flow = flow,
					      .record.first_key = "ReservationName",
					      .record.nothing = "No reservations"};
	int status;

	(void)whole;
	slurm_reservation_declare(&reading.columns, flow);
	status = slurm_records_read(&reading.record, input->paths, flow, put_record, &reading, err);
	return status;
}

static bool is_reservations(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "ReservationName=") && strstr(head, " StartTime=") != NULL;
}

static const struct table_kind *const makes[] = {&kind_reservations, NULL};

const struct reader reader_scontrol_res = {
	.entry = {.name = "scontrol-res",
		  .example = "scontrol-res",
		  .summary =
			  "Slurm's scontrol show reservation, one or several lines per reservation",
		  .feed = "scontrol show reservation -o"},
	.sees_empty = true,
	.makes = makes,
	.is_proof = is_reservations,
	.read = read_reservations,
};
