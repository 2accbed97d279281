# plot.gp - maximum congestion of each mapper relative to the default mapping, one group of bars a pattern
set terminal svg size 900,420 background "white"
set output "congestion.svg"
set style data histogram
set style histogram cluster gap 1
set style fill solid 0.8 border -1
set yrange [0:*]
set ylabel "maximum congestion / in-order"
set xtics rotate by -25
set key outside right
set grid y
plot for [i=2:5] "points.txt" using i:xtic(1) title columnheader(i)
