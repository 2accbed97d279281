/* what every function says of a work item, in a helper */
static void probe(__global ulong *out, ulong at)
{
	__global ulong *p = out + at * 24;

	p[0] = get_work_dim();
	for (uint d = 0; d < 4; d++) {
		p[1 + d] = get_global_id(d);
		p[5 + d] = get_global_size(d);
		p[9 + d] = get_group_id(d);
		p[13 + d] = get_num_groups(d);
		p[17 + d] = get_global_offset(d) + get_local_id(d) * 65536 * 65536;
	}
	p[21] = get_local_size(0);
	p[22] = get_local_size(1);
	p[23] = get_local_size(2);
}

__kernel void k(__global ulong *out)
{
	ulong x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
	ulong z = get_global_id(2) - get_global_offset(2);

	probe(out, (z * get_global_size(1) + y) * get_global_size(0) + x);
}
