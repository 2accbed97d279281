/* aggregate_place.c - which routers, nodes or links a producer's counters belong to */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/aggregate_priv.h"
#include "base/num.h"
#include "base/str.h"

enum { NAME_MOST = 256, LABEL_MOST = 520, COMPONENT_MOST = 800, NIDS_PER_ROUTER = 4 };

/* What a row says about where it comes from, and where that is. */
struct origin {
	char producer[NAME_MOST], cname[NAME_MOST], instance[NAME_MOST], plane[NAME_MOST];
	int64_t nid;                 /* -1: unknown */
	int node, router;            /* in the machine; -1: not there, or no machine */
	char router_name[NAME_MOST]; /* "": unknown */
	const char *node_name;       /* of the row itself */
};

static void copy_cell(char text[NAME_MOST], const struct sample *sample, int place)
{
	size_t n = place >= 0 ? sample->cells[place].n : 0;

	if (n >= NAME_MOST)
		n = NAME_MOST - 1;
	if (n > 0)
		memcpy(text, sample->cells[place].text, n);
	text[n] = '\0';
}

/* The number at the end of nid00062, or -1. */
static int64_t trailing_number(const char *name)
{
	size_t n = strlen(name), digits = 0;
	uint64_t value;

	while (digits < n && name[n - 1 - digits] >= '0' && name[n - 1 - digits] <= '9')
		digits++;
	return digits > 0 && digits < 18 && num_digits(name + n - digits, digits, &value) == 0
		       ? (int64_t)value
		       : -1;
}

/* component_id is the nid; where it was not set it is 0 for all, and the name decides. */
static int64_t find_nid(const struct sample *sample, const char *producer)
{
	int place = sample->header->component;
	uint64_t id = 0;

	if (place >= 0 && num_digits(sample->cells[place].text, sample->cells[place].n, &id) == 0 &&
	    id != 0 && id < INT64_MAX / 8)
		return (int64_t)id;
	if (trailing_number(producer) >= 0)
		return trailing_number(producer);
	return place >= 0 && producer[0] == '\0' ? (int64_t)id : -1;
}

static void read_origin(struct origin *origin, const struct sample *sample)
{
	const struct header *header = sample->header;
	size_t used = 0;

	*origin = (struct origin){.node = -1, .router = -1};
	copy_cell(origin->producer, sample, header->producer);
	copy_cell(origin->cname, sample, header->router);
	copy_cell(origin->plane, sample, header->plane);
	origin->nid = find_nid(sample, origin->producer);
	if (origin->producer[0] == '\0')
		copy_cell(origin->producer, sample, header->component);
	origin->node_name = origin->producer;
	for (size_t i = 0; i < header->source.instance.n; i++) {
		char part[NAME_MOST];
		int n;

		copy_cell(part, sample, header->instance[i]);
		n = snprintf(origin->instance + used, NAME_MOST - used, "%s%s", used > 0 ? "." : "",
			     part);
		used += n > 0 ? (size_t)n : 0;
		if (used >= NAME_MOST)
			used = NAME_MOST - 1;
	}
}

/* A node by its name, or by that up to the first dot (a host's name with its domain). */
static int find_node(const struct topo *topo, const char *name)
{
	int node = topo_node_find(topo, name, strlen(name));

	return node >= 0 ? node : topo_node_find(topo, name, strcspn(name, "."));
}

/* Where the machine has it; false: nowhere. */
static bool find_in_machine(struct origin *origin, const struct topo *topo, enum place place)
{
	origin->node = find_node(topo, origin->producer);
	if (place == PLACE_NID && origin->node < 0 && origin->cname[0] != '\0')
		origin->router = topo_router_find(topo, origin->cname, strlen(origin->cname));
	else if (place != PLACE_NID && origin->node < 0)
		origin->router = topo_router_find(topo, origin->producer, strlen(origin->producer));
	/* generated names: nid is the node's number */
	if (place == PLACE_NID && origin->node < 0 && origin->router < 0 && origin->nid >= 0 &&
	    origin->nid < topo->nnodes)
		origin->node = (int)origin->nid;
	if (origin->node >= 0)
		origin->router = topo->router_of[origin->node];
	if (origin->router >= 0)
		snprintf(origin->router_name, NAME_MOST, "%s",
			 topo_router_name(topo, origin->router, (char[TOPO_NAME]){0}));
	return origin->node >= 0 || origin->router >= 0;
}

/* Without a machine: as Aries numbers things, or as the row says. False: unknown. */
static bool find_alone(struct origin *origin, enum place place)
{
	if (place == PLACE_NAME)
		snprintf(origin->router_name, NAME_MOST, "%s", origin->producer);
	if (place == PLACE_NID && origin->cname[0] != '\0')
		snprintf(origin->router_name, NAME_MOST, "%s", origin->cname);
	else if (place == PLACE_NID && origin->nid >= 0)
		snprintf(origin->router_name, NAME_MOST, "r%lld",
			 (long long)(origin->nid / NIDS_PER_ROUTER));
	return origin->router_name[0] != '\0';
}

/* ---- names of components ---- */

static void list_nodes_of_routers(struct aggregate *aggregate)
{
	const struct topo *topo = aggregate->options.topo;
	int *first = xcalloc((size_t)topo->nrouters + 2, sizeof(int));

	aggregate->router_nodes = xcalloc((size_t)topo->nnodes, sizeof(int));
	for (int node = 0; node < topo->nnodes; node++)
		if (topo->router_of[node] >= 0)
			first[topo->router_of[node] + 2]++;
	for (int router = 0; router < topo->nrouters; router++)
		first[router + 2] += first[router + 1];
	for (int node = 0; node < topo->nnodes; node++)
		if (topo->router_of[node] >= 0)
			aggregate->router_nodes[first[topo->router_of[node] + 1]++] = node;
	aggregate->nodes_of_router = first;
}

static int count_nodes(const struct aggregate *aggregate, int router)
{
	return aggregate->nodes_of_router[router + 1] - aggregate->nodes_of_router[router];
}

/* The node of NIC n of the row's router: its index in the machine, and its name. */
static int nic_node(const struct aggregate *aggregate, const struct origin *origin, int nic,
		    char name[NAME_MOST])
{
	const struct topo *topo = aggregate->options.topo;
	const char *p = origin->producer;
	size_t n = strlen(p);
	int width = 0;

	name[0] = '\0';
	if (topo != NULL) {
		int node;

		if (origin->router < 0 || nic >= count_nodes(aggregate, origin->router))
			return -1;
		node = aggregate->router_nodes[aggregate->nodes_of_router[origin->router] + nic];
		snprintf(name, NAME_MOST, "%s", topo_node_name(topo, node, (char[TOPO_NAME]){0}));
		return node;
	}
	while (width < (int)n && p[n - 1 - (size_t)width] >= '0' && p[n - 1 - (size_t)width] <= '9')
		width++;
	if (origin->nid >= 0 && trailing_number(p) == origin->nid)
		snprintf(name, NAME_MOST, "%.*s%0*lld", (int)n - width, p, width,
			 (long long)(origin->nid / NIDS_PER_ROUTER * NIDS_PER_ROUTER + nic));
	else if ((n = strlen(origin->cname)) > 2 && str_eq(origin->cname + n - 2, "a0"))
		snprintf(name, NAME_MOST, "%.*sn%d", (int)n - 2, origin->cname, nic);
	else if (origin->nid >= 0)
		snprintf(name, NAME_MOST, "%lld",
			 (long long)(origin->nid / NIDS_PER_ROUTER * NIDS_PER_ROUTER + nic));
	return -1;
}

/* The name and index of the component that a probe belongs to; "": none that is asked for. */
static int component_of(const struct aggregate *aggregate, const struct origin *origin,
			const struct source_plan *plan, const struct probe *probe,
			const char *label, char name[COMPONENT_MOST])
{
	const struct topo *topo = aggregate->options.topo;
	enum traffic_per per = aggregate->options.per;
	bool is_nid = plan->place == PLACE_NID;

	name[0] = '\0';
	if (per == TRAFFIC_ROUTER || per == TRAFFIC_REGION) {
		snprintf(name, COMPONENT_MOST, "%s", origin->router_name);
		return origin->router;
	}
	if (per == TRAFFIC_LINK) {
		if (plan->place == PLACE_NAME)
			snprintf(name, COMPONENT_MOST, "%s", origin->producer);
		else if (is_nid && probe->owner == OWNER_ROUTER)
			snprintf(name, COMPONENT_MOST, "%s%s", origin->router_name, label);
		else
			snprintf(name, COMPONENT_MOST, "%s%s%s", origin->producer,
				 *label ? ":" : "", label);
		return -1;
	}
	if (probe->owner >= 0)
		return nic_node(aggregate, origin, probe->owner, name);
	if (probe->owner == OWNER_ROUTER || (topo != NULL && origin->node < 0))
		return -1;
	snprintf(name, COMPONENT_MOST, "%s",
		 topo != NULL ? topo_node_name(topo, origin->node, (char[TOPO_NAME]){0})
			      : origin->producer);
	return origin->node;
}

/* How many owners of traffic a complete component has. */
static int owners_wanted(const struct aggregate *aggregate, const struct origin *origin,
			 const struct source_plan *plan)
{
	bool is_router = aggregate->options.per == TRAFFIC_ROUTER ||
			 aggregate->options.per == TRAFFIC_REGION;
	bool is_of_nodes = false;

	for (size_t i = 0; i < plan->probes.n; i++)
		is_of_nodes |= plan->probes.at[i].kind == PROBE_TRAFFIC &&
			       plan->probes.at[i].owner != OWNER_ROUTER;
	if (!is_router || !is_of_nodes || (plan->place == PLACE_NAME && origin->node < 0))
		return 1;
	if (aggregate->options.topo != NULL && origin->router >= 0)
		return count_nodes(aggregate, origin->router);
	return plan->nics > 0 ? plan->nics : 1;
}

/* ---- components and their slots ---- */

static struct component *get_component(struct aggregate *aggregate, const char *name, int index,
				       int nowners)
{
	size_t n = strlen(name);
	int64_t id = map_get(&aggregate->component_ids, name, n);
	struct component *component;

	if (id >= 0) {
		component = aggregate->components.at[id];
		if (component->nowners < nowners)
			component->nowners = nowners;
		return component;
	}
	component = xcalloc(1, sizeof(*component));
	component->name = arena_strndup(&aggregate->arena, name, n);
	component->index = index;
	component->nowners = nowners;
	map_add(&aggregate->component_ids, name, n, (int64_t)aggregate->components.n);
	vec_push(&aggregate->components, component);
	return component;
}

static int slot_order(const struct slot *slot, enum probe_kind kind, int owner, const char *label)
{
	if (slot->kind != kind)
		return (int)slot->kind - (int)kind;
	if (slot->owner != owner)
		return slot->owner < owner ? -1 : 1;
	return strcmp(slot->label, label);
}

/* Slots stay sorted, so that sums are taken in one order whatever the order of the files. */
static struct slot *get_slot(struct aggregate *aggregate, struct component *component,
			     enum probe_kind kind, int owner, const char *label)
{
	size_t at = component->slots.n;

	while (at > 0 && slot_order(&component->slots.at[at - 1], kind, owner, label) > 0)
		at--;
	if (at > 0 && slot_order(&component->slots.at[at - 1], kind, owner, label) == 0)
		return &component->slots.at[at - 1];
	vec_push(&component->slots, (struct slot){0});
	memmove(&component->slots.at[at + 1], &component->slots.at[at],
		(component->slots.n - 1 - at) * sizeof(struct slot));
	component->slots.at[at] = (struct slot){
		.kind = kind,
		.owner = owner,
		.label = arena_strndup(&aggregate->arena, label, strlen(label)),
	};
	return &component->slots.at[at];
}

static void add_candidate(struct aggregate *aggregate, struct slot *slot, struct stream *stream,
			  int probe)
{
	struct candidate *candidate = arena_alloc(&aggregate->arena, sizeof(*candidate));
	struct candidate **at = &slot->first;

	while (*at != NULL &&
	       ((*at)->stream->id < stream->id || ((*at)->stream->id == stream->id &&
						   strcmp((*at)->stream->name, stream->name) <= 0)))
		at = &(*at)->next;
	*candidate = (struct candidate){stream, probe, *at};
	*at = candidate;
}

/* Tells owners apart within a router: NICs, nodes, ports that face nodes, or the router itself. */
static int owner_of(const struct origin *origin, const struct source_plan *plan,
		    const struct probe *probe, const char *label)
{
	if (probe->owner != OWNER_NODE)
		return probe->owner;
	if (origin->node >= 0)
		return origin->node;
	if (plan->node_ports != NULL)
		return (int)(trailing_number(label) & INT32_MAX);
	return plan->place == PLACE_NID && origin->nid >= 0 ? (int)(origin->nid % NIDS_PER_ROUTER)
							    : OWNER_ROUTER;
}

/*
 * Ports of switches and of nodes: a port that faces a node counts the node's traffic, any other the
 * switch's stalls; what a node itself waits for is no stall of its router.
 */
static bool is_counted(const struct aggregate *aggregate, const struct origin *origin,
		       const struct source_plan *plan, const struct probe *probe, const char *label)
{
	enum traffic_per per = aggregate->options.per;
	bool is_switch = origin->node < 0 && origin->router >= 0;
	bool is_traffic = probe->kind == PROBE_TRAFFIC;

	if (!plan->stalls_of_switches || per == TRAFFIC_LINK || per == TRAFFIC_NODE)
		return true;
	if (!is_switch)
		return is_traffic;
	return port_list_has(plan->node_ports, trailing_number(label)) == is_traffic;
}

static void place_probe(struct aggregate *aggregate, struct stream *stream,
			const struct origin *origin, const struct source_plan *plan, int p)
{
	const struct probe *probe = &plan->probes.at[p];
	char label[LABEL_MOST], place[LABEL_MOST + NAME_MOST], name[COMPONENT_MOST];
	struct component *component;
	int index, owner;

	snprintf(label, sizeof(label), "%s%s%.255s", origin->instance,
		 *origin->instance && *probe->label ? "." : "", probe->label);
	index = component_of(aggregate, origin, plan, probe, label, name);
	if (name[0] == '\0' || !is_counted(aggregate, origin, plan, probe, label))
		return;
	component = get_component(aggregate, name, index, owners_wanted(aggregate, origin, plan));
	owner = owner_of(origin, plan, probe, label);
	/* each plane has its own counters of the component */
	snprintf(place, sizeof(place), "%s%s%s", origin->plane, *origin->plane ? "/" : "", label);
	add_candidate(aggregate, get_slot(aggregate, component, probe->kind, owner, place), stream,
		      p);
}

static int not_placed(const struct sample *sample, const struct origin *origin,
		      const struct source_plan *plan, struct err *err)
{
	if (plan->place == PLACE_NODE)
		return err_set(err,
			       "%s:%ld: which router '%s' hangs on is known from the "
			       "topology only: give -t, or --per node",
			       sample->file, sample->line, origin->producer);
	return err_set(err,
		       "%s:%ld: '%s' has no number (nid%%05d, component_id) "
		       "that its router follows from: give -t",
		       sample->file, sample->line, origin->producer);
}

int place_stream(struct aggregate *aggregate, struct stream *stream, const struct sample *sample,
		 struct err *err)
{
	const struct source_plan *plan = &sample->header->source;
	const struct topo *topo = aggregate->options.topo;
	enum traffic_per per = aggregate->options.per;
	struct origin origin;

	read_origin(&origin, sample);
	if (topo != NULL && aggregate->nodes_of_router == NULL)
		list_nodes_of_routers(aggregate);
	if (topo != NULL && !(plan->place == PLACE_NAME && per == TRAFFIC_LINK)) {
		if (!find_in_machine(&origin, topo, plan->place)) {
			if (aggregate->counts.unknown == 0)
				snprintf(aggregate->counts.first_unknown,
					 sizeof(aggregate->counts.first_unknown), "%s",
					 origin.producer);
			return 1;
		}
	} else if (!find_alone(&origin, plan->place) &&
		   (per == TRAFFIC_ROUTER || per == TRAFFIC_REGION)) {
		return not_placed(sample, &origin, plan, err);
	}
	stream->id = origin.nid >= 0 ? origin.nid : INT64_MAX;
	stream->name = arena_strndup(&aggregate->arena, origin.producer, strlen(origin.producer));
	for (int p = 0; p < stream->nprobes; p++)
		place_probe(aggregate, stream, &origin, plan, p);
	return 0;
}

void place_free(struct aggregate *aggregate)
{
	for (size_t i = 0; i < aggregate->components.n; i++) {
		vec_free(&aggregate->components.at[i]->slots);
		free(aggregate->components.at[i]);
	}
	vec_free(&aggregate->components);
	vec_free(&aggregate->ordered);
	map_free(&aggregate->component_ids);
	free(aggregate->nodes_of_router);
	free(aggregate->router_nodes);
}
