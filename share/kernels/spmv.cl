/* y = A x, compressed rows with a constant number of entries. MIT licence, as placetools. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void spmv(__global const int *start, __global const int *column,
		   __global const float *value, __global const float *x, __global float *y, int rows)
{
	int row = get_global_id(0);
	float sum = 0;

	if (row >= rows)
		return;
	for (int i = start[row]; i < start[row + 1]; i++)
		sum += value[i] * x[column[i]];
	y[row] = sum;
}
