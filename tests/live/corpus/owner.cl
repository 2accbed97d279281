/* element e is written by work item map[e] = e / 4 */
__kernel void k(__global const int *map, __global float *out)
{
	int i = get_global_id(0);

	for (int e = 0; e < 4; e++)
		out[4 * i + e] = map[4 * i + e] + (float)get_group_id(0) / 8;
}
