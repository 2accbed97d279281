# figures.gp - figures 2.3 to 2.8, from what figures.sh wrote; divisor: of bytes and planned times
places = "local grouped global"
apps = "gtc hacc lammps s3d"
scale = sprintf(" (bytes and planned times divided by %g)", divisor)

set terminal svg size 1000,560 font ",10" background "white"
set output "fig2.3.svg"
set multiplot layout 3,1 title "Burst buffers of a fat tree (Figure 2.3): nodes of each leaf switch, filled where there is one"
set key off
set xrange [-1:270]
set yrange [-1:18]
set xlabel "leaf switch"
set ylabel "node"
do for [panel=0:2] {
	set title word(places, panel + 1) offset 0,-0.7
	plot "fig2.3.txt" using ($1 == panel && $4 == 0 ? $2 : 1/0):3 with points pt 7 ps 0.15 lc rgb 0xbdc3c7, \
		"" using ($1 == panel && $4 == 1 ? $2 : 1/0):3 with points pt 5 ps 0.3 lc rgb 0xc0392b
}
unset multiplot

set output "fig2.4.svg"
set multiplot layout 2,2 title "When ranks plan to write (Figure 2.4)"
set autoscale
set xlabel "time, s"
set ylabel "rank"
do for [panel=0:3] {
	set title word(apps, panel + 1) offset 0,-0.7
	if (panel == 2) { set xrange [-0.5:3] } else { set xrange [*:*] }
	plot "fig2.4.txt" using ($1 == panel ? $2 : 1/0):3 with dots lc rgb 0x2980b9
}
unset multiplot

set terminal svg size 560,360 background "white"
set output "fig2.5.svg"
set title "IOR on Konrad's drives, simulated (Figure 2.5; the measured side is not public)"
set key bottom right
set grid ytics
set logscale x 2
set xtics (6, 12, 24, 48, 96, 192)
set xlabel "ranks"
set ylabel "MiB/s"
set yrange [0:*]
plot "fig2.5.txt" using 1:2 with linespoints title "simulated", "" using 1:3 with lines dt 2 title "four drives, always busy"
unset logscale
set xtics auto

set terminal svg size 900,360 background "white"
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.85 noborder
set key outside right
set xlabel
set xrange [*:*]
set output "fig2.6.svg"
set title "Links on the path of packets of I/O (Figure 2.6); 0 for local drives"
set ylabel "links, mean"
plot for [i=2:5] "fig2.6.txt" using i:xtic(1) title columnheader(i)
set output "fig2.8.svg"
set title "Length of I/O phases with 45 us for each operation (Figure 2.8)".scale
set ylabel "s"
set logscale y
set yrange [*:*]
plot for [i=2:10] "fig2.8.txt" using i:xtic(1) title columnheader(i)
unset logscale

set terminal svg size 1000,800 background "white"
set key off
set style data lines
do for [app in apps] {
	set output sprintf("fig2.7-%s.svg", app)
	set multiplot layout 3,3 title sprintf("I/O of %s's ranks (Figure 2.7)%s", app, scale)
	set xlabel "ms"
	set ylabel "rank"
	file = sprintf("fig2.7-%s.txt", app)
	stats file using 2 name "S" nooutput
	stats file using (($2 + $4 - S_min) * 1e3) name "T" nooutput
	set xrange [0:T_max]
	do for [panel=0:8] {
		set title sprintf("%s, %s", word("FT TFT DF", panel / 3 + 1), word(places, panel % 3 + 1)) offset 0,-0.7
		plot file using ($1 == panel ? ($2 - S_min) * 1e3 : 1/0):3:($4 * 1e3):(0) with vectors nohead lc rgb 0x27ae60
	}
	unset multiplot
	set xrange [*:*]
}
