/* csv_cells.c - cells of a foreign table as cells of ours */
#include "convert/reader/csv_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/num.h"
#include "base/str.h"
#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_rows.h"
#include "convert/reader/slurm_states.h"
#include "formats/slurm/slurm_units.h"

int csv_not_such(const struct csv_cells *cells, const struct csv_column *column, const char *text,
		 const char *what, struct err *err)
{
	return in_error(cells->in, err, "%s: '%s' is not %s",
			column->from != NULL ? column->from : column->name, text, what);
}

/* As in table.h: both ends 0 are any number from 0. */
static bool is_in_range(const struct column *column, double number)
{
	return column->type == COLUMN_SECONDS ||
	       (number >= column->min &&
		((column->min == 0 && column->max == 0) || number <= column->max));
}

static int put_number(struct csv_cells *cells, const struct csv_column *column, int to,
		      const char *text, double times, struct err *err)
{
	const struct column *ours = kind_column(cells->map->kind, column->name);
	enum column_type type = ours->type;
	double number;

	if (num_real(text, -1e18, 1e18, &number) != 0)
		return csv_not_such(cells, column, text, "a number", err);
	number *= times;
	if (number == 0 && type == COLUMN_INT && ours->required)
		return 0; /* no nodes: the row lacks them */
	/* 3.2 CPUs take four; a product may be off by its last digit */
	if (type == COLUMN_INT)
		number = ceil(number - 1e-9 * fabs(number));
	if (!is_in_range(ours, number))
		return csv_not_such(cells, column, text, "in the range of its column", err);
	if (type == COLUMN_INT && fabs(number) <= 9e15)
		flow_int(cells->flow, to, (int64_t)number);
	else if (type == COLUMN_SECONDS && fabs(number) <= (double)SLURM_SECONDS_MOST)
		flow_seconds(cells->flow, to, (int64_t)llround(number * 1e9));
	else if (type == COLUMN_INT || type == COLUMN_SECONDS)
		return csv_not_such(cells, column, text, "a number of that size", err);
	else
		flow_real(cells->flow, to, number);
	return 0;
}

/* By the pattern, else ISO 8601, or a number. */
static int put_time(struct csv_cells *cells, const struct csv_column *column, int to,
		    const char *text, struct err *err)
{
	const char *pattern = cells->map->time_pattern, *rest;
	char iso[64];
	double number;
	struct tm tm = {0};
	int64_t ns;

	if (num_real(text, -1e18, 1e18, &number) == 0)
		return put_number(cells, column, to, text, cells->map->time_unit * column->times,
				  err);
	if (pattern != NULL) {
		rest = strptime(text, pattern, &tm);
		if (rest == NULL || *rest != '\0' ||
		    strftime(iso, sizeof(iso), "%Y-%m-%dT%H:%M:%S", &tm) == 0)
			return csv_not_such(cells, column, text, pattern, err);
		text = iso;
	}
	if (slurm_time(cells->input, text, &ns, err) < 0) {
		char *why = xstrdup(err->msg);
		enum err_kind kind = err->kind;

		in_error(cells->in, err, "%s: %s",
			 column->from != NULL ? column->from : column->name, why);
		err->kind = kind;
		free(why);
		return -1;
	}
	flow_seconds(cells->flow, to, ns);
	return 0;
}

/* "cpu=4,mem=8000M,gres/gpu:a100=1" */
static int put_tres(struct csv_cells *cells, const struct csv_column *column, int to,
		    const char *text)
{
	struct slurm_tres tres;

	slurm_tres_read(&tres, text);
	if (column->as == CSV_AS_CPUS && tres.cpus >= 0)
		flow_int(cells->flow, to, tres.cpus);
	else if (column->as == CSV_AS_GPUS && tres.gpus >= 0)
		flow_int(cells->flow, to, tres.gpus);
	else if (column->as == CSV_AS_TRES_MEMORY && tres.memory_bytes >= 0)
		flow_real(cells->flow, to, tres.memory_bytes);
	else if (column->as == CSV_AS_GPU_TYPE)
		flow_text(cells->flow, to,
			  arena_strndup(&cells->row, tres.gpu_type, strlen(tres.gpu_type)));
	return 0;
}

/* What stands for an element that is absent. */
static bool is_nothing(const char *word)
{
	static const char *const words[] = {"None", "NULL", "null", "nan", "NaN", "<NA>"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (str_eq(word, words[i]))
			return true;
	return false;
}

/* Behind what programs write around lists: [ ], { }, ( ), and numpy's array( … ). */
static bool unwrap(char **text)
{
	static const char *const pairs[] = {"[]", "{}", "()"};
	size_t n = strlen(*text);
	bool is_array = str_starts(*text, "array([") && (*text)[n - 1] == ')';

	if (is_array) {
		char *close = strrchr(*text, ']');

		if (close == NULL)
			return false;
		close[1] = '\0';
		*text += strlen("array(");
		n = strlen(*text);
	}
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (n > 1 && (*text)[0] == pairs[i][0] && (*text)[n - 1] == pairs[i][1]) {
			(*text)[n - 1] = '\0';
			++*text;
			return true;
		}
	return false;
}

/*
 * a|b, a;b, a b: a,b; also lists as programs print them, [12, 34], ['n1', 'n2'], {12,34} or
 * ('n1',), whose elements may be 12.0 or absent. In place; -1: the text is no such list.
 */
static int read_list(char *list)
{
	char *text = list, *word, *rest;
	bool is_array = unwrap(&text);
	size_t kept = 0, n;

	for (word = text; *word != '\0'; word = rest) {
		n = strcspn(word, is_array ? "|;, \t\n'\"" : "|;, \t\n");
		rest = word + n + (word[n] != '\0');
		word[n] = '\0';
		if (n == 0 || (is_array && is_nothing(word)))
			continue;
		if (is_array && n > 2 && str_eq(word + n - 2, ".0") &&
		    strspn(word, "0123456789") == n - 2)
			n -= 2;
		if (is_array && word[strcspn(word, "[](){}")] != '\0')
			return -1;
		if (kept > 0)
			list[kept++] = ',';
		memmove(list + kept, word, n);
		kept += n;
	}
	list[kept] = '\0';
	return 0;
}

static int put_text(struct csv_cells *cells, const struct csv_column *column, int to,
		    const char *text, struct err *err)
{
	char *copy = arena_strndup(&cells->row, text, strlen(text)), word[32];

	if (column->as == CSV_AS_STATE) {
		const char *state = slurm_job_state(NULL, text, word);

		copy = arena_strndup(&cells->row, state, strlen(state));
	}
	if (column->as == CSV_AS_LIST && read_list(copy) != 0)
		return csv_not_such(cells, column, text, "a list", err);
	flow_text(cells->flow, to, copy);
	return 0;
}

/* How many nodes a list names; of "[12, 34]" how many it has. "n[1-2],n[4,7]" is no array. */
static int put_count(struct csv_cells *cells, const struct csv_column *column, int to,
		     const char *text, struct err *err)
{
	char *copy = arena_strndup(&cells->row, text, strlen(text));

	if (strchr("[{(", *text) != NULL || str_starts(text, "array(")) {
		if (read_list(copy) != 0)
			return csv_not_such(cells, column, text, "a list", err);
	}
	flow_int(cells->flow, to, slurm_count_nodes(copy));
	return 0;
}

int csv_put_cell(struct csv_cells *cells, const struct csv_column *column, int to, const char *text,
		 struct err *err)
{
	const struct column *ours = kind_column(cells->map->kind, column->name);
	int64_t seconds;
	double bytes;
	char per;
	int has;

	switch (column->as) {
	case CSV_AS_DURATION:
		has = slurm_duration(text, &seconds, err);
		if (has < 0)
			return csv_not_such(cells, column, text, "a duration", err);
		if (has == 1)
			flow_seconds(cells->flow, to, seconds * 1000000000);
		return 0;
	case CSV_AS_MEMORY:
		if (slurm_memory(text, &bytes, &per) == 0)
			flow_real(cells->flow, to, bytes);
		return 0;
	case CSV_AS_COUNT:
		return put_count(cells, column, to, text, err);
	case CSV_AS_CPUS:
	case CSV_AS_GPUS:
	case CSV_AS_GPU_TYPE:
	case CSV_AS_TRES_MEMORY:
		return put_tres(cells, column, to, text);
	default:
		break;
	}
	if (ours->is_instant)
		return put_time(cells, column, to, text, err);
	if (ours->type == COLUMN_SECONDS || ours->type == COLUMN_INT || ours->type == COLUMN_REAL)
		return put_number(cells, column, to, text, column->times, err);
	return put_text(cells, column, to, text, err);
}
