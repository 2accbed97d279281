/* json_items.h - a large JSON document one item at a time: {"jobs": [{…}, {…}, …], …} */
#ifndef FORMATS_JSON_ITEMS_H
#define FORMATS_JSON_ITEMS_H

#include "formats/in.h"
#include "formats/yaml.h"

struct json_items;

/* in stays the caller's. */
struct json_items *json_items_new(struct in *in);
void json_items_free(struct json_items *items); /* NULL is allowed */

/*
 * The next item of a list that is under a key of the outermost object, or (where the value of
 * the key is no list) the value itself; of a document that is a list, its items, under the key "".
 * Item and key are valid until the next call: memory is that of the largest item, of at most 64
 * MiB. 1: an item; 0: the end; -1: no JSON (as json.h has it), with FILE:LINE.
 */
int json_items_next(struct json_items *items, const char **key, const struct yaml **item,
		    struct err *err);
/* Where the item begins, for messages: its own lines count from there. */
long json_items_line(const struct json_items *items);

#endif
