/* a grid-stride loop that adds up: were the sizes those of a slice, it would count too much */
__kernel void k(__global const uint *in, __global ulong *sum, uint n)
{
	ulong mine = 0;

	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		mine += in[i];
	atom_add(sum, mine);
}
