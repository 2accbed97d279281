__kernel void k(__global uint *out)
{
	out[get_global_id(0) % 64] = 5;
}
