/* map.c - nodes that suit the job's own communication graph; and its ranks on them */
#include <stdlib.h>
#include <string.h>

#include "map/map_run.h"
#include "map/team/team.h"
#include "model/kinds.h"
#include "place/policy/policy.h"

/*
 * Place and map in one decision: the graph is cut into as many parts as the job asks for nodes, and
 * a mapper puts the parts on idle nodes, one on each, out of all that there are. The ranks are
 * mapped onto some choices of nodes, and that one is taken whose simulated time is expected to be
 * least (map_aim_of_time).
 */
struct cut {
	char *job;                     /* whose graph it is; NULL: none is at hand */
	int nnodes, nranks, each;      /* each: ranks that a node takes */
	int64_t asked;                 /* ranks_per_node of the job */
	struct comm *comm, *symmetric; /* of the ranks; NULL: the file has none for it */
	struct map_parts parts;
	struct comm *between, *both; /* of the parts; [nnodes] of them */
};

struct mapper {
	struct routing *routing;
	struct team *team;
	bool has_jobs;   /* the file says whose each row is */
	struct map jobs; /* those that it names */
	struct cut cut;
};

/* ---- graphs ---- */

static int open_graph(const struct alloc *alloc, struct table_in **in, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_comm, NULL};
	char *paths[] = {(char *)pick_word(alloc->pick, "graph"), NULL};

	return table_open(in, kinds, paths, alloc->accepts_partial, err);
}

/* Which jobs the file has graphs of. */
static int list_jobs(struct mapper *mapper, struct table_in *in, struct err *err)
{
	int column = table_find(in, "job"), status;
	struct row row;

	mapper->has_jobs = column >= 0;
	while ((status = table_next(in, &row, err)) == 1) {
		const char *name = row_text(&row, column);

		if (name == NULL)
			mapper->has_jobs = false;
		else
			map_add(&mapper->jobs, name, strlen(name), 0);
	}
	if (status == 0 && !table_is_whole(in))
		return err_set(err, "%s", "the graph is truncated");
	return status;
}

static void forget_cut(struct cut *cut)
{
	free(cut->job);
	comm_free(cut->comm);
	comm_free(cut->symmetric);
	comm_free(cut->between);
	comm_free(cut->both);
	map_parts_free(&cut->parts);
	*cut = (struct cut){0};
}

static int read_graph(const struct alloc *alloc, const struct job *job, struct cut *cut,
		      struct err *err)
{
	const struct mapper *mapper = alloc->state;
	struct table_in *in;
	int status;

	if (mapper->has_jobs && map_get(&mapper->jobs, job->name, strlen(job->name)) < 0)
		return 0;
	status = open_graph(alloc, &in, err);
	if (status == 0)
		status = comm_read(&cut->comm, in, job->name, 0, err);
	table_close(in);
	if (status != 0)
		return err_prefix(err, "map: ");
	cut->symmetric = comm_symmetric(cut->comm);
	cut->nranks = cut->comm->nranks;
	return 0;
}

/* As many ranks on each node as may be, so that all have alike. room [nnodes] */
static void share_ranks(const struct cut *cut, int *room)
{
	for (int i = 0; i < cut->nnodes; i++)
		room[i] = cut->nranks / cut->nnodes + (i < cut->nranks % cut->nnodes);
}

static int cut_graph(const struct alloc *alloc, struct cut *cut, struct err *err)
{
	int *room = xmalloc((size_t)cut->nnodes * sizeof(*room));
	struct map_input in = {.topo = alloc->topo,
			       .comm = cut->comm,
			       .symmetric = cut->symmetric,
			       .nnodes = cut->nnodes,
			       .room = room,
			       .nslots = cut->nranks};
	int status;

	share_ranks(cut, room);
	status = map_parts_make(&cut->parts, &in, pick_pick(alloc->pick, "partition"), err);
	free(room);
	if (status != 0)
		return err_prefix(err, "map: ");
	cut->between = comm_quotient(cut->comm, cut->parts.part_of, cut->nnodes);
	return 0;
}

/* Ranks of the job on a node: what it says, else as many as the graph needs. */
static int ranks_on_each(const struct alloc *alloc, const struct job *job, struct cut *cut,
			 struct err *err)
{
	int needed = (cut->nranks + cut->nnodes - 1) / cut->nnodes;

	cut->each = job->ranks_per_node > 0 ? (int)job->ranks_per_node : needed;
	if (cut->each >= needed || job->segment > 0)
		return 0;
	return row_error(&job->row, err, "%s has %d ranks, the job has %d nodes of %d",
			 pick_word(alloc->pick, "graph"), cut->nranks, cut->nnodes, cut->each);
}

/* The job's graph and its parts are at hand. */
static int know(const struct alloc *alloc, const struct job *job, int nnodes, struct err *err)
{
	struct cut *cut = &((struct mapper *)alloc->state)->cut;
	int status;

	if (cut->job != NULL && str_eq(cut->job, job->name) && cut->nnodes == nnodes &&
	    cut->asked == job->ranks_per_node)
		return 0;
	forget_cut(cut);
	cut->nnodes = nnodes;
	cut->asked = job->ranks_per_node;
	status = read_graph(alloc, job, cut, err);
	if (status == 0 && cut->comm != NULL)
		status = ranks_on_each(alloc, job, cut, err);
	if (status == 0 && cut->nranks > 0 && cut->each * (int64_t)nnodes >= cut->nranks)
		status = cut_graph(alloc, cut, err);
	if (status == 0 && cut->between == NULL)
		cut->between = comm_make(nnodes, 0, NULL, NULL, NULL, NULL);
	if (status == 0)
		cut->both = comm_symmetric(cut->between);
	if (status != 0)
		forget_cut(cut);
	else
		cut->job = xstrdup(job->name);
	return status;
}

/* ---- ranks ---- */

static struct map_input input_of(const struct alloc *alloc, struct routes *routes, const int *nodes,
				 int nnodes, const int *room, uint64_t seed)
{
	const struct mapper *mapper = alloc->state;

	return (struct map_input){.topo = alloc->topo,
				  .routes = routes,
				  .real_routes = routes,
				  .nodes = nodes,
				  .nnodes = nnodes,
				  .room = room,
				  .seed = seed,
				  .team = mapper->team};
}

/* As the nodes were chosen: the i-th part on the i-th of them, if that is better. */
static void keep_parts(const struct map_input *in, const struct cut *cut, int *node_of,
		       struct hybrid_terms *terms)
{
	const struct map_aim in_turn = {.is_in_turn = true};
	struct hybrid_terms chosen = map_measure(in, cut->parts.part_of);

	*terms = map_measure(in, node_of);
	if (!map_aim_is_better(&in_turn, &chosen, terms))
		return;
	*terms = chosen;
	memcpy(node_of, cut->parts.part_of, (size_t)cut->nranks * sizeof(*node_of));
}

/* The ranks of the graph at hand go to these nodes, in the order of its parts. mapping NULL: only
 * the terms. */
static int map_ranks(const struct alloc *alloc, const int_vec *nodes, uint64_t seed,
		     struct hybrid_terms *terms, struct mapping *mapping, struct err *err)
{
	const struct mapper *mapper = alloc->state;
	const struct cut *cut = &mapper->cut;
	char *policy = pick_text(pick_pick(alloc->pick, "mapper"));
	const struct map_choice choice = {.policy = policy};
	int *room = xmalloc(nodes->n * sizeof(*room)), status;
	int *node_of = xmalloc((size_t)cut->nranks * sizeof(*node_of));
	struct routes routes;
	struct map_input in;

	for (size_t i = 0; i < nodes->n; i++)
		room[i] = cut->each;
	routes_init(&routes, alloc->topo, mapper->routing, nodes->at, (int)nodes->n);
	in = input_of(alloc, &routes, nodes->at, (int)nodes->n, room, seed);
	in.comm = cut->comm;
	in.symmetric = cut->symmetric;
	in.nslots = cut->each * (int)nodes->n;
	status = map_run_nodes(&in, &choice, node_of, err);
	if (status == 0) {
		keep_parts(&in, cut, node_of, terms);
		if (mapping != NULL)
			status = map_run_cores(&in, &choice, node_of, mapping, err);
	}
	routes_free(&routes);
	free(policy);
	free(room);
	free(node_of);
	return status;
}

static int map_job_ranks(struct alloc *alloc, const struct job *job, const int_vec *nodes,
			 uint64_t seed, struct mapping *mapping, struct err *err)
{
	const struct mapper *mapper = alloc->state;
	struct hybrid_terms terms;

	if (know(alloc, job, (int)nodes->n, err) != 0)
		return -1;
	return mapper->cut.parts.part_of != NULL
		       ? map_ranks(alloc, nodes, seed, &terms, mapping, err)
		       : 0;
}

/* ---- nodes ---- */

/* What there is to choose from: each idle node has room for one part. */
struct idle_nodes {
	int *nodes, *room, n; /* [n] */
	struct routes routes;
	struct map_input in; /* whose ranks are the parts */
};

static void list_idle(struct idle_nodes *idle, const struct alloc *alloc,
		      const struct alloc_request *request)
{
	const struct mapper *mapper = alloc->state;
	const struct machine *machine = request->machine;

	idle->nodes = xmalloc((size_t)machine->nidle * sizeof(*idle->nodes));
	idle->room = xmalloc((size_t)machine->nidle * sizeof(*idle->room));
	idle->n = 0;
	for (int node = -1; (node = bitset_next(&machine->idle, node + 1)) >= 0;) {
		idle->room[idle->n] = 1;
		idle->nodes[idle->n++] = node;
	}
	routes_init(&idle->routes, alloc->topo, mapper->routing, idle->nodes, idle->n);
	idle->in = input_of(alloc, &idle->routes, idle->nodes, idle->n, idle->room, request->seed);
	idle->in.comm = mapper->cut.between;
	idle->in.symmetric = mapper->cut.both;
	idle->in.nslots = idle->n;
}

static void free_idle(struct idle_nodes *idle)
{
	routes_free(&idle->routes);
	free(idle->nodes);
	free(idle->room);
}

/* The best choice so far. */
struct best {
	bool is_there;
	struct hybrid_terms terms;
	int_vec nodes; /* of each part in turn */
};

/* The nodes to which a mapper and a refiner send the parts. */
static int try_nodes(const struct alloc *alloc, const struct idle_nodes *idle,
		     const struct map_choice *choice, struct best *best, struct err *err)
{
	const struct mapper *mapper = alloc->state;
	int nparts = idle->in.comm->nranks;
	int *node_of = xmalloc((size_t)nparts * sizeof(*node_of));
	struct hybrid_terms terms;
	int_vec nodes = {0};
	int status = map_run_nodes(&idle->in, choice, node_of, err);

	for (int part = 0; part < nparts && status == 0; part++)
		vec_push(&nodes, idle->nodes[node_of[part]]);
	if (status == 0 && mapper->cut.parts.part_of != NULL)
		status = map_ranks(alloc, &nodes, idle->in.seed, &terms, NULL, err);
	else if (status == 0)
		terms = map_measure(&idle->in, node_of);
	free(node_of);
	if (status == 0 &&
	    (!best->is_there || map_aim_is_better(&map_aim_of_time, &terms, &best->terms))) {
		vec_free(&best->nodes);
		*best = (struct best){true, terms, nodes};
	} else {
		vec_free(&nodes);
	}
	return status;
}

/* Before and after a search for less congestion, and the first nodes that are idle: where those lie
 * well it is hard to do better. */
static int try_all(const struct alloc *alloc, const struct idle_nodes *idle, struct best *best,
		   struct err *err)
{
	const struct mapper *mapper = alloc->state;
	char *start = pick_text(pick_pick(alloc->pick, "start"));
	const struct map_choice choices[] = {
		{.policy = start, .refiner = map_refiner_none.entry.name},
		{.policy = start, .refiner = map_refiner_congestion.entry.name},
		{.policy = map_policy_in_order.entry.name, .refiner = map_refiner_none.entry.name},
	};
	size_t n = mapper->cut.parts.part_of != NULL ? sizeof(choices) / sizeof(choices[0]) : 1;
	int status = 0;

	for (size_t i = 0; i < n && status == 0; i++)
		status = try_nodes(alloc, idle, &choices[i], best, err);
	free(start);
	return status;
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	const struct mapper *mapper = alloc->state;
	struct idle_nodes idle;
	struct best best = {0};
	int status = know(alloc, request->job, request->job->nnodes, err);

	if (status != 0)
		return -1;
	list_idle(&idle, alloc, request);
	status = try_all(alloc, &idle, &best, err);
	for (size_t i = 0; i < best.nodes.n && status == 0; i++)
		alloc_take(request, best.nodes.at[i], nodes);
	if (status == 0 && mapper->cut.parts.part_of != NULL)
		buf_printf(reason, "max-congestion %g, hop-bytes %g", best.terms.mc, best.terms.hb);
	else if (status == 0)
		buf_str(reason, "the graph does not have the job");
	vec_free(&best.nodes);
	free_idle(&idle);
	return status == 0 ? 1 : -1;
}

/* ---- opening ---- */

static int map_open(struct alloc *alloc, struct err *err)
{
	struct mapper *mapper = xcalloc(1, sizeof(*mapper));
	struct table_in *in;
	int status;

	alloc->state = mapper;
	mapper->team = team_alone(1);
	if (routing_open(&mapper->routing, alloc->topo, NULL, err) != 0)
		return -1;
	status = open_graph(alloc, &in, err);
	if (status == 0)
		status = list_jobs(mapper, in, err);
	table_close(in);
	return status == 0 ? 0 : err_prefix(err, "map: ");
}

static void close(struct alloc *alloc)
{
	struct mapper *mapper = alloc->state;

	if (mapper == NULL)
		return;
	forget_cut(&mapper->cut);
	map_free(&mapper->jobs);
	routing_close(mapper->routing);
	team_close(mapper->team);
	free(mapper);
}

const struct alloc_policy alloc_policy_map = {
	.entry =
		{
			.name = "map",
			.example = "map:graph=ring.tsv",
			.summary = "nodes that suit the job's own communication graph, whose ranks "
				   "are mapped onto them",
			.paper = "after Tuncer et al., PaCMap",
			.params =
				(const struct param[]){
					{.key = "graph",
					 .type = PARAM_FILE,
					 .meaning = "a comm stream; with a column job: of several "
						    "jobs"},
					{.key = "partition",
					 .type = PARAM_PICK,
					 .registry = &map_partitions,
					 .def = "scotch",
					 .meaning = "how ranks are grouped for nodes"},
					{.key = "start",
					 .type = PARAM_PICK,
					 .registry = &map_policies,
					 .def = "pacmap",
					 .meaning = "what sends the groups to idle nodes"},
					{.key = "mapper",
					 .type = PARAM_PICK,
					 .registry = &map_policies,
					 .def = "multilevel",
					 .meaning = "what puts the ranks on the nodes"},
					{0}},
		},
	.open = map_open,
	.close = close,
	.choose = choose,
	.map = map_job_ranks,
};
