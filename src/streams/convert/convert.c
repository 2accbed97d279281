/* convert.c - runs a conversion: the reader drives, filters and the writer take */
#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/time.h"
#include "convert/convert.h"

/* The flows in order: the reader's first; each taken by a filter, the last by the writer. */
struct running {
	struct flow *flows; /* [nflows] */
	int nflows;
	bool *has_changed; /* [nflows - 1] by filter */
};

static int start_filter(struct flow *flow, const struct pick *pick, bool *has_changed,
			struct err *err)
{
	const struct filter *filter = filter_of(pick->entry);
	struct filter_input input = {pick, flow + 1, has_changed};

	flow_init(flow + 1, filter->makes != NULL ? filter->makes : flow->kind, NULL, NULL);
	flow->next = flow + 1;
	flow->taker = &filter->taker;
	flow->state = filter->start(&input, err);
	return flow->state != NULL ? 0 : -1;
}

static int start(struct running *running, const struct conversion *conversion, struct out *out,
		 const char *path, struct err *err)
{
	const struct writer *writer = writer_of(conversion->to.entry);
	struct writer_input input = {&conversion->to, out, path};
	struct flow *last;

	running->flows = xcalloc(conversion->filters.n + 1, sizeof(struct flow));
	running->nflows = (int)conversion->filters.n + 1;
	running->has_changed = xcalloc(conversion->filters.n + 1, sizeof(bool));
	flow_init(&running->flows[0], conversion->kind, NULL, NULL);
	for (size_t i = 0; i < conversion->filters.n; i++)
		if (start_filter(&running->flows[i], &conversion->filters.at[i],
				 &running->has_changed[i], err) != 0)
			return -1;
	last = &running->flows[running->nflows - 1];
	last->taker = &writer->taker;
	last->state = writer->start(&input, err);
	return last->state != NULL ? 0 : -1;
}

static void stop(struct running *running, const struct conversion *conversion)
{
	for (int i = 0; i < running->nflows; i++) {
		struct flow *flow = &running->flows[i];

		if (flow->state != NULL) {
			if (i < running->nflows - 1)
				filter_of(conversion->filters.at[i].entry)->stop(flow->state);
			else
				writer_of(conversion->to.entry)->stop(flow->state);
		}
		flow_free(flow);
	}
	free(running->has_changed);
	free(running->flows);
}

static void report_no_effect(const struct running *running, const struct conversion *conversion)
{
	for (size_t i = 0; i < conversion->filters.n; i++) {
		const struct filter *filter = filter_of(conversion->filters.at[i].entry);
		char what[64];

		if (filter->no_effect == NULL || running->has_changed[i] ||
		    !running->flows[i].has_rows)
			continue;
		snprintf(what, sizeof(what), "--filter %s", filter->entry.name);
		warn_no_effect(what, "%s", filter->no_effect);
	}
}

/* A time that is given becomes a ##line. */
static int record_time(struct flow *flow, const char *key, const char *given, struct err *err)
{
	char text[NUM_TEXT];
	int64_t ns;

	if (given == NULL)
		return 0;
	if (time_read(given, &ns, err) != 0)
		return err_prefix(err, "--%s: ", key);
	num_print_seconds(text, ns);
	flow_meta(flow, key, text);
	return 0;
}

int conversion_run(const struct conversion *conversion, const struct reader_input *source,
		   struct out *out, const char *path, struct conversion_result *result,
		   struct err *err)
{
	const struct writer *writer = writer_of(conversion->to.entry);
	struct reader_input input = *source;
	struct running running;
	int status = start(&running, conversion, out, path, err);

	input.pick = &conversion->from;
	*result = (struct conversion_result){.whole = true};
	running.flows[0].is_strict = source->is_strict;
	if (status == 0)
		status = record_time(&running.flows[0], "since", source->since, err);
	if (status == 0)
		status = record_time(&running.flows[0], "until", source->until, err);
	if (status == 0)
		status = reader_of(conversion->from.entry)
				 ->read(&input, &running.flows[0], &result->whole, err);
	if (status == 0)
		flow_report_left_out(&running.flows[0]);
	if (status == 0)
		status = flow_end(&running.flows[0], result->whole, err);
	if (status == 0 && writer->is_no != NULL)
		result->is_no = writer->is_no(running.flows[running.nflows - 1].state);
	if (status == 0)
		report_no_effect(&running, conversion);
	stop(&running, conversion);
	return status;
}
