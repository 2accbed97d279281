# orders.awk - speed-up over the baseline of each order: of jobs streams of one workload, one policy after the other
#
# Prints "POLICY MEDIAN P10 P90" for each policy but the baseline, then the share of orders in which the pattern of the
# dissertation holds (-v workload=1 to 4), and that in which its full order does; ties count as not.
/^##/ { next }
$1 == "run" { for (i = 1; i <= NF; i++) at[$i] = i; next }
{
	run = $at["run"]; policy = $at["policy"]; key = policy SUBSEP run
	if (!(policy in known)) { known[policy] = 1; policies[++npolicies] = policy }
	runs[run] = 1
	if ($at["end_s"] + 0 > end[key]) end[key] = $at["end_s"] + 0
}
function by_value(n,   i, j, v) { # sort values [n]
	for (i = 2; i <= n; i++) {
		v = values[i]
		for (j = i - 1; j >= 1 && values[j] > v; j--) values[j + 1] = values[j]
		values[j + 1] = v
	}
}
function quantile(n, q,   at, low) {
	at = 1 + (n - 1) * q; low = int(at)
	return low == n ? values[n] : values[low] + (at - low) * (values[low + 1] - values[low])
}
END {
	OFS = "\t"
	for (p = 1; p <= npolicies; p++) {
		if (policies[p] == "baseline") continue
		n = 0
		for (run in runs) values[++n] = end["baseline" SUBSEP run] / end[policies[p] SUBSEP run]
		by_value(n)
		printf "W%d\t%s\t%.3f\t%.3f\t%.3f\n", workload, policies[p], quantile(n, 0.5), quantile(n, 0.1), quantile(n, 0.9)
	}
	for (run in runs) {
		g = end["greedy-up" SUBSEP run]; e = end["elastic" SUBSEP run]; d = end["elastic-dl" SUBSEP run]
		ties += (e == d)
		if (workload == 1) { pattern += (g < e && g < d); full += (g < e && e < d) }
		if (workload == 2) { pattern += (g <= d); full += (g < e && e < d) }
		if (workload == 3) { pattern += (g > e && g > d); full += (e < d && d < g) }
		if (workload == 4) { pattern += (d < e && e < g); full += (d < e && e < g) }
	}
	printf "W%d\tpattern\t%.2f\tfull order\t%.2f\n", workload, pattern / n, full / n
	printf "W%d\tties of elastic and elastic-dl\t%.2f\t.\t.\n", workload, ties / n
}
