/* a histogram for each group, counted with atomics on local memory */
__kernel void k(__global const uint *in, __global uint *out)
{
	__local uint bins[16];
	uint l = get_local_id(0);

	if (l < 16)
		bins[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&bins[in[get_global_id(0)] % 16]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 16)
		out[get_group_id(0) * 16 + l] = bins[l];
}
