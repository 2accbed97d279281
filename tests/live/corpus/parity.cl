/* groups do different things, by their number and by how many there are */
__kernel void k(__global float *out)
{
	uint g = get_group_id(0);
	float table[4] = {1, 2, 3, 4};

	switch (g % 3) {
	case 0:
		out[get_global_id(0)] = table[g % 4];
		break;
	case 1:
		out[get_global_id(0)] = g == get_num_groups(0) - 1 ? -1 : sqrt((float)g);
		break;
	default:
		out[get_global_id(0)] = get_global_id(0);
	}
}
