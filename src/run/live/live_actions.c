/* live_actions.c - the words of clslice's command line, and what each does */
#include "live/live_actions.h"

#include <stddef.h>

#include "base/die.h"
#include "base/str.h"

typedef int action_fn(const struct run_context *context, struct live_request *request,
		      struct err *err);

/* 1 with a reason: the answer is no. */
static int answer(int status, const struct err *err)
{
	if (status == 1)
		warn("%s", err->msg);
	return status;
}

static int run_kernel(const struct run_context *context, struct live_request *request,
		      struct err *err)
{
	return answer(live_run(context, &request->how, err), err);
}

static int check(const struct run_context *context, struct live_request *request, struct err *err)
{
	(void)context;
	return answer(live_check(&request->how, err), err);
}

static int plan(const struct run_context *context, struct live_request *request, struct err *err)
{
	return live_plan(context, &request->how, err);
}

static int profile(const struct run_context *context, struct live_request *request, struct err *err)
{
	return live_profile(context, &request->how, err);
}

static int switches(const struct run_context *context, struct live_request *request,
		    struct err *err)
{
	return live_switch(context, &request->how, request->reset.release_changed, err);
}

static int reset(const struct run_context *context, struct live_request *request, struct err *err)
{
	(void)context;
	request->reset.devices = request->how.devices;
	return live_reset(&request->reset, err);
}

static int ps(const struct run_context *context, struct live_request *request, struct err *err)
{
	(void)request;
	return live_ps(context, err);
}

static int log_events(const struct run_context *context, struct live_request *request,
		      struct err *err)
{
	(void)request;
	return live_log(context, err);
}

static int run_program(const struct run_context *context, struct live_request *request,
		       struct err *err)
{
	const struct live_options *how = &request->how;

	(void)context;
	request->program.devices = how->devices;
	request->program.use = how->use;
	request->program.is_shared = how->opencl.is_shared;
	request->program.nslices = how->work.nslices > 0 ? how->work.nslices : 16;
	return live_program(&request->program, err);
}

static int run_jobs(const struct run_context *context, struct live_request *request,
		    struct err *err)
{
	request->jobs.devices = request->how.devices;
	request->jobs.policy = request->reset.policy;
	request->jobs.release_changed = request->reset.release_changed;
	return live_jobs(context, &request->jobs, request->program.command, err);
}

static const struct action {
	const char *name;
	action_fn *act;
	int noperands; /* behind it; -1: any number */
} actions[] = {
	{"check", check, 1},      {"plan", plan, 1},      {"profile", profile, 1},
	{"reset", reset, 0},      {"ps", ps, 0},          {"log", log_events, 0},
	{"run", run_program, -1}, {"jobs", run_jobs, -1}, {"switch", switches, 1},
};

int live_act(const struct run_context *context, struct live_request *request, char **operands,
	     struct err *err)
{
	struct action action = {"", run_kernel, 1};

	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (str_eq(operands[0], actions[i].name)) {
			action = actions[i];
			operands++;
			break;
		}
	if (action.noperands == 1 && (operands[0] == NULL || operands[1] != NULL))
		return err_set(err, "expected one KERNEL.yaml");
	if (action.noperands == 0 && operands[0] != NULL)
		return err_set(err, "expected nothing behind %s", action.name);
	request->how.kernel = operands[0];
	request->program.command = operands;
	return action.act(context, request, err);
}
