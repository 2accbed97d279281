/* opencl_clock.c - when a device did what, on its clock and on the host's */
#ifdef HAVE_OPENCL

#include "live/runtime/opencl_priv.h"

static cl_int time_of(cl_event event, cl_profiling_info what, cl_ulong *ns)
{
	return clGetEventProfilingInfo(event, what, sizeof(*ns), ns, NULL);
}

int opencl_times(const struct opencl_device *device, cl_event event, cl_ulong *start, cl_ulong *end,
		 struct err *err)
{
	cl_int code = time_of(event, CL_PROFILING_COMMAND_START, start);

	if (code == CL_SUCCESS)
		code = time_of(event, CL_PROFILING_COMMAND_END, end);
	return code == CL_SUCCESS ? 0 : opencl_error(device, err, "the times of a launch", code);
}

int opencl_clock_set(struct opencl_device *device, cl_event event, int64_t before_ns,
		     struct err *err)
{
	cl_ulong queued = 0, end = 0;
	cl_int code;

	if (device->knows_clock)
		return 0;
	code = time_of(event, CL_PROFILING_COMMAND_QUEUED, &queued);
	if (code == CL_SUCCESS)
		code = time_of(event, CL_PROFILING_COMMAND_END, &end);
	if (code != CL_SUCCESS)
		return opencl_error(device, err, "the times of a launch", code);
	if ((int64_t)queued < before_ns || (int64_t)end > live_now_ns())
		device->clock_ns = before_ns - (int64_t)queued;
	device->knows_clock = true;
	return 0;
}

#endif
