# plot.gp - fig12.svg, fig13.svg: three readings of Jokanovic's policy in each workload, over level-spread
set terminal svg size 720,460 background "white"
set output sprintf("fig%s.svg", figure)
set key outside right
set xlabel "small jobs: time over level-spread's"
set ylabel "large jobs: time over level-spread's"
set xrange [0.5:4]
set yrange [0.5:3]
set arrow from 1, graph 0 to 1, graph 1 nohead dt 2 lc rgb "#208020"
set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb "#208020"
readings = "jokanovic jokanovic:boundary=static jokanovic:bug=sst"
plot for [r in readings] sprintf("< awk -F'\\t' '$1 == \"%s\"' fig%s.tsv", r, figure) \
	using 3:4 with points pt 7 ps 0.4 title r, "< echo 1 1" with points pt 3 ps 2 lc rgb "#208020" title "level-spread"
