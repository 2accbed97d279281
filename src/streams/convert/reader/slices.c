/* slices.c - our tables of slices, and how fast the kernels in them were */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "convert/reader/own_table.h"
#include "convert/reader/reader.h"

/* One device in one run of a job. */
struct part {
	char *device;
	int64_t n, ns;
};

/* One run of a job: on one device, or on a set. */
struct run {
	char *job, *name; /* name: of the run, or NULL */
	VEC(struct part) parts;
	int64_t n, start_ns, end_ns;
	int64_t in_ns, out_ns; /* copies; -1: not known */
};

struct rates {
	VEC(struct run *) runs;
	struct map by_name; /* "job\trun" → its place in runs */
	int job, device, start, end, run, in, out;
};

static struct run *find_run(struct rates *rates, const char *job, const char *name)
{
	char *key = xasprintf("%s\t%s", job, name != NULL ? name : "");
	int64_t i = map_add(&rates->by_name, key, strlen(key), (int64_t)rates->runs.n);

	free(key);
	if (i == (int64_t)rates->runs.n) {
		struct run *run = xcalloc(1, sizeof(*run));

		run->job = xstrdup(job);
		run->name = name != NULL ? xstrdup(name) : NULL;
		run->start_ns = INT64_MAX;
		run->in_ns = run->out_ns = -1;
		vec_push(&rates->runs, run);
	}
	return rates->runs.at[i];
}

static void add(struct run *run, const char *device, int64_t start_ns, int64_t end_ns)
{
	struct part *part = NULL;

	for (size_t i = 0; i < run->parts.n; i++)
		if (str_eq(run->parts.at[i].device, device))
			part = &run->parts.at[i];
	if (part == NULL) {
		vec_push(&run->parts, (struct part){.device = xstrdup(device)});
		part = &run->parts.at[run->parts.n - 1];
	}
	part->n++;
	part->ns += end_ns - start_ns;
	run->n++;
	run->start_ns = start_ns < run->start_ns ? start_ns : run->start_ns;
	run->end_ns = end_ns > run->end_ns ? end_ns : run->end_ns;
}

static int take_row(struct rates *rates, const struct row *row, struct err *err)
{
	const char *job = row_text(row, rates->job), *device = row_text(row, rates->device);
	int64_t start_ns, end_ns;
	struct run *run;

	if (job == NULL || device == NULL)
		return row_error(row, err, "expected a job and a device");
	if (row_seconds(row, rates->start, "start_s", &start_ns, err) < 0 ||
	    row_seconds(row, rates->end, "end_s", &end_ns, err) < 0)
		return -1;
	if (end_ns < start_ns)
		return row_error(row, err, "end_s is before start_s");
	run = find_run(rates, job, row_text(row, rates->run));
	add(run, device, start_ns, end_ns);
	return row_seconds(row, rates->in, "copy_in_s", &run->in_ns, err) < 0 ||
			       row_seconds(row, rates->out, "copy_out_s", &run->out_ns, err) < 0
		       ? -1
		       : 0;
}

/* The set that a run is about: what it is called, as clslice profile does, or who worked. */
static char *set_of(const struct run *run)
{
	struct buf text = {0};
	char *set;

	if (run->name != NULL && strchr(run->name, '+') != NULL)
		return xstrdup(run->name);
	for (size_t i = 0; i < run->parts.n; i++)
		buf_printf(&text, "%s%s", i > 0 ? "+" : "", run->parts.at[i].device);
	set = xstrdup(buf_text(&text));
	buf_free(&text);
	return set;
}

/* app/size, as clslice names jobs; without a size it is ".". */
static int emit(struct flow *flow, const struct run *run, const char *device, double seconds,
		bool is_set, struct err *err)
{
	const char *slash = strchr(run->job, '/');
	char *app =
		slash != NULL ? xstrndup(run->job, (size_t)(slash - run->job)) : xstrdup(run->job);
	int status;

	flow_text(flow, flow_find(flow, "app"), app);
	flow_text(flow, flow_find(flow, "size"),
		  slash != NULL && slash[1] != '\0' ? slash + 1 : "any");
	flow_text(flow, flow_find(flow, "device"), device);
	flow_real(flow, flow_find(flow, "time_s"), seconds);
	if (!is_set)
		flow_int(flow, flow_find(flow, "slices"), run->n);
	if (!is_set && run->in_ns >= 0)
		flow_real(flow, flow_find(flow, "copy_in_s"), (double)run->in_ns / 1e9);
	if (!is_set && run->out_ns >= 0)
		flow_real(flow, flow_find(flow, "copy_out_s"), (double)run->out_ns / 1e9);
	status = flow_emit(flow, err);
	free(app);
	return status;
}

/* The whole kernel on a set, copies included. */
static double set_s(const struct run *run)
{
	int64_t ns = run->end_ns - run->start_ns;

	ns += run->in_ns > 0 ? run->in_ns : 0;
	ns += run->out_ns > 0 ? run->out_ns : 0;
	return (double)ns / 1e9;
}

static bool has_device(const struct run *run, const char *device)
{
	for (size_t p = 0; p < run->parts.n; p++)
		if (str_eq(run->parts.at[p].device, device))
			return true;
	return false;
}

/* The run that says how fast a device is: the first that it did alone, else the first at all. */
static const struct run *run_for(const struct rates *rates, const char *job, const char *device)
{
	const struct run *found = NULL;

	for (size_t i = rates->runs.n; i-- > 0;) {
		const struct run *run = rates->runs.at[i];

		if (str_eq(run->job, job) && has_device(run, device) &&
		    (found == NULL || run->parts.n == 1 || found->parts.n > 1))
			found = run;
	}
	return found;
}

static int emit_device(const struct rates *rates, struct flow *flow, const struct run *run,
		       const struct part *part, struct err *err)
{
	if (run_for(rates, run->job, part->device) != run)
		return 0;
	return emit(flow, run, part->device,
		    (double)part->ns / (double)part->n * (double)run->n / 1e9, false, err);
}

static int emit_all(struct rates *rates, struct flow *flow, struct err *err)
{
	for (size_t i = 0; i < rates->runs.n; i++) {
		const struct run *run = rates->runs.at[i];

		for (size_t p = 0; p < run->parts.n; p++)
			if (emit_device(rates, flow, run, &run->parts.at[p], err) != 0)
				return -1;
	}
	for (size_t i = 0; i < rates->runs.n; i++) {
		const struct run *run = rates->runs.at[i];
		char *set = set_of(run);
		int status = 0;

		if (strchr(set, '+') != NULL)
			status = emit(flow, run, set, set_s(run), true, err);
		free(set);
		if (status != 0)
			return -1;
	}
	return 0;
}

static void forget(struct rates *rates)
{
	for (size_t i = 0; i < rates->runs.n; i++) {
		struct run *run = rates->runs.at[i];

		for (size_t p = 0; p < run->parts.n; p++)
			free(run->parts.at[p].device);
		vec_free(&run->parts);
		free(run->job);
		free(run->name);
		free(run);
	}
	vec_free(&rates->runs);
	map_free(&rates->by_name);
}

static int read_rates(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_slices, NULL};
	static const char *const columns[] = {"app", "size", "device", "time_s", "slices"};
	static const char *const copies[] = {"copy_in_s", "copy_out_s"};
	struct rates rates = {0};
	struct table_in *in;
	struct row row;
	int status;

	if (table_open(&in, kinds, input->paths, input->accepts_partial, err) != 0)
		return -1;
	rates.job = table_find(in, "job");
	rates.device = table_find(in, "device");
	rates.start = table_find(in, "start_s");
	rates.end = table_find(in, "end_s");
	rates.run = table_find(in, "run");
	rates.in = table_find(in, "copy_in_s");
	rates.out = table_find(in, "copy_out_s");
	for (int i = 0; i < 5; i++)
		flow_column(flow, columns[i]);
	for (int i = 0; i < 2 && (rates.in >= 0 || rates.out >= 0); i++)
		flow_column(flow, copies[i]);
	while ((status = table_next(in, &row, err)) == 1)
		if (take_row(&rates, &row, err) != 0) {
			status = -1;
			break;
		}
	if (status == 0)
		status = emit_all(&rates, flow, err);
	if (status == 0)
		*whole = table_is_whole(in);
	forget(&rates);
	table_close(in);
	return status;
}

static int read_slices(const struct reader_input *input, struct flow *flow, bool *whole,
		       struct err *err)
{
	return flow->kind == &kind_kernels ? read_rates(input, flow, whole, err)
					   : own_table_read(input, flow, whole, err);
}

static bool is_slices(const char *head, size_t n)
{
	(void)n;
	return own_table_is(head, "##placetools=slices/");
}

static const struct table_kind *const makes[] = {&kind_slices, &kind_kernels, NULL};

const struct reader reader_slices = {
	.entry = {.name = "slices",
		  .example = "slices",
		  .summary =
			  "our tables of slices; placetools-slices(5); or how fast their kernels "
			  "were, as --to kernels"},
	.makes = makes,
	.is_proof = is_slices,
	.read = read_slices,
};
