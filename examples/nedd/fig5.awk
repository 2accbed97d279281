# fig5.awk - times of two jobs, as multiples of each one's mean without congestor: one row a pair and case
BEGIN {
	FS = OFS = "\t"
	ncases = split("no-congestor nedd fewer-router low-stall random", cases, " ")
	print "pair", "case", "n", "first", "first_se", "second", "second_se"
}
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{
	pair = $at["workload"]
	if (!(pair in seen)) { seen[pair] = 1; pairs[++npairs] = pair }
	place = index(pair, $at["app"] "+") == 1 ? 1 : 2
	key = pair SUBSEP $at["policy"] SUBSEP place
	n[key]++; sum[key] += $at["comm_time_s"]; squares[key] += $at["comm_time_s"] ^ 2
}
function mean(key) { return sum[key] / n[key] }
function error(key,    v) {
	v = n[key] > 1 ? (squares[key] - sum[key] ^ 2 / n[key]) / (n[key] - 1) / n[key] : 0
	return sqrt(v > 0 ? v : 0)
}
function r(x) { return sprintf("%.3g", x) }
END {
	for (p = 1; p <= npairs; p++)
		for (c = 1; c <= ncases; c++) {
			one = pairs[p] SUBSEP cases[c] SUBSEP 1; two = pairs[p] SUBSEP cases[c] SUBSEP 2
			if (n[one] == 0) continue
			if (cases[c] == "no-congestor") { base1 = mean(one); base2 = mean(two) }
			print pairs[p], cases[c], n[one], r(mean(one) / base1), r(error(one) / base1), \
				r(mean(two) / base2), r(error(two) / base2)
		}
}
