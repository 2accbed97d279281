/* C = A B, square matrices by rows, in tiles of local memory. MIT licence, as placetools. */
#pragma OPENCL FP_CONTRACT OFF

#define TILE 8

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void gemm(__global const float *a, __global const float *b, __global float *c, int n)
{
	__local float left[TILE][TILE], right[TILE][TILE];
	int column = get_global_id(0), row = get_global_id(1);
	int x = get_local_id(0), y = get_local_id(1);
	float sum = 0;

	for (int t = 0; t < n; t += TILE) {
		left[y][x] = row < n && t + x < n ? a[row * n + t + x] : 0;
		right[y][x] = t + y < n && column < n ? b[(t + y) * n + column] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < TILE; k++)
			sum += left[y][k] * right[k][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (row < n && column < n)
		c[row * n + column] = sum;
}
