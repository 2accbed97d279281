/* sim.c - netsim's work, by this process alone or by those of an MPI launcher */
#include "sim/sim.h"

#include "base/die.h"
#include "base/str.h"
#include "formats/out.h"
#include "machine/load.h"
#include "sim/open_loop.h"
#include "sim/sim_stream.h"

/* Each process reads the jobs by itself. */
static int refuse_stdin(char *const *paths, struct err *err)
{
	bool reads = paths[0] == NULL;

	for (int i = 0; paths[i] != NULL; i++)
		reads |= str_eq(paths[i], "-");
	return reads ? processes_refuse_stdin(err) : 0;
}

/* The first process writes for all. */
static const char *nowhere(const char *path)
{
	return path != NULL ? "/dev/null" : NULL;
}

static int stream_silently(const struct run_context *context, const struct netsim_options *options,
			   struct processes *processes, char *const *paths,
			   struct netsim_result *result, struct err *err)
{
	struct run_context silent = *context;
	struct netsim_options quiet = *options;

	die_set_quiet(true);
	die_set_verbose(false);
	silent.output = "/dev/null";
	quiet.ranks = nowhere(options->ranks);
	quiet.links = nowhere(options->links);
	quiet.counters = nowhere(options->counters);
	quiet.io = nowhere(options->io);
	quiet.storage = nowhere(options->storage);
	return sim_stream(&silent, &quiet, processes, paths, result, err);
}

static int stream_together(const struct run_context *context, const struct netsim_options *options,
			   struct processes *processes, char *const *paths,
			   struct netsim_result *result, struct err *err)
{
	int status = options->open_loop != NULL
			     ? err_set(err, "--open-loop: expected one process, with threads (-j)")
			     : refuse_stdin(paths, err);

	if (processes_agree(processes, status, err) != 0)
		return -1;
	return processes_number(processes) != 0
		       ? stream_silently(context, options, processes, paths, result, err)
		       : sim_stream(context, options, processes, paths, result, err);
}

static int show_parameters(const struct run_context *context, const struct netsim_options *options,
			   struct err *err)
{
	struct sim_params params = {0};
	struct topo *topo = NULL;
	struct out *out = NULL;
	int status = topo_resolve(&topo, context->topology, NULL, err);

	if (status == 0)
		status = sim_params_open(&params, topo, options->profile, options->settings,
					 options->nsettings, options->routing, err);
	if (status == 0)
		status = out_open(&out, context->output, context->command, err);
	if (status == 0)
		sim_params_show(&params, topo, out);
	status = out_finish(out, status, true, err);
	sim_params_close(&params);
	topo_free(topo);
	return status;
}

int netsim_stream(const struct run_context *context, const struct netsim_options *options,
		  char *const *paths, struct netsim_result *result, struct err *err)
{
	struct processes *processes;
	int status = processes_join(&processes, err);

	*result = (struct netsim_result){0};
	if (status != 0)
		return -1;
	if (processes != NULL) {
		status = stream_together(context, options, processes, paths, result, err);
		processes_leave(processes);
		return status;
	}
	if (options->open_loop == NULL && !options->shows_parameters)
		return sim_stream(context, options, NULL, paths, result, err);
	if (paths[0] != NULL)
		return err_set(err, "%s takes no jobs: '%.200s'",
			       options->shows_parameters ? "--show-parameters" : "--open-loop",
			       paths[0]);
	if (!options->shows_parameters)
		return open_loop_stream(context, options, result, err);
	result->is_whole = true;
	return show_parameters(context, options, err);
}
