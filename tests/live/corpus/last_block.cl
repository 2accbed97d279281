/* the last group to come adds up what the others wrote */
__kernel void k(__global const uint *in, __global volatile uint *part, __global volatile int *done,
		__global uint *out)
{
	if (get_local_id(0) == 0) {
		part[get_group_id(0)] = in[get_group_id(0)];
		mem_fence(CLK_GLOBAL_MEM_FENCE);
		if (atom_inc(done) == (int)get_num_groups(0) - 1) {
			uint sum = 0;

			for (uint g = 0; g < get_num_groups(0); g++)
				sum += part[g];
			out[0] = sum;
		}
	}
}
