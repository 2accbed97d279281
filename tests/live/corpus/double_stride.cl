/* strides in both dimensions */
__kernel void k(__global uint *out, int w, int h)
{
	for (int y = get_global_id(1); y < h; y += get_global_size(1))
		for (int x = get_global_id(0); x < w; x += get_global_size(0))
			out[y * w + x] = x * 31 + y + get_work_dim();
}
