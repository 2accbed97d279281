# fig4.awk - times of single jobs, as multiples of the application's mean without congestor: one row a case
# awk -f fig4.awk CLASSES TIMES; nedd is low-traffic for a sensitive application, high-traffic for others
BEGIN {
	FS = OFS = "\t"
	ncases = split("no-congestor nedd low-traffic fewer-router low-stall random high-traffic", cases, " ")
	print "app", "case", "n", "mean", "median", "q1", "q3", "min", "max"
}
FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i }
NR == FNR { if (FNR > 1) class[$1] = $2; next }
FNR == 1 { next }
{
	app = $at["app"]
	if (!(app in seen)) { seen[app] = 1; apps[++napps] = app }
	put(app, $at["policy"], $at["comm_time_s"])
	if ($at["policy"] == (class[app] == "network-sensitive" ? "low-traffic" : "high-traffic"))
		put(app, "nedd", $at["comm_time_s"])
}
function put(app, name, seconds) { time[app, name, ++n[app, name]] = seconds }
# sorts the times of a case
function order(app, name,    i, k, x) {
	for (i = 2; i <= n[app, name]; i++) {
		x = time[app, name, i]
		for (k = i - 1; k > 0 && time[app, name, k] > x; k--) time[app, name, k + 1] = time[app, name, k]
		time[app, name, k + 1] = x
	}
}
# between the two next to it, as R's type 7
function quantile(app, name, p,    at, low) {
	at = 1 + p * (n[app, name] - 1); low = int(at)
	if (low == n[app, name]) return time[app, name, low]
	return time[app, name, low] + (at - low) * (time[app, name, low + 1] - time[app, name, low])
}
function mean(app, name,    i, sum) {
	for (i = 1; i <= n[app, name]; i++) sum += time[app, name, i]
	return sum / n[app, name]
}
function r(x) { return sprintf("%.3g", x) }
END {
	for (a = 1; a <= napps; a++)
		for (c = 1; c <= ncases; c++) {
			app = apps[a]; name = cases[c]
			if (n[app, name] == 0) continue
			order(app, name)
			if (name == "no-congestor") base = mean(app, name)
			print app, name, n[app, name], r(mean(app, name) / base), r(quantile(app, name, .5) / base), \
				r(quantile(app, name, .25) / base), r(quantile(app, name, .75) / base), \
				r(quantile(app, name, 0) / base), r(quantile(app, name, 1) / base)
		}
}
