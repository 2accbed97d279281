/* json_file.h - the items of a JSON document, one after the other */
#ifndef CONVERT_READER_JSON_FILE_H
#define CONVERT_READER_JSON_FILE_H

#include "formats/json_items.h"
#include "model/flow.h"

/* key: of the list that the item is in, or NULL. err without FILE:LINE gets it. */
typedef int json_item_fn(void *context, const char *key, const struct yaml *item, struct err *err);

/* Calls take for every item, with flow->file and flow->line set; the first error ends it. 0
 * or -1. */
int json_file_read(struct in *in, struct flow *flow, json_item_fn *take, void *context,
		   struct err *err);

#endif
