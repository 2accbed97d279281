/* cray_aries_r.c - LDMS cray_aries_r: gpcdr's bytes of the node's NIC, bytes and stalls of tiles */
#include <stdio.h>

#include "traffic/source/aries.h"

/* Rates are requested and the sampler wrote its own (hsn_metrics_type 1 or 2). */
static bool has_samples(const struct pick *pick, const struct counter_names *names)
{
	return source_values(pick) == VALUES_RATE &&
	       names_find(names, "SAMPLE_totaloutput (B/s)") >= 0;
}

/*
 * Tile RC (row R of 5, column C of 8) is number R × 10 + C, so that of the 48 columns 000 … 047 the
 * eight that end in 8 or 9 are no tiles and stay 0. traffic is in bytes, stalled in ns of a router
 * of 800 MHz: counts are ns × 4/5.
 */
static int plan_tiles(struct source_plan *plan, const struct pick *pick,
		      const struct counter_names *names, bool with_traffic, struct err *err)
{
	bool is_sampled = has_samples(pick, names);

	for (int tile = 0; tile < 48; tile++) {
		char label[8], list[1][80];
		struct probe probe = {.kind = PROBE_STALL, .owner = OWNER_ROUTER, .label = label};

		if (tile % 10 >= ARIES_COLUMNS)
			continue;
		snprintf(label, sizeof(label), "l%02d", tile);
		snprintf(list[0], 80, "stalled_%03d (ns)", tile);
		/* beside SAMPLE_ columns of rates, the others count since boot */
		probe.values = is_sampled ? VALUES_CUMULATIVE : source_values(pick);
		if (plan_probe_of(plan, names, probe, list, 1, err) < 0)
			return -1;
		snprintf(list[0], 80,
			 is_sampled ? "SAMPLE_ARIES_TRAFFIC_%03d (B/s)" : "traffic_%03d (B)", tile);
		probe.kind = PROBE_TRAFFIC;
		probe.values = source_values(pick);
		if (with_traffic && plan_probe_of(plan, names, probe, list, 1, err) < 0)
			return -1;
	}
	return 0;
}

/* Bytes out of and into the node's NIC; the unit follows the name or not. */
static int plan_nic(struct source_plan *plan, const struct pick *pick,
		    const struct counter_names *names, struct err *err)
{
	const char *prefix = has_samples(pick, names) ? "SAMPLE_" : "";
	const char *suffix = has_samples(pick, names)                    ? " (B/s)"
			     : names_find(names, "totaloutput (B)") >= 0 ? " (B)"
									 : "";
	struct probe probe = {.kind = PROBE_TRAFFIC,
			      .owner = OWNER_NODE,
			      .label = "",
			      .values = source_values(pick)};
	char list[2][80];
	int n = 0;

	if (!pick_is(pick, "direction", "in"))
		snprintf(list[n++], 80, "%stotaloutput%s", prefix, suffix);
	if (!pick_is(pick, "direction", "out"))
		snprintf(list[n++], 80, "%stotalinput%s", prefix, suffix);
	return plan_probe_of(plan, names, probe, list, n, err) < 0 ? -1 : 0;
}

static int plan(struct source_plan *plan, const struct pick *pick,
		const struct counter_names *names, enum traffic_per per, struct err *err)
{
	bool is_tiles = pick_is(pick, "traffic", "tiles") || per == TRAFFIC_LINK;

	plan->unit = TRAFFIC_BPS;
	plan->place = PLACE_NID;
	plan->tick_s = ARIES_TICK_S;
	plan->stall_unit = 1.25;
	plan->nics = is_tiles ? 0 : ARIES_NICS;
	if (is_tiles && per == TRAFFIC_NODE)
		return err_set(err, "tiles are shared by the nodes of a router: traffic=nic");
	if (!is_tiles && plan_nic(plan, pick, names, err) != 0)
		return -1;
	return per == TRAFFIC_NODE ? 0 : plan_tiles(plan, pick, names, is_tiles, err);
}

static const struct param params[] = {
	SOURCE_VALUES,
	{.key = "traffic",
	 .type = PARAM_WORD,
	 .choices = "nic|tiles",
	 .def = "nic",
	 .meaning = "bytes of the nodes' NICs (totaloutput, totalinput), or of the "
		    "network tiles (traffic_000 … 047), which messages of other nodes "
		    "also cross"},
	{.key = "direction",
	 .type = PARAM_WORD,
	 .choices = "both|out|in",
	 .def = "both",
	 .meaning = "bytes out of the node, into it, or both"},
	{0}};

const struct source counter_source_cray_aries_r = {
	.entry =
		{
			.name = "cray-aries-r",
			.aliases = "gpcdr",
			.summary = "LDMS cray_aries_r: totaloutput and totalinput of each node in "
				   "bytes; stalls stalled_000 … 047 of the network tiles, ns × "
				   "4/5; --per link: traffic_ and stalled_ of each tile",
			.example = "cray-aries-r:traffic=tiles",
			.params = params,
		},
	.priority = 40,
	.plan = plan,
};
