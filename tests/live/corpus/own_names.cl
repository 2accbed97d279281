/* macros and variables as a prelude might have them */
#define N 7
#define SLICE(x) (x)
#define first get_group_id(0)
#define ID(what) get_##what(0)
#define offset 3
#define D 0

__kernel void k(__global uint *out)
{
	uint slice = ID(global_id), mark = ID(num_groups), group = SLICE(first);

	out[slice] = mark * N + group * offset + get_global_size(D);
}
