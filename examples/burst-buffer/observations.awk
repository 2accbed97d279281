# observations.awk - section 2.7 of Khetawat's dissertation as ratios of cells, and what its words are taken to mean: comparable
# or not affected is from .9 to 1.1 (places of burst buffers: .8 to 1.25), affected is more than 1.1

NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
$c["divisor"] == divisor {
	key = $c["net"] " " $c["where"] " " $c["overhead"] " " $c["app"] " " $c["other"] " "
	run = $c["run"]
	if (run + 0 > nruns) nruns = run + 0
	time[key $c["job"], run] = $c["io_time_s"]
	phase[key $c["job"], run] = $c["io_phase_s"]
	hops[key $c["job"], run] = $c["io_hops"]
	detours[key $c["job"], run] = $c["io_nonminimal"]
	if ($c["job"] == $c["app"]) beside[key, run] = $c["neighbours"]
}

function cell(net, where, overhead, app, other) {
	return net " " where " " overhead " " app " " (other == "" ? "-" : other) " " app
}
function is_number(x) { return x != "" && x != "." }

# Puts x in order; its n values are at 1 … n.
function sort_values(x, n,   i, j, v) {
	for (i = 2; i <= n; i++) {
		v = x[i]
		for (j = i - 1; j > 0 && x[j] > v; j--) x[j + 1] = x[j]
		x[j + 1] = v
	}
}

# The ratios of a measure in cells a by cells b, placement by placement, are between low and high.
function claim(id, text, of, a, b, low, high,   run, n, good, x) {
	for (run = 1; run <= nruns; run++) {
		if (!is_number(of[a, run]) || !is_number(of[b, run]) || of[b, run] + 0 == 0) continue
		x[++n] = of[a, run] / of[b, run]
		good += x[n] >= low && x[n] <= high
	}
	put(id, text, x, n, good)
}
function put(id, text, x, n, good) {
	if (n == 0) { print id, text, "cannot be", ".", ".", ".", "."; return }
	sort_values(x, n)
	print id, text, (good > n / 2 ? "holds" : "does not"), good + 0 " of " n,
		sprintf("%.3f", x[at(n, .5)]), sprintf("%.3f", x[at(n, .25)]), sprintf("%.3f", x[at(n, .75)])
}
function at(n, q) { return int(1 + q * (n - 1) + .5) }

# Slowdowns of an application in cells a by b, and in cells c by d: how much larger the first.
function claim_slowdowns(id, text, a, b, e, d, low, high,   run, n, good, x) {
	for (run = 1; run <= nruns; run++) {
		if (!is_number(phase[a, run]) || !is_number(phase[b, run]) || !is_number(phase[e, run]) || !is_number(phase[d, run])) continue
		x[++n] = phase[a, run] / phase[b, run] / (phase[e, run] / phase[d, run])
		good += x[n] >= low && x[n] <= high
	}
	put(id, text, x, n, good)
}

# Ranks of n values, the mean where several are equal.
function rank(x, n, r,   i, j, below, same) {
	for (i = 1; i <= n; i++) {
		below = same = 0
		for (j = 1; j <= n; j++) { below += x[j] < x[i]; same += x[j] == x[i] }
		r[i] = below + (same + 1) / 2
	}
}
# Spearman's correlation of a slowdown with the neighbours; it holds beyond what one in twenty would be by chance.
function claim_neighbours(id, text, key, alone,   run, n, x, y, rx, ry, i, mean, xy, xx, yy, rho) {
	for (run = 1; run <= nruns; run++) {
		if (!is_number(phase[key, run]) || !is_number(phase[alone, run])) continue
		x[++n] = beside[substr(key, 1, length(key) - 3), run] + 0
		y[n] = phase[key, run] / phase[alone, run]
	}
	if (n < 4) { print id, text, "cannot be", ".", ".", ".", "."; return }
	rank(x, n, rx); rank(y, n, ry)
	mean = (n + 1) / 2
	for (i = 1; i <= n; i++) {
		xy += (rx[i] - mean) * (ry[i] - mean); xx += (rx[i] - mean) ^ 2; yy += (ry[i] - mean) ^ 2
	}
	if (xx == 0 || yy == 0) { print id, text, "cannot be", n, ".", ".", "."; return }
	rho = xy / sqrt(xx * yy)
	print id, text, (rho > 1.645 / sqrt(n - 1) ? "holds" : "does not"), n " placements", sprintf("%.3f", rho), ".", "."
}

END {
	print "claim", "what is divided by what", "verdict", "placements", "median", "lower quartile", "upper quartile"
	nnets = split("ft tft df", nets, " "); split("grouped global", places, " "); napps = split("gtc hacc lammps s3d", apps, " ")
	claim("O1", "df global: hops of GTC by HACC", hops, cell("df", "global", "no", "gtc"), cell("df", "global", "no", "hacc"), 1.05, 99)
	claim("O1", "df global: non-minimal packets of GTC by HACC", detours, cell("df", "global", "no", "gtc"), cell("df", "global", "no", "hacc"), 1.2, 1e9)
	claim("O1", "df GTC: non-minimal packets of grouped by global", detours, cell("df", "grouped", "no", "gtc"), cell("df", "global", "no", "gtc"), 0, .9)
	for (i = 1; i <= 3; i += 2)
		claim("O2", "df " apps[i] ": phase of global by grouped", phase, cell("df", "global", "no", apps[i]), cell("df", "grouped", "no", apps[i]), 1.25, 1e9)
	for (n = 1; n <= nnets; n++)
		for (i = 1; i <= napps; i++)
			claim("§2.7.3", nets[n] " " apps[i] ": mean time in I/O, grouped by global", time, cell(nets[n], "grouped", "no", apps[i]), cell(nets[n], "global", "no", apps[i]), 0, .9999)
	for (n = 1; n <= 2; n++) places_on_trees(nets[n])
	for (i = 1; i <= 3; i++)
		claim_slowdowns("§2.7.3", "tft by ft " apps[i] ": phase of global by grouped", cell("tft", "global", "no", apps[i]), cell("tft", "grouped", "no", apps[i]), cell("ft", "global", "no", apps[i]), cell("ft", "grouped", "no", apps[i]), 1.1, 1e9)
	for (n = 1; n <= nnets; n++) local_is_best(nets[n])
	for (n = 1; n <= nnets; n++)
		for (p = 1; p <= 2; p++) together(nets[n], places[p])
	zero_overhead()
}

function places_on_trees(net,   i, p) {
	for (i = 1; i <= 3; i++)
		for (p = 1; p <= 2; p++)
			claim("O3", net " " apps[i] ": phase of " places[p] " by local", phase, cell(net, places[p], "no", apps[i]), cell(net, "local", "no", apps[i]), .8, 1.25)
	for (p = 1; p <= 2; p++) {
		claim("O3", net " s3d: phase of " places[p] " by local", phase, cell(net, places[p], "no", "s3d"), cell(net, "local", "no", "s3d"), 0, .9999)
		claim("O3", net " s3d: mean time in I/O, " places[p] " by local", time, cell(net, places[p], "no", "s3d"), cell(net, "local", "no", "s3d"), 0, .9999)
	}
}

function local_is_best(net,   i, p) {
	for (i = 1; i <= 3; i += 2)
		for (p = 1; p <= 2; p++)
			claim("O4", net " " apps[i] ": phase of " places[p] " by local", phase, cell(net, places[p], "no", apps[i]), cell(net, "local", "no", apps[i]), 1.0001, 1e9)
	for (p = 1; p <= 2; p++) {
		claim("O4", net " hacc: mean time in I/O, " places[p] " by local", time, cell(net, places[p], "no", "hacc"), cell(net, "local", "no", "hacc"), 0, .9)
		claim("O4", net " hacc: phase of " places[p] " by local", phase, cell(net, places[p], "no", "hacc"), cell(net, "local", "no", "hacc"), .9, 1.1)
	}
	for (i = 1; i <= napps; i++) {
		if (apps[i] == "hacc") continue
		for (p = 1; p <= 2; p++)
			claim("45 us", net " " apps[i] ": phase of " places[p] " by local", phase, cell(net, places[p], "slow", apps[i]), cell(net, "local", "slow", apps[i]), 1.0001, 1e9)
	}
	if (net == "df") return
	for (i = 1; i <= napps; i++)
		claim("45 us", net " " apps[i] ": phase of global by grouped", phase, cell(net, "global", "slow", apps[i]), cell(net, "grouped", "slow", apps[i]), .9, 1.1)
}

function together(net, where,   name) {
	name = net " " where ": "
	claim("O5", name "GTC's phase with IOR by alone", phase, cell(net, where, "slow", "gtc", "ior"), cell(net, where, "slow", "gtc"), .9, 1.1)
	claim("O5", name "GTC's mean time in I/O with IOR by alone", time, cell(net, where, "slow", "gtc", "ior"), cell(net, where, "slow", "gtc"), .9, 1.1)
	claim("O6", name "HACC's phase with IOR by alone", phase, cell(net, where, "slow", "hacc", "ior"), cell(net, where, "slow", "hacc"), .9, 1.1)
	claim("O6", name "HACC's mean time in I/O with IOR by alone", time, cell(net, where, "slow", "hacc", "ior"), cell(net, where, "slow", "hacc"), 1.0001, 1e9)
	claim("O7", name "LAMMPS's phase with IOR by alone", phase, cell(net, where, "slow", "lammps", "ior"), cell(net, where, "slow", "lammps"), 1.1, 1e9)
	if (net != "df")
		claim_slowdowns("O7", name "LAMMPS's slowdown by that on df", cell(net, where, "slow", "lammps", "ior"), cell(net, where, "slow", "lammps"), cell("df", where, "slow", "lammps", "ior"), cell("df", where, "slow", "lammps"), 1.0001, 1e9)
	claim("O7", name "LAMMPS's phase with S3D by alone", phase, cell(net, where, "slow", "lammps", "s3d"), cell(net, where, "slow", "lammps"), .9, 1.05)
	claim("O8", name "S3D's phases with IOR by alone", phase, cell(net, where, "slow", "s3d", "ior"), cell(net, where, "slow", "s3d"), 1.1, 1e9)
	claim("O8", name "S3D's mean time in I/O with IOR by alone", time, cell(net, where, "slow", "s3d", "ior"), cell(net, where, "slow", "s3d"), 1.1, 1e9)
	claim_neighbours("O8", name "rank correlation of S3D's slowdown with IOR's nodes at its upper ranks", cell(net, where, "slow", "s3d", "ior"), cell(net, where, "slow", "s3d"))
	if (net != "df")
		claim_slowdowns("O8", name "S3D's slowdown with IOR by that on df", cell(net, where, "slow", "s3d", "ior"), cell(net, where, "slow", "s3d"), cell("df", where, "slow", "s3d", "ior"), cell("df", where, "slow", "s3d"), 1.0001, 1e9)
	claim("O8", name "S3D's phases with GTC by alone", phase, cell(net, where, "slow", "s3d", "gtc"), cell(net, where, "slow", "s3d"), net == "tft" ? 1.1 : .9, net == "tft" ? 1e9 : 1.1)
}

# Section 2.7.4's preliminary results without overheads; "not less affected" is what the text says of LAMMPS.
function zero_overhead(   n, p, name, net, where) {
	for (n = 1; n <= nnets; n++)
		for (p = 1; p <= 2; p++) {
			net = nets[n]; where = places[p]
			name = net " " where ": "
			claim("zero", name "HACC's phase without overheads by that with 45 us", phase, cell(net, where, "no", "hacc", "ior"), cell(net, where, "slow", "hacc", "ior"), .9, 1.1)
			claim("zero", name "LAMMPS's phase without overheads by that with 45 us", phase, cell(net, where, "no", "lammps", "ior"), cell(net, where, "slow", "lammps", "ior"), 0, .9999)
			claim("zero", name "LAMMPS's phase with IOR by alone, no overheads", phase, cell(net, where, "no", "lammps", "ior"), cell(net, where, "no", "lammps"), 1.1, 1e9)
			claim_slowdowns("zero", name "LAMMPS's slowdown without overheads by that with 45 us", cell(net, where, "no", "lammps", "ior"), cell(net, where, "no", "lammps"), cell(net, where, "slow", "lammps", "ior"), cell(net, where, "slow", "lammps"), 1, 1e9)
		}
}
