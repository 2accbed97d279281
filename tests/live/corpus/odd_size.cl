__kernel void k(__global uint *out, uint n)
{
	if (get_global_id(0) < n)
		out[get_global_id(0)] = get_group_id(0) * get_global_size(0);
}
