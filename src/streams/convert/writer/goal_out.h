/* goal_out.h - what the files that write GOAL schedules share */
#ifndef CONVERT_WRITER_GOAL_OUT_H
#define CONVERT_WRITER_GOAL_OUT_H

#include "convert/reader/goal.h"
#include "formats/out.h"

/* The binary form. What the ranks [n] need is sorted. */
void goal_write_binary(struct out *out, struct goal_rank *ranks, size_t n);

#endif
