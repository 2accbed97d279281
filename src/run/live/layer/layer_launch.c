/* layer_launch.c - a launch of an unchanged program becomes slices, on its queue or on
 * all devices */
#ifdef HAVE_OPENCL

#include <stdlib.h>
#include <string.h>

#include "live/layer/layer_priv.h"

/* What a launch asks for; NULL, or why it can't be done in slices. */
static const char *range_of(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
			    const size_t *offset, const size_t *global, const size_t *local,
			    struct range *range)
{
	size_t fixed[3] = {0};
	cl_device_id device = NULL;

	*range = (struct range){.dims = (int)dims};
	if (dims < 1 || dims > RANGE_DIMS || global == NULL)
		return "no range";
	layer.target->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL);
	layer.target->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
					       sizeof(fixed), fixed, NULL);
	for (int d = 0; d < RANGE_DIMS; d++) {
		bool is_there = d < range->dims;

		range->global[d] = is_there ? (int64_t)global[d] : 1;
		range->offset[d] = is_there && offset != NULL ? (int64_t)offset[d] : 0;
		range->local[d] = !is_there       ? 1
				  : local != NULL ? (int64_t)local[d]
				  : fixed[0] != 0 ? (int64_t)fixed[d]
						  : 0;
		if (range->global[d] < 1 || range->offset[d] < 0 ||
		    (range->local[d] == 0 && is_there && local != NULL))
			return "no work items";
	}
	return NULL;
}

/* For the device of the queue. */
static const char *make_slicing(cl_command_queue queue, cl_kernel kernel, const struct range *range,
				bool has_local, struct slicing *slicing)
{
	size_t most = 0, group = 1;
	cl_device_id device = NULL;
	cl_uint bits = 0;
	struct err err;

	layer.target->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL);
	layer.target->clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof(bits), &bits, NULL);
	layer.target->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
					       sizeof(most), &most, NULL);
	if (range->dims > 2)
		return "three dimensions";
	if (bits != 64)
		return "offsets of the device have no 64 bits";
	if (slicing_make(slicing, range, -1, layer.nslices, false, &err) != 0)
		return "groups that are not whole";
	for (int d = 0; d < RANGE_DIMS; d++)
		group *= (size_t)slicing->range.local[d];
	if (!has_local && most != 0 && group > most)
		return "groups too large";
	if (!prelude_fits(slicing))
		return "more than 2^30 work items in two dimensions";
	return slicing->n > 1 ? NULL : "one work group";
}

static bool has_prelude(cl_kernel kernel)
{
	const struct layer_program *known;
	cl_program program = NULL;
	bool has;

	if (layer.target->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), &program,
					  NULL) != CL_SUCCESS)
		return false;
	pthread_mutex_lock(&layer.lock);
	known = layer_find_program(program);
	has = known != NULL && known->has_prelude;
	pthread_mutex_unlock(&layer.lock);
	return has;
}

/* A marker that ends when all slices have is the launch's event. In a queue that works out of order
 * the last slice may end first. */
static cl_int mark(cl_command_queue queue, cl_event *slices, cl_uint n, cl_event *event)
{
	cl_int code = layer.target->clEnqueueMarkerWithWaitList(queue, n, slices, event);

	if (code == CL_SUCCESS)
		layer_event_add((struct layer_event){.event = *event, .slices = slices, .n = n});
	return code;
}

/* The first slice waits for what the launch waits for; the others for the first, if that leads. */
static cl_int enqueue_slices(cl_command_queue queue, cl_kernel kernel,
			     const struct slicing *slicing, cl_uint nwaits, const cl_event *waits,
			     cl_event *slices, cl_uint *n)
{
	cl_event lead = NULL;
	cl_int code = CL_SUCCESS;

	for (int64_t i = 0; i < slicing->n && code == CL_SUCCESS; i++) {
		struct prelude_launch launch;
		cl_event own = NULL;
		bool leads;

		prelude_slice(slicing, PRELUDE_MARK, slicing_slice(slicing, i), &launch);
		leads = i == 0 && layer_lead_is_needed(kernel, &launch);
		code = layer.target->clEnqueueNDRangeKernel(
			queue, kernel, launch.dims, launch.offset, launch.global, launch.local,
			lead != NULL ? 1 : nwaits, lead != NULL ? &lead : waits,
			slices != NULL || leads ? &own : NULL);
		if (code == CL_SUCCESS && slices != NULL)
			slices[(*n)++] = own;
		if (code == CL_SUCCESS && leads) {
			lead = own;
			if (slices != NULL)
				layer.target->clRetainEvent(lead);
			/* layer_lead_add may release its reference before this loop ends */
			layer.target->clRetainEvent(lead);
			layer_lead_add(kernel, &launch, lead);
		}
		layer_node_poll();
	}
	if (lead != NULL)
		layer.target->clReleaseEvent(lead);
	return code;
}

static cl_int launch_slices(cl_command_queue queue, cl_kernel kernel, const struct slicing *slicing,
			    cl_uint nwaits, const cl_event *waits, cl_event *event)
{
	cl_event *slices = event != NULL ? xcalloc((size_t)slicing->n, sizeof(*slices)) : NULL;
	cl_uint n = 0;
	cl_int code = enqueue_slices(queue, kernel, slicing, nwaits, waits, slices, &n);

	if (code == CL_SUCCESS && event != NULL &&
	    (code = mark(queue, slices, n, event)) == CL_SUCCESS)
		return CL_SUCCESS; /* the slices' events are the marker's now */
	for (cl_uint i = 0; i < n; i++)
		layer.target->clReleaseEvent(slices[i]);
	free(slices);
	return code;
}

static void count(const char *reason, int64_t nslices)
{
	pthread_mutex_lock(&layer.lock);
	layer.reason = reason != NULL ? reason : layer.reason;
	layer.counts.nwhole += reason != NULL;
	layer.counts.nsliced += reason == NULL;
	layer.counts.nparts += reason == NULL ? nslices : 0;
	pthread_mutex_unlock(&layer.lock);
}

/* From now on the program's device alone does its launches. */
static void lower(const char *why)
{
	if (layer.grade != GRADE_SHARE)
		return;
	layer.grade = GRADE_SLICE;
	layer.lowered = xstrdup(why);
	layer_node_stay();
}

static bool share(cl_command_queue queue, cl_kernel kernel, const struct range *range,
		  cl_uint nwaits, const cl_event *waits, cl_event *event, cl_int *code)
{
	struct err why;
	bool is_done = false;

	pthread_mutex_lock(&layer.sharing);
	if (layer.grade == GRADE_SHARE) {
		is_done = layer_share(queue, kernel, range, nwaits, waits, event, code, &why);
		if (!is_done)
			lower(why.msg);
	}
	pthread_mutex_unlock(&layer.sharing);
	return is_done;
}

cl_int CL_API_CALL layer_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
				const size_t *offset, const size_t *global, const size_t *local,
				cl_uint nwaits, const cl_event *waits, cl_event *event)
{
	struct slicing slicing;
	struct range range;
	const char *reason;
	cl_int code;

	if (layer_inside)
		return layer.target->clEnqueueNDRangeKernel(queue, kernel, dims, offset, global,
							    local, nwaits, waits, event);
	reason = range_of(queue, kernel, dims, offset, global, local, &range);
	/* a range that is none is for the driver to refuse */
	if (reason == NULL && layer.grade == GRADE_SHARE &&
	    share(queue, kernel, &range, nwaits, waits, event, &code))
		return code;
	if (reason == NULL)
		reason = layer.grade == GRADE_CHOOSE ? "chosen alone"
			 : layer.nslices <= 1        ? "one slice"
			 : has_prelude(kernel)
				 ? make_slicing(queue, kernel, &range, local != NULL, &slicing)
				 : "a program that can't be cut, or whose text is not known";
	count(reason, reason == NULL ? slicing.n : 0);
	if (reason == NULL)
		return launch_slices(queue, kernel, &slicing, nwaits, waits, event);
	layer_node_poll();
	return layer.target->clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local,
						    nwaits, waits, event);
}

/* Launches of other kinds run on the program's device. */
static cl_int CL_API_CALL launch_task(cl_command_queue queue, cl_kernel kernel, cl_uint nwaits,
				      const cl_event *waits, cl_event *event)
{
	pthread_mutex_lock(&layer.sharing);
	lower("clEnqueueTask");
	pthread_mutex_unlock(&layer.sharing);
	return layer.target->clEnqueueTask(queue, kernel, nwaits, waits, event);
}

static cl_int CL_API_CALL launch_native(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
					void *arguments, size_t n, cl_uint nmems,
					const cl_mem *mems, const void **places, cl_uint nwaits,
					const cl_event *waits, cl_event *event)
{
	pthread_mutex_lock(&layer.sharing);
	lower("a native kernel");
	pthread_mutex_unlock(&layer.sharing);
	return layer.target->clEnqueueNativeKernel(queue, function, arguments, n, nmems, mems,
						   places, nwaits, waits, event);
}

void layer_launch_own(cl_icd_dispatch *own)
{
	own->clEnqueueNDRangeKernel = layer_launch;
	own->clEnqueueTask = launch_task;
	own->clEnqueueNativeKernel = launch_native;
}

#endif
