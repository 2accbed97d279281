__kernel void k(__write_only image2d_t out)
{
	write_imagef(out, (int2)(get_global_id(0), 0), (float4)(1));
}
