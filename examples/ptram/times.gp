# times.gp - Figs 7 and 9 b: percent of the time of communication that each mapping saves
set terminal svg size 1200,420 background "white"
set style data linespoints
set grid
set xlabel "bytes of a message"
set output "fig7.svg"
set multiplot layout 1,3
set logscale x 2
set key bottom left font ",8" samplen 1
do for [pattern in "halo2d halo3d15 alltoall-sub"] {
	set title pattern
	set ylabel pattern eq "halo2d" ? "% saved against in-order" : ""
	plot for [i=2:8] sprintf("times-%s.txt", pattern) using 1:i title columnheader(i), 0 with lines lc "black" notitle
}
unset multiplot
unset logscale
set terminal svg size 500,420 background "white"
set output "fig9b.svg"
set title "nbody"
set ylabel "% saved against in-order"
unset key
unset xlabel
set style data histogram
set style fill solid 0.8 border -1
set xtics rotate by -25
set ytics nomirror
plot "fig9b.txt" using 2:xtic(1)
