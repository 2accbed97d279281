/* engine.c - jobs that share the devices of one node, simulated */
#include "cosched/engine_priv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cosched/state/set_time.h"

const char *engine_span_name(enum engine_span span)
{
	static const char *const names[] = {"init",  "open", "copy",    "run",
					    "drain", "held", "reserved"};

	return names[span];
}

/* The state is as without jobs. */
static void restart(struct engine *engine)
{
	struct node_state *state = engine->state;

	node_state_init(state, engine->devices->n);
	for (int d = 0; d < engine->devices->n; d++) {
		struct node_device *device = &state->devices[d];

		memcpy(device->name, engine->devices->at[d].name,
		       strnlen(engine->devices->at[d].name, NODE_NAME - 1));
		device->open_ns = engine->devices->at[d].open_ns;
		device->close_ns = engine->devices->at[d].close_ns;
	}
	state->rules = engine->rules;
	for (int d = 0; d < NODE_DEVICES; d++)
		engine->reserved_by[d] = -1;
	engine->pending.n = engine->npassed = 0;
	state->now_ns = INT64_MIN;
}

struct engine *engine_new(const struct devices *devices, const struct node_rules *rules,
			  const struct engine_sink *sink)
{
	struct engine *engine = xcalloc(1, sizeof(*engine));

	engine->devices = devices;
	engine->rules = *rules;
	engine->sink = *sink;
	engine->state = xlarge(sizeof(*engine->state));
	restart(engine);
	engine->policy = node_policy_of(engine->state);
	return engine;
}

void engine_listen(struct engine *engine, const struct engine_sink *sink)
{
	engine->sink = *sink;
}

void engine_free(struct engine *engine)
{
	if (engine == NULL)
		return;
	for (int i = 0; i < engine->nactive; i++)
		free(engine->active[i]);
	for (int i = 0; i < engine->nspare; i++)
		free(engine->spare[i]);
	vec_free(&engine->pending);
	xlarge_free(engine->state, sizeof(*engine->state));
	free(engine);
}

void engine_profile(struct node_profile *profile, const struct kernel *kernel, int64_t launches)
{
	*profile = (struct node_profile){
		.slices = kernel->slices, .launches = launches, .nmeasured = kernel->nmeasured};
	for (int d = 0; d < DEVICES_MAX; d++) {
		profile->slice_ns[d] = kernel->slice_ns[d];
		profile->copy_in_ns[d] = kernel->copy_in_ns[d];
		profile->copy_out_ns[d] = kernel->copy_out_ns[d];
	}
	for (int i = 0; i < kernel->nmeasured; i++) {
		profile->measured[i].devices = kernel->measured[i].devices;
		profile->measured[i].ns = kernel->measured[i].ns;
	}
}

/* Jobs that have come by now enter the state, as far as it has room. */
static int admit(struct engine *engine, int64_t now_ns, bool *is_point, struct err *err)
{
	while (engine->npassed < engine->pending.n &&
	       engine->pending.at[engine->npassed].arrival_ns <= now_ns &&
	       engine->state->njobs < NODE_JOBS) {
		const struct engine_job *job = &engine->pending.at[engine->npassed++];
		struct node_job arriving = {.id = job->id,
					    .arrival_ns = job->arrival_ns,
					    .init_ns = job->init_ns,
					    .priority = job->priority,
					    .kernel = -1};

		engine_profile(&arriving.profile, job->kernel, job->launches);
		if (!node_profile_is_sound(&arriving.profile))
			return err_set(err,
				       "%s %s: %" PRId64
				       " launches take longer than can be simulated",
				       job->kernel->app, job->kernel->size, job->launches);
		if (engine->policy->learns) {
			char *name = xasprintf("%s %s", job->kernel->app, job->kernel->size);

			arriving.kernel = node_kernel_find(engine->state, name);
			free(name);
		}
		node_arrive(engine->state, &arriving);
		*is_point = true;
	}
	if (engine->npassed == engine->pending.n)
		engine->pending.n = engine->npassed = 0;
	return 0;
}

/* Releases and completions that are due. */
static void release(struct engine *engine, int64_t now_ns, bool *is_point)
{
	for (int i = 0; i < engine->nactive;) {
		struct active *active = engine->active[i];

		if (active->next_ns > now_ns || active->next == NEXT_POLL) {
			i++;
			continue;
		}
		*is_point = true;
		if (active->next == NEXT_RELEASE) {
			active_release(active, now_ns);
			active_schedule(active, now_ns);
			continue; /* it may complete at the same instant */
		}
		active_complete(active, now_ns);
		engine->spare[engine->nspare++] = active;
		engine->active[i] = engine->active[--engine->nactive];
	}
}

static struct active *new_active(struct engine *engine, int slot)
{
	struct active *active =
		engine->nspare > 0 ? engine->spare[--engine->nspare] : xmalloc(sizeof(*active));

	active->engine = engine;
	active->slot = slot;
	active->id = engine->state->jobs[slot].id;
	active->going = 0;
	active->nswitches = 0;
	active->used = 0;
	for (int d = 0; d < NODE_DEVICES; d++)
		active->behind_end_ns[d] = NODE_NEVER;
	engine->active[engine->nactive++] = active;
	return active;
}

/* One decision, and jobs take what they can. */
static int decide(struct engine *engine, int64_t now_ns, struct err *err)
{
	struct node_state *state = engine->state;
	uint32_t assigned = 0;

	state->now_ns = now_ns;
	for (int i = 0; i < engine->nactive; i++)
		active_sync(engine->active[i], now_ns);
	if (node_decide(state, engine->policy, err) != 0)
		return -1;
	for (int i = 0; i < engine->nactive; i++) {
		struct active *active = engine->active[i];

		if (active->is_leaving && active->going == 0 && node_may_take(state, active->slot))
			active_take(active, now_ns);
	}
	for (int d = 0; d < state->ndevices; d++)
		assigned |= (uint32_t)(state->assigned_to[d] != -1) << d;
	for (int at = 0; at < state->njobs && assigned != 0; at++) {
		const struct node_job *job = &state->jobs[state->order[at]];

		assigned &= ~job->assigned;
		if (job->phase == NODE_WAITING && node_may_take(state, state->order[at]))
			active_take(new_active(engine, state->order[at]), now_ns);
	}
	for (int i = 0; i < engine->nactive; i++)
		active_schedule(engine->active[i], now_ns);
	return 0;
}

/* Devices that no job holds and that are reserved for one. */
static void watch_reserved(struct engine *engine, int64_t now_ns)
{
	const struct node_state *state = engine->state;

	for (int d = 0; d < state->ndevices; d++) {
		int64_t by = state->held_by[d] == -1 ? state->assigned_to[d] : -1;

		if (by == engine->reserved_by[d])
			continue;
		if (engine->reserved_by[d] != -1 && now_ns > engine->reserved_ns[d])
			engine->sink.span(engine->sink.context, engine->reserved_by[d], d,
					  SPAN_RESERVED, engine->reserved_ns[d], now_ns);
		engine->reserved_by[d] = by;
		engine->reserved_ns[d] = now_ns;
	}
}

static int instant(struct engine *engine, int64_t now_ns, struct err *err)
{
	for (bool again = true; again;) {
		bool is_point = false;

		release(engine, now_ns, &is_point);
		if (admit(engine, now_ns, &is_point, err) != 0)
			return -1;
		if (is_point && decide(engine, now_ns, err) != 0)
			return -1;
		again = false;
		for (int i = 0; i < engine->nactive; i++) {
			struct active *active = engine->active[i];

			if (active->next == NEXT_POLL && active->next_ns == now_ns) {
				active_leave(active, now_ns);
				active_schedule(active, now_ns);
			}
			again = again || active->next_ns <= now_ns;
		}
		if (engine->sink.span != NULL)
			watch_reserved(engine, now_ns);
	}
	return 0;
}

/* Simulates all that happens before a time. */
static int go_on(struct engine *engine, int64_t until_ns, struct err *err)
{
	for (;;) {
		int64_t next_ns = NODE_NEVER;

		if (engine->npassed < engine->pending.n && engine->state->njobs < NODE_JOBS)
			next_ns = engine->pending.at[engine->npassed].arrival_ns;
		for (int i = 0; i < engine->nactive; i++)
			if (engine->active[i]->next_ns < next_ns)
				next_ns = engine->active[i]->next_ns;
		if (next_ns >= until_ns)
			return 0;
		if (instant(engine, next_ns, err) != 0)
			return -1;
	}
}

int engine_push(struct engine *engine, const struct engine_job *job, struct err *err)
{
	if (go_on(engine, job->arrival_ns, err) != 0)
		return -1;
	if (engine->npassed > 4096 && engine->npassed > engine->pending.n / 2) {
		engine->pending.n -= engine->npassed;
		memmove(engine->pending.at, engine->pending.at + engine->npassed,
			engine->pending.n * sizeof(*engine->pending.at));
		engine->npassed = 0;
	}
	vec_push(&engine->pending, *job);
	return 0;
}

int engine_finish(struct engine *engine, struct err *err)
{
	if (go_on(engine, NODE_NEVER, err) != 0)
		return -1;
	if (engine->state->njobs > 0)
		return err_set(err, "%s leaves %d jobs waiting forever", engine->policy->entry.name,
			       (int)engine->state->njobs);
	restart(engine);
	return 0;
}
