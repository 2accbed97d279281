# clos.awk - a Clos network as it was planned and as it is cabled: awk -v seed=1 -v pods=4 -v leaves=4 -v spines=4 -v hosts=4
# -v cores=4 -v rails=1 -v swaps=2 -v cuts=1 -v extras=1 -v plan=FILE -v seen=FILE -f clos.awk: a list of cables each; in seen
# every switch has another name, and the lines another order. Host h of a leaf has a cable to each of its rail leaves.
function cable(a, b, kind) { from[n] = a; to[n] = b; of[n] = kind; n++ }
function pick(m) { return int(rand() * m) }
# A cable that no change has touched.
function fresh() { do i = pick(n); while (i in touched); touched[i] = 1; return i }
function name(v) {
	if (v ~ /^n/) return v
	if (!(v in other)) other[v] = "S" ++named * 7919 % 1000003
	return other[v]
}
function level(i) { return of[i] == "h" ? "terminal" : "local" }
BEGIN {
	n = named = 0
	srand(seed)
	for (p = 0; p < pods; p++)
		for (l = 0; l < leaves; l++) {
			for (r = 0; r < rails; r++) {
				for (h = 0; h < hosts; h++) cable("n" p "-" l "-" h, "leaf" p "-" l "-" r, "h")
				for (s = 0; s < spines; s++) cable("leaf" p "-" l "-" r, "spine" p "-" s, "l")
			}
		}
	for (p = 0; p < pods; p++)
		for (s = 0; s < spines; s++) for (c = 0; c < cores; c++) cable("spine" p "-" s, "core" s "-" c, "s")
	for (i = 0; i < n; i++) {
		printf("%s\t%s\t%s\n", from[i], to[i], level(i)) >plan
		there[from[i], to[i]] = 1
	}
	while (swaps > 0) {
		i = pick(n); k = pick(n)
		if (i == k || i in touched || k in touched || of[i] != of[k] || from[i] == from[k] || to[i] == to[k]) continue
		# Equal ends: nothing changes but names.
		if ((from[i], to[k]) in there || (from[k], to[i]) in there) continue
		touched[i] = touched[k] = 1
		there[from[i], to[k]] = there[from[k], to[i]] = 1
		t = to[i]; to[i] = to[k]; to[k] = t
		swaps--
	}
	while (cuts > 0) { cut[fresh()] = 1; cuts-- }
	for (; extras > 0; extras--) {
		do { i = pick(n); k = pick(n) } while (of[i] != "l" || of[k] != "l" || (from[i], to[k]) in there)
		there[from[i], to[k]] = 1
		from[n] = from[i]; to[n] = to[k]; of[n] = "l"; touched[n] = 1; n++
	}
	for (i = 0; i < n; i++) order[i] = i
	for (i = n - 1; i > 0; i--) { k = pick(i + 1); t = order[i]; order[i] = order[k]; order[k] = t }
	for (i = 0; i < n; i++)
		if (!(order[i] in cut))
			printf("%s\t%s\t%s\n", name(from[order[i]]), name(to[order[i]]), level(order[i])) >seen
}
