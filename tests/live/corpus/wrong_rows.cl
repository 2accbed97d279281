/* writes backwards: described as rows, which it is not */
__kernel void k(__global uint *out)
{
	out[get_global_size(0) - 1 - get_global_id(0)] = get_global_id(0);
}
