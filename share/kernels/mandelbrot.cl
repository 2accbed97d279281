/* Escape times of the Mandelbrot set. MIT licence, as placetools. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void mandelbrot(__global uint *out, int width, int height, int limit)
{
	int x = get_global_id(0), y = get_global_id(1);
	float cr = -2.0f + 3.0f * x / width, ci = -1.5f + 3.0f * y / height, r = 0, i = 0;
	int n = 0;

	for (; n < limit && r * r + i * i <= 4.0f; n++) {
		float t = r * r - i * i + cr;

		i = 2 * r * i + ci;
		r = t;
	}
	out[y * get_global_size(0) + x] = n;
}
