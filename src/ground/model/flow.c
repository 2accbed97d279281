/* flow.c - rows of one kind on their way from a reader through filters to a writer */
#include "model/flow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/str.h"

void flow_init(struct flow *flow, const struct table_kind *kind, const struct taker *taker,
	       void *state)
{
	*flow = (struct flow){.kind = kind, .taker = taker, .state = state};
}

void flow_free(struct flow *flow)
{
	free(flow->columns.at);
	map_free(&flow->column_ids);
	free(flow->cells.at);
	free(flow->meta.at);
	free(flow->unknowns.at);
	map_free(&flow->unknown_ids);
	arena_free(&flow->arena);
	*flow = (struct flow){0};
}

int flow_find(const struct flow *flow, const char *name)
{
	return (int)map_get(&flow->column_ids, name, strlen(name));
}

const char *flow_hint(const struct flow *flow, const char *name, struct near_name *near)
{
	near_begin(near, name);
	for (size_t i = 0; i < flow->columns.n; i++)
		near_try(near, flow->columns.at[i], strlen(flow->columns.at[i]));
	return near_hint(near);
}

int flow_column(struct flow *flow, const char *name)
{
	size_t n = strlen(name);
	int64_t column = map_add(&flow->column_ids, name, n, (int64_t)flow->columns.n);

	if (column == (int64_t)flow->columns.n) {
		vec_push(&flow->columns, arena_strndup(&flow->arena, name, n));
		vec_push(&flow->cells, (struct cell){.type = CELL_MISSING});
	}
	return (int)column;
}

void flow_meta(struct flow *flow, const char *key, const char *value)
{
	struct flow_meta meta = {arena_strndup(&flow->arena, key, strlen(key)),
				 arena_strndup(&flow->arena, value, strlen(value))};

	vec_push(&flow->meta, meta);
}

void flow_meta_of(struct flow *flow, const struct flow *source, size_t *ndone)
{
	for (; *ndone < source->meta.n; (*ndone)++)
		flow_meta(flow, source->meta.at[*ndone].key, source->meta.at[*ndone].value);
}

void flow_like(struct flow *flow, const struct flow *source)
{
	size_t ndone = 0;

	for (size_t i = 0; i < source->columns.n; i++)
		flow_column(flow, source->columns.at[i]);
	flow_meta_of(flow, source, &ndone);
	flow->source = source;
}

static int begin(struct flow *flow, struct err *err)
{
	if (flow->is_begun)
		return 0;
	flow->is_begun = true;
	return flow->taker->begin != NULL ? flow->taker->begin(flow->state, flow, err) : 0;
}

int flow_emit(struct flow *flow, struct err *err)
{
	if ((!flow->is_begun && begin(flow, err) != 0) ||
	    (flow->taker->row != NULL && flow->taker->row(flow->state, flow, err) != 0)) {
		flow->has_failed = true;
		return -1;
	}
	flow->has_rows = true;
	flow_skip(flow);
	return 0;
}

void flow_skip(struct flow *flow)
{
	for (size_t i = 0; i < flow->cells.n; i++)
		flow->cells.at[i].type = CELL_MISSING;
}

int flow_leave_out(struct flow *flow, struct err *err)
{
	flow_skip(flow);
	if (flow->is_strict || flow->has_failed || err->kind == ERR_ASKS)
		return -1;
	if (flow->nskipped++ == 0)
		flow->skip_why = arena_strndup(&flow->arena, err->msg, strlen(err->msg));
	*err = (struct err){0};
	return 0;
}

void flow_unknown(struct flow *flow, const char *what, const char *word)
{
	struct buf key = {0};
	int64_t at;

	buf_printf(&key, "%s\t%s", what, word);
	at = map_add(&flow->unknown_ids, key.text, key.n, (int64_t)flow->unknowns.n);
	if (at == (int64_t)flow->unknowns.n)
		vec_push(&flow->unknowns,
			 (struct flow_unknown){
				 .what = arena_strndup(&flow->arena, what, strlen(what)),
				 .word = arena_strndup(&flow->arena, word, strlen(word))});
	flow->unknowns.at[at].n++;
	buf_free(&key);
}

/* One line for each kind of thing, with the first words of it. */
static void report_unknown(struct flow *flow)
{
	enum { WORDS_MOST = 8 };

	for (size_t i = 0; i < flow->unknowns.n; i++) {
		const char *what = flow->unknowns.at[i].what;
		struct buf words = {0};
		size_t nwords = 0;

		for (size_t k = i; k < flow->unknowns.n && what != NULL; k++) {
			struct flow_unknown *unknown = &flow->unknowns.at[k];

			if (unknown->what == NULL || !str_eq(unknown->what, what))
				continue;
			if (nwords++ < WORDS_MOST)
				buf_printf(&words, "%s%.40s (%lld)", nwords > 1 ? ", " : "",
					   unknown->word, (long long)unknown->n);
			if (k > i)
				unknown->what = NULL;
		}
		if (what != NULL)
			warn("unknown %s: %s%s", what, words.text,
			     nwords > WORDS_MOST ? ", …" : "");
		buf_free(&words);
	}
}

void flow_report_left_out(struct flow *flow)
{
	char text[NUM_TEXT];

	report_unknown(flow);
	if (flow->nskipped == 0)
		return;
	warn("%s; %lld row%s left out", flow->skip_why, (long long)flow->nskipped,
	     flow->nskipped == 1 ? " was" : "s were");
	num_print_int(text, flow->nskipped);
	flow_meta(flow, "skipped", text);
}

int flow_end(struct flow *flow, bool whole, struct err *err)
{
	if (begin(flow, err) != 0)
		return -1;
	if (flow->taker->end != NULL && flow->taker->end(flow->state, flow, whole, err) != 0)
		return -1;
	return flow->next != NULL ? flow_end(flow->next, whole, err) : 0;
}

int flow_error(const struct flow *flow, struct err *err, const char *fmt, ...)
{
	char what[900];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	while (flow->source != NULL)
		flow = flow->source;
	if (flow->file == NULL)
		return err_set(err, "%s", what);
	if (flow->line <= 0)
		return err_set(err, "%s: %s", flow->file, what);
	return err_set(err, "%s:%ld: %s", flow->file, flow->line, what);
}

/* ---- what a row holds ---- */

static const struct cell missing = {.type = CELL_MISSING};

static const struct cell *cell_at(const struct flow *flow, int column)
{
	return column >= 0 ? &flow->cells.at[column] : &missing;
}

static int wrong(const struct flow *flow, int column, const char *noun, struct err *err)
{
	char text[NUM_TEXT];

	return flow_error(flow, err, "%s: '%s' is not %s", flow->columns.at[column],
			  flow_get_text(flow, column, text), noun);
}

int flow_get_int(const struct flow *flow, int column, int64_t min, int64_t max, int64_t *value,
		 struct err *err)
{
	const struct cell *cell = cell_at(flow, column);
	int64_t number = 0;
	int status = 0;
	char noun[96];

	switch (cell->type) {
	case CELL_MISSING:
		return 0;
	case CELL_INT:
		number = cell->number;
		break;
	case CELL_REAL:
		if (cell->real >= -9e18 && cell->real <= 9e18 &&
		    cell->real == (double)(int64_t)cell->real)
			number = (int64_t)cell->real;
		else
			status = -1;
		break;
	case CELL_SECONDS:
		number = cell->number / 1000000000;
		status = cell->number % 1000000000 != 0 ? -1 : 0;
		break;
	case CELL_TEXT:
		status = num_int(cell->text, INT64_MIN + 1, INT64_MAX, &number);
		break;
	}
	if (status != 0 || number < min || number > max) {
		snprintf(noun, sizeof(noun), "a whole number from %lld to %lld", (long long)min,
			 (long long)max);
		return wrong(flow, column, noun, err);
	}
	*value = number;
	return 1;
}

int flow_get_real(const struct flow *flow, int column, double min, double max, double *value,
		  struct err *err)
{
	const struct cell *cell = cell_at(flow, column);
	double real = 0;
	int status = 0;
	char noun[96];

	switch (cell->type) {
	case CELL_MISSING:
		return 0;
	case CELL_INT:
		real = (double)cell->number;
		break;
	case CELL_REAL:
		real = cell->real;
		break;
	case CELL_SECONDS:
		real = (double)cell->number / 1e9;
		break;
	case CELL_TEXT:
		status = num_real(cell->text, -1e300, 1e300, &real);
		break;
	}
	if (status != 0 || !(real >= min && real <= max)) {
		snprintf(noun, sizeof(noun), "a number from %.15g to %.15g", min, max);
		return wrong(flow, column, noun, err);
	}
	*value = real;
	return 1;
}

int flow_get_seconds(const struct flow *flow, int column, int64_t *ns, struct err *err)
{
	const struct cell *cell = cell_at(flow, column);
	int status = 0;

	switch (cell->type) {
	case CELL_MISSING:
		return 0;
	case CELL_SECONDS:
		*ns = cell->number;
		break;
	case CELL_INT:
		status = __builtin_mul_overflow(cell->number, 1000000000, ns) ? -1 : 0;
		break;
	case CELL_REAL:
		if (cell->real >= -9e9 && cell->real <= 9e9)
			*ns = (int64_t)(cell->real * 1e9 + (cell->real < 0 ? -0.5 : 0.5));
		else
			status = -1;
		break;
	case CELL_TEXT:
		status = num_seconds(cell->text, ns);
		break;
	}
	return status == 0 ? 1 : wrong(flow, column, "a time in decimal seconds", err);
}

const char *flow_get_text(const struct flow *flow, int column, char text[NUM_TEXT])
{
	const struct cell *cell = cell_at(flow, column);

	switch (cell->type) {
	case CELL_MISSING:
		return NULL;
	case CELL_TEXT:
		return cell->text;
	case CELL_INT:
		snprintf(text, NUM_TEXT, "%lld", (long long)cell->number);
		break;
	case CELL_REAL:
		num_print_real(text, cell->real);
		break;
	case CELL_SECONDS:
		num_print_seconds(text, cell->number);
		break;
	}
	return text;
}

void flow_meta_lines(struct flow *flow, const struct table_in *in, size_t *ndone)
{
	const char *line;

	for (; (line = table_meta_line(in, *ndone)) != NULL; (*ndone)++) {
		const char *equals = strchr(line, '=');
		char *key;

		if (equals == NULL)
			continue;
		key = xstrndup(line + 2, (size_t)(equals - line) - 2);
		flow_meta(flow, key, equals + 1);
		free(key);
	}
}
