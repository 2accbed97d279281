/* ranks.c - I/O traces of more ranks: weak scaling by cloning */
#include <stdio.h>
#include <stdlib.h>

#include "convert/filter/io_trace.h"
#include "base/str.h"

/* Which rank alone uses a file; SHARED: several do. */
enum { UNUSED = -1, SHARED = -2 };

static int32_t *find_owners(const struct io_trace *trace)
{
	int32_t *owner = xcalloc(trace->texts.n + 1, sizeof(*owner));

	for (size_t i = 0; i < trace->texts.n; i++)
		owner[i] = UNUSED;
	for (size_t i = 0; i < trace->ops.n; i++) {
		const struct io_op *op = &trace->ops.at[i];

		if (op->file < 0)
			continue;
		if (owner[op->file] == UNUSED)
			owner[op->file] = op->rank;
		else if (owner[op->file] != op->rank)
			owner[op->file] = SHARED;
	}
	return owner;
}

/* The clone's own copy of a file that was the original rank's own. */
static int32_t own_file(struct io_trace *trace, const int32_t *owner, int32_t file, int32_t rank)
{
	int32_t place;
	char *name;

	if (file < 0 || owner[file] == SHARED)
		return file;
	name = xasprintf("%s.%d", trace->texts.at[file], rank);
	place = io_trace_text(trace, name);
	free(name);
	return place;
}

/* Shared files grow as the ranks do: a clone works behind the end of what the originals use. */
static int64_t *find_extents(const struct io_trace *trace)
{
	int64_t *extent = xcalloc(trace->texts.n + 1, sizeof(*extent));

	for (size_t i = 0; i < trace->ops.n; i++) {
		const struct io_op *op = &trace->ops.at[i];

		if (op->file >= 0 && op->offset >= 0 && op->offset <= INT64_MAX / 2 - op->bytes &&
		    op->offset + op->bytes > extent[op->file])
			extent[op->file] = op->offset + op->bytes;
	}
	return extent;
}

/*
 * Where ranks begin in waves, in the order of their numbers: what a round of clones begins later
 * by, ns, so that they are the next waves. The time between two waves is the mean of those that are
 * there, by the starts of their first ranks' first operations.
 */
static int find_delay(const struct io_filter *filter, int nranks, int64_t *delay_ns,
		      struct err *err)
{
	const struct io_trace *trace = &filter->trace;
	int64_t wave = pick_int(filter->pick, "waves"), nwaves, first_ns = 0, last_ns = 0;
	int64_t last_wave = -1, first_wave = -1;

	*delay_ns = 0;
	if (wave == 0)
		return 0;
	nwaves = (nranks + wave - 1) / wave;
	for (size_t i = 0; i < trace->ops.n; i++) {
		const struct io_op *op = &trace->ops.at[i];

		if (op->rank / wave <= last_wave)
			continue;
		last_wave = op->rank / wave;
		last_ns = op->start_ns;
		if (first_wave < 0) {
			first_wave = last_wave;
			first_ns = last_ns;
		}
	}
	if (trace->is_think || last_wave <= first_wave || last_ns < first_ns)
		return err_set(err,
			       "ranks: waves: expected a trace of planned starts with two waves "
			       "or more, one after the other");
	*delay_ns = (last_ns - first_ns) / (last_wave - first_wave) * nwaves;
	return 0;
}

static int change(struct io_filter *filter, struct err *err)
{
	struct io_trace *trace = &filter->trace;
	int64_t want = pick_int(filter->pick, "n");
	int n = io_trace_nranks(trace);
	size_t nops = trace->ops.n, kept = 0;
	int64_t *extent, delay_ns;
	int32_t *owner;

	if (trace->comms.at.n > 0)
		return err_set(err, "ranks: barriers of sub-communicators can't be "
				    "cloned: put them in after it");
	for (size_t i = 0; i < nops; i++)
		if (trace->ops.at[i].rank < want)
			trace->ops.at[kept++] = trace->ops.at[i];
	trace->ops.n = nops = kept;
	*filter->has_changed = want != n;
	trace->comms.nranks = (int)want;
	if (want <= n || nops == 0)
		return 0;
	if (io_filter_room(filter, (double)nops * (double)(want / n), "ranks", err) != 0)
		return -1;
	if (find_delay(filter, n, &delay_ns, err) != 0)
		return -1;
	owner = find_owners(trace);
	extent = find_extents(trace);
	for (int64_t round = 1; round * n < want; round++)
		for (size_t i = 0; i < nops; i++) {
			struct io_op op = trace->ops.at[i];

			if (op.rank + round * n >= want)
				continue;
			op.rank += (int32_t)(round * n);
			op.start_ns += round * delay_ns;
			op.end_ns += round * delay_ns;
			if (op.file >= 0 && owner[op.file] == SHARED && op.offset >= 0)
				op.offset += round * extent[op.file];
			op.file = own_file(trace, owner, op.file, op.rank);
			vec_push(&trace->ops, op);
		}
	io_trace_sort(trace);
	free(owner);
	free(extent);
	return 0;
}

static void *start(const struct filter_input *input, struct err *err)
{
	(void)err;
	return io_filter_start(input, change);
}

static const struct param params[] = {
	{.key = "n",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 26,
	 .unit = "ranks",
	 .meaning = "number of ranks of the new trace; if smaller, the last ranks are "
		    "omitted"},
	{.key = "waves",
	 .type = PARAM_INT,
	 .min = 0,
	 .max = 1 << 24,
	 .def = "0",
	 .unit = "ranks",
	 .meaning = "ranks that begin together, in waves: clones continue the waves; 0: they begin "
		    "with the originals"},
	{0}};

const struct filter filter_ranks = {
	.entry = {.name = "ranks",
		  .example = "ranks:n=16",
		  .summary = "I/O traces of more ranks (weak scaling): rank r does what "
			     "rank r mod N did, in separate files if that rank had "
			     "separate files, and after its data in shared files",
		  .paper = "Khetawat 2022, §2.6.2",
		  .params = params},
	.takes = io_filter_takes,
	.no_effect = "the trace has that number of ranks",
	.start = start,
	.taker = {io_filter_begin, io_filter_row, io_filter_end},
	.stop = io_filter_stop,
};
