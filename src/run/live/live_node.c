/* live_node.c - the devices of a run, and the kernel run whole on one of them */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/str.h"
#include "live/live_run.h"
#include "live/runtime/dealing.h"

int live_node_open(struct live_node *node, const struct live_options *options, struct err *err)
{
	*node = (struct live_node){0};
	if (options->devices != NULL) {
		if (devices_load(&node->devices, options->devices, err) != 0)
			return -1;
	} else {
		node->devices.n = 1;
		node->devices.name = xstrdup("");
		node->devices.at[0] =
			(struct device){.name = xstrdup("device"), .kind = xstrdup(""), .slow = 1};
	}
	node->use = (UINT32_C(1) << node->devices.n) - 1;
	if (options->use != NULL)
		node->use = devices_set(&node->devices, options->use, err);
	if (node->use == 0 ||
	    opencl_node_open(&node->opencl, &node->devices, &options->opencl, err) != 0) {
		devices_free(&node->devices);
		return -1;
	}
	for (int d = 0; d < node->devices.n; d++)
		node->at[d] = opencl_node_device(node->opencl, d);
	return 0;
}

void live_node_close(struct live_node *node)
{
	opencl_node_close(node->opencl);
	devices_free(&node->devices);
}

int64_t *live_order(const char *deal, int64_t n, int64_t seed)
{
	struct rng rng = rng_make((uint64_t)seed, "deal", NULL, NULL);
	int64_t *order;

	if (deal == NULL || deal[0] == 'f')
		return NULL;
	order = xcalloc((size_t)n, sizeof(*order));
	for (int64_t i = 0; i < n; i++)
		order[i] = n - 1 - i;
	for (int64_t i = n - 1; i > 0 && deal[0] == 's'; i--) {
		int64_t j = (int64_t)rng_below(&rng, (uint64_t)i + 1), kept = order[i];

		order[i] = order[j];
		order[j] = kept;
	}
	return order;
}

int live_whole(struct live_node *node, const struct live_options *options, int device,
	       struct work *whole, struct err *err)
{
	struct work_options once = options->work;
	struct dealing dealing = {.work = whole,
				  .devices = node->at,
				  .ndevices = node->devices.n,
				  .set = UINT32_C(1) << device};
	struct dealing_costs costs;
	int status;

	once.nslices = 1;
	if (work_load(whole, options->kernel, &once, err) != 0)
		return -1;
	opencl_node_whole(node->opencl, true);
	status = dealing_run(&dealing, &costs, err);
	opencl_node_whole(node->opencl, false);
	if (status != 0)
		work_free(whole);
	return status;
}

/* Sums of real numbers, added in another order, agree to some digits only. */
static bool is_close(const struct element *element, const unsigned char *a, const unsigned char *b)
{
	double x, y;
	float one;

	if (element->size == 4) {
		memcpy(&one, a, sizeof(one));
		x = (double)one;
		memcpy(&one, b, sizeof(one));
		y = (double)one;
	} else {
		memcpy(&x, a, sizeof(x));
		memcpy(&y, b, sizeof(y));
	}
	return fabs(x - y) <= 1e-4 * fmax(fabs(x), fabs(y));
}

int live_compare(const struct work *work, const struct work *whole, struct err *err)
{
	for (int i = 0; i < work->nargs; i++) {
		const struct work_arg *arg = &work->args[i];
		size_t size = arg->kind == ARG_BUFFER ? arg->element->size : 1, n = 0, first = 0;

		if (!arg->is_written)
			continue;
		for (size_t e = 0; e < arg->bytes; e += size) {
			const unsigned char *a = arg->host + e, *b = whole->args[i].host + e;

			if (memcmp(a, b, size) == 0 ||
			    (work_is_ordered(arg) && is_close(arg->element, a, b)))
				continue;
			first = n == 0 ? e / size : first;
			n++;
		}
		if (n > 0) {
			err_set(err,
				"%s: %s: %zu of %zu elements differ from those of the kernel run "
				"whole, the first is %zu",
				work->file, arg->name, n, arg->bytes / size, first);
			return 1;
		}
	}
	return 0;
}
