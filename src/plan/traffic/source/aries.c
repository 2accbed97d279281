/* aries.c - Cray Aries router counters: flits between NICs and processor tiles, network stalls */
#include "traffic/source/aries.h"

#include <stdio.h>

#include "base/str.h"

/* The names of NIC n's four flit counters; those of one direction only, when asked. */
static int nic_counters(const struct pick *pick, int nic, const char *what, char list[][80])
{
	static const char *const classes[] = {"REQ", "RSP"};
	int n = 0;

	for (int i = 0; i < 2; i++) {
		if (!pick_is(pick, "direction", "in"))
			snprintf(list[n++], 80, "AR_NL_PRF_%s_NIC_%d_TO_PTILES_%s", classes[i], nic,
				 what);
		if (!pick_is(pick, "direction", "out"))
			snprintf(list[n++], 80, "AR_NL_PRF_%s_PTILES_TO_NIC_%d_%s", classes[i], nic,
				 what);
	}
	return n;
}

static int plan_nics(struct source_plan *plan, const struct pick *pick,
		     const struct counter_names *names, enum traffic_per per, struct err *err)
{
	struct probe probe = {.label = "", .values = source_values(pick)};
	char list[4][80];

	for (probe.owner = 0; probe.owner < ARIES_NICS; probe.owner++) {
		int n = nic_counters(pick, probe.owner, "FLITS", list);

		probe.kind = PROBE_TRAFFIC;
		if (plan_probe_of(plan, names, probe, list, n, err) < 0)
			return -1;
		if (per != TRAFFIC_NODE)
			continue;
		n = nic_counters(pick, probe.owner, "STALLED", list);
		probe.kind = PROBE_STALL;
		if (plan_probe_of(plan, names, probe, list, n, err) < 0)
			return -1;
	}
	return 0;
}

/* Flits into a tile, over those virtual channels that are there. */
static void plan_tile_flits(struct source_plan *plan, const struct pick *pick,
			    const struct counter_names *names, int row, int column)
{
	enum counter_values values = source_values(pick);
	char name[80];
	int n = 0;

	for (int vc = 0; vc < ARIES_VCS; vc++) {
		int at;

		snprintf(name, sizeof(name), "AR_RTR_%d_%d_INQ_PRF_INCOMING_FLIT_VC%d", row, column,
			 vc);
		at = names_find_counter(names, values, name);
		if (at < 0)
			continue;
		if (n++ == 0) {
			snprintf(name, sizeof(name), "l%d%d", row, column);
			plan_probe(plan, PROBE_TRAFFIC, OWNER_ROUTER, values, name);
		}
		plan_counter(plan, names, at);
	}
}

int aries_plan_tiles(struct source_plan *plan, const struct pick *pick,
		     const struct counter_names *names, bool with_flits, struct err *err)
{
	for (int row = 0; row < ARIES_ROWS; row++)
		for (int column = 0; column < ARIES_COLUMNS; column++) {
			char label[8], list[1][80];
			struct probe probe = {.kind = PROBE_STALL,
					      .owner = OWNER_ROUTER,
					      .label = label,
					      .values = source_values(pick)};

			snprintf(label, sizeof(label), "l%d%d", row, column);
			snprintf(list[0], 80, "AR_RTR_%d_%d_INQ_PRF_ROWBUS_STALL_CNT", row, column);
			if (plan_probe_of(plan, names, probe, list, 1, err) < 0)
				return -1;
			if (with_flits)
				plan_tile_flits(plan, pick, names, row, column);
		}
	return 0;
}

static int plan(struct source_plan *plan, const struct pick *pick,
		const struct counter_names *names, enum traffic_per per, struct err *err)
{
	plan->unit = TRAFFIC_FLITS_PER_S;
	plan->place = PLACE_NID;
	plan->tick_s = ARIES_TICK_S;
	plan->nics = ARIES_NICS;
	if (per != TRAFFIC_LINK && plan_nics(plan, pick, names, per, err) != 0)
		return -1;
	if (per == TRAFFIC_LINK || (per != TRAFFIC_NODE && plan->probes.n > 0))
		return aries_plan_tiles(plan, pick, names, per == TRAFFIC_LINK, err);
	return 0;
}

static const struct param params[] = {
	SOURCE_VALUES,
	{.key = "direction",
	 .type = PARAM_WORD,
	 .choices = "both|out|in",
	 .def = "both",
	 .meaning = "flits from the NICs into the router (out), from it into them (in), or both"},
	{0}};

const struct source counter_source_aries = {
	.entry =
		{
			.name = "aries",
			.summary =
				"Cray Aries NIC counters AR_NL_PRF_{REQ,RSP}_NIC_n_TO_PTILES_FLITS "
				"and …_PTILES_TO_NIC_n_FLITS; stalls AR_RTR_r_c_INQ_PRF_"
				"ROWBUS_STALL_CNT of the 40 network tiles (per node: the NIC's "
				"STALLED counters; per link: flits and stalls of each tile)",
			.paper = "Zhang et al., NeDD, §III-A",
			.example = "aries:direction=both",
			.params = params,
		},
	.priority = 70,
	.plan = plan,
};
