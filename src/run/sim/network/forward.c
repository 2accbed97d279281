/* forward.c - routings compiled for the simulator, and how they decide on detours */
#include "sim/network/forward.h"

#include "sim/network/net_priv.h"

/* The first that fits is taken. */
static const struct forward_type *const types[] = {&forward_dragonfly, &forward_tree,
						   &forward_table, &forward_paths};

struct tie_draws tie_draws_of(const struct routing *routing)
{
	enum route_ties ties = routing_ties(routing);

	return (struct tie_draws){ties,
				  ties == TIES_HASH ? pick_int(&routing->pick, "entropy") : 1};
}

int forward_open(struct net *net, const char *routing, struct err *err)
{
	struct forward *forward = &net->forward;

	if (routing_open(&forward->routing, net->plan.topo, routing, err) != 0)
		return -1;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types) && forward->type == NULL; i++)
		if (types[i]->fits(forward->routing))
			forward->type = types[i];
	return forward->type->open(net, err);
}

int forward_open_part(struct net *net, const struct net *first, struct err *err)
{
	if (first->forward.type->leave == NULL)
		return 0;
	net->forward = (struct forward){0};
	return forward_open(net, first->plan.params->routing, err);
}

void forward_close_part(struct forward *forward)
{
	if (forward->type != NULL && forward->type->leave == NULL)
		return;
	forward_close(forward);
}

void forward_close(struct forward *forward)
{
	if (forward->type != NULL)
		forward->type->close(forward);
	routing_close(forward->routing);
}

void forward_drop(struct net *net)
{
	if (net->forward.type->drop != NULL)
		net->forward.type->drop(net);
}

/* ---- detours ---- */

void detours_read(struct detours *detours, const struct routing *routing)
{
	const struct pick *pick = &routing->pick;

	*detours = (struct detours){.kind = routing->type->detour, .ncandidates = 1};
	if (detours->kind == DETOUR_NONE)
		return;
	if (detours->kind == DETOUR_LOCAL) {
		detours->threshold = pick_real(pick, "threshold");
		return;
	}
	detours->via = pick_is(pick, "via", "group")    ? VIA_GROUP
		       : pick_is(pick, "via", "router") ? VIA_ROUTER
							: VIA_NODE;
	if (detours->kind == DETOUR_ALWAYS)
		return;
	detours->threshold = pick_real(pick, "threshold");
	detours->bias = pick_real(pick, "bias");
	detours->counts_hops = pick_bool(pick, "hops");
	detours->reads_credits = pick_is(pick, "queue", "credits");
	detours->ncandidates = (int)pick_int(pick, "candidates");
}

int64_t detour_load(struct net *net, const struct detours *detours, int32_t channel)
{
	return detours->reads_credits ? net_unreturned(net, channel) : net_waiting(net, channel);
}

int64_t detour_far_load(struct net *net, const struct detours *detours, int router, int32_t channel)
{
	return port_of(net, channel ^ 1)->to == router ? detour_load(net, detours, channel)
						       : net_published_load(net, channel);
}

bool detour_has_room(struct net *net, const struct detours *detours, int32_t direct, int32_t detour)
{
	return (double)net_room(net, detour, 0) >
	       detours->threshold * (double)net_room(net, direct, 0);
}

bool detour_could_have_room(struct net *net, const struct detours *detours, int32_t direct)
{
	const struct sim_params *params = net->plan.params;
	int64_t most = net->ports.inputs != NULL ? params->output_buffer_bytes
						 : params->input_buffer_bytes;

	return (double)most > detours->threshold * (double)net_room(net, direct, 0);
}
