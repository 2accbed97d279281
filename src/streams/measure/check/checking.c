/* checking.c - findings, and what checks share */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "measure/check/check.h"
#include "base/num.h"
#include "base/str.h"

void found(struct findings *findings, const char *text)
{
	findings->n++;
	if (findings->most == 0 || findings->n <= findings->most)
		findings->tell(findings->context, text);
}

static void tell_place(struct checking *checking, const char *file, long line, const char *fmt,
		       va_list ap)
{
	char what[900], text[1024];

	vsnprintf(what, sizeof(what), fmt, ap);
	snprintf(text, sizeof(text), "%.100s:%ld: %s", file, line, what);
	found(checking->findings, text);
}

void found_at(struct checking *checking, const struct row *row, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell_place(checking, row->file, row->line, fmt, ap);
	va_end(ap);
}

void found_in(struct checking *checking, const char *file, long line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell_place(checking, file, line, fmt, ap);
	va_end(ap);
}

bool cell_int(const struct row *row, int column, int64_t *value)
{
	const char *text = row_text(row, column);

	return text != NULL && num_int(text, INT64_MIN, INT64_MAX, value) == 0;
}

bool cell_real(const struct row *row, int column, double *value)
{
	const char *text = row_text(row, column);

	return text != NULL && num_real(text, -1e300, 1e300, value) == 0;
}

bool cell_seconds(const struct row *row, int column, int64_t *ns)
{
	const char *text = row_text(row, column);

	return text != NULL && num_seconds(text, ns) == 0;
}

void check_word(struct checking *checking, const struct row *row, const char *column,
		const char *const *words)
{
	const char *text = row_text(row, table_find(checking->in, column));
	struct buf list = {0};

	if (text == NULL)
		return;
	for (int i = 0; words[i] != NULL; i++) {
		if (str_eq(words[i], text))
			return;
	}
	for (int i = 0; words[i] != NULL; i++)
		buf_printf(&list, "%s%s", i > 0 ? ", " : "", words[i]);
	found_at(checking, row, "%s: '%s' is none of %s", column, text, buf_text(&list));
	buf_free(&list);
}

void check_not_negative(struct checking *checking, const struct row *row, const char *column,
			bool strict)
{
	int place = table_find(checking->in, column);
	int64_t ns;

	if (!cell_seconds(row, place, &ns) || ns > 0 || (ns == 0 && !strict))
		return;
	found_at(checking, row, "%s: %s is %s", column, row->cells[place],
		 ns < 0 ? "negative" : "not above 0");
}

void check_times_ordered(struct checking *checking, const struct row *row, const char *first,
			 const char *second)
{
	int a = table_find(checking->in, first), b = table_find(checking->in, second);
	int64_t from, to;

	if (cell_seconds(row, a, &from) && cell_seconds(row, b, &to) && to < from)
		found_at(checking, row, "%s %s is before %s %s", second, row->cells[b], first,
			 row->cells[a]);
}

void check_ordered(struct checking *checking, const struct row *row, const char *first,
		   const char *second)
{
	int a = table_find(checking->in, first), b = table_find(checking->in, second);
	double from, to;

	if (cell_real(row, a, &from) && cell_real(row, b, &to) && to < from)
		found_at(checking, row, "%s %s is less than %s %s", second, row->cells[b], first,
			 row->cells[a]);
}

int check_node(struct checking *checking, const struct row *row, const char *column)
{
	const char *name = row_text(row, table_find(checking->in, column));
	int node;

	if (name == NULL || checking->topo == NULL)
		return -1;
	node = topo_node_find(checking->topo, name, strlen(name));
	if (node < 0)
		found_at(checking, row, "%s: '%s' is not a node of %s", column, name,
			 checking->topo->name);
	return node;
}

int check_router(struct checking *checking, const struct row *row, const char *column)
{
	const char *name = row_text(row, table_find(checking->in, column));
	int router;

	if (name == NULL || checking->topo == NULL)
		return -1;
	router = topo_router_find(checking->topo, name, strlen(name));
	if (router < 0)
		found_at(checking, row, "%s: '%s' is not a router of %s", column, name,
			 checking->topo->name);
	return router;
}
