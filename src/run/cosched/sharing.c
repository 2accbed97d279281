/* sharing.c - what sets of devices are worth to one kernel, by its number of slices */
#include "cosched/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "cosched/engine.h"
#include "cosched/state/bag.h"
#include "cosched/state/set_time.h"
#include "formats/out.h"
#include "model/kinds.h"

enum { APP, SIZE, DEVICES, SLICES, TIME, RATIO, DIVISIBLE, TAIL, IDLE, NCOLUMNS };
static const char *const names[NCOLUMNS] = {"app",   "size",        "devices", "slices", "time_s",
					    "ratio", "divisible_s", "tail_s",  "idle_s"};
enum { MOST_SLICES = 1000000000 };

struct sharing {
	const struct sharing_options *options;
	struct devices devices;
	struct kernels kernels;
	const struct kernel *kernel;
	VEC(int64_t) counts; /* none: the kernel's own */
	VEC(uint32_t) sets;
};

/* A launch on a set. */
struct launch {
	int64_t whole_ns, tail_ns, idle_ns;
	double divisible_ns;
};

/* T if every device could do any part: Σ (T − in_d) / work_d = 1 over the devices that have their
 * input by then. */
static double divisible_ns(const struct node_profile *profile, uint32_t set, int64_t out_ns)
{
	double done = 1, rate = 0, t = 0;

	for (uint32_t rest = set; rest != 0;) {
		int next = __builtin_ctz(rest);

		for (uint32_t others = rest; others != 0; others &= others - 1)
			if (profile->copy_in_ns[__builtin_ctz(others)] < profile->copy_in_ns[next])
				next = __builtin_ctz(others);
		if (rate > 0 && t <= (double)profile->copy_in_ns[next])
			break;
		rest &= ~(UINT32_C(1) << next);
		rate += 1 / ((double)profile->slice_ns[next] * (double)profile->slices);
		done += (double)profile->copy_in_ns[next] /
			((double)profile->slice_ns[next] * (double)profile->slices);
		t = done / rate;
	}
	return t + (double)out_ns;
}

/* -1: it can't run there. */
static int measure(struct launch *launch, const struct node_profile *profile, uint32_t set)
{
	struct bag bag = {.slices = profile->slices};
	int64_t end_ns, first_ns = NODE_NEVER, out_ns = 0;

	*launch = (struct launch){.whole_ns = node_profile_ns(profile, set)};
	if (launch->whole_ns == NODE_NEVER)
		return -1;
	for (int i = 0; i < profile->nmeasured; i++)
		if (profile->measured[i].devices == set)
			launch->whole_ns = profile->measured[i].ns;
	for (uint32_t rest = set; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);

		bag.ready_ns[bag.n] = profile->copy_in_ns[d];
		bag.slice_ns[bag.n++] = node_slice_ns(profile, set, d);
		out_ns = profile->copy_out_ns[d] > out_ns ? profile->copy_out_ns[d] : out_ns;
	}
	end_ns = bag_deal(&bag);
	for (int i = 0; i < bag.n; i++) {
		int64_t last_ns = bag.ready_ns[i] + bag.taken[i] * bag.slice_ns[i];

		end_ns = last_ns > end_ns ? last_ns : end_ns;
		first_ns = last_ns < first_ns ? last_ns : first_ns;
		launch->idle_ns -= last_ns;
	}
	launch->idle_ns += bag.n * end_ns;
	launch->tail_ns = end_ns - first_ns;
	launch->divisible_ns = divisible_ns(profile, set, out_ns);
	return 0;
}

static int64_t best_ns(const struct node_profile *profile, int ndevices)
{
	int64_t best = NODE_NEVER;

	for (int d = 0; d < ndevices; d++) {
		int64_t ns = node_profile_ns(profile, UINT32_C(1) << d);

		best = ns < best ? ns : best;
	}
	return best;
}

static void write_rows(const struct sharing *sharing, struct table_out *table,
		       const struct kernel *kernel)
{
	struct node_profile profile;
	char text[DEVICES_TEXT];
	int64_t best;

	engine_profile(&profile, kernel, 1);
	node_profile_finish(&profile, sharing->devices.n);
	best = best_ns(&profile, sharing->devices.n);
	for (size_t i = 0; i < sharing->sets.n; i++) {
		struct launch launch;

		if (measure(&launch, &profile, sharing->sets.at[i]) != 0)
			continue;
		devices_text(&sharing->devices, sharing->sets.at[i], text);
		table_out_text(table, APP, kernel->app);
		table_out_text(table, SIZE, kernel->size);
		table_out_text(table, DEVICES, text);
		table_out_int(table, SLICES, kernel->slices);
		table_out_seconds(table, TIME, launch.whole_ns);
		table_out_real(table, RATIO, (double)best / (double)launch.whole_ns);
		table_out_real(table, DIVISIBLE, launch.divisible_ns / 1e9);
		table_out_seconds(table, TAIL, launch.tail_ns);
		table_out_seconds(table, IDLE, launch.idle_ns);
		table_out_emit(table);
	}
}

/* "16", or "16:1024:x4": from, to, and the factor between. */
static int add_counts(struct sharing *sharing, char *text, struct err *err)
{
	char *to = strchr(text, ':'), *by = to != NULL ? strchr(to + 1, ':') : NULL;
	int64_t first, last, factor = 2;

	if (to != NULL)
		*to++ = '\0';
	if (by != NULL)
		*by++ = '\0';
	if (num_int(text, 1, MOST_SLICES, &first) != 0 ||
	    num_int(to != NULL ? to : text, first, MOST_SLICES, &last) != 0 ||
	    (by != NULL && (by[0] != 'x' || num_int(by + 1, 2, MOST_SLICES, &factor) != 0)))
		return err_set(err, "expected numbers of slices such as 16,64 or 16:1024:x4");
	for (int64_t count = first; count <= last; count *= factor)
		vec_push(&sharing->counts, count);
	return 0;
}

static int read_counts(struct sharing *sharing, struct err *err)
{
	char *text = xstrdup(sharing->options->counts), *rest = text, *part;
	int status = 0;

	while (status == 0 && (part = strsep(&rest, ",")) != NULL)
		status = add_counts(sharing, part, err);
	free(text);
	return status == 0 ? 0
			   : err_prefix(err, "--slice-counts: '%s': ", sharing->options->counts);
}

static int find_kernel(struct sharing *sharing, struct err *err)
{
	const char *text = sharing->options->kernel, *colon = strchr(text, ':');
	char *app;

	if (colon == NULL)
		return err_set(err, "--share: '%s' is not APP:SIZE", text);
	app = xstrndup(text, (size_t)(colon - text));
	sharing->kernel = kernels_find(&sharing->kernels, app, colon + 1);
	free(app);
	return sharing->kernel != NULL ? 0
				       : err_set(err, "--share: there are no kernels of %s", text);
}

static int read_sets(struct sharing *sharing, struct err *err)
{
	for (int i = 0; i < sharing->options->nsets; i++) {
		uint32_t set = devices_set(&sharing->devices, sharing->options->sets[i], err);

		if (set == 0)
			return err_prefix(err, "--on: ");
		for (int d = 0; d < sharing->devices.n; d++)
			if ((set >> d & 1) != 0 && sharing->kernel->slice_ns[d] <= 0)
				return err_set(err, "--on %s: %s can't run on %s",
					       sharing->options->sets[i], sharing->options->kernel,
					       sharing->devices.at[d].name);
		vec_push(&sharing->sets, set);
	}
	if (sharing->options->nsets > 0)
		return 0;
	if (sharing->devices.n > 8)
		return err_set(err,
			       "--share: a node of %d devices has too many sets: expected --on",
			       sharing->devices.n);
	for (uint32_t set = 1; set < UINT32_C(1) << sharing->devices.n; set++)
		vec_push(&sharing->sets, set);
	return 0;
}

static int write_all(const struct sharing *sharing, const struct run_context *context,
		     struct err *err)
{
	struct out *out = NULL;
	struct table_out *table;

	if (out_open(&out, context->output, context->command, err) != 0)
		return -1;
	table = table_out_new(out, &kind_sharing);
	for (int i = 0; i < NCOLUMNS; i++)
		table_out_column(table, names[i]);
	if (sharing->counts.n == 0)
		write_rows(sharing, table, sharing->kernel);
	for (size_t i = 0; i < sharing->counts.n; i++) {
		struct kernel kernel = kernel_resliced(sharing->kernel, sharing->counts.at[i]);

		write_rows(sharing, table, &kernel);
	}
	table_out_end(table, true);
	return out_close(out, true, err);
}

int sharing_write(const struct run_context *context, const struct sharing_options *options,
		  struct err *err)
{
	struct sharing sharing = {.options = options};
	int status = devices_load(&sharing.devices, options->devices, err);

	if (status == 0)
		status = kernels_read(&sharing.kernels, &sharing.devices, options->kernels, err);
	if (status == 0)
		status = find_kernel(&sharing, err);
	if (status == 0 && options->counts != NULL)
		status = read_counts(&sharing, err);
	if (status == 0)
		status = read_sets(&sharing, err);
	if (status == 0)
		status = write_all(&sharing, context, err);
	vec_free(&sharing.counts);
	vec_free(&sharing.sets);
	kernels_free(&sharing.kernels);
	devices_free(&sharing.devices);
	return status;
}
