/* layer_share.c - a launch on all devices of a set: copies, slices, differences */
#ifdef HAVE_OPENCL

#include <stdlib.h>
#include <string.h>

#include "live/layer/layer_priv.h"
#include "live/merge/merge.h"
#include "live/runtime/runtime.h"

/*
 * The program's buffers stay where they are, on the device that it sees. For a launch they are
 * read, copied to each device of the set, and what slices changed of a copy (bytes that differ from
 * what it held before) comes back into the program's buffer. So all other commands are the
 * driver's.
 */

/* Changes are written back in pieces that are at least so many bytes apart. */
enum { GAP = 4096 };

extern const struct merge merge_difference;

/* ---- the launch as a work ---- */

static bool is_plain_buffer(cl_mem mem, size_t *bytes, cl_mem_flags *flags)
{
	cl_mem_object_type type = 0;
	cl_mem parent = NULL;

	return layer.target->clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof(type), &type, NULL) ==
		       CL_SUCCESS &&
	       type == CL_MEM_OBJECT_BUFFER &&
	       layer.target->clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent),
						&parent, NULL) == CL_SUCCESS &&
	       parent == NULL &&
	       layer.target->clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(*bytes), bytes, NULL) ==
		       CL_SUCCESS &&
	       layer.target->clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof(*flags), flags, NULL) ==
		       CL_SUCCESS;
}

struct share {
	struct work work;
	cl_mem mems[WORK_ARGS];
	unsigned char *kept[WORK_ARGS]; /* what buffers that may be written held before */
	bool is_whole;                  /* the program can't be cut: one device does it all */
};

static int add_buffer(struct share *share, int i, cl_mem mem, struct err *err)
{
	struct work_arg *arg = &share->work.args[i];
	cl_mem_flags flags = 0;

	if (!is_plain_buffer(mem, &arg->bytes, &flags))
		return err_set(err, "argument %d is an image, a pipe or a part of a buffer", i);
	if ((flags & (CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) != 0)
		return err_set(err, "argument %d is a buffer that the host may not copy", i);
	arg->kind = ARG_BUFFER;
	arg->element = element_find("uchar");
	for (int j = 0; j < i && arg->same == 0; j++)
		if (share->mems[j] == mem)
			arg->same = 1 + j;
	if (arg->same == 0) {
		share->mems[i] = mem;
		arg->is_written = (flags & CL_MEM_READ_ONLY) == 0;
		arg->is_read = true;
		arg->merge = &merge_difference;
	}
	return 0;
}

/* The argument's address space as the compiler recorded it; 0: not recorded. */
static cl_kernel_arg_address_qualifier space_of(cl_kernel kernel, cl_uint i)
{
	cl_kernel_arg_address_qualifier space = 0;

	return layer.target->clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
						sizeof(space), &space, NULL) == CL_SUCCESS
		       ? space
		       : 0;
}

static int add_argument(struct share *share, cl_kernel kernel, int i, const struct layer_arg *given,
			struct err *err)
{
	struct work_arg *arg = &share->work.args[i];
	cl_kernel_arg_address_qualifier space = space_of(kernel, (cl_uint)i);
	bool is_pointer =
		space == CL_KERNEL_ARG_ADDRESS_GLOBAL || space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
	void *handle = NULL;

	arg->name = xasprintf("argument %d", i);
	arg->map = -1;
	arg->bytes = given->bytes;
	if (given->is_svm)
		return err_set(err, "argument %d is shared virtual memory", i);
	if (given->is_null && !is_pointer) {
		arg->kind = ARG_LOCAL;
		return 0;
	}
	if (given->bytes > sizeof(arg->value))
		return err_set(err, "argument %d has %zu bytes; at most %zu can be copied", i,
			       given->bytes, sizeof(arg->value));
	arg->kind = ARG_VALUE;
	if (!given->is_null)
		memcpy(arg->value, given->value, given->bytes);
	if (given->bytes != sizeof(handle) || given->is_null)
		return 0;
	memcpy(&handle, given->value, sizeof(handle));
	if (handle != NULL && layer_knows_mem(handle))
		return add_buffer(share, i, handle, err);
	if (handle != NULL && layer_knows_sampler(handle))
		return err_set(err, "argument %d is a sampler", i);
	if (is_pointer && handle != NULL)
		return err_set(err, "argument %d is memory of another interface", i);
	return 0;
}

static int add_arguments(struct share *share, cl_kernel kernel, struct err *err)
{
	const struct layer_kernel *known = layer_find_kernel(kernel);
	cl_uint n = 0;

	layer.target->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(n), &n, NULL);
	if (known == NULL || known->is_odd)
		return err_set(err, known == NULL ? "a kernel of which nothing is known"
						  : "shared virtual memory");
	if (n > WORK_ARGS)
		return err_set(err, "%u arguments; at most %d can be copied", n, WORK_ARGS);
	for (cl_uint i = 0; i < n; i++) {
		/* what is missing the driver says */
		if (!known->args[i].is_set)
			return err_set(err, "argument %u is not set", i);
		share->work.nargs++;
		if (add_argument(share, kernel, (int)i, &known->args[i], err) != 0)
			return -1;
	}
	return 0;
}

static char *name_of(cl_kernel kernel)
{
	size_t n = 0;
	char *name;

	layer.target->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &n);
	name = xcalloc(n + 1, 1);
	layer.target->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, n, name, NULL);
	return name;
}

/* Its text and what it was built with; under the lock. */
static int add_program(struct share *share, cl_kernel kernel, struct err *err)
{
	const struct layer_program *known;
	cl_program program = NULL;

	layer.target->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL);
	known = layer_find_program(program);
	if (known == NULL || known->source == NULL)
		return err_set(err, "a program whose text is not known");
	if (known->options == NULL)
		return err_set(err, "a program that was compiled and linked in parts");
	share->work.source = xstrdup(known->source);
	share->work.source_bytes = strlen(known->source);
	share->work.options = xstrdup(known->options);
	share->is_whole = known->has_doubts;
	return 0;
}

/* A program that can't be cut, or groups that are not whole: the launch is one slice. */
static int add_range(struct share *share, const struct range *range, struct err *err)
{
	struct work *work = &share->work;

	work->range = *range;
	work->manner = range->dims < 3 ? PRELUDE_MARK : PRELUDE_FIXED;
	if (!share->is_whole &&
	    slicing_make(&work->slicing, range, -1, layer.nslices, false, err) == 0) {
		if (work->manner == PRELUDE_MARK && !prelude_fits(&work->slicing))
			work->manner = PRELUDE_FIXED;
		return 0;
	}
	share->is_whole = true;
	return slicing_make(&work->slicing, range, -1, 1, true, err);
}

static int describe(struct share *share, cl_kernel kernel, const struct range *range,
		    struct err *err)
{
	struct work *work = &share->work;
	int status;

	*work = (struct work){.file = xstrdup("the program"),
			      .kernel = name_of(kernel),
			      .slice_argument = -1,
			      .dimension = -1};
	pthread_mutex_lock(&layer.lock);
	status = add_program(share, kernel, err);
	if (status == 0)
		status = add_arguments(share, kernel, err);
	pthread_mutex_unlock(&layer.lock);
	return status == 0 ? add_range(share, range, err) : -1;
}

static void forget(struct share *share)
{
	for (int i = 0; i < WORK_ARGS; i++)
		free(share->kept[i]);
	work_free(&share->work);
}

/* ---- the program's buffers ---- */

static int read_buffers(struct share *share, cl_command_queue queue, struct err *err)
{
	for (int i = 0; i < share->work.nargs; i++) {
		struct work_arg *arg = &share->work.args[i];

		if (share->mems[i] == NULL)
			continue;
		arg->host = malloc(arg->bytes);
		share->kept[i] = arg->is_written ? malloc(arg->bytes) : NULL;
		if (arg->host == NULL || (arg->is_written && share->kept[i] == NULL))
			return err_set(err, "no memory for a copy of %zu bytes", arg->bytes);
		if (layer.target->clEnqueueReadBuffer(queue, share->mems[i], CL_TRUE, 0, arg->bytes,
						      arg->host, 0, NULL, NULL) != CL_SUCCESS)
			return err_set(err, "argument %d can't be read", i);
		if (arg->is_written)
			memcpy(share->kept[i], arg->host, arg->bytes);
	}
	return 0;
}

/* The next piece from *begin on that has changed; false: there is none. */
static bool next_change(const unsigned char *now, const unsigned char *before, size_t n,
			size_t *begin, size_t *end)
{
	size_t last;

	while (*begin + 64 <= n && memcmp(now + *begin, before + *begin, 64) == 0)
		*begin += 64;
	while (*begin < n && now[*begin] == before[*begin])
		(*begin)++;
	if (*begin == n)
		return false;
	last = *begin;
	for (size_t i = *begin; i < n && i - last <= GAP; i++)
		if (now[i] != before[i])
			last = i;
	*end = last + 1;
	return true;
}

static cl_int write_changes(const struct share *share, cl_command_queue queue)
{
	cl_int code = CL_SUCCESS;

	for (int i = 0; i < share->work.nargs; i++) {
		const struct work_arg *arg = &share->work.args[i];
		size_t begin = 0, end;

		while (share->kept[i] != NULL && code == CL_SUCCESS &&
		       next_change(arg->host, share->kept[i], arg->bytes, &begin, &end)) {
			code = layer.target->clEnqueueWriteBuffer(queue, share->mems[i], CL_TRUE,
								  begin, end - begin,
								  arg->host + begin, 0, NULL, NULL);
			begin = end;
		}
	}
	return code;
}

/* ---- its event ---- */

/* Times of the host by the clock of the queue: the marker ended just before now. */
static struct layer_event times_of(cl_event marker, cl_event event, int64_t marker_ns,
				   int64_t start_ns, int64_t end_ns)
{
	struct layer_event times = {.event = event};
	cl_ulong queued = 0;

	if (layer.target->clGetEventProfilingInfo(marker, CL_PROFILING_COMMAND_END, sizeof(queued),
						  &queued, NULL) != CL_SUCCESS)
		return times;
	times.queued_ns = queued;
	times.start_ns = queued + (cl_ulong)(start_ns > marker_ns ? start_ns - marker_ns : 0);
	times.end_ns = times.start_ns + (cl_ulong)(end_ns > start_ns ? end_ns - start_ns : 0);
	return times;
}

/* A marker behind all that the launch has to wait for. */
static bool wait_before(cl_command_queue queue, cl_uint nwaits, const cl_event *waits,
			cl_event *marker)
{
	if (layer.target->clEnqueueMarkerWithWaitList(queue, nwaits, waits, marker) != CL_SUCCESS)
		return false;
	if (layer.target->clFlush(queue) == CL_SUCCESS &&
	    layer.target->clWaitForEvents(1, marker) == CL_SUCCESS)
		return true;
	layer.target->clReleaseEvent(*marker);
	return false;
}

/* What slices did is in the program's buffers from here on, in part at least: the launch can't be
 * done again, and an error is the program's. */
static cl_int end_launch(const struct share *share, cl_command_queue queue, cl_event marker,
			 int64_t marker_ns, const int64_t times_ns[2], cl_event *event)
{
	cl_int code = write_changes(share, queue);

	if (code == CL_SUCCESS && event != NULL) {
		code = layer.target->clEnqueueMarkerWithWaitList(queue, 1, &marker, event);
		if (code == CL_SUCCESS)
			layer_event_add(
				times_of(marker, *event, marker_ns, times_ns[0], times_ns[1]));
	}
	return code;
}

bool layer_share(cl_command_queue queue, cl_kernel kernel, const struct range *range,
		 cl_uint nwaits, const cl_event *waits, cl_event *event, cl_int *code,
		 struct err *why)
{
	struct share *share = xcalloc(1, sizeof(*share));
	int64_t marker_ns, times_ns[2] = {0, 0};
	cl_event marker;
	bool is_done = false;

	if (layer_waits_for_user()) {
		err_set(why, "an event that the program itself must end");
	} else if (describe(share, kernel, range, why) == 0) {
		if (!wait_before(queue, nwaits, waits, &marker)) {
			err_set(why, "a command before a launch has failed");
		} else {
			marker_ns = live_now_ns();
			is_done = read_buffers(share, queue, why) == 0 &&
				  layer_node_deal(&share->work, share->is_whole, &times_ns[0],
						  &times_ns[1], why) == 0;
			if (is_done)
				*code = end_launch(share, queue, marker, marker_ns, times_ns,
						   event);
			layer.target->clReleaseEvent(marker);
		}
	}
	pthread_mutex_lock(&layer.lock);
	layer.counts.nshared += is_done;
	layer.counts.nparts += is_done ? share->work.slicing.n : 0;
	pthread_mutex_unlock(&layer.lock);
	forget(share);
	free(share);
	return is_done;
}

#endif
