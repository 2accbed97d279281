#!/bin/bash
# run.sh - nightly.sh for two days of a virtual cluster of 13 nodes, replayed without Slurm
#
#   examples/nightly/run.sh [FOLDER]
#
# Writes everything to FOLDER (default: a new one in /tmp) and says what holds; status 1 if anything that
# must hold does not.
# shellcheck disable=SC2317 # holds calls functions
set -euo pipefail
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/nightly.XXXXXX")}
mkdir -p "$out"
cd "$out"
out=$PWD
unset PLACETOOLS_TOPOLOGY

failed=0
holds() { # holds TEXT COMMAND…
	if "${@:2}"; then echo "holds: $1"; else
		echo "DOES NOT HOLD: $1"
		failed=1
	fi
}

topogen --quiet --from slurm-conf "$here/recorded/topology.conf" -o machine.yaml # speeds are not used here
cat >nightly.conf <<-END
	FOLDER=$out/pages
	MACHINE=$out/machine.yaml
	KEEP=2
	ALARMS="nodes-down>0"
	SACCT="cat $here/recorded/sacct.txt"
	NODES="cat $here/recorded/scontrol-node.txt"
	SINCE=1795343218 UNTIL=1795343278 # when that was; else the last day
END
rm -rf pages
status=0
for day in 2026-11-20 2026-11-21; do DAY=$day "$here/nightly.sh" -c nightly.conf >mail.txt || status=$?; done
DAY=2026-11-22 "$here/nightly.sh" -c nightly.conf >mail.txt & # two at once
DAY=2026-11-22 "$here/nightly.sh" -c nightly.conf >mail2.txt || status=$?
wait $! || status=$?

raised() { ((status == 1)) && grep -q 'nodes-down.*raised' mail.txt; }
two_days() { [[ $(cd pages && echo *.html) == "2026-11-21.html 2026-11-22.html index.html" ]]; }
indexed() { [[ $(grep -o 'href="2[^"]*"' pages/index.html | paste -sd ' ') == 'href="2026-11-22.html" href="2026-11-21.html"' ]]; }
numbered() { # with what evalmetrics measured
	local utilization
	command -v sqlite3 >/dev/null || return 0 # no history without it
	utilization=$(jq -r '.numbers[] | select(.name == "utilization") | .value' pages/2026-11-22.json)
	grep -q "value=\"${utilization:0:15}" pages/index.html && [[ $(grep -c '<strong>1 raised' pages/index.html) -eq 3 ]]
}
of_a_year() { # the index of 366 nights
	for i in {0..365}; do
		day=$(date -u -d "2026-01-01 + $i days" +%F)
		printf 'page\t%s.html\nnight\t%s\tquiet\t\nnumber\t%s\tutilization\t.%d\t1\n' "$day" "$day" "$day" $((i % 10))
	done | awk -f "$here/index.awk" >year.html
	[[ $(grep -c '<h2 id="m' year.html) -eq 13 && $(grep -c '<th scope="row">' year.html) -eq 366 && $(wc -c <year.html) -lt 200000 ]]
}
compared() { grep -q 'Means against the earlier report' pages/2026-11-22.html; }
clean() { [[ -z $(find pages -name '.work*') ]]; }
holds "the alarm of a node that is down is raised, and mailed" raised
holds "of three days two are kept" two_days
holds "the index lists them, the newest first" indexed
holds "with the alarms and the utilization of each night" numbered
holds "the index of a year has a table for each month" of_a_year
holds "each page is compared with the day before" compared
holds "two runs at once leave nothing behind" clean
jq -r '.metrics[] | [.policy, .metric, .n, .mean] | @tsv' pages/2026-11-22.json >result.tsv
exit "$failed"
