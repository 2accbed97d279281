# fig5.gp - fig5.svg: of each pair the times of both jobs, means and their standard errors
set terminal svg size 1000,380 background "white"
set output folder."/fig5.svg"
data = folder."/fig5.tsv"
set datafile separator "\t"
pairs = system("tail -n +2 ".data." | cut -f 1 | uniq | paste -s -d \" \"")
cases = "no-congestor nedd fewer-router low-stall random"
set multiplot layout 1,words(pairs) title "Times beside the means without congestor"
set grid
set key top left font ",9"
first(pair) = substr(pair, 1, strstrt(pair, "+") - 1)
second(pair) = substr(pair, strstrt(pair, "+") + 1, strlen(pair))
is_of(p, c) = strcol(1) eq word(pairs, p) && strcol(2) eq word(cases, c)
do for [p=1:words(pairs)] {
	set xlabel first(word(pairs, p))
	set ylabel second(word(pairs, p))
	plot for [c=1:words(cases)] data using (is_of(p, c) ? $4 : NaN):6:5:7 with xyerrorbars pt 9 lc c title word(cases, c)
}
unset multiplot
