/* failing.c - a layer of OpenCL in which one call, FAIL_CALL, fails at its FAIL_AT-th time */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const cl_icd_dispatch *target;
static cl_icd_dispatch own;
static atomic_int left;

static int fails(void)
{
	return atomic_fetch_sub(&left, 1) == 1;
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
	return fails() ? CL_OUT_OF_RESOURCES : target->clFinish(queue);
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
				 const size_t *offset, const size_t *global, const size_t *local,
				 cl_uint nwaits, const cl_event *waits, cl_event *event)
{
	return fails() ? CL_OUT_OF_RESOURCES
		       : target->clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local,
							nwaits, waits, event);
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem mem, cl_bool waits, size_t at,
				      size_t n, void *to, cl_uint nevents, const cl_event *events,
				      cl_event *event)
{
	return fails() ? CL_OUT_OF_RESOURCES
		       : target->clEnqueueReadBuffer(queue, mem, waits, at, n, to, nevents, events,
						     event);
}

cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t n, void *value, size_t *size)
{
	cl_layer_api_version version = CL_LAYER_API_VERSION_100;

	if (what != CL_LAYER_API_VERSION || (value != NULL && n < sizeof(version)))
		return CL_INVALID_VALUE;
	if (value != NULL)
		memcpy(value, &version, sizeof(version));
	if (size != NULL)
		*size = sizeof(version);
	return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint n, const cl_icd_dispatch *next, cl_uint *nback,
			       const cl_icd_dispatch **back)
{
	const char *call = getenv("FAIL_CALL"), *at = getenv("FAIL_AT");

	(void)n;
	target = next;
	for (const char *p = at != NULL ? at : ""; *p != '\0'; p++)
		left = left * 10 + *p - '0';
	if (call != NULL && strcmp(call, "clFinish") == 0)
		own.clFinish = finish;
	if (call != NULL && strcmp(call, "clEnqueueNDRangeKernel") == 0)
		own.clEnqueueNDRangeKernel = launch;
	if (call != NULL && strcmp(call, "clEnqueueReadBuffer") == 0)
		own.clEnqueueReadBuffer = read_buffer;
	*nback = sizeof(own) / sizeof(own.clGetPlatformIDs);
	*back = &own;
	return CL_SUCCESS;
}
