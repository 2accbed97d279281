/* layer_event.c - events of launches that became slices, and those of the program */
#ifdef HAVE_OPENCL

#include <stdlib.h>
#include <string.h>

#include "live/layer/layer_priv.h"

static struct layer_event *find(cl_event event)
{
	for (size_t i = 0; i < layer.events.n; i++)
		if (layer.events.at[i].event == event)
			return &layer.events.at[i];
	return NULL;
}

/* The program has the event now, with one reference to it. */
void layer_event_add(struct layer_event event)
{
	event.nreferences = 1;
	pthread_mutex_lock(&layer.lock);
	vec_push(&layer.events, event);
	pthread_mutex_unlock(&layer.lock);
}

/* From the first start to the last end. */
static cl_int profile_of(const struct layer_event *event, cl_profiling_info what, cl_ulong *time)
{
	bool is_end = what == CL_PROFILING_COMMAND_END || what == CL_PROFILING_COMMAND_COMPLETE;

	/* no times of a shared launch: the marker's own */
	if (event->n == 0 && event->start_ns != 0)
		*time = is_end                               ? event->end_ns
			: what == CL_PROFILING_COMMAND_START ? event->start_ns
							     : event->queued_ns;
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
	cl_ulong time = 0;
	cl_int code = layer.target->clGetEventProfilingInfo(event, what, sizeof(time), &time, NULL);
	const struct layer_event *known;

	/* the marker's own, if only for what is wrong: a queue that measures nothing */
	pthread_mutex_lock(&layer.lock);
	known = layer_inside ? NULL : find(event);
	if (known != NULL && code == CL_SUCCESS)
		code = profile_of(known, what, &time);
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
	is_ours = find(event) != NULL;
	pthread_mutex_unlock(&layer.lock);
	if (is_ours)
		memcpy(value, &type, sizeof(type));
	return code;
}

/* Under the lock: the program need not end it any more. */
static void forget_user(cl_event event)
{
	for (size_t i = 0; i < layer.users.n; i++)
		if (layer.users.at[i] == event) {
			layer.users.at[i] = layer.users.at[--layer.users.n];
			return;
		}
}

static cl_int CL_API_CALL retain_event(cl_event event)
{
	cl_int code = layer.target->clRetainEvent(event);
	struct layer_event *known;

	if (layer_inside || code != CL_SUCCESS)
		return code;
	pthread_mutex_lock(&layer.lock);
	known = find(event);
	if (known != NULL)
		known->nreferences++;
	pthread_mutex_unlock(&layer.lock);
	return code;
}

/* Under the lock. */
static bool is_last(cl_event event)
{
	cl_uint references = 2;

	return layer.target->clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(references),
					    &references, NULL) == CL_SUCCESS &&
	       references <= 1;
}

/*
 * A launch's event is forgotten with the program's last reference, which is counted here: the
 * runtime has references while commands are under way, and gives the handle to another one later.
 */
static cl_int CL_API_CALL release_event(cl_event event)
{
	struct layer_event gone = {0}, *known;

	if (layer_inside || event == NULL)
		return layer.target->clReleaseEvent(event);
	pthread_mutex_lock(&layer.lock);
	known = find(event);
	if (known != NULL && --known->nreferences == 0) {
		gone = *known;
		*known = layer.events.at[--layer.events.n];
	}
	if (layer.users.n > 0 && is_last(event))
		forget_user(event);
	pthread_mutex_unlock(&layer.lock);
	for (cl_uint i = 0; i < gone.n; i++)
		layer.target->clReleaseEvent(gone.slices[i]);
	free(gone.slices);
	return layer.target->clReleaseEvent(event);
}

/* ---- user events ---- */

static cl_event CL_API_CALL create_user_event(cl_context context, cl_int *code)
{
	cl_event event = layer.target->clCreateUserEvent(context, code);

	if (event != NULL) {
		pthread_mutex_lock(&layer.lock);
		vec_push(&layer.users, event);
		pthread_mutex_unlock(&layer.lock);
	}
	return event;
}

static cl_int CL_API_CALL set_user_event(cl_event event, cl_int status)
{
	cl_int code = layer.target->clSetUserEventStatus(event, status);

	pthread_mutex_lock(&layer.lock);
	forget_user(event);
	pthread_mutex_unlock(&layer.lock);
	return code;
}

bool layer_waits_for_user(void)
{
	bool waits;

	pthread_mutex_lock(&layer.lock);
	waits = layer.users.n > 0;
	pthread_mutex_unlock(&layer.lock);
	return waits;
}

void layer_event_own(cl_icd_dispatch *own)
{
	own->clGetEventProfilingInfo = event_profile;
	own->clGetEventInfo = event_info;
	own->clRetainEvent = retain_event;
	own->clReleaseEvent = release_event;
	own->clCreateUserEvent = create_user_event;
	own->clSetUserEventStatus = set_user_event;
}

#endif
