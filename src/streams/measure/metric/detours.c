/* detours.c - how much of the traffic an adaptive routing is expected to send on detours */
#include <math.h>

#include "base/mem.h"
#include "measure/metric/link_loads.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"

/*
 * A routing that looks at queues takes detours until the most loaded links of both kinds of paths
 * are alike. As an estimate the whole job has one part of its bytes on minimal paths: that with the
 * least maximum congestion, in steps of 1/1024, the largest of those that have it. A sum of two
 * loads is convex in that part, and so is the greatest of many: the steps are halved in turn.
 */
enum { PARTS = 1024 };

struct detours {
	struct topo *topo;
	struct routing *routing;
	struct expected *direct, *around;
};

static const struct metric_output outputs[] = {
	{"minimal-share", "1", "the part of the bytes on minimal paths with the least congestion"},
	{"expected-max-congestion", "bytes", "the most on a directed link with that part"},
	{"minimal-max-congestion", "bytes", "the same with all bytes on minimal paths"},
	{"detour-max-congestion", "bytes", "the same with none on them"},
	{0}};

static int detours_open(void **state, const struct pick *pick, const struct metric_context *context,
			struct err *err)
{
	struct detours *detours;

	if (!expected_has_choice(context->routing))
		return err_set(err,
			       "-m %s: the routing does not choose between minimal paths and "
			       "detours, expected -r ugal or the like",
			       pick->entry->name);
	detours = xcalloc(1, sizeof(*detours));
	detours->topo = context->topo;
	detours->routing = context->routing;
	detours->direct = expected_open(context->routing, 1);
	detours->around = expected_open(context->routing, 0);
	*state = detours;
	return 0;
}

static void close(void *state)
{
	struct detours *detours = state;

	if (detours == NULL)
		return;
	expected_close(detours->direct);
	expected_close(detours->around);
	free(detours);
}

/* The greatest congestion with a part of the bytes on minimal paths. */
static double greatest(const struct link_loads *direct, const struct link_loads *around,
		       double minimal)
{
	double most = 0;

	for (int64_t c = 0; c < direct->nchannels; c++)
		most = fmax(most, (minimal * direct->bytes[c] + (1 - minimal) * around->bytes[c]) /
					  link_capacity(direct->topo, c));
	return most;
}

static double best_part(const struct link_loads *direct, const struct link_loads *around)
{
	int low = 0, high = PARTS;

	while (low < high) {
		int middle = (low + high) / 2;
		double here = greatest(direct, around, (double)middle / PARTS);
		double next = greatest(direct, around, (double)(middle + 1) / PARTS);

		/* steps that only rounding distinguishes are alike */
		if (here < next * (1 - 1e-12))
			high = middle;
		else
			low = middle + 1;
	}
	return (double)low / PARTS;
}

static int mapping(void *state, const struct link_loads *loads, struct metric_sink *sink,
		   struct err *err)
{
	const struct detours *detours = state;
	struct link_loads direct = {0}, around = {0};
	int status = link_loads_count(&direct, detours->topo, detours->routing, detours->direct,
				      loads->comm, loads->mapping, err);

	if (status == 0)
		status = link_loads_count(&around, detours->topo, detours->routing, detours->around,
					  loads->comm, loads->mapping, err);
	if (status == 0) {
		double part = best_part(&direct, &around);
		const double values[] = {part, greatest(&direct, &around, part),
					 greatest(&direct, &around, 1),
					 greatest(&direct, &around, 0)};

		for (int i = 0; outputs[i].name != NULL; i++)
			metric_put(sink, outputs[i].name, outputs[i].unit, values[i], NULL);
	}
	link_loads_free(&direct);
	link_loads_free(&around);
	return status;
}

static const struct table_kind *const kinds[] = {&kind_mapping, NULL};

const struct metric metric_detours = {
	.entry =
		{.name = "detours",
		 .example = "detours",
		 .summary =
			 "the part of the bytes that an adaptive routing (-r ugal and the like) is "
			 "expected to leave on minimal paths"},
	.kinds = kinds,
	.needs = METRIC_LOADS,
	.only_when_asked = true,
	.outputs = outputs,
	.open = detours_open,
	.mapping = mapping,
	.close = close,
};
