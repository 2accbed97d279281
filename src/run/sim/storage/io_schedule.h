/* io_schedule.h - when the ranks of a job may begin their I/O */
#ifndef SIM_STORAGE_IO_SCHEDULE_H
#define SIM_STORAGE_IO_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/registry.h"

struct io_schedule {
	struct entry entry;
	/* How many ranks of a job do I/O at one time; NULL: any number. */
	int64_t (*writers)(const struct pick *pick);
	/* How long a rank waits before an operation; begins: the first of a phase. NULL: never. */
	int64_t (*delay_ps)(const struct pick *pick, int32_t rank, int32_t nranks, bool begins);
};

extern const struct registry io_schedules; /* "io-schedules" */

#endif
