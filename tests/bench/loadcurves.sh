#!/bin/bash
# loadcurves.sh - latency against load on HyperX and Slim Fly: without load, at half and at full load, beside what
# counting links gives. SIZES=paper: the machines of Kim, Dally and Abts (ISCA 2007: 32-ary 2-flat, 1 024 nodes) and of
# Besta and Hoefler (SC 2014: q = 19, 10 830 nodes), which take minutes
set -eu

# row MACHINE ROUTING PATTERN THEORY
row() {
	netsim --no-provenance -t "$1" -r "$2" --open-loop "$3load=.02:1:.49,warmup=${STEPS:-400},measure=${STEPS:-400},drain=1" |
		awk -F'\t' -v machine="$1" -v routing="$2" -v pattern="${3%%[:,]*}" -v theory="$4" '
			$1 == "pattern" { for (i = 1; i <= NF; i++) c[$i] = i; next } /^##/ { next }
			{ us[++n] = $c["latency_s"] == "." ? "-" : sprintf("%.3g", $c["latency_s"] * 1e6)
			  if ($c["accepted"] > most) most = $c["accepted"] }
			END { printf "%-28s %-9s %-12s %9s %9s %9.3g   %-9s\n", machine, routing, pattern, us[1], us[2], most, theory }'
}

# machine SPEC UNIFORM VALIANT WORST: what theory says of uniform traffic, of detours, and of minimal paths to the next
# router
machine() {
	row "$1" minimal uniform: "$2"
	row "$1" valiant uniform: "$3"
	row "$1" ugal uniform: "$2"
	row "$1" minimal adversarial:tier=router, "$4"
	row "$1" valiant adversarial:tier=router, "$3"
	row "$1" ugal adversarial:tier=router, "$3"
}

printf '%-28s %-9s %-12s %9s %9s %9s   %-9s\n' machine routing pattern 'us at .02' 'us at .51' saturated theory
machine hyperx:dims=8,nodes=8 1 .5 1/8
machine hyperx:dims=4x4,nodes=4 1 .5 1/4
machine slimfly:q=5,nodes=4 .957 .481 '<= 1/4'
if [[ ${SIZES:-} == paper ]]; then
	machine hyperx:dims=32,nodes=32 1 .5 1/32
	machine slimfly:q=19,nodes=15 '<= 1' '<= .5' '<= 1/15'
fi
