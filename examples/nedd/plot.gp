# plot.gp - traffic.svg: the traffic of the routers that each strategy chose, one point a placement
set terminal svg size 800,420 background "white"
set output "traffic.svg"
set logscale y
set format y "10^{%T}"
set ylabel "mean traffic of the routers used (flits/s)"
set title "One-job experiments: what each strategy finds"
set style boxplot nooutliers
set style fill solid 0.25
set grid ytics
unset key
strategies = "nedd-sensitive low-traffic low-stall fewer-router random high-traffic nedd-insensitive"
set xtics ()
set for [i=1:words(strategies)] xtics add (word(strategies, i) i)
set xrange [0.4:words(strategies) + 0.6]
set jitter spread 0.3
plot for [i=1:words(strategies)] "points.txt" using (i):(strcol(1) eq word(strategies, i) ? $2 : NaN) with boxplot lc i, \
	for [i=1:words(strategies)] "points.txt" using (i):(strcol(1) eq word(strategies, i) ? $2 : NaN) with points pt 7 ps 0.4 lc i
