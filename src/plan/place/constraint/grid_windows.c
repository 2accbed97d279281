/* grid_windows.c - sums over windows of a grid, one dimension after the other */
#include "place/constraint/grid_windows.h"

#include "base/mem.h"

struct cell *windows_slide(const struct cell *from, const int *extents, int ndims, int d, int side,
			   bool is_ring, int *nplaces)
{
	int64_t below = 1, above = 1;
	int size = extents[d];
	struct cell *to;

	*nplaces = side == size ? 1 : is_ring ? size : size - side + 1;
	for (int i = 0; i < ndims; i++)
		*(i < d ? &below : &above) *= i == d ? 1 : extents[i];
	to = xmalloc((size_t)(below * above * *nplaces) * sizeof(*to));
	for (int64_t a = 0; a < above; a++)
		for (int64_t b = 0; b < below; b++) {
			const struct cell *in = &from[a * size * below + b];
			struct cell *out = &to[a * *nplaces * below + b];
			struct cell sum = {0};

			for (int i = 0; i < side; i++) {
				sum.nbusy += in[i * below].nbusy;
				sum.weight += in[i * below].weight;
				sum.value += in[i * below].value;
			}
			out[0] = sum;
			for (int i = 1; i < *nplaces; i++) {
				const struct cell *gone = &in[(i - 1) * below];
				const struct cell *come = &in[(i + side - 1) % size * below];

				sum.nbusy += come->nbusy - gone->nbusy;
				sum.weight += come->weight - gone->weight;
				sum.value += come->value - gone->value;
				out[i * below] = sum;
			}
		}
	return to;
}
