# plot.gp - fig4.svg: times relative to simple at the ratio 1, as Fig. 4 of the paper
set terminal svg size 1000,620 background "white"
set output "fig4.svg"
set multiplot layout 2,1
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set ylabel "time / simple"
set yrange [0:*]
set grid ytics
set key outside right
policies = "level-spread simple slurm rdg rdr rrr rdn rrn"
patterns = "alltoall broadcast fft3d halo2d halo3d halo3d26:n=8"
do for [size in "16 64"] {
	set title size."-node jobs, global-to-local bandwidth 1"
	plot for [p in policies] sprintf("< awk -F'\\t' '$1 == %s && $2 == 1 && $4 == \"%s\" { print $3, $6 }' fig4.tsv", size, p) \
		using 2:xtic(1) title p
}
unset multiplot
