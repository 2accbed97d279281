/* slurm_partition.h - a partition and a reservation as any of Slurm's commands report them */
#ifndef CONVERT_READER_SLURM_PARTITION_H
#define CONVERT_READER_SLURM_PARTITION_H

#include <stdint.h>

#include "base/str.h"
#include "formats/yaml.h"
#include "model/flow.h"

/* Texts are their maker's until the row was put; NULL and -1: not known, or no limit. */
struct slurm_partition {
	const char *name, *nodelist, *state, *oversubscribe, *accounts;
	int is_default; /* 1, 0, -1 */
	int64_t nodes_min, nodes_max, walltime_default_s, walltime_max_s, priority;
};

struct slurm_partition_columns {
	int partition, nodelist, state, is_default, oversubscribe, nodes_min, nodes_max,
		walltime_default, walltime_max, priority, accounts;
};

void slurm_partition_clear(struct slurm_partition *partition);
void slurm_partition_declare(struct slurm_partition_columns *columns, struct flow *flow);
/* Sets the cells and hands on the row: state in small letters. -1: without its name. */
int slurm_partition_put(const struct slurm_partition *partition,
			const struct slurm_partition_columns *columns, struct flow *flow,
			struct err *err);

struct slurm_reservation {
	const char *name, *nodelist, *state, *flags, *partition, *users, *accounts;
	int64_t cores, start_ns, end_ns; /* SLURM_NO_TIME */
};

struct slurm_reservation_columns {
	int reservation, nodelist, start, end, state, flags, cores, partition, users, accounts;
};

void slurm_reservation_clear(struct slurm_reservation *reservation);
void slurm_reservation_declare(struct slurm_reservation_columns *columns, struct flow *flow);
/* Likewise; flags as ignore-jobs, small and with hyphens. */
int slurm_reservation_put(const struct slurm_reservation *reservation,
			  const struct slurm_reservation_columns *columns, struct flow *flow,
			  struct err *err);

/* The items of scontrol show partitions --json and of scontrol show reservations --json. */
struct json_partition_room {
	struct buf state, flags;
	char oversubscribe[32];
};
void json_partition_read(struct slurm_partition *partition, const struct yaml *item,
			 struct json_partition_room *room);
void json_reservation_read(struct slurm_reservation *reservation, const struct yaml *item,
			   struct json_partition_room *room);
void json_partition_room_free(struct json_partition_room *room);

#endif
