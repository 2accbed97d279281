/* opencl_build.c - contexts, programs as a device has built them, and work that makes it slow */
#ifdef HAVE_OPENCL

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "live/runtime/opencl_priv.h"

int opencl_device_open(struct opencl_device *device, struct err *err)
{
	cl_int code;

	if (device->context != NULL)
		return 0;
	device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
	if (device->context == NULL)
		return opencl_error(device, err, "no context", code);
	device->queue =
		clCreateCommandQueue(device->context, device->id, CL_QUEUE_PROFILING_ENABLE, &code);
	if (device->queue == NULL)
		return opencl_error(device, err, "no command queue", code);
	return 0;
}

/* Of the compiler's report the first lines are what the message has room for. */
static int build_error(const struct opencl_device *device, const struct work *work,
		       cl_program program, cl_int code, struct err *err)
{
	size_t n = 0;
	char *log;

	if (clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) !=
		    CL_SUCCESS ||
	    n < 2)
		return opencl_error(device, err, "the program can't be built", code);
	log = xcalloc(n + 1, 1);
	clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, n, log, NULL);
	for (char *p = log; *p != '\0'; p++)
		*p = *p == '\n' ? ';' : *p;
	err_set(err, "%s: %s: the program can't be built: %.600s", device->name, work->file,
		str_trim(log));
	free(log);
	return -1;
}

static cl_program create(struct opencl_device *device, const struct work *work, const char *text,
			 cl_int *code)
{
	const unsigned char *binary = (const unsigned char *)work->source;

	if (!work->is_binary)
		return clCreateProgramWithSource(device->context, 1, &text, NULL, code);
	return clCreateProgramWithBinary(device->context, 1, &device->id, &work->source_bytes,
					 &binary, NULL, code);
}

int opencl_build(struct opencl_device *device, const struct work *work, bool is_whole,
		 struct opencl_program *program, struct err *err)
{
	bool is_plain = is_whole || work->slice_argument >= 0;
	struct opencl_program built;
	cl_int code;

	built.text = is_plain ? xstrdup(work->source)
			      : prelude_text(work->source, work->manner, &work->slicing);
	for (size_t i = 0; i < device->programs.n; i++)
		if (str_eq(device->programs.at[i].text, built.text) &&
		    str_eq(device->programs.at[i].options, work->options)) {
			free(built.text);
			*program = device->programs.at[i];
			return 0;
		}
	built.program = create(device, work, built.text, &code);
	if (built.program == NULL) {
		free(built.text);
		return opencl_error(device, err, "no program", code);
	}
	code = clBuildProgram(built.program, 1, &device->id, work->options, NULL, NULL);
	if (code != CL_SUCCESS) {
		build_error(device, work, built.program, code, err);
		clReleaseProgram(built.program);
		free(built.text);
		return -1;
	}
	built.options = xstrdup(work->options);
	vec_push(&device->programs, built);
	*program = built;
	return 0;
}

static const char spin_text[] =
	"__kernel void spin(__global uint *x, ulong n) {\n"
	"  uint v = x[0]; for (ulong i = 0; i < n; i++) v = v * 1664525u + 1013904223u; x[0] = v; }\n";

static int make_spin(struct opencl_device *device, struct err *err)
{
	const char *text = spin_text;
	cl_int code;

	if (device->spin != NULL)
		return 0;
	device->spin_program = clCreateProgramWithSource(device->context, 1, &text, NULL, &code);
	if (device->spin_program != NULL)
		code = clBuildProgram(device->spin_program, 1, &device->id, "", NULL, NULL);
	if (code == CL_SUCCESS)
		device->spin_buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE,
						     sizeof(cl_uint), NULL, &code);
	if (code == CL_SUCCESS)
		device->spin = clCreateKernel(device->spin_program, "spin", &code);
	if (code == CL_SUCCESS)
		code = clSetKernelArg(device->spin, 0, sizeof(device->spin_buffer),
				      &device->spin_buffer);
	return code == CL_SUCCESS
		       ? 0
		       : opencl_error(device, err, "the slow device can't be made", code);
}

/* In as many launches as it takes: the device's speed is measured meanwhile. */
int opencl_spin(struct opencl_device *device, int64_t ns, int64_t *end_ns, struct err *err)
{
	const size_t one = 1;
	int64_t left = ns;

	if (make_spin(device, err) != 0)
		return -1;
	while (left > 0) {
		cl_ulong n = (cl_ulong)((double)left * device->spins_per_ns) + 1, start = 0,
			 end = 0;
		cl_event event;
		cl_int code = clSetKernelArg(device->spin, 1, sizeof(n), &n);
		int status;

		if (code == CL_SUCCESS)
			code = clEnqueueNDRangeKernel(device->queue, device->spin, 1, NULL, &one,
						      &one, 0, NULL, &event);
		if (code != CL_SUCCESS)
			return opencl_error(device, err, "spinning", code);
		code = clWaitForEvents(1, &event);
		status = code != CL_SUCCESS ? opencl_error(device, err, "spinning", code)
					    : opencl_times(device, event, &start, &end, err);
		clReleaseEvent(event);
		if (status != 0)
			return -1;
		end = end > start ? end : start + 1;
		if (n > 1000)
			device->spins_per_ns = (double)n / (double)(end - start);
		left -= (int64_t)(end - start) + 1;
		*end_ns = (int64_t)end;
	}
	return 0;
}

#endif
