/* opencl_node.c - OpenCL devices are found and cut as a file of devices says */
#ifdef HAVE_OPENCL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "live/runtime/opencl_priv.h"

enum { FOUND_MAX = 256, NO_PLATFORM = -1001 /* CL_PLATFORM_NOT_FOUND_KHR */ };

/* What a platform or a device says of itself; *code is kept if an earlier call has failed. */
static char *platform_text(cl_platform_id platform, cl_platform_info what, cl_int *code)
{
	size_t n = 0;
	char *text;

	if (*code == CL_SUCCESS)
		*code = clGetPlatformInfo(platform, what, 0, NULL, &n);
	text = xcalloc(n + 1, 1);
	if (*code == CL_SUCCESS)
		*code = clGetPlatformInfo(platform, what, n, text, NULL);
	return text;
}

static char *device_text(cl_device_id device, cl_device_info what, cl_int *code)
{
	size_t n = 0;
	char *text;

	if (*code == CL_SUCCESS)
		*code = clGetDeviceInfo(device, what, 0, NULL, &n);
	text = xcalloc(n + 1, 1);
	if (*code == CL_SUCCESS)
		*code = clGetDeviceInfo(device, what, n, text, NULL);
	return text;
}

static cl_device_type type_of(const char *name)
{
	return name == NULL          ? CL_DEVICE_TYPE_ALL
	       : str_eq(name, "cpu") ? CL_DEVICE_TYPE_CPU
	       : str_eq(name, "gpu") ? CL_DEVICE_TYPE_GPU
				     : CL_DEVICE_TYPE_ACCELERATOR;
}

struct search {
	const struct device *wanted;
	cl_device_id found[FOUND_MAX];
	cl_uint n, nplatforms;
	char *text; /* "PLATFORM, DEVICE" of the one that is asked for, or NULL */
};

/* The devices of a platform that fit. */
static cl_int search_platform(struct search *search, cl_platform_id platform)
{
	const struct device *wanted = search->wanted;
	cl_device_id ids[64];
	cl_uint nids = 0;
	cl_int code = CL_SUCCESS;
	char *name = platform_text(platform, CL_PLATFORM_NAME, &code), *device;

	if (code == CL_SUCCESS &&
	    (wanted->platform == NULL || strstr(name, wanted->platform) != NULL))
		code = clGetDeviceIDs(platform, type_of(wanted->type), 64, ids, &nids);
	for (cl_uint i = 0; i < nids && i < 64 && search->n < FOUND_MAX; i++) {
		if ((int64_t)search->n == wanted->index) {
			device = device_text(ids[i], CL_DEVICE_NAME, &code);
			search->text = xasprintf("%s, %s", name, device);
			free(device);
		}
		search->found[search->n++] = ids[i];
	}
	free(name);
	return code == CL_DEVICE_NOT_FOUND ? CL_SUCCESS : code;
}

/* Over all platforms. The loader has none if it finds no driver. */
static cl_int search_all(struct search *search)
{
	cl_platform_id platforms[64];
	cl_int code = clGetPlatformIDs(64, platforms, &search->nplatforms);

	if (code == NO_PLATFORM) {
		search->nplatforms = 0;
		return CL_SUCCESS;
	}
	for (cl_uint p = 0; p < search->nplatforms && p < 64 && code == CL_SUCCESS; p++)
		code = search_platform(search, platforms[p]);
	return code;
}

static int select_root(struct opencl_device *device, const struct device *wanted, struct err *err)
{
	struct search search = {.wanted = wanted};
	cl_int code = search_all(&search);

	device->text = search.text;
	if (code != CL_SUCCESS)
		return opencl_error(device, err, "the devices of the platforms", code);
	if (search.nplatforms == 0)
		return err_set(err, "there is no OpenCL platform: expected a driver, as Debian's "
				    "pocl-opencl-icd");
	if ((int64_t)search.n <= wanted->index)
		return err_set(
			err,
			"%s: no such OpenCL device: %u match platform '%s', type %s; index "
			"is %lld",
			device->name, search.n, wanted->platform != NULL ? wanted->platform : "",
			wanted->type != NULL ? wanted->type : "any", (long long)wanted->index);
	device->root = device->id = search.found[wanted->index];
	return 0;
}

/* Entries with the same root and counts are parts of one cut. */
static bool same_cut(const struct device *a, const struct device *b)
{
	return a->ncounts == b->ncounts && a->host_units == b->host_units &&
	       memcmp(a->counts, b->counts, sizeof(a->counts)) == 0;
}

static int cut(struct opencl_node *node, int i, const struct devices *devices, struct err *err)
{
	struct opencl_device *device = &node->at[i];
	const struct device *wanted = &devices->at[i];
	cl_device_partition_property how[DEVICES_PARTS + 3] = {CL_DEVICE_PARTITION_BY_COUNTS};
	cl_device_id parts[DEVICES_PARTS];
	cl_uint units = 0, nparts = 0;
	int n = wanted->ncounts;
	cl_int code;

	for (int d = 0; d < n; d++)
		how[1 + d] = (cl_device_partition_property)wanted->counts[d];
	if (n == 0) {
		code = clGetDeviceInfo(device->root, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units),
				       &units, NULL);
		if (code != CL_SUCCESS)
			return opencl_error(device, err, "its compute units", code);
		if ((int64_t)units <= wanted->host_units)
			return err_set(err, "%s: host_units: the device has %u compute units",
				       device->name, units);
		how[1] = (cl_device_partition_property)(units - (cl_uint)wanted->host_units);
		n = 1;
	}
	how[1 + n] = CL_DEVICE_PARTITION_BY_COUNTS_LIST_END;
	code = clCreateSubDevices(device->root, how, DEVICES_PARTS, parts, &nparts);
	if (code != CL_SUCCESS || (int64_t)nparts <= wanted->part)
		return opencl_error(device, err, "the device can't be cut into such parts", code);
	for (cl_uint p = 0; p < nparts; p++)
		vec_push(&node->parts, parts[p]);
	for (int d = i; d < node->n; d++)
		if (node->at[d].root == device->root && same_cut(wanted, &devices->at[d]) &&
		    devices->at[d].part < (int64_t)nparts)
			node->at[d].id = parts[devices->at[d].part];
	return 0;
}

static int check_shared(const struct opencl_node *node, struct err *err)
{
	for (int a = 0; a < node->n; a++)
		for (int b = 0; b < a; b++) {
			const struct opencl_device *x = &node->at[a], *y = &node->at[b];

			if (x->id == y->id ||
			    (x->root == y->root && (x->id == x->root || y->id == y->root)))
				return err_set(
					err,
					"%s and %s are the same OpenCL device, so they share "
					"its threads; expected partition, or --shared",
					y->name, x->name);
		}
	return 0;
}

static int select_all(struct opencl_node *node, const struct devices *devices, struct err *err)
{
	for (int i = 0; i < node->n; i++) {
		node->at[i].node = node;
		node->at[i].name = xstrdup(devices->at[i].name);
		node->at[i].slow = devices->at[i].slow;
		node->at[i].spins_per_ns = 0.1;
		if (select_root(&node->at[i], &devices->at[i], err) != 0)
			return -1;
	}
	for (int i = 0; i < node->n; i++) {
		bool is_cut = devices->at[i].ncounts > 0 || devices->at[i].host_units > 0;

		if (is_cut && node->at[i].id == node->at[i].root && cut(node, i, devices, err) != 0)
			return -1;
	}
	return node->options.is_shared ? 0 : check_shared(node, err);
}

int opencl_node_open(struct opencl_node **node, const struct devices *devices,
		     const struct opencl_options *options, struct err *err)
{
	*node = xcalloc(1, sizeof(**node));
	(*node)->options = *options;
	(*node)->variants = opencl_variants_new();
	(*node)->n = devices->n;
	if (select_all(*node, devices, err) == 0)
		return 0;
	opencl_node_close(*node);
	*node = NULL;
	return -1;
}

static void close_device(struct opencl_device *device)
{
	for (size_t i = 0; i < device->programs.n; i++) {
		clReleaseProgram(device->programs.at[i].program);
		free(device->programs.at[i].text);
		free(device->programs.at[i].options);
	}
	vec_free(&device->programs);
	if (device->spin != NULL)
		clReleaseKernel(device->spin);
	if (device->spin_program != NULL)
		clReleaseProgram(device->spin_program);
	if (device->spin_buffer != NULL)
		clReleaseMemObject(device->spin_buffer);
	if (device->queue != NULL)
		clReleaseCommandQueue(device->queue);
	if (device->context != NULL)
		clReleaseContext(device->context);
	free(device->name);
	free(device->text);
}

void opencl_node_close(struct opencl_node *node)
{
	if (node == NULL)
		return;
	for (int i = 0; i < node->n; i++)
		close_device(&node->at[i]);
	for (size_t i = 0; i < node->parts.n; i++)
		clReleaseDevice(node->parts.at[i]);
	vec_free(&node->parts);
	opencl_variants_free(node->variants);
	free(node);
}

struct live_device opencl_node_device(struct opencl_node *node, int i)
{
	return (struct live_device){node->at[i].name, &opencl_runtime, &node->at[i]};
}

void *opencl_node_id(struct opencl_node *node, int i)
{
	return node->at[i].id;
}

const char *opencl_node_text(const struct opencl_node *node, int i)
{
	return node->at[i].text;
}

void opencl_node_whole(struct opencl_node *node, bool is_whole)
{
	node->options.is_whole = is_whole;
}

#endif
