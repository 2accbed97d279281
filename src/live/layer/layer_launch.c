/* layer_launch.c - a launch of an unchanged program becomes slices on its queue */
#ifdef HAVE_OPENCL

#include <stdlib.h>

#include "live/layer/layer_priv.h"
#include "live/slice/prelude.h"

/* What is asked of a launch; NULL: it can be sliced, else why it can't. */
static const char *make_slicing(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
				const size_t *offset, const size_t *global, const size_t *local,
				struct slicing *slicing)
{
	struct range range = {.dims = (int)dims};
	size_t fixed[3] = {0}, most = 0, group = 1;
	cl_device_id device = NULL;
	cl_uint bits = 0;
	struct err err;

	if (dims < 1 || dims > 2 || global == NULL)
		return "three dimensions";
	layer.target->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL);
	layer.target->clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof(bits), &bits, NULL);
	layer.target->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
					       sizeof(fixed), fixed, NULL);
	layer.target->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
					       sizeof(most), &most, NULL);
	if (bits != 64)
		return "offsets of the device have no 64 bits";
	for (int d = 0; d < RANGE_DIMS; d++) {
		bool is_there = d < range.dims;

		range.global[d] = is_there ? (int64_t)global[d] : 1;
		range.offset[d] = is_there && offset != NULL ? (int64_t)offset[d] : 0;
		range.local[d] = !is_there       ? 1
				 : local != NULL ? (int64_t)local[d]
				 : fixed[0] != 0 ? (int64_t)fixed[d]
						 : 0;
		if (range.local[d] == 0 && is_there && local != NULL)
			return "no work items";
	}
	if (slicing_make(slicing, &range, -1, layer.nslices, false, &err) != 0)
		return "groups that are not whole";
	for (int d = 0; d < RANGE_DIMS; d++)
		group *= (size_t)slicing->range.local[d];
	if (local == NULL && most != 0 && group > most)
		return "groups too large";
	if (!prelude_fits(slicing))
		return "more than 2^30 work items in two dimensions";
	return slicing->n > 1 ? NULL : "one work group";
}

static bool has_prelude(cl_kernel kernel)
{
	cl_program program = NULL;
	bool has;

	if (layer.target->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), &program,
					  NULL) != CL_SUCCESS)
		return false;
	pthread_mutex_lock(&layer.lock);
	has = layer_find_program(program) != NULL;
	pthread_mutex_unlock(&layer.lock);
	return has;
}

/* A marker that ends when all slices have is the launch's event. In a queue that works out of order
 * the last slice may end first. */
static cl_int mark(cl_command_queue queue, cl_event *slices, cl_uint n, cl_event *event)
{
	cl_int code = layer.target->clEnqueueMarkerWithWaitList(queue, n, slices, event);

	if (code != CL_SUCCESS)
		return code;
	pthread_mutex_lock(&layer.lock);
	vec_push(&layer.events, (struct layer_event){*event, slices, n});
	pthread_mutex_unlock(&layer.lock);
	return CL_SUCCESS;
}

static cl_int launch_slices(cl_command_queue queue, cl_kernel kernel, const struct slicing *slicing,
			    cl_uint nwaits, const cl_event *waits, cl_event *event)
{
	cl_event *slices = xcalloc((size_t)slicing->n, sizeof(*slices));
	cl_uint n = 0;
	cl_int code = CL_SUCCESS;

	for (int64_t i = 0; i < slicing->n && code == CL_SUCCESS; i++) {
		struct prelude_launch launch;

		prelude_slice(slicing, PRELUDE_MARK, slicing_slice(slicing, i), &launch);
		code = layer.target->clEnqueueNDRangeKernel(
			queue, kernel, launch.dims, launch.offset, launch.global, launch.local,
			nwaits, waits, event != NULL ? &slices[n] : NULL);
		if (code == CL_SUCCESS)
			n++;
	}
	if (code == CL_SUCCESS && event != NULL &&
	    (code = mark(queue, slices, n, event)) == CL_SUCCESS)
		return CL_SUCCESS; /* the slices' events are the marker's now */
	for (cl_uint i = 0; i < n && event != NULL; i++)
		layer.target->clReleaseEvent(slices[i]);
	free(slices);
	return code;
}

cl_int CL_API_CALL layer_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
				const size_t *offset, const size_t *global, const size_t *local,
				cl_uint nwaits, const cl_event *waits, cl_event *event)
{
	struct slicing slicing;
	const char *reason =
		layer.nslices <= 1 ? "one slice"
		: has_prelude(kernel)
			? make_slicing(queue, kernel, dims, offset, global, local, &slicing)
			: "a program that can't be cut, or whose text is not known";

	pthread_mutex_lock(&layer.lock);
	layer.reason = reason != NULL ? reason : layer.reason;
	layer.nwhole += reason != NULL;
	layer.nsliced += reason == NULL;
	layer.nparts += reason == NULL ? slicing.n : 0;
	pthread_mutex_unlock(&layer.lock);
	if (reason != NULL)
		return layer.target->clEnqueueNDRangeKernel(queue, kernel, dims, offset, global,
							    local, nwaits, waits, event);
	return launch_slices(queue, kernel, &slicing, nwaits, waits, event);
}

#endif
