/* sim_tell.c - what netsim says at its end on standard error */
#include "base/die.h"
#include "sim/sim.h"

/* What partitions did, for who wants to know what more threads would give. */
static void tell_work(const struct net_work *work)
{
	double nevents = (double)work->nevents;

	say("partitions=%d threads=%d window_s=%.4g windows=%lld long=%lld shared=%lld "
	    "events/window=%.1f balance=%.3f",
	    work->nparts, work->nthreads, (double)work->window_ps / 1e12, (long long)work->nwindows,
	    (long long)work->nlong, (long long)work->nshared, nevents / (double)work->nwindows,
	    work->nmost > 0 ? nevents / work->nparts / (double)work->nmost : 1);
	if (work->busiest_s > 0)
		say("busy_s=%.3f busiest_s=%.3f", work->busy_s, work->busiest_s);
}

void netsim_tell(const struct netsim_result *result)
{
	if (result->nunplaced > 0)
		warn("%lld jobs have no nodes and were not simulated",
		     (long long)result->nunplaced);
	if (result->nunfinished > 0)
		warn("%lld jobs were not done by then", (long long)result->nunfinished);
	if (result->work.nwindows > 0)
		tell_work(&result->work);
	say("packets=%lld packet-hops=%lld events=%lld cpu_s=%.3f packet-hops-per-cpu_s=%.3g",
	    (long long)result->packets, (long long)result->packet_hops, (long long)result->nevents,
	    result->cpu_s, result->cpu_s > 0 ? (double)result->packet_hops / result->cpu_s : 0);
}
