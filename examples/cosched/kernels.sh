#!/bin/bash
# kernels.sh - the four applications of the dissertation on its node, as a kernels table: kernels.sh [NAME=VALUE…]
#
# Ratios between devices are those of §4.5.1 (two of them, the copies of SpMV and XSBench to the GPU, are solved from it).
# Times are chosen: NAME is mandelbrot, gemm, spmv or xsbench: seconds of the smallest size on the best device; grow: from one
# size to the next; slices; init: multiplies all initialisations; fpga: how much slower SpMV and XSBench are on the FPGA.
awk -v OFS='\t' '
BEGIN {
	time["mandelbrot"] = 4; time["gemm"] = 3; time["spmv"] = 8; time["xsbench"] = 12
	begin["mandelbrot"] = 0.5; begin["gemm"] = 1; begin["spmv"] = 4; begin["xsbench"] = 10
	grow = 2; slices = 256; init = 1; fpga = 15
	for (i = 1; i < ARGC; i++) {
		split(ARGV[i], pair, "=")
		if (pair[1] == "grow") grow = pair[2]
		else if (pair[1] == "slices") slices = pair[2]
		else if (pair[1] == "init") init = pair[2]
		else if (pair[1] == "fpga") fpga = pair[2]
		else if (pair[1] == "overhead") overhead = pair[2] == "yes"
		else if (pair[1] in time) time[pair[1]] = pair[2]
		else { print "kernels.sh: " ARGV[i] "?" >"/dev/stderr"; exit 2 }
	}
	if (overhead) {
		print "##placetools=kernels/1"
		print "app", "size", "device", "time_s", "slices", "slice_overhead_s"
		n = split("4096 8192 16384 22400", size, " ")
		for (i = 1; i <= n; i++)
			print "gemm", size[i], "gpu", seconds(time["gemm"] * (size[i] / 4096) ^ 3), slices, sprintf("%.9f", 0.056 * time["gemm"] / 256)
		exit
	}
	print "##placetools=kernels/1"
	print "app", "size", "device", "time_s", "slices", "copy_in_s", "bytes", "init_s"
	n = split("2048 4096 8192 16384", size, " ")
	for (i = 1; i <= n; i++) {
		put("mandelbrot", i, size[i], "cpu", 1, 0, 4 * size[i] ^ 2)
		put("mandelbrot", i, size[i], "gpu", 1 / 0.69, 0, 4 * size[i] ^ 2)
		put("mandelbrot", i, size[i], "fpga", 1 / 0.61, 0, 4 * size[i] ^ 2)
	}
	n = split("4096 8192 16384 22400", size, " ")
	for (i = 1; i <= n; i++) {
		put("gemm", i, size[i], "gpu", 1, 0, 12 * size[i] ^ 2)
		put("gemm", i, size[i], "fpga", 2.522, 0, 12 * size[i] ^ 2)
		put("gemm", i, size[i], "cpu", 80, 0, 12 * size[i] ^ 2)
	}
	n = split("28 29 30 31", size, " ")
	for (i = 1; i <= n; i++) {
		put("spmv", i, size[i], "cpu", 1, 0, ".")
		put("spmv", i, size[i], "gpu", 0.679, 0.679, ".")
		put("spmv", i, size[i], "fpga", fpga, 0, ".")
	}
	n = split("16M 32M 64M", size, " ")
	for (i = 1; i <= n; i++) {
		put("xsbench", i, size[i], "gpu", 0.756, 0.244, ".")
		put("xsbench", i, size[i], "cpu", 2.519, 0, ".")
		put("xsbench", i, size[i], "fpga", fpga, 0, ".")
	}
}
function seconds(s) { return sprintf("%.6f", s) }
function put(app, i, size, device, ratio, copy, bytes,   s) {
	s = time[app] * grow ^ (i - 1)
	print app, size, device, seconds(s * ratio), slices, seconds(s * copy), bytes == "." ? "." : sprintf("%.0f", bytes),
		seconds(begin[app] * init * grow ^ (i - 1))
}' "$@"
