/* crew_processes.c - one simulation in several processes: what they say between two windows */
#include "sim/network/crew_priv.h"

#include <stdlib.h>
#include <string.h>

/*
 * Two collective calls a window: what each process reports, with how many bytes it has for each
 * other one, so that all know both; then, where there are any, the bags. Records go as they are in
 * memory: the processes run one program on machines of one kind.
 */

/* Before the records of a bag. */
struct label {
	int32_t from, to; /* partitions */
	uint32_t nmessages, npackets, ncredits, nnotices;
};

/* ---- out ---- */

static void pack_bag(struct parcel *parcel, struct mail_bag *bag, int from, int to)
{
	const struct label label = {.from = from,
				    .to = to,
				    .nmessages = (uint32_t)bag->messages.n,
				    .npackets = (uint32_t)bag->packets.n,
				    .ncredits = (uint32_t)bag->credits.n,
				    .nnotices = (uint32_t)bag->notices.n};

	if (label.nmessages + label.npackets + label.ncredits + label.nnotices == 0)
		return;
	parcel_put(parcel, &label, sizeof(label));
	parcel_put(parcel, bag->messages.at, bag->messages.n * sizeof(*bag->messages.at));
	parcel_put(parcel, bag->packets.at, bag->packets.n * sizeof(*bag->packets.at));
	parcel_put(parcel, bag->credits.at, bag->credits.n * sizeof(*bag->credits.at));
	parcel_put(parcel, bag->notices.at, bag->notices.n * sizeof(*bag->notices.at));
	mail_bag_clear(bag);
}

/* What goes to other processes, in their order. */
static void pack(struct crew *crew, struct parcel *parcel, size_t *sizes)
{
	int nprocesses = processes_count(crew->processes);

	for (int process = 0; process < nprocesses; process++) {
		int first = crew_first_of(crew, process), behind = crew_first_of(crew, process + 1);
		size_t before = parcel->bytes.n;

		for (int to = first; to < behind && !crew_has(crew, to); to++)
			for (int from = crew->first; from < crew->behind; from++)
				pack_bag(parcel, bag_of(crew, crew->window, from, to), from, to);
		sizes[process] = parcel->bytes.n - before;
	}
}

/* ---- in ---- */

#define TAKE(parcel, vec, count)                                                                   \
	do {                                                                                       \
		vec_reserve(vec, (vec)->n + (count));                                              \
		parcel_take(parcel, (vec)->at + (vec)->n, (count) * sizeof(*(vec)->at));           \
		(vec)->n += (count);                                                               \
	} while (0)

static void unpack(struct crew *crew, struct parcel *parcel)
{
	while (!parcel_is_empty(parcel)) {
		struct mail_bag *bag;
		struct label label;

		parcel_take(parcel, &label, sizeof(label));
		bag = bag_of(crew, crew->window, label.from, label.to);
		TAKE(parcel, &bag->messages, label.nmessages);
		TAKE(parcel, &bag->packets, label.npackets);
		TAKE(parcel, &bag->credits, label.ncredits);
		TAKE(parcel, &bag->notices, label.nnotices);
		/* the sending end of a link touches it, which is in another process: here is what
		 * it flies in on */
		for (size_t i = 0; i < bag->packets.n; i++) {
			struct net *part = crew->parts[label.to];

			if (!port_of(part, bag->packets.at[i].packet.channel)->is_touched)
				ports_touch(&part->ports, bag->packets.at[i].packet.channel);
		}
	}
}

/* ---- both ---- */

int crew_first_of(const struct crew *crew, int process)
{
	return (int)((int64_t)crew->nparts * process / processes_count(crew->processes));
}

/* Packing and unpacking is work of the first partition here, in the window that comes. */
static bool times_post(const struct crew *crew)
{
	return crew_times(crew, crew->window + 1);
}

static void note_post(struct crew *crew, double begin)
{
	if (times_post(crew) && crew->behind > crew->first)
		crew->members[crew->first].timed_s += crew_cpu_s() - begin;
}

/* sizes [count · count]: from, to. */
static void exchange(struct crew *crew)
{
	struct crew_post *post = &crew->post;
	size_t n = (size_t)processes_count(crew->processes);
	size_t here = (size_t)processes_number(crew->processes), sum = 0, total = 0;
	struct parcel in = {0};
	double begin;

	for (size_t i = 0; i < n * n; i++)
		sum += post->sizes[i];
	if (sum == 0)
		return;
	for (size_t i = 0; i < n; i++)
		total += post->in_sizes[i] = post->sizes[i * n + here];
	in.bytes.at = processes_exchange(crew->processes, post->out.bytes.at,
					 &post->sizes[here * n], post->in_sizes);
	in.bytes.n = total;
	begin = times_post(crew) ? crew_cpu_s() : 0;
	unpack(crew, &in); /* where the processes keep it */
	note_post(crew, begin);
}

/* What a process says: its report and what it has for each other one. */
static size_t word_bytes(const struct crew *crew)
{
	return sizeof(struct crew_report) +
	       (size_t)processes_count(crew->processes) * sizeof(size_t);
}

void crew_post_open(struct crew *crew)
{
	size_t n = (size_t)processes_count(crew->processes);

	if (crew->processes == NULL)
		return;
	crew->post = (struct crew_post){.sizes = xcalloc(n * n, sizeof(size_t)),
					.in_sizes = xcalloc(n, sizeof(size_t)),
					.mine = xcalloc(1, word_bytes(crew)),
					.all = xcalloc(n, word_bytes(crew))};
}

void crew_post_close(struct crew *crew)
{
	parcel_free(&crew->post.out);
	free(crew->post.sizes);
	free(crew->post.in_sizes);
	free(crew->post.mine);
	free(crew->post.all);
}

void crew_meet(struct crew *crew, struct crew_report *report)
{
	struct crew_post *post = &crew->post;
	size_t n = (size_t)processes_count(crew->processes), size;
	double begin;

	if (crew->processes == NULL)
		return;
	size = word_bytes(crew);
	begin = times_post(crew) ? crew_cpu_s() : 0;
	parcel_clear(&post->out);
	pack(crew, &post->out, post->sizes);
	note_post(crew, begin);
	memcpy(post->mine, report, sizeof(*report));
	memcpy(post->mine + sizeof(*report), post->sizes, n * sizeof(*post->sizes));
	processes_gather(crew->processes, post->mine, size, post->all);
	*report = (struct crew_report){.first_ps = INT64_MAX};
	for (size_t i = 0; i < n; i++) {
		struct crew_report one;

		memcpy(&one, post->all + i * size, sizeof(one));
		crew_report_add(report, &one);
		memcpy(&post->sizes[i * n], post->all + i * size + sizeof(one),
		       n * sizeof(*post->sizes));
	}
	exchange(crew);
}
