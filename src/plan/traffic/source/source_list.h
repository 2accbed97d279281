/* source_list.h - lists of column names in a pick: NAME+NAME */
#ifndef TRAFFIC_SOURCE_SOURCE_LIST_H
#define TRAFFIC_SOURCE_SOURCE_LIST_H

#include "traffic/source/source.h"

/*
 * Calls use for each column that a name of the list represents: the column NAME, and every NAME#…
 * (whose instance is the text behind the #, else ""), by name. A name without any column is
 * refused, unless may_lack; the number of columns is returned.
 */
typedef void list_use_fn(void *context, int column, const char *name, const char *instance);
int list_columns(const struct counter_names *names, const char *list, bool may_lack,
		 list_use_fn *use, void *context, struct err *err);

#endif
