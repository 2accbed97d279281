/* hybrid.c - PTRAM's metric of mappings: hop-bytes and congestion in one number */
#include "map/problem/hybrid_metric.h"
#include "measure/metric/link_loads.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"

#include <stdlib.h>

#include "base/mem.h"

static const struct metric_output outputs[] = {
	{"hybrid", "1", "hb × hop-bytes + mc × max-congestion + nzca × nzca + nzcv × nzcv / scale"},
	{0}};

struct weights {
	double hb, mc, nzca, nzcv;
};

static int hybrid_open(void **state, const struct pick *pick, const struct metric_context *context,
		       struct err *err)
{
	struct weights *weights = xmalloc(sizeof(*weights));

	(void)context, (void)err;
	*weights = (struct weights){pick_real(pick, "hb"), pick_real(pick, "mc"),
				    pick_real(pick, "nzca"),
				    pick_real(pick, "nzcv") / pick_real(pick, "scale")};
	*state = weights;
	return 0;
}

static int mapping(void *state, const struct link_loads *loads, struct metric_sink *sink,
		   struct err *err)
{
	const struct weights *weights = state;
	struct congestion found = congestion_of(loads);

	(void)err;
	metric_put(sink, outputs[0].name, outputs[0].unit,
		   weights->hb * loads->hop_bytes + weights->mc * found.max +
			   weights->nzca * found.mean + weights->nzcv * found.variance,
		   NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_mapping, NULL};

const struct metric metric_hybrid = {
	.entry = {.name = "hybrid",
		  .example = "hybrid:hb=1,mc=1,nzca=1,nzcv=0",
		  .summary = "hop-bytes and congestion in one number",
		  .paper = "Mirsadeghi, Afsahi: PTRAM, eq. (3)",
		  .params = (const struct param[]){HYBRID_WEIGHTS, {0}}},
	.kinds = kinds,
	.needs = METRIC_LOADS,
	.outputs = outputs,
	.open = hybrid_open,
	.mapping = mapping,
	.close = free,
};
