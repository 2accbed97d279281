# plot.gp - fig5.svg: quartiles and extremes of packets and stalls of links
set terminal svg size 1000,900 background "white"
set output "fig5.svg"
set multiplot layout 4,2
unset key
set style fill solid 0.4
set boxwidth 0.5
set grid ytics
policies = "level-spread simple slurm rdg rdr rrr rdn rrn"
set xtics rotate by -20
set xtics ()
set for [i=1:words(policies)] xtics add (word(policies, i) i)
set xrange [0.4:words(policies) + 0.6]
do for [size in "16 64"] {
	do for [metric in "packets stall_s"] {
		do for [level in "local global"] {
			set title size." nodes: ".metric." of ".level." links" noenhanced
			plot for [i=1:words(policies)] sprintf("< awk -F'\\t' '$1 == %s && $2 == \"%s\" && $3 == \"%s\" && $4 == \"%s\"' fig5.tsv", \
				size, metric, level, word(policies, i)) using (i):6:5:9:8 with candlesticks lc rgb "#208020" whiskerbars, \
				for [i=1:words(policies)] sprintf("< awk -F'\\t' '$1 == %s && $2 == \"%s\" && $3 == \"%s\" && $4 == \"%s\"' fig5.tsv", \
				size, metric, level, word(policies, i)) using (i):7:7:7:7 with candlesticks lc rgb "black"
		}
	}
}
unset multiplot
