/* netbench.c - speed of the simulated network: netbench random|adversarial|alltoall SPEC ROUTING
 * MESSAGES [KEY=VALUE]…: messages of 1024 bytes per node; prints packet-hops, events, CPU seconds,
 * packet-hops per CPU second, simulated seconds and the peak of resident memory in MiB */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "machine/load.h"
#include "base/die.h"
#include "base/num.h"
#include "base/rng.h"
#include "base/str.h"
#include "sim/network/net.h"

enum { WINDOW = 8 };

struct bench {
	struct net *net;
	struct rng rng;
	enum { RANDOM, ADVERSARIAL, ALLTOALL } pattern;
	int nnodes, group; /* nodes of a group */
	int64_t nleft;     /* messages to be made */
	int32_t *step;     /* all-to-all: [nnodes] that each node is at */
	int32_t *ncome;    /* and messages of steps that have come */
};

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int destination(struct bench *bench, int node)
{
	int n = bench->nnodes, to;

	if (bench->pattern == ADVERSARIAL) {
		to = node - node % bench->group + bench->group +
		     (int)rng_below(&bench->rng, (uint64_t)bench->group);
		return to % n;
	}
	to = (int)rng_below(&bench->rng, (uint64_t)n - 1);
	return to + (to >= node);
}

static void send_one(struct bench *bench, int node, int to)
{
	net_send(bench->net, &(struct net_message){.src = node,
						   .dst = to,
						   .bytes = 1024,
						   .cookie = (uint64_t)node << 32 | (uint32_t)to,
						   .skips_injected = true});
}

/* In step s node i sends to i + s and waits for the message of i − s. */
static void delivered(void *context, uint64_t cookie)
{
	struct bench *bench = context;
	int from = (int)(cookie >> 32), node = (int)(cookie & UINT32_MAX);

	if (bench->pattern != ALLTOALL) {
		if (bench->nleft-- > 0)
			send_one(bench, from, destination(bench, from));
		return;
	}
	/* a message of a later step may come first; as many as steps are what counts */
	bench->ncome[node]++;
	while (bench->step[node] <= bench->ncome[node] && bench->step[node] < bench->nnodes - 1) {
		bench->step[node]++;
		send_one(bench, node, (node + bench->step[node]) % bench->nnodes);
	}
}

static void run(struct bench *bench, int64_t n)
{
	const struct net_events events = {.delivered = delivered, .context = bench};
	struct err err;

	net_start(bench->net, 1, "", 1);
	net_listen(bench->net, NET_MPI, &events);
	bench->rng = rng_make(1, "bench", NULL, NULL);
	bench->nleft = n * bench->nnodes;
	for (int node = 0; node < bench->nnodes; node++) {
		bench->step[node] = 1;
		bench->ncome[node] = 0;
		for (int i = 0; i < WINDOW && bench->pattern != ALLTOALL; i++, bench->nleft--)
			send_one(bench, node, destination(bench, node));
		if (bench->pattern == ALLTOALL)
			send_one(bench, node, (node + 1) % bench->nnodes);
	}
	if (net_run(bench->net, INT64_MAX, &err) != 0)
		die("%s", err.msg);
}

int main(int argc, char **argv)
{
	struct topo *topo;
	struct sim_params params;
	struct bench bench = {0};
	struct rusage usage;
	struct err err;
	int64_t n;
	double start;

	if (argc < 5 || num_int(argv[4], 1, 1000000, &n) != 0)
		die("usage: netbench random|adversarial|alltoall SPEC ROUTING MESSAGES "
		    "[KEY=VALUE]...");
	if (topo_load(&topo, argv[2], &err) != 0 ||
	    sim_params_open(&params, topo, NULL, (const char *const *)argv + 5, argc - 5, argv[3],
			    &err) != 0 ||
	    net_open(&bench.net, topo, &params, &err) != 0)
		die("%s", err.msg);
	bench.pattern = str_eq(argv[1], "alltoall")      ? ALLTOALL
			: str_eq(argv[1], "adversarial") ? ADVERSARIAL
							 : RANDOM;
	bench.nnodes = topo->nnodes;
	bench.group = topo->ntiers > 1 ? topo->nnodes / topo->tiers[1].n : 1;
	bench.step = calloc((size_t)topo->nnodes, sizeof(*bench.step));
	bench.ncome = calloc((size_t)topo->nnodes, sizeof(*bench.ncome));
	start = cpu_s();
	run(&bench, n);
	start = cpu_s() - start;
	getrusage(RUSAGE_SELF, &usage);
	printf("%lld\t%lld\t%.3f\t%.0f\t%.9f\t%.1f\n",
	       (long long)net_totals(bench.net, NET_MPI, 0).packet_hops,
	       (long long)net_nevents(bench.net), start,
	       (double)net_totals(bench.net, NET_MPI, 0).packet_hops / start,
	       (double)net_now(bench.net) / 1e12, (double)usage.ru_maxrss / 1024);
	net_close(bench.net);
	sim_params_close(&params);
	topo_free(topo);
	free(bench.step);
	free(bench.ncome);
	return 0;
}
