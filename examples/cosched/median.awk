# median.awk - the speed-up of a policy over the baseline: the share of orders where it is above 1, and its median
/^##/ { next }
$1 == "run" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
{
	if ($at["policy"] != "baseline") policy = $at["policy"]
	key = ($at["policy"] == "baseline") SUBSEP $at["run"]
	runs[$at["run"]] = 1
	if ($at["end_s"] + 0 > end[key]) end[key] = $at["end_s"] + 0
}
END {
	for (r in runs) {
		v = end[1, r] / end[0, r]; above += v > 1; n++
		for (j = n - 1; j >= 1 && value[j] > v; j--) value[j + 1] = value[j]
		value[j + 1] = v
	}
	printf "speed-up, %s\tW%d\t%s\t%.2f\t%.3f\n", what, w, policy, above / n, n % 2 ? value[(n + 1) / 2] : (value[n / 2] + value[n / 2 + 1]) / 2
}
