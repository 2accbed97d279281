/* one sum for each group, in local memory */
__kernel void k(__global const uint *in, __global uint *out, __local uint *part)
{
	uint l = get_local_id(0);

	part[l] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint rest = get_local_size(0) / 2; rest > 0; rest /= 2) {
		if (l < rest)
			part[l] += part[l + rest];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (l == 0)
		out[get_group_id(0)] = part[0];
}
