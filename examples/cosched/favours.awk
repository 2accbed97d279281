# favours.awk - does a policy favour long jobs? Of a jobs stream under the baseline, and then under the policy
#
# Prints the share of orders in which the correlation of log(run time under the baseline) with log(turn-around under the
# policy over that under the baseline) is below 0, and the mean of these correlations.
/^##/ { next }
$1 == "run" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
{
	key = $at["run"] SUBSEP $at["job"]
	around = log($at["end_s"] - $at["submit_s"])
	if ($at["policy"] == "baseline") { length_of[key] = log($at["end_s"] - $at["start_s"]); before[key] = around; next }
	policy = $at["policy"]
	r = $at["run"]; x = length_of[key]; y = around - before[key]
	n[r]++; sx[r] += x; sy[r] += y; sxx[r] += x * x; syy[r] += y * y; sxy[r] += x * y
}
END {
	for (r in n) {
		vx = n[r] * sxx[r] - sx[r] ^ 2; vy = n[r] * syy[r] - sy[r] ^ 2
		if (vx <= 0 || vy <= 0) continue
		c = (n[r] * sxy[r] - sx[r] * sy[r]) / sqrt(vx * vy)
		orders++; negative += c < 0; sum += c
	}
	printf "long jobs gain most\tW%d\t%s\t%.2f\t%.2f\n", w, policy, negative / orders, sum / orders
}
