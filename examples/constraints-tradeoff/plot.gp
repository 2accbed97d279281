# plot.gp - tradeoff.svg: what each constraint costs jobs in the queue, and what it spares them in the network
set terminal svg size 400 * words(logs), 460 background "white"
set output "tradeoff.svg"
set multiplot layout 1, words(logs)
set xlabel "mean flow time added by the constraint (%)"
set ylabel "slowdown of communication by neighbours (%)"
set grid
set key top right
set offsets graph .05, graph .35, graph .15, graph .05
do for [log_name in logs] {
	set title log_name
	plot "plot.txt" using (stringcolumn(3) eq log_name ? $4 : 1/0):5:1 with labels left offset 1,.3 font ",9" notitle, \
		"" using (stringcolumn(3) eq log_name && stringcolumn(2) eq "easy" ? $4 : 1/0):5 with points pt 7 lc rgb "#c0392b" title "easy", \
		"" using (stringcolumn(3) eq log_name && stringcolumn(2) ne "easy" ? $4 : 1/0):5 with points pt 6 lc rgb "#2c3e50" title "conservative"
}
unset multiplot
