# claims.awk - what the study claims beside ours, with its class: a part of tables.awk, whose values it takes

# E: arithmetic, exact. O: the author's simulator can be compared with. T: a trend, on messages made up from the study's
# description. C: hangs on how long ranks wait, which those do not say: no evidence. X: cannot be had.
function claim(what, class, theirs, ours, why) {
	printf "%-40s %-5s %-27s %-27s %s\n", what, class, theirs, ours, why
}

# expected.tsv: messages between two nodes, and LULESH's
function read_small(file,   line, cell, n) {
	while ((getline line <file) > 0) {
		n = split(line, cell, "\t")
		if (n == 6 && cell[1] ~ /^[0-9]+$/) {
			nsmall++
			off(cell[2], cell[3])
			off(cell[4], cell[5])
			falls += nsmall > 1 && cell[6] < small_ratio
			rises += nsmall > 1 && cell[4] - cell[2] > small_saving
			small_ratio = cell[6]
			small_saving = cell[4] - cell[2]
		}
		if (n == 5 && cell[1] == 8) counts = cell[3] "/" cell[4] "/" cell[5]
	}
	close(file)
}

function off(x, y,   us) {
	us = x > y ? x - y : y - x
	if (us > worst_us) worst_us = us
}

# the range of what a code takes more at so many GPUs a node than at 1, both ways
function increases(app, ranks, gpus, map, imbalance, scaling, bandwidth,   s, w, ways) {
	split("hostcopy gpudirect", ways, " ")
	for (s = 1; s <= nsizes[app]; s++) for (w = 1; w <= 2; w++)
		if (!ranks || sizes[app, s] == ranks)
			add(more(comm, pick(app, sizes[app, s], gpus, "lassen", map, bandwidth, scaling, imbalance, ways[w]), pick(app, sizes[app, s], 1, "lassen", map, 1, scaling, imbalance, ways[w])))
	return range()
}

# the range of GPUDirect's gains of a code, all node types and both maps
function all_gains(app, scaling, imbalance,   s, g, m) {
	for (s = 1; s <= nsizes[app]; s++) for (g = 1; g <= 4; g++) for (m = 1; m <= nmaps; m++)
		add(gain(comm, app, sizes[app, s], types[g], "lassen", maps[m], 1, scaling, imbalance))
	return range()
}

function deviations(app, imbalance,   key, cell) {
	for (key in sd) {
		split(key, cell, SUBSEP)
		if (cell[1] == app && cell[8] == imbalance && cell[7] == "weak") add(sd[key])
	}
	key = nvalues ? sprintf("%.4f-%.4f", least, most) : "."
	nvalues = 0
	return key
}

function claims(   c, app, first, last) {
	read_small(small)
	title("Claims: E arithmetic, O the author's simulator, T a trend, C hangs on how ranks wait, X cannot be had")
	claim("claim", "class", "study", "ours", "why")
	claim("Figure 3.4, simulated: 20 times", "O", "5.55-1283.05 us", sprintf("within %.2f us", worst_us), "the author's simulator, run on single messages")
	claim("Figure 3.4, measured on Lassen", "X", "within 16 and 13 %", ".", "the measurements are not published")
	claim("Figure 3.5, parts of real runs", "X", "see above", "see above", "the traces are not; our computation is chosen")
	for (c = 1; c <= ncodes; c++) {
		app = codes[c]
		claim("O1: gain of " app ", %", "C", study[app, "weak"], all_gains(app, "weak", "0") "; " all_gains(app, "weak", ".3"), "balanced; imbalance .3")
	}
	claim("O1: the order of gains", "C", "SW4lite AmgX Minisweep LULESH", plane_holds, "codes that wait alike have another")
	claim("O2: part times gain is what a run gains", "E", "holds", sprintf("worst error %.0e", worst_product), "computation is the same both ways")
	claim("O3: larger messages gain more: time", "O", "yes", rises == nsmall - 1 ? "yes" : "no", "ten sizes")
	claim("O3: the same in proportion", "O", "yes", falls == nsmall - 1 ? "no, less and less" : "not always", "20 us count most in small ones")
	for (c = 1; c <= ncodes; c++) {
		app = codes[c]
		claim("strong scaling: gain of " app ", %", "C", study[app, "strong"], all_gains(app, "strong", "0") "; " all_gains(app, "strong", ".3"), "balanced; imbalance .3")
	}
	for (c = 1; c <= ncodes; c++) {
		app = codes[c]
		first = sizes[app, 1]; last = sizes[app, nsizes[app]]
		claim("O4: " app ", " first " ranks, 1 to 6 GPUs, %", "T", study[app, "first"], increases(app, first, 6, "leaf-round-robin", "0", "weak", 1), "balanced, the author's map")
		claim("O4: " app ", " last " ranks, 1 to 6 GPUs, %", "T", study[app, "last"], increases(app, last, 6, "leaf-round-robin", "0", "weak", 1), "the same")
	}
	claim("O4: GPUDirect loses more than HostCopy", "T", "2 of 2 pairs", nlower " of " npairs " pairs", "its messages wait for the NIC, not for copies")
	claim("O4: 2 GPUs cost nothing: SW4lite, %", "O", "no effect", increases("sw4lite", 0, 2, "in-order", "0", "weak", 1) "; " increases("sw4lite", 0, 2, "leaf-round-robin", "0", "weak", 1), "two queues, two planes; blocks; the author's map")
	claim("O5: 6 GPUs, 6 x bandwidth: Minisweep, %", "O", "no loss", increases("minisweep", 0, 6, "leaf-round-robin", ".3", "weak", 6), "Figure 3.8")
	claim("speed-up at 6 by the others", "E", "1.163 for 1.158", sprintf("worst error %.0e", worst), "the printed are rounded")
	claim("LULESH, shares of messages, 8 ranks", "E", "44/44/11", counts, "its 27 to 216 ranks have others")
	claim("AmgX, deviation of ranks, s", "X", ".34-.42", deviations("amgx", ".3"), "of 100 iterations of real runs; imbalance .3")
}
