/* cxi.c - HPE Slingshot: telemetry of the cxi driver, VALUE@SECONDS.NANOSECONDS */
#include <stdio.h>

#include "traffic/source/source_list.h"

struct planning {
	struct source_plan *plan;
	const struct counter_names *names;
	enum counter_values values;
	enum probe_kind kind;
};

/* Every counter has a separate time, so each is a probe. */
static void use(void *context, int column, const char *name, const char *instance)
{
	struct planning *planning = context;
	char label[160];

	snprintf(label, sizeof(label), "%s%s%s", instance, *instance ? "." : "", name);
	plan_probe(planning->plan, planning->kind, OWNER_NODE, planning->values, label);
	plan_counter(planning->plan, planning->names, column);
}

static int plan(struct source_plan *plan, const struct pick *pick,
		const struct counter_names *names, enum traffic_per per, struct err *err)
{
	static const char *const instances[] = {"device", "dev", "interface", "iface", "name"};
	struct planning planning = {plan, names, source_values(pick), PROBE_TRAFFIC};
	bool is_given = pick_value(pick, "traffic")->is_given;

	(void)per;
	plan->unit = TRAFFIC_BPS;
	plan->place = PLACE_NODE;
	plan->is_stamped = true;
	plan->tick_s = pick_has(pick, "tick") ? pick_real(pick, "tick") : 0;
	if (list_columns(names, pick_word(pick, "traffic"), !is_given, use, &planning, err) < 0)
		return -1;
	planning.kind = PROBE_STALL;
	if (plan->probes.n > 0 && pick_has(pick, "stall") &&
	    list_columns(names, pick_word(pick, "stall"), false, use, &planning, err) < 0)
		return -1;
	for (int i = 0; i < 5; i++) {
		int column = names_find(names, "%s", instances[i]);

		if (column >= 0)
			vec_push(&plan->instance, column);
	}
	return 0;
}

static const struct param params[] = {
	SOURCE_VALUES,
	{.key = "traffic",
	 .type = PARAM_TEXT,
	 .def = "hni_sts_tx_ok_octets+hni_sts_rx_ok_octets",
	 .meaning = "the counters of bytes sent and received: NAME+NAME"},
	{.key = "stall",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "the counters of stalls: NAME+NAME"},
	{.key = "tick",
	 .type = PARAM_DURATION,
	 .optional = true,
	 .meaning = "duration of one stall count, for --per region"},
	{0}};

const struct source counter_source_cxi = {
	.entry =
		{
			.name = "cxi",
			.aliases = "slingshot",
			.summary =
				"Slingshot NICs: files of /sys/class/cxi/cxi*/device/telemetry as "
				"columns (VALUE@SECONDS.NANOSECONDS, or plain numbers), one row "
				"or one NAME#INTERFACE for each interface",
			.example = "cxi:traffic=hni_sts_tx_ok_octets+hni_sts_rx_ok_octets",
			.params = params,
		},
	.priority = 20,
	.plan = plan,
};
