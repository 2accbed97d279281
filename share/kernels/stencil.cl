/* A three-point stencil in place: a group reads what another one has
 * written, so it can't be cut into slices. MIT licence, as placetools. */
__kernel void stencil(__global float *grid, int n)
{
	int i = get_global_id(0);

	if (i > 0 && i < n - 1)
		grid[i] = (grid[i - 1] + grid[i] + grid[i + 1]) / 3;
}
