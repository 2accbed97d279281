/* layer_lead.c - the first slice of a launch for which a runtime compiles goes ahead of
 * the others */
#ifdef HAVE_OPENCL

#include <string.h>

#include "live/layer/layer_priv.h"

/*
 * Runtimes specialise a kernel at the first launch for its groups and its greatest width, and again
 * for a wider one. All slices of a launch are ready at once, and which of them starts first is the
 * runtime's choice. So the first slice, which is as wide as any, ends before the others begin,
 * until one as wide has ended: what is compiled serves all of them, no thread waits in the
 * compiler, and no variant is made while another is in use. (That aborts PoCL 3.1: it takes a
 * variant by its width, but gives back the first that has the same groups.)
 */

static void sweep(struct layer_lead *lead)
{
	cl_int status = CL_QUEUED;

	if (lead->first == NULL ||
	    layer.target->clGetEventInfo(lead->first, CL_EVENT_COMMAND_EXECUTION_STATUS,
					 sizeof(status), &status, NULL) != CL_SUCCESS ||
	    status > CL_COMPLETE)
		return;
	layer.target->clReleaseEvent(lead->first);
	lead->first = NULL;
	if (status < 0)
		lead->width = 0;
}

static size_t width_of(const struct prelude_launch *launch)
{
	size_t width = 0;

	for (int d = 0; d < RANGE_DIMS; d++)
		if (launch->global[d] > width)
			width = launch->global[d];
	return width;
}

static struct layer_lead *find(cl_kernel kernel, const struct prelude_launch *launch)
{
	struct layer_lead *found = NULL;

	for (size_t i = 0; i < layer.leads.n; i++) {
		struct layer_lead *lead = &layer.leads.at[i];

		sweep(lead);
		if (lead->kernel == kernel &&
		    memcmp(lead->local, launch->local, sizeof(lead->local)) == 0)
			found = lead;
	}
	return found;
}

bool layer_lead_is_needed(cl_kernel kernel, const struct prelude_launch *first)
{
	const struct layer_lead *known;
	bool is_needed;

	pthread_mutex_lock(&layer.lock);
	known = find(kernel, first);
	is_needed = known == NULL || known->first != NULL || known->width < width_of(first);
	pthread_mutex_unlock(&layer.lock);
	return is_needed;
}

void layer_lead_add(cl_kernel kernel, const struct prelude_launch *first, cl_event event)
{
	struct layer_lead fresh = {.kernel = kernel, .width = width_of(first), .first = event};
	struct layer_lead *known;

	memcpy(fresh.local, first->local, sizeof(fresh.local));
	pthread_mutex_lock(&layer.lock);
	known = find(kernel, first);
	if (known == NULL) {
		vec_push(&layer.leads, fresh);
	} else {
		if (known->first != NULL)
			layer.target->clReleaseEvent(known->first);
		*known = fresh;
	}
	pthread_mutex_unlock(&layer.lock);
}

void layer_lead_forget(cl_kernel kernel)
{
	for (size_t i = layer.leads.n; i-- > 0;)
		if (layer.leads.at[i].kernel == kernel) {
			if (layer.leads.at[i].first != NULL)
				layer.target->clReleaseEvent(layer.leads.at[i].first);
			layer.leads.at[i] = layer.leads.at[--layer.leads.n];
		}
}

#endif
