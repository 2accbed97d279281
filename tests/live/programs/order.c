/* order.c - an ordinary OpenCL program: an out-of-order queue, events, profiles, its own offset */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

enum { N = 40000 };

static const char *const text[] = {
	"__kernel void fill(__global uint *a) { a[get_global_id(0)] = get_group_id(0) * 3 + 1; }\n",
	"__kernel void add(__global const uint *a, __global uint *b, uint n) {\n"
	"  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) b[i] = a[n - 1 - i] + i; }\n"
	"__kernel void tail(__global uint *b) { b[get_global_id(0)] += get_num_groups(0) + get_global_offset(0); }\n",
};

static cl_uint a[N], b[N];

int main(void)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_uint n = N, ndevices = 0;
	cl_ulong start = 0, end = 0, submitted = 0;
	cl_command_type type = 0;
	size_t all = N, some = 1024, group = 16, half = N / 2, length = 0;
	cl_event filled, added, ended, copied;
	cl_int code = clGetPlatformIDs(1, &platform, NULL);

	if (code != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &ndevices) != CL_SUCCESS)
		return 77;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	cl_command_queue queue = clCreateCommandQueue(
		context, device, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
		&code);
	if (queue == NULL)
		queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
	cl_program program =
		clCreateProgramWithSource(context, 2, (const char **)text, NULL, &code);
	if (clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS)
		return 1;
	clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &length);
	cl_kernel fill = clCreateKernel(program, "fill", &code);
	cl_kernel add = clCreateKernel(program, "add", &code);
	cl_kernel tail = clCreateKernel(program, "tail", &code);
	cl_mem x = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(a), NULL, &code);
	cl_mem y = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(b), NULL, &code);
	clSetKernelArg(fill, 0, sizeof(x), &x);
	clSetKernelArg(add, 0, sizeof(x), &x);
	clSetKernelArg(add, 1, sizeof(y), &y);
	clSetKernelArg(add, 2, sizeof(n), &n);
	clSetKernelArg(tail, 0, sizeof(y), &y);
	/* each waits for the one before by its event alone */
	clEnqueueNDRangeKernel(queue, fill, 1, NULL, &all, &group, 0, NULL, &filled);
	clEnqueueNDRangeKernel(queue, add, 1, NULL, &some, &group, 1, &filled, &added);
	clEnqueueNDRangeKernel(queue, tail, 1, &half, &half, &group, 1, &added, &ended);
	clEnqueueReadBuffer(queue, y, CL_FALSE, 0, sizeof(b), b, 1, &ended, &copied);
	if (clWaitForEvents(1, &copied) != CL_SUCCESS)
		return 1;
	clGetEventProfilingInfo(added, CL_PROFILING_COMMAND_SUBMIT, sizeof(submitted), &submitted,
				NULL);
	clGetEventProfilingInfo(added, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL);
	clGetEventProfilingInfo(added, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
	clGetEventInfo(added, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL);
	unsigned long sum = 0;
	for (int i = 0; i < N; i++)
		sum = sum * 31 + b[i];
	printf("%lu, %lu characters, %s, %s\n", sum, (unsigned long)length,
	       start > 0 && submitted <= start && start < end ? "a profile" : "no profile",
	       type == CL_COMMAND_NDRANGE_KERNEL ? "a launch" : "no launch");
	clReleaseEvent(filled);
	clReleaseEvent(added);
	clReleaseEvent(ended);
	clReleaseEvent(copied);
	clReleaseKernel(fill);
	clReleaseKernel(add);
	clReleaseKernel(tail);
	clReleaseMemObject(x);
	clReleaseMemObject(y);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
