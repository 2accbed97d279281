uint where(void) { return get_group_id(0) * get_local_size(0) + get_local_id(0); }
uint all(void) { return get_num_groups(0) * get_local_size(0); }

__kernel void k(__global uint *out)
{
	out[where()] = where() ^ all() << 12 ^ (uint)get_global_size(0);
}
