__kernel void k(write_only pipe uint p, __global uint *out)
{
	uint v = get_global_id(0);

	write_pipe(p, &v);
	out[v] = v;
}
