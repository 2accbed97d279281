/* easy_shadow.c - when the head of the queue can start, and on which nodes */
#include <stdlib.h>

#include "place/queue/easy_plan.h"

/* By the number of nodes: idle ones, and those of the jobs that end first. */
void easy_count_shadow(struct loop *loop, int head)
{
	struct easy *easy = loop->state;
	int wanted = loop_job(loop, head)->nnodes, n = loop_idle(loop);

	easy->shadow_of = -1;
	easy->shadow_ns = INT64_MAX;
	easy->nextra = 0;
	for (size_t i = 0; i < loop->running.of.n; i++) {
		int64_t end_ns = loop_planned(loop, &loop->running.of.at[i]);

		if (end_ns == INT64_MAX || (n >= wanted && end_ns > easy->shadow_ns))
			break;
		n += loop->running.of.at[i].nnodes;
		if (n >= wanted) {
			easy->shadow_ns = end_ns;
			easy->nextra = n - wanted;
		}
	}
}

static int by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The times at which more may be possible for the head than before: ends, and waits that
 * are over. */
static void list_times(struct loop *loop, int head)
{
	struct easy *easy = loop->state;
	int64_t time_ns = loop->run->now_ns;

	easy->times.n = 0;
	while ((time_ns = sched_relaxes_at(loop->run->schedule, loop_job(loop, head), time_ns)) !=
	       JOB_NO_TIME)
		vec_push(&easy->times, time_ns);
	for (size_t i = 0; i < loop->running.of.n; i++) {
		int64_t end_ns = loop_planned(loop, &loop->running.of.at[i]);

		if (end_ns != INT64_MAX &&
		    (easy->times.n == 0 || easy->times.at[easy->times.n - 1] != end_ns))
			vec_push(&easy->times, end_ns);
	}
	if (easy->times.n > 1)
		qsort(easy->times.at, easy->times.n, sizeof(*easy->times.at), by_time);
}

/* Whether the head finds nodes when all that is planned to end by then has ended. */
int easy_has_room(struct loop *loop, int head, int64_t time_ns, struct err *err)
{
	return loop_choose_among(loop, head, loop_idle_then(loop, time_ns), time_ns, err);
}

void easy_copy(int_vec *to, const int_vec *from)
{
	to->n = 0;
	for (size_t i = 0; i < from->n; i++)
		vec_push(to, from->at[i]);
}

/* Times that are tried one after the other; then every second one, then every fourth, … */
enum { TRIES_IN_TURN = 8 };

/*
 * By trying, among times from low to high − 1 at which nothing is taken away again: more nodes are
 * idle at a later one, so that the first one is found by halving; but a search that gave up may say
 * no to more nodes than it said yes to, and from there on all times are tried one after the other.
 * *found: which; high: at none of them.
 */
static int search_times(struct loop *loop, int head, size_t low, size_t high, size_t *found,
			struct err *err)
{
	struct easy *easy = loop->state;
	size_t stride = 1;
	int ntries = 0;
	bool is_sure = true;

	while (low < high) {
		size_t middle = is_sure ? (low + high) / 2 : low + stride - 1;
		int status;

		if (middle >= high)
			middle = high - 1;
		status = easy_has_room(loop, head, easy->times.at[middle], err);
		if (status < 0)
			return -1;
		if (status == 0 && is_sure && !sched_is_sure(loop->run->schedule)) {
			is_sure = false; /* the times below may say yes */
			continue;
		}
		if (status == 1) {
			high = middle;
			easy_copy(&easy->room, &loop->nodes);
		} else {
			low = middle + 1;
		}
		if (!is_sure && status == 1)
			low = high; /* the first of those that were tried */
		if (!is_sure && ++ntries >= TRIES_IN_TURN)
			stride *= 2;
	}
	*found = low;
	return 0;
}

/* Between the times from which on a reservation of the site takes nodes away. */
static int search_shadow(struct loop *loop, int head, int64_t from_ns, struct err *err)
{
	struct easy *easy = loop->state;
	size_t first = 0, end, found;

	list_times(loop, head);
	while (first < easy->times.n && easy->times.at[first] < from_ns)
		first++;
	for (found = end = first; found == end && end < easy->times.n; first = end) {
		int64_t narrow_ns = sched_narrows_at(loop->run->schedule, loop_job(loop, head),
						     easy->times.at[first]);

		for (end = first + 1; end < easy->times.n && (narrow_ns == JOB_NO_TIME ||
							      easy->times.at[end] < narrow_ns);)
			end++;
		if (search_times(loop, head, first, end, &found, err) != 0)
			return -1;
	}
	easy->shadow_ns = found < easy->times.n ? easy->times.at[found] : INT64_MAX;
	return 0;
}

/* Without trying: true, and the shadow time; or only when it is not before. */
static bool ask_shadow(struct loop *loop, int head, int64_t *from_ns)
{
	struct easy *easy = loop->state;
	bool is_exact;

	loop_free_times(loop);
	*from_ns = easy->shadow_ns =
		sched_earliest(loop->run->schedule, loop_job(loop, head), &loop->times, &is_exact);
	return is_exact;
}

/* Idle nodes when all that is planned to end by then has ended. */
static int count_idle(const struct loop *loop, int64_t time_ns)
{
	int n = loop_idle(loop);

	for (size_t i = 0; i < loop->running.of.n; i++) {
		if (loop_planned(loop, &loop->running.of.at[i]) > time_ns)
			break;
		n += loop->running.of.at[i].nnodes;
	}
	return n;
}

void easy_count_beside(struct loop *loop)
{
	struct easy *easy = loop->state;
	const struct machine *machine = &loop->run->schedule->machine;

	easy->nbeside = machine->nidle;
	for (size_t i = 0; i < easy->reserved.n; i++)
		easy->nbeside -= machine_is_idle(machine, easy->reserved.at[i]);
}

/* The nodes that the head gets at the shadow time. */
int easy_reserve(struct loop *loop, int head, struct err *err)
{
	struct easy *easy = loop->state;

	easy->has_reserved = true;
	easy->reserved.n = 0;
	if (!easy->reserves_nodes)
		return 0;
	if (easy_has_room(loop, head, easy->shadow_ns, err) < 0)
		return -1;
	easy_copy(&easy->reserved, &loop->nodes);
	easy_count_beside(loop);
	return 0;
}

/*
 * Whether the shadow time is as it was: jobs that end when they were planned to leave what is free
 * at any time as it was, and those that started since left room for the head.
 */
static bool is_as_planned(const struct loop *loop, int head)
{
	const struct easy *easy = loop->state;

	return easy->shadow_of == head && (easy->was_sure || easy->shadow_ns > loop->run->now_ns) &&
	       (loop->running.of.n == 0 || loop->running.of.at[0].end_ns > loop->run->now_ns);
}

/* Under the sanitizer: it is as it would be found anew. */
static void check_planned(struct loop *loop, int head)
{
#ifdef __SANITIZE_ADDRESS__
	struct easy *easy = loop->state;
	int64_t was_ns = easy->shadow_ns, from_ns;

	if (ask_shadow(loop, head, &from_ns) && easy->shadow_ns != was_ns)
		abort();
	easy->shadow_ns = was_ns;
#else
	(void)loop, (void)head;
#endif
}

/* The shadow time. */
int easy_find_shadow(struct loop *loop, int head, bool is_counted, struct err *err)
{
	struct easy *easy = loop->state;
	int64_t from_ns = INT64_MIN;

	easy->has_reserved = false;
	if (is_counted) {
		easy_count_shadow(loop, head);
	} else if (is_as_planned(loop, head)) {
		if (easy->was_sure)
			check_planned(loop, head);
	} else {
		bool is_plain = sched_is_plain(loop->run->schedule, loop_job(loop, head));

		easy->nshadows++;
		easy->room.n = 0;
		easy->stays_away = false;
		easy->was_sure = is_plain && ask_shadow(loop, head, &from_ns);
		if (!easy->was_sure && search_shadow(loop, head, from_ns, err) != 0)
			return -1;
		/* the nodes that it would get are chosen anew from pass to pass */
		easy->shadow_of = easy->was_sure || (is_plain && !easy->reserves_nodes) ? head : -1;
	}
	easy->nidle = 0;
	if (easy->shadow_ns == INT64_MAX)
		return 0;
	easy->nidle = count_idle(loop, easy->shadow_ns);
	/* a policy with a history may choose otherwise once others have started */
	return loop->run->schedule->alloc->policy->placed != NULL ? easy_reserve(loop, head, err)
								  : 0;
}
