# quantiles.awk - "POLICY MEDIAN P10 P90" of the ratio of makespans in metrics streams, one policy after the other
/^##/ { next }
$1 == "run" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["metric"] == "makespan_s" {
	policy = $at["policy"]
	if (!(policy in n)) policies[++npolicies] = policy
	value[policy, ++n[policy]] = $at["ratio"]
}
function quantile(policy, q,   i, j, v, k, low) {
	for (i = 2; i <= n[policy]; i++) {
		v = value[policy, i]
		for (j = i - 1; j >= 1 && value[policy, j] > v; j--) value[policy, j + 1] = value[policy, j]
		value[policy, j + 1] = v
	}
	k = 1 + (n[policy] - 1) * q; low = int(k)
	return low == n[policy] ? value[policy, low] : value[policy, low] + (k - low) * (value[policy, low + 1] - value[policy, low])
}
END {
	for (p = 1; p <= npolicies; p++)
		printf "W%d\t%s\t%.3f\t%.3f\t%.3f\n", workload, policies[p], quantile(policies[p], 0.5), quantile(policies[p], 0.1), quantile(policies[p], 0.9)
}
