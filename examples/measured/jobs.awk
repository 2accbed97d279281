# jobs.awk - a run of netsim for each measured row: awk -f jobs.awk [-v roles=fit] [-v also="TEST|BYTES"] DATA >jobs.tsv
# DATA: rows as data/*.tsv has them, or as traceconv --from osu writes them.
# also: a row that chose a parameter, too: its role is fit. The name of a run is "number|test|bytes|ranks per node|role|measured value|iterations".
BEGIN {
	FS = OFS = "\t"
	nsizes = split(sizes != "" ? sizes : "8 64 512 4096 32768 262144 1048576", size, " ")
	for (i = 1; i <= nsizes; i++)
		wanted[size[i]]
	print "##placetools=jobs/1"
	print "run", "job", "nodes", "nodelist", "pattern", "bytes", "iterations", "ranks_per_node"
}
/^#/ { next }
$1 == "test" || $1 == "scope" { for (i = 1; i <= NF; i++) at[$i == "scope" ? "test" : $i] = i; next }
!($(at["bytes"]) in wanted) || (roles != "" && $(at["role"]) != roles) { next }
{
	test = $(at["test"])
	pattern = test ~ /^osu_latency/ ? "osu-latency" : test ~ /^osu_(bw|mbw_mr)/ ? "osu-bw" : test ~ /^osu_bibw/ ? "window:both=yes" : ""
	if (pattern == "")
		pattern = "collective:op=" substr(test, 5)
	sub(/:container=.*/, "", pattern)
	iterations = pattern == "osu-latency" ? 10 : 3
	sub(/:.*/, "", test)
	role = test "|" $(at["bytes"]) == also ? "fit" : $(at["role"])
	print ++n "|" test "|" $(at["bytes"]) "|" $(at["ranks_per_node"]) "|" role "|" $(at["value"]) "|" iterations,
		"job", $(at["nodes"]), "n[0-" $(at["nodes"]) - 1 "]", pattern, $(at["bytes"]), iterations, $(at["ranks_per_node"])
}
