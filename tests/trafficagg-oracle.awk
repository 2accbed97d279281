# trafficagg-oracle.awk - the definition of traffic, slowly: LDMS CSV of Aries routers in, rows out
#
# awk -v window=S -v wrap=BITS -f trafficagg-oracle.awk FILE
# prints "time_s router traffic stall samples resets incomplete", by time and number of the router.
# Every window is kept until the end, and every counter of every row is looked at. Times are below
# 2^50 µs and counts below 2^53, so that doubles are exact.

function micros(text,    part) {
	split(text, part, ".")
	return part[1] * 1000000 + substr(part[2] "000000", 1, 6)
}

function header(    i, name, part) {
	delete column
	nprobes = 0
	layout = ""
	for (i = 1; i <= NF; i++) column[$i] = i
	for (i = 0; i < 4; i++)
		if ("AR_NL_PRF_REQ_NIC_" i "_TO_PTILES_FLITS" in column)
			add_probe("nic" i, "AR_NL_PRF_REQ_NIC_" i "_TO_PTILES_FLITS AR_NL_PRF_REQ_PTILES_TO_NIC_" i "_FLITS " \
				"AR_NL_PRF_RSP_NIC_" i "_TO_PTILES_FLITS AR_NL_PRF_RSP_PTILES_TO_NIC_" i "_FLITS")
	for (i = 0; i < 40; i++) {
		name = "AR_RTR_" int(i / 8) "_" i % 8 "_INQ_PRF_ROWBUS_STALL_CNT"
		if (name in column) add_probe("tile" i, name)
	}
}

function add_probe(name, counters) {
	probe[nprobes++] = name
	counters_of[name] = counters
	layout = layout " " name
}

# How far a counter went, or -1: it was reset.
function forwards(before, now,    way) {
	if (now >= before) return now - before
	if (!wrap) return -1
	way = now - before + 2 ^ wrap
	return before < 2 ^ wrap && way < 2 ^ (wrap - 1) ? way : -1
}

function take(stream, router, now,    last, dt, middle, k, p, i, n, counter, value, far, sum, reset, key) {
	if (stream in last_time && now <= last_time[stream]) return
	dt = stream in last_time ? now - last_time[stream] : 0
	k = "none"
	if (dt > 0 && dt <= window * 1000000) {
		middle = now + last_time[stream] - 2 * origin
		k = int((middle - 1) / (2 * window * 1000000))
		windows[k]
		if (k > newest) newest = k
		routers[router]
	}
	for (p = 0; p < nprobes; p++) {
		n = split(counters_of[probe[p]], counter, " ")
		sum = reset = 0
		for (i = 1; i <= n; i++) {
			value = $(column[counter[i]])
			far = forwards(last_value[stream, counter[i]], value)
			if (far < 0) reset = 1
			else sum += far
			last_value[stream, counter[i]] = value
		}
		if (k == "none") continue
		key = k SUBSEP router SUBSEP probe[p]
		if (!((key, stream) in samples)) producers[key] = producers[key] stream "\n"
		samples[key, stream] += !reset
		resets[key, stream] += reset
		if (!reset) {
			counts[key, stream] += sum
			seconds[key, stream] += dt
		}
	}
	last_time[stream] = now
}

# The producer that has most of the window; of equals the one with the lowest number.
function best(key,    n, i, list, number, found, lowest) {
	n = split(producers[key], list, "\n") - 1
	found = ""
	for (i = 1; i <= n; i++) {
		number = list[i] + 0
		if (found == "" || seconds[key, list[i]] > seconds[key, found] ||
		    (seconds[key, list[i]] == seconds[key, found] && number < lowest)) {
			found = list[i]
			lowest = number
		}
	}
	return found
}

function report(k, router,    i, key, who, traffic, stall, nics, tiles, nsamples, nresets) {
	traffic = stall = nics = tiles = nsamples = nresets = 0
	for (i = 0; i < 44; i++) {
		key = k SUBSEP router SUBSEP (i < 4 ? "nic" i : "tile" i - 4)
		if (!(key in producers)) continue
		who = best(key)
		if (i < 4) {
			nsamples += samples[key, who]
			nresets += resets[key, who]
		}
		if (!seconds[key, who]) continue
		if (i < 4) {
			traffic += counts[key, who] / seconds[key, who] * 1000000
			nics++
		} else {
			stall += counts[key, who] / seconds[key, who] * 1000000
			tiles++
		}
	}
	printf "%d r%d %s %s %d %d %s\n", origin / 1000000 + (k + 1) * window, router,
		nics ? sprintf("%.6f", traffic) : ".", tiles ? sprintf("%.6f", stall) : ".", nsamples, nresets,
		nics == 4 ? "no" : "yes"
}

function is_seen(k, router,    i) {
	for (i = 0; i < 44; i++)
		if (k SUBSEP router SUBSEP (i < 4 ? "nic" i : "tile" i - 4) in producers) return 1
	return 0
}

BEGIN { FS = ","; newest = -1 }
sub(/^#Time/, "Time") { header(); ncolumns = NF; next }
NF != ncolumns { next }
{
	now = micros($1)
	if (!(1 in begun)) {
		begun[1]
		origin = int(now / 1000000) * 1000000
	}
	take($(column["component_id"]) layout, int($(column["component_id"]) / 4), now)
}
END {
	most = 0
	for (router in routers) if (router + 0 > most) most = router + 0
	for (k = 0; k <= newest; k++)
		if (k in windows)
			for (router = 0; router <= most; router++)
				if (is_seen(k, router)) report(k, router)
}
