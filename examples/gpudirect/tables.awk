# tables.awk - what the README shows of results.tsv: awk -v costs=costs.tsv [-v all=1] -f tables.awk results.tsv

# Those between the fewest and the most ranks only with all.
BEGIN {
	FS = "\t"
	ncodes = split("sw4lite amgx minisweep lulesh", codes, " ")
	nmaps = split("in-order leaf-round-robin", maps, " ")
	split("1 2 4 6", types, " ")
	# what the study prints: gains weak and strong, %; communication's part, %; increases from 1 to 6 GPUs a node, %
	study["sw4lite", "weak"] = "15.8-74.4"; study["sw4lite", "strong"] = "18-77"; study["sw4lite", "share"] = "34.3-42.5"
	study["amgx", "weak"] = "16.2-17.6"; study["amgx", "strong"] = "18-29"; study["amgx", "share"] = "5.3-7.2"
	study["minisweep", "weak"] = "0.1-7.9"; study["minisweep", "strong"] = "to 11"; study["minisweep", "share"] = "76.0-81.7"
	study["lulesh", "weak"] = "below 3"; study["lulesh", "strong"] = "2-6"; study["lulesh", "share"] = "28.1-31.9"
	study["sw4lite", "first"] = "23.9-39.8"; study["sw4lite", "last"] = "118-227"
	study["amgx", "first"] = "2.4-3.3"; study["amgx", "last"] = "6.2-7.4"
	study["minisweep", "first"] = "47.6-52.6"; study["minisweep", "last"] = "222-242"
	study["lulesh", "first"] = "0"; study["lulesh", "last"] = "about 1"
}

NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }

# the iterations of most rows; others are rows of steady() and of Minisweep's blocks
NR == 2 { iterations = $at["iterations"] }
$at["iterations"] != iterations && $at["app"] !~ /,/ { steady[$at["app"], $at["gpus"], $at["map"], $at["iterations"], $at["way"]] = $at["comm_s"]; next }

{
	key = $at["app"] SUBSEP $at["ranks"] SUBSEP $at["gpus"] SUBSEP $at["machine"] SUBSEP $at["map"] SUBSEP $at["bandwidth"] SUBSEP \
		$at["scaling"] SUBSEP $at["imbalance"] SUBSEP $at["way"]
	comm[key] = $at["comm_s"]; comp[key] = $at["compute_s"]; artefact[key] = $at["artefact_s"]; sd[key] = $at["sd_s"]
	if (!(($at["app"], $at["ranks"]) in size)) {
		size[$at["app"], $at["ranks"]] = 1
		sizes[$at["app"], ++nsizes[$at["app"]]] = $at["ranks"]
	}
	if (!($at["imbalance"] in seen)) { seen[$at["imbalance"]] = 1; imbalances[++nimbalances] = $at["imbalance"] }
}

function pick(app, ranks, gpus, machine, map, bandwidth, scaling, imbalance, way) {
	return app SUBSEP ranks SUBSEP gpus SUBSEP machine SUBSEP map SUBSEP bandwidth SUBSEP scaling SUBSEP imbalance SUBSEP way
}

# % more of table[a] than of table[b]; "." where one was not simulated
function more(table, a, b) {
	return (a in table) && (b in table) ? sprintf("%.1f", 100 * (table[a] / table[b] - 1)) : "."
}

function gain(table, app, ranks, gpus, machine, map, bandwidth, scaling, imbalance) {
	return more(table, pick(app, ranks, gpus, machine, map, bandwidth, scaling, imbalance, "hostcopy"), \
		pick(app, ranks, gpus, machine, map, bandwidth, scaling, imbalance, "gpudirect"))
}

# the range of values added since the last one
function add(value) {
	if (value == ".") return
	if (!nvalues++) least = most = value + 0
	if (value + 0 < least) least = value + 0
	if (value + 0 > most) most = value + 0
}
function range(   text) {
	text = nvalues ? sprintf("%.1f-%.1f", least, most) : "."
	nvalues = 0
	return text
}

function title(text) {
	printf "%s%s\n\n", ntitles++ ? "\n" : "", text
}

function gains(   c, s, g, m, k, scaling, out) {
	title("Gain of GPUDirect in communication, %, all sizes, node types and maps (Figures 3.6, 3.7)")
	printf "%-10s %-7s %12s %12s %11s\n", "code", "scaling", "balanced", "imbalance .3", "study"
	for (c = 1; c <= ncodes; c++)
		for (k = 1; k <= 2; k++) {
			scaling = k == 1 ? "weak" : "strong"
			out = ""
			split("0 .3", two, " ")
			for (i = 1; i <= 2; i++) {
				for (s = 1; s <= nsizes[codes[c]]; s++) for (g = 1; g <= 4; g++) for (m = 1; m <= nmaps; m++)
					add(gain(comm, codes[c], sizes[codes[c], s], types[g], "lassen", maps[m], 1, scaling, two[i]))
				out = out sprintf(" %12s", range())
			}
			printf "%-10s %-7s%s %11s\n", codes[c], scaling, out, study[codes[c], scaling]
		}
}

function shares(   c, s, i, h, d, both, run) {
	title("Communication's part of the time with HostCopy, and what the whole gains, %, 1 GPU a node (Figure 3.5, observation 2)")
	printf "%-10s %-10s %12s %12s %12s\n", "code", "imbalance", "part", "study", "whole gains"
	for (c = 1; c <= ncodes; c++)
		for (i = 1; i <= 2; i++) {
			for (s = 1; s <= nsizes[codes[c]]; s++) {
				h = pick(codes[c], sizes[codes[c], s], 1, "lassen", "in-order", 1, "weak", two[i], "hostcopy")
				if (h in comm) add(100 * comm[h] / (comm[h] + comp[h]))
			}
			both = range()
			for (s = 1; s <= nsizes[codes[c]]; s++) {
				h = pick(codes[c], sizes[codes[c], s], 1, "lassen", "in-order", 1, "weak", two[i], "hostcopy")
				d = pick(codes[c], sizes[codes[c], s], 1, "lassen", "in-order", 1, "weak", two[i], "gpudirect")
				if ((h in comm) && (d in comm)) add(100 * ((comm[h] + comp[h]) / (comm[d] + comp[d]) - 1))
			}
			printf "%-10s %-10s %12s %12s %12s\n", codes[c], two[i], both, study[codes[c], "share"], range()
		}
}

# bandwidth: 1, or 0 for as much more as there are GPUs
function nodes(bandwidth, scaling, imbalance, text,   c, s, m, w, g, ways, ranks, out) {
	title(text)
	printf "%-10s %5s %-16s %20s %20s %11s\n", "code", "ranks", "map", "HostCopy 2 / 4 / 6", "GPUDirect 2 / 4 / 6", "study, 6"
	split("hostcopy gpudirect", ways, " ")
	for (c = 1; c <= ncodes; c++)
		for (s = 1; s <= nsizes[codes[c]]; s++) {
			ranks = sizes[codes[c], s]
			if (!all && s > 1 && s < nsizes[codes[c]]) continue
			for (m = 1; m <= nmaps; m++) {
				printf "%-10s %5d %-16s", codes[c], ranks, maps[m]
				for (w = 1; w <= 2; w++) {
					out = ""
					for (g = 2; g <= 4; g++)
						out = out (g > 2 ? " / " : "") more(comm, pick(codes[c], ranks, types[g], "lassen", maps[m], bandwidth ? 1 : types[g], scaling, imbalance, ways[w]), \
							pick(codes[c], ranks, 1, "lassen", maps[m], 1, scaling, imbalance, ways[w]))
					printf " %20s", out
				}
				out = ""
				if (bandwidth && scaling == "weak" && s == 1) out = study[codes[c], "first"]
				if (bandwidth && scaling == "weak" && s == nsizes[codes[c]] && s > 1) out = study[codes[c], "last"]
				printf " %11s\n", out
			}
		}
}

function waves(   a, b, s, m, k, name, ranks, h1, h6, g1, g6) {
	title("Minisweep by the blocks of a sweep, imbalance .3: gain of GPUDirect, %, and more communication at 6 GPUs a node than at 1, %")
	printf "%-6s %5s %-16s %8s %8s %10s %10s %10s\n", "blocks", "ranks", "map", "gain 1", "gain 6", "HostCopy", "GPUDirect", "study"
	split("minisweep minisweep,blocks=16 minisweep,blocks=64", names, " ")
	split("4 16 64", blocks, " ")
	for (b = 1; b <= 3; b++)
		for (s = 1; s <= nsizes[names[1]]; s++)
			for (m = 1; m <= nmaps; m++) {
				ranks = sizes[names[1], s]
				h1 = pick(names[b], ranks, 1, "lassen", maps[m], 1, "weak", ".3", "hostcopy")
				h6 = pick(names[b], ranks, 6, "lassen", maps[m], 1, "weak", ".3", "hostcopy")
				g1 = pick(names[b], ranks, 1, "lassen", maps[m], 1, "weak", ".3", "gpudirect")
				g6 = pick(names[b], ranks, 6, "lassen", maps[m], 1, "weak", ".3", "gpudirect")
				if (g6 in comm)
					printf "%-6d %5d %-16s %8s %8s %10s %10s %10s\n", blocks[b], ranks, maps[m], more(comm, h1, g1), more(comm, h6, g6), \
						more(comm, h6, h1), more(comm, g6, g1), s == 1 ? study[names[1], "first"] : s == nsizes[names[1]] ? study[names[1], "last"] : ""
			}
}

function plane(   i, m, k, c, g, x, value, line, last, holds, n, nhold, where) {
	title("Where SW4lite gains more than AmgX, AmgX than Minisweep, Minisweep than LULESH: gains, %, 2 GPUs a node, 32 ranks (LULESH 27)")
	printf "%-9s %-16s %-9s %9s %9s %9s %9s %s\n", "imbalance", "map", "metric", "sw4lite", "amgx", "minisweep", "lulesh", " order"
	for (i = 1; i <= nimbalances; i++) order[i] = imbalances[i]
	for (i = 2; i <= nimbalances; i++)
		for (k = i; k > 1 && order[k] + 0 < order[k - 1] + 0; k--) { x = order[k]; order[k] = order[k - 1]; order[k - 1] = x }
	for (g = 1; g <= 4; g++)
		for (i = 1; i <= nimbalances; i++)
			for (m = 1; m <= nmaps; m++)
				for (k = 1; k <= 2; k++) {
					line = ""; holds = 1; last = 1e9
					for (c = 1; c <= ncodes; c++) {
						if (k == 1) value = gain(comm, codes[c], sizes[codes[c], 1], types[g], "lassen", maps[m], 1, "weak", order[i])
						else value = gain(artefact, codes[c], sizes[codes[c], 1], types[g], "lassen", maps[m], 1, "weak", order[i])
						line = line sprintf(" %9s", value)
						if (value == "." || value + 0 >= last) holds = 0
						last = value + 0
					}
					n++
					nhold += holds
					if (holds) where = where (where == "" ? "" : ", ") sprintf("%s %s %s %d", order[i], maps[m], k == 1 ? "comm-time" : "artefact", types[g])
					if (types[g] == 2)
						printf "%-9s %-16s %-9s%s  %s\n", order[i], maps[m], k == 1 ? "comm-time" : "artefact", line, holds ? "holds" : "."
				}
	plane_holds = nhold " of " n " points"
	printf "\nwith 1, 2, 4 and 6 GPUs a node the order holds at %d of %d points%s\n", nhold, n, where != "" ? ": " where : ""
}

function networks(   c, s, n, machines, ranks, base, at6, out) {
	title("The same traces on other networks, in order, imbalance .3: gain of GPUDirect, %, at 1 and 6 GPUs a node; HostCopy's communication at 6 over that at 1, %")
	printf "%-10s %5s %-10s %10s %10s %10s\n", "code", "ranks", "network", "gain 1", "gain 6", "6 over 1"
	split("lassen dragonfly torus", machines, " ")
	for (c = 1; c <= ncodes; c++)
		for (s = 1; s <= nsizes[codes[c]]; s++)
			for (n = 1; n <= 3; n++) {
				ranks = sizes[codes[c], s]
				if (!all && s != nsizes[codes[c]]) continue
				base = pick(codes[c], ranks, 1, machines[n], "in-order", 1, "weak", ".3", "hostcopy")
				at6 = pick(codes[c], ranks, 6, machines[n], "in-order", 1, "weak", ".3", "hostcopy")
				if (base in comm && at6 in comm)
					printf "%-10s %5d %-10s %10s %10s %10s\n", codes[c], ranks, machines[n] == "lassen" ? "fat tree" : machines[n], \
						gain(comm, codes[c], ranks, 1, machines[n], "in-order", 1, "weak", ".3"), \
						gain(comm, codes[c], ranks, 6, machines[n], "in-order", 1, "weak", ".3"), more(comm, at6, base)
			}
}

# 6 GPUs a node, in order: where a network as wide as NVLink leaves the time
function nvlink(   a, w, k, m, out, apps, ways, wide, machines) {
	title("NVLink of nodes of 6 GPUs, in order, 32 ranks, imbalance .3: seconds of communication (Figure 3.8)")
	printf "%-10s %-10s %-10s %9s %15s %15s\n", "code", "way", "bandwidth", "75 GB/s", "copies in line", "150 GB/s"
	split("sw4lite minisweep,blocks=16", apps, " ")
	split("hostcopy gpudirect", ways, " ")
	split("1 6", wide, " ")
	split("lassen lassen+copy-serial=yes lassen+node-bandwidth=150GB/s", machines, " ")
	for (a = 1; a <= 2; a++) for (w = 1; w <= 2; w++) for (k = 1; k <= 2; k++) {
		for (m = 1; m <= 3; m++) {
			out[m] = pick(apps[a], 32, 6, machines[m], "in-order", wide[k], "weak", ".3", ways[w])
			out[m] = out[m] in comm ? sprintf("%.5f", comm[out[m]]) : "."
		}
		printf "%-10s %-10s %-10s %9s %15s %15s\n", a == 1 ? apps[1] : "minisweep", ways[w], wide[k] " x", out[1], out[2], out[3]
	}
}

# dollars of a run: those of a GPU and its part of the machine over five years, by the run's time, relative to 1 GPU a node
function prices(   line, cell, price, c, g, b, k, d, ranks, out, wide) {
	title("Node types: dollars of a GPU with its part of node and network over five years; of the same run with GPUDirect, relative to 1 GPU a node (leaf-round-robin, imbalance .3)")
	while ((getline line <costs) > 0) {
		split(line, cell, "\t")
		price[cell[1], cell[2]] = cell[3] + cell[4]
		if (!heads++) continue
	}
	printf "%-14s %-10s %9s", "GPUs a node", "bandwidth", "$ a GPU"
	for (c = 1; c <= ncodes; c++) printf " %9s", codes[c]
	print ""
	for (b = 1; b <= 2; b++)
		for (g = b; g <= 4; g++) {
			wide = b == 1 ? 1 : types[g]
			printf "%-14d %-10s %9.0f", types[g], wide " x", price[types[g], wide]
			for (c = 1; c <= ncodes; c++) {
				ranks = sizes[codes[c], nsizes[codes[c]]]
				k = pick(codes[c], ranks, types[g], "lassen", "leaf-round-robin", wide, "weak", ".3", "gpudirect")
				d = pick(codes[c], ranks, 1, "lassen", "leaf-round-robin", 1, "weak", ".3", "gpudirect")
				printf " %9s", (k in comm) && (d in comm) ? sprintf("%.2f", price[types[g], wide] * (comm[k] + comp[k]) / (price[1, 1] * (comm[d] + comp[d]))) : "."
			}
			print ""
		}
}

# of all pairs of ways: how far the printed equations are off, and how often GPUDirect loses more
function identities(   c, s, m, i, k, j, error) {
	split("weak strong", scalings, " ")
	for (c = 1; c <= ncodes; c++) for (s = 1; s <= nsizes[codes[c]]; s++) for (m = 1; m <= nmaps; m++)
		for (i = 1; i <= nimbalances; i++) for (k = 1; k <= 2; k++) {
			for (j = 1; j <= 4; j++)
				four[j] = pick(codes[c], sizes[codes[c], s], j > 2 ? 6 : 1, "lassen", maps[m], 1, scalings[k], imbalances[i], j % 2 ? "hostcopy" : "gpudirect")
			if (!(four[1] in comm) || !(four[2] in comm) || !(four[3] in comm) || !(four[4] in comm)) continue
			error = comm[four[1]] / comm[four[2]] * (comm[four[3]] / comm[four[1]]) / (comm[four[4]] / comm[four[2]]) / (comm[four[3]] / comm[four[4]]) - 1
			if (error < 0) error = -error
			if (error > worst) worst = error
			npairs++
			nlower += comm[four[4]] / comm[four[2]] > comm[four[3]] / comm[four[1]]
			for (j = 1; j <= 3; j += 2) {
				error = product(four[j], four[j + 1]) - 1
				if (error < 0) error = -error
				if (error > worst_product) worst_product = error
			}
		}
	printf "\nspeedup(6) = speedup(1) (1 + HostCopy) / (1 + GPUDirect): %d pairs, worst error %.0e; GPUDirect's increase is above HostCopy's in %d\n", npairs, worst, nlower
}

# what a run gains by its part of communication and what that gains (observation 2), over what it does gain
function product(h, g,   share) {
	share = comm[h] / (comm[h] + comp[h])
	return (comm[g] + comp[g]) / (comm[h] + comp[h]) / (1 - share * (1 - comm[g] / comm[h]))
}

# communication of an iteration where fewer or more are simulated, relative to the rows above
function iterated(   c, g, w, k, out, ways, counts, ranks) {
	title("Iterations that are simulated, in order, imbalance .3: communication of an iteration relative to that of " iterations ", and the gain of GPUDirect, %, with 1, " iterations " and 10")
	printf "%-10s %5s %4s %17s %17s %20s\n", "code", "ranks", "GPUs", "HostCopy 1 / 10", "GPUDirect 1 / 10", "gain 1 / " iterations " / 10"
	split("hostcopy gpudirect", ways, " ")
	split("1 10", counts, " ")
	for (c = 1; c <= ncodes; c++)
		for (g = 1; g <= 6; g += 5) {
			ranks = sizes[codes[c], 1]
			printf "%-10s %5d %4d", codes[c], ranks, g
			for (w = 1; w <= 2; w++) {
				out = ""
				for (k = 1; k <= 2; k++)
					out = out (k > 1 ? " / " : "") ratio(steady, codes[c] SUBSEP g SUBSEP "in-order" SUBSEP counts[k] SUBSEP ways[w], \
						pick(codes[c], ranks, g, "lassen", "in-order", 1, "weak", ".3", ways[w]), iterations / counts[k])
				printf " %17s", out
			}
			printf " %20s\n", more(steady, codes[c] SUBSEP g SUBSEP "in-order" SUBSEP 1 SUBSEP "hostcopy", codes[c] SUBSEP g SUBSEP "in-order" SUBSEP 1 SUBSEP "gpudirect") \
				" / " gain(comm, codes[c], ranks, g, "lassen", "in-order", 1, "weak", ".3") \
				" / " more(steady, codes[c] SUBSEP g SUBSEP "in-order" SUBSEP 10 SUBSEP "hostcopy", codes[c] SUBSEP g SUBSEP "in-order" SUBSEP 10 SUBSEP "gpudirect")
		}
}

function ratio(table, a, b, factor) {
	return (a in table) && (b in comm) ? sprintf("%.3f", table[a] / comm[b] * factor) : "."
}

END {
	gains()
	shares()
	nodes(1, "weak", ".3", "More communication than at 1 GPU a node, %, weak scaling, imbalance .3 (observation 4)")
	nodes(1, "weak", "0", "The same, balanced: nobody waits but for the network")
	nodes(1, "strong", ".3", "The same, strong scaling, imbalance .3 (the study: SW4lite 39.5-181, AmgX 3.2-10, Minisweep 55.7-225.8, LULESH below 1)")
	nodes(1, "strong", "0", "The same, strong scaling, balanced")
	identities()
	nodes(0, "weak", ".3", "The same with as much more bandwidth, weak scaling, imbalance .3 (Figure 3.8, observation 5)")
	waves()
	plane()
	networks()
	nvlink()
	prices()
	iterated()
	claims()
}
