/* live_jobs.c - a jobs stream as processes that share a node whose devices sleep */
#include "live/live_jobs.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "cosched/engine.h"
#include "cosched/state/set_time.h"
#include "formats/out.h"
#include "formats/table.h"
#include "live/live_own_state.h"
#include "live/node/platform.h"
#include "live/node/state_file.h"
#include "live/runtime/dealing.h"
#include "live/runtime/sleeping.h"
#include "model/kernels.h"
#include "model/kinds.h"

struct job {
	char *name, *app, *size;
	int64_t submit_ns, init_ns; /* as the model has them */
	int32_t priority;
	const struct kernel *kernel;
};

/* What a job's process hands back, in memory that it shares. */
struct result {
	int64_t start_ns, end_ns, nswitches;
	uint32_t devices;
	char error[256];
};

struct world {
	const struct live_jobs *how;
	struct devices devices;
	struct kernels kernels;
	VEC(struct job) jobs;
	struct result *results;
	int64_t begin_ns;
	char *policy;
};

static int64_t scaled(const struct world *world, int64_t ns)
{
	return (int64_t)((double)ns * world->how->scale + 0.5);
}

static int64_t unscaled(const struct world *world, int64_t ns)
{
	return (int64_t)((double)ns / world->how->scale + 0.5);
}

/* ---- a job's process ---- */

struct self {
	const struct world *world;
	const struct job *job;
	struct node_profile profile;
	struct clslice_job *call;
	struct clslice_message message;
	struct result *result;
	uint32_t set;
};

static int64_t slice_ns(void *context, int device)
{
	const struct self *self = context;

	return scaled(self->world, node_slice_ns(&self->profile, self->set, device));
}

static uint32_t poll_self(void *context, int64_t left)
{
	struct self *self = context;
	uint32_t next = self->set;

	return pollPlatformUpdate(self->call, left, &next) == 1 ? next : self->set;
}

static int release_self(void *context, uint32_t closed, uint32_t *set, struct err *err)
{
	struct self *self = context;

	if (postDeviceRelease(self->call, closed, set, &self->message) != 0)
		return err_set(err, "%s", self->message.text);
	self->set = *set;
	self->result->devices |= *set;
	return 0;
}

static void make_profile(const struct self *self, struct clslice_profile *sent)
{
	const struct node_profile *profile = &self->profile;

	*sent = (struct clslice_profile){.name = self->job->name,
					 .slices = profile->slices,
					 .launches = profile->launches,
					 .priority = self->job->priority,
					 .nmeasured = profile->nmeasured};
	for (int d = 0; d < self->world->devices.n; d++) {
		sent->slice_s[d] = (double)profile->slice_ns[d] / 1e9;
		sent->copy_in_s[d] = (double)profile->copy_in_ns[d] / 1e9;
		sent->copy_out_s[d] = (double)profile->copy_out_ns[d] / 1e9;
	}
	for (int i = 0; i < profile->nmeasured; i++) {
		sent->measured[i].devices = profile->measured[i].devices;
		sent->measured[i].s = (double)profile->measured[i].ns / 1e9;
	}
}

static void make_devices(struct self *self, struct sleeping_device *sleeping,
			 struct live_device *live)
{
	const struct world *world = self->world;

	for (int d = 0; d < world->devices.n; d++) {
		const struct device *device = &world->devices.at[d];

		sleeping[d] = (struct sleeping_device){
			.init_ns = scaled(world, self->job->init_ns),
			.open_ns = scaled(world, device->open_ns),
			.close_ns = scaled(world, device->close_ns),
			.copy_in_ns = scaled(world, self->profile.copy_in_ns[d]),
			.copy_out_ns = scaled(world, self->profile.copy_out_ns[d]),
			.slice_ns = slice_ns,
			.context = self,
			.number = d,
		};
		live[d] = (struct live_device){device->name, &sleeping_runtime, &sleeping[d]};
	}
}

static int live_through(struct self *self, struct err *err)
{
	struct sleeping_device sleeping[DEVICES_MAX];
	struct live_device live[DEVICES_MAX];
	struct range range = {
		.dims = 1, .global = {self->profile.slices, 1, 1}, .local = {1, 1, 1}};
	struct work work = {.range = range};
	struct dealing dealing = {.work = &work,
				  .devices = live,
				  .ndevices = self->world->devices.n,
				  .keeps_open = self->world->how->release_changed,
				  .context = self,
				  .poll = poll_self,
				  .release = release_self};
	struct clslice_profile sent;
	struct dealing_costs costs;

	make_profile(self, &sent);
	if (slicing_make(&work.slicing, &range, 0, self->profile.slices, false, err) != 0)
		return -1;
	if (getPlatformId(&sent, &self->call, &self->set, &self->message) != 0)
		return err_set(err, "%s", self->message.text);
	self->result->start_ns = live_now_ns() - self->world->begin_ns;
	self->result->devices = dealing.set = self->set;
	make_devices(self, sleeping, live);
	for (int d = 0; d < self->world->devices.n; d++)
		if ((self->set >> d & 1) == 0)
			sleeping[d].init_ns = 0;
	if (dealing_run(&dealing, &costs, err) != 0)
		return -1;
	self->result->nswitches = costs.nswitches;
	self->result->end_ns = live_now_ns() - self->world->begin_ns;
	if (postJobComplete(self->call, &self->message) != 0)
		return err_set(err, "%s", self->message.text);
	return 0;
}

static int run_job(const struct world *world, size_t number)
{
	struct self *self = xcalloc(1, sizeof(*self));
	struct err err;
	int status;

	self->world = world;
	self->job = &world->jobs.at[number];
	self->result = &world->results[number];
	engine_profile(&self->profile, self->job->kernel, 1);
	node_profile_finish(&self->profile, world->devices.n);
	status = live_through(self, &err);
	if (status != 0)
		snprintf(self->result->error, sizeof(self->result->error), "%.255s", err.msg);
	free(self);
	return status == 0 ? 0 : 1;
}

/* ---- the parent ---- */

/* A process is made so long before its job comes. */
static const int64_t lead_ns = 20000000;

static void wait_until(int64_t ns)
{
	struct timespec until = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

/* Jobs only sleep, and take decisions when they wake: on a busy machine they would do so tens of
 * milliseconds late, a second of the model. Where it isn't allowed, they do. */
static void wake_in_time(void)
{
	const struct sched_param lowest = {.sched_priority = 1};

	sched_setscheduler(0, SCHED_FIFO, &lowest);
	prctl(PR_SET_TIMERSLACK, 1);
}

static int come(const struct world *world, size_t number, pid_t parent)
{
	wake_in_time();
	if (live_own_state_child(parent) != 0)
		return 1;
	wait_until(world->begin_ns + scaled(world, world->jobs.at[number].submit_ns));
	return run_job(world, number);
}

/* When job number's process is made: of jobs that come at once, one after the other. */
static int64_t made_ns(const struct world *world, size_t number)
{
	const struct job *job = &world->jobs.at[number];
	bool is_tied = number > 0 && job->submit_ns == job[-1].submit_ns;

	return world->begin_ns + scaled(world, job->submit_ns) - (is_tied ? 0 : lead_ns);
}

static int start_all(struct world *world, struct err *err)
{
	pid_t self = getpid();
	int status = 0;

	wake_in_time();
	for (size_t i = 0; i < world->jobs.n && status == 0; i++) {
		pid_t pid;

		wait_until(made_ns(world, i));
		pid = fork();
		if (pid == 0)
			_exit(come(world, i, self));
		if (pid < 0)
			status =
				err_set(err, "job %s: %s", world->jobs.at[i].name, strerror(errno));
	}
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	for (size_t i = 0; i < world->jobs.n && status == 0; i++)
		if (world->results[i].error[0] != '\0' || world->results[i].end_ns == 0)
			status = err_set(err, "job %s: %s", world->jobs.at[i].name,
					 world->results[i].error[0] != '\0'
						 ? world->results[i].error
						 : "its process was killed");
	return status;
}

static void write_all(const struct world *world, struct table_out *table)
{
	static const char *const columns[] = {"job",     "nodes",   "submit_s", "app",
					      "size",    "start_s", "end_s",    "policy",
					      "devices", "switches"};
	int at[10];

	for (int c = 0; c < 10; c++)
		at[c] = table_out_column(table, columns[c]);
	for (size_t i = 0; i < world->jobs.n; i++) {
		const struct job *job = &world->jobs.at[i];
		const struct result *result = &world->results[i];
		char text[DEVICES_TEXT];

		devices_text(&world->devices, result->devices, text);
		table_out_text(table, at[0], job->name);
		table_out_int(table, at[1], 1);
		table_out_seconds(table, at[2], job->submit_ns);
		table_out_text(table, at[3], job->app);
		table_out_text(table, at[4], job->size);
		table_out_seconds(table, at[5], unscaled(world, result->start_ns));
		table_out_seconds(table, at[6], unscaled(world, result->end_ns));
		table_out_text(table, at[7], world->policy);
		table_out_text(table, at[8], text);
		table_out_int(table, at[9], result->nswitches);
		table_out_emit(table);
	}
}

static int read_row(struct world *world, struct table_in *in, const struct row *row,
		    struct err *err)
{
	struct job job = {0};
	const char *app = row_text(row, table_find(in, "app"));
	const char *size = row_text(row, table_find(in, "size"));
	const char *name = row_text(row, table_find(in, "job"));
	int64_t priority = 0, launches = 1;

	if (app == NULL || size == NULL)
		return row_error(row, err,
				 "app and size are missing; expected those of a row of --kernels");
	job.kernel = kernels_find(&world->kernels, app, size);
	if (job.kernel == NULL)
		return row_error(row, err, "there are no kernels of app %s, size %s", app, size);
	job.init_ns = job.kernel->init_ns > 0 ? job.kernel->init_ns : 0;
	if (row_seconds(row, table_find(in, "submit_s"), "submit_s", &job.submit_ns, err) < 0 ||
	    row_seconds(row, table_find(in, "init_s"), "init_s", &job.init_ns, err) < 0 ||
	    row_int(row, table_find(in, "priority"), "priority", -1000000000, 1000000000, &priority,
		    err) < 0 ||
	    row_int(row, table_find(in, "launches"), "launches", 1, 1000000000, &launches, err) < 0)
		return -1;
	if (launches != 1)
		return row_error(row, err, "launches: expected 1: live jobs have one launch");
	if (world->jobs.n > 0 && job.submit_ns < world->jobs.at[world->jobs.n - 1].submit_ns)
		return row_error(row, err,
				 "submit_s goes back: the jobs stand in the order of submission");
	job.priority = (int32_t)priority;
	job.name = xstrdup(name != NULL ? name : ".");
	job.app = xstrdup(app);
	job.size = xstrdup(size);
	vec_push(&world->jobs, job);
	return 0;
}

static int read_all(struct world *world, const struct run_context *context, char *const *paths,
		    struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	struct table_in *in;
	struct row row;
	int status;

	if (table_open(&in, kinds, paths, context->accepts_partial, err) != 0)
		return -1;
	while ((status = table_next(in, &row, err)) == 1)
		if (read_row(world, in, &row, err) != 0) {
			status = -1;
			break;
		}
	if (status == 0 && !table_is_whole(in))
		status = err_set(err, "the jobs were cut off");
	table_close(in);
	return status;
}

/* In a state of their own, not the node's. */
static int in_own_state(struct world *world, struct err *err)
{
	struct live_reset reset = {.devices = world->how->devices,
				   .policy = world->how->policy,
				   .release_changed = world->how->release_changed};
	size_t bytes = (world->jobs.n + 1) * sizeof(*world->results);
	struct live_own_state own;
	int status;

	world->results =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (world->results == MAP_FAILED) {
		world->results = NULL;
		return err_set(err, "%s", strerror(errno));
	}
	if (live_own_state_begin(&own, &reset, err) != 0)
		return -1;
	world->begin_ns = live_now_ns() + lead_ns;
	status = start_all(world, err);
	live_own_state_end(&own);
	return status;
}

static void close_world(struct world *world)
{
	for (size_t i = 0; i < world->jobs.n; i++) {
		free(world->jobs.at[i].name);
		free(world->jobs.at[i].app);
		free(world->jobs.at[i].size);
	}
	if (world->results != NULL)
		munmap(world->results, (world->jobs.n + 1) * sizeof(*world->results));
	vec_free(&world->jobs);
	free(world->policy);
	kernels_free(&world->kernels);
	devices_free(&world->devices);
}

static int open_world(struct world *world, const struct live_jobs *how, struct err *err)
{
	char *paths[64] = {NULL};
	struct pick pick;

	if (how->devices == NULL || how->nkernels < 1 || how->nkernels >= 64)
		return err_set(err, "expected -d DEVICES and -k KERNELS");
	for (int i = 0; i < how->nkernels; i++)
		paths[i] = (char *)how->kernels[i];
	if (pick_parse(&pick, &node_policies, how->policy, err) != 0)
		return err_prefix(err, "--policy: ");
	world->policy = pick_text(&pick);
	pick_free(&pick);
	return devices_load(&world->devices, how->devices, err) != 0 ||
			       kernels_read(&world->kernels, &world->devices, paths, err) != 0
		       ? -1
		       : 0;
}

int live_jobs(const struct run_context *context, const struct live_jobs *how, char *const *paths,
	      struct err *err)
{
	struct world world = {.how = how};
	struct out *out;
	int status = open_world(&world, how, err);

	if (status == 0)
		status = read_all(&world, context, paths, err);
	if (status == 0)
		status = in_own_state(&world, err);
	if (status == 0 && (status = out_open(&out, context->output, context->command, err)) == 0) {
		struct table_out *table = table_out_new(out, &kind_jobs);

		write_all(&world, table);
		table_out_end(table, true);
		status = out_close(out, true, err);
	}
	close_world(&world);
	return status;
}
