/* least_loaded.h - the least loaded of several equally good links */
#ifndef SIM_NETWORK_LEAST_LOADED_H
#define SIM_NETWORK_LEAST_LOADED_H

#include "sim/network/net_priv.h"

/* Of some links that with the least waiting; of several the first from number at on. */
static inline int32_t least_loaded(struct net *net, const int32_t *channels, int n, int at)
{
	int32_t best = channels[at];
	int64_t least = net_waiting(net, best);

	for (int k = 1; k < n && least > 0; k++) {
		int64_t load;

		at = at + 1 < n ? at + 1 : 0;
		load = net_waiting(net, channels[at]);
		if (load < least) {
			least = load;
			best = channels[at];
		}
	}
	return best;
}

/* The same without output buffers. On a loaded machine nothing can be foreseen here but that most
 * are looked at: so all are, and no branch depends on them. */
static inline int32_t least_backlog(const struct net *net, const int32_t *channels, int n, int at)
{
	int32_t base = net->copies.base, best = channels[at];
	int64_t least = port_backlog(net, port_of(net, base + best));

	if (least == 0)
		return best;
	for (int k = 1; k < n; k++) {
		int64_t load;
		bool is_less;

		at = at + 1 < n ? at + 1 : 0;
		load = port_backlog(net, port_of(net, base + channels[at]));
		is_less = load < least;
		best = is_less ? channels[at] : best;
		least = is_less ? load : least;
	}
	return best;
}

static inline int32_t least_of(struct net *net, const int32_t *channels, int n, int at)
{
	return net->ports.inputs != NULL ? least_loaded(net, channels, n, at)
					 : least_backlog(net, channels, n, at);
}

#endif
