/* out = in², and the group that did it */
__kernel void square(__global const float *in, __global float *out, __global uint *group)
{
	size_t i = get_global_id(0);

	out[i] = in[i] * in[i];
	group[i] = get_group_id(0);
}
