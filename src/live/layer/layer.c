/* layer.c - an OpenCL layer that slices the launches of unchanged programs */
#ifdef HAVE_OPENCL

#include <CL/cl_layer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "live/layer/layer_priv.h"
#include "live/slice/cl_text.h"
#include "live/slice/prelude.h"

/*
 * The loader calls clInitLayer when OPENCL_LAYERS names this library (clslice run does). Program
 * texts get the prelude; launches of their kernels become slices on the same queue, and the event
 * of a launch ends when all of its slices have. What can't be sliced goes out as it came.
 */

struct layer layer = {.lock = PTHREAD_MUTEX_INITIALIZER, .nslices = 1, .reason = "none"};

const struct layer_program *layer_find_program(cl_program program)
{
	for (size_t i = 0; i < layer.programs.n; i++)
		if (layer.programs.at[i].program == program)
			return &layer.programs.at[i];
	return NULL;
}

struct layer_event *layer_find_event(cl_event event)
{
	for (size_t i = 0; i < layer.events.n; i++)
		if (layer.events.at[i].event == event)
			return &layer.events.at[i];
	return NULL;
}

/* A handle that is given out again is another program. source NULL: without the prelude. */
static void note_program(cl_program program, char *source)
{
	pthread_mutex_lock(&layer.lock);
	for (size_t i = 0; i < layer.programs.n; i++)
		if (layer.programs.at[i].program == program) {
			free(layer.programs.at[i].source);
			layer.programs.at[i] = layer.programs.at[--layer.programs.n];
			break;
		}
	if (source != NULL)
		vec_push(&layer.programs, (struct layer_program){program, source});
	pthread_mutex_unlock(&layer.lock);
}

static char *join(cl_uint n, const char **texts, const size_t *lengths)
{
	struct buf source = {0};
	char *joined;

	for (cl_uint i = 0; i < n; i++)
		if (lengths == NULL || lengths[i] == 0)
			buf_str(&source, texts[i]);
		else
			buf_add(&source, texts[i], strnlen(texts[i], lengths[i]));
	joined = xstrdup(buf_text(&source));
	buf_free(&source);
	return joined;
}

static cl_program CL_API_CALL create_with_source(cl_context context, cl_uint n, const char **texts,
						 const size_t *lengths, cl_int *code)
{
	struct buf what = {0};
	cl_program program;
	char *source, *text;
	const char *whole;
	unsigned doubts;

	for (cl_uint i = 0; texts != NULL && i < n; i++)
		if (texts[i] == NULL)
			texts = NULL;
	if (n == 0 || texts == NULL) /* whoever comes next says what is wrong */
		return layer.target->clCreateProgramWithSource(context, n, texts, lengths, code);
	source = join(n, texts, lengths);
	doubts = cl_text_doubts(source, &what);
	buf_free(&what);
	if (doubts != 0 || layer.nslices <= 1) {
		program = layer.target->clCreateProgramWithSource(context, n, texts, lengths, code);
		free(source);
		if (program != NULL)
			note_program(program, NULL);
		return program;
	}
	whole = text = prelude_text(source, PRELUDE_MARK, NULL);
	program = layer.target->clCreateProgramWithSource(context, 1, &whole, NULL, code);
	free(text);
	if (program != NULL)
		note_program(program, source);
	else
		free(source);
	return program;
}

/* Whether the prelude is in a binary can't be known: its kernels stay whole. */
static cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint n,
						 const cl_device_id *devices, const size_t *lengths,
						 const unsigned char **binaries, cl_int *statuses,
						 cl_int *code)
{
	cl_program program = layer.target->clCreateProgramWithBinary(context, n, devices, lengths,
								     binaries, statuses, code);

	if (program != NULL)
		note_program(program, NULL);
	return program;
}

static cl_program CL_API_CALL create_with_il(cl_context context, const void *il, size_t n,
					     cl_int *code)
{
	cl_program program = layer.target->clCreateProgramWithIL(context, il, n, code);

	if (program != NULL)
		note_program(program, NULL);
	return program;
}

static cl_program CL_API_CALL link_program(cl_context context, cl_uint n,
					   const cl_device_id *devices, const char *options,
					   cl_uint nprograms, const cl_program *programs,
					   void(CL_CALLBACK *notify)(cl_program, void *),
					   void *data, cl_int *code)
{
	cl_program program = layer.target->clLinkProgram(context, n, devices, options, nprograms,
							 programs, notify, data, code);

	if (program != NULL)
		note_program(program, NULL);
	return program;
}

/* Its own text, without the prelude. */
static cl_int CL_API_CALL program_info(cl_program program, cl_program_info what, size_t n,
				       void *value, size_t *size)
{
	const struct layer_program *known;
	cl_int code = CL_SUCCESS;

	pthread_mutex_lock(&layer.lock);
	known = what == CL_PROGRAM_SOURCE ? layer_find_program(program) : NULL;
	if (known != NULL) {
		size_t length = strlen(known->source) + 1;

		if (value != NULL && n < length)
			code = CL_INVALID_VALUE;
		else if (value != NULL)
			memcpy(value, known->source, length);
		if (size != NULL)
			*size = length;
	}
	pthread_mutex_unlock(&layer.lock);
	return known != NULL ? code : layer.target->clGetProgramInfo(program, what, n, value, size);
}

/* ---- events of sliced launches ---- */

/* From the first start to the last end. */
static cl_int profile_of(const struct layer_event *event, cl_profiling_info what, cl_ulong *time)
{
	bool is_end = what == CL_PROFILING_COMMAND_END || what == CL_PROFILING_COMMAND_COMPLETE;

	for (cl_uint i = 0; i < event->n; i++) {
		cl_ulong one;
		cl_int code = layer.target->clGetEventProfilingInfo(event->slices[i], what,
								    sizeof(one), &one, NULL);

		if (code != CL_SUCCESS)
			return code;
		if (i == 0 || (is_end ? one > *time : one < *time))
			*time = one;
	}
	return CL_SUCCESS;
}

static cl_int CL_API_CALL event_profile(cl_event event, cl_profiling_info what, size_t n,
					void *value, size_t *size)
{
	const struct layer_event *known;
	cl_ulong time = 0;
	cl_int code;

	pthread_mutex_lock(&layer.lock);
	known = layer_find_event(event);
	code = known != NULL ? profile_of(known, what, &time) : CL_SUCCESS;
	pthread_mutex_unlock(&layer.lock);
	if (known == NULL)
		return layer.target->clGetEventProfilingInfo(event, what, n, value, size);
	if (code == CL_SUCCESS && value != NULL && n < sizeof(time))
		return CL_INVALID_VALUE;
	if (code == CL_SUCCESS && value != NULL)
		memcpy(value, &time, sizeof(time));
	if (code == CL_SUCCESS && size != NULL)
		*size = sizeof(time);
	return code;
}

static cl_int CL_API_CALL event_info(cl_event event, cl_event_info what, size_t n, void *value,
				     size_t *size)
{
	cl_int code = layer.target->clGetEventInfo(event, what, n, value, size);
	cl_command_type type = CL_COMMAND_NDRANGE_KERNEL;
	bool is_ours;

	if (code != CL_SUCCESS || what != CL_EVENT_COMMAND_TYPE || value == NULL)
		return code;
	pthread_mutex_lock(&layer.lock);
	is_ours = layer_find_event(event) != NULL;
	pthread_mutex_unlock(&layer.lock);
	if (is_ours)
		memcpy(value, &type, sizeof(type));
	return code;
}

static cl_int CL_API_CALL release_event(cl_event event)
{
	struct layer_event gone = {0}, *known;
	cl_uint references = 2;

	pthread_mutex_lock(&layer.lock);
	known = layer_find_event(event);
	if (known != NULL &&
	    layer.target->clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(references),
					 &references, NULL) == CL_SUCCESS &&
	    references <= 1) {
		gone = *known;
		*known = layer.events.at[--layer.events.n];
	}
	pthread_mutex_unlock(&layer.lock);
	for (cl_uint i = 0; i < gone.n; i++)
		layer.target->clReleaseEvent(gone.slices[i]);
	free(gone.slices);
	return layer.target->clReleaseEvent(event);
}

/* ---- what the loader calls ---- */

static void say_what_was_done(void)
{
	if (layer.tells)
		fprintf(stderr,
			"clslice: %s%s: %lld launches in %lld slices, %lld whole (the last: %s)\n",
			layer.has_chosen ? "choose, " : "", layer.nslices > 1 ? "slice" : "whole",
			(long long)layer.nsliced, (long long)layer.nparts, (long long)layer.nwhole,
			layer.reason);
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what,
									 size_t n, void *value,
									 size_t *size)
{
	static const char name[] = "placetools clslice";
	cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	const void *from = what == CL_LAYER_NAME ? (const void *)name : (const void *)&version;
	size_t length = what == CL_LAYER_NAME ? sizeof(name) : sizeof(version);

	if (what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (value != NULL && n < length)
		return CL_INVALID_VALUE;
	if (value != NULL)
		memcpy(value, from, length);
	if (size != NULL)
		*size = length;
	return CL_SUCCESS;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clInitLayer(cl_uint n,
								      const cl_icd_dispatch *target,
								      cl_uint *nback,
								      const cl_icd_dispatch **own)
{
	const char *slices = getenv("CLSLICE_SLICES");

	if (target == NULL || nback == NULL || own == NULL ||
	    n < sizeof(layer.own) / sizeof(layer.own.clGetPlatformIDs))
		return CL_INVALID_VALUE;
	layer.target = target;
	if (slices == NULL || num_int(slices, 1, 1000000, &layer.nslices) != 0)
		layer.nslices = 1;
	layer.tells = getenv("CLSLICE_VERBOSE") != NULL;
	layer.own = (cl_icd_dispatch){
		.clGetDeviceIDs = layer_get_devices,
		.clCreateContextFromType = layer_context_from_type,
		.clCreateProgramWithSource = create_with_source,
		.clCreateProgramWithBinary = create_with_binary,
		.clCreateProgramWithIL = create_with_il,
		.clLinkProgram = link_program,
		.clGetProgramInfo = program_info,
		.clEnqueueNDRangeKernel = layer_launch,
		.clGetEventProfilingInfo = event_profile,
		.clGetEventInfo = event_info,
		.clReleaseEvent = release_event,
	};
	*nback = sizeof(layer.own) / sizeof(layer.own.clGetPlatformIDs);
	*own = &layer.own;
	atexit(say_what_was_done);
	return CL_SUCCESS;
}

#endif
