/* live_run.c - described kernels on real devices: plans, runs, profiles */
#include "live/live_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"
#include "base/str.h"
#include "cosched/side_rows.h"
#include "formats/out.h"
#include "formats/table.h"
#include "live/runtime/dealing.h"
#include "model/kinds.h"

enum { RUN, JOB, DEVICE, START, END, SLICE, FIRST, COUNT, COPY_IN, COPY_OUT, NCOLUMNS };
static const char *const columns[NCOLUMNS] = {"run",       "job",       "device", "start_s",
					      "end_s",     "slice",     "first",  "count",
					      "copy_in_s", "copy_out_s"};

/* A slice that was done; they are written when all are known, in the order of their starts. */
struct done {
	int device;
	int64_t number, start_ns, end_ns;
};

struct recorder {
	const struct work *work;
	const struct devices *devices;
	const char *run;
	char *job;
	VEC(struct done) done;
	struct table_out *table;
	int ncolumns;
	struct side_rows side;
	int64_t begin_ns;                  /* of spans */
	int64_t zero_ns;                   /* of slices */
	const struct dealing_costs *costs; /* of a profile's run; or NULL */
};

static void take_slice(void *context, int device, int64_t number, int64_t start_ns, int64_t end_ns)
{
	struct recorder *recorder = context;

	vec_push(&recorder->done, (struct done){device, number, start_ns, end_ns});
}

static void take_span(void *context, int device, enum dealing_span span, int64_t start_ns,
		      int64_t end_ns)
{
	struct recorder *recorder = context;

	if (recorder->side.timeline != NULL)
		side_rows_span(&recorder->side, recorder->run, recorder->job, "",
			       recorder->devices->at[device].name, dealing_span_name(span),
			       start_ns - recorder->begin_ns, end_ns - recorder->begin_ns);
}

static int by_start(const void *a, const void *b)
{
	const struct done *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* copies: with what copying took. */
static void write_row(const struct recorder *recorder, const struct done *done, int64_t slice,
		      bool is_plan, bool copies)
{
	const struct slicing *slicing = &recorder->work->slicing;
	struct slice items = slicing_slice(slicing, done->number);
	int64_t local = slicing->range.local[slicing->dimension];
	struct table_out *table = recorder->table;

	table_out_text(table, RUN, recorder->run);
	table_out_text(table, JOB, recorder->job);
	table_out_text(table, DEVICE, is_plan ? "." : recorder->devices->at[done->device].name);
	table_out_seconds(table, START, done->start_ns - recorder->zero_ns);
	table_out_seconds(table, END, done->end_ns - recorder->zero_ns);
	table_out_int(table, SLICE, slice);
	table_out_int(table, FIRST, items.first / local);
	table_out_int(table, COUNT, (items.count + local - 1) / local);
	if (copies) {
		table_out_seconds(table, COPY_IN, recorder->costs->all_in_ns);
		table_out_seconds(table, COPY_OUT, recorder->costs->all_out_ns);
	}
	table_out_emit(table);
}

static void write_slices(struct recorder *recorder)
{
	if (recorder->done.n == 0)
		return;
	qsort(recorder->done.at, recorder->done.n, sizeof(*recorder->done.at), by_start);
	for (size_t i = 0; i < recorder->done.n; i++)
		write_row(recorder, &recorder->done.at[i], (int64_t)i, false,
			  recorder->costs != NULL && i == 0);
	recorder->done.n = 0;
}

/* Opens the output, lets body write, and closes it. */
static int with_output(const struct run_context *context, const struct live_options *options,
		       struct recorder *recorder,
		       int (*body)(struct recorder *recorder, void *more, struct err *err),
		       void *more, struct err *err)
{
	const struct side_paths paths = {.timeline = options->timeline};
	struct out *out;
	struct err why;
	int status;

	if (side_rows_open(&recorder->side, context, &paths, NULL, err) != 0 ||
	    out_open(&out, context->output, context->command, err) != 0) {
		side_rows_close(&recorder->side, false, &why);
		free(recorder->job);
		return -1;
	}
	recorder->table = table_out_new(out, &kind_slices);
	for (int i = 0; i < recorder->ncolumns; i++)
		table_out_column(recorder->table, columns[i]);
	status = body(recorder, more, err);
	table_out_end(recorder->table, status >= 0);
	if (out_close(out, status >= 0, status >= 0 ? err : &why) != 0)
		status = -1;
	if (side_rows_close(&recorder->side, status >= 0, status >= 0 ? err : &why) != 0)
		status = -1;
	vec_free(&recorder->done);
	free(recorder->job);
	return status;
}

static void note(const struct work *work, const struct live_options *options)
{
	if (work->slicing.is_clipped && options->work.nslices > 0)
		warn("%s: %lld work groups along dimension %d: as many slices", work->file,
		     (long long)work->slicing.ngroups, work->slicing.dimension);
}

static struct recorder recorder_of(const struct work *work, const struct devices *devices,
				   int ncolumns)
{
	return (struct recorder){.work = work,
				 .devices = devices,
				 .ncolumns = ncolumns,
				 .job = xasprintf("%s/%s", work->name, work->size)};
}

/* ---- plan ---- */

static int write_plan(struct recorder *recorder, void *more, struct err *err)
{
	(void)more;
	(void)err;
	for (int64_t i = 0; i < recorder->work->slicing.n; i++)
		write_row(recorder, &(struct done){.number = i}, i, true, false);
	return 0;
}

int live_plan(const struct run_context *context, const struct live_options *options,
	      struct err *err)
{
	struct recorder recorder;
	struct work work;
	int status;

	if (work_load(&work, options->kernel, &options->work, err) != 0)
		return -1;
	note(&work, options);
	recorder = recorder_of(&work, NULL, COPY_IN);
	status = with_output(context, options, &recorder, write_plan, NULL, err);
	work_free(&work);
	return status;
}

/* ---- run ---- */

static int save(const struct work *work, const struct live_options *options, struct err *err)
{
	for (int s = 0; s < options->nsave; s++) {
		const char *text = options->save[s], *equals = strchr(text, '=');
		const struct work_arg *arg = NULL;
		FILE *out;
		bool good;

		for (int i = 0; i < work->nargs && equals != NULL; i++)
			if (work->args[i].kind == ARG_BUFFER &&
			    strlen(work->args[i].name) == (size_t)(equals - text) &&
			    memcmp(work->args[i].name, text, (size_t)(equals - text)) == 0)
				arg = &work->args[i];
		if (arg == NULL)
			return err_set(err, "--save %s: expected BUFFER=FILE, a buffer of %s", text,
				       work->file);
		out = fopen(equals + 1, "wb");
		good = out != NULL && fwrite(arg->host, 1, arg->bytes, out) == arg->bytes;
		if (out != NULL && fclose(out) != 0)
			good = false;
		if (!good)
			return err_set(err, "%s: %s", equals + 1, strerror(errno));
	}
	return 0;
}

struct running {
	const struct live_options *options;
	struct live_node *node;
	struct work *work;
};

static int run_set(struct recorder *recorder, const struct running *running, uint32_t set,
		   bool profiles, struct err *err)
{
	const struct live_options *options = running->options;
	int64_t *order = live_order(options->deal, running->work->slicing.n, options->work.seed);
	struct dealing dealing = {.work = running->work,
				  .devices = running->node->at,
				  .ndevices = running->node->devices.n,
				  .set = set,
				  .order = order,
				  .warms_up = profiles,
				  .counts_cpu = profiles && options->counts_cpu,
				  .context = recorder,
				  .slice = take_slice,
				  .span = take_span};
	struct dealing_costs costs;
	int status;

	recorder->begin_ns = live_now_ns();
	recorder->zero_ns = dealing.counts_cpu ? 0 : recorder->begin_ns;
	status = dealing_run(&dealing, &costs, err);
	free(order);
	recorder->costs = profiles ? &costs : NULL;
	if (status == 0)
		write_slices(recorder);
	recorder->costs = NULL;
	return status;
}

static int run_once(struct recorder *recorder, void *more, struct err *err)
{
	struct running *running = more;
	struct work whole;
	int status = run_set(recorder, running, running->node->use, false, err);

	if (status == 0)
		status = save(running->work, running->options, err);
	if (status != 0 || !running->options->verifies)
		return status;
	if (live_whole(running->node, running->options, __builtin_ctz(running->node->use), &whole,
		       err) != 0)
		return -1;
	status = live_compare(running->work, &whole, err);
	work_free(&whole);
	return status;
}

/* Loads the kernel, opens the devices, and lets body do the rest. */
static int with_node(const struct run_context *context, const struct live_options *options,
		     int (*body)(struct recorder *recorder, void *more, struct err *err),
		     int ncolumns, struct err *err)
{
	struct recorder recorder;
	struct live_node node;
	struct work work;
	struct running running = {options, &node, &work};
	int status;

	if (work_load(&work, options->kernel, &options->work, err) != 0)
		return -1;
	note(&work, options);
	status = live_node_open(&node, options, err);
	if (status == 0) {
		status = work_may_share(&work, __builtin_popcount(node.use), err);
		if (status == 0) {
			recorder = recorder_of(&work, &node.devices, ncolumns);
			status = with_output(context, options, &recorder, body, &running, err);
		}
		live_node_close(&node);
	}
	work_free(&work);
	return status;
}

int live_run(const struct run_context *context, const struct live_options *options, struct err *err)
{
	return with_node(context, options, run_once, COPY_IN, err);
}

/* ---- profile ---- */

static int profile_sets(struct recorder *recorder, void *more, struct err *err)
{
	struct running *running = more;
	uint32_t use = running->node->use;

	for (uint32_t set = 1; set <= use; set++) {
		char text[DEVICES_TEXT];
		struct work again;
		int status;

		if ((set & ~use) != 0)
			continue;
		/* from the same contents each time */
		if (work_load(&again, running->options->kernel, &running->options->work, err) != 0)
			return -1;
		devices_text(&running->node->devices, set, text);
		recorder->run = text;
		running->work = &again;
		status = run_set(recorder, running, set, true, err);
		work_free(&again);
		if (status != 0)
			return -1;
	}
	return 0;
}

int live_profile(const struct run_context *context, const struct live_options *options,
		 struct err *err)
{
	return with_node(context, options, profile_sets, NCOLUMNS, err);
}
