/* layer.c - an OpenCL layer that slices the launches of unchanged programs */
#ifdef HAVE_OPENCL

#include <CL/cl_layer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"
#include "live/layer/layer_priv.h"

/*
 * The loader calls clInitLayer when OPENCL_LAYERS names this library (clslice run does). Program
 * texts get the prelude; launches of their kernels become slices on the same queue, and the event
 * of a launch ends when all of its slices have; or the launch is dealt to several devices. A launch
 * that can't be sliced is passed on unchanged.
 */

static const char *const grades[] = {"choose", "slice", "share"};

/* "clslice: share on a+b: 3 launches in 27 slices on all, 0 in slices on one, …" */
static void report(void)
{
	const struct layer_counts *counts = &layer.counts;
	struct buf on = {0};

	layer_node_text(&on);
	fprintf(stderr, "clslice: %s", grades[layer.grade]);
	if (layer.lowered != NULL)
		fprintf(stderr, " in the place of %s (%s)", grades[layer.asked], layer.lowered);
	if (buf_text(&on)[0] != '\0')
		fprintf(stderr, ", on %s", buf_text(&on));
	fprintf(stderr, ": %lld launches in %lld slices, %lld whole",
		(long long)(counts->nshared + counts->nsliced), (long long)counts->nparts,
		(long long)counts->nwhole);
	if (counts->nwhole > 0)
		fprintf(stderr, " (the last: %s)", layer.reason);
	if (layer.asked == GRADE_SHARE)
		fprintf(stderr, "; %lld shared, %lld changes of devices",
			(long long)counts->nshared, (long long)counts->nswitches);
	fputc('\n', stderr);
	buf_free(&on);
}

static void end(void)
{
	if (getpid() != layer.process)
		return;
	layer_node_close();
	if (layer.tells)
		report();
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what,
									 size_t n, void *value,
									 size_t *size)
{
	static const char name[] = "placetools clslice";
	cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	const void *from = what == CL_LAYER_NAME ? (const void *)name : (const void *)&version;
	size_t length = what == CL_LAYER_NAME ? sizeof(name) : sizeof(version);

	if (what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (value != NULL && n < length)
		return CL_INVALID_VALUE;
	if (value != NULL)
		memcpy(value, from, length);
	if (size != NULL)
		*size = length;
	return CL_SUCCESS;
}

static enum layer_grade grade_of(const char *name)
{
	for (int i = 0; i < 3; i++)
		if (name != NULL && str_eq(name, grades[i]))
			return (enum layer_grade)i;
	return GRADE_SLICE;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clInitLayer(cl_uint n,
								      const cl_icd_dispatch *target,
								      cl_uint *nback,
								      const cl_icd_dispatch **own)
{
	const char *slices = getenv("CLSLICE_SLICES");

	if (target == NULL || nback == NULL || own == NULL ||
	    n < sizeof(layer.own) / sizeof(layer.own.clGetPlatformIDs))
		return CL_INVALID_VALUE;
	layer.target = target;
	layer.asked = layer.grade = grade_of(getenv("CLSLICE_GRADE"));
	if (slices == NULL || num_int(slices, 1, 1000000, &layer.nslices) != 0 ||
	    layer.grade == GRADE_CHOOSE)
		layer.nslices = 1;
	layer.process = getpid();
	layer.tells = getenv("CLSLICE_VERBOSE") != NULL;
	layer_objects_own(&layer.own);
	layer_event_own(&layer.own);
	layer_node_own(&layer.own);
	layer_launch_own(&layer.own);
	*nback = sizeof(layer.own) / sizeof(layer.own.clGetPlatformIDs);
	*own = &layer.own;
	atexit(end);
	return CL_SUCCESS;
}

#endif
