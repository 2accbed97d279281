__kernel void k(__global uint *out)
{
	out[get_global_linear_id()] = get_global_linear_id() * 7 + get_local_linear_id();
}
