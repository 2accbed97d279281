/* repeat.c - I/O traces that happen several times at an interval */
#include <stdlib.h>

#include "convert/filter/io_trace.h"
#include "base/str.h"

static int32_t file_of(struct io_trace *trace, int32_t file, int64_t round)
{
	int32_t place;
	char *name;

	if (file < 0)
		return file;
	name = xasprintf("%s.%lld", trace->texts.at[file], (long long)round);
	place = io_trace_text(trace, name);
	free(name);
	return place;
}

static int change(struct io_filter *filter, struct err *err)
{
	struct io_trace *trace = &filter->trace;
	int64_t count = pick_int(filter->pick, "count");
	double seconds = pick_real(filter->pick, "every");
	bool is_new = pick_is(filter->pick, "files", "new");
	size_t nops = trace->ops.n;
	int64_t every;

	*filter->has_changed = count > 1;
	if (!(seconds * (double)count < 9e9))
		return err_set(err, "repeat: %lld times every %.6g s is too long", (long long)count,
			       seconds);
	if (io_filter_room(filter, (double)nops * (double)(count - 1), "repeat", err) != 0)
		return -1;
	every = (int64_t)(seconds * 1e9 + 0.5);
	for (int64_t round = 1; round < count; round++) {
		int32_t rank = -1;

		for (size_t i = 0; i < nops; i++) {
			struct io_op op = trace->ops.at[i];

			/* of think times only the first in a round waits: for the interval */
			if (!trace->is_think)
				op.start_ns += round * every;
			else if (op.rank != rank)
				op.start_ns += every;
			op.end_ns += round * every;
			rank = op.rank;
			if (is_new)
				op.file = file_of(trace, op.file, round);
			vec_push(&trace->ops, op);
		}
	}
	io_trace_sort(trace);
	return 0;
}

static void *start(const struct filter_input *input, struct err *err)
{
	(void)err;
	return io_filter_start(input, change);
}

static const struct param params[] = {
	{.key = "count",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 26,
	 .meaning = "total number of repetitions"},
	{.key = "every",
	 .type = PARAM_DURATION,
	 .unit = "s",
	 .meaning = "time from one start to the next; with ##timing=think, the think time"
		    " in between"},
	{.key = "files",
	 .type = PARAM_WORD,
	 .def = "same",
	 .choices = "same|new",
	 .meaning = "whether each repetition has separate files, like checkpoints"},
	{0}};

const struct filter filter_repeat = {
	.entry = {.name = "repeat",
		  .example = "repeat:count=3,every=40",
		  .summary = "I/O traces repeated at an interval",
		  .paper = "Khetawat 2022, §2.6.2",
		  .params = params},
	.takes = io_filter_takes,
	.no_effect = "count is 1",
	.start = start,
	.taker = {io_filter_begin, io_filter_row, io_filter_end},
	.stop = io_filter_stop,
};
