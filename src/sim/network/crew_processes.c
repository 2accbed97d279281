/* crew_processes.c - one simulation in several processes: what they say between two windows */
#include "sim/network/crew_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/parcel.h"

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

			if (!port_of(part, bag->packets.at[i].channel)->is_touched)
				ports_touch(&part->ports, bag->packets.at[i].channel);
		}
	}
}

/* ---- both ---- */

int crew_first_of(const struct crew *crew, int process)
{
	return (int)((int64_t)crew->nparts * process / processes_count(crew->processes));
}

/* sizes [count · count]: from, to. */
static void exchange(struct crew *crew, const struct parcel *parcel, const size_t *sizes)
{
	size_t n = (size_t)processes_count(crew->processes);
	size_t here = (size_t)processes_number(crew->processes), sum = 0, total = 0;
	size_t *in_sizes = xcalloc(n, sizeof(*in_sizes));
	struct parcel in = {0};

	for (size_t i = 0; i < n * n; i++)
		sum += sizes[i];
	if (sum > 0) {
		char *at;

		for (size_t i = 0; i < n; i++)
			total += in_sizes[i] = sizes[i * n + here];
		at = processes_exchange(crew->processes, parcel->bytes.at, &sizes[here * n],
					in_sizes);
		parcel_put(&in, at, total);
		unpack(crew, &in);
		parcel_free(&in);
	}
	free(in_sizes);
}

void crew_meet(struct crew *crew, struct crew_report *report)
{
	size_t n = (size_t)processes_count(crew->processes), size;
	struct parcel parcel = {0};
	size_t *sizes;
	char *mine, *all;

	if (crew->processes == NULL)
		return;
	size = sizeof(*report) + n * sizeof(*sizes);
	mine = xcalloc(1, size);
	all = xcalloc(n, size);
	sizes = xcalloc(n * n, sizeof(*sizes));
	pack(crew, &parcel, sizes);
	memcpy(mine, report, sizeof(*report));
	memcpy(mine + sizeof(*report), sizes, n * sizeof(*sizes));
	processes_gather(crew->processes, mine, size, all);
	*report = (struct crew_report){.first_ps = INT64_MAX};
	for (size_t i = 0; i < n; i++) {
		struct crew_report one;

		memcpy(&one, all + i * size, sizeof(one));
		crew_report_add(report, &one);
		memcpy(&sizes[i * n], all + i * size + sizeof(one), n * sizeof(*sizes));
	}
	exchange(crew, &parcel, sizes);
	parcel_free(&parcel);
	free(mine);
	free(all);
	free(sizes);
}

void crew_share_error(struct crew *crew, int process, struct err *err)
{
	size_t n = (size_t)processes_count(crew->processes);
	struct err *all;

	if (crew->processes == NULL)
		return;
	all = xcalloc(n, sizeof(*all));
	processes_gather(crew->processes, err, sizeof(*err), all);
	*err = all[process];
	free(all);
}
