# index.awk - the index of the pages: a curve for each number, then a table for each month, the newest first
#
#   awk -F '\t' -f index.awk   (lines: page FILE; night DATE STATE WHY; alarm DATE COUNT; number DATE NAME VALUE UNIT)
BEGIN { FS = "\t"; CONVFMT = "%.4g" }
$1 == "page" { day = substr($2, 1, 10); page[day] = 1; night[day] = 1 }
$1 == "night" { night[$2] = 1; state[$2] = $3; why[$2] = $4 }
$1 == "alarm" { raised[$2] = $3 }
$1 == "number" {
	value[$3, $2] = $4
	unit[$3] = $5
	if (!($3 in first)) { first[$3] = ++nnumbers; names[nnumbers] = $3 }
}
# Elements are passed as texts (x ""): gawk 5.2 frees those twice that do not exist.
function escape(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	gsub(/"/, "\\&quot;", text)
	return text
}
function duration(s) {
	s += 0
	return s >= 86400 ? sprintf("%d d %d h", s / 86400, s % 86400 / 3600) : s >= 3600 ? sprintf("%d h %d min", s / 3600, s % 3600 / 60) : s >= 60 ? sprintf("%d min", s / 60) : sprintf("%d s", s)
}
function grouped(n, text, sign) { # 1 234 567, with narrow spaces that don't break
	sign = n < 0 ? "−" : ""
	text = sprintf("%.0f", n < 0 ? -n : n)
	while (match(text, /[0-9][0-9][0-9][0-9]/) && match(text, /^[0-9]+/) && RLENGTH > 3)
		text = substr(text, 1, RLENGTH - 3) " " substr(text, RLENGTH - 2)
	gsub(/ /, "\\&#8239;", text)
	return sign text
}
function shown(name, v) {
	if (v == "") return "-"
	if (name == "utilization") return sprintf("%.1f %%", 100 * v)
	if (unit[name] == "s") return duration(v)
	return v == int(v) || v >= 1000 || v <= -1000 ? grouped(v) : sprintf("%.3g", v)
}
function title(name) {
	sub(/_s$/, "", name)
	gsub(/-/, " ", name)
	sub(/gpu/, "GPU", name)
	return toupper(substr(name, 1, 1)) substr(name, 2)
}
# From the oldest night to the newest; a night without the number is a gap, a failed one a mark below.
function curve(name, i, day, v, low, high, x, path, marks, last, is_open) {
	low = high = is_open = 0
	last = path = marks = ""
	for (i = n; i >= 1; i--)
		if ((name, days[i]) in value) {
			v = value[name, days[i]] + 0
			if (v > high) high = v
			if (v < low) low = v
			last = v
		}
	for (i = n; i >= 1; i--) {
		day = days[i]
		x = n > 1 ? 2 + 196 * (n - i) / (n - 1) : 100
		if (state[day] == "failed") marks = marks "<path class=\"f\" d=\"M" x " 46v6\"/>"
		if (!((name, day) in value)) { is_open = 0; continue }
		v = high > low ? 42 - 38 * (value[name, day] - low) / (high - low) : 42
		path = path (is_open ? "L" : "M") x " " v (is_open ? "" : "h.1")
		is_open = 1
	}
	return "<figure><figcaption>" escape(title(name)) " <b>" shown(name, last) "</b></figcaption><svg role=\"img\" aria-label=\"" escape(title(name)) \
		", " n " nights, from " shown(name, low) " to " shown(name, high) "\" viewBox=\"0 0 200 54\" preserveAspectRatio=\"none\"><path class=\"ax\" d=\"M0 42.5H200\"/><path class=\"v\" d=\"" path "\"/>" marks "</svg></figure>\n"
}
function row(day, verdict) {
	verdict = state[day] == "failed" ? "<strong>failed</strong>: " escape(why[day] "") : raised[day] > 0 ? "<strong>" raised[day] " raised</strong>" : state[day] == "" ? "-" : "none"
	return "<tr><th scope=\"row\">" (day in page ? "<a href=\"" day ".html\">" day "</a>" : day) "</th><td>" verdict "</td><td class=\"n\">" shown("jobs-started", value["jobs-started", day] "") \
		"</td><td class=\"n\">" shown("wait-mean_s", value["wait-mean_s", day] "") "</td><td class=\"n\">" shown("utilization", value["utilization", day] "") \
		(value["utilization", day] == "" ? "" : " <meter min=\"0\" max=\"1\" value=\"" value["utilization", day] "\" aria-label=\"utilization of " day "\"></meter>") "</td></tr>\n"
}
END {
	unit["wait-mean_s"] = "s"
	for (day in night) { # sorted, the newest first
		for (i = ++n; i > 1 && days[i - 1] < day; i--) days[i] = days[i - 1]
		days[i] = day
		nfailed += state[day] == "failed"
		nalarms += raised[day] > 0
	}
	print "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>"
	print "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\"/>"
	print "<link rel=\"icon\" href=\"data:,\"/><title>Placements</title><style>:root{color-scheme:light dark;--bg:#fff;--fg:#1a1a1a;--line:#8a8a8a;--a:#1f6fb4;--bad:#b3261e}\nbody{background:var(--bg);color:var(--fg);font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:80rem;padding:1rem}"
	print "table{border-collapse:collapse}caption{text-align:left;font-weight:600}th,td{text-align:left;vertical-align:top;padding:.1em 1em .1em 0}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}nav ul{display:flex;flex-wrap:wrap;gap:.2em 1em;list-style:none;padding:0}"
	print ".curves{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:.5rem 2rem}figure{margin:0}figcaption{display:flex;justify-content:space-between}svg{display:block;width:100%;height:3.4rem}.v{fill:none;stroke:var(--a);stroke-width:1.5;vector-effect:non-scaling-stroke;stroke-linecap:round}.ax{fill:none;stroke:var(--line);stroke-width:.5;vector-effect:non-scaling-stroke}.f{stroke:var(--bad);stroke-width:2;vector-effect:non-scaling-stroke}"
	print ".wide{overflow-x:auto}strong{color:var(--bad)}meter{width:6rem}a{color:var(--a)}@media screen and (prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#ececec;--line:#777;--a:#6db3f2;--bad:#ff8a80}}@media(max-width:40rem){meter{display:none}th,td{padding-right:.6em}}@media print{nav{display:none}body{font-size:8pt;max-width:none;padding:0}}</style></head><body>"
	print "<header><h1>Placements</h1><p>" n + 0 " night" (n == 1 ? "" : "s") ", " nalarms + 0 " of them with alarms" (nfailed ? ", " nfailed " failed" : "") ".</p></header>"
	for (i = 1; i <= n; i++) {
		month = substr(days[i], 1, 7)
		if (month != last) {
			rows = rows (last == "" ? "" : "</tbody></table></div></section>\n") "<section aria-labelledby=\"m" month "\"><h2 id=\"m" month "\">" month "</h2>\n" \
				"<div class=\"wide\"><table><caption>Nights of " month "</caption><thead><tr><th scope=\"col\">Night</th><th scope=\"col\">Alarms</th>" \
				"<th scope=\"col\" class=\"n\">Jobs</th><th scope=\"col\" class=\"n\">Mean wait</th><th scope=\"col\" class=\"n\">Utilization</th></tr></thead><tbody>\n"
			months = months "<li><a href=\"#m" month "\">" month "</a></li>"
			last = month
		}
		rows = rows row(days[i])
	}
	print "<nav aria-label=\"Months\"><ul>" months "</ul></nav>\n<main>"
	if (nnumbers > 0) {
		printf "<section aria-labelledby=\"curves\"><h2 id=\"curves\">Night by night</h2>\n<div class=\"curves\">\n"
		for (k = 1; k <= nnumbers; k++) { one = names[k]; one = curve(one ""); printf "%s", one }
		print "</div></section>"
	}
	print rows (last == "" ? "<p>No night yet.</p>" : "</tbody></table></div></section>") "\n</main></body></html>"
}
