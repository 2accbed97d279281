/* shown.c - which columns of a table are shown, and their cells as text, for people and programs */
#include "convert/writer/shown.h"

#include <stdlib.h>
#include <string.h>

#include "convert/writer/nodename.h"
#include "formats/hostlist.h"
#include "base/num.h"
#include "formats/json_text.h"

const struct table_kind *const *const shown_takes = all_kinds;

static enum shown_type type_of(const struct column *column)
{
	if (column == NULL)
		return SHOWN_ANY;
	switch (column->type) {
	case COLUMN_INT:
	case COLUMN_REAL:
	case COLUMN_SECONDS:
		return SHOWN_NUMBER;
	case COLUMN_BOOL:
		return SHOWN_BOOL;
	case COLUMN_NODELIST:
		return SHOWN_NODES;
	case COLUMN_TEXT:
	case COLUMN_NAME:
		break;
	}
	return SHOWN_TEXT;
}

static void add_column(struct shown *shown, const struct flow *flow, int column)
{
	const char *name = flow->columns.at[column];

	vec_push(&shown->columns,
		 (struct shown_column){name, type_of(kind_column(flow->kind, name)), column});
}

/* names: "[job,nodelist]", or "job". */
static int choose(struct shown *shown, const struct flow *flow, const char *names, struct err *err)
{
	size_t n = strlen(names);
	bool in_brackets = names[0] == '[' && names[n - 1] == ']';
	char *text = xstrndup(names + in_brackets, n - (in_brackets ? 2 : 0)), *rest = text;
	int status = 0;

	while (rest != NULL && status == 0) {
		char *name = rest, *comma = strchr(rest, ',');
		struct near_name near;
		int column;

		rest = comma != NULL ? comma + 1 : NULL;
		if (comma != NULL)
			*comma = '\0';
		name = str_trim(name);
		column = flow_find(flow, name);
		if (column >= 0)
			add_column(shown, flow, column);
		else
			status = err_set(err, "columns: the input has no column '%s'%s", name,
					 flow_hint(flow, name, &near));
	}
	free(text);
	return status;
}

void *shown_start(const struct writer_input *input, size_t size)
{
	struct shown *shown = xcalloc(1, size);

	shown->out = input->out;
	shown->pick = input->pick;
	return shown;
}

void shown_stop(void *state)
{
	struct shown *shown = state;

	vec_free(&shown->columns);
	buf_free(&shown->text);
	free(shown);
}

int shown_begin(struct shown *shown, const struct flow *flow, struct err *err)
{
	const struct pick *pick = shown->pick;
	const char *names = pick_word(pick, "columns");

	shown->digits = pick_has(pick, "digits") ? (int)pick_int(pick, "digits") : 0;
	if (names != NULL)
		return choose(shown, flow, names, err);
	for (size_t i = 0; i < flow->columns.n; i++)
		add_column(shown, flow, (int)i);
	return 0;
}

size_t shown_width(const char *text)
{
	size_t n = 0;

	for (; *text != '\0'; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* ---- node lists ---- */

struct names {
	VEC(const char *) at;
	struct arena arena;
};

static int add_name(void *context, const char *name, size_t n, struct err *err)
{
	struct names *names = context;

	(void)err;
	vec_push(&names->at, arena_strndup(&names->arena, name, n));
	return 0;
}

static const char *fold_names(struct shown *shown, const char *list)
{
	struct hostlist folded = {0};
	struct names names = {0};
	struct err ignored;

	if (hostlist_walk(list, add_name, &names, &ignored) == 0) {
		nodename_sort(names.at.at, names.at.n);
		for (size_t i = 0; i < names.at.n; i++)
			hostlist_add(&folded, names.at.at[i], strlen(names.at.at[i]));
		buf_clear(&shown->text);
		buf_str(&shown->text, hostlist_text(&folded));
		list = shown->text.text;
	}
	hostlist_free(&folded);
	vec_free(&names.at);
	arena_free(&names.arena);
	return list;
}

/* A list that names more nodes than it has letters is folded already: its runs are sorted, not
 * their names. prefix, and numbers from first to last, of at least width digits; width 0: prefix
 * alone. */
struct name_run {
	const char *prefix;
	size_t nprefix;
	int64_t first, last;
	int width;
};

struct runs {
	VEC(struct name_run) at;
	size_t most;
	struct arena arena;
};

static int digits_of(int64_t number, int width)
{
	int n = 1;

	while (number >= 10) {
		number /= 10;
		n++;
	}
	return n > width ? n : width;
}

static int push_run(struct runs *runs, struct name_run run, struct err *err)
{
	if (runs->at.n == runs->most)
		return err_set(err, "more runs than letters");
	run.prefix = arena_strndup(&runs->arena, run.prefix, run.nprefix);
	vec_push(&runs->at, run);
	return 0;
}

static int add_single(void *context, const char *name, size_t n, struct err *err)
{
	struct name_run run = {.prefix = name, .nprefix = n};

	while (run.nprefix > 0 && n - run.nprefix < 17 && name[run.nprefix - 1] >= '0' &&
	       name[run.nprefix - 1] <= '9')
		run.nprefix--;
	run.width = (int)(n - run.nprefix);
	if (run.width > 0 && num_int(name + run.nprefix, 0, INT64_MAX, &run.first) != 0)
		return err_set(err, "not a number");
	run.last = run.first;
	return push_run(context, run, err);
}

static int add_run(void *context, const struct hostlist_run *run, struct err *err)
{
	char before = run->nprefix > 0 ? run->prefix[run->nprefix - 1] : ' ';
	struct name_run whole = {run->prefix, run->nprefix, (int64_t)run->first, (int64_t)run->last,
				 run->width};

	/* others come name by name, up to the limit */
	if (run->nsuffix > 0 || (before >= '0' && before <= '9') || run->last > 99999999999999999)
		return 0;
	return push_run(context, whole, err) == 0 ? 1 : -1;
}

/* As nodename_compare has it, of the first names. */
static int by_first(const void *a, const void *b)
{
	const struct name_run *left = a, *right = b;
	size_t n = left->nprefix < right->nprefix ? left->nprefix : right->nprefix;
	int order = memcmp(left->prefix, right->prefix, n);
	int ndigits = digits_of(left->first, left->width) - digits_of(right->first, right->width);

	if (order != 0 || left->nprefix != right->nprefix)
		return order != 0 ? order : left->nprefix < right->nprefix ? -1 : 1;
	return ndigits != 0 ? ndigits : (left->first > right->first) - (left->first < right->first);
}

/* Whether no run begins among the names of the one before it. */
static bool are_apart(const struct runs *runs)
{
	for (size_t i = 1; i < runs->at.n; i++) {
		struct name_run end = runs->at.at[i - 1];

		end.first = end.last;
		if (by_first(&end, &runs->at.at[i]) >= 0)
			return false;
	}
	return true;
}

static const char *fold_runs(struct shown *shown, const char *list)
{
	struct hostlist folded = {0};
	struct runs runs = {.most = strlen(list)};
	struct err ignored;

	if (hostlist_walk_runs(list, add_single, add_run, &runs, &ignored) == 0 &&
	    (qsort(runs.at.at, runs.at.n, sizeof(*runs.at.at), by_first), are_apart(&runs))) {
		struct buf name = {0};

		for (size_t i = 0; i < runs.at.n; i++) {
			const struct name_run *run = &runs.at.at[i];

			buf_clear(&name);
			buf_add(&name, run->prefix, run->nprefix);
			if (run->width > 0)
				buf_printf(&name, "%0*lld", run->width, (long long)run->first);
			hostlist_add(&folded, name.text, name.n);
			if (run->last > run->first)
				hostlist_extend(&folded, run->last - run->first);
		}
		buf_free(&name);
		buf_clear(&shown->text);
		buf_str(&shown->text, hostlist_text(&folded));
		list = shown->text.text;
	}
	hostlist_free(&folded);
	vec_free(&runs.at);
	arena_free(&runs.arena);
	return list;
}

/* Sorted and folded; what is not a node list stays as it is. */
static const char *fold(struct shown *shown, const char *list)
{
	if (hostlist_count(list) > (int64_t)strlen(list))
		return fold_runs(shown, list);
	return fold_names(shown, list);
}

/* ---- cells ---- */

/* At most shown->width letters, the last of which is … then. */
static const char *shorten(struct shown *shown, const char *text)
{
	int64_t n = 0;
	const char *at = text;
	char *whole;

	if (shown->width == 0 || (int64_t)shown_width(text) <= shown->width)
		return text;
	for (; n < shown->width || ((unsigned char)*at & 0xc0) == 0x80; at++)
		n += ((unsigned char)*at & 0xc0) != 0x80;
	do
		at--;
	while (((unsigned char)*at & 0xc0) == 0x80);
	whole = xstrndup(text, (size_t)(at - text));
	buf_clear(&shown->text);
	buf_printf(&shown->text, "%s\xe2\x80\xa6", whole);
	free(whole);
	return shown->text.text;
}

static const char *number(struct shown *shown, const char *text)
{
	char rounded[NUM_TEXT];
	double value;

	if (num_real(text, -1e300, 1e300, &value) != 0)
		return NULL;
	if (shown->digits > 0)
		num_print_digits(rounded, value, shown->digits);
	else if (!json_is_number(text))
		num_print_real(rounded, value);
	else
		return text;
	/* a whole number stays what it is, however long */
	if (json_is_number(text) && strpbrk(text, ".eE") == NULL)
		return text;
	buf_clear(&shown->text);
	buf_str(&shown->text, rounded);
	return shown->text.text;
}

struct shown_cell shown_cell(struct shown *shown, const struct flow *flow, size_t i)
{
	const struct shown_column *column = &shown->columns.at[i];
	char text[NUM_TEXT];
	const char *cell = flow_get_text(flow, column->column, text), *seen = NULL;

	if (cell == NULL)
		return (struct shown_cell){NULL, false};
	if (cell == text) {
		buf_clear(&shown->text);
		buf_str(&shown->text, text);
		cell = shown->text.text;
	}
	if (column->type == SHOWN_NUMBER || (column->type == SHOWN_ANY && json_is_number(cell)))
		seen = number(shown, cell);
	if (seen != NULL)
		return (struct shown_cell){seen, true};
	if (shown->folds && column->type == SHOWN_NODES)
		cell = fold(shown, cell);
	return (struct shown_cell){shorten(shown, cell), false};
}
