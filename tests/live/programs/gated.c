/* gated.c - an ordinary OpenCL program: launches that wait for an event of the
 * program itself */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

/* Groups of each size are a kernel of its own to a compiler that knows them. */
enum { GROUPS = 64, LARGEST = 8, N = GROUPS * LARGEST };

static const char *const text = "__kernel void spin(__global uint *a, uint n) {\n"
				"  uint v = get_global_id(0);\n"
				"  for (uint i = 0; i < n; i++) v = v * 1664525u + 1013904223u;\n"
				"  a[get_global_id(0)] = v + get_group_id(0); }\n";

static cl_uint a[N];

int main(void)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_uint n = 20000, ndevices = 0;
	unsigned long sum = 0;
	cl_int code = clGetPlatformIDs(1, &platform, NULL);

	if (code != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &ndevices) != CL_SUCCESS)
		return 77;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	cl_command_queue queue = clCreateCommandQueue(
		context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
	if (queue == NULL)
		return 77;
	cl_program program =
		clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &code);
	if (clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS)
		return 1;
	cl_kernel spin = clCreateKernel(program, "spin", &code);
	cl_mem x = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(a), NULL, &code);
	clEnqueueWriteBuffer(queue, x, CL_TRUE, 0, sizeof(a), a, 0, NULL, NULL);
	clSetKernelArg(spin, 0, sizeof(x), &x);
	clSetKernelArg(spin, 1, sizeof(n), &n);
	for (size_t group = 1; group <= LARGEST; group++) {
		size_t all = GROUPS * group;
		cl_event gate = clCreateUserEvent(context, &code), ended;

		clEnqueueNDRangeKernel(queue, spin, 1, NULL, &all, &group, 1, &gate, &ended);
		clFlush(queue);
		clSetUserEventStatus(gate, CL_COMPLETE);
		if (clWaitForEvents(1, &ended) != CL_SUCCESS)
			return 1;
		clReleaseEvent(gate);
		clReleaseEvent(ended);
		clEnqueueReadBuffer(queue, x, CL_TRUE, 0, sizeof(a), a, 0, NULL, NULL);
		for (int i = 0; i < N; i++)
			sum = sum * 31 + a[i];
	}
	printf("%lu\n", sum);
	clReleaseKernel(spin);
	clReleaseMemObject(x);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
