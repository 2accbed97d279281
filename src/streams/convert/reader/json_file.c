/* json_file.c - the items of a JSON document, one after the other */
#include "convert/reader/json_file.h"

#include "base/str.h"
#include "formats/in.h"

int json_file_read(struct in *in, struct flow *flow, json_item_fn *take, void *context,
		   struct err *err)
{
	struct json_items *items = json_items_new(in);
	const struct yaml *item;
	const char *key;
	struct err why;
	int status;

	flow->file = in_name(in);
	while ((status = json_items_next(items, &key, &item, err)) == 1) {
		flow->line = json_items_line(items);
		status = take(context, key, item, &why);
		if (status == 0)
			continue;
		if (str_starts(why.msg, in_name(in)))
			*err = why;
		else
			err_set(err, "%s:%ld: %.900s", in_name(in), json_items_line(items),
				why.msg);
		if ((status = flow_leave_out(flow, err)) != 0)
			break;
	}
	flow->file = NULL;
	json_items_free(items);
	return status;
}
