# plot.gp - fig7.svg: small and large jobs of each policy relative to simple, on 272 nodes at the ratio 1
set terminal svg size 1000,640 background "white"
set output "fig7.svg"
set multiplot layout 2,3
set xlabel "16-node jobs / simple"
set ylabel "64-node jobs / simple"
set xrange [0.5:3]
set yrange [0.3:1.3]
set key font ",8"
policies = "simple slurm rdg rdr rrr rdn rrn level-spread"
do for [pattern in "alltoall broadcast fft3d halo2d halo3d halo3d26:n=8"] {
	set title pattern
	plot for [i=1:words(policies)] sprintf("< awk -F'\\t' '$1 == \"level-spread-272\" && $2 == 1 && $3 == \"%s\" && $4 == \"%s\"' fig7.tsv", \
		pattern, word(policies, i)) using 5:6 with points pt (i < 4 ? 13 : i < 8 ? 7 : 3) ps (i < 8 ? 1 : 2) title word(policies, i)
}
unset multiplot
