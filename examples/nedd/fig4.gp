# fig4.gp - fig4.svg: of each application the times of each case, minimum, quartiles, median, mean, maximum
set terminal svg size 1000,640 background "white"
set output folder."/fig4.svg"
data = folder."/fig4.tsv"
set datafile separator "\t"
apps = system("tail -n +2 ".data." | cut -f 1 | uniq | paste -s -d \" \"")
cases = "no-congestor nedd fewer-router low-stall random low-traffic high-traffic"
ncolumns = words(apps) > 3 ? 3 : words(apps)
set multiplot layout (words(apps) + 2) / 3,ncolumns title "Time beside the mean without congestor"
set boxwidth 0.6
set style fill solid 0.3
set grid ytics
unset key
set yrange [0:*]
set xrange [0.4:words(cases) + 0.6]
set xtics () rotate by -40 font ",9"
set for [i=1:words(cases)] xtics add (word(cases, i) i)
is_of(a, c) = strcol(1) eq word(apps, a) && strcol(2) eq word(cases, c)
do for [a=1:words(apps)] {
	set title word(apps, a)
	plot for [c=1:words(cases)] data using (c):(is_of(a, c) ? $6 : NaN):8:9:7 with candlesticks whiskerbars lc c, \
		for [c=1:words(cases)] data using (c):(is_of(a, c) ? $5 : NaN):(0.3) with xerrorbars pt 0 lc "black", \
		for [c=1:words(cases)] data using (c):(is_of(a, c) ? $4 : NaN) with points pt 7 ps 0.7 lc "red"
}
unset multiplot
