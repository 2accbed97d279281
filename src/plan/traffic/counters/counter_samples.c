/* counter_samples.c - the samples of counters, one row for each producer and interval */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/counters/counter_samples.h"
#include "base/rng.h"

enum { SECOND = 1000000000 };

/* A job begins or ends. */
struct counter_event {
	int64_t ns;
	int sign;
	size_t job;
};

struct writer {
	const struct sampling *sampling;
	const struct counter_source *source;
	struct counter_flows *flows;
	const struct counter_jobs *jobs;
	struct counter_layout layout;
	VEC(struct counter_event) events;
	size_t nevents_done;
	int64_t *counts, *rates; /* [layout.ncounters], multiples of 2^-10 */
	bool *is_written;        /* [layout.ncounters] */
	VEC(int64_t) moving;     /* the counters that are written and have a rate */
	int64_t now;
	uint64_t step;
	struct rng holes, duplicates, disorder, jitter;
	struct buf *late; /* [schemas.n] rows that come after the next ones */
	struct buf last;  /* the newest line, while the file is going to be cut */
	char *line;
	const char *header; /* written last */
	struct out *out;
	int *resets; /* [sampling->resets][2]: step, unit; sorted */
	int nresets_done;
};

static int by_time(const void *a, const void *b)
{
	const struct counter_event *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

static int by_step(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* ---- counting ---- */

static void make_events(struct writer *writer)
{
	for (size_t i = 0; i < writer->jobs->jobs.n; i++) {
		const struct counter_job *job = &writer->jobs->jobs.at[i];

		vec_push(&writer->events, (struct counter_event){job->start, 1, i});
		vec_push(&writer->events, (struct counter_event){job->end, -1, i});
	}
	if (writer->events.n > 1) /* at may be NULL */
		qsort(writer->events.at, writer->events.n, sizeof(*writer->events.at), by_time);
}

static void find_written(struct writer *writer)
{
	const struct counter_layout *layout = &writer->layout;

	writer->is_written = xcalloc((size_t)layout->ncounters, sizeof(*writer->is_written));
	for (size_t i = 0; i < layout->rows.n; i++) {
		const struct counter_row *row = &layout->rows.at[i];
		const struct counter_schema *schema = &layout->schemas.at[row->schema];

		for (size_t k = 0; k < schema->cells.n; k++)
			if (schema->cells.at[k] >= 0)
				writer->is_written[layout->units.at[row->unit].first +
						   schema->cells.at[k]] = true;
	}
}

static void find_moving(struct writer *writer)
{
	writer->moving.n = 0;
	for (int64_t i = 0; i < writer->layout.ncounters; i++)
		if (writer->rates[i] != 0 && writer->is_written[i])
			vec_push(&writer->moving, i);
}

/* Jobs that begin or end now, or did before. */
static int change_rates(struct writer *writer, struct err *err)
{
	bool has_changed = false;

	for (; writer->nevents_done < writer->events.n; writer->nevents_done++) {
		const struct counter_event *event = &writer->events.at[writer->nevents_done];

		if (event->ns > writer->now)
			break;
		if (counter_flows_add(writer->flows, writer->jobs,
				      &writer->jobs->jobs.at[event->job], event->sign, err) != 0)
			return -1;
		has_changed = true;
	}
	if (!has_changed)
		return 0;
	writer->source->rates(&writer->layout, writer->flows, writer->rates);
	find_moving(writer);
	return 0;
}

static void count(struct writer *writer, int64_t ns)
{
	int64_t seconds = ns / SECOND, rest = ns % SECOND;

	for (size_t i = 0; i < writer->moving.n; i++) {
		int64_t at = writer->moving.at[i];

		writer->counts[at] += writer->rates[at] * seconds;
		if (rest > 0)
			writer->counts[at] +=
				(int64_t)((__int128)writer->rates[at] * rest / SECOND);
	}
	writer->now += ns;
}

static int count_until(struct writer *writer, int64_t time, struct err *err)
{
	while (writer->now < time) {
		int64_t until = time;

		if (writer->nevents_done < writer->events.n &&
		    writer->events.at[writer->nevents_done].ns < until)
			until = writer->events.at[writer->nevents_done].ns;
		count(writer, until - writer->now);
		if (change_rates(writer, err) != 0)
			return -1;
	}
	return 0;
}

/* What earlier jobs left since the machine was booted. */
static void begin_counts(struct writer *writer)
{
	struct rng rng = rng_make(writer->sampling->seed, "counters-begin", NULL, NULL);

	for (int64_t i = 0; i < writer->layout.ncounters && !writer->sampling->is_fresh; i++)
		writer->counts[i] = (int64_t)(rng_u64(&rng) >> 24) << RATE_BITS;
}

static void draw_resets(struct writer *writer, uint64_t nsteps)
{
	struct rng rng = rng_make(writer->sampling->seed, "counters-resets", NULL, NULL);
	int n = writer->sampling->resets;

	writer->resets = xcalloc(2 * (size_t)n, sizeof(*writer->resets));
	for (int i = 0; i < n; i++) {
		writer->resets[2 * i] = (int)rng_below(&rng, nsteps);
		writer->resets[2 * i + 1] = (int)rng_below(&rng, writer->layout.units.n);
	}
	if (n > 1)
		qsort(writer->resets, (size_t)n, 2 * sizeof(*writer->resets), by_step);
}

static void reset_units(struct writer *writer)
{
	for (; writer->nresets_done < writer->sampling->resets; writer->nresets_done++) {
		const int *reset = &writer->resets[2 * writer->nresets_done];
		const struct counter_unit *unit = &writer->layout.units.at[reset[1]];

		if ((uint64_t)reset[0] > writer->step)
			break;
		memset(writer->counts + unit->first, 0, (size_t)unit->n * sizeof(*writer->counts));
	}
}

/* ---- text ---- */

static char *put_text(char *at, const char *text)
{
	size_t n = strlen(text);

	memcpy(at, text, n);
	return at + n;
}

static char *put_number(char *at, uint64_t number)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	char digits[20];
	int n = 20;

	for (; number >= 100; number /= 100) {
		n -= 2;
		memcpy(digits + n, pairs + number % 100 * 2, 2);
	}
	if (number >= 10) {
		n -= 2;
		memcpy(digits + n, pairs + number * 2, 2);
	} else {
		digits[--n] = (char)('0' + number);
	}
	memcpy(at, digits + n, (size_t)(20 - n));
	return at + 20 - n;
}

static double chance(const struct rng *purpose, uint64_t number)
{
	struct rng rng = {purpose->key, number};

	return rng_unit(&rng);
}

/* store_csv's first columns, with its microseconds in both. */
static char *put_row_begin(char *at, const struct counter_row *row, int64_t time)
{
	int micros = (int)(time % SECOND / 1000);
	char text[32];

	at = put_number(at, (uint64_t)(time / SECOND));
	snprintf(text, sizeof(text), ".%06d,%d,", micros, micros);
	at = put_text(at, text);
	at = put_text(at, row->producer);
	*at++ = ',';
	at = put_number(at, (uint64_t)row->component);
	at = put_text(at, ",0,0");
	return row->text != NULL ? put_text(at, row->text) : at;
}

static size_t make_line(struct writer *writer, const struct counter_row *row, int64_t late_ns)
{
	const struct counter_schema *schema = &writer->layout.schemas.at[row->schema];
	const int64_t first = writer->layout.units.at[row->unit].first;
	const int64_t *counts = writer->counts + first, *rates = writer->rates + first;
	char *at = put_row_begin(writer->line, row, writer->now + late_ns);

	for (size_t i = 0; i < schema->cells.n; i++) {
		int cell = schema->cells.at[i];
		int64_t value = cell < 0 ? 0 : counts[cell];

		if (late_ns > 0 && cell >= 0)
			value += (int64_t)((__int128)rates[cell] * late_ns / SECOND);
		*at++ = ',';
		at = put_number(at, ((uint64_t)value + (1 << (RATE_BITS - 1))) >> RATE_BITS);
	}
	*at++ = '\n';
	return (size_t)(at - writer->line);
}

/* ---- writing ---- */

static void put_line(struct writer *writer, const char *line, size_t n)
{
	if (!writer->sampling->is_cut) {
		out_write(writer->out, line, n);
		return;
	}
	out_write(writer->out, writer->last.text, writer->last.n);
	buf_clear(&writer->last);
	buf_add(&writer->last, line, n);
}

static void put_late(struct writer *writer, struct buf *late)
{
	size_t done = 0;

	while (done < late->n) {
		const char *end = memchr(late->text + done, '\n', late->n - done);
		size_t n = (size_t)(end - late->text) + 1 - done;

		put_line(writer, late->text + done, n);
		done += n;
	}
	buf_clear(late);
}

static void put_header(struct writer *writer, int schema)
{
	const char *header = writer->layout.schemas.at[schema].header.text;
	char *line;

	if (!writer->sampling->has_header ||
	    (writer->header != NULL && strcmp(writer->header, header) == 0))
		return;
	writer->header = header;
	line = xasprintf("#Time,Time_usec,ProducerName,component_id,job_id,app_id%s\n", header);
	put_line(writer, line, strlen(line));
	free(line);
}

static void put_row(struct writer *writer, size_t number)
{
	const struct counter_row *row = &writer->layout.rows.at[number];
	const struct sampling *sampling = writer->sampling;
	uint64_t draw = writer->step * writer->layout.rows.n + number;
	int64_t late_ns = 0;
	size_t n;

	if (sampling->holes > 0 && chance(&writer->holes, draw) < sampling->holes)
		return;
	if (sampling->jitter_s > 0)
		late_ns = (int64_t)(chance(&writer->jitter, draw) * sampling->jitter_s * SECOND);
	n = make_line(writer, row, late_ns);
	if (sampling->disorder > 0 && chance(&writer->disorder, draw) < sampling->disorder) {
		buf_add(&writer->late[row->schema], writer->line, n);
		return;
	}
	put_line(writer, writer->line, n);
	if (sampling->duplicates > 0 && chance(&writer->duplicates, draw) < sampling->duplicates)
		put_line(writer, writer->line, n);
}

static void put_sample(struct writer *writer)
{
	struct counter_layout *layout = &writer->layout;
	size_t row = 0;

	for (size_t schema = 0; schema < layout->schemas.n; schema++) {
		struct buf late = writer->late[schema];

		put_header(writer, (int)schema);
		writer->late[schema] = (struct buf){0};
		for (; row < layout->rows.n && layout->rows.at[row].schema == (int)schema; row++)
			put_row(writer, row);
		put_late(writer, &late);
		buf_free(&late);
	}
}

static void writer_open(struct writer *writer, uint64_t nsteps)
{
	struct counter_layout *layout = &writer->layout;
	uint64_t seed = writer->sampling->seed;
	size_t most = 0, most_text = 0;

	for (size_t i = 0; i < layout->schemas.n; i++)
		most = layout->schemas.at[i].cells.n > most ? layout->schemas.at[i].cells.n : most;
	for (size_t i = 0; i < layout->rows.n; i++) {
		const struct counter_row *row = &layout->rows.at[i];
		size_t n = strlen(row->producer) + (row->text != NULL ? strlen(row->text) : 0);

		most_text = n > most_text ? n : most_text;
	}
	writer->line = xmalloc(21 * most + most_text + 128);
	writer->counts = xcalloc((size_t)layout->ncounters, sizeof(*writer->counts));
	writer->rates = xcalloc((size_t)layout->ncounters, sizeof(*writer->rates));
	writer->late = xcalloc(layout->schemas.n, sizeof(*writer->late));
	writer->holes = rng_make(seed, "counters-holes", NULL, NULL);
	writer->duplicates = rng_make(seed, "counters-duplicates", NULL, NULL);
	writer->disorder = rng_make(seed, "counters-disorder", NULL, NULL);
	writer->jitter = rng_make(seed, "counters-jitter", NULL, NULL);
	writer->now = writer->sampling->start;
	find_written(writer);
	make_events(writer);
	begin_counts(writer);
	draw_resets(writer, nsteps);
}

static void writer_close(struct writer *writer)
{
	struct counter_layout *layout = &writer->layout;

	for (size_t i = 0; i < layout->rows.n; i++) {
		free(layout->rows.at[i].producer);
		free(layout->rows.at[i].text);
	}
	for (size_t i = 0; i < layout->schemas.n; i++) {
		buf_free(&layout->schemas.at[i].header);
		vec_free(&layout->schemas.at[i].cells);
		buf_free(&writer->late[i]);
	}
	vec_free(&layout->schemas);
	vec_free(&layout->rows);
	vec_free(&layout->units);
	vec_free(&writer->events);
	free(writer->late);
	free(writer->line);
	free(writer->counts);
	free(writer->rates);
	free(writer->resets);
	free(writer->is_written);
	vec_free(&writer->moving);
	buf_free(&writer->last);
}

int counters_write(const struct sampling *sampling, const struct counter_source *source,
		   const struct layout_options *options, struct counter_flows *flows,
		   const struct counter_jobs *jobs, struct out *out, struct err *err)
{
	uint64_t nsteps = (uint64_t)((sampling->end - sampling->start) / sampling->interval) + 1;
	struct writer writer = {
		.sampling = sampling, .source = source, .flows = flows, .jobs = jobs, .out = out};
	int status;

	source->open(&writer.layout, flows, options);
	writer_open(&writer, nsteps);
	status = writer.layout.rows.n > 0
			 ? change_rates(&writer, err)
			 : err_set(err, "counters: slice: no router has a node %d (0 is the first)",
				   options->slice);
	for (; writer.step < nsteps && status == 0 && !out_failed(out); writer.step++) {
		status = count_until(
			&writer, sampling->start + (int64_t)writer.step * sampling->interval, err);
		if (status != 0)
			break;
		reset_units(&writer);
		put_sample(&writer);
	}
	for (size_t i = 0; i < writer.layout.schemas.n && status == 0; i++) {
		if (writer.late[i].n > 0)
			put_header(&writer, (int)i);
		put_late(&writer, &writer.late[i]);
	}
	if (sampling->is_cut && status == 0)
		out_write(out, writer.last.text, writer.last.n / 2);
	writer_close(&writer);
	return status;
}
