/* aggregate.c - samples find their stream, and streams their windows */
#include "traffic/aggregate_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

enum { UNKNOWN_STREAM = 1 << 30 };

struct aggregate *aggregate_new(const struct aggregate_options *options,
				struct feed_counts *feed_counts, window_fn *take, void *context)
{
	struct aggregate *aggregate = xcalloc(1, sizeof(*aggregate));

	aggregate->options = *options;
	aggregate->feed_counts = feed_counts;
	aggregate->take = take;
	aggregate->context = context;
	return aggregate;
}

static void free_stream(struct stream *stream)
{
	for (int i = 0; i < 2; i++) {
		free(stream->windows[i].sum);
		free(stream->windows[i].losses);
	}
	free(stream->last);
	free(stream->stamp);
	free(stream);
}

void aggregate_free(struct aggregate *aggregate)
{
	if (aggregate == NULL)
		return;
	place_free(aggregate);
	for (size_t i = 0; i < aggregate->streams.n; i++)
		free_stream(aggregate->streams.at[i]);
	vec_free(&aggregate->streams);
	map_free(&aggregate->stream_ids);
	buf_free(&aggregate->key);
	free(aggregate->run);
	map_free(&aggregate->runs);
	vec_free(&aggregate->results);
	vec_free(&aggregate->values);
	vec_free(&aggregate->stamps);
	arena_free(&aggregate->arena);
	free(aggregate);
}

const struct aggregate_counts *aggregate_counts(const struct aggregate *aggregate)
{
	return &aggregate->counts;
}

size_t aggregate_nstreams(const struct aggregate *aggregate)
{
	return aggregate->streams.n;
}

static struct stream *new_stream(const struct source_plan *plan)
{
	struct stream *stream = xcalloc(1, sizeof(*stream));

	stream->nprobes = (int)plan->probes.n;
	stream->ncounters = (int)plan->counters.n;
	stream->last = xcalloc(plan->counters.n, sizeof(*stream->last));
	memset(stream->last, 0xff, plan->counters.n * sizeof(*stream->last));
	if (plan->is_stamped)
		stream->stamp = xcalloc(plan->counters.n, sizeof(*stream->stamp));
	for (int i = 0; i < 2; i++) {
		stream->windows[i].sum = xcalloc(plan->probes.n, sizeof(double));
		stream->windows[i].losses = xcalloc(plan->probes.n, sizeof(struct loss));
	}
	stream->traffic_scale = plan->traffic_scale;
	stream->stall_unit = plan->stall_unit;
	stream->tick_s = plan->tick_s;
	return stream;
}

/* What distinguishes this row's stream from others, into aggregate->key. */
static void make_key(struct aggregate *aggregate, const struct sample *sample)
{
	const struct header *header = sample->header;
	const int fixed[] = {header->producer, header->component, header->router, header->plane};
	struct buf *key = &aggregate->key;

	buf_clear(key);
	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
		if (fixed[i] >= 0) {
			buf_add(key, sample->cells[fixed[i]].text, sample->cells[fixed[i]].n);
			buf_char(key, ',');
		}
	for (size_t i = 0; i < header->source.instance.n; i++) {
		const struct csv_cell *cell = &sample->cells[header->instance[i]];

		buf_add(key, cell->text, cell->n);
		buf_char(key, ',');
	}
	buf_add(key, (const char *)&header->layout, sizeof(header->layout));
}

static struct stream *add_stream(struct aggregate *aggregate, const struct sample *sample,
				 int *status)
{
	const struct buf *key = &aggregate->key;
	struct stream *stream = new_stream(&sample->header->source);

	*status = place_stream(aggregate, stream, sample, aggregate->err);
	if (*status != 0) {
		free_stream(stream);
		map_add(&aggregate->stream_ids, key->text, key->n, UNKNOWN_STREAM);
		*status = *status < 0 ? -1 : 0;
		return NULL;
	}
	map_add(&aggregate->stream_ids, key->text, key->n, (int64_t)aggregate->streams.n);
	stream->key = arena_strndup(&aggregate->arena, key->text, key->n);
	stream->key_n = key->n;
	vec_push(&aggregate->streams, stream);
	return stream;
}

/* The row's stream; NULL: of no component that is known. *status -1: error. */
static struct stream *find_stream(struct aggregate *aggregate, const struct sample *sample,
				  int *status)
{
	struct stream *stream = aggregate->last != NULL ? aggregate->last->next : NULL;
	const struct buf *key = &aggregate->key;
	int64_t id;

	*status = 0;
	make_key(aggregate, sample);
	/* producers mostly come in the same order again */
	if (stream == NULL || stream->key_n != key->n ||
	    memcmp(stream->key, key->text, key->n) != 0) {
		id = map_get(&aggregate->stream_ids, key->text, key->n);
		if (id == UNKNOWN_STREAM)
			return NULL;
		stream =
			id >= 0 ? aggregate->streams.at[id] : add_stream(aggregate, sample, status);
	}
	if (aggregate->last != NULL && stream != NULL)
		aggregate->last->next = stream;
	aggregate->last = stream;
	return stream;
}

/* All samples name their run, or none does. */
static int check_run(struct aggregate *aggregate, const struct sample *sample)
{
	bool names_run = sample->header->run >= 0;

	if (aggregate->has_samples && aggregate->names_runs != names_run)
		return err_set(aggregate->err, "%s:%ld: %s beside %s", sample->file, sample->line,
			       names_run ? "a column run" : "no column run",
			       names_run ? "files without one" : "files with one");
	aggregate->has_samples = true;
	aggregate->names_runs = names_run;
	return 0;
}

/* A new repetition: time starts again, and so does every counter. */
static int begin_run(struct aggregate *aggregate, const struct sample *sample)
{
	const struct csv_cell *run = &sample->cells[sample->header->run];

	if (aggregate->run != NULL && strlen(aggregate->run) == run->n &&
	    memcmp(aggregate->run, run->text, run->n) == 0)
		return 0;
	if (map_get(&aggregate->runs, run->text, run->n) >= 0)
		return err_set(aggregate->err,
			       "%s:%ld: run %.*s goes on after another one: expected the samples "
			       "of a run together",
			       sample->file, sample->line, (int)run->n, run->text);
	map_add(&aggregate->runs, run->text, run->n, 0);
	if (window_finish(aggregate) != 0)
		return -1;
	free(aggregate->run);
	aggregate->run = xstrndup(run->text, run->n);
	aggregate->has_origin = false;
	for (size_t i = 0; i < aggregate->streams.n; i++) {
		struct stream *stream = aggregate->streams.at[i];

		stream->has_last = false;
		memset(stream->last, 0xff, (size_t)stream->ncounters * sizeof(*stream->last));
	}
	return 0;
}

/* Windows of a second and more begin on whole seconds, unless --since says when. */
static void find_origin(struct aggregate *aggregate, const struct sample *sample)
{
	int64_t second = 1000000000;
	int64_t time_ns = sample->time_ns - (sample->dt_ns > 0 ? sample->dt_ns : 0);

	aggregate->has_origin = true;
	aggregate->newest_ns = sample->time_ns;
	aggregate->origin_ns = time_ns;
	if (aggregate->options.window_ns >= second)
		aggregate->origin_ns -= (time_ns % second + second) % second;
	if (aggregate->options.has_since)
		aggregate->origin_ns = aggregate->options.since_ns;
}

/* Which open window the interval up to this sample belongs to; -1: none, -2: error. */
static int choose_window(struct aggregate *aggregate, struct stream *stream,
			 const struct sample *sample, int64_t *dt_ns)
{
	int64_t dt = sample->dt_ns >= 0 ? sample->dt_ns
		     : stream->has_last ? sample->time_ns - stream->last_ns
					: -1;

	*dt_ns = dt;
	if (dt <= 0)
		return -1;
	if (dt > aggregate->options.gap_ns) {
		aggregate->counts.gaps++;
		return -1;
	}
	if (stream->shortest_ns == 0 || dt < stream->shortest_ns)
		stream->shortest_ns = dt;
	else if (dt - stream->shortest_ns > stream->shortest_ns / 2)
		aggregate->counts.holes++;
	return window_of(aggregate, sample->time_ns - dt, sample->time_ns);
}

int aggregate_add(struct aggregate *aggregate, const struct sample *sample, struct err *err)
{
	const struct header *header = sample->header;
	struct stream *stream;
	int64_t dt_ns;
	int status, window;

	aggregate->err = err;
	if (check_run(aggregate, sample) != 0 ||
	    (header->run >= 0 && begin_run(aggregate, sample) != 0))
		return -1;
	if (!aggregate->has_origin)
		find_origin(aggregate, sample);
	stream = find_stream(aggregate, sample, &status);
	if (stream == NULL) {
		aggregate->counts.unknown += status == 0;
		return status;
	}
	if (stream->has_last && sample->time_ns == stream->last_ns) {
		aggregate->counts.duplicates++;
		return 0;
	}
	if (stream->has_last && sample->time_ns < stream->last_ns) {
		aggregate->counts.backwards++;
		if (stream->last_ns - sample->time_ns <= aggregate->options.gap_ns)
			return 0;
		stream->has_last = false; /* its clock was set: it begins again from here */
	}
	if (values_read(aggregate, sample) != 0) {
		feed_count_broken(aggregate->feed_counts, sample, "a counter is not a number");
		aggregate->feed_counts->rows--;
		return 0;
	}
	window = choose_window(aggregate, stream, sample, &dt_ns);
	if (window == -2)
		return -1;
	values_take(aggregate, stream, sample, window, dt_ns);
	stream->last_ns = sample->time_ns;
	stream->has_last = true;
	if (sample->time_ns > aggregate->newest_ns) {
		aggregate->newest_ns = sample->time_ns;
		if (aggregate->options.late_ns >= 0)
			return window_expire(aggregate);
	}
	return 0;
}

int aggregate_finish(struct aggregate *aggregate, struct err *err)
{
	aggregate->err = err;
	return window_finish(aggregate);
}
