/* own_readers.c - our own kinds as input of a conversion */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/own_table.h"
#include "convert/reader/reader.h"
#include "base/str.h"

int own_table_read(const struct reader_input *input, struct flow *flow, bool *whole,
		   struct err *err)
{
	const struct table_kind *const kinds[] = {flow->kind, NULL};
	struct table_in *in;
	int status;

	if (table_open_united(&in, kinds, input->paths, input->accepts_partial, err) != 0)
		return -1;
	status = flow_rows(flow, in, err);
	if (status == 0)
		*whole = table_is_whole(in);
	flow->file = NULL;
	table_close(in);
	return status;
}

bool own_table_is(const char *head, const char *first_line)
{
	while (str_starts(head, "##")) {
		const char *newline = strchr(head, '\n');

		if (str_starts(head, first_line))
			return true;
		if (newline == NULL)
			return false;
		head = newline + 1;
	}
	return false;
}

#define OWN_KIND(kind, what)                                                                       \
	static bool is_##kind(const char *head, size_t n)                                          \
	{                                                                                          \
		(void)n;                                                                           \
		return own_table_is(head, "##placetools=" #kind "/");                              \
	}                                                                                          \
	static const struct table_kind *const makes_##kind[] = {&kind_##kind, NULL};               \
	const struct reader reader_##kind = {                                                      \
		.entry = {.name = #kind, .example = #kind, .summary = what},                       \
		.makes = makes_##kind,                                                             \
		.sees_empty = true,                                                                \
		.is_proof = is_##kind,                                                             \
		.read = own_table_read,                                                            \
	};

OWN_KIND(comm, "our communication graphs; placetools-comm(5)")
OWN_KIND(counters, "our counter samples; placetools-counters(5)")
OWN_KIND(events, "our tables of when nodes were out of service; placetools-events(5)")
OWN_KIND(graph, "our graphs of computation and messages; placetools-graph(5)")
OWN_KIND(iotrace, "our I/O traces; placetools-iotrace(5)")
OWN_KIND(jobs, "our job streams; placetools-jobs(5)")
OWN_KIND(kernels, "our tables of kernels; placetools-kernels(5)")
OWN_KIND(links, "our tables of links; placetools-links(5)")
OWN_KIND(loadcurve, "our load curves; placetools-loadcurve(5)")
OWN_KIND(mapping, "our rank mappings; placetools-mapping(5)")
OWN_KIND(metrics, "our measurements; placetools-metrics(5)")
OWN_KIND(mpitrace, "our MPI traces; placetools-mpitrace(5)")
OWN_KIND(nights, "our tables of earlier nights; placetools-nights(5)")
OWN_KIND(nodes, "our node states; placetools-nodes(5)")
OWN_KIND(partitions, "our tables of partitions; placetools-partitions(5)")
OWN_KIND(profile, "our MPI profiles; placetools-profile(5)")
OWN_KIND(ranks, "our tables of ranks; placetools-ranks(5)")
OWN_KIND(reservations, "our tables of reservations; placetools-reservations(5)")
OWN_KIND(sharing, "our tables of work sharing; placetools-sharing(5)")
OWN_KIND(timeline, "our timelines of devices; placetools-timeline(5)")
OWN_KIND(traffic, "our traffic tables; placetools-traffic(5)")
