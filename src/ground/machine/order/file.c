/* file.c - the order that a file says */
#include <stdlib.h>

#include "machine/order/order.h"
#include "formats/in.h"

enum { FILE_MOST = 1 << 28 };

static int make(int_vec *nodes, const struct topo *topo, const struct pick *pick, struct err *err)
{
	const char *path = pick_word(pick, "path");
	struct in *in;
	char *text;
	size_t n;
	int status;

	if (in_open(&in, path, err) != 0)
		return -1;
	status = in_all(in, &text, &n, FILE_MOST, err);
	in_close(in);
	if (status != 0)
		return -1;
	status = topo_nodelist_read(topo, text, nodes, err);
	free(text);
	return status == 0 ? 0 : err_prefix(err, "%s: ", path);
}

const struct order order_file = {
	.entry =
		{
			.name = "file",
			.example = "file:path=order.txt",
			.summary = "as a file lists all nodes: names or hostlists, "
				   "separated by blanks, commas or line ends",
			.params =
				(const struct param[]){
					{.key = "path",
					 .type = PARAM_FILE,
					 .meaning = "every node of the machine, once"},
					{0}},
		},
	.make = make,
};
