# root.awk - times of sensitive single jobs by whether they have nodes in the group of the congestor's root
# awk -f root.awk -v per_group=384 CLASSES TIMES one-placed-POLICY.tsv…: multiples of the means without congestor
BEGIN { FS = OFS = "\t"; print "case", "root_group", "n", "mean", "median", "max" }
FNR == 1 { file++; ncolumns = 0 }
file == 1 { class[$1] = $2; next }
/^##/ { next }
!ncolumns { delete at; for (i = 1; i <= NF; i++) at[$i] = i; ncolumns = NF; next }
file == 2 {
	time[$at["policy"], $at["run"]] = $at["comm_time_s"]
	if ($at["policy"] == "no-congestor") { sum[$at["app"]] += $at["comm_time_s"]; n[$at["app"]]++ }
	next
}
$at["job"] == "congestor" { root = group($at["nodelist"]) }
class[$at["app"]] == "network-sensitive" {
	name = $at["policy"]
	key = name SUBSEP (lies_in(root, $at["nodelist"]) ? "some nodes" : "no node")
	if (!(name in seen)) { seen[name] = 1; names[++nnames] = name }
	put(key, time[name, $at["run"]] / (sum[$at["app"]] / n[$at["app"]]))
}
# of the first node that a list such as nid[00012,00007-00009] names
function group(list,    s) { s = list; gsub(/^[^0-9]*/, "", s); return int((s + 0) / per_group) }
function lies_in(wanted, list,    i, k, nparts, parts, ends) {
	gsub(/[^0-9,-]/, "", list)
	nparts = split(list, parts, ",")
	for (i = 1; i <= nparts; i++) {
		k = split(parts[i], ends, "-")
		if (int(ends[1] / per_group) <= wanted && wanted <= int(ends[k] / per_group)) return 1
	}
	return 0
}
# sorted as they come
function put(key, x,    k) {
	for (k = ++count[key]; k > 1 && ratio[key, k - 1] > x; k--) ratio[key, k] = ratio[key, k - 1]
	ratio[key, k] = x
	total[key] += x
}
END {
	for (i = 1; i <= nnames; i++)
		for (k = 1; k <= 2; k++) {
			where = k == 1 ? "no node" : "some nodes"
			key = names[i] SUBSEP where; m = count[key]
			if (m == 0) continue
			print names[i], where, m, sprintf("%.2f", total[key] / m), \
				sprintf("%.2f", (ratio[key, int((m + 1) / 2)] + ratio[key, int(m / 2) + 1]) / 2), \
				sprintf("%.2f", ratio[key, m])
		}
}
