/* adds to an output that is described as only written */
__kernel void k(__global uint *out)
{
	out[get_global_id(0)] += 5;
}
