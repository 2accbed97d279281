/* table_find.c - columns of a table by name */
#include <string.h>
#include "base/str.h"
#include "formats/table_priv.h"

const struct column *kind_column(const struct table_kind *kind, const char *name)
{
	for (const struct column *column = kind->columns; column->name != NULL; column++)
		if (str_eq(column->name, name))
			return column;
	return NULL;
}

const struct table_kind *table_kind(const struct table_in *table)
{
	return table->kind;
}

int table_ncolumns(const struct table_in *table)
{
	return (int)table->columns.n;
}

const char *table_column(const struct table_in *table, int column)
{
	return table->columns.at[column];
}

int table_find_n(const struct table_in *table, const char *name, size_t n)
{
	return (int)map_get(&table->column_ids, name, n);
}

int table_find(const struct table_in *table, const char *name)
{
	return table_find_n(table, name, strlen(name));
}

const char *table_hint(const struct table_in *table, const char *name, struct near_name *near)
{
	near_begin(near, name);
	for (size_t i = 0; i < table->columns.n; i++)
		near_try(near, table->columns.at[i], strlen(table->columns.at[i]));
	return near_hint(near);
}
