/* live_switch.c - what it takes to go from one set of devices to another, part by part */
#include "live/live_switch.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "live/live_own_state.h"
#include "live/node/platform.h"
#include "live/runtime/dealing.h"

/*
 * The kernel's slices go to one set and, after a slice, to the other one, and back. Each switch is
 * that of Khetawat, section 4.3.3: running slices end (drain), outputs are copied out and merged,
 * the devices are closed, the library is called (release; the set that it would give is not taken),
 * the new ones are opened, and inputs are copied in.
 */
enum { SWITCHES = 20, SLICES = 64, MOST_DEVICES = 4 };

enum part { DRAIN, COPY_OUT, CLOSE, RELEASE, OPEN, COPY_IN, PARTS };
static const char *const names[PARTS] = {"drain_us",   "copy_out_us", "close_us",
					 "release_us", "open_us",     "copy_in_us"};

/* What all took when a switch was through. */
struct stand {
	uint32_t to;
	struct dealing_costs costs;
};

struct trip {
	uint32_t sets[2], now;
	struct clslice_job *job;
	VEC(struct stand) stands;
};

static uint32_t other(const struct trip *trip)
{
	return trip->sets[trip->now == trip->sets[0]];
}

static uint32_t poll_trip(void *context, int64_t left)
{
	const struct trip *trip = context;

	(void)left;
	return other(trip);
}

static int release_trip(void *context, uint32_t closed, uint32_t *set, struct err *err)
{
	struct trip *trip = context;
	struct clslice_message message;
	uint32_t given;

	(void)closed;
	if (postDeviceRelease(trip->job, UINT32_MAX, &given, &message) != 0)
		return err_set(err, "%s", message.text);
	trip->now = other(trip);
	*set = trip->now;
	return 0;
}

static void switched(void *context, const struct dealing_costs *costs)
{
	struct trip *trip = context;

	vec_push(&trip->stands, (struct stand){trip->now, *costs});
}

/* Of the i-th switch: opening and copying in come after it. */
static int64_t part_ns(const struct stand *stands, size_t i, enum part part)
{
	static const struct dealing_costs none;
	const struct dealing_costs *now = &stands[i].costs, *next = &stands[i + 1].costs;
	const struct dealing_costs *before = i > 0 ? &stands[i - 1].costs : &none;

	return part == DRAIN      ? now->drain_ns - before->drain_ns
	       : part == COPY_OUT ? now->copy_out_ns - before->copy_out_ns
	       : part == CLOSE    ? now->close_ns - before->close_ns
	       : part == RELEASE  ? now->release_ns - before->release_ns
	       : part == OPEN     ? next->open_ns - now->open_ns
				  : next->copy_in_ns - now->copy_in_ns;
}

static int by_size(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int64_t median(int64_t *of, size_t n)
{
	qsort(of, n, sizeof(*of), by_size);
	return of[n / 2];
}

struct costs {
	struct trip *trip;
	const struct live_node *node;
	struct buf *text;
};

/* All that went to this set. */
static void add_row(const struct costs *costs, uint32_t to)
{
	const struct trip *trip = costs->trip;
	int64_t ns[PARTS][SWITCHES];
	char name[DEVICES_TEXT];
	size_t n = 0;

	for (size_t i = 0; i + 1 < trip->stands.n && n < SWITCHES; i++) {
		if (trip->stands.at[i].to != to)
			continue;
		for (int p = 0; p < PARTS; p++)
			ns[p][n] = part_ns(trip->stands.at, i, (enum part)p);
		n++;
	}
	if (n == 0)
		return;
	devices_text(&costs->node->devices, trip->sets[to == trip->sets[0]], name);
	buf_printf(costs->text, "%s\t", name);
	devices_text(&costs->node->devices, to, name);
	buf_printf(costs->text, "%s\t%zu", name, n);
	for (int p = 0; p < PARTS; p++)
		buf_printf(costs->text, "\t%.1f", (double)median(ns[p], n) / 1e3);
	buf_char(costs->text, '\n');
}

/* One trip through the kernel; the first of a pair warms up the compilers. */
static int travel(const struct costs *costs, const struct live_options *options, bool keeps_open,
		  struct err *err)
{
	struct trip *trip = costs->trip;
	struct work work;
	struct dealing dealing = {.work = &work,
				  .devices = costs->node->at,
				  .ndevices = costs->node->devices.n,
				  .set = trip->sets[0],
				  .keeps_open = keeps_open,
				  .context = trip,
				  .poll = poll_trip,
				  .release = release_trip,
				  .switched = switched};
	struct dealing_costs all;
	int status;

	if (work_load(&work, options->kernel, &options->work, err) != 0)
		return -1;
	trip->now = trip->sets[0];
	status = work_may_share(&work, __builtin_popcount(trip->sets[0] | trip->sets[1]), err);
	if (status == 0)
		status = dealing_run(&dealing, &all, err);
	if (status == 0)
		vec_push(&trip->stands, (struct stand){0, all});
	work_free(&work);
	return status;
}

static int pair(const struct costs *costs, const struct live_options *options, bool keeps_open,
		uint32_t from, uint32_t to, struct err *err)
{
	struct trip *trip = costs->trip;

	trip->sets[0] = from;
	trip->sets[1] = to;
	for (int try = 0; try < 2; try++) {
		trip->stands.n = 0;
		if (travel(costs, options, keeps_open, err) != 0)
			return -1;
	}
	add_row(costs, to);
	add_row(costs, from);
	return 0;
}

static int all_pairs(const struct costs *costs, const struct live_options *options, bool keeps_open,
		     struct err *err)
{
	uint32_t use = costs->node->use;

	buf_str(costs->text, "from\tto\tswitches");
	for (int p = 0; p < PARTS; p++)
		buf_printf(costs->text, "\t%s", names[p]);
	buf_char(costs->text, '\n');
	for (uint32_t from = 1; from <= use; from++)
		for (uint32_t to = from + 1; to <= use; to++)
			if ((from & ~use) == 0 && (to & ~use) == 0 &&
			    pair(costs, options, keeps_open, from, to, err) != 0)
				return -1;
	return 0;
}

/* Uses a separate state, so that the library's call costs what it costs among jobs. */
static int in_own_state(const struct costs *costs, const struct live_options *options,
			bool keeps_open, struct err *err)
{
	struct live_reset reset = {.devices = options->devices, .policy = "elastic"};
	struct clslice_profile profile = {.name = "switch", .slices = SLICES, .launches = 1000000};
	struct clslice_message message;
	struct live_own_state own;
	uint32_t set;
	int status;

	for (int d = 0; d < costs->node->devices.n; d++)
		profile.slice_s[d] = 1e-3;
	if (live_own_state_begin(&own, &reset, err) != 0)
		return -1;
	status = getPlatformId(&profile, &costs->trip->job, &set, &message) == 0
			 ? all_pairs(costs, options, keeps_open, err)
			 : err_set(err, "%s", message.text);
	if (costs->trip->job != NULL)
		postJobComplete(costs->trip->job, &message);
	live_own_state_end(&own);
	return status;
}

int live_switch(const struct run_context *context, const struct live_options *how, bool keeps_open,
		struct err *err)
{
	struct live_options options = *how;
	struct live_node node;
	struct trip trip = {.job = NULL};
	struct buf text = {0};
	struct costs costs = {&trip, &node, &text};
	int status;

	if (options.devices == NULL)
		return err_set(err, "expected -d DEVICES: sets of them to switch between");
	if (options.work.nslices == 0)
		options.work.nslices = SLICES;
	if (live_node_open(&node, &options, err) != 0)
		return -1;
	status = __builtin_popcount(node.use) >= 2 && __builtin_popcount(node.use) <= MOST_DEVICES
			 ? in_own_state(&costs, &options, keeps_open, err)
			 : err_set(err, "expected 2 to %d devices", MOST_DEVICES);
	live_node_close(&node);
	vec_free(&trip.stands);
	if (status == 0)
		status = live_write_text(context, &text, err);
	buf_free(&text);
	return status;
}
