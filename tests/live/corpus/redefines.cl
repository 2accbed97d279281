#define get_group_id(d) (get_global_id(d) / get_local_size(d))
__kernel void k(__global uint *out)
{
	out[get_global_id(0)] = get_group_id(0);
}
