/* none.c - ranks do their I/O when they come to it */
#include "sim/storage/io_schedule.h"

const struct io_schedule io_schedule_none = {
	.entry = {.name = "none",
		  .example = "none",
		  .summary = "ranks do I/O when they come to it"},
};
