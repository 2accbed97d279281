/* choose_any.c - a policy chooses among idle nodes, whatever the constraints */
#include "place/run/choose.h"
#include <stdlib.h>
#include "place/run/confine.h"

int sched_choose_any(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		     int_vec *nodes, struct buf *reason, struct err *err)
{
	if (schedule->confine != NULL)
		return confine_choose(schedule, request, now_ns, nodes, reason, err);
	return alloc_choose(schedule->alloc, request, nodes, reason, err);
}

void sched_set_idle(struct machine *machine, const uint64_t *idle)
{
	int_vec taken = {0}, released = {0};

	for (int w = 0; w < machine->idle.nwords[0]; w++) {
		uint64_t was = machine->idle.level[0][w], differs = was ^ idle[w];

		for (; differs != 0; differs &= differs - 1) {
			int bit = __builtin_ctzll(differs);

			if ((was >> bit & 1) != 0)
				vec_push(&taken, w * 64 + bit);
			else
				vec_push(&released, w * 64 + bit);
		}
	}
	machine_take_all(machine, taken.at, taken.n);
	machine_release_all(machine, released.at, released.n);
	free(taken.at);
	free(released.at);
}
