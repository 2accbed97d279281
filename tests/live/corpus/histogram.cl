__kernel void k(__global const uint *in, __global uint *bins)
{
	atomic_inc(bins + in[get_global_id(0)] % 64);
}
