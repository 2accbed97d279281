/* the old value of an atomic is the place: another order, another output */
__kernel void k(__global const uint *in, __global uint *count, __global uint *out)
{
	if (in[get_global_id(0)] % 3 == 0)
		out[atomic_inc(count)] = in[get_global_id(0)];
}
