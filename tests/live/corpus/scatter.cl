/* each work item writes where a permutation says */
__kernel void k(__global const int *owner, __global int *out, int n)
{
	int i = get_global_id(0), to = (int)((long)i * 5 % n);

	out[to] = i * i + owner[to];
}
