/* crew.c - one simulation in several partitions, on several threads */
#include "sim/network/crew_priv.h"

#include <stdlib.h>
#include <time.h>

#include "base/progress.h"

/*
 * Conservative windows (Chandy and Misra; Fujimoto, CACM 1990): what a partition does reaches
 * another one not before the least latency of a link between them is over, and the router's delay
 * or the credits'. So from the earliest event of all on each works alone for that time; what goes
 * to others waits in bags until the window is over. One barrier a window: bags by parity, and the
 * last thread that arrives plans the next window while the others wait.
 *
 * A credit begins its way when the packet's last byte has left: where all packets whose credits go
 * back to other partitions take as long as the router's delay, windows are longer by that.
 *
 * Where windows have few events one thread does them all, and the others sleep. Processes of an MPI
 * launcher have some of the partitions each, make the same plans, and exchange bags between two
 * windows (crew_processes.c).
 */
enum {
	FEW_EVENTS = 40,   /* of a thread, in a window */
	AVERAGED_BITS = 4, /* over about so many windows: 2^bits */
	MANY = 5           /* fourths of FEW_EVENTS, from which on threads share again */
};

static double cpu_s(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double crew_cpu_s(void)
{
	return cpu_s(CLOCK_THREAD_CPUTIME_ID);
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
	return net->partition.crew == NULL ? 0 : net_part_at(net, node);
}

bool net_part_is_here(const struct net *net, int part)
{
	return net->partition.crew == NULL || crew_has(net->partition.crew, part);
}

bool net_must_stop(const struct net *net)
{
	const struct crew *crew = net->partition.crew;

	return crew != NULL && crew->processes != NULL ? crew->has_stopped : progress_must_stop();
}

struct processes *net_processes(const struct net *net)
{
	return net->partition.crew == NULL ? NULL : net->partition.crew->processes;
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

/* ---- windows ---- */

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The window of that number begins: what is sent goes into its bags. */
static void go_to_window(struct crew *crew, uint64_t window)
{
	crew->window = window;
	for (int i = crew->first; i < crew->behind; i++)
		crew->parts[i]->partition.bags = bag_of(crew, window, i, 0);
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
	bool is_timed = crew_times(crew, crew->window);
	double begin = is_timed ? crew_cpu_s() : 0;
	int64_t before = net->run.nevents;

	take_mail(crew, part);
	net->partition.mail_ps = INT64_MAX;
	net_part_run(net, crew->limit_ps);
	mail_clear_desk(net);
	member->next_ps = wheel_next(&net->wheel);
	member->nevents = net->run.nevents - before;
	member->nall += member->nevents;
	if (!is_timed)
		return;
	member->ntimed += member->nevents;
	member->timed_s += crew_cpu_s() - begin;
}

/* What the last window was, in all processes. */
static void count_window(struct crew *crew, const struct crew_report *report)
{
	crew->work.nevents += report->nevents;
	crew->work.nmost += report->nmost;
	crew->work.busy_s = report->busy_s;
	crew->work.busiest_s = report->busiest_s;
}

void crew_report_add(struct crew_report *a, const struct crew_report *b)
{
	bool is_before = b->failed_ps < a->failed_ps ||
			 (b->failed_ps == a->failed_ps && b->failed_at < a->failed_at);

	a->first_ps = sooner(a->first_ps, b->first_ps);
	a->latest_ps = b->latest_ps > a->latest_ps ? b->latest_ps : a->latest_ps;
	a->enough_ps = b->enough_ps > a->enough_ps ? b->enough_ps : a->enough_ps;
	a->must_stop |= b->must_stop;
	a->nshort += b->nshort;
	a->nevents += b->nevents;
	a->nmost = b->nmost > a->nmost ? b->nmost : a->nmost;
	a->busy_s += b->busy_s;
	a->busiest_s = b->busiest_s > a->busiest_s ? b->busiest_s : a->busiest_s;
	if (b->has_failed && (!a->has_failed || is_before)) {
		a->has_failed = true;
		a->failed_ps = b->failed_ps;
		a->failed_at = b->failed_at;
		a->process = b->process;
	}
}

/* What a partition took, by its events: not all windows were timed. */
static double busy_s(const struct member *member)
{
	return member->ntimed > 0 ? member->timed_s * (double)member->nall / (double)member->ntimed
				  : 0;
}

static void report_times(const struct crew *crew, struct crew_report *report)
{
	for (int thread = 0; thread < crew->nthreads; thread++) {
		double sum = 0;

		for (int i = crew->first + thread; i < crew->behind; i += crew->nthreads)
			sum += busy_s(&crew->members[i]);
		report->busy_s += sum;
		report->busiest_s = sum > report->busiest_s ? sum : report->busiest_s;
	}
}

/* Of the partitions here, whose counts begin again; the first one gets the error of the one that
 * failed. */
static struct crew_report report_here(struct crew *crew)
{
	struct crew_report all = {.first_ps = INT64_MAX, .must_stop = progress_must_stop()};
	struct net *net = crew->parts[0];

	for (int i = crew->first; i < crew->behind; i++) {
		const struct net *part = crew->parts[i];
		struct member *member = &crew->members[i];
		const struct crew_report one = {
			.first_ps = sooner(member->next_ps, part->partition.mail_ps),
			.latest_ps = part->run.now,
			.enough_ps = part->partition.enough_ps < 0 ? INT64_MAX
								   : part->partition.enough_ps,
			.has_failed = part->run.has_failed,
			.failed_ps = part->run.stop_ps,
			.failed_at = part->run.failed_at,
			.process = processes_number(crew->processes),
			.nshort = part->partition.nshort,
			.nevents = member->nevents,
			.nmost = member->nevents,
		};
		int64_t failed_ps = all.failed_ps;
		uint64_t failed_at = all.failed_at;
		bool had_failed = all.has_failed;

		crew_report_add(&all, &one);
		member->nevents = 0;
		if (one.has_failed && part != net &&
		    (!had_failed || all.failed_ps != failed_ps || all.failed_at != failed_at))
			net->run.error = part->run.error;
	}
	if (crew->measures)
		report_times(crew, &all);
	return all;
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
	struct parcel told = {0};

	for (int i = 0; i < crew->nparts; i++)
		net_publish(crew->parts[i], event_ps, crew->processes != NULL ? &told : NULL);
	if (crew->processes == NULL)
		return;
	parcel_gather(&told, crew->processes);
	net_published_take(crew->parts[0], &told);
	parcel_free(&told);
}

/* Why it goes on no further, if so. */
static bool is_over(struct crew *crew, const struct crew_report *report, int64_t end_ps)
{
	struct net *net = crew->parts[0];

	if (report->has_failed) {
		net->run.has_failed = true;
		if (report->process != processes_number(crew->processes))
			err_elsewhere(&net->run.error);
		return true;
	}
	if (report->first_ps == INT64_MAX || report->first_ps > end_ps)
		return true;
	if (!report->must_stop)
		return false;
	crew->until_ps = report->first_ps - 1;
	crew->has_stopped = true;
	return true;
}

/* From the earliest event of all on. */
static void plan(struct crew *crew)
{
	struct net *net = crew->parts[0];
	struct crew_report report;
	int64_t first, end, limit, window;

	report = report_here(crew);
	crew->average += report.nevents - (crew->average >> AVERAGED_BITS);
	crew_meet(crew, &report);
	count_window(crew, &report);
	first = report.first_ps;
	if (net->partition.awaits_enough && net->run.stop_ps == INT64_MAX &&
	    report.enough_ps != INT64_MAX)
		net->run.stop_ps = net_end_ps(report.enough_ps);
	end = sooner(crew->until_ps, net->run.stop_ps);
	crew->is_left = first != INT64_MAX;
	net->run.next_ps = first;
	crew->latest_ps = report.latest_ps;
	crew->is_over = is_over(crew, &report, end);
	if (crew->is_over)
		return;
	if (first >= net_published_next(net))
		publish(crew, first);
	window = report.nshort == 0 ? crew->long_ps : crew->window_ps;
	limit = first > INT64_MAX - window ? INT64_MAX : first + window - 1;
	limit = sooner(sooner(limit, end), net_published_next(net) - 1);
	if (net->partition.awaits_enough) /* the end may come at the next one */
		limit = sooner(limit, net_end_ps(first));
	crew->limit_ps = limit;
	go_to_window(crew, crew->window + 1);
	crew->work.nwindows++;
	crew->work.nlong += window > crew->window_ps;
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
		for (int i = crew->first; i < crew->behind; i++)
			step(crew, i);
	}
}

/* Windows that all threads share, and between them the plans, until it is over. */
static void work(struct crew *crew, int thread)
{
	do {
		for (int i = crew->first + thread; i < crew->behind; i += crew->nthreads)
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

void crew_start_threads(struct crew *crew, int nthreads)
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

void crew_stop_threads(struct crew *crew)
{
	crew->quits = true;
	if (crew->nstarted > 0)
		barrier_wait(crew->barrier, NULL, NULL);
	for (int i = 0; i < crew->nstarted; i++)
		pthread_join(crew->threads[i], NULL);
	barrier_close(crew->barrier);
	free(crew->threads);
}

bool crew_run(struct net *net, int64_t *until_ps)
{
	struct crew *crew = net->partition.crew;

	crew->until_ps = *until_ps;
	for (int i = crew->first; i < crew->behind; i++)
		crew->members[i].next_ps = wheel_next(&crew->parts[i]->wheel);
	plan_and_do(crew);
	if (!crew->is_over) {
		barrier_wait(crew->barrier, NULL, NULL);
		work(crew, 0);
	}
	/* what is in the bags is needed by checks, and comes behind everything that has happened */
	go_to_window(crew, crew->window + 1);
	for (int i = crew->first; i < crew->behind; i++) {
		take_mail(crew, i);
		crew->parts[i]->partition.mail_ps = INT64_MAX;
	}
	for (int i = 0; i < crew->nparts; i++)
		crew->parts[i]->run.now = crew->latest_ps;
	*until_ps = crew->until_ps;
	return crew->is_left;
}

void crew_start(struct net *net)
{
	struct crew *crew = net->partition.crew;

	for (int i = 0; i < 2 * crew->nparts * crew->nparts; i++)
		mail_bag_clear(&crew->bags[i]);
	for (int i = 0; i < crew->nparts; i++) {
		crew->parts[i]->partition.mail_ps = INT64_MAX;
		crew->parts[i]->partition.nshort = 0;
		crew->members[i].nevents = 0;
	}
	go_to_window(crew, 0);
	crew->average = 0;
	crew->is_shared = false;
}
