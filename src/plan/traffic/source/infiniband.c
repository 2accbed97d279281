/* infiniband.c - InfiniBand and Omni-Path port counters: 4-byte words, ticks of waiting */
#include <ctype.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "traffic/source/source.h"
#include "base/num.h"
#include "base/str.h"

enum { XMIT, RCV, WAIT, NCOUNTERS };

/* One port whose counters are in separate columns (sysclassib), or the row's port. */
struct port {
	const char *name;  /* "mlx5_0.1"; "" for the row's */
	int at[NCOUNTERS]; /* columns, or -1 */
};

/* PortXmitData, port_xmit_data and ib.port_xmit_data are one name: letters only, in small. */
static bool is_called(const char *name, size_t n, const char *wanted)
{
	size_t at = 0, m = strlen(wanted);

	if (n > 3 && strncmp(name, "ib.", 3) == 0)
		at = 3;
	for (size_t i = 0; i < m; at += at < n && name[at] == '_') {
		if (at >= n || tolower((unsigned char)name[at]) != wanted[i])
			return false;
		at++;
		i++;
	}
	return at == n;
}

/* Which counter a column is, or -1; *instance: what follows the #. */
static int counter_of(const char *name, enum counter_values values, const char **instance)
{
	static const char *const called[NCOUNTERS] = {"portxmitdata", "portrcvdata",
						      "portxmitwait"};
	static const char *const rates[NCOUNTERS] = {"portxmitdata.rate", "portrcvdata.rate",
						     "portxmitwait.rate"};
	size_t n = strcspn(name, "#");

	*instance = name[n] == '#' ? name + n + 1 : "";
	for (int i = 0; i < NCOUNTERS; i++)
		if (is_called(name, n, called[i]) ||
		    (values == VALUES_RATE && is_called(name, n, rates[i])))
			return i;
	return -1;
}

typedef VEC(struct port) port_vec;

static void find_ports(port_vec *ports, const struct counter_names *names,
		       enum counter_values values)
{
	for (int column = 0; column < names->n; column++) {
		const char *instance;
		int counter = counter_of(names->at[column], values, &instance);
		bool is_rate = strstr(names->at[column], ".rate") != NULL;
		size_t i = 0;

		if (counter < 0)
			continue;
		while (i < ports->n && !str_eq(ports->at[i].name, instance))
			i++;
		if (i == ports->n)
			vec_push(ports, (struct port){instance, {-1, -1, -1}});
		if (ports->at[i].at[counter] < 0 || is_rate)
			ports->at[i].at[counter] = column;
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct port *)a)->name, ((const struct port *)b)->name);
}

static int plan_port(struct source_plan *plan, const struct pick *pick,
		     const struct counter_names *names, const struct port *port, struct err *err)
{
	enum counter_values values = source_values(pick);

	if (port->at[XMIT] >= 0 || port->at[RCV] >= 0) {
		static const char *const called[] = {"port_xmit_data", "port_rcv_data"};

		plan_probe(plan, PROBE_TRAFFIC, OWNER_NODE, values, port->name);
		for (int i = XMIT; i <= RCV; i++) {
			if (pick_is(pick, "direction", i == XMIT ? "in" : "out"))
				continue;
			if (port->at[i] < 0)
				return err_set(err, "there is a column %s%s%s, but none %s",
					       called[!i], *port->name ? "#" : "", port->name,
					       called[i]);
			plan_counter(plan, names, port->at[i]);
		}
	}
	if (port->at[WAIT] >= 0) {
		plan_probe(plan, PROBE_STALL, OWNER_NODE, values, port->name);
		plan_counter(plan, names, port->at[WAIT]);
	}
	return 0;
}

static int plan(struct source_plan *plan, const struct pick *pick,
		const struct counter_names *names, enum traffic_per per, struct err *err)
{
	static const char *const instances[] = {"ca_name", "hca", "device", "port", "port_num"};
	port_vec ports = {0};
	int status = 0;

	(void)per;
	plan->unit = TRAFFIC_BPS;
	plan->place = PLACE_NODE;
	plan->traffic_scale = 4;
	plan->tick_s = pick_has(pick, "tick") ? pick_real(pick, "tick") : 0;
	plan->stalls_of_switches = true;
	if (pick_has(pick, "node-ports")) {
		const char *list = pick_word(pick, "node-ports");

		if (port_list_check(list, err) != 0)
			return -1;
		plan->node_ports = arena_strndup(&plan->arena, list, strlen(list));
	}
	plan->is_saturating = source_values(pick) == VALUES_CUMULATIVE;
	find_ports(&ports, names, source_values(pick));
	if (ports.n > 0)
		qsort(ports.at, ports.n, sizeof(*ports.at), by_name);
	for (size_t i = 0; i < ports.n && status == 0; i++)
		status = plan_port(plan, pick, names, &ports.at[i], err);
	vec_free(&ports);
	for (int i = 0; i < 5; i++) {
		int column = names_find(names, "%s", instances[i]);

		if (column >= 0)
			vec_push(&plan->instance, column);
	}
	return status;
}

static const struct param params[] = {
	SOURCE_VALUES,
	{.key = "direction",
	 .type = PARAM_WORD,
	 .choices = "both|out|in",
	 .def = "both",
	 .meaning = "what the port sends (out), receives (in), or both"},
	{.key = "node-ports",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "ports of switches that face nodes, as 1-18+20: their traffic counts when "
		    "switches are sampled and not the nodes (needs -t)"},
	{.key = "tick",
	 .type = PARAM_DURATION,
	 .optional = true,
	 .meaning = "duration of one tick of port_xmit_wait on this hardware, for --per "
		    "region"},
	{0}};

const struct source counter_source_infiniband = {
	.entry =
		{
			.name = "infiniband",
			.aliases = "ib,opa",
			.summary = "port_xmit_data and port_rcv_data of the nodes' ports, 4-byte "
				   "words (LDMS sysclassib: ib.NAME#CA.PORT; ibmad: columns "
				   "ca_name and port); stalls port_xmit_wait: per router those of "
				   "the switch's ports to other switches, per node the node's",
			.example = "infiniband:direction=both",
			.params = params,
		},
	.priority = 30,
	.plan = plan,
};
