# figures.gp - Figures 3.4 to 3.8 of the data that figures.sh writes
set terminal svg size 900,600 font "sans,11" background "white"
set style data histograms
set style fill solid 0.7 border -1
set key outside bottom center horizontal
codes = "sw4lite amgx minisweep lulesh"

set output "fig3.4.svg"
set logscale xy
set xlabel "bytes"
set ylabel "microseconds"
plot "fig3.4.txt" using 1:2 with lines title "GPUDirect", "" using 1:3 with points title "author", \
	"" using 1:4 with lines title "HostCopy", "" using 1:5 with points title "author"
unset logscale

set xlabel "ranks"
set yrange [0:]
set output "fig3.5.svg"
set multiplot layout 2,2
set style histogram rowstacked
set ylabel "part of the time, %"
do for [code in codes] {
	set title code
	plot sprintf("fig3.5-%s.txt", code) using 2:xtic(1) title "computation", "" using 3 title "communication"
}
unset multiplot

set style histogram clustered
set ylabel "gain of GPUDirect, %"
do for [figure in "3.6 3.7"] {
	set output sprintf("fig%s.svg", figure)
	set multiplot layout 2,2
	do for [code in codes] {
		set title code
		plot for [k = 1:4] sprintf("fig%s-%s.txt", figure, code) using k + 1:xtic(1) title word("1 2 4 6", k)." a node"
	}
	unset multiplot
}

set title "Minisweep, GPUDirect, bandwidth in proportion to the GPUs of a node"
set output "fig3.8.svg"
set style histogram rowstacked
set xlabel "ranks/GPUs a node"
set ylabel "seconds"
set xtics rotate
plot "fig3.8.txt" using 2:xtic(1) title "computation", "" using 3 title "communication"
