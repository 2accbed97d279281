/* io_points.c - where the jobs of a machine reach their files */
#include "place/constraint/io_points.h"

#include <stdlib.h>

#include "place/constraint/space.h"
#include "formats/hostlist.h"

int io_point_compare(const void *a, const void *b)
{
	const struct io_point *x = a, *y = b;

	if ((x->node < 0) != (y->node < 0))
		return x->node < 0 ? 1 : -1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->router > y->router) - (x->router < y->router);
}

int io_points(const struct topo *topo, const int *rank_of, struct io_point **result, int *n,
	      struct err *err)
{
	VEC(struct io_point) points = {0};
	char name[TOPO_NAME];

	for (int i = 0; i < topo->nio; i++) {
		const struct topo_io *io = &topo->io[i];

		for (int k = 0; k < io->nnodes; k++)
			vec_push(&points,
				 (struct io_point){io->nodes[k], topo->router_of[io->nodes[k]],
						   io->is_separate, io->is_exclusive});
		for (int r = 0; io->at_level > 0 && r < topo->nrouters; r++)
			if (rank_of[r] == io->at_level - 1)
				vec_push(&points, (struct io_point){-1, r, io->is_separate,
								    io->is_exclusive});
	}
	if (points.n > 1)
		qsort(points.at, points.n, sizeof(*points.at), io_point_compare);
	*result = NULL;
	*n = 0;
	for (size_t i = 1; i < points.n; i++)
		if (io_point_compare(&points.at[i - 1], &points.at[i]) == 0) {
			err_set(err, "io: %s is there twice", io_name(topo, &points.at[i], name));
			vec_free(&points);
			return -1;
		}
	*result = points.at;
	*n = (int)points.n;
	return 0;
}

const char *io_name(const struct topo *topo, const struct io_point *point, char text[TOPO_NAME])
{
	return point->node >= 0 ? topo_node_name(topo, point->node, text)
				: topo_router_name(topo, point->router, text);
}
