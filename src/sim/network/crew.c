/* crew.c - one simulation in several partitions, on several threads */
#include "sim/network/crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/barrier.h"
#include "base/progress.h"
#include "sim/network/partition.h"

/*
 * Conservative windows (Chandy and Misra; Fujimoto, CACM 1990): what a partition does reaches
 * another one not before the least latency of a link between them is over, and the router's delay
 * or the credits'. So from the earliest event of all on each works alone for that time; what goes
 * to others waits in bags until the window is over. One barrier a window: bags by parity, and the
 * last thread that arrives plans the next window while the others wait.
 *
 * Where windows have few events one thread does them all, and the others sleep.
 */
enum {
	FEW_EVENTS = 40,   /* of a thread, in a window */
	AVERAGED_BITS = 4, /* over about so many windows: 2^bits */
	MANY = 5           /* fourths of FEW_EVENTS, from which on threads share again */
};

/* Of a partition; written by its thread, read while all wait. */
struct member {
	int64_t next_ps; /* no event of its own comes before */
	int64_t mail_ps; /* nor of what it has sent in the window */
	int64_t nevents; /* in the window */
	double busy_s;   /* in the window, where that is measured */
} __attribute__((aligned(64)));

struct crew {
	struct net **parts; /* [nparts] the first is the network itself */
	struct member *members;
	int16_t *part_of;
	struct mail_bag *bags; /* [2 · nparts · nparts] parity, from, to */
	int nparts, nthreads;
	int64_t window_ps; /* INT64_MAX: partitions have nothing to do with each other */

	/* the plan: the window that comes */
	int64_t until_ps, limit_ps;
	uint64_t window;
	bool is_over, is_shared, is_left;
	int64_t average; /* events of a window, · 2^AVERAGED_BITS */

	struct barrier *barrier;
	pthread_t *threads; /* [nthreads − 1] */
	int nstarted;
	bool quits, measures;
	struct net_work work;
};

static double cpu_s(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- what others see ---- */

int net_nparts(const struct net *net)
{
	return net->partition.crew == NULL ? 1 : net->partition.crew->nparts;
}

struct net *net_part(const struct net *net, int part)
{
	return net->partition.crew == NULL ? (struct net *)net : net->partition.crew->parts[part];
}

int net_part_of(const struct net *net, int32_t node)
{
	return net->partition.crew == NULL
		       ? 0
		       : net->partition.of_router[net->plan.topo->router_of[node]];
}

void net_measure(struct net *net)
{
	if (net->partition.crew != NULL)
		net->partition.crew->measures = true;
}

struct net_work net_work(const struct net *net)
{
	struct net_work work = {.nparts = 1, .nthreads = 1};

	if (net->partition.crew == NULL)
		return work;
	work = net->partition.crew->work;
	work.nparts = net->partition.crew->nparts;
	work.nthreads = net->partition.crew->nthreads;
	work.window_ps = net->partition.crew->window_ps;
	for (int i = 0; i < net->partition.crew->nstarted; i++) {
		clockid_t clock;

		if (pthread_getcpuclockid(net->partition.crew->threads[i], &clock) == 0)
			work.cpu_s += cpu_s(clock);
	}
	return work;
}

static struct mail_bag *bag_of(struct crew *crew, uint64_t window, int from, int to)
{
	size_t n = (size_t)crew->nparts;

	return &crew->bags[((window & 1) * n + (size_t)from) * n + (size_t)to];
}

struct mail_bag *crew_bag(struct net *net, int to, int64_t time)
{
	struct crew *crew = net->partition.crew;
	struct member *member = &crew->members[net->partition.number];

	if (time < member->mail_ps)
		member->mail_ps = time;
	return bag_of(crew, crew->window, net->partition.number, to);
}

/* ---- windows ---- */

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* What was sent to a partition in the window before. */
static void take_mail(struct crew *crew, int part)
{
	for (int from = 0; from < crew->nparts; from++)
		mail_take(crew->parts[part], bag_of(crew, crew->window - 1, from, part));
}

/* The window, for one partition. */
static void step(struct crew *crew, int part)
{
	struct net *net = crew->parts[part];
	struct member *member = &crew->members[part];
	double begin = crew->measures ? cpu_s(CLOCK_THREAD_CPUTIME_ID) : 0;
	int64_t before = net->run.nevents;

	take_mail(crew, part);
	member->mail_ps = INT64_MAX;
	net_part_run(net, crew->limit_ps);
	member->next_ps = wheel_next(&net->wheel);
	member->nevents = net->run.nevents - before;
	if (crew->measures)
		member->busy_s = cpu_s(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* What the last window was. */
static void count_window(struct crew *crew)
{
	int64_t sum = 0, most = 0;
	double busiest = 0;

	for (int i = 0; i < crew->nparts; i++) {
		int64_t n = crew->members[i].nevents;

		sum += n;
		most = n > most ? n : most;
		if (crew->members[i].busy_s > busiest)
			busiest = crew->members[i].busy_s;
		crew->members[i].nevents = 0;
		crew->work.busy_s += crew->members[i].busy_s;
		crew->members[i].busy_s = 0;
	}
	crew->work.nevents += sum;
	crew->work.nmost += most;
	crew->work.busiest_s += busiest;
	crew->average += sum - (crew->average >> AVERAGED_BITS);
}

/* Of several partitions' errors the one that comes first in simulated time. */
static bool find_trouble(struct crew *crew)
{
	const struct net *first = NULL;
	struct net *net = crew->parts[0];

	for (int i = 0; i < crew->nparts; i++) {
		const struct net *part = crew->parts[i];

		if (part->run.has_failed &&
		    (first == NULL || part->run.stop_ps < first->run.stop_ps ||
		     (part->run.stop_ps == first->run.stop_ps &&
		      part->run.failed_at < first->run.failed_at)))
			first = part;
	}
	if (first != NULL && first != net) {
		net->run.has_failed = true;
		net->run.error = first->run.error;
	}
	return first != NULL;
}

/* When it ends because all partitions have said so; INT64_MAX: one has not. */
static int64_t find_end(const struct crew *crew)
{
	int64_t latest = 0;

	for (int i = 0; i < crew->nparts; i++) {
		int64_t enough = crew->parts[i]->partition.enough_ps;

		if (enough < 0)
			return INT64_MAX;
		latest = enough > latest ? enough : latest;
	}
	return net_end_ps(latest);
}

/* Whether all threads do the next window. */
static bool is_worth_sharing(const struct crew *crew)
{
	int64_t average = crew->average >> AVERAGED_BITS;
	int64_t few = (int64_t)FEW_EVENTS * crew->nthreads;

	if (crew->nthreads == 1 || crew->measures)
		return crew->nthreads > 1;
	return crew->is_shared ? average >= few : average * 4 >= few * MANY;
}

static void publish(struct crew *crew, int64_t event_ps)
{
	for (int i = 0; i < crew->nparts; i++)
		net_publish(crew->parts[i], event_ps);
}

/* From the earliest event of all on. */
static void plan(struct crew *crew)
{
	struct net *net = crew->parts[0];
	int64_t first = INT64_MAX, end = crew->until_ps, limit;

	count_window(crew);
	for (int i = 0; i < crew->nparts; i++)
		first = sooner(first, sooner(crew->members[i].next_ps, crew->members[i].mail_ps));
	if (net->partition.awaits_enough && net->run.stop_ps == INT64_MAX)
		net->run.stop_ps = find_end(crew);
	end = sooner(end, net->run.stop_ps);
	crew->is_left = first != INT64_MAX;
	crew->is_over = find_trouble(crew) || first > end;
	if (!crew->is_over && progress_must_stop()) {
		crew->until_ps = first - 1;
		crew->is_over = true;
	}
	crew->is_over |= first == INT64_MAX;
	if (crew->is_over)
		return;
	if (first >= net_published_next(net))
		publish(crew, first);
	limit = first > INT64_MAX - crew->window_ps ? INT64_MAX : first + crew->window_ps - 1;
	limit = sooner(sooner(limit, end), net_published_next(net) - 1);
	if (net->partition.awaits_enough) /* the end may come at the next one */
		limit = sooner(limit, net_end_ps(first));
	crew->limit_ps = limit;
	crew->window++;
	crew->work.nwindows++;
	crew->is_shared = is_worth_sharing(crew);
	crew->work.nshared += crew->is_shared;
}

/* Plans, and does windows alone as long as that is as well. */
static void plan_and_do(void *context)
{
	struct crew *crew = context;

	for (;;) {
		plan(crew);
		if (crew->is_over || crew->is_shared)
			return;
		for (int i = 0; i < crew->nparts; i++)
			step(crew, i);
	}
}

/* Windows that all threads share, and between them the plans, until it is over. */
static void work(struct crew *crew, int thread)
{
	do {
		for (int i = thread; i < crew->nparts; i += crew->nthreads)
			step(crew, i);
		barrier_wait(crew->barrier, plan_and_do, crew);
	} while (!crew->is_over);
	barrier_wait(crew->barrier, NULL, NULL); /* all have seen that it is */
}

struct hand {
	struct crew *crew;
	int thread;
};

static void *lend(void *argument)
{
	struct hand hand = *(struct hand *)argument;

	free(argument);
	for (;;) {
		barrier_wait(hand.crew->barrier, NULL, NULL);
		if (hand.crew->quits)
			return NULL;
		work(hand.crew, hand.thread);
	}
}

bool crew_run(struct net *net, int64_t *until_ps)
{
	struct crew *crew = net->partition.crew;
	int64_t last = 0;

	crew->until_ps = *until_ps;
	for (int i = 0; i < crew->nparts; i++)
		crew->members[i].next_ps = wheel_next(&crew->parts[i]->wheel);
	plan_and_do(crew);
	if (!crew->is_over) {
		barrier_wait(crew->barrier, NULL, NULL);
		work(crew, 0);
	}
	/* what is in the bags is needed by checks, and comes behind everything that has happened */
	crew->window++;
	for (int i = 0; i < crew->nparts; i++) {
		take_mail(crew, i);
		crew->members[i].mail_ps = INT64_MAX;
		last = crew->parts[i]->run.now > last ? crew->parts[i]->run.now : last;
	}
	for (int i = 0; i < crew->nparts; i++)
		crew->parts[i]->run.now = last;
	*until_ps = crew->until_ps;
	return crew->is_left;
}

void crew_start(struct net *net)
{
	struct crew *crew = net->partition.crew;

	for (int i = 0; i < 2 * crew->nparts * crew->nparts; i++)
		mail_bag_clear(&crew->bags[i]);
	for (int i = 0; i < crew->nparts; i++)
		crew->members[i] = (struct member){.mail_ps = INT64_MAX};
	crew->window = 0;
	crew->average = 0;
	crew->is_shared = false;
}

/* ---- opening ---- */

/* The partition of the sending end of a port. */
static int part_of_port(const struct net *net, int32_t port)
{
	int32_t channel = port < net->plan.nchannels ? port : port - net->plan.nchannels;
	int32_t from = port_of(net, channel ^ 1)->to;

	if (net->partition.of_router == NULL)
		return 0;
	return net->partition.of_router[from >= 0 ? from : net->plan.topo->router_of[-1 - from]];
}

/* Each partition has the credits of its ports. */
static void deal_out_ports(struct net **parts, int nparts)
{
	struct net *net = parts[0];

	for (int i = 0; i < nparts; i++)
		credits_close(&parts[i]->credits);
	for (int32_t c = 0; c < (int32_t)net_ports_count(net); c++) {
		struct port *port = port_of(net, c);
		struct net *part = parts[part_of_port(net, c)];

		port->is_cut = net->partition.of_router != NULL && c < net->plan.nchannels &&
			       port->to >= 0 &&
			       net->partition.of_router[port->to] != part->partition.number;
		port->ring = part->credits.n;
		port->ring_bits = RING_BITS;
		part->credits.n += 1U << RING_BITS;
	}
	for (int i = 0; i < nparts; i++)
		credits_open(&parts[i]->credits, parts[i]->credits.n);
}

static int open_part(struct crew *crew, int number, struct err *err)
{
	struct net *part = xmalloc(sizeof(*part));
	const struct net *net = crew->parts[0];

	*part = *net;
	part->partition.number = number;
	part->partition.coming = (struct umap){0};
	part->credits = (struct credit_rings){0};
	packets_open(&part->packets);
	messages_open(&part->messages);
	net_agenda_open_part(part);
	part->counts.totals = NULL;
	part->counts.hops_of = NULL;
	part->counts.hops_cap = 0;
	part->ports.ntouched = part->nics.ncopiers = 0;
	net_wheel_open(part);
	part->ports.touched = xmalloc((net_ports_count(net) + 1) * sizeof(*part->ports.touched));
	part->nics.copiers =
		xmalloc(((size_t)net->plan.topo->nnodes + 1) * sizeof(*part->nics.copiers));
	net_injection_open_part(part);
	net_published_open_part(part, net);
	crew->parts[number] = part;
	return forward_open_part(part, net, err);
}

/* How long what one partition does cannot reach another one. */
static int64_t window_of(const struct net *net, int64_t cut_ps)
{
	if (cut_ps == INT64_MAX)
		return INT64_MAX;
	return cut_ps +
	       sooner(net->plan.params->router_delay_ps, net->plan.params->credit_delay_ps);
}

/* Makes fewer threads where no more can be had. */
static void start_threads(struct crew *crew, int nthreads)
{
	crew->threads = xcalloc((size_t)nthreads + 1, sizeof(*crew->threads));
	crew->barrier = barrier_open(nthreads);
	crew->nthreads = nthreads;
	for (int i = 1; i < nthreads; i++) {
		struct hand *hand = xmalloc(sizeof(*hand));

		*hand = (struct hand){crew, i};
		if (pthread_create(&crew->threads[i - 1], NULL, lend, hand) != 0) {
			free(hand);
			crew->nthreads = i;
			barrier_shrink(crew->barrier, i);
			return;
		}
		crew->nstarted++;
	}
}

/* Waits for the threads, which wait at the barrier. */
static void stop_threads(struct crew *crew)
{
	crew->quits = true;
	if (crew->nstarted > 0)
		barrier_wait(crew->barrier, NULL, NULL);
	for (int i = 0; i < crew->nstarted; i++)
		pthread_join(crew->threads[i], NULL);
	barrier_close(crew->barrier);
	free(crew->threads);
}

void crew_close(struct net *net)
{
	struct crew *crew = net->partition.crew;
	size_t n = crew == NULL ? 0 : (size_t)crew->nparts;

	if (crew == NULL)
		return;
	stop_threads(crew);
	for (int i = 1; i < crew->nparts; i++) {
		if (crew->parts[i] == NULL)
			continue;
		net_part_close(crew->parts[i]);
		net_published_close_part(crew->parts[i]);
		forward_close_part(&crew->parts[i]->forward);
		free(crew->parts[i]);
	}
	for (size_t i = 0; i < 2 * n * n; i++)
		mail_bag_free(&crew->bags[i]);
	xlarge_free(crew->bags, 2 * n * n * sizeof(*crew->bags));
	xlarge_free(crew->members, n * sizeof(*crew->members));
	free(crew->parts);
	free(crew->part_of);
	free(crew);
	net->partition.crew = NULL;
	net->partition.of_router = NULL;
}

static int open_crew(struct net *net, struct crew *crew, int nthreads, struct err *err)
{
	size_t n = (size_t)crew->nparts;
	int status = 0;

	net->partition.crew = crew;
	net->partition.of_router = crew->part_of;
	crew->parts = xcalloc(n, sizeof(*crew->parts));
	crew->members = xlarge(n * sizeof(*crew->members));
	crew->bags = xlarge(2 * n * n * sizeof(*crew->bags));
	crew->parts[0] = net;
	start_threads(crew, nthreads < crew->nparts ? nthreads : crew->nparts);
	for (int i = 1; i < crew->nparts && status == 0; i++)
		status = open_part(crew, i, err);
	if (status != 0)
		return -1;
	deal_out_ports(crew->parts, crew->nparts);
	return 0;
}

int net_split(struct net *net, int nparts, int nthreads, struct err *err)
{
	int64_t latency_ps[TOPO_LEVELS] = {0}, cut_ps;
	struct crew *crew;

	for (int i = 0; i < net_nparts(net); i++)
		net_part_reset(net_part(net, i));
	crew_close(net);
	deal_out_ports(&net, 1);
	nparts = nparts > net->plan.topo->nrouters ? net->plan.topo->nrouters : nparts;
	if (nparts < 2)
		return 1;
	crew = xcalloc(1, sizeof(*crew));
	crew->part_of = xmalloc(((size_t)net->plan.topo->nrouters + 1) * sizeof(*crew->part_of));
	for (int level = 0; level < net->plan.topo->nlevels; level++)
		latency_ps[level] = net->plan.levels[level].latency_ps;
	crew->nparts =
		partition_routers(net->plan.topo, latency_ps, nparts, crew->part_of, &cut_ps);
	crew->window_ps = window_of(net, cut_ps);
	if (crew->nparts < 2 || crew->window_ps < 1) {
		free(crew->part_of);
		free(crew);
		return 1;
	}
	return open_crew(net, crew, nthreads, err) != 0 ? -1 : crew->nparts;
}
