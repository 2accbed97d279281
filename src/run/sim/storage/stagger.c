/* stagger.c - the ranks of a job begin a phase of I/O one after the other */
#include <math.h>

#include "sim/storage/io_schedule.h"

static int64_t delay_ps(const struct pick *pick, int32_t rank, int32_t nranks, bool begins)
{
	return begins ? llround(pick_real(pick, "window") * 1e12 * rank / nranks) : 0;
}

const struct io_schedule io_schedule_stagger = {
	.entry = {.name = "stagger",
		  .example = "stagger:window=10s",
		  .summary = "each rank delays its phases of I/O, in proportion to its number",
		  .params = (const struct param[]){{.key = "window",
						    .type = PARAM_DURATION,
						    .unit = "s",
						    .meaning = "over which the ranks begin"},
						   {0}}},
	.delay_ps = delay_ps,
};
