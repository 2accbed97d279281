/* PoCL 3.1 takes the offset of a launch narrower than 65 536 for less than that: wide, with an offset */
__kernel void k(__global uint *out)
{
	uint i = get_global_id(0) - get_global_offset(0);

	out[i] = (uint)(get_global_offset(0) >> 16) * 100000 + get_group_id(0);
}
