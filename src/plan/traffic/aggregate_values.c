/* aggregate_values.c - the counters of one row, and how far they went since the row before */
#include <string.h>

#include "traffic/aggregate_priv.h"
#include "base/num.h"

/* A value that was left empty, or said to be missing. */
static bool is_missing(const struct csv_cell *cell)
{
	return cell->n == 0 || (cell->n == 1 && (cell->text[0] == '.' || cell->text[0] == '-')) ||
	       (cell->n == 3 && memcmp(cell->text, "nan", 3) == 0);
}

/* VALUE@SECONDS.NANOSECONDS, or VALUE. */
static int read_stamped(const struct csv_cell *cell, int64_t row_ns, uint64_t *value,
			int64_t *stamp)
{
	const char *at = memchr(cell->text, '@', cell->n);
	struct csv_cell time;

	*stamp = row_ns;
	if (at == NULL)
		return num_digits(cell->text, cell->n, value);
	time = (struct csv_cell){at + 1, (size_t)(cell->text + cell->n - at - 1)};
	if (time.n == 0 || feed_time(&time, stamp) != 0)
		return -1;
	return num_digits(cell->text, (size_t)(at - cell->text), value);
}

/* A rate or delta may have a fraction: the bits of a double. */
static int read_real(const struct csv_cell *cell, uint64_t *value)
{
	char text[64];
	double real;

	if (cell->n >= sizeof(text))
		return -1;
	memcpy(text, cell->text, cell->n);
	text[cell->n] = '\0';
	if (num_real(text, 0, 1e30, &real) != 0)
		return -1;
	memcpy(value, &real, sizeof(real));
	return 0;
}

/* The slow part of reading: everything but a plain count. */
static int read_special(const struct sample *sample, const struct probe *probe, int i,
			uint64_t *value, int64_t *stamp)
{
	const struct header *header = sample->header;
	const struct csv_cell *cell = &sample->cells[header->value[i]];

	*value = NO_COUNT;
	*stamp = sample->time_ns;
	if (header->flag[i] >= 0) {
		const struct csv_cell *flag = &sample->cells[header->flag[i]];

		if (flag->n != 1 || flag->text[0] != '0')
			return 0;
	}
	if (is_missing(cell))
		return 0;
	if (header->source.is_stamped)
		return read_stamped(cell, sample->time_ns, value, stamp);
	if (probe->values != VALUES_CUMULATIVE)
		return read_real(cell, value);
	return num_digits(cell->text, cell->n, value);
}

int values_read(struct aggregate *aggregate, const struct sample *sample)
{
	const struct source_plan *plan = &sample->header->source;
	size_t n = plan->counters.n;

	vec_reserve(&aggregate->values, n);
	vec_reserve(&aggregate->stamps, n);
	for (size_t p = 0; p < plan->probes.n; p++) {
		const struct probe *probe = &plan->probes.at[p];
		bool is_plain = probe->values == VALUES_CUMULATIVE && !plan->is_stamped;

		for (int i = probe->first; i < probe->first + probe->ncounters; i++) {
			const struct csv_cell *cell = &sample->cells[sample->header->value[i]];
			uint64_t *value = &aggregate->values.at[i];

			if ((!is_plain || sample->header->flag[i] >= 0 ||
			     num_digits(cell->text, cell->n, value) != 0) &&
			    read_special(sample, probe, i, value, &aggregate->stamps.at[i]) != 0)
				return -1;
			if (plan->is_saturating && *value == UINT32_MAX)
				*value = NO_COUNT;
		}
	}
	return 0;
}

enum step { STEP_GOOD, STEP_MISSING, STEP_RESET };

/*
 * A counter that did not simply go forward. Unwrapped only where the way around is less than half
 * of the counter's range: a reset looks like a long way around.
 */
static enum step step_back(struct aggregate *aggregate, uint64_t last, uint64_t value,
			   uint64_t *delta)
{
	int bits = aggregate->options.wrap_bits;
	uint64_t mask = bits == 0 || bits == 64 ? UINT64_MAX : (1ULL << bits) - 1, way;

	if (last == NO_COUNT || value == NO_COUNT)
		return STEP_MISSING;
	if (bits == 0 || last > mask)
		return STEP_RESET;
	way = (value - last) & mask;
	if (way > mask / 2)
		return STEP_RESET;
	aggregate->counts.wraps++;
	*delta += way;
	return STEP_GOOD;
}

/* How far a probe's counters went, together. */
static enum step probe_step(struct aggregate *aggregate, const uint64_t *values, uint64_t *last,
			    int n, uint64_t *delta)
{
	enum step worst = STEP_GOOD;

	*delta = 0;
	for (int i = 0; i < n; i++) {
		uint64_t value = values[i], before = last[i];

		last[i] = value;
		if (value >= before && value != NO_COUNT) {
			*delta += value - before;
		} else {
			enum step step = step_back(aggregate, before, value, delta);

			worst = step > worst ? step : worst;
		}
	}
	return worst;
}

/* Rates and deltas: counts in the interval. */
static enum step probe_sum(const struct probe *probe, const uint64_t *values, int64_t dt_ns,
			   double *counts)
{
	*counts = 0;
	for (int i = 0; i < probe->ncounters; i++) {
		double value;

		if (values[i] == NO_COUNT)
			return STEP_MISSING;
		memcpy(&value, &values[i], sizeof(value));
		*counts += probe->values == VALUES_RATE ? value * ((double)dt_ns / 1e9) : value;
	}
	return STEP_GOOD;
}

static void lose(struct aggregate *aggregate, struct stream_window *window, int probe,
		 enum step step, int64_t dt_ns)
{
	window->has_losses = true;
	window->losses[probe].dt_ns += dt_ns;
	window->losses[probe].intervals++;
	if (step == STEP_RESET) {
		window->losses[probe].resets++;
		aggregate->counts.resets++;
	} else {
		aggregate->counts.missing++;
	}
}

/* A counter with a separate time: the interval is between its own times. */
static void take_stamped(struct aggregate *aggregate, struct stream *stream, int p, int i,
			 struct stream_window *window, int64_t dt_ns)
{
	int64_t own = aggregate->stamps.at[i] - stream->stamp[i];
	bool had_last = stream->last[i] != NO_COUNT;
	uint64_t delta;
	enum step step;

	/* not refreshed since the last row: no interval yet; what it counted comes with the next */
	if (had_last && own == 0) {
		if (window != NULL) {
			window->has_losses = true;
			window->losses[p].dt_ns += dt_ns;
			window->losses[p].intervals++;
		}
		return;
	}
	step = probe_step(aggregate, &aggregate->values.at[i], &stream->last[i], 1, &delta);
	stream->stamp[i] = aggregate->stamps.at[i];
	if (window == NULL)
		return;
	if (step == STEP_GOOD && (own < 0 || own > aggregate->options.gap_ns))
		step = STEP_MISSING;
	if (step != STEP_GOOD) {
		lose(aggregate, window, p, step, dt_ns);
		return;
	}
	window->sum[p] += (double)delta;
	window->has_losses |= own != dt_ns;
	window->losses[p].dt_ns += dt_ns - own;
}

void values_take(struct aggregate *aggregate, struct stream *stream, const struct sample *sample,
		 int window_index, int64_t dt_ns)
{
	const struct source_plan *plan = &sample->header->source;
	struct stream_window *window = window_index >= 0 ? &stream->windows[window_index] : NULL;

	if (window != NULL) {
		window->dt_ns += dt_ns;
		window->intervals++;
		aggregate->nintervals[window_index]++;
	}
	for (int p = 0; p < stream->nprobes; p++) {
		const struct probe *probe = &plan->probes.at[p];
		const uint64_t *values = &aggregate->values.at[probe->first];
		enum step step;
		double counts;

		if (plan->is_stamped && probe->values == VALUES_CUMULATIVE) {
			take_stamped(aggregate, stream, p, probe->first, window, dt_ns);
			continue;
		}
		if (probe->values == VALUES_CUMULATIVE) {
			uint64_t delta;

			step = probe_step(aggregate, values, &stream->last[probe->first],
					  probe->ncounters, &delta);
			counts = (double)delta;
		} else {
			step = probe_sum(probe, values, dt_ns, &counts);
		}
		if (window == NULL)
			continue;
		if (step == STEP_GOOD)
			window->sum[p] += counts;
		else
			lose(aggregate, window, p, step, dt_ns);
	}
}
