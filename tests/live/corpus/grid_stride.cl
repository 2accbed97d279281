__kernel void k(__global const uint *in, __global uint *out, uint n)
{
	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		out[i] = in[i] * 3 + 1;
}
