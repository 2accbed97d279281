/* grid_scotch.c - grids as a target architecture of Scotch: mesh2D, mesh3D, torusXD */
#include "formats/out.h"
#include "machine/kind/grid.h"

bool grid_write_scotch(const struct topo *topo, int ncores, struct out *out)
{
	const struct grid *grid = topo->shape;
	int ndims = grid->ndims;

	if (ncores > 1 || topo->nnodes != topo->nrouters || ndims == 0 ||
	    ndims > (grid->is_ring ? 5 : 3))
		return false;
	/* meshXD goes round like a torus in Scotch 7.0.3; a line is a mesh of one row */
	if (grid->is_ring)
		out_printf(out, "torusXD\n%d ", ndims);
	else
		out_str(out, ndims == 3 ? "mesh3D\n" : "mesh2D\n");
	for (int d = 0; d < ndims; d++)
		out_printf(out, "%s%d", d > 0 ? " " : "", grid->sizes[d]);
	out_str(out, !grid->is_ring && ndims == 1 ? " 1\n" : "\n");
	return true;
}
