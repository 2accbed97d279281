__kernel void k(__global uint *out)
{
	out[get_group_id(0) * get_local_size(0) + get_local_id(0)] =
		get_group_id(0) * 1000 + get_num_groups(0);
}
