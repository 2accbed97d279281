/* the program launches with an offset of its own, and takes it off again */
__kernel void k(__global uint *out)
{
	uint i = get_global_id(0) - get_global_offset(0);

	out[i] = get_global_id(0) + 100000 * (uint)get_global_offset(0) + get_group_id(0);
}
