/* alloc_oracle.c - every policy against its rule, written down slowly, on random states */
#include <math.h>
#include <stdlib.h>

#include "place/policy/policy.h"
#include "machine/load.h"
#include "check.h"

enum { MOST = 512 };

/* A machine as a list of nodes, and a choice in the making. */
struct slow {
	const struct topo *topo;
	int n, ngroups, nrouters;
	int router[MOST], group[MOST]; /* of each node */
	bool idle[MOST];
	double load[MOST], stall[MOST]; /* of each router; NAN: no sample */
	int wanted, picked[MOST], npicked;
	uint64_t lcg;
};

static uint64_t draw(void *context, uint64_t n)
{
	uint64_t *x = context;

	*x = *x * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*x >> 33) % n;
}

static void pick(struct slow *slow, int node)
{
	CHECK(slow->idle[node]);
	slow->idle[node] = false;
	slow->picked[slow->npicked++] = node;
}

static bool done(const struct slow *slow)
{
	return slow->npicked == slow->wanted;
}

/* Idle nodes where of[node] is d (of NULL: all). */
static int count(const struct slow *slow, const int *of, int d)
{
	int n = 0;

	for (int i = 0; i < slow->n; i++)
		n += slow->idle[i] && (of == NULL || of[i] == d);
	return n;
}

static int first(const struct slow *slow, const int *of, int d)
{
	for (int i = 0; i < slow->n; i++)
		if (slow->idle[i] && (of == NULL || of[i] == d))
			return i;
	return -1;
}

static void pick_all(struct slow *slow, const int *of, int d)
{
	while (!done(slow) && first(slow, of, d) >= 0)
		pick(slow, first(slow, of, d));
}

static void slow_simple(struct slow *slow)
{
	pick_all(slow, NULL, 0);
}

static void slow_rdn(struct slow *slow)
{
	while (!done(slow)) {
		int k = (int)draw(&slow->lcg, (uint64_t)count(slow, NULL, 0)), node = 0;

		for (;; node++)
			if (slow->idle[node] && k-- == 0)
				break;
		pick(slow, node);
	}
}

/* Domains that have nodes at all, drawn with replacement. */
static void draw_domains(struct slow *slow, const int *of, int n)
{
	int with[MOST], nwith = 0;

	for (int d = 0; d < n; d++)
		for (int i = 0; i < slow->n; i++)
			if (of[i] == d) {
				with[nwith++] = d;
				break;
			}
	while (!done(slow))
		pick_all(slow, of, with[draw(&slow->lcg, (uint64_t)nwith)]);
}

static void slow_rdr(struct slow *slow)
{
	draw_domains(slow, slow->router, slow->nrouters);
}

static void slow_rdg(struct slow *slow)
{
	draw_domains(slow, slow->group, slow->ngroups);
}

static void slow_rrn(struct slow *slow)
{
	for (int g = 0; !done(slow); g = (g + 1) % slow->ngroups)
		if (count(slow, slow->group, g) > 0)
			pick(slow, first(slow, slow->group, g));
}

static void slow_rrr(struct slow *slow)
{
	for (int g = 0; !done(slow); g = (g + 1) % slow->ngroups)
		if (count(slow, slow->group, g) > 0)
			pick_all(slow, slow->router, slow->router[first(slow, slow->group, g)]);
}

/* The router with fewest (most) idle nodes that has at least so many; ties lowest. */
static int fullest(const struct slow *slow, int least)
{
	int best = -1;

	for (int r = 0; r < slow->nrouters; r++) {
		int n = count(slow, slow->router, r);

		if (n >= least && (best < 0 || n < count(slow, slow->router, best)))
			best = r;
	}
	return best;
}

static int emptiest(const struct slow *slow, const int *of, int n)
{
	int best = 0;

	for (int d = 1; d < n; d++)
		if (count(slow, of, d) > count(slow, of, best))
			best = d;
	return best;
}

static void slow_slurm(struct slow *slow)
{
	int fit = fullest(slow, slow->wanted);

	if (fit >= 0)
		pick_all(slow, slow->router, fit);
	while (!done(slow))
		pick_all(slow, slow->router, fullest(slow, 1));
}

static void slow_slurm_first(struct slow *slow)
{
	for (int r = 0; r < slow->nrouters; r++)
		if (count(slow, slow->router, r) >= slow->wanted) {
			pick_all(slow, slow->router, r);
			return;
		}
	slow_slurm(slow);
}

static void slow_fewer_router(struct slow *slow)
{
	while (!done(slow))
		pick_all(slow, slow->router, emptiest(slow, slow->router, slow->nrouters));
}

/* Of two tiers, routers and groups. */
static void slow_level_spread(struct slow *slow)
{
	int r = emptiest(slow, slow->router, slow->nrouters);
	int g = emptiest(slow, slow->group, slow->ngroups);

	if (count(slow, slow->router, r) >= slow->wanted) {
		pick_all(slow, slow->router, r);
	} else if (count(slow, slow->group, g) >= slow->wanted) {
		for (r = 0; !done(slow); r = (r + 1) % slow->nrouters) {
			int node = first(slow, slow->router, r);

			if (node >= 0 && slow->group[node] == g)
				pick(slow, node);
		}
	} else {
		slow_rrn(slow);
	}
}

/* By (value, label), by (-value, label); nodes without a value last. */
static bool before(const double *value, bool descending, int router_a, int a, int router_b, int b)
{
	double x = value[router_a], y = value[router_b];

	if (isnan(x) || isnan(y))
		return isnan(x) == isnan(y) ? a < b : isnan(y);
	if (x != y)
		return descending ? x > y : x < y;
	return a < b;
}

static void pick_by(struct slow *slow, const double *value, bool descending, int skip)
{
	int order[MOST], n = 0;

	for (int i = 0; i < slow->n; i++) {
		int at = n;

		if (!slow->idle[i])
			continue;
		while (at > 0 && before(value, descending, slow->router[i], i,
					slow->router[order[at - 1]], order[at - 1])) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
		n++;
	}
	for (int i = skip; !done(slow); i++)
		pick(slow, order[i]);
}

static void slow_low_traffic(struct slow *slow)
{
	pick_by(slow, slow->load, false, 0);
}

static void slow_high_traffic(struct slow *slow)
{
	pick_by(slow, slow->load, true, 0);
}

static void slow_low_stall(struct slow *slow)
{
	pick_by(slow, slow->stall, false, 0);
}

/* The job below has sensitivity 0.25: three quarters of the way to the busy end of what
 * is sampled. */
static void slow_smooth(struct slow *slow)
{
	int spare = -slow->wanted;

	for (int i = 0; i < slow->n; i++)
		spare += slow->idle[i] && !isnan(slow->load[slow->router[i]]);
	spare = spare > 0 ? spare : 0;

	pick_by(slow, slow->load, false, (3 * spare + 2) / 4);
}

static void slow_jokanovic(struct slow *slow)
{
	int most = 0;

	for (int g = 0; g < slow->ngroups; g++) {
		int n = 0;

		for (int i = 0; i < slow->n; i++)
			n += slow->group[i] == g;
		most = n > most ? n : most;
	}
	if (slow->wanted >= most) {
		for (int i = slow->n - 1; !done(slow); i--)
			if (slow->idle[i])
				pick(slow, i);
		return;
	}
	for (int g = 0; g < slow->ngroups; g++)
		if (count(slow, slow->group, g) >= slow->wanted) {
			pick_all(slow, slow->group, g);
			return;
		}
	slow_simple(slow);
}

static const struct rule {
	const char *policy;
	void (*choose)(struct slow *slow);
	bool wants_groups;
} rules[] = {
	{"simple", slow_simple, false},
	{"rdn", slow_rdn, false},
	{"rdr", slow_rdr, false},
	{"rdg", slow_rdg, true},
	{"rrn", slow_rrn, true},
	{"rrr", slow_rrr, true},
	{"slurm", slow_slurm, false},
	{"slurm:fit=first", slow_slurm_first, false},
	{"fewer-router", slow_fewer_router, false},
	{"level-spread", slow_level_spread, true},
	{"low-traffic", slow_low_traffic, false},
	{"high-traffic", slow_high_traffic, false},
	{"low-stall", slow_low_stall, false},
	{"nedd", slow_high_traffic, false},
	{"nedd:smooth", slow_smooth, false},
	{"jokanovic:boundary=static", slow_jokanovic, true},
};

/* ---- random states ---- */

static void make_slow(struct slow *slow, const struct topo *topo)
{
	*slow = (struct slow){.topo = topo, .n = topo->nnodes, .nrouters = topo->tiers[0].n};
	slow->ngroups = topo->tiers[topo->ntiers - 1].n;
	for (int i = 0; i < slow->n; i++) {
		slow->router[i] = topo->router_of[i];
		slow->group[i] = topo_domain(topo, i, topo->ntiers - 1);
	}
}

static void shake(struct slow *slow, struct machine *machine, struct rng *rng)
{
	uint64_t busy = rng_below(rng, 100);

	for (int i = 0; i < slow->n; i++) {
		bool idle = rng_below(rng, 100) >= busy || i == slow->n / 2;

		if (idle && !machine_is_idle(machine, i))
			machine_release(machine, i);
		if (!idle && machine_is_idle(machine, i))
			machine_take(machine, i);
		slow->idle[i] = idle;
	}
	/* few values, so that there are ties */
	for (int r = 0; r < slow->nrouters; r++) {
		slow->load[r] = rng_below(rng, 5) == 0 ? NAN : (double)rng_below(rng, 4) * 1.5e6;
		slow->stall[r] = rng_below(rng, 5) == 0 ? NAN : (double)rng_below(rng, 3);
	}
	slow->npicked = 0;
}

/* The machine's counts are what its nodes say. */
static void check_counts(const struct machine *machine)
{
	for (int t = 0; t < machine->ntiers; t++) {
		int *n = xcalloc((size_t)machine->ndomains[t], sizeof(*n));

		for (int i = 0; i < machine->nnodes; i++)
			n[topo_domain(machine->topo, i, t)] += machine_is_idle(machine, i);
		CHECK(memcmp(n, machine->nidle_of[t], (size_t)machine->ndomains[t] * sizeof(*n)) ==
		      0);
		free(n);
	}
	for (int r = 0; r < machine->ndomains[0]; r++)
		CHECK(machine_router_with(machine, machine->nidle_of[0][r], r) == r);
	for (int i = bitset_next(&machine->idle, 0), k = 0; i >= 0;
	     i = bitset_next(&machine->idle, i + 1), k++)
		CHECK_INT(machine_kth_idle(machine, k), i);
}

static void check_choice(const struct rule *rule, struct alloc *alloc, struct slow *slow,
			 struct machine *machine, struct rng *rng)
{
	struct traffic_window window = {.traffic = slow->load, .stall = slow->stall};
	struct job job = {.name = "j", .class = JOB_INSENSITIVE, .sensitivity = 0.25};
	uint64_t lcg = rng_u64(rng);
	struct alloc_request request = {
		.machine = machine, .job = &job, .draw = draw, .draw_context = &lcg};
	struct buf reason = {0};
	int_vec nodes = {0};
	struct err err = {0};
	size_t mark = machine_mark(machine);
	int nidle = machine->nidle;

	/* a window of its own: orders are kept as long as the window is the same one */
	request.traffic = memcpy(xmalloc(sizeof(window)), &window, sizeof(window));
	job.nnodes = slow->wanted = 1 + (int)rng_below(rng, (uint64_t)nidle);
	slow->lcg = lcg;
	rule->choose(slow);
	CHECK_INT(alloc_choose(alloc, &request, &nodes, &reason, &err), 1);
	CHECK_INT((int64_t)nodes.n, job.nnodes);
	if (nodes.n != (size_t)slow->npicked ||
	    memcmp(nodes.at, slow->picked, nodes.n * sizeof(int)) != 0) {
		check_nfailed++;
		printf("%s: %d of %d nodes of %s differ\n", rule->policy, job.nnodes, nidle,
		       slow->topo->name);
	}
	CHECK_INT(machine->nidle, nidle - job.nnodes);
	check_counts(machine);
	machine_undo(machine, mark);
	CHECK_INT(machine->nidle, nidle);
	check_counts(machine);
	job.nnodes = nidle + 1;
	CHECK_INT(alloc_choose(alloc, &request, &nodes, &reason, &err), 0);
	CHECK(nodes.n == 0 && reason.n > 0 && machine->nidle == nidle);
	free(nodes.at);
	buf_free(&reason);
	free((void *)request.traffic);
}

static void check_rule(const struct rule *rule, struct topo *topo, struct slow *slow,
		       struct rng *rng)
{
	struct machine machine;
	struct alloc alloc;
	struct pick pick_of;
	struct err err;

	CHECK_INT(pick_parse(&pick_of, &alloc_policies, rule->policy, &err), 0);
	machine_init(&machine, topo);
	for (int i = 0; i < 25; i++) {
		CHECK_INT(alloc_open(&alloc, &pick_of, topo, false, &err), 0);
		shake(slow, &machine, rng);
		check_choice(rule, &alloc, slow, &machine, rng);
		alloc_close(&alloc);
	}
	machine_free(&machine);
	pick_free(&pick_of);
}

int main(void)
{
	static const char *const machines[] = {"dragonfly:groups=9,routers=4,nodes=4",
					       "dragonfly:groups=5,routers=2,nodes=3",
					       "dragonfly:groups=17,routers=8,nodes=2",
					       "torus:dims=5x4x3",
					       "tree:arity=3x4x2",
					       "fattree:down=6x5,up=1x3,cables=1x1"};
	struct rng rng = rng_make(1, "oracle", NULL, NULL);
	struct slow *slow = xcalloc(1, sizeof(*slow));

	for (size_t m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
		struct topo *topo;
		struct err err;

		if (topo_load(&topo, machines[m], &err) != 0) {
			printf("%s\n", err.msg);
			return 1;
		}
		CHECK(topo->nnodes <= MOST && topo->nrouters <= MOST);
		make_slow(slow, topo);
		for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
			/* the slow level-spread knows two tiers */
			if (rules[i].wants_groups && topo->ntiers != 2)
				continue;
			check_rule(&rules[i], topo, slow, &rng);
		}
		topo_free(topo);
	}
	free(slow);
	return check_done();
}
