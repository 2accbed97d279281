# reserved.awk - how long the GPU is kept for XSBench jobs that initialise on another device: jobs, then their timeline
#
# Prints the share of orders in which that is more than 10 s, and the mean in seconds (the text has 50 s in its order).
/^##/ { next }
FNR == NR && $1 == "run" || $1 == "run" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
FNR == NR || !("state" in at) { app[$at["run"], $at["job"]] = $at["app"]; runs[$at["run"]] = 1; next }
$at["state"] == "reserved" && $at["device"] == "gpu" && app[$at["run"], $at["job"]] == "xsbench" {
	kept[$at["run"]] += $at["end_s"] - $at["start_s"]
}
END {
	for (r in runs) { n++; more += kept[r] > 10; sum += kept[r] }
	printf "the GPU is kept for XSBench in its initialisation\tW%d\tgreedy-up\t%.2f\t%.1f s\n", w, more / n, sum / n
}
