/* each work item counts itself, in the slot of its group's parity and in one for all */
__kernel void k(__global uint *total, __global uint *seen)
{
	atomic_inc(&total[get_group_id(0) % 4]);
	seen[get_global_id(0)] += 1;
}
