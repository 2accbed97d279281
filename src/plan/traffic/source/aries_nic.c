/* aries_nic.c - Cray Aries counters of a node's own NIC (LDMS metric_set_nic) */
#include <stdio.h>

#include "traffic/source/source.h"

/* Both directions, in flits or stalls: requests out of the node, and what comes back. */
static int plan_nic(struct source_plan *plan, const struct pick *pick,
		    const struct counter_names *names, enum probe_kind kind, struct err *err)
{
	static const char *const parts[] = {"PI", "AMO", "WC", "BTE_RD", "IOMMU"};
	bool is_traffic = kind == PROBE_TRAFFIC;
	struct probe probe = {
		.kind = kind, .owner = OWNER_NODE, .label = "", .values = source_values(pick)};
	char list[6][80];
	int n = 0;

	if (!pick_is(pick, "direction", "in"))
		snprintf(list[n++], 80, "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_%s",
			 is_traffic ? "FLITS" : "STALLED");
	for (int i = 0; i < 5 && !pick_is(pick, "direction", "out"); i++)
		snprintf(list[n++], 80, "AR_NIC_RSPMON_PARB_EVENT_CNTR_%s_%s", parts[i],
			 is_traffic ? "FLITS"
			 : i == 0   ? "STALLED"
				    : "BLOCKED");
	return plan_probe_of(plan, names, probe, list, n, err) < 0 ? -1 : 0;
}

static int plan(struct source_plan *plan, const struct pick *pick,
		const struct counter_names *names, enum traffic_per per, struct err *err)
{
	(void)per;
	plan->unit = TRAFFIC_FLITS_PER_S;
	plan->place = PLACE_NID;
	plan->nics = 4;
	if (plan_nic(plan, pick, names, PROBE_TRAFFIC, err) != 0)
		return -1;
	return plan->probes.n > 0 ? plan_nic(plan, pick, names, PROBE_STALL, err) : 0;
}

static const struct param params[] = {
	SOURCE_VALUES,
	{.key = "direction",
	 .type = PARAM_WORD,
	 .choices = "both|out|in",
	 .def = "both",
	 .meaning = "flits from the node into the network (out), from it (in), or both"},
	{0}};

const struct source counter_source_aries_nic = {
	.entry =
		{
			.name = "aries-nic",
			.summary =
				"Cray Aries counters of each node's own NIC, AR_NIC_NETMON_ORB_… "
				"and AR_NIC_RSPMON_PARB_…; stalls are the NIC's",
			.example = "aries-nic",
			.params = params,
		},
	.priority = 50,
	.plan = plan,
};
