/* prefix sums within each group */
__kernel void k(__global const int *in, __global int *out, __local int *a)
{
	uint l = get_local_id(0), n = get_local_size(0);

	a[l] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint step = 1; step < n; step *= 2) {
		int more = l >= step ? a[l - step] : 0;

		barrier(CLK_LOCAL_MEM_FENCE);
		a[l] += more;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_group_id(0) * n + l] = a[l];
}
