/* set_time.c - how long a job takes on a set of devices: T(set) */
#include "cosched/state/set_time.h"

#include "cosched/state/bag.h"

static const int64_t longest_ns = INT64_C(1) << 60;

uint32_t node_able(const struct node_profile *profile)
{
	uint32_t able = 0;

	for (int d = 0; d < NODE_DEVICES; d++)
		able |= (uint32_t)(profile->slice_ns[d] > 0) << d;
	return able;
}

int64_t node_profile_ns(const struct node_profile *profile, uint32_t set)
{
	struct bag bag = {.slices = profile->slices};
	int64_t copied_in[NODE_DEVICES], last_in = 0, out = 0, end = 0;

	if (set == 0 || (set & ~node_able(profile)) != 0)
		return NODE_NEVER;
	for (uint32_t rest = set; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);

		copied_in[bag.n] = profile->copy_in_ns[d];
		bag.slice_ns[bag.n++] = profile->slice_ns[d];
		last_in = profile->copy_in_ns[d] > last_in ? profile->copy_in_ns[d] : last_in;
		out = profile->copy_out_ns[d] > out ? profile->copy_out_ns[d] : out;
	}
	for (int64_t launch = 0; launch < profile->launches; launch++) {
		for (int i = 0; i < bag.n; i++)
			bag.ready_ns[i] = copied_in[i] > end ? copied_in[i] : end;
		if (end < last_in || launch == 0) {
			end = bag_deal(&bag);
			continue;
		}
		/* All devices are ready: the launches that are left are alike. */
		end += (bag_deal(&bag) - end) * (profile->launches - launch);
		break;
	}
	return (end > last_in ? end : last_in) + out;
}

int64_t node_set_ns(const struct node_state *state, const struct node_job *job, uint32_t set)
{
	const struct node_profile *profile = &job->profile;

	if (state->ndevices <= 4)
		return set < 16 && profile->set_ns[set] > 0 ? profile->set_ns[set] : NODE_NEVER;
	for (int i = 0; i < profile->nmeasured; i++)
		if (profile->measured[i].devices == set)
			return profile->measured[i].whole_ns;
	return node_profile_ns(profile, set);
}

/* T of one launch as computed. */
static int64_t launch_ns(const struct node_profile *profile, uint32_t set)
{
	struct node_profile once = *profile;

	once.launches = 1;
	return node_profile_ns(&once, set);
}

/* T of all launches on a measured set; NODE_NEVER: longer than can be simulated. */
static int64_t whole_ns(const struct node_profile *profile, int index)
{
	uint32_t set = profile->measured[index].devices;
	__int128 whole = (__int128)profile->measured[index].ns * node_profile_ns(profile, set) /
			 launch_ns(profile, set);

	return whole > longest_ns ? NODE_NEVER : (int64_t)whole;
}

int64_t node_slice_ns(const struct node_profile *profile, uint32_t set, int device)
{
	for (int i = 0; i < profile->nmeasured; i++)
		if (profile->measured[i].devices == set) {
			__int128 scaled =
				(__int128)profile->slice_ns[device] * profile->measured[i].ns;
			int64_t slice = (int64_t)(scaled / profile->measured[i].computed_ns);

			return slice > 0 ? slice : 1;
		}
	return profile->slice_ns[device];
}

int node_best_device(const struct node_state *state, const struct node_job *job)
{
	int best = -1;
	int64_t best_ns = NODE_NEVER;

	for (int d = 0; d < state->ndevices; d++) {
		int64_t ns = node_set_ns(state, job, UINT32_C(1) << d);

		if (ns < best_ns) {
			best = d;
			best_ns = ns;
		}
	}
	return best;
}

bool node_profile_is_sound(const struct node_profile *profile)
{
	if (profile->slices < 1 || profile->launches < 1 ||
	    profile->launches > longest_ns / profile->slices || profile->nmeasured < 0 ||
	    profile->nmeasured > NODE_SETS)
		return false;
	for (int d = 0; d < NODE_DEVICES; d++)
		if (profile->slice_ns[d] < 0 || profile->copy_in_ns[d] < 0 ||
		    profile->copy_out_ns[d] < 0 || profile->copy_in_ns[d] > longest_ns ||
		    profile->copy_out_ns[d] > longest_ns ||
		    profile->slice_ns[d] > longest_ns / (profile->slices * profile->launches))
			return false;
	for (int i = 0; i < profile->nmeasured; i++)
		if (profile->measured[i].devices >> NODE_DEVICES != 0 ||
		    (profile->measured[i].devices & ~node_able(profile)) != 0 ||
		    node_count(profile->measured[i].devices) < 2 || profile->measured[i].ns < 1 ||
		    profile->measured[i].ns > longest_ns || whole_ns(profile, i) == NODE_NEVER)
			return false;
	return true;
}

void node_profile_finish(struct node_profile *profile, int ndevices)
{
	for (int i = 0; i < profile->nmeasured; i++) {
		profile->measured[i].computed_ns = launch_ns(profile, profile->measured[i].devices);
		profile->measured[i].whole_ns = whole_ns(profile, i);
	}
	if (ndevices > 4)
		return;
	for (uint32_t set = 0; set < 16; set++) {
		int64_t ns = node_profile_ns(profile, set);

		profile->set_ns[set] = ns == NODE_NEVER ? 0 : ns;
	}
	for (int i = 0; i < profile->nmeasured; i++)
		if (profile->measured[i].devices < 16)
			profile->set_ns[profile->measured[i].devices] =
				profile->measured[i].whole_ns;
}
