# plot.gp - fig8.svg: small and large jobs of each policy relative to simple, by the sizes of their messages
set terminal svg size 1000,360 background "white"
set output "fig8.svg"
set multiplot layout 1,words(sizes)
set xlabel "16-node jobs / simple"
set ylabel "64-node jobs / simple"
set key font ",8"
policies = "simple slurm rdg rdr rrr rdn rrn level-spread"
do for [pair in sizes] {
	colon = strstrt(pair, ":")
	set title "small " . pair[1:colon - 1] . ", large " . pair[colon + 1:*]
	plot for [i=1:words(policies)] sprintf("< awk -F'\\t' '$1 == \"%s\" && $2 == \"%s\" && $3 == \"%s\"' fig8.tsv", \
		pair[1:colon - 1], pair[colon + 1:*], word(policies, i)) \
		using 4:5 with points pt (i < 4 ? 13 : i < 8 ? 7 : 3) ps (i < 8 ? 1 : 2) title word(policies, i)
}
unset multiplot
