/* live_program.c - unchanged programs, sliced by a layer of OpenCL */
#include "live/live_program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/plugin.h"
#include "base/str.h"
#include "live/layer/layer_text.h"
#include "live/live_node_state.h"
#include "live/node/platform.h"
#include "model/devices.h"

static char *find_layer(struct err *err)
{
	char *path = plugin_find("libclslice", err);

	if (path == NULL)
		err_prefix(err, "this was built without OpenCL (Debian: ocl-icd-opencl-dev): ");
	return path;
}

static void set_number(const char *name, int64_t value)
{
	char number[32];

	snprintf(number, sizeof(number), "%lld", (long long)value);
	setenv(name, number, 1);
}

/* Layers that are set already come first. */
static void set_layers(const char *path, const struct live_program *how)
{
	const char *before = getenv("OPENCL_LAYERS");
	char *layers = before != NULL && before[0] != '\0' ? xasprintf("%s:%s", before, path)
							   : xstrdup(path);

	setenv("OPENCL_LAYERS", layers, 1);
	setenv("CLSLICE_GRADE", how->grade, 1);
	set_number("CLSLICE_SLICES", how->nslices);
	if (how->tells)
		setenv("CLSLICE_VERBOSE", "1", 1);
	if (how->is_shared)
		setenv("CLSLICE_SHARED", "1", 1);
	free(layers);
}

/* set 0: the program asks the node's state. */
static void set_devices(const struct devices *devices, uint32_t set)
{
	struct buf text = {0};

	layer_text_write(devices, &text);
	setenv("CLSLICE_DEVICES", buf_text(&text), 1);
	set_number("CLSLICE_SET", set);
	buf_free(&text);
}

/*
 * One device, whichever it is: one slice is worth nothing to a set of more. As the program can't
 * leave it, it says from the beginning that no slices are left.
 */
static int take_device(const struct live_program *how, const struct devices *devices,
		       struct clslice_job **job, uint32_t *set, struct err *err)
{
	struct clslice_profile profile = {.slices = 1, .name = how->command[0]};
	struct clslice_message message;

	for (int d = 0; d < devices->n; d++)
		profile.slice_s[d] = 1;
	if (getPlatformId(&profile, job, set, &message) != 0)
		return err_set(err, "%s", message.text);
	pollPlatformUpdate(*job, 0, set);
	return 0;
}

/* Which devices: those of --use, for itself; or one, or what the program will ask for, of a node
 * that is shared. */
static int give(const struct live_program *how, const struct devices *devices,
		struct clslice_job **job, struct err *err)
{
	uint32_t set = 0;

	if (how->use != NULL) {
		set = devices_set(devices, how->use, err);
		if (set == 0)
			return -1;
	} else if (live_state_has(devices, err) != 0 ||
		   (str_eq(how->grade, "choose") &&
		    take_device(how, devices, job, &set, err) != 0)) {
		return -1;
	}
	set_devices(devices, set);
	return 0;
}

/* The devices are the child's as long as this process lives; it ends with it. */
static int run(const struct live_program *how, struct err *err)
{
	pid_t parent = getpid(), pid = fork();
	int status;

	if (pid < 0)
		return err_set(err, "%s: %s", how->command[0], strerror(errno));
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(127);
		execvp(how->command[0], how->command);
		fprintf(stderr, "clslice: %s: %s\n", how->command[0], strerror(errno));
		_exit(127);
	}
	/* what the terminal sends goes to both; the child decides */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(err, "%s: %s", how->command[0], strerror(errno));
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int live_program(const struct live_program *how, struct err *err)
{
	struct clslice_job *job = NULL;
	struct clslice_message message;
	struct devices devices = {0};
	char *path;
	int status = 0;

	if (how->command[0] == NULL)
		return err_set(err, "expected a program: clslice run -- PROGRAM…");
	if (how->devices == NULL && (how->use != NULL || !str_eq(how->grade, "slice")))
		return err_set(err, "expected -d DEVICES with %s%s",
			       how->use != NULL ? "--use" : "--grade ",
			       how->use != NULL ? "" : how->grade);
	path = find_layer(err);
	if (path == NULL)
		return -1;
	if (how->devices != NULL)
		status = devices_load(&devices, how->devices, err);
	if (status == 0 && how->devices != NULL)
		status = give(how, &devices, &job, err);
	if (status == 0) {
		set_layers(path, how);
		status = run(how, err);
	}
	if (job != NULL && postJobComplete(job, &message) != 0 && status >= 0)
		status = err_set(err, "%s", message.text);
	devices_free(&devices);
	free(path);
	return status;
}
