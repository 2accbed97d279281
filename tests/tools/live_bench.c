/* live_bench.c - what the machinery of clslice costs: dealing a slice, a poll, getting a device */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "cosched/policy/node_policy.h"
#include "live/runtime/dealing.h"
#include "live/node/platform.h"
#include "live/node/state_file.h"

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void nothing(void *context, void *const *copies, struct slice slice)
{
	(void)context;
	(void)copies;
	(void)slice;
}

static void dealing(int64_t n)
{
	struct host_device host = {.function = nothing};
	struct live_device device = {"x", &host_runtime, &host};
	struct range range = {.dims = 1, .global = {n, 1, 1}, .local = {1, 1, 1}};
	struct work work = {.range = range};
	struct dealing dealing = {.work = &work, .devices = &device, .ndevices = 1, .set = 1};
	struct dealing_costs costs;
	struct err err;
	double begin = cpu_s();

	if (slicing_make(&work.slicing, &range, 0, n, false, &err) != 0 ||
	    dealing_run(&dealing, &costs, &err) != 0)
		printf("%s\n", err.msg);
	printf("dealing a slice\t%.0f\tns\n", (cpu_s() - begin) / (double)n * 1e9);
}

static int make_state(struct err *err)
{
	struct node_state *state = xcalloc(1, sizeof(*state));
	struct pick pick;
	int status;

	node_state_init(state, 3);
	memcpy(state->devices[0].name, "a", 2);
	memcpy(state->devices[1].name, "b", 2);
	memcpy(state->devices[2].name, "c", 2);
	status = pick_parse(&pick, &node_policies, "elastic", err);
	if (status == 0) {
		node_policy_set(&pick, &state->rules);
		pick_free(&pick);
		status = live_state_create(state, err);
	}
	free(state);
	return status;
}

static void calls(int n)
{
	struct clslice_profile profile = {.slices = 1000, .slice_s = {1, 2, 3}};
	struct clslice_message message;
	struct clslice_job *job;
	uint32_t set;
	double begin, ended, getting = 0, completing = 0;

	for (int i = 0; i < n; i++) {
		begin = cpu_s();
		if (getPlatformId(&profile, &job, &set, &message) != 0)
			printf("%s\n", message.text);
		ended = cpu_s();
		getting += ended - begin;
		if (postJobComplete(job, &message) != 0)
			printf("%s\n", message.text);
		completing += cpu_s() - ended;
	}
	printf("getPlatformId, a device is free\t%.1f\tus\n", getting / n * 1e6);
	printf("postJobComplete\t%.1f\tus\n", completing / n * 1e6);
	if (getPlatformId(&profile, &job, &set, &message) != 0)
		return;
	begin = cpu_s();
	for (int i = 0; i < 1000 * n; i++)
		pollPlatformUpdate(job, 10, &set);
	ended = cpu_s();
	printf("pollPlatformUpdate, nothing changed\t%.0f\tns\n",
	       (ended - begin) / (1000.0 * n) * 1e9);
	postJobComplete(job, &message);
}

int main(void)
{
	char folder[] = "/dev/shm/live_bench.XXXXXX", *path;
	struct err err;

	if (mkdtemp(folder) == NULL)
		return 2;
	setenv("XDG_RUNTIME_DIR", folder, 1);
	if (make_state(&err) != 0) {
		printf("%s\n", err.msg);
		return 2;
	}
	dealing(1000000);
	calls(2000);
	path = live_state_path(&err);
	unlink(path);
	free(path);
	rmdir(folder);
	return 0;
}
