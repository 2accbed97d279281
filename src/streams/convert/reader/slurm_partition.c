/* slurm_partition.c - a partition and a reservation as any of Slurm's commands report them */
#include "convert/reader/slurm_partition.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "convert/reader/slurm_json.h"
#include "convert/reader/slurm_rows.h"

static void put_int(struct flow *flow, int column, int64_t number)
{
	if (number >= 0)
		flow_int(flow, column, number);
}

static void put_duration(struct flow *flow, int column, int64_t seconds)
{
	if (seconds >= 0)
		flow_seconds(flow, column, seconds * INT64_C(1000000000));
}

/* In small letters, with hyphens, without what comes behind a '+'. */
static const char *small(const char *text, char *word, size_t size)
{
	size_t n = 0;

	if (text == NULL)
		return NULL;
	for (; text[n] != '\0' && text[n] != '+' && n + 1 < size; n++)
		word[n] = text[n] == '_' ? '-' : (char)tolower((unsigned char)text[n]);
	word[n] = '\0';
	return word;
}

/* ---- partitions ---- */

void slurm_partition_clear(struct slurm_partition *partition)
{
	*partition = (struct slurm_partition){.is_default = -1,
					      .nodes_min = -1,
					      .nodes_max = -1,
					      .walltime_default_s = -1,
					      .walltime_max_s = -1,
					      .priority = -1};
}

void slurm_partition_declare(struct slurm_partition_columns *columns, struct flow *flow)
{
	columns->partition = flow_column(flow, "partition");
	columns->nodelist = flow_column(flow, "nodelist");
	columns->state = flow_column(flow, "state");
	columns->is_default = flow_column(flow, "default");
	columns->oversubscribe = flow_column(flow, "oversubscribe");
	columns->nodes_min = flow_column(flow, "nodes_min");
	columns->nodes_max = flow_column(flow, "nodes_max");
	columns->walltime_default = flow_column(flow, "walltime_default_s");
	columns->walltime_max = flow_column(flow, "walltime_max_s");
	columns->priority = flow_column(flow, "priority");
	columns->accounts = flow_column(flow, "accounts");
}

int slurm_partition_put(const struct slurm_partition *partition,
			const struct slurm_partition_columns *columns, struct flow *flow,
			struct err *err)
{
	char state[32], oversubscribe[32];

	if (partition->name == NULL)
		return err_set(err, "a partition without its name");
	flow_text(flow, columns->partition, partition->name);
	flow_text(flow, columns->nodelist, partition->nodelist);
	flow_text(flow, columns->state, small(partition->state, state, sizeof(state)));
	if (partition->is_default >= 0)
		flow_text(flow, columns->is_default, partition->is_default ? "yes" : "no");
	flow_text(flow, columns->oversubscribe,
		  small(partition->oversubscribe, oversubscribe, sizeof(oversubscribe)));
	put_int(flow, columns->nodes_min, partition->nodes_min);
	put_int(flow, columns->nodes_max, partition->nodes_max);
	put_duration(flow, columns->walltime_default, partition->walltime_default_s);
	put_duration(flow, columns->walltime_max, partition->walltime_max_s);
	put_int(flow, columns->priority, partition->priority);
	flow_text(flow, columns->accounts, partition->accounts);
	return flow_emit(flow, err);
}

/* ---- reservations ---- */

void slurm_reservation_clear(struct slurm_reservation *reservation)
{
	*reservation = (struct slurm_reservation){
		.cores = -1, .start_ns = SLURM_NO_TIME, .end_ns = SLURM_NO_TIME};
}

void slurm_reservation_declare(struct slurm_reservation_columns *columns, struct flow *flow)
{
	columns->reservation = flow_column(flow, "reservation");
	columns->nodelist = flow_column(flow, "nodelist");
	columns->start = flow_column(flow, "start_s");
	columns->end = flow_column(flow, "end_s");
	columns->state = flow_column(flow, "state");
	columns->flags = flow_column(flow, "flags");
	columns->cores = flow_column(flow, "cores");
	columns->partition = flow_column(flow, "partition");
	columns->users = flow_column(flow, "users");
	columns->accounts = flow_column(flow, "accounts");
}

int slurm_reservation_put(const struct slurm_reservation *reservation,
			  const struct slurm_reservation_columns *columns, struct flow *flow,
			  struct err *err)
{
	char state[32], flags[256];

	if (reservation->name == NULL)
		return err_set(err, "a reservation without its name");
	flow_text(flow, columns->reservation, reservation->name);
	flow_text(flow, columns->nodelist, reservation->nodelist);
	if (reservation->start_ns != SLURM_NO_TIME)
		flow_seconds(flow, columns->start, reservation->start_ns);
	if (reservation->end_ns != SLURM_NO_TIME)
		flow_seconds(flow, columns->end, reservation->end_ns);
	flow_text(flow, columns->state, small(reservation->state, state, sizeof(state)));
	flow_text(flow, columns->flags, small(reservation->flags, flags, sizeof(flags)));
	put_int(flow, columns->cores, reservation->cores);
	flow_text(flow, columns->partition, reservation->partition);
	flow_text(flow, columns->users, reservation->users);
	flow_text(flow, columns->accounts, reservation->accounts);
	return flow_emit(flow, err);
}

/* ---- JSON ---- */

static void read_number(const struct yaml *value, int64_t *number)
{
	int64_t found;

	if (json_number(value, &found))
		*number = found;
}

/* Minutes; without a limit nothing. */
static void read_minutes(const struct yaml *value, int64_t *seconds)
{
	int64_t minutes;

	if (json_number(value, &minutes) && minutes > 0 && minutes < INT64_C(150000000))
		*seconds = 60 * minutes;
}

/* jobs is Slurm's max_share: 0 for EXCLUSIVE, 1 for NO. */
static const char *read_oversubscribe(const struct yaml *item, struct json_partition_room *room)
{
	const struct yaml *share = json_at(item, "maximums", "oversubscribe");
	const char *flags = json_words(yaml_get(share, "flags"), ",", &room->flags);
	int64_t jobs;

	if (!json_number(yaml_get(share, "jobs"), &jobs))
		return NULL;
	if (jobs == 0)
		return "exclusive";
	if (jobs == 1 && flags == NULL)
		return "no";
	snprintf(room->oversubscribe, sizeof(room->oversubscribe), "%s:%lld",
		 flags != NULL ? "force" : "yes", (long long)jobs);
	return room->oversubscribe;
}

void json_partition_read(struct slurm_partition *partition, const struct yaml *item,
			 struct json_partition_room *room)
{
	const struct yaml *defaults = yaml_get(item, "defaults");

	slurm_partition_clear(partition);
	partition->name = json_text(item, "name");
	partition->nodelist = json_text(yaml_get(item, "nodes"), "configured");
	partition->state = json_words(json_at(item, "partition", "state"), "+", &room->state);
	partition->oversubscribe = read_oversubscribe(item, room);
	partition->accounts = json_text(yaml_get(item, "accounts"), "allowed");
	read_number(json_at(item, "minimums", "nodes"), &partition->nodes_min);
	read_number(json_at(item, "maximums", "nodes"), &partition->nodes_max);
	read_minutes(yaml_get(defaults, "time"), &partition->walltime_default_s);
	read_minutes(json_at(item, "maximums", "time"), &partition->walltime_max_s);
	read_number(json_at(item, "priority", "tier"), &partition->priority);
}

static void read_time(const struct yaml *value, int64_t *ns)
{
	int64_t seconds;

	if (json_number(value, &seconds) && seconds > 0 && seconds < INT64_C(9000000000))
		*ns = seconds * INT64_C(1000000000);
}

void json_reservation_read(struct slurm_reservation *reservation, const struct yaml *item,
			   struct json_partition_room *room)
{
	slurm_reservation_clear(reservation);
	reservation->name = json_text(item, "name");
	reservation->nodelist = json_text(item, "node_list");
	reservation->flags = json_words(yaml_get(item, "flags"), ",", &room->flags);
	reservation->partition = json_text(item, "partition");
	reservation->users = json_text(item, "users");
	reservation->accounts = json_text(item, "accounts");
	read_number(yaml_get(item, "core_count"), &reservation->cores);
	read_time(yaml_get(item, "start_time"), &reservation->start_ns);
	read_time(yaml_get(item, "end_time"), &reservation->end_ns);
}

void json_partition_room_free(struct json_partition_room *room)
{
	buf_free(&room->state);
	buf_free(&room->flags);
}
