__kernel void k(__global const float4 *in, __global float4 *out)
{
	size_t i = mad24((int)get_group_id(0), (int)get_local_size(0), (int)get_local_id(0));

	out[i] = in[i].wzyx * 2.0f + (float4)(get_num_groups(0));
}
