/* link_forms.c - links in use by closed forms, and who goes together, against following each route
 */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "place/constraint/link_cliques.h"

static const struct {
	const char *spec;
	const struct link_form *form;
} cases[] = {
	{"dragonfly:groups=9,routers=4,nodes=2", &link_form_dragonfly},
	{"dragonfly:groups=5,routers=7,nodes=3,arrangement=relative", &link_form_dragonfly},
	{"dragonfly:groups=3,routers=70,nodes=1,arrangement=circulant", &link_form_dragonfly},
	{"dragonfly:groups=1,routers=6,nodes=2", &link_form_dragonfly},
	{"dragonfly:groups=3,routers=4,nodes=2,links=2", &link_form_walked},
	{"dragonfly:groups=3,routers=3x2,nodes=2", &link_form_walked},
	{"torus:dims=5x4x3", &link_form_grid},
	{"torus:dims=2x3x2", &link_form_grid},
	{"torus:dims=6x2", &link_form_grid},
	{"mesh:dims=4x5", &link_form_grid},
	{"mesh:dims=3x1x4x2", &link_form_grid},
	{"torus:dims=70x2", &link_form_grid},
	{"ring:nodes=9", &link_form_grid},
	{"line:nodes=12,per-router=2", &link_form_grid},
	{"hypercube:dims=5", &link_form_grid},
	{"tree:arity=3x4x2", &link_form_tree},
	{"fattree:k=4,levels=3", &link_form_tree},
	{"fattree:down=4x3x3,up=1x2x3", &link_form_tree},
	{"fattree:down=6x4,up=1x4", &link_form_tree},
	{"fattree:down=2x3x2x2,up=1x3x2x1", &link_form_tree},
	{"fattree:down=70x2,up=1x70", &link_form_tree},
	{"fattree:down=4x4,up=1x2,cables=1x2", &link_form_walked},
	{"slimfly:q=5", &link_form_walked},
};

/* A job of some of the nodes that are idle: either near each other, or anywhere. */
static int pick_job(struct rng *rng, bool *is_busy, int nnodes, int *nodes)
{
	int n = 0, most = 1 + (int)rng_below(rng, (uint64_t)(nnodes / 4 + 1));
	int from = (int)rng_below(rng, (uint64_t)nnodes), percent = 10 + (int)rng_below(rng, 91);

	for (int i = 0; i < nnodes && n < most; i++) {
		int node = (from + i) % nnodes;

		if (is_busy[node] || rng_below(rng, 100) >= (uint64_t)percent)
			continue;
		is_busy[node] = true;
		nodes[n++] = node;
	}
	return n;
}

static uint64_t *mark_jobs(struct links *links, int *const *jobs, const int *n, int njobs)
{
	uint64_t *used = xcalloc((size_t)links->nwords, sizeof(*used));

	for (int j = 0; j < njobs; j++)
		links->form->mark(links, jobs[j], n[j], used);
	return used;
}

/* Of two idle nodes: whether they go together. */
static bool goes(struct links *links, int a, int b)
{
	struct search search = {.steps = INT64_MAX, .wanted = 2};
	int pair[2] = {a, b};

	return links_go_together(links, &search, pair, 2);
}

struct found {
	int nodes[64];
	int n;
};

static int keep(void *context, const int *nodes, int n)
{
	struct found *found = context;

	memcpy(found->nodes, nodes, (size_t)n * sizeof(int));
	found->n = n;
	return 0;
}

/* The first clique in label order, by trying each node in turn. */
static bool first_clique(struct links *links, const int *nodes, int n, int from, int wanted,
			 struct found *found)
{
	if (found->n == wanted)
		return true;
	for (int i = from; i < n; i++) {
		bool together = true;

		for (int k = 0; k < found->n && together; k++)
			together = goes(links, found->nodes[k], nodes[i]);
		if (!together)
			continue;
		found->nodes[found->n++] = nodes[i];
		if (first_clique(links, nodes, n, i + 1, wanted, found))
			return true;
		found->n--;
	}
	return false;
}

static void check_cliques(struct links *links, const int *nodes, int n, struct rng *rng)
{
	int wanted = 1 + (int)rng_below(rng, 5);
	struct found slow = {0}, quick = {0};
	struct search search = {
		.wanted = wanted, .steps = INT64_MAX / 2, .visit = keep, .context = &quick};
	int_vec may = {0};
	bool is_found = first_clique(links, nodes, n, 0, wanted, &slow);

	for (int i = 0; i < n; i++)
		if (wanted == 1 || !links_is_cut(links, nodes[i]))
			vec_push(&may, nodes[i]);
	CHECK(link_cliques(links, &search, may.at, (int)may.n) == SEARCH_ALL);
	CHECK(quick.n == (is_found ? wanted : 0));
	CHECK(!is_found || memcmp(slow.nodes, quick.nodes, (size_t)wanted * sizeof(int)) == 0);
	free(may.at);
}

static void try_state(struct links *form, struct links *walked, struct rng *rng)
{
	enum { JOBS = 5 };
	int nnodes = form->space->topo->nnodes, nidle = 0, n[JOBS], *jobs[JOBS];
	bool *is_busy = xcalloc((size_t)nnodes, sizeof(*is_busy));
	int *idle = xmalloc((size_t)nnodes * sizeof(*idle));
	int njobs = 1 + (int)rng_below(rng, JOBS);
	uint64_t *used, *used_walked;

	for (int j = 0; j < njobs; j++) {
		jobs[j] = xmalloc((size_t)nnodes * sizeof(int));
		n[j] = pick_job(rng, is_busy, nnodes, jobs[j]);
	}
	used = mark_jobs(form, jobs, n, njobs);
	used_walked = mark_jobs(walked, jobs, n, njobs);
	links_use(form, used);
	links_use(walked, used_walked);
	for (int node = 0; node < nnodes; node++)
		if (!is_busy[node])
			idle[nidle++] = node;
	for (int i = 0; i < nidle; i++)
		for (int k = 0; k < i; k++)
			CHECK(goes(form, idle[i], idle[k]) == goes(walked, idle[i], idle[k]));
	check_cliques(form, idle, nidle < 24 ? nidle : 24, rng);
	for (int j = 0; j < njobs; j++)
		free(jobs[j]);
	free(used);
	free(used_walked);
	free(is_busy);
	free(idle);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct topo *topo = machine(cases[i].spec);
		struct rng rng = rng_make(1, "links", cases[i].spec, NULL);
		struct space space;
		struct links form, walked;
		struct err err;

		CHECK(space_open(&space, topo, NULL, NULL, &err) == 0);
		links_open(&form, &space);
		links_open_walked(&walked, &space);
		if (form.form != cases[i].form)
			printf("%s\n", cases[i].spec);
		CHECK(form.form == cases[i].form);
		for (int state = 0; state < 20; state++)
			try_state(&form, &walked, &rng);
		links_close(&form);
		links_close(&walked);
		space_close(&space);
		topo_free(topo);
	}
	return check_done();
}
