# plot.gp - fig9.svg: sizes of jobs; fig10.svg and, with large jobs first, fig11.svg: each policy in each workload, over
# level-spread
set terminal svg size 720,460 background "white"
set output "fig9.svg"
set xlabel "nodes of a job"
set ylabel "jobs"
set logscale y
set style fill solid 0.6
unset key
plot "fig9.tsv" using 1:2 with boxes lc rgb "#4878a8"
unset logscale y
set key outside right
set xlabel "small jobs: time over level-spread's"
set ylabel "large jobs: time over level-spread's"
set xrange [0.5:4]
set yrange [0.5:3]
set arrow from 1, graph 0 to 1, graph 1 nohead dt 2 lc rgb "#208020"
set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb "#208020"
policies = "simple slurm rdg rdr rrr rdn rrn"
do for [order in orders] {
	set output order eq "small" ? "fig10.svg" : "fig11.svg"
	plot for [p in policies] sprintf("< awk -F'\\t' '$2 == \"%s\" { print $5, $6 }' fig10-%s.tsv", p, order) \
		using 1:2 with points pt 7 ps 0.4 title p, \
		"< echo 1 1" with points pt 3 ps 2 lc rgb "#208020" title "level-spread"
}
