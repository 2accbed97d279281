# claims.awk - what the paper says of Figs 4 and 5, and what came out: awk -f claims.awk CLASSES FIG4 FIG5
BEGIN { FS = OFS = "\t"; print "claim", "paper", "ours", "medians" }
FNR == 1 { file++; delete at; for (i = 1; i <= NF; i++) at[$i] = i; next }
file == 1 { class[$1] = $2; next }
file == 2 {
	mean[$1, $2] = $at["mean"]; low[$1, $2] = $at["min"]; high[$1, $2] = $at["max"]; median[$1, $2] = $at["median"]
	if (!($1 in seen)) { seen[$1] = 1; apps[++napps] = $1 }
	next
}
{ first[$1, $2] = $at["first"]; second[$1, $2] = $at["second"]; pairs[$1] = 1 }
function percent(x) { return sprintf("%.0f %%", 100 * x) }
# 1 − NeDD/other of one application, of means or of medians
function gain(app, other, by) {
	return by == "mean" ? 1 - mean[app, "nedd"] / mean[app, other] : 1 - median[app, "nedd"] / median[app, other]
}
# the mean of that over the sensitive ones
function gains(other, by,    a, n, sum) {
	for (a = 1; a <= napps; a++)
		if (class[apps[a]] == "network-sensitive") { n++; sum += gain(apps[a], other, by) }
	return n ? sum / n : 0
}
function all_gains(by) { return (gains("random", by) + gains("low-stall", by) + gains("fewer-router", by)) / 3 }
function is_best(column, pair,    k, best, nedd) {
	nedd = column == 1 ? first[pair, "nedd"] : second[pair, "nedd"]
	best = 1
	for (k = 1; k <= 3; k++)
		if ((column == 1 ? first[pair, others[k]] : second[pair, others[k]]) < nedd) best = 0
	return best
}
function yes(x) { return x ? "yes" : "no" }
END {
	split("random low-stall fewer-router", others, " ")
	split("34 32 2", paper1, " "); split("19 12 2", paper4, " ")
	if ("miniMD" in seen) {
		print "miniMD: random beside No-Congestor", "5 times", sprintf("%.1f times", mean["miniMD", "random"]), \
			sprintf("%.1f times", median["miniMD", "random"] / median["miniMD", "no-congestor"])
		for (k = 1; k <= 3; k++)
			print "miniMD: NeDD takes less time than " others[k], paper1[k] " %", \
				percent(gain("miniMD", others[k], "mean")), percent(gain("miniMD", others[k], "median"))
	}
	for (k = 1; k <= 3; k++)
		print "sensitive ones: NeDD takes less time than " others[k], paper4[k] " %", \
			percent(gains(others[k], "mean")), percent(gains(others[k], "median"))
	print "sensitive ones: mean of these three", "11 %", percent(all_gains("mean")), percent(all_gains("median"))
	for (a = 1; a <= napps; a++) {
		if (class[apps[a]] != "network-insensitive") continue
		worst = 0; inside = 1
		for (k = 1; k <= 3; k++) {
			x = mean[apps[a], others[k]]
			if (x > worst) worst = x
			if (x < low[apps[a], "no-congestor"] || x > high[apps[a], "no-congestor"]) inside = 0
		}
		x = mean[apps[a], "nedd"]
		if (x > worst) worst = x
		if (x < low[apps[a], "no-congestor"] || x > high[apps[a], "no-congestor"]) inside = 0
		print apps[a] ": all strategies inside No-Congestor's range", "yes", yes(inside) sprintf(" (at most %.2f times)", worst), "."
	}
	if ("miniMD+MILC" in pairs)
		print "miniMD + MILC: NeDD is best for both", "yes", yes(is_best(1, "miniMD+MILC")) ", " yes(is_best(2, "miniMD+MILC")), "."
	if ("miniMD+QMCPACK" in pairs)
		print "miniMD + QMCPACK: NeDD is best for miniMD", "yes", yes(is_best(1, "miniMD+QMCPACK")), "."
	if ("QMCPACK+miniMD" in pairs) {
		print "QMCPACK + miniMD: NeDD's miniMD takes less time than fewer-router's", "40 %", \
			percent(1 - second["QMCPACK+miniMD", "nedd"] / second["QMCPACK+miniMD", "fewer-router"]), "."
		print "QMCPACK + miniMD: NeDD's QMCPACK takes longer than fewer-router's", "< 1 %", \
			percent(first["QMCPACK+miniMD", "nedd"] / first["QMCPACK+miniMD", "fewer-router"] - 1), "."
	}
}
