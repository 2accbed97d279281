/* map.c - a request of mapref, from its files to the mapping */
#include "map/map.h"

#include <stdlib.h>
#include <string.h>

#include "map/explain.h"
#include "map/finalists.h"
#include "map/team/team.h"
#include "machine/load.h"
#include "machine/route/expected.h"
#include "base/die.h"
#include "base/processes.h"
#include "base/str.h"
#include "formats/out.h"
#include "model/kinds.h"

/* What a request opens, in the order it is opened. */
struct map_session {
	const struct run_context *context;
	const struct map_request *request;
	struct table_in *in;
	struct topo *topo;
	struct comm *comm, *symmetric;
	struct allocation allocation;
	struct routing *routing;
	struct routes routes, spread; /* spread: over all shortest paths, if those are asked for */
	struct map_aim aim;
	struct travel travel;
	bool is_rehearsed;
	struct mapping mapping;
	map_rival_list finalists;
	struct map_stages stages;
	struct team *team;
	double *memory; /* of each process; NULL: not requested */
};

static int read_graph(struct map_session *session, struct err *err)
{
	const struct table_kind *const kinds[] = {&kind_comm, NULL};
	char *paths[] = {(char *)session->request->graph, NULL};

	if (table_open(&session->in, kinds, paths, session->context->accepts_partial, err) != 0 ||
	    topo_resolve(&session->topo, session->context->topology, session->in, err) != 0 ||
	    comm_read(&session->comm, session->in, session->request->allocation.job, 0, err) != 0)
		return -1;
	session->symmetric = comm_symmetric(session->comm);
	return 0;
}

static int find_nodes(struct map_session *session, struct err *err)
{
	const struct allocation *allocation = &session->allocation;

	if (allocation_read(&session->allocation, &session->request->allocation, session->topo,
			    session->context->accepts_partial, err) != 0)
		return -1;
	if (session->request->imbalance >= 0 &&
	    allocation_balance(&session->allocation, session->comm->nranks,
			       session->request->imbalance, err) != 0)
		return -1;
	if (session->comm->nranks > allocation->nslots)
		return err_set(err, "%d ranks do not fit the %d slots of %zu nodes",
			       session->comm->nranks, allocation->nslots, allocation->nodes.n);
	return 0;
}

/* Unless -m says otherwise those come first whose product of loads is least, which simulated times
 * follow best. */
static int find_finalists(struct map_session *session, const struct map_input *in, struct err *err)
{
	const struct map_request *request = session->request;
	struct map_aim aim = session->aim;

	if (request->metric == NULL)
		aim = map_aim_of_time;
	return map_finalists_find(&session->finalists, in, &request->choice, &aim,
				  (int)request->nfinalists, err);
}

static bool asks_for_stages(const struct map_request *request)
{
	return request->stats != NULL || request->explain != NULL;
}

static int write_explanation(const struct map_session *session, const struct map_input *in,
			     struct err *err)
{
	struct out *out;

	if (team_process(session->team) != 0)
		return 0;
	if (out_open(&out, session->request->explain, session->context->command, err) != 0)
		return -1;
	if (in->comm->nranks > 0)
		map_explain(in, &session->stages, out);
	return out_close(out, true, err);
}

static void expect_loads(struct map_session *session)
{
	if (expected_is_spread(session->routing))
		routes_expect(&session->routes, session->request->expected);
	else if (team_process(session->team) == 0)
		warn_no_effect("--expected", "the routing takes one path for each pair of nodes");
}

static int learn_travel(struct map_session *session, struct map_input *in, struct err *err)
{
	if (session->request->learn_travel(&session->travel, session->topo, err) != 0)
		return -1;
	in->travel = &session->travel;
	in->is_rehearsed = &session->is_rehearsed;
	return 0;
}

/* The mapping, or several of them. */
static int find_mappings(struct map_session *session, const struct map_input *in, struct err *err)
{
	const struct map_request *request = session->request;
	int status;

	if (request->nfinalists > 0)
		status = find_finalists(session, in, err);
	else
		status = map_run(in, &request->choice, &session->mapping,
				 asks_for_stages(request) ? &session->stages : NULL, err);
	if (status == 0 && in->travel != NULL && !session->is_rehearsed &&
	    team_process(session->team) == 0)
		warn_no_effect("--bytes", "no mapping is rehearsed");
	return status;
}

static int map(struct map_session *session, struct err *err)
{
	struct map_input in = {
		.topo = session->topo,
		.routes = &session->routes,
		.real_routes = &session->routes,
		.comm = session->comm,
		.symmetric = session->symmetric,
		.nodes = session->allocation.nodes.at,
		.nnodes = (int)session->allocation.nodes.n,
		.room = session->allocation.room,
		.nslots = session->allocation.nslots,
		.seed = (uint64_t)session->context->seed,
		.accepts_partial = session->context->accepts_partial,
		.team = session->team,
		.routing = session->request->routing,
		.aim = session->request->metric != NULL ? &session->aim : NULL,
	};

	if (map_aim_read(&session->aim, session->request->metric, err) != 0)
		return -1;
	if (session->request->learn_travel != NULL && learn_travel(session, &in, err) != 0)
		return -1;
	if (routing_open(&session->routing, session->topo, session->request->routing, err) != 0)
		return -1;
	routes_init(&session->routes, session->topo, session->routing, in.nodes, in.nnodes);
	if (session->request->expected >= 0)
		expect_loads(session);
	if (session->request->ignores_routes) {
		routes_init(&session->spread, session->topo, session->routing, in.nodes, in.nnodes);
		routes_spread(&session->spread);
		in.routes = &session->spread;
	}
	if (find_mappings(session, &in, err) != 0)
		return -1;
	return session->request->explain != NULL ? write_explanation(session, &in, err) : 0;
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
	if (request->expected >= 0)
		buf_printf(&name, "/expected=%g", request->expected);
	return name.text;
}

static const char *job_name(const struct map_session *session)
{
	return session->allocation.job != NULL ? session->allocation.job
					       : session->request->allocation.job;
}

static void write_found(const struct map_session *session, struct table_out *table)
{
	char *mapper = mapper_name(session->request);

	mapping_write(&session->mapping, session->topo, NULL, mapper, job_name(session), table);
	free(mapper);
}

/* Each in a run of its own: 1 is the best. */
static void write_finalists(const struct map_session *session, struct table_out *table)
{
	for (size_t i = 0; i < session->finalists.n; i++) {
		const struct map_rival *finalist = &session->finalists.at[i];
		char *run = xasprintf("%zu", i + 1);

		mapping_write(&finalist->mapping, session->topo, run, finalist->name,
			      job_name(session), table);
		free(run);
	}
}

static int write_mapping(struct map_session *session, bool whole, struct err *err)
{
	struct table_out *table;
	struct out *out;

	if (out_open(&out, session->context->output, session->context->command, err) != 0)
		return -1;
	table = table_out_new(out, &kind_mapping);
	table_out_meta_of(table, session->in);
	topo_record(session->topo, table);
	if (session->request->nfinalists > 0)
		write_finalists(session, table);
	else
		write_found(session, table);
	table_out_end(table, whole);
	return out_close(out, whole, err);
}

static void stats_row(struct table_out *table, const char *scope, const char *id,
		      const char *metric, double value, const char *unit)
{
	table_out_text(table, table_out_column(table, "scope"), scope);
	table_out_text(table, table_out_column(table, "id"), id);
	table_out_text(table, table_out_column(table, "metric"), metric);
	table_out_real(table, table_out_column(table, "value"), value);
	table_out_text(table, table_out_column(table, "unit"), unit);
	table_out_emit(table);
}

static void stage_row(struct table_out *table, const struct map_stage *stage, const char *metric,
		      double value, const char *unit)
{
	stats_row(table, "stage", stage->name, metric, value, unit);
}

static void write_memory(const struct map_session *session, struct table_out *table)
{
	for (int p = 0; p < team_nprocesses(session->team); p++) {
		char *number = xasprintf("%d", p);

		stats_row(table, "process", number, "peak-memory", session->memory[p], "bytes");
		free(number);
	}
}

static int write_stats(const struct map_session *session, struct err *err)
{
	struct table_out *table;
	struct out *out;

	if (session->request->stats == NULL)
		return 0;
	if (out_open(&out, session->request->stats, session->context->command, err) != 0)
		return -1;
	table = table_out_new(out, &kind_metrics);
	for (int i = 0; i < session->stages.n; i++) {
		const struct map_stage *stage = &session->stages.at[i];

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
	write_memory(session, table);
	table_out_end(table, true);
	return out_close(out, true, err);
}

static int prepare(struct map_session *session, struct err *err)
{
	const char *jobs = session->request->allocation.jobs;

	if (team_nprocesses(session->team) > 1 &&
	    (str_eq(session->request->graph, "-") || (jobs != NULL && str_eq(jobs, "-"))))
		return processes_refuse_stdin(err);
	if (read_graph(session, err) != 0)
		return -1;
	return find_nodes(session, err);
}

/* The first process writes for all. */
static int write(struct map_session *session, bool whole, struct err *err)
{
	if (session->request->stats != NULL)
		session->memory = team_memory(session->team);
	if (team_process(session->team) != 0)
		return 0;
	if (write_mapping(session, whole, err) != 0)
		return -1;
	return write_stats(session, err);
}

/* All processes fare alike, or one says what is wrong, and the others are done. */
static int work_together(struct map_session *session, bool *whole, struct err *err)
{
	int (*const steps[])(struct map_session *, struct err *) = {prepare, map};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (team_agree(session->team, steps[i](session, err), err) != 0)
			return -1;
	*whole = table_is_whole(session->in) && session->allocation.is_whole;
	return write(session, *whole, err);
}

int map_job(const struct run_context *context, const struct map_request *request, bool *whole,
	    struct err *err)
{
	struct map_session session = {.context = context, .request = request};
	int status = team_open(&session.team, (int)context->nthreads, err);

	if (status == 0)
		status = work_together(&session, whole, err);
	free(session.memory);
	mapping_free(&session.mapping);
	map_rival_list_free(&session.finalists);
	routes_free(&session.routes);
	if (request->ignores_routes)
		routes_free(&session.spread);
	routing_close(session.routing);
	allocation_free(&session.allocation);
	comm_free(session.symmetric);
	comm_free(session.comm);
	topo_free(session.topo);
	table_close(session.in);
	team_close(session.team);
	return status;
}
