/* ldms_fuzz.c - whatever counters a file holds, rates are numbers from 0 on, and rows add up */
#include <math.h>
#include <string.h>

#include "traffic/aggregate.h"
#include "traffic/inputs.h"
#include "base/die.h"
#include "fuzz.h"

struct seen {
	int64_t samples, end_ns;
	int nwindows;
};

static int take(void *context, const struct window_result *window, struct err *err)
{
	struct seen *seen = context;

	(void)err;
	fuzz_must(window->window_ns > 0 && window->n > 0, "a window has a length and rows");
	fuzz_must(window->run != NULL || seen->nwindows == 0 || window->end_ns > seen->end_ns,
		  "windows come in order of time");
	seen->end_ns = window->end_ns;
	seen->nwindows++;
	for (int i = 0; i < window->n; i++) {
		const struct traffic_result *result = &window->results[i];

		fuzz_must(isnan(result->traffic) ||
				  (result->traffic >= 0 && isfinite(result->traffic)),
			  "traffic is a number from 0 on");
		fuzz_must(isnan(result->stall) || (result->stall >= 0 && isfinite(result->stall)),
			  "stalls are a number from 0 on");
		fuzz_must(result->samples >= 0 && result->resets >= 0, "counts are from 0 on");
		fuzz_must(result->incomplete || !isnan(result->traffic) || result->samples == 0,
			  "complete is what has traffic");
		seen->samples += result->samples;
	}
	return 0;
}

static void aggregate_all(struct inputs *inputs, const struct aggregate_options *options,
			  struct feed_counts *counts)
{
	struct seen seen = {0};
	struct aggregate *aggregate = aggregate_new(options, counts, take, &seen);
	struct sample sample;
	struct err err;
	int status;

	while ((status = inputs_next(inputs, &sample, &err)) == 1)
		if (aggregate_add(aggregate, &sample, &err) != 0)
			break;
	if (status == 0 && aggregate_finish(aggregate, &err) == 0)
		fuzz_must(counts->rows >= 0 && (seen.samples == 0 || counts->rows > 0),
			  "samples come from rows");
	aggregate_free(aggregate);
}

static void read_as(const char *path, const char *source, enum traffic_per per)
{
	char *paths[] = {(char *)path, NULL};
	struct aggregate_options options = {
		.per = per, .window_ns = 5000000000, .gap_ns = 7000000000, .late_ns = -1};
	struct feed_counts counts = {0};
	struct header_set headers = {0};
	struct inputs *inputs;
	struct pick pick = {0};
	struct err err;

	if (per == TRAFFIC_NODE) {
		options.wrap_bits = 32;
		options.late_ns = 1000000000;
	}
	headers.options.source = &pick;
	headers.options.per = per;
	if (source != NULL && pick_parse(&pick, &sources, source, &err) != 0)
		abort();
	if (inputs_open(&inputs, paths, NULL, &headers, &counts, true, &err) == 0) {
		aggregate_all(inputs, &options, &counts);
		inputs_close(inputs);
	}
	header_set_free(&headers);
	pick_free(&pick);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char path[32];
	int fd = fuzz_open(bytes, n, path);

	die_set_quiet(true);
	read_as(path, NULL, TRAFFIC_ROUTER);
	read_as(path, NULL, TRAFFIC_NODE);
	read_as(path, NULL, TRAFFIC_LINK);
	read_as(path, "aries:values=delta", TRAFFIC_ROUTER);
	read_as(path, "counters:traffic=a+b,stall=c,values=rate", TRAFFIC_ROUTER);
	fuzz_close(fd);
	return 0;
}
