/* file.c - the parts of a file: line r has the part of rank r, as METIS writes it */
#include <stdlib.h>

#include "map/problem/problem.h"
#include "base/mem.h"
#include "base/num.h"
#include "formats/in.h"

static int read_parts(struct in *in, int nranks, int nparts, int *part_of, struct err *err)
{
	int rank = 0, status;
	char *line;

	while ((status = in_line(in, &line, NULL, err)) == 1) {
		int64_t part;

		if (rank == nranks)
			return in_error(in, err, "a line more than the %d ranks", nranks);
		if (num_int(line, 0, nparts - 1, &part) != 0)
			return in_error(in, err, "'%s' is not a part from 0 to %d", line,
					nparts - 1);
		part_of[rank++] = (int)part;
	}
	if (status == 0 && rank < nranks)
		return in_error(in, err, "%d lines, but there are %d ranks", rank, nranks);
	return status;
}

static int check_sizes(const struct in *in, int nranks, int nparts, const int *size,
		       const int *part_of, struct err *err)
{
	int *n = xcalloc((size_t)nparts, sizeof(*n)), status = 0;

	for (int r = 0; r < nranks; r++)
		n[part_of[r]]++;
	for (int p = 0; p < nparts && status == 0; p++)
		if (n[p] != size[p])
			status = err_set(err, "%s: part %d has %d ranks, its node takes %d",
					 in_name(in), p, n[p], size[p]);
	free(n);
	return status;
}

static int run(const struct map_input *in, const struct pick *pick, int nparts, const int *size,
	       int *part_of, struct err *err)
{
	struct in *file;
	int status = in_open(&file, pick_word(pick, "path"), err);

	if (status == 0)
		status = read_parts(file, in->comm->nranks, nparts, part_of, err);
	if (status == 0)
		status = check_sizes(file, in->comm->nranks, nparts, size, part_of, err);
	in_close(file);
	return status;
}

const struct map_partition map_partition_file = {
	.entry =
		{
			.name = "file",
			.example = "file:path=parts.txt",
			.summary = "parts from a file: line r has the part of rank r, as "
				   "METIS and others write it",
			.params =
				(const struct param[]){
					{.key = "path",
					 .type = PARAM_FILE,
					 .meaning = "one whole number per line: part p goes "
						    "to one node and has as many ranks as the"
						    " p-th node takes"},
					{0}},
		},
	.run = run,
};
