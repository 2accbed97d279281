/* failing.c - a layer of OpenCL in which one call fails: FAIL_CALL's FAIL_AT-th, or the FAIL_AT-th
 * of all if there is no FAIL_CALL; its name is written to FAIL_NAME */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cl_icd_dispatch *target;
static cl_icd_dispatch own;
static const char *only, *log_name;
static atomic_int left;

static int fails(const char *call)
{
	FILE *out;

	if ((only != NULL && strcmp(only, call) != 0) || atomic_fetch_sub(&left, 1) != 1)
		return 0;
	out = log_name != NULL ? fopen(log_name, "w") : NULL;
	if (out != NULL) {
		fprintf(out, "%s\n", call);
		fclose(out);
	}
	return 1;
}

/* What clslice, its layer and the programs of its tests call. CODE: returns a status; HANDLE:
 * returns a handle, or NULL and a status. */
#define CALLS(CODE, HANDLE)                                                                        \
	CODE(clGetPlatformIDs, (cl_uint a, cl_platform_id * b, cl_uint * c), (a, b, c))            \
	CODE(clGetPlatformInfo,                                                                    \
	     (cl_platform_id a, cl_platform_info b, size_t c, void *d, size_t *e),                 \
	     (a, b, c, d, e))                                                                      \
	CODE(clGetDeviceIDs,                                                                       \
	     (cl_platform_id a, cl_device_type b, cl_uint c, cl_device_id * d, cl_uint * e),       \
	     (a, b, c, d, e))                                                                      \
	CODE(clGetDeviceInfo, (cl_device_id a, cl_device_info b, size_t c, void *d, size_t *e),    \
	     (a, b, c, d, e))                                                                      \
	CODE(clCreateSubDevices,                                                                   \
	     (cl_device_id a, const cl_device_partition_property *b, cl_uint c, cl_device_id *d,   \
	      cl_uint *e),                                                                         \
	     (a, b, c, d, e))                                                                      \
	HANDLE(cl_context, clCreateContext,                                                        \
	       (const cl_context_properties *a, cl_uint b, const cl_device_id *c,                  \
		void(CL_CALLBACK * d)(const char *, const void *, size_t, void *), void *e,        \
		cl_int *code),                                                                     \
	       (a, b, c, d, e, code))                                                              \
	HANDLE(cl_command_queue, clCreateCommandQueue,                                             \
	       (cl_context a, cl_device_id b, cl_command_queue_properties c, cl_int * code),       \
	       (a, b, c, code))                                                                    \
	HANDLE(cl_mem, clCreateBuffer,                                                             \
	       (cl_context a, cl_mem_flags b, size_t c, void *d, cl_int *code),                    \
	       (a, b, c, d, code))                                                                 \
	HANDLE(cl_program, clCreateProgramWithSource,                                              \
	       (cl_context a, cl_uint b, const char **c, const size_t *d, cl_int *code),           \
	       (a, b, c, d, code))                                                                 \
	CODE(clBuildProgram,                                                                       \
	     (cl_program a, cl_uint b, const cl_device_id *c, const char *d,                       \
	      void(CL_CALLBACK * e)(cl_program, void *), void *f),                                 \
	     (a, b, c, d, e, f))                                                                   \
	CODE(clGetProgramInfo, (cl_program a, cl_program_info b, size_t c, void *d, size_t *e),    \
	     (a, b, c, d, e))                                                                      \
	CODE(clGetProgramBuildInfo,                                                                \
	     (cl_program a, cl_device_id b, cl_program_build_info c, size_t d, void *e,            \
	      size_t *f),                                                                          \
	     (a, b, c, d, e, f))                                                                   \
	HANDLE(cl_kernel, clCreateKernel, (cl_program a, const char *b, cl_int *code),             \
	       (a, b, code))                                                                       \
	CODE(clSetKernelArg, (cl_kernel a, cl_uint b, size_t c, const void *d), (a, b, c, d))      \
	CODE(clGetKernelInfo, (cl_kernel a, cl_kernel_info b, size_t c, void *d, size_t *e),       \
	     (a, b, c, d, e))                                                                      \
	CODE(clGetKernelArgInfo,                                                                   \
	     (cl_kernel a, cl_uint b, cl_kernel_arg_info c, size_t d, void *e, size_t *f),         \
	     (a, b, c, d, e, f))                                                                   \
	CODE(clGetKernelWorkGroupInfo,                                                             \
	     (cl_kernel a, cl_device_id b, cl_kernel_work_group_info c, size_t d, void *e,         \
	      size_t *f),                                                                          \
	     (a, b, c, d, e, f))                                                                   \
	CODE(clGetMemObjectInfo, (cl_mem a, cl_mem_info b, size_t c, void *d, size_t *e),          \
	     (a, b, c, d, e))                                                                      \
	CODE(clGetCommandQueueInfo,                                                                \
	     (cl_command_queue a, cl_command_queue_info b, size_t c, void *d, size_t *e),          \
	     (a, b, c, d, e))                                                                      \
	CODE(clWaitForEvents, (cl_uint a, const cl_event *b), (a, b))                              \
	CODE(clGetEventInfo, (cl_event a, cl_event_info b, size_t c, void *d, size_t *e),          \
	     (a, b, c, d, e))                                                                      \
	CODE(clGetEventProfilingInfo,                                                              \
	     (cl_event a, cl_profiling_info b, size_t c, void *d, size_t *e), (a, b, c, d, e))     \
	CODE(clFlush, (cl_command_queue a), (a))                                                   \
	CODE(clFinish, (cl_command_queue a), (a))                                                  \
	CODE(clEnqueueReadBuffer,                                                                  \
	     (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void *f, cl_uint g,     \
	      const cl_event *h, cl_event *i),                                                     \
	     (a, b, c, d, e, f, g, h, i))                                                          \
	CODE(clEnqueueWriteBuffer,                                                                 \
	     (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, const void *f,          \
	      cl_uint g, const cl_event *h, cl_event *i),                                          \
	     (a, b, c, d, e, f, g, h, i))                                                          \
	CODE(clEnqueueNDRangeKernel,                                                               \
	     (cl_command_queue a, cl_kernel b, cl_uint c, const size_t *d, const size_t *e,        \
	      const size_t *f, cl_uint g, const cl_event *h, cl_event *i),                         \
	     (a, b, c, d, e, f, g, h, i))                                                          \
	CODE(clEnqueueMarkerWithWaitList,                                                          \
	     (cl_command_queue a, cl_uint b, const cl_event *c, cl_event *d), (a, b, c, d))        \
	CODE(clRetainEvent, (cl_event a), (a))                                                     \
	CODE(clReleaseEvent, (cl_event a), (a))                                                    \
	CODE(clReleaseKernel, (cl_kernel a), (a))                                                  \
	CODE(clReleaseProgram, (cl_program a), (a))                                                \
	CODE(clReleaseMemObject, (cl_mem a), (a))                                                  \
	CODE(clReleaseCommandQueue, (cl_command_queue a), (a))                                     \
	CODE(clReleaseContext, (cl_context a), (a))                                                \
	CODE(clReleaseDevice, (cl_device_id a), (a))

#define RETURNS_CODE(name, parameters, arguments)                                                  \
	static cl_int CL_API_CALL failing_##name parameters                                        \
	{                                                                                          \
		return fails(#name) ? CL_OUT_OF_RESOURCES : target->name arguments;                \
	}
#define RETURNS_HANDLE(type, name, parameters, arguments)                                          \
	static type CL_API_CALL failing_##name parameters                                          \
	{                                                                                          \
		if (!fails(#name))                                                                 \
			return target->name arguments;                                             \
		if (code != NULL)                                                                  \
			*code = CL_OUT_OF_RESOURCES;                                               \
		return NULL;                                                                       \
	}
CALLS(RETURNS_CODE, RETURNS_HANDLE)

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

#define OWN_CODE(name, parameters, arguments) own.name = failing_##name;
#define OWN_HANDLE(type, name, parameters, arguments) own.name = failing_##name;

cl_int CL_API_CALL clInitLayer(cl_uint n, const cl_icd_dispatch *next, cl_uint *nback,
			       const cl_icd_dispatch **back)
{
	const char *at = getenv("FAIL_AT");

	(void)n;
	target = next;
	only = getenv("FAIL_CALL");
	log_name = getenv("FAIL_NAME");
	for (const char *p = at != NULL ? at : ""; *p != '\0'; p++)
		left = left * 10 + *p - '0';
	CALLS(OWN_CODE, OWN_HANDLE)
	*nback = sizeof(own) / sizeof(own.clGetPlatformIDs);
	*back = &own;
	return CL_SUCCESS;
}
