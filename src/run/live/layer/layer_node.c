/* layer_node.c - the devices that a program may use, which may change in mid-run */
#ifdef HAVE_OPENCL

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "base/str.h"
#include "live/layer/layer_priv.h"
#include "live/layer/layer_text.h"
#include "live/node/platform.h"
#include "live/runtime/dealing.h"
#include "live/runtime/opencl.h"

/* How many launches a program will make is unknown: it declares this many, of slices of one length
 * on all devices. */
enum { LAUNCHES = 1000 };
static const double slice_s = 1e-3;

struct layer_node {
	pthread_once_t once;
	pthread_mutex_t lock; /* of the job */
	bool is_there, has_failed;
	struct devices devices;
	struct opencl_node *opencl;
	struct live_device at[DEVICES_MAX];
	uint32_t set;            /* what the program has */
	uint32_t seen;           /* all that it has had slices on */
	int home;                /* the one that the program sees */
	struct clslice_job *job; /* NULL: the set is the program's alone */
	int64_t nlaunches;       /* that were dealt */
};

/* ---- the job of the node's state ---- */

/* only: the one device that it can use; -1: all. Waits. */
static int join(int only, struct err *err)
{
	bool shares = layer.grade == GRADE_SHARE;
	struct clslice_profile profile = {.name = program_invocation_short_name,
					  .slices = shares ? layer.nslices : 1,
					  .launches = LAUNCHES};
	struct clslice_message message;

	for (int d = 0; d < layer.node->devices.n; d++)
		profile.slice_s[d] = only < 0 || d == only ? slice_s : 0;
	if (getPlatformId(&profile, &layer.node->job, &layer.node->set, &message) != 0)
		return err_set(err, "%s", message.text);
	if (layer.node->set >> layer.node->devices.n != 0)
		return err_set(err, "the node's state has other devices than the file");
	return 0;
}

/* n: slices of the launch, of which `left` are not done */
static uint32_t poll_node(int64_t n, int64_t left)
{
	int64_t before = layer.node->nlaunches < LAUNCHES ? layer.node->nlaunches : LAUNCHES - 1;
	/* of a launch that has fewer slices than it could have */
	int64_t mine = (left * layer.nslices + n - 1) / n;
	uint32_t next = layer.node->set;

	if (layer.node->job == NULL ||
	    pollPlatformUpdate(layer.node->job, (LAUNCHES - 1 - before) * layer.nslices + mine,
			       &next) != 1)
		return layer.node->set;
	return next;
}

static int release_node(void *context, uint32_t closed, uint32_t *set, struct err *err)
{
	struct clslice_message message;

	(void)context;
	if (layer.node->job == NULL)
		return 0;
	if (postDeviceRelease(layer.node->job, closed, &layer.node->set, &message) != 0)
		return err_set(err, "%s", message.text);
	*set = layer.node->set;
	return 0;
}

/* ---- the devices ---- */

static int open_node(struct err *err)
{
	const char *text = getenv("CLSLICE_DEVICES"), *given = getenv("CLSLICE_SET");
	struct opencl_options options = {.is_shared = getenv("CLSLICE_SHARED") != NULL};
	int64_t set;

	if (text == NULL || given == NULL || num_int(given, 0, UINT32_MAX, &set) != 0 ||
	    layer_text_read(&layer.node->devices, text) != 0)
		return 0;
	if (opencl_node_open(&layer.node->opencl, &layer.node->devices, &options, err) != 0)
		return -1;
	for (int d = 0; d < layer.node->devices.n; d++)
		layer.node->at[d] = opencl_node_device(layer.node->opencl, d);
	layer.node->set = (uint32_t)set;
	if (layer.node->set == 0 && join(-1, err) != 0)
		return -1;
	layer.node->home = __builtin_ctz(layer.node->set);
	/* a program that can't leave its device uses one */
	if (layer.grade != GRADE_SHARE)
		layer.node->set = UINT32_C(1) << layer.node->home;
	layer.device = opencl_node_id(layer.node->opencl, layer.node->home);
	clGetDeviceInfo(layer.device, CL_DEVICE_PLATFORM, sizeof(layer.platform), &layer.platform,
			NULL);
	layer.node->is_there = true;
	return 0;
}

static void choose(void)
{
	struct err err;

	layer_inside = true;
	if (open_node(&err) != 0) {
		fprintf(stderr, "clslice: %s\n", err.msg);
		layer.node->has_failed = true;
	}
	layer_inside = false;
}

/* Waits for a device at the first call. */
static bool is_chosen(void)
{
	if (layer_inside)
		return false;
	pthread_once(&layer.node->once, choose);
	return layer.node->is_there || layer.node->has_failed;
}

static bool is_of_type(cl_device_type type)
{
	cl_device_type own = 0;

	if (layer.node->has_failed)
		return false;
	layer.target->clGetDeviceInfo(layer.device, CL_DEVICE_TYPE, sizeof(own), &own, NULL);
	return type == CL_DEVICE_TYPE_ALL || (type & CL_DEVICE_TYPE_DEFAULT) != 0 ||
	       (type & own) != 0;
}

/* A program that takes the first platform finds its device there. */
static cl_int CL_API_CALL get_platforms(cl_uint n, cl_platform_id *platforms, cl_uint *nplatforms)
{
	if (!is_chosen() || layer.node->has_failed)
		return layer.target->clGetPlatformIDs(n, platforms, nplatforms);
	if ((platforms == NULL && nplatforms == NULL) || (platforms != NULL && n == 0))
		return CL_INVALID_VALUE;
	if (nplatforms != NULL)
		*nplatforms = 1;
	if (platforms != NULL)
		platforms[0] = layer.platform;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type, cl_uint n,
				      cl_device_id *devices, cl_uint *ndevices)
{
	if (!is_chosen())
		return layer.target->clGetDeviceIDs(platform, type, n, devices, ndevices);
	if ((devices == NULL && ndevices == NULL) || (devices != NULL && n == 0))
		return CL_INVALID_VALUE;
	if (ndevices != NULL)
		*ndevices = 0;
	if ((platform != NULL && platform != layer.platform) || !is_of_type(type))
		return CL_DEVICE_NOT_FOUND;
	if (ndevices != NULL)
		*ndevices = 1;
	if (devices != NULL)
		devices[0] = layer.device;
	return CL_SUCCESS;
}

static cl_context CL_API_CALL
context_from_type(const cl_context_properties *properties, cl_device_type type,
		  void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
		  cl_int *code)
{
	if (!is_chosen())
		return layer.target->clCreateContextFromType(properties, type, notify, data, code);
	for (const cl_context_properties *p = properties; p != NULL && p[0] != 0; p += 2)
		if (p[0] == CL_CONTEXT_PLATFORM && (cl_platform_id)p[1] != layer.platform)
			type = 0;
	if (type == 0 || !is_of_type(type)) {
		if (code != NULL)
			*code = CL_DEVICE_NOT_FOUND;
		return NULL;
	}
	return layer.target->clCreateContext(properties, 1, &layer.device, notify, data, code);
}

/* ---- a launch ---- */

/* Devices have threads, whose calls of OpenCL are the layer's own. */
static int inside_open(void *device, const struct work *work, struct worker **worker,
		       struct err *err)
{
	layer_inside = true;
	return opencl_runtime.open(device, work, worker, err);
}

static int inside_run(struct worker *worker, int64_t number, int64_t *start_ns, int64_t *end_ns,
		      struct err *err)
{
	layer_inside = true;
	return opencl_runtime.run(worker, number, start_ns, end_ns, err);
}

struct launch {
	const struct work *work;
	int64_t start_ns, end_ns;
};

static uint32_t poll_launch(void *context, int64_t left)
{
	const struct launch *launch = context;

	return poll_node(launch->work->slicing.n, left);
}

static void take_slice(void *context, int device, int64_t number, int64_t start_ns, int64_t end_ns)
{
	struct launch *launch = context;

	(void)number;
	layer.node->seen |= UINT32_C(1) << device;
	if (launch->start_ns == 0 || start_ns < launch->start_ns)
		launch->start_ns = start_ns;
	if (end_ns > launch->end_ns)
		launch->end_ns = end_ns;
}

/* Between launches it may have lost devices, or be given more. */
static int follow(const struct work *work, struct err *err)
{
	uint32_t next = poll_node(work->slicing.n, work->slicing.n);

	if (next == layer.node->set)
		return 0;
	layer.counts.nswitches++;
	return release_node(NULL, layer.node->set, &next, err);
}

int layer_node_deal(struct work *work, bool is_whole, int64_t *start_ns, int64_t *end_ns,
		    struct err *err)
{
	struct launch launch = {.work = work};
	struct runtime runtime = opencl_runtime;
	struct live_device at[DEVICES_MAX];
	struct dealing dealing = {.work = work,
				  .devices = at,
				  .ndevices = layer.node->devices.n,
				  .context = &launch,
				  .poll = poll_launch,
				  .release = release_node,
				  .slice = take_slice};
	struct dealing_costs costs;
	int status;

	runtime.open = inside_open;
	runtime.run = inside_run;
	for (int d = 0; d < layer.node->devices.n; d++) {
		at[d] = layer.node->at[d];
		at[d].runtime = &runtime;
	}
	layer_inside = true;
	opencl_node_whole(layer.node->opencl, is_whole);
	status = follow(work, err);
	dealing.set = layer.node->set;
	if (status == 0)
		status = dealing_run(&dealing, &costs, err);
	layer_inside = false;
	layer.counts.nswitches += status == 0 ? costs.nswitches : 0;
	layer.node->nlaunches++;
	*start_ns = launch.start_ns;
	*end_ns = launch.end_ns;
	return status;
}

void layer_node_stay(void)
{
	struct clslice_message message;
	struct err err;

	pthread_mutex_lock(&layer.node->lock);
	if (layer.node->job != NULL && layer.node->set != UINT32_C(1) << layer.node->home) {
		postJobComplete(layer.node->job, &message);
		layer.node->job = NULL;
		if (join(layer.node->home, &err) != 0)
			fprintf(stderr, "clslice: %s\n", err.msg);
	}
	layer.node->set = UINT32_C(1) << layer.node->home;
	pthread_mutex_unlock(&layer.node->lock);
}

/* It can't leave its device, so it says that no slices are left. */
void layer_node_poll(void)
{
	uint32_t next;

	pthread_mutex_lock(&layer.node->lock);
	if (layer.node->is_there) {
		layer.node->seen |= UINT32_C(1) << layer.node->home;
		if (layer.node->job != NULL)
			pollPlatformUpdate(layer.node->job, 0, &next);
	}
	pthread_mutex_unlock(&layer.node->lock);
}

void layer_node_close(void)
{
	struct clslice_message message;

	pthread_mutex_lock(&layer.node->lock);
	if (layer.node->job != NULL)
		postJobComplete(layer.node->job, &message);
	layer.node->job = NULL;
	pthread_mutex_unlock(&layer.node->lock);
}

void layer_node_text(struct buf *text)
{
	char names[DEVICES_TEXT];

	if (!layer.node->is_there)
		return;
	devices_text(&layer.node->devices, layer.node->seen, names);
	buf_str(text, names);
}

void layer_node_own(cl_icd_dispatch *own)
{
	static const struct layer_node fresh = {.once = PTHREAD_ONCE_INIT,
						.lock = PTHREAD_MUTEX_INITIALIZER};

	layer.node = xmalloc(sizeof(*layer.node));
	*layer.node = fresh;
	own->clGetPlatformIDs = get_platforms;
	own->clGetDeviceIDs = get_devices;
	own->clCreateContextFromType = context_from_type;
}

#endif
