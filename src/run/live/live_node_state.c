/* live_node_state.c - the state of this node: created again, and shown */
#include "live/live_node_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "cosched/policy/node_policy.h"
#include "formats/out.h"
#include "live/node/state_file.h"
#include "model/devices.h"

static void set_text(const struct node_state *state, uint32_t set, struct buf *text)
{
	const char *between = "";

	for (int d = 0; d < state->ndevices; d++)
		if ((set >> d & 1) != 0) {
			buf_printf(text, "%s%s", between, state->devices[d].name);
			between = "+";
		}
	if (between[0] == '\0')
		buf_char(text, '.');
}

static const char *phase_name(const struct live_copy *copy, int slot)
{
	static const char *const names[] = {"waiting", "init", "running", "switching"};

	if (process_is_stopped(copy->owners[slot]))
		return "stopped";
	return names[copy->state.jobs[slot].phase & 3];
}

static void add_job(const struct live_copy *copy, int slot, struct buf *text)
{
	const struct node_job *job = &copy->state.jobs[slot];

	buf_printf(text, "%" PRId64 "\t%" PRId64 "\t%s\t", job->id, copy->owners[slot].pid,
		   phase_name(copy, slot));
	set_text(&copy->state, job->held, text);
	buf_char(text, '\t');
	set_text(&copy->state, job->assigned, text);
	buf_printf(text, "\t%" PRId64 "\t%s\n", job->left,
		   copy->jobs[slot][0] != '\0' ? copy->jobs[slot] : ".");
}

int live_write_text(const struct run_context *context, struct buf *text, struct err *err)
{
	struct out *out;

	if (out_open(&out, context->output, NULL, err) != 0)
		return -1;
	out_write(out, buf_text(text), text->n);
	return out_close(out, true, err);
}

/* Opens the state for a look. */
static int begin(struct live_state *live, struct live_copy **copy, struct err *err)
{
	if (live_state_open(live, err) != 0)
		return -1;
	if (live_state_begin(live, copy, err) == 0)
		return 0;
	live_state_close(live);
	return -1;
}

int live_state_has(const struct devices *devices, struct err *err)
{
	struct live_state live;
	struct live_copy *copy;
	int n = devices->n;
	bool is_same;

	if (begin(&live, &copy, err) != 0)
		return -1;
	is_same = copy->state.ndevices == n;
	for (int d = 0; is_same && d < n; d++)
		is_same = strncmp(copy->state.devices[d].name, devices->at[d].name,
				  NODE_NAME - 1) == 0;
	live_state_abort(&live);
	live_state_close(&live);
	return is_same ? 0 : err_set(err, "the node's state has other devices than the file");
}

int live_ps(const struct run_context *context, struct err *err)
{
	struct live_state live;
	struct live_copy *copy;
	struct buf text = {0};
	int status;

	if (begin(&live, &copy, err) != 0)
		return -1;
	buf_str(&text, "job\tpid\tphase\tholds\tassigned\tleft\tname\n");
	for (int at = 0; at < copy->state.njobs; at++)
		add_job(copy, copy->state.order[at], &text);
	/* the dead that were found are gone for all */
	status = live_state_commit(&live, false, err);
	live_state_close(&live);
	if (status == 0)
		status = live_write_text(context, &text, err);
	buf_free(&text);
	return status;
}

static void add_event(const struct node_state *state, const struct live_event *event,
		      struct buf *text)
{
	static const char *const names[] = {"arrive", "take", "release", "complete", "dead"};
	const char *between = "";

	buf_printf(text, "%.9f\t%s\t%" PRId64 "\t", (double)event->time_ns / 1e9,
		   event->kind < sizeof(names) / sizeof(*names) ? names[event->kind] : "?",
		   event->job);
	set_text(state, event->devices, text);
	buf_char(text, '\t');
	for (int d = 0; d < state->ndevices; d++)
		if (event->assigned_to[d] >= 0) {
			buf_printf(text, "%s%s=%" PRId64, between, state->devices[d].name,
				   event->assigned_to[d]);
			between = ",";
		}
	buf_str(text, between[0] == '\0' ? ".\n" : "\n");
}

int live_log(const struct run_context *context, struct err *err)
{
	struct live_state live;
	struct live_copy *copy;
	struct buf text = {0};
	uint64_t first;
	int status;

	if (begin(&live, &copy, err) != 0)
		return -1;
	first = copy->nevents > LIVE_SHOWN ? copy->nevents - LIVE_SHOWN : 0;
	buf_str(&text, "time_s\tevent\tjob\tdevices\tassigned\n");
	for (uint64_t i = first; i < copy->nevents; i++)
		add_event(&copy->state, &live.file->events[i % LIVE_EVENTS], &text);
	live_state_abort(&live);
	live_state_close(&live);
	status = live_write_text(context, &text, err);
	buf_free(&text);
	return status;
}

int live_reset(const struct live_reset *how, struct err *err)
{
	struct node_state *state;
	struct devices devices;
	struct pick pick;
	int status;

	if (how->devices == NULL)
		return err_set(err, "-d, --devices is missing; expected a YAML file of devices");
	if (devices_load(&devices, how->devices, err) != 0)
		return -1;
	if (pick_parse(&pick, &node_policies, how->policy, err) != 0) {
		devices_free(&devices);
		return err_prefix(err, "--policy: ");
	}
	state = xcalloc(1, sizeof(*state));
	node_state_init(state, devices.n);
	state->rules.release_changed = how->release_changed;
	node_policy_set(&pick, &state->rules);
	for (int d = 0; d < devices.n; d++) {
		memcpy(state->devices[d].name, devices.at[d].name,
		       strnlen(devices.at[d].name, NODE_NAME - 1));
		state->devices[d].open_ns = devices.at[d].open_ns;
		state->devices[d].close_ns = devices.at[d].close_ns;
	}
	status = how->is_forced ? live_state_create(state, err) : live_state_renew(state, err);
	free(state);
	pick_free(&pick);
	devices_free(&devices);
	return status;
}
