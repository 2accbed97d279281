/* early.c - an OpenCL program that gives back a launch's event while the launch is under way, and
 * keeps another twice */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

enum { N = 4096, ROUNDS = 200 };

static const char *const text =
	"__kernel void fill(__global uint *a) { uint x = get_global_id(0); for (int i = 0; i < 500; i++) x = x * 5 + 1; a[get_global_id(0)] = x; }\n";

static cl_uint a[N];

static int is_launch(cl_event event)
{
	cl_command_type type = 0;

	clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL);
	return type == CL_COMMAND_NDRANGE_KERNEL;
}

int main(void)
{
	cl_platform_id platform;
	cl_device_id device;
	size_t all = N, group = 16;
	cl_event event, reads[ROUNDS];
	int nlaunches = 0, nkept;
	cl_int code = clGetPlatformIDs(1, &platform, NULL);

	if (code != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
		return 77;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
	cl_program program =
		clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &code);
	if (clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS)
		return 1;
	cl_kernel fill = clCreateKernel(program, "fill", &code);
	cl_mem x = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(a), NULL, &code);
	clSetKernelArg(fill, 0, sizeof(x), &x);
	for (int i = 0; i < ROUNDS; i++) {
		clEnqueueNDRangeKernel(queue, fill, 1, NULL, &all, &group, 0, NULL, &event);
		clFlush(queue);
		clReleaseEvent(event);
	}
	clFinish(queue);
	/* the runtime may give the same handles to other commands now */
	for (int i = 0; i < ROUNDS; i++)
		clEnqueueReadBuffer(queue, x, CL_FALSE, 0, sizeof(a), a, 0, NULL, &reads[i]);
	clFinish(queue);
	for (int i = 0; i < ROUNDS; i++)
		nlaunches += is_launch(reads[i]);
	for (int i = 0; i < ROUNDS; i++)
		clReleaseEvent(reads[i]);
	clEnqueueNDRangeKernel(queue, fill, 1, NULL, &all, &group, 0, NULL, &event);
	clRetainEvent(event);
	clFinish(queue);
	clReleaseEvent(event);
	nkept = is_launch(event);
	clReleaseEvent(event);
	printf("%u, %d reads are launches, %d kept\n", a[N - 1], nlaunches, nkept);
	clReleaseKernel(fill);
	clReleaseMemObject(x);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
