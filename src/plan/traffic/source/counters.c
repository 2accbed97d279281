/* counters.c - counters by their columns' names: our own tables, and any other */
#include <stdlib.h>
#include <string.h>

#include "traffic/source/source_list.h"
#include "base/str.h"

struct planning {
	struct source_plan *plan;
	const struct counter_names *names;
	const struct pick *pick;
	enum probe_kind kind;
};

/* What a name says: a rate when it ends in a rate's unit. */
static enum counter_values values_of(const struct pick *pick, const char *name)
{
	if (pick_value(pick, "values")->is_given)
		return source_values(pick);
	return str_ends(name, "_per_s") || str_ends(name, "_Bps") ? VALUES_RATE : VALUES_CUMULATIVE;
}

static void use(void *context, int column, const char *name, const char *instance)
{
	struct planning *planning = context;
	char *label = xasprintf("%s%s%s", name, *instance ? "#" : "", instance);

	plan_probe(planning->plan, planning->kind, OWNER_NODE, values_of(planning->pick, name),
		   label);
	plan_counter(planning->plan, planning->names, column);
	free(label);
}

/* The first of the lists that has a column; they are alternatives, and not to be added up. */
static int use_one_of(struct planning *planning, const char *const *lists, struct err *err)
{
	for (int i = 0; lists[i] != NULL; i++) {
		int n = list_columns(planning->names, lists[i], true, use, planning, err);

		if (n != 0)
			return n < 0 ? -1 : i;
	}
	return 0;
}

static int plan_found(struct planning *planning, struct err *err)
{
	static const char *const flits[] = {"traffic_flits", "traffic_flits_per_s", NULL};
	static const char *const bytes[] = {"traffic_bytes", "traffic_Bps", NULL};
	static const char *const stalls[] = {"stalls", "stall_per_s", NULL};
	struct source_plan *plan = planning->plan;

	if (use_one_of(planning, flits, err) < 0)
		return -1;
	if (plan->probes.n == 0) {
		plan->unit = TRAFFIC_BPS;
		if (use_one_of(planning, bytes, err) < 0)
			return -1;
	}
	planning->kind = PROBE_STALL;
	return use_one_of(planning, stalls, err) < 0 ? -1 : 0;
}

static int plan(struct source_plan *plan, const struct pick *pick,
		const struct counter_names *names, enum traffic_per per, struct err *err)
{
	struct planning planning = {plan, names, pick, PROBE_TRAFFIC};

	(void)per;
	plan->unit = TRAFFIC_FLITS_PER_S;
	plan->place = PLACE_NAME;
	plan->tick_s = pick_has(pick, "tick") ? pick_real(pick, "tick") : 0;
	if (!pick_has(pick, "traffic"))
		return plan_found(&planning, err);
	if (pick_is(pick, "unit", "bytes"))
		plan->unit = TRAFFIC_BPS;
	plan->traffic_scale = pick_real(pick, "scale");
	if (list_columns(names, pick_word(pick, "traffic"), false, use, &planning, err) < 0)
		return -1;
	planning.kind = PROBE_STALL;
	if (pick_has(pick, "stall") &&
	    list_columns(names, pick_word(pick, "stall"), false, use, &planning, err) < 0)
		return -1;
	return 0;
}

static const struct param params[] = {
	SOURCE_VALUES,
	{.key = "traffic",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "the counters of traffic, whose rates are added: NAME+NAME; default: "
		    "traffic_flits, traffic_flits_per_s, traffic_bytes or traffic_Bps"},
	{.key = "stall",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "the counters of stalls: NAME+NAME; default: stalls or stall_per_s"},
	{.key = "unit",
	 .type = PARAM_WORD,
	 .choices = "flits|bytes",
	 .def = "flits",
	 .meaning = "unit of the counters of traffic="},
	{.key = "scale",
	 .type = PARAM_REAL,
	 .min = 1e-12,
	 .max = 1e12,
	 .def = "1",
	 .meaning = "flits or bytes per count of traffic="},
	{.key = "tick",
	 .type = PARAM_DURATION,
	 .optional = true,
	 .meaning = "duration of one stall count, for --per region"},
	{0}};

const struct source counter_source_counters = {
	.entry =
		{
			.name = "counters",
			.summary = "counters by the names of their columns, in a counters"
				   " stream (whose components are routers, nodes or "
				   "links) or any CSV; a name that ends in _per_s or _Bps"
				   " is a rate",
			.example = "counters:traffic=traffic_flits",
			.params = params,
		},
	.priority = 10,
	.plan = plan,
};
