/* active.c - one job that has started: takes devices, leaves them, completes */
#include "cosched/engine_priv.h"

#include "cosched/state/set_time.h"

static struct node_job *job_of(const struct active *active)
{
	return &active->engine->state->jobs[active->slot];
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void span(const struct active *active, int device, enum engine_span what, int64_t start_ns,
		 int64_t end_ns)
{
	const struct engine_sink *sink = &active->engine->sink;

	if (sink->span != NULL && end_ns > start_ns)
		sink->span(sink->context, active->id, device, what, start_ns, end_ns);
}

static void hand_slice(void *context, int device, int64_t slice, int64_t start_ns, int64_t end_ns)
{
	const struct active *active = context;
	const struct engine_sink *sink = &active->engine->sink;

	sink->slice(sink->context, active->id, device, slice, start_ns, end_ns);
}

/* Copies out and closes: how long after the device has drained. */
static int64_t closing_ns(const struct active *active, int device)
{
	return job_of(active)->profile.copy_out_ns[device] +
	       active->engine->devices->at[device].close_ns;
}

/* The devices that it takes begin to open; the stint is of all that it holds then and goes
 * on with. */
static void begin_stint(struct active *active, uint32_t opened, int64_t from_ns, int64_t barrier_ns)
{
	const struct node_job *job = job_of(active);
	struct stint *stint = &active->stint;

	for (uint32_t rest = opened; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);

		active->open_from_ns[d] = from_ns;
		stint->ready_ns[d] = from_ns + active->engine->devices->at[d].open_ns +
				     job->profile.copy_in_ns[d];
	}
	for (int d = 0; d < NODE_DEVICES; d++)
		active->observed[d] = 0;
	stint->devices = job->runs_on;
	stint->first = job->profile.slices * job->profile.launches - active->left;
	stint->on_slice = active->engine->sink.slice != NULL ? hand_slice : NULL;
	stint->context = active;
	stint_begin(stint, &job->profile, active->left, barrier_ns);
	active->end_ns = stint_end(stint);
	active->used |= job->runs_on;
}

void active_take(struct active *active, int64_t now_ns)
{
	struct node_state *state = active->engine->state;
	bool starts = state->jobs[active->slot].phase == NODE_WAITING;

	node_take(state, active->slot);
	if (starts) {
		active->start_ns = now_ns;
		active->init_end_ns = now_ns + job_of(active)->init_ns;
		active->left = job_of(active)->left;
	} else {
		active->nswitches++;
	}
	active->is_leaving = false;
	active->stint.carried = 0;
	begin_stint(active, job_of(active)->runs_on, starts ? active->init_end_ns : now_ns, now_ns);
}

/* Copied out and closed, all of them, if nothing changes. */
static int64_t completion_ns(const struct active *active)
{
	int64_t longest = 0;

	for (uint32_t rest = active->stint.devices; rest != 0; rest &= rest - 1)
		longest = later(longest, closing_ns(active, __builtin_ctz(rest)));
	return active->end_ns + longest;
}

void active_schedule(struct active *active, int64_t now_ns)
{
	const struct node_job *job = job_of(active);

	if (active->going != 0) {
		active->next = NEXT_RELEASE;
		active->next_ns = active->gone_ns;
		return;
	}
	if (active->is_leaving) {
		active->next = NEXT_NONE;
		active->next_ns = NODE_NEVER;
		return;
	}
	if (job->assigned != job->runs_on) {
		int64_t poll_ns = stint_poll(&active->stint, now_ns);

		if (poll_ns != NODE_NEVER && stint_left(&active->stint, poll_ns) > 0) {
			active->next = NEXT_POLL;
			active->next_ns = poll_ns;
			return;
		}
	}
	active->next = NEXT_COMPLETE;
	active->next_ns = completion_ns(active);
}

/* What a device did in the stint until its last slice had ended; it saw at seen_ns that it has to
 * leave (or never). */
static int64_t spans_of_work(struct active *active, int d, int64_t seen_ns, int64_t idle_ns)
{
	const struct stint *stint = &active->stint;
	int64_t ready_ns = stint->ready_ns[d], opened_ns;

	if (active->open_from_ns[d] != NODE_NEVER) {
		opened_ns = active->open_from_ns[d] + active->engine->devices->at[d].open_ns;
		if (active->open_from_ns[d] == active->init_end_ns)
			span(active, d, SPAN_INIT, active->start_ns, active->init_end_ns);
		span(active, d, SPAN_OPEN, active->open_from_ns[d], opened_ns);
		span(active, d, SPAN_COPY, opened_ns, ready_ns);
	}
	active->open_from_ns[d] = NODE_NEVER;
	if (stint->first_ns[d] == NODE_NEVER)
		return later(idle_ns, ready_ns);
	span(active, d, SPAN_HELD, ready_ns, stint->first_ns[d]);
	span(active, d, SPAN_RUN, stint->first_ns[d],
	     seen_ns < stint->last_ns[d] ? seen_ns : stint->last_ns[d]);
	if (seen_ns < stint->last_ns[d])
		span(active, d, SPAN_DRAIN, seen_ns, stint->last_ns[d]);
	return stint->last_ns[d];
}

static void spans_of_leaving(struct active *active, int d, int64_t idle_ns, int64_t drained_ns,
			     int64_t gone_ns)
{
	int64_t out_ns = drained_ns + job_of(active)->profile.copy_out_ns[d];
	int64_t closed_ns = out_ns + active->engine->devices->at[d].close_ns;

	span(active, d, SPAN_HELD, idle_ns, drained_ns);
	span(active, d, SPAN_COPY, drained_ns, out_ns);
	span(active, d, SPAN_OPEN, out_ns, closed_ns);
	span(active, d, SPAN_HELD, closed_ns, gone_ns);
}

/* What slices that have ended by now teach. Of a stint that is over those that still run are behind
 * it until they end. */
static void observe(struct active *active, int64_t now_ns, bool is_over)
{
	struct engine *engine = active->engine;
	struct stint *stint = &active->stint;

	if (!engine->policy->learns)
		return;
	for (int d = 0; d < NODE_DEVICES; d++)
		if (active->behind_end_ns[d] <= now_ns) {
			node_observe(engine->state, active->slot, d, 1, active->behind_ns[d]);
			active->behind_end_ns[d] = NODE_NEVER;
		}
	if (active->is_leaving)
		return;
	for (int i = 0; i < stint->bag.n; i++) {
		int d = stint->device_of[i];
		int64_t ended = is_over ? stint->kept[d] : stint_ended(stint, d, now_ns);

		if (is_over && ended > 0 && stint->last_ns[d] > now_ns) {
			ended--;
			active->behind_ns[d] = stint->bag.slice_ns[i];
			active->behind_end_ns[d] = stint->last_ns[d];
		}
		if (ended > active->observed[d])
			node_observe(engine->state, active->slot, d, ended - active->observed[d],
				     stint->bag.slice_ns[i]);
		active->observed[d] = ended;
	}
}

/* All devices drain, then all copy out, close, and are released. */
static void leave_all(struct active *active, int64_t now_ns, const int64_t *idle_ns)
{
	uint32_t devices = active->stint.devices;
	int64_t drained_ns = now_ns;

	active->going = devices;
	active->is_leaving = true;
	for (uint32_t rest = devices; rest != 0; rest &= rest - 1)
		drained_ns = later(drained_ns, idle_ns[__builtin_ctz(rest)]);
	active->gone_ns = drained_ns;
	for (uint32_t rest = devices; rest != 0; rest &= rest - 1)
		active->gone_ns = later(active->gone_ns,
					drained_ns + closing_ns(active, __builtin_ctz(rest)));
	for (uint32_t rest = devices; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);

		spans_of_leaving(active, d, spans_of_work(active, d, now_ns, idle_ns[d]),
				 drained_ns, active->gone_ns);
	}
	job_of(active)->phase = NODE_SWITCHING;
}

/* Those that it keeps go on, those that it gets open, the others drain, each for itself. */
static void leave_changed(struct active *active, int64_t now_ns, const int64_t *idle_ns,
			  int64_t barrier_ns)
{
	struct node_state *state = active->engine->state;
	uint32_t before = active->stint.devices, carried = 0;
	uint32_t kept = before & job_of(active)->assigned;

	active->going = before & ~kept;
	active->gone_ns = now_ns;
	for (uint32_t rest = before; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);

		if (active->going >> d & 1)
			active->gone_ns = later(active->gone_ns,
						later(now_ns, idle_ns[d]) + closing_ns(active, d));
	}
	for (uint32_t rest = before; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);
		int64_t last_ns = active->stint.last_ns[d];
		bool goes = active->going >> d & 1;
		int64_t worked_ns =
			spans_of_work(active, d, goes ? now_ns : NODE_NEVER, idle_ns[d]);

		if (goes) {
			spans_of_leaving(active, d, worked_ns, later(now_ns, idle_ns[d]),
					 active->gone_ns);
			continue;
		}
		if (last_ns != NODE_NEVER)
			carried |= (uint32_t)(last_ns > now_ns) << d;
		else if (idle_ns[d] > now_ns)
			carried |= active->stint.carried & UINT32_C(1) << d;
		span(active, d, SPAN_HELD, worked_ns, now_ns);
		active->stint.ready_ns[d] = later(now_ns, idle_ns[d]);
	}
	active->stint.carried = carried;
	node_take(state, active->slot);
	active->nswitches++;
	begin_stint(active, job_of(active)->runs_on & ~kept, now_ns, barrier_ns);
}

void active_leave(struct active *active, int64_t now_ns)
{
	int64_t idle_ns[NODE_DEVICES], barrier_ns;

	active->left = stint_left(&active->stint, now_ns);
	barrier_ns = stint_stop(&active->stint, now_ns, idle_ns);
	observe(active, now_ns, true);
	job_of(active)->left = active->left;
	if (active->engine->rules.release_changed &&
	    node_may_take(active->engine->state, active->slot))
		leave_changed(active, now_ns, idle_ns, barrier_ns);
	else
		leave_all(active, now_ns, idle_ns);
}

void active_release(struct active *active, int64_t now_ns)
{
	(void)now_ns;
	node_release(active->engine->state, active->slot, active->going);
	active->going = 0;
}

void active_complete(struct active *active, int64_t now_ns)
{
	struct engine *engine = active->engine;
	struct engine_result result = {
		.id = active->id,
		.start_ns = active->start_ns,
		.end_ns = now_ns,
		.nswitches = active->nswitches,
		.devices = active->used,
	};

	stint_finish(&active->stint);
	observe(active, now_ns, true);
	for (uint32_t rest = active->stint.devices; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);

		spans_of_leaving(active, d,
				 spans_of_work(active, d, NODE_NEVER, active->stint.ready_ns[d]),
				 active->end_ns, now_ns);
	}
	node_complete(engine->state, active->slot);
	engine->sink.done(engine->sink.context, &result);
}

void active_sync(struct active *active, int64_t now_ns)
{
	struct node_job *job = job_of(active);

	observe(active, now_ns, false);
	if (active->is_leaving)
		return;
	job->phase = now_ns < active->init_end_ns ? NODE_INIT : NODE_RUNNING;
	job->left = stint_left(&active->stint, now_ns);
}
