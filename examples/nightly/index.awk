# index.awk - the index of the pages: a table for each month, the newest first, from the reports' JSON
#
#   awk -f index.awk DATE.json…   (sorted, the newest first)
function flush() {
	if (day == "") return
	month = substr(day, 1, 7)
	if (month != last) {
		rows = rows (last == "" ? "" : "</tbody></table></section>\n") "<section aria-labelledby=\"m" month "\"><h2 id=\"m" month "\">" month "</h2>\n" \
			"<table><caption>Nights of " month "</caption><thead><tr><th scope=\"col\">Night</th><th scope=\"col\">Alarms</th>" \
			"<th scope=\"col\">Jobs</th><th scope=\"col\">Mean wait</th><th scope=\"col\">Utilization</th></tr></thead><tbody>\n"
		months = months "<li><a href=\"#m" month "\">" month "</a></li>"
		last = month
	}
	rows = rows "<tr><th scope=\"row\"><a href=\"" day ".html\">" day "</a>" (whole ? "" : " (truncated)") "</th><td>" \
		(nraised > 0 ? "<strong>" nraised " raised</strong>" : "none") "</td><td>" njobs "</td><td>" wait "</td><td>" \
		(utilization == "" ? "-" : sprintf("%.1f %%", 100 * utilization) " <meter min=\"0\" max=\"1\" value=\"" utilization "\" aria-label=\"utilization of " day "\"></meter>") "</td></tr>\n"
	n++
	nalarms += nraised > 0
}
function value(key) {
	return match($0, "\"" key "\": [-+.0-9e]+") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4) : ""
}
function duration(s) {
	s += 0
	return s >= 3600 ? sprintf("%d h %d min", s / 3600, s % 3600 / 60) : s >= 60 ? sprintf("%d min", s / 60) : sprintf("%d s", s)
}
FNR == 1 {
	flush()
	day = FILENAME
	sub(/.*\//, "", day)
	sub(/\.json$/, "", day)
	nraised = 0
	whole = 1
	wait = njobs = "-"
	utilization = ""
}
/^  "whole": false/ { whole = 0 }
/^  "alarms": / { nraised = gsub(/"raised": true/, "&") }
# the first policy's
/"metric": "wait_s"/ && wait == "-" { wait = duration(value("mean")); njobs = value("n") }
/"metric": "utilization"/ && utilization == "" { utilization = value("mean") }
END {
	flush()
	print "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>"
	print "<link rel=\"icon\" href=\"data:,\"/><title>Placements</title><style>:root{color-scheme:light dark}body{background:#fff;color:#1a1a1a;font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem}"
	print "table{border-collapse:collapse}caption{text-align:left;font-weight:600}th,td{text-align:left;padding:.1em 1em .1em 0}nav ul{display:flex;flex-wrap:wrap;gap:.2em 1em;list-style:none;padding:0}"
	print "meter{width:6rem}a{color:#1f6fb4}@media screen and (prefers-color-scheme:dark){body{background:#14171a;color:#ececec}a{color:#6db3f2}}@media print{nav{display:none}body{font-size:8pt}main{columns:2}}</style></head><body>"
	print "<header><h1>Placements</h1><p>" n + 0 " nights, " nalarms + 0 " of them with alarms.</p></header>"
	print "<nav aria-label=\"Months\"><ul>" months "</ul></nav>\n<main>\n" rows (last == "" ? "" : "</tbody></table></section>") "\n</main></body></html>"
}
