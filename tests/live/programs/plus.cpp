// plus.cpp - an ordinary program of OpenCL's C++ interface: two dimensions, local memory
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <iostream>
#include <vector>

int main()
{
	const int w = 96, h = 130;
	std::vector<cl::Platform> platforms;
	std::vector<cl::Device> devices;
	cl::Platform::get(&platforms);
	platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &devices);
	cl::Context context(devices.at(0));
	cl::CommandQueue queue(context, devices.at(0));
	cl::Program program(context,
		"int row(void) { return get_group_id(1) * get_local_size(1) + get_local_id(1); }\n"
		"__kernel void blend(__global int *out, int w) {\n"
		"  int x = get_group_id(0) * get_local_size(0) + get_local_id(0);\n"
		"  out[row() * w + x] = x * 7 + row() * get_global_size(1) + get_work_dim(); }\n", true);
	std::vector<int> out(w * h);
	cl::Buffer buffer(context, CL_MEM_READ_WRITE, sizeof(int) * out.size());
	auto blend = cl::KernelFunctor<cl::Buffer, int>(program, "blend");
	blend(cl::EnqueueArgs(queue, cl::NDRange(w, h)), buffer, w).wait();
	cl::copy(queue, buffer, out.begin(), out.end());
	unsigned long sum = 0;
	for (int v : out)
		sum = sum * 33 + v;
	std::cout << sum << "\n";
}
