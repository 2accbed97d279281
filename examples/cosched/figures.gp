# figures.gp - Figures 4.5 and 4.7 to 4.13, from what figures.sh wrote
policies = "baseline greedy-up elastic elastic-dl"
array colour[4] = [0xc0392b, 0x2980b9, 0x27ae60, 0xf39c12]

set terminal svg size 560,360 background "white"
set grid ytics
set output "fig4.5.svg"
set title "What slices cost GEMM on the GPU (Figure 4.5; lower is better)"
set logscale x 2
set xlabel "slices"
set ylabel "% slower than one slice"
set key top left
plot for [size in "4096 8192 16384"] "< awk '$1 == ".size."' fig4.5.txt" using 2:3 with linespoints title size
unset logscale

set terminal svg size 900,360 background "white"
set output "fig4.7.svg"
set title "Time on sets of devices, over the GPU's (Figure 4.7; lower is better; above 4 not shown)"
set xlabel
set ylabel "time / GPU's"
set key outside right
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.85 noborder
set xtics rotate by -20
plot for [i=2:8] "fig4.7.txt" using i:xtic(1) title columnheader(i)
set xtics norotate

set key off
set style fill solid 0.85 border lc rgb "white"
do for [w=1:4] {
	set terminal svg size 900,640 background "white"
	set output sprintf("fig4.%d.svg", 7 + w)
	set xrange [*:*]
	set yrange [*:*]
	stats sprintf("timeline%d.txt", w) using 4 nooutput
	set multiplot layout 4,1 title sprintf("Workload %d (Figure 4.%d): red Mandelbrot, blue GEMM, green SpMV, orange XSBench; grey: initialisation, hatched: reserved", w, 7 + w)
	do for [panel=0:3] {
		set title word(policies, panel + 1) offset 0,-0.7
		set yrange [0.4:3.6]
		set ytics ("CPU" 1, "GPU" 2, "FPGA" 3)
		set xrange [0:STATS_max]
		set xlabel (panel == 3 ? "seconds" : "")
		set ylabel
		file = sprintf("timeline%d.txt", w)
		plot for [a=1:4] sprintf("< awk '$1 == %d && $5 == %d && $6 != \"init\" && $6 != \"reserved\"' %s; echo 9 9 9 9 9", panel, a, file) \
				using 3:($2 > 3 ? NaN : $2):3:4:($2-0.35):($2+0.35) with boxxyerror lc rgb colour[a], \
			sprintf("< awk '$1 == %d && $6 == \"init\"' %s; echo 9 9 9 9 9", panel, file) \
				using 3:($2 > 3 ? NaN : $2):3:4:($2-0.35):($2+0.35) with boxxyerror lc rgb 0xbdc3c7, \
			sprintf("< awk '$1 == %d && $6 == \"reserved\"' %s; echo 9 9 9 9 9", panel, file) \
				using 3:($2 > 3 ? NaN : $2):3:4:($2-0.35):($2+0.35) with boxxyerror fs pattern 4 lc rgb 0x7f8c8d
	}
	unset multiplot
}
set autoscale
unset ytics
set ytics auto
set key inside top left
set grid ytics

set terminal svg size 900,700 background "white"
set output "fig4.12.svg"
set multiplot layout 2,2 title "Turn-around of each job (Figure 4.12; lower is better)"
do for [w=1:4] {
	set title sprintf("Workload %d", w)
	set ylabel "seconds"
	set xlabel "job"
	set style data linespoints
	plot for [policy in policies] sprintf("< awk '$1 == \"%s\"' turnaround%d.txt", policy, w) using 2:3 title policy
}
unset multiplot

set terminal svg size 640,360 background "white"
set output "fig4.13.svg"
set title "Makespan of each workload (Figure 4.13; lower is better)"
set ylabel "seconds"
set xlabel
set yrange [0:*]
set key outside right
set style data histogram
set style fill solid 0.85 noborder
plot for [policy in policies] sprintf("< awk '$2 == \"%s\"' fig4.13.txt", policy) using 3:xtic(1) title policy
