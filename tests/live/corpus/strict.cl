__kernel void k(__global uint *out)
{
	out[get_global_id(0)] = get_group_id(0) + get_num_groups(0);
}
