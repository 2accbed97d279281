/* many.c - an ordinary OpenCL program of many launches: buffers filled, copied and mapped between
 * them, one buffer as two arguments, three dimensions, local memory, two queues: many [ROUNDS
 * [EXTRA]]
 *
 * EXTRA is what the last round does besides: image, part (of a buffer), user (event), task,
 * atomics, svm, native, fork (a child that ends as programs do). */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 12288, SMALL = 1000 };

static const char text[] =
	"struct how { float scale; int add[3]; };\n"
	"__kernel void advance(__global float *out, __global const float *in, struct how how) {\n"
	"  size_t i = get_global_id(0);\n"
	"  out[i] = in[i] * how.scale + how.add[get_group_id(0) % 3]; }\n"
	"__kernel void sums(__global const float *in, __global float *sum, __local float *part) {\n"
	"  uint l = get_local_id(0);\n"
	"  part[l] = in[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  if (l == 0) { float s = 0; for (uint i = 0; i < get_local_size(0); i++) s += part[i];\n"
	"    sum[get_group_id(0)] = s; } }\n"
	"__kernel void cube(__global uint *out) {\n"
	"  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
	"  out[(z * get_global_size(1) + y) * get_global_size(0) + x] =\n"
	"    x + 3 * y + 7 * z + get_group_id(2) + get_num_groups(1) * SCALE; }\n"
	"__kernel void strided(__global uchar *bytes, __global const char *none) {\n"
	"  if (none == 0) bytes[get_global_id(0) * 3 + 1] += get_global_id(0); }\n";
static const char counting[] = "__kernel void count(__global uint *n) { atomic_add(n, 3); }\n";
static const char reading[] =
	"__kernel void look(read_only image2d_t from, __global uint *out) {\n"
	"  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
	"  int i = get_global_id(0); out[i] = read_imageui(from, s, (int2)(i, 0)).x * 2; }\n";

static struct {
	float scale;
	cl_int add[3];
} how = {0.5f, {1, 2, 3}};

static cl_context context;
static cl_command_queue queue, other;
static cl_device_id device;
static cl_kernel advance, sums, cube, strided;
static cl_mem a, b, sum, room, bytes;
static unsigned long hash = 5381;

static void must(int code, const char *what)
{
	if (code != CL_SUCCESS) {
		fprintf(stderr, "%s: %d\n", what, code);
		exit(1);
	}
}

static void add(const void *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = hash * 33 + ((const unsigned char *)at)[i];
}

static cl_kernel kernel_of(const char *source, const char *name, const char *options)
{
	cl_int code;
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);

	must(code, "program");
	must(clBuildProgram(program, 1, &device, options, NULL, NULL), "build");
	cl_kernel kernel = clCreateKernel(program, name, &code);
	must(code, name);
	clReleaseProgram(program);
	return kernel;
}

static cl_mem buffer_of(size_t n)
{
	cl_int code;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, n, NULL, &code);

	must(code, "buffer");
	return mem;
}

static void set(cl_kernel kernel, cl_uint at, size_t n, const void *value)
{
	must(clSetKernelArg(kernel, at, n, value), "argument");
}

static void launch(cl_kernel kernel, cl_uint dims, const size_t *global, const size_t *local)
{
	must(clEnqueueNDRangeKernel(queue, kernel, dims, NULL, global, local, 0, NULL, NULL),
	     "launch");
}

static void one_round(int number)
{
	const size_t all = N, group = 64, box[3] = {12, 10, 9}, crate[3] = {4, 5, 3}, some = SMALL;
	cl_event ended;
	cl_int code;
	float mapped[N], parts[N / 64];
	cl_uint cubes[12 * 10 * 9];
	unsigned char odd[3 * SMALL];

	set(advance, 0, sizeof(b), &b);
	set(advance, 1, sizeof(a), &a);
	set(advance, 2, sizeof(how), &how);
	launch(advance, 1, &all, &group);
	/* in place: one buffer twice */
	set(advance, 1, sizeof(b), &b);
	must(clEnqueueNDRangeKernel(queue, advance, 1, NULL, &all, &group, 0, NULL, &ended),
	     "launch");
	must(clEnqueueCopyBuffer(other, b, a, 0, 0, sizeof(mapped), 1, &ended, NULL), "copy");
	must(clFinish(other), "finish");
	clReleaseEvent(ended);
	set(sums, 0, sizeof(a), &a);
	set(sums, 1, sizeof(sum), &sum);
	set(sums, 2, 64 * sizeof(float), NULL);
	launch(sums, 1, &all, &group);
	set(cube, 0, sizeof(room), &room);
	launch(cube, 3, box, crate);
	set(strided, 0, sizeof(bytes), &bytes);
	set(strided, 1, sizeof(cl_mem), NULL);
	launch(strided, 1, &some, NULL);
	must(clEnqueueReadBuffer(queue, sum, CL_FALSE, 0, sizeof(parts), parts, 0, NULL, NULL),
	     "read");
	must(clEnqueueReadBuffer(queue, room, CL_TRUE, 0, sizeof(cubes), cubes, 0, NULL, NULL),
	     "read");
	must(clEnqueueReadBuffer(queue, bytes, CL_TRUE, 0, sizeof(odd), odd, 0, NULL, NULL),
	     "read");
	float *view = clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
					 sizeof(mapped), 0, NULL, NULL, &code);
	must(code, "map");
	view[number % N] += 1;
	memcpy(mapped, view, sizeof(mapped));
	must(clEnqueueUnmapMemObject(queue, a, view, 0, NULL, NULL), "unmap");
	must(clFinish(queue), "finish");
	add(parts, sizeof(parts));
	add(cubes, sizeof(cubes));
	add(mapped, sizeof(mapped));
	add(odd, sizeof(odd));
}

static void CL_CALLBACK native(void *n)
{
	*(int *)n += 7;
}

static void do_extra(const char *what)
{
	const size_t all = 256, group = 32;
	cl_uint out[256] = {0};
	cl_mem results = buffer_of(sizeof(out));
	cl_int code;

	must(clEnqueueWriteBuffer(queue, results, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
	     "write");
	if (strcmp(what, "image") == 0) {
		cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
		cl_image_desc size = {
			.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 256, .image_height = 1};
		for (cl_uint i = 0; i < 256; i++)
			out[i] = i * i;
		cl_mem image =
			clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &size, out, &code);
		must(code, "image");
		cl_kernel look = kernel_of(reading, "look", "");
		set(look, 0, sizeof(image), &image);
		set(look, 1, sizeof(results), &results);
		launch(look, 1, &all, NULL);
	} else if (strcmp(what, "part") == 0) {
		cl_buffer_region region = {4096, 4096};
		cl_mem part = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
		must(code, "part");
		set(advance, 0, sizeof(results), &results);
		set(advance, 1, sizeof(part), &part);
		launch(advance, 1, &all, &group);
	} else if (strcmp(what, "user") == 0) {
		cl_event gate = clCreateUserEvent(context, &code);
		set(advance, 0, sizeof(results), &results);
		set(advance, 1, sizeof(a), &a);
		must(clEnqueueNDRangeKernel(queue, advance, 1, NULL, &all, &group, 1, &gate, NULL),
		     "gated launch");
		clFlush(queue);
		must(clSetUserEventStatus(gate, CL_COMPLETE), "gate");
		clReleaseEvent(gate);
	} else if (strcmp(what, "task") == 0) {
		set(strided, 0, sizeof(results), &results);
		must(clEnqueueTask(queue, strided, 0, NULL, NULL), "task");
	} else if (strcmp(what, "atomics") == 0) {
		cl_kernel count = kernel_of(counting, "count", "");
		set(count, 0, sizeof(results), &results);
		launch(count, 1, &all, NULL);
	} else if (strcmp(what, "svm") == 0) {
		float *shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 256 * sizeof(float), 0);
		if (shared == NULL)
			exit(77);
		must(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, 256 * sizeof(float), 0,
				     NULL, NULL),
		     "map");
		for (int i = 0; i < 256; i++)
			shared[i] = (float)i;
		must(clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL), "unmap");
		set(advance, 0, sizeof(results), &results);
		must(clSetKernelArgSVMPointer(advance, 1, shared), "pointer");
		launch(advance, 1, &all, &group);
	} else if (strcmp(what, "fork") == 0) {
		pid_t pid = fork();
		if (pid == 0)
			exit(0);
		must(waitpid(pid, &code, 0) == pid ? code : -1, "fork");
		set(advance, 0, sizeof(results), &results);
		launch(advance, 1, &all, &group);
	} else if (strcmp(what, "native") == 0) {
		int n = 35, *at = &n;
		code = clEnqueueNativeKernel(queue, native, &at, 0, 0, NULL, NULL, 0, NULL, NULL);
		(void)code; /* most devices refuse it */
	}
	must(clEnqueueReadBuffer(queue, results, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
	     "read");
	add(out, sizeof(out));
}

int main(int argc, char **argv)
{
	int rounds = 0;
	cl_platform_id platform;
	cl_int code;
	const float zero = 0.25f;
	const unsigned char none = 0;

	for (const char *p = argc > 1 ? argv[1] : "3"; *p != '\0'; p++)
		rounds = rounds * 10 + *p - '0';
	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
		return 77;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	must(code, "context");
	queue = clCreateCommandQueue(context, device, 0, &code);
	must(code, "queue");
	other = clCreateCommandQueue(context, device, 0, &code);
	must(code, "queue");
	advance = kernel_of(text, "advance", "-DSCALE=5u");
	sums = kernel_of(text, "sums", "-DSCALE=5u");
	cube = kernel_of(text, "cube", "-DSCALE=5u");
	strided = kernel_of(text, "strided", "-DSCALE=5u");
	a = buffer_of(N * sizeof(float));
	b = buffer_of(N * sizeof(float));
	sum = buffer_of(N / 64 * sizeof(float));
	room = buffer_of(12 * 10 * 9 * sizeof(cl_uint));
	bytes = buffer_of(3 * SMALL);
	must(clEnqueueFillBuffer(queue, a, &zero, sizeof(zero), 0, N * sizeof(float), 0, NULL,
				 NULL),
	     "fill");
	must(clEnqueueFillBuffer(queue, bytes, &none, 1, 0, 3 * SMALL, 0, NULL, NULL), "fill");
	for (int i = 0; i < rounds; i++)
		one_round(i);
	if (argc > 2)
		do_extra(argv[2]);
	printf("%lu\n", hash);
	return 0;
}
