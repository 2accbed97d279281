# plot.gp - strategies.svg: the traffic that each strategy leaves to the two classes of jobs
set terminal svg size 720,400 background "white"
set output "strategies.svg"
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.85 noborder
set boxwidth 0.9
set grid ytics
set title "Where five strategies put the waiting jobs: sensitive ones (red) should meet little traffic"
set ylabel "other traffic at the jobs' switches (MB/s)"
set yrange [0:*]
set offsets 0, 0, 150, 0
set key top center horizontal
plot "plot.txt" using 2:xtic(1) title "network-sensitive jobs" lc rgb "#c0392b", \
	"" using 3 title "network-insensitive jobs" lc rgb "#7f8c8d"
