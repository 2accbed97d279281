/* engine_priv.h - what the engine's files share */
#ifndef COSCHED_ENGINE_PRIV_H
#define COSCHED_ENGINE_PRIV_H

#include "base/mem.h"
#include "cosched/engine.h"
#include "cosched/stint.h"

enum active_next {
	NEXT_POLL,     /* a slice ends, after which the job sees its new set */
	NEXT_RELEASE,  /* devices are closed and given back */
	NEXT_COMPLETE, /* all is done */
	NEXT_NONE,     /* it waits for its new set */
};

/* A job that has started. */
struct active {
	struct engine *engine;
	int slot;
	int64_t id;
	int64_t start_ns, init_end_ns;
	struct stint stint;
	int64_t open_from_ns[NODE_DEVICES]; /* by device: opening begins; NODE_NEVER: it was open */
	int64_t left;                       /* when the stint began, or behind it */
	int64_t end_ns;                     /* of the stint's slices, if nothing changes */
	bool is_leaving;                    /* all devices are going: no stint */
	uint32_t going;                     /* devices that are drained, copied out, closed … */
	int64_t gone_ns;                    /* … by then */
	enum active_next next;
	int64_t next_ns;
	int64_t nswitches;
	uint32_t used;
	int64_t observed[NODE_DEVICES]; /* by device: slices of the stint that were learnt from */
	/* By device: a slice of a stint that is over, still running, and its end;
	 * NODE_NEVER: none. */
	int64_t behind_ns[NODE_DEVICES], behind_end_ns[NODE_DEVICES];
};

struct engine {
	const struct devices *devices;
	const struct node_policy *policy;
	struct node_rules rules;
	struct engine_sink sink;
	struct node_state *state;
	VEC(struct engine_job) pending;      /* that have not come, or wait outside */
	size_t npassed;                      /* of pending: that are in the state */
	struct active *active[NODE_DEVICES]; /* [nactive] each holds, or was given, a device */
	struct active *spare[NODE_DEVICES];
	int nactive, nspare;
	int64_t reserved_by[NODE_DEVICES], reserved_ns[NODE_DEVICES]; /* -1: not reserved */
};

/* ---- active.c: one job ---- */

/* It takes what it was given. */
void active_take(struct active *active, int64_t now_ns);
/* What happens next to it. */
void active_schedule(struct active *active, int64_t now_ns);
/* It has seen its new set. */
void active_leave(struct active *active, int64_t now_ns);
void active_release(struct active *active, int64_t now_ns);
void active_complete(struct active *active, int64_t now_ns);
/* Brings what the state says about it up to now. */
void active_sync(struct active *active, int64_t now_ns);

#endif
