/* layer_choose.c - of all devices a program sees the one that it was given */
#ifdef HAVE_OPENCL

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "live/layer/layer_priv.h"

enum { MOST = 64 };

/* Cut as the file of devices says: CLSLICE_COUNTS=1+1, CLSLICE_PART=0. */
static cl_device_id cut(cl_device_id root)
{
	const char *counts = getenv("CLSLICE_COUNTS"), *part = getenv("CLSLICE_PART");
	cl_device_partition_property how[MOST + 3] = {CL_DEVICE_PARTITION_BY_COUNTS};
	char *text, *words[MOST];
	cl_device_id parts[MOST];
	int64_t number = 0, units;
	cl_uint nparts = 0;
	int n;

	if (counts == NULL || counts[0] == '\0')
		return root;
	text = xstrdup(counts);
	n = str_split(text, '+', words, MOST);
	for (int i = 0; i < n; i++)
		how[1 + i] = num_int(words[i], 1, 100000, &units) == 0
				     ? (cl_device_partition_property)units
				     : 1;
	free(text);
	if (part != NULL)
		num_int(part, 0, MOST - 1, &number);
	if (layer.target->clCreateSubDevices(root, how, MOST, parts, &nparts) != CL_SUCCESS ||
	    (int64_t)nparts <= number)
		return root;
	return parts[number];
}

static bool is_named(cl_platform_id platform, const char *name)
{
	char text[512] = "";

	layer.target->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(text) - 1, text, NULL);
	return name == NULL || strstr(text, name) != NULL;
}

static cl_device_type type_of(const char *name)
{
	return name == NULL || name[0] == '\0' ? CL_DEVICE_TYPE_ALL
	       : str_eq(name, "cpu")           ? CL_DEVICE_TYPE_CPU
	       : str_eq(name, "gpu")           ? CL_DEVICE_TYPE_GPU
					       : CL_DEVICE_TYPE_ACCELERATOR;
}

/* CLSLICE_INDEX, of those that match CLSLICE_PLATFORM and CLSLICE_TYPE: found once. */
static void choose(void)
{
	const char *index = getenv("CLSLICE_INDEX");
	cl_platform_id platforms[MOST];
	cl_uint nplatforms = 0;
	int64_t left;

	if (layer.has_chosen || index == NULL || num_int(index, 0, 1000, &left) != 0)
		return;
	layer.target->clGetPlatformIDs(MOST, platforms, &nplatforms);
	for (cl_uint p = 0; p < nplatforms && p < MOST && !layer.has_chosen; p++) {
		cl_device_id ids[MOST];
		cl_uint n = 0;

		if (!is_named(platforms[p], getenv("CLSLICE_PLATFORM")) ||
		    layer.target->clGetDeviceIDs(platforms[p], type_of(getenv("CLSLICE_TYPE")),
						 MOST, ids, &n) != CL_SUCCESS)
			continue;
		if (left >= (int64_t)n) {
			left -= (int64_t)n;
			continue;
		}
		layer.platform = platforms[p];
		layer.device = cut(ids[left]);
		layer.has_chosen = true;
	}
}

static bool is_of_type(cl_device_type type)
{
	cl_device_type own = 0;

	layer.target->clGetDeviceInfo(layer.device, CL_DEVICE_TYPE, sizeof(own), &own, NULL);
	return type == CL_DEVICE_TYPE_ALL || (type & CL_DEVICE_TYPE_DEFAULT) != 0 ||
	       (type & own) != 0;
}

cl_int CL_API_CALL layer_get_devices(cl_platform_id platform, cl_device_type type, cl_uint n,
				     cl_device_id *devices, cl_uint *ndevices)
{
	pthread_mutex_lock(&layer.lock);
	choose();
	pthread_mutex_unlock(&layer.lock);
	if (!layer.has_chosen)
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

cl_context CL_API_CALL layer_context_from_type(const cl_context_properties *properties,
					       cl_device_type type,
					       void(CL_CALLBACK *notify)(const char *, const void *,
									 size_t, void *),
					       void *data, cl_int *code)
{
	pthread_mutex_lock(&layer.lock);
	choose();
	pthread_mutex_unlock(&layer.lock);
	if (!layer.has_chosen)
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

#endif
