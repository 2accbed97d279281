#!/bin/bash
# fit.sh - a profile for netsim from latency and bandwidth of one pair of nodes
#
#   examples/measured/fit.sh DATA MACHINE PROFILE [TRIALS [SEED]]
#
# DATA: measured rows, of which those of role "fit" are used, and no others. MACHINE: a topology with two nodes. PROFILE:
# where the search begins: what it says of packets and switches stays. Random search over the costs of the software and of
# the NIC for the least root mean square of log(simulated / measured); the best one goes to standard output as a profile.
# SPAN (1) multiplies the longest times that are tried, 2 us in the NIC and .4 us at either end.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
data=$1 machine=$2 profile=$3 trials=${4:-200} seed=${5:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v roles=fit -f "$here/jobs.awk" "$data" >"$work/jobs.tsv"

error_of() { # error_of KEY=VALUE…: log r.m.s. of these settings
	netsim -t "$machine" --profile "file:path=$profile" "${@/#/--set=}" "$work/jobs.tsv" | awk -v set=. -f "$here/ratios.awk" |
		awk -F'\t' '{ sum += log($8) ^ 2; n++ } END { printf "%.6f\n", sqrt(sum / n) }'
}

# TRIALS lines of settings; the first half anywhere, in the second the best ones are varied, by less and less
draw() { # draw TRIAL: next to $best where it is not the first half
	awk -v seed="$seed" -v trial="$1" -v trials="$trials" -v best="$best" -v span="${SPAN:-1}" '
		function log_uniform(name, low, high, value) {
			value = low * exp(rand() * log(high / low))
			if (trial > trials / 2) {
				value = was[name] * exp((2 * rand() - 1) * 1.2 * (1 - trial / (trials + 1)))
				value = value < low ? low : value > high ? high : value
			}
			return value
		}
		BEGIN {
			srand(seed * 100003 + trial)
			n = split(best, pair, " ")
			for (i = 1; i <= n; i++) { split(pair[i], half, "="); was[half[1]] = half[2] + 0 }
			printf "nic-send=%.0fns ", log_uniform("nic-send", 100, 2000 * span)
			printf "send-setup=%.0fns ", log_uniform("send-setup", 10, 400 * span)
			printf "receive-setup=%.0fns ", log_uniform("receive-setup", 10, 400 * span)
			printf "copy-per-byte=%.3fns ", log_uniform("copy-per-byte", .005, .5)
			printf "nic-per-byte=%.3fns ", log_uniform("nic-per-byte", .01, 1)
			printf "pin-base=%.0fns ", log_uniform("pin-base", 10, 4000)
			eager = trial > trials / 2 && rand() < .7 ? was["eager"] : 1024 * 2 ^ int(5 * rand())
			printf "eager=%d\n", eager
		}'
}

best='' least=1e9
for ((trial = 1; trial <= trials; trial++)); do
	read -ra settings < <(draw "$trial")
	error=$(error_of "${settings[@]}")
	if awk -v a="$error" -v b="$least" 'BEGIN { exit !(a < b) }'; then
		least=$error best="${settings[*]}"
	fi
done
echo "fit.sh: $trials trials, seed $seed: r.m.s. of log(simulated / measured) $least" >&2
grep -vE '^  (nic-send|send-setup|receive-setup|copy-per-byte|nic-per-byte|pin-base|eager): ' "$profile" |
	awk -v best="$best" '{ print } /^parameters:/ { n = split(best, pair, " "); for (i = 1; i <= n; i++) { sub(/=/, ": ", pair[i]); print "  " pair[i] } }'
