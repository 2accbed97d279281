/* aries_ptile.c - Cray Aries processor tiles, as PAPI and AutoPerf count them: router sums */
#include <stdio.h>

#include "traffic/source/aries.h"

/*
 * Flits into a processor tile: virtual channel 0 is requests, 4 responses. NICs spread over the
 * tiles in a way that differs between sources, so tiles give the sum of a router, never of a node.
 */
static int plan(struct source_plan *plan, const struct pick *pick,
		const struct counter_names *names, enum traffic_per per, struct err *err)
{
	plan->unit = TRAFFIC_FLITS_PER_S;
	plan->place = PLACE_NID;
	plan->tick_s = ARIES_TICK_S;
	for (int tile = 0; tile < ARIES_PTILES; tile++) {
		char label[8], list[2][80];
		struct probe probe = {.kind = PROBE_TRAFFIC,
				      .owner = OWNER_ROUTER,
				      .label = label,
				      .values = source_values(pick)};

		snprintf(label, sizeof(label), "l5%d", tile);
		snprintf(list[0], 80, "AR_RTR_PT_5_%d_INQ_PRF_INCOMING_FLIT_VC0", tile);
		snprintf(list[1], 80, "AR_RTR_PT_5_%d_INQ_PRF_INCOMING_FLIT_VC4", tile);
		if (plan_probe_of(plan, names, probe, list, 2, err) < 0)
			return -1;
	}
	if (plan->probes.n == 0)
		return 0;
	if (per == TRAFFIC_NODE)
		return err_set(err, "processor tiles are shared by the nodes of a "
				    "router: --per router or link");
	return aries_plan_tiles(plan, pick, names, per == TRAFFIC_LINK, err);
}

static const struct param params[] = {SOURCE_VALUES, {0}};

const struct source counter_source_aries_ptile = {
	.entry =
		{
			.name = "aries-ptile",
			.summary = "Cray Aries processor tiles AR_RTR_PT_5_c_INQ_PRF_INCOMING_FLIT_"
				   "VC0 and VC4 (PAPI, AutoPerf): what the nodes send, summed "
				   "over the router; stalls as of aries",
			.example = "aries-ptile",
			.params = params,
		},
	.priority = 60,
	.plan = plan,
};
