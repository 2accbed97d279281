/* map.c - a request of mapref, from its files to the mapping */
#include "map/map.h"

#include <stdlib.h>
#include <string.h>

#include "map/team/team.h"
#include "machine/load.h"
#include "base/str.h"
#include "formats/out.h"
#include "model/kinds.h"

/* What a request opens, in the order it is opened. */
struct work {
	const struct run_context *context;
	const struct map_request *request;
	struct table_in *in;
	struct topo *topo;
	struct comm *comm, *symmetric;
	struct allocation allocation;
	struct routing *routing;
	struct routes routes, spread; /* spread: over all shortest paths, if those are asked for */
	struct map_aim aim;
	struct mapping mapping;
	struct map_stages stages;
	struct team *team;
};

static int read_graph(struct work *work, struct err *err)
{
	const struct table_kind *const kinds[] = {&kind_comm, NULL};
	char *paths[] = {(char *)work->request->graph, NULL};

	if (table_open(&work->in, kinds, paths, work->context->accepts_partial, err) != 0 ||
	    topo_resolve(&work->topo, work->context->topology, work->in, err) != 0 ||
	    comm_read(&work->comm, work->in, work->request->allocation.job, 0, err) != 0)
		return -1;
	work->symmetric = comm_symmetric(work->comm);
	return 0;
}

static int find_nodes(struct work *work, struct err *err)
{
	const struct allocation *allocation = &work->allocation;

	if (allocation_read(&work->allocation, &work->request->allocation, work->topo,
			    work->context->accepts_partial, err) != 0)
		return -1;
	if (work->comm->nranks > allocation->nslots)
		return err_set(err, "%d ranks do not fit the %d slots of %zu nodes",
			       work->comm->nranks, allocation->nslots, allocation->nodes.n);
	return 0;
}

static int map(struct work *work, struct err *err)
{
	struct map_input in = {
		.topo = work->topo,
		.routes = &work->routes,
		.real_routes = &work->routes,
		.comm = work->comm,
		.symmetric = work->symmetric,
		.nodes = work->allocation.nodes.at,
		.nnodes = (int)work->allocation.nodes.n,
		.room = work->allocation.room,
		.nslots = work->allocation.nslots,
		.seed = (uint64_t)work->context->seed,
		.accepts_partial = work->context->accepts_partial,
		.team = work->team,
		.routing = work->request->routing,
		.aim = work->request->metric != NULL ? &work->aim : NULL,
	};

	if (map_aim_read(&work->aim, work->request->metric, err) != 0)
		return -1;
	if (routing_open(&work->routing, work->topo, work->request->routing, err) != 0)
		return -1;
	routes_init(&work->routes, work->topo, work->routing, in.nodes, in.nnodes);
	if (work->request->ignores_routes) {
		routes_init(&work->spread, work->topo, work->routing, in.nodes, in.nnodes);
		routes_spread(&work->spread);
		in.routes = &work->spread;
	}
	return map_run(&in, &work->request->choice, &work->mapping,
		       work->request->stats != NULL ? &work->stages : NULL, err);
}

/* What distinguishes mappings: the mapper, and what was not left to it. */
static char *mapper_name(const struct map_request *request)
{
	const struct map_choice *choice = &request->choice;
	struct buf name = {0};

	buf_str(&name, choice->policy);
	if (choice->partition != NULL)
		buf_printf(&name, "/partition=%s", choice->partition);
	if (choice->refiner != NULL)
		buf_printf(&name, "/refine=%s", choice->refiner);
	if (choice->cores != NULL)
		buf_printf(&name, "/cores=%s", choice->cores);
	if (request->metric != NULL)
		buf_printf(&name, "/metric=%s", request->metric);
	if (request->ignores_routes)
		buf_str(&name, "/ignore-routes");
	return name.text;
}

static int write_mapping(struct work *work, bool whole, struct err *err)
{
	struct table_out *table;
	char *mapper;
	struct out *out;

	if (out_open(&out, work->context->output, work->context->command, err) != 0)
		return -1;
	table = table_out_new(out, &kind_mapping);
	table_out_meta_of(table, work->in);
	topo_record(work->topo, table);
	mapper = mapper_name(work->request);
	mapping_write(&work->mapping, work->topo, mapper,
		      work->allocation.job != NULL ? work->allocation.job
						   : work->request->allocation.job,
		      table);
	free(mapper);
	table_out_end(table, whole);
	return out_close(out, whole, err);
}

static void stage_row(struct table_out *table, const struct map_stage *stage, const char *metric,
		      double value, const char *unit)
{
	table_out_text(table, table_out_column(table, "scope"), "stage");
	table_out_text(table, table_out_column(table, "id"), stage->name);
	table_out_text(table, table_out_column(table, "metric"), metric);
	table_out_real(table, table_out_column(table, "value"), value);
	table_out_text(table, table_out_column(table, "unit"), unit);
	table_out_emit(table);
}

static int write_stats(const struct work *work, struct err *err)
{
	struct table_out *table;
	struct out *out;

	if (work->request->stats == NULL)
		return 0;
	if (out_open(&out, work->request->stats, work->context->command, err) != 0)
		return -1;
	table = table_out_new(out, &kind_metrics);
	for (int i = 0; i < work->stages.n; i++) {
		const struct map_stage *stage = &work->stages.at[i];

		stage_row(table, stage, "cpu-time", stage->cpu_s, "s");
		stage_row(table, stage, "wall-time", stage->wall_s, "s");
		stage_row(table, stage, "rounds", (double)stage->nrounds, NULL);
		stage_row(table, stage, "moves", (double)stage->nmoves, NULL);
		stage_row(table, stage, "route-bytes", (double)stage->route_bytes, "bytes");
		if (!stage->is_measured)
			continue;
		stage_row(table, stage, "hop-bytes", stage->terms.hb, "bytes");
		stage_row(table, stage, "max-congestion", stage->terms.mc, "bytes");
		stage_row(table, stage, "nzca", stage->terms.nzca, "bytes");
		stage_row(table, stage, "nzcv", stage->terms.nzcv, "bytes2");
	}
	table_out_end(table, true);
	return out_close(out, true, err);
}

static int prepare(struct work *work, struct err *err)
{
	const char *jobs = work->request->allocation.jobs;

	if (team_nprocesses(work->team) > 1 &&
	    (str_eq(work->request->graph, "-") || (jobs != NULL && str_eq(jobs, "-"))))
		return err_set(err, "-: only one of the processes has standard "
				    "input: a file is needed");
	if (read_graph(work, err) != 0)
		return -1;
	return find_nodes(work, err);
}

/* The first process writes for all. */
static int write(struct work *work, bool whole, struct err *err)
{
	if (team_process(work->team) != 0)
		return 0;
	if (write_mapping(work, whole, err) != 0)
		return -1;
	return write_stats(work, err);
}

/* All processes fare alike, or one says what is wrong, and the others are done. */
static int work_together(struct work *work, bool *whole, struct err *err)
{
	int (*const steps[])(struct work *, struct err *) = {prepare, map};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		int status = steps[i](work, err), speaker = team_speaker(work->team, status == 0);

		if (speaker >= 0) {
			*whole = true;
			return speaker == team_process(work->team) ? -1 : 0;
		}
	}
	*whole = table_is_whole(work->in) && work->allocation.is_whole;
	return write(work, *whole, err);
}

int map_job(const struct run_context *context, const struct map_request *request, bool *whole,
	    struct err *err)
{
	struct work work = {.context = context, .request = request};
	int status = team_open(&work.team, (int)context->nthreads, err);

	if (status == 0)
		status = work_together(&work, whole, err);
	mapping_free(&work.mapping);
	routes_free(&work.routes);
	if (request->ignores_routes)
		routes_free(&work.spread);
	routing_close(work.routing);
	allocation_free(&work.allocation);
	comm_free(work.symmetric);
	comm_free(work.comm);
	topo_free(work.topo);
	table_close(work.in);
	team_close(work.team);
	return status;
}
