# plot.gp - fig2.svg: random groups and random nodes, jobs of 16 and of 68 nodes
set terminal svg size 900,420 background "white"
set output "fig2.svg"
set multiplot layout 1,2
set style data histograms
set style fill solid 0.6
set xtics rotate by -30
set yrange [0:*]
set ylabel "communication time (ms)"
do for [size in "16 68"] {
	set title size . "-node jobs"
	plot for [policy in "rdg rdn"] sprintf("< awk -F'\\t' '$1 == %s && $3 == \"%s\"' fig2.tsv", size, policy) \
		using ($4 * 1000):xtic(2) title policy
}
unset multiplot
