/* table_row.c - the cells of a row of a stream as texts and numbers */
#include <stdarg.h>
#include <stdio.h>

#include "base/num.h"
#include "formats/table.h"
#include "formats/table_priv.h"

int row_error(const struct row *row, struct err *err, const char *fmt, ...)
{
	char what[900];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(err, "%s:%ld: %s", row->file, row->line, what);
}

const char *row_text(const struct row *row, int column)
{
	const char *text = column >= 0 ? row->cells[column] : ".";

	return text[0] == '.' && text[1] == '\0' ? NULL : text;
}

static int not_in_range(const struct row *row, const char *name, const char *noun, double min,
			double max, struct err *err, const char *text)
{
	if (max >= 9e15 || (min == 0 && max == 0))
		return row_error(row, err, "%s: '%s' is not %s of at least %.15g", name, text, noun,
				 min);
	return row_error(row, err, "%s: '%s' is not %s from %.15g to %.15g", name, text, noun, min,
			 max);
}

/* What the check of a cell read; NULL: it was of another kind, or is not kept. */
static inline const struct row_value *checked(const struct row *row, int column, int kind)
{
	if (column < 0 || row->values == NULL || (int)row->values[column].kind != kind)
		return NULL;
	return &row->values[column];
}

int row_int(const struct row *row, int column, const char *name, int64_t min, int64_t max,
	    int64_t *value, struct err *err)
{
	const struct row_value *known = checked(row, column, VALUE_WHOLE);
	const char *text;

	if (known != NULL && known->whole >= min && known->whole <= max) {
		*value = known->whole;
		return 1;
	}
	text = row_text(row, column);
	if (text == NULL)
		return 0;
	if (num_int(text, min, max, value) != 0)
		return not_in_range(row, name, "a whole number", (double)min, (double)max, err,
				    text);
	return 1;
}

int row_real(const struct row *row, int column, const char *name, double min, double max,
	     double *value, struct err *err)
{
	const struct row_value *known = checked(row, column, VALUE_REAL);
	const char *text;

	if (known != NULL && known->real >= min && known->real <= max) {
		*value = known->real;
		return 1;
	}
	text = row_text(row, column);
	if (text == NULL)
		return 0;
	if (num_real(text, min, max, value) != 0)
		return not_in_range(row, name, "a number", min, max, err, text);
	return 1;
}

int row_seconds(const struct row *row, int column, const char *name, int64_t *ns, struct err *err)
{
	const struct row_value *known = checked(row, column, VALUE_NS);
	const char *text;

	if (known != NULL) {
		*ns = known->whole;
		return 1;
	}
	text = row_text(row, column);
	if (text == NULL)
		return 0;
	if (num_seconds(text, ns) != 0)
		return row_error(
			row, err,
			"%s: '%s' is not a time in decimal seconds (at most nine decimals)", name,
			text);
	return 1;
}
