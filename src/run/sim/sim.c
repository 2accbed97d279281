/* sim.c - netsim's work, by this process alone or by those of an MPI launcher */
#include "sim/sim.h"

#include "base/die.h"
#include "base/str.h"
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
	if (options->open_loop == NULL)
		return sim_stream(context, options, NULL, paths, result, err);
	return paths[0] == NULL ? open_loop_stream(context, options, result, err)
				: err_set(err, "--open-loop takes no jobs: '%.200s'", paths[0]);
}
