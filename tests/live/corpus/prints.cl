__kernel void k(__global uint *out)
{
	out[get_global_id(0)] = 1;
	if (get_global_id(0) % 64 == 0)
		printf("%d\n", (int)get_group_id(0));
}
