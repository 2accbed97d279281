/* nccl_costs.c - what NCCL expects its algorithms and protocols to take, and what they cost */
#include "mpi/collective/nccl.h"

#include "mpi/collective/steps.h"

/*
 * NCCL 2.2x's tuning model: an operation takes a base and a latency a step, in microseconds, beside
 * its bytes at the rate of the links; it takes what takes least. LL sends a flag with each word,
 * LL128 one with 120 bytes. Trees and LL128 reach 0.92 of the links' rate.
 */
enum { TREE, RING, NVLS };
enum { INSIDE, NETWORK };
static const double base_us[3][4] = {
	[TREE] = {0, 6.8, 14, 8.4}, [RING] = {0, 6.6, 14, 8.4}, [NVLS] = {0}};
static const double step_us[2][3][4] = {
	[INSIDE] = {[TREE] = {0, .6, 1.25, 4}, [RING] = {0, .6, 1.9, 3.4}, [NVLS] = {0, 0, 0, 25}},
	[NETWORK] = {[TREE] = {0, 5, 8.5, 14}, [RING] = {0, 2.7, 4, 14}, [NVLS] = {0, 0, 0, 20.9}}};
#define TREE_RATE .92

static double wire_factor(enum nccl_protocol protocol)
{
	return protocol == NCCL_LL ? 2 : protocol == NCCL_LL128 ? 128. / 120 : 1;
}

int nccl_channels(const struct collective *call)
{
	int local = places_local(call);

	if (places_domains(call) == 1)
		return 1;
	if (call->places->settings.channels > 0 && call->places->settings.channels < local)
		return (int)call->places->settings.channels;
	return local;
}

/* ---- how long it would take ---- */

static bool is_chain(const struct collective *call)
{
	return call->op == COLLECTIVE_BCAST || call->op == COLLECTIVE_REDUCE;
}

/* Hops of a block, and those of them between domains. */
static void ring_hops(const struct collective *call, int *all, int *between)
{
	int times = call->op == COLLECTIVE_ALLREDUCE ? 2 : 1;

	*all = times * (call->nranks - 1);
	*between = times * (places_domains(call) - 1);
}

static double ring_latency_us(const struct collective *call, enum nccl_protocol protocol)
{
	int all, between;

	ring_hops(call, &all, &between);
	return (all - between) * step_us[INSIDE][RING][protocol] +
	       between * step_us[NETWORK][RING][protocol];
}

static double tree_latency_us(const struct collective *call, enum nccl_protocol protocol)
{
	return 2 * ((places_local(call) - 1) * step_us[INSIDE][TREE][protocol] +
		    collective_log2_up(places_domains(call)) * step_us[NETWORK][TREE][protocol]);
}

static double nvls_latency_us(const struct collective *call)
{
	return step_us[INSIDE][NVLS][NCCL_SIMPLE] +
	       2 * collective_log2_up(places_domains(call)) * step_us[NETWORK][NVLS][NCCL_SIMPLE];
}

static double ring_seconds(const struct collective *call, enum nccl_protocol protocol)
{
	const struct collective_places *places = call->places;
	int m = places->local, all, between;
	double rate = places->inside, wire = (double)call->bytes * wire_factor(protocol);

	ring_hops(call, &all, &between);
	if (places->ndomains > 1) {
		double network = places->between * nccl_channels(call);

		rate = m > 1 ? rate * m / (m - 1) : network;
		rate = network < rate ? network : rate;
	}
	return (base_us[RING][protocol] + ring_latency_us(call, protocol)) * 1e-6 +
	       wire * (is_chain(call) ? 1 : (double)all / call->nranks) / rate;
}

/* The vector twice: at two domains NCCL counts what is inside them alone. */
static double tree_seconds(const struct collective *call, enum nccl_protocol protocol)
{
	const struct collective_places *places = call->places;
	double rate = places->ndomains > 2 ? places->local * places->between : places->inside;

	return (base_us[TREE][protocol] + tree_latency_us(call, protocol)) * 1e-6 +
	       2 * (double)call->bytes * wire_factor(protocol) / (TREE_RATE * rate);
}

double nccl_nvls_load(const struct collective *call)
{
	return 1.2 / .85 / (places_domains(call) > 1 ? .9 : 1);
}

static double nvls_seconds(const struct collective *call)
{
	const struct collective_places *places = call->places;
	double inside = (double)call->bytes * nccl_nvls_load(call) / places->inside;
	double network = (double)call->bytes * nccl_tree_load(places->ndomains) /
			 (places->local * places->between);

	return nvls_latency_us(call) * 1e-6 + (inside > network ? inside : network);
}

/* The protocol that takes least, or the one that was asked for. */
static enum nccl_protocol protocol_of(const struct collective *call,
				      double (*seconds)(const struct collective *call,
							enum nccl_protocol protocol))
{
	enum nccl_protocol best = NCCL_SIMPLE;

	if (call->places->settings.protocol != NCCL_ANY)
		return call->places->settings.protocol;
	for (enum nccl_protocol p = NCCL_LL; p < NCCL_SIMPLE; p++)
		if (seconds(call, p) < seconds(call, best))
			best = p;
	return best;
}

enum nccl_algorithm nccl_allreduce(const struct collective *call)
{
	const struct nccl_settings *settings = &call->places->settings;
	double ring, tree;

	if (settings->algorithm != NCCL_AUTO)
		return settings->algorithm;
	ring = ring_seconds(call, protocol_of(call, ring_seconds));
	tree = tree_seconds(call, protocol_of(call, tree_seconds));
	if (settings->has_nvls && call->places->local > 1 && nvls_seconds(call) < ring &&
	    nvls_seconds(call) < tree)
		return NCCL_NVLS;
	/* trees are for several domains */
	return call->places->ndomains > 1 && tree < ring ? NCCL_TREE : NCCL_RING;
}

/* ---- what the chosen one costs ---- */

static enum nccl_protocol protocol_in(const struct collective *call, int algorithm)
{
	if (call->places == NULL || algorithm == NVLS)
		return NCCL_SIMPLE;
	return protocol_of(call, algorithm == TREE ? tree_seconds : ring_seconds);
}

int64_t nccl_wire_bytes(const struct collective *call, int64_t bytes)
{
	enum nccl_protocol protocol = NCCL_SIMPLE;

	if (call->places != NULL && call->op == COLLECTIVE_ALLREDUCE) {
		enum nccl_algorithm algorithm = nccl_allreduce(call);

		if (algorithm == NCCL_TREE)
			return (int64_t)((double)bytes * wire_factor(protocol_in(call, TREE)) /
					 TREE_RATE);
		if (algorithm == NCCL_RING)
			protocol = protocol_in(call, RING);
	} else {
		protocol = protocol_in(call, RING);
	}
	return (int64_t)((double)bytes * wire_factor(protocol));
}

/* A latency in all, spread over the first n steps, less what the links take in each. */
static int64_t share_ps(const struct collective *call, double base, double latency, int n, int step)
{
	const struct collective_places *places = call->places;
	int64_t own_ps = places->ndomains > 1 ? places->between_ps : places->inside_ps;
	double ps = step < n ? latency * 1e6 / n - (double)own_ps : 0;

	return (int64_t)((ps > 0 ? ps : 0) + (step == 0 ? base * 1e6 : 0));
}

int64_t nccl_ring_delay_ps(const struct collective *call, int step)
{
	enum nccl_protocol protocol = protocol_in(call, RING);
	int all, between;

	if (call->places == NULL)
		return 0;
	ring_hops(call, &all, &between);
	return share_ps(call, base_us[RING][protocol], ring_latency_us(call, protocol), all, step);
}

int64_t nccl_tree_delay_ps(const struct collective *call, int step)
{
	enum nccl_protocol protocol = protocol_in(call, TREE);
	int n = 2 * (places_local(call) - 1 + collective_log2_up(places_domains(call)));

	if (call->places == NULL)
		return 0;
	return share_ps(call, base_us[TREE][protocol], tree_latency_us(call, protocol), n, step);
}

int64_t nccl_nvls_delay_ps(const struct collective *call, int step)
{
	int n = 2 * collective_log2_up(places_domains(call)) + 2;

	if (call->places == NULL)
		return 0;
	return share_ps(call, 0, nvls_latency_us(call), n, step);
}

int64_t nccl_pxn_delay_ps(const struct collective *call, int step)
{
	if (call->places == NULL)
		return 0;
	return share_ps(call, base_us[RING][NCCL_SIMPLE],
			step_us[places_domains(call) > 1][TREE][NCCL_SIMPLE], 1, step);
}
