/* opencl.c - an OpenCL device does slices */
#ifdef HAVE_OPENCL

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "live/runtime/opencl_priv.h"

struct opencl_worker {
	struct worker worker;
	struct opencl_device *device;
	bool is_whole;
	cl_kernel kernel;
	struct opencl_variant *variant;
	cl_mem mem[WORK_ARGS];
};

static struct opencl_worker *of(struct worker *worker)
{
	return (struct opencl_worker *)worker;
}

static int check_memory(const struct opencl_device *device, const struct work *work,
			struct err *err)
{
	cl_ulong all = 0, most = 0;
	cl_int code =
		clGetDeviceInfo(device->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(all), &all, NULL);

	if (code == CL_SUCCESS)
		code = clGetDeviceInfo(device->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most),
				       &most, NULL);
	if (code != CL_SUCCESS)
		return opencl_error(device, err, "the size of its memory", code);
	if (work_bytes(work) > (double)all)
		return err_set(err, "%s: %s needs %.0f bytes of buffers; the device has %llu",
			       device->name, work->file, work_bytes(work), (unsigned long long)all);
	for (int i = 0; i < work->nargs; i++)
		if (work->args[i].kind == ARG_BUFFER && work->args[i].bytes > most)
			return err_set(err,
				       "%s: %s:%ld: %s has %zu bytes; the device's buffers have at "
				       "most %llu",
				       device->name, work->file, work->args[i].line,
				       work->args[i].name, work->args[i].bytes,
				       (unsigned long long)most);
	return 0;
}

/* As many arguments as are described, and groups that the kernel takes. */
static int check_kernel(const struct opencl_worker *worker, struct err *err)
{
	const struct opencl_device *device = worker->device;
	const struct work *work = worker->worker.work;
	const struct range *range = &work->slicing.range;
	bool has_more =
		!worker->is_whole && work->slice_argument < 0 && work->manner == PRELUDE_PARAMETER;
	size_t wanted[3] = {0}, most = 0, group = 1;
	cl_uint nargs = 0, expected = (cl_uint)work->nargs + (has_more ? 1 : 0);
	cl_int code =
		clGetKernelInfo(worker->kernel, CL_KERNEL_NUM_ARGS, sizeof(nargs), &nargs, NULL);

	if (code == CL_SUCCESS)
		code = clGetKernelWorkGroupInfo(worker->kernel, device->id,
						CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(wanted),
						wanted, NULL);
	if (code == CL_SUCCESS)
		code = clGetKernelWorkGroupInfo(worker->kernel, device->id,
						CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most,
						NULL);
	if (code != CL_SUCCESS)
		return opencl_error(device, err, work->kernel, code);
	if (nargs != expected)
		return err_set(err, "%s: %s has %u arguments; %s describes %d%s", device->name,
			       work->kernel, nargs, work->file, work->nargs,
			       has_more ? ", and one more was added for the slice" : "");
	for (int d = 0; d < RANGE_DIMS; d++) {
		group *= (size_t)range->local[d];
		if (wanted[0] != 0 && wanted[d] != (size_t)range->local[d])
			return err_set(err,
				       "%s: %s requires groups of %zux%zux%zu: expected local so",
				       device->name, work->kernel, wanted[0], wanted[1], wanted[2]);
	}
	if (most != 0 && group > most)
		return err_set(err, "%s: groups of %zu work items; %s takes at most %zu there",
			       device->name, group, work->kernel, most);
	return 0;
}

static int set_arguments(struct opencl_worker *worker, struct err *err)
{
	const struct work *work = worker->worker.work;
	cl_int code = CL_SUCCESS;

	for (int i = 0; i < work->nargs && code == CL_SUCCESS; i++) {
		const struct work_arg *arg = &work->args[i];

		if (arg->kind == ARG_BUFFER && arg->same > 0) {
			code = clSetKernelArg(worker->kernel, (cl_uint)i, sizeof(cl_mem),
					      &worker->mem[arg->same - 1]);
		} else if (arg->kind == ARG_BUFFER) {
			worker->mem[i] = clCreateBuffer(worker->device->context, CL_MEM_READ_WRITE,
							arg->bytes, NULL, &code);
			if (code == CL_SUCCESS)
				code = clSetKernelArg(worker->kernel, (cl_uint)i, sizeof(cl_mem),
						      &worker->mem[i]);
		} else {
			code = clSetKernelArg(worker->kernel, (cl_uint)i, arg->bytes,
					      arg->kind == ARG_LOCAL ? NULL : arg->value);
		}
		if (code != CL_SUCCESS) {
			opencl_error(worker->device, err, arg->name, code);
			return err_prefix(err, "%s:%ld: ", work->file, arg->line);
		}
	}
	return 0;
}

static int opencl_open(void *device, const struct work *work, struct worker **worker,
		       struct err *err)
{
	struct opencl_worker *mine = xcalloc(1, sizeof(*mine));
	struct opencl_program program;
	cl_int code;
	int status;

	mine->device = device;
	mine->is_whole = mine->device->node->options.is_whole;
	worker_init(&mine->worker, &opencl_runtime, work);
	status = opencl_device_open(mine->device, err);
	if (status == 0)
		status = check_memory(mine->device, work, err);
	if (status == 0)
		status = opencl_build(mine->device, work, mine->is_whole, &program, err);
	if (status == 0) {
		mine->variant = opencl_variants_find(mine->device->node->variants, &program, work);
		mine->kernel = clCreateKernel(program.program, work->kernel, &code);
		if (mine->kernel == NULL)
			status = opencl_error(mine->device, err, work->kernel, code);
	}
	if (status == 0)
		status = check_kernel(mine, err);
	if (status == 0)
		status = set_arguments(mine, err);
	if (status != 0) {
		opencl_runtime.close(&mine->worker);
		return -1;
	}
	*worker = &mine->worker;
	return 0;
}

/* Waits for the copies that were queued, also where one could not be, or where waiting failed once:
 * what still runs would read or write memory that is given back by then. code: of queuing them. */
static cl_int finish_copies(const struct opencl_worker *mine, cl_int code)
{
	cl_int finished = clFinish(mine->device->queue);

	if (finished != CL_SUCCESS)
		clFinish(mine->device->queue);
	return code == CL_SUCCESS ? finished : code;
}

static int opencl_copy_in(struct worker *worker, struct err *err)
{
	const struct work *work = worker->work;
	struct opencl_worker *mine = of(worker);
	cl_int code = CL_SUCCESS;

	worker_begin(worker);
	for (int i = 0; i < work->nargs && code == CL_SUCCESS; i++)
		if (mine->mem[i] != NULL)
			code = clEnqueueWriteBuffer(
				mine->device->queue, mine->mem[i], CL_FALSE, 0, work->args[i].bytes,
				worker->before[i] != NULL ? worker->before[i] : work->args[i].host,
				0, NULL, NULL);
	code = finish_copies(mine, code);
	return code == CL_SUCCESS ? 0 : opencl_error(mine->device, err, "copying in", code);
}

/* Sums of real numbers are read after each slice, and start again from 0. */
static int take_parts(struct opencl_worker *mine, int64_t number, struct err *err)
{
	const struct work *work = mine->worker.work;
	cl_int code = CL_SUCCESS;

	for (int i = 0; i < work->nargs && code == CL_SUCCESS; i++) {
		const struct work_arg *arg = &work->args[i];

		if (!work_is_ordered(arg))
			continue;
		code = clEnqueueReadBuffer(mine->device->queue, mine->mem[i], CL_TRUE, 0,
					   arg->bytes, arg->parts + (size_t)number * arg->bytes, 0,
					   NULL, NULL);
		if (code == CL_SUCCESS)
			code = clEnqueueWriteBuffer(mine->device->queue, mine->mem[i], CL_TRUE, 0,
						    arg->bytes, mine->worker.before[i], 0, NULL,
						    NULL);
	}
	return code == CL_SUCCESS ? 0 : opencl_error(mine->device, err, "reading a sum", code);
}

static int wait_for(const struct opencl_device *device, cl_event event, struct err *err)
{
	double limit_s = device->node->options.timeout_s;
	int64_t until_ns = live_now_ns() + (int64_t)(limit_s * 1e9);
	cl_int code, status = CL_QUEUED;

	if (limit_s <= 0) {
		code = clWaitForEvents(1, &event);
		return code == CL_SUCCESS ? 0 : opencl_error(device, err, "a slice", code);
	}
	for (;;) {
		code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
				      &status, NULL);
		if (code != CL_SUCCESS || status < 0)
			return opencl_error(device, err, "a slice",
					    code != CL_SUCCESS ? code : status);
		if (status == CL_COMPLETE)
			return 0;
		if (live_now_ns() > until_ns)
			return err_set(err, "%s: a slice did not end within %g s", device->name,
				       limit_s);
		nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
	}
}

/* What goes out for a slice; a kernel's arguments are set. */
static cl_int prepare(struct opencl_worker *mine, int64_t number, struct prelude_launch *launch)
{
	const struct work *work = mine->worker.work;
	struct slice slice = slicing_slice(&work->slicing, number);
	enum prelude_manner manner = work->manner;
	uint64_t value[8];

	if (mine->is_whole)
		slice = (struct slice){0, work->range.global[work->slicing.dimension]};
	/* the kernel's own argument replaces the offsets of a plain launch */
	if (work->slice_argument >= 0)
		manner = PRELUDE_PARAMETER;
	else if (mine->is_whole)
		manner = PRELUDE_NONE;
	prelude_slice(&work->slicing, manner, slice, launch);
	prelude_argument(&work->slicing, slice, value);
	if (work->slice_argument >= 0)
		return clSetKernelArg(mine->kernel, (cl_uint)work->slice_argument,
				      work->args[work->slice_argument].bytes, value);
	if (manner == PRELUDE_PARAMETER)
		return clSetKernelArg(mine->kernel, (cl_uint)work->nargs, sizeof(value), value);
	return CL_SUCCESS;
}

/* Until it has ended. */
static int launch_and_wait(struct opencl_worker *mine, const struct prelude_launch *launch,
			   cl_event *event, struct err *err)
{
	struct opencl_device *device = mine->device;
	bool makes = opencl_variant_begin(device->node->variants, mine->variant, launch);
	cl_int code =
		clEnqueueNDRangeKernel(device->queue, mine->kernel, launch->dims, launch->offset,
				       launch->global, launch->local, 0, NULL, event);
	int status;

	if (code != CL_SUCCESS)
		*event = NULL;
	else
		code = clFlush(device->queue);
	status = code == CL_SUCCESS ? wait_for(device, *event, err)
				    : opencl_error(device, err, "a slice", code);
	opencl_variant_end(device->node->variants, mine->variant, launch, makes);
	return status;
}

static int opencl_run(struct worker *worker, int64_t number, int64_t *start_ns, int64_t *end_ns,
		      struct err *err)
{
	struct opencl_worker *mine = of(worker);
	struct opencl_device *device = mine->device;
	int64_t before_ns = live_now_ns(), spun_ns;
	cl_ulong start = 0, end = 0;
	struct prelude_launch launch;
	cl_event event;
	cl_int code = prepare(mine, number, &launch);
	int status;

	if (code != CL_SUCCESS)
		return opencl_error(device, err, "a slice", code);
	status = launch_and_wait(mine, &launch, &event, err);
	if (status == 0)
		status = opencl_clock_set(device, event, before_ns, err);
	if (status == 0)
		status = opencl_times(device, event, &start, &end, err);
	if (event != NULL)
		clReleaseEvent(event);
	if (status != 0)
		return -1;
	spun_ns = (int64_t)end;
	if (device->slow > 1 &&
	    opencl_spin(device, (int64_t)((device->slow - 1) * (double)(end - start)), &spun_ns,
			err) != 0)
		return -1;
	*start_ns = (int64_t)start + device->clock_ns;
	*end_ns = spun_ns + device->clock_ns;
	memset(worker->done + (mine->is_whole ? 0 : number), 1,
	       mine->is_whole ? (size_t)worker->work->slicing.n : 1);
	return worker->is_trial ? 0 : take_parts(mine, number, err);
}

static int opencl_copy_out(struct worker *worker, struct err *err)
{
	const struct work *work = worker->work;
	struct opencl_worker *mine = of(worker);
	cl_int code = CL_SUCCESS;

	for (int i = 0; i < work->nargs && code == CL_SUCCESS; i++)
		if (work->args[i].is_written && !work_is_ordered(&work->args[i]))
			code = clEnqueueReadBuffer(mine->device->queue, mine->mem[i], CL_FALSE, 0,
						   work->args[i].bytes, worker->copy[i], 0, NULL,
						   NULL);
	code = finish_copies(mine, code);
	return code == CL_SUCCESS ? 0 : opencl_error(mine->device, err, "copying out", code);
}

static void opencl_close(struct worker *worker)
{
	struct opencl_worker *mine = of(worker);

	if (worker == NULL)
		return;
	for (int i = 0; i < WORK_ARGS; i++)
		if (mine->mem[i] != NULL)
			clReleaseMemObject(mine->mem[i]);
	if (mine->kernel != NULL)
		clReleaseKernel(mine->kernel);
	worker_free(worker);
	free(mine);
}

const struct runtime opencl_runtime = {
	.open = opencl_open,
	.copy_in = opencl_copy_in,
	.run = opencl_run,
	.copy_out = opencl_copy_out,
	.close = opencl_close,
};

#endif
