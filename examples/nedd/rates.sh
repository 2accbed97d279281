#!/bin/bash
# rates.sh - flits and stalls of the background alone, per router, beside one that was measured on Cori
#
#   examples/nedd/rates.sh [FOLDER]
#
# The measured router: cabinet group 2, slot 3 of chassis 0, in one second of a small job of four ranks (Darshan's
# log mpi-io-test.darshan of its autoperf module). Only the 40 network tiles: what crosses the router, of everybody.
# shellcheck disable=SC2016,SC1010 # Miller has its own variables and its own word "then"
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/nedd-rates.XXXXXX")}
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
mkdir -p "$out"
cd "$out"
make log.tsv schedule
workload miniMD 1 | mlr --tsv --pass-comments filter '$app == "background"' >background.tsv
seconds=0.0006 # of which every node sends several times
network --until "$seconds" --links links.tsv background.tsv >/dev/null
# a flit of a network tile is 20/3 bytes, a stall one cycle of 1.25 ns
mlr --itsv --onidx --skip-comments filter '$level != "terminal"' then stats1 -a sum -f bytes,stall_s then cat links.tsv |
	awk -v OFS='\t' -v seconds="$seconds" -v routers="$(topogen "$machine" --to summary | awk -F'\t' '$3 == "routers" { print $4 }')" '
		{
			flits = $1 * 3 / 20 / seconds / routers; stalls = $2 / 1.25e-9 / seconds / routers
			print "network tiles of a router", "Mflits/s", "Mstalls/s", "stalls:flits"
			print "Cori, measured", 454, 709, 1.56
			printf "simulated\t%.0f\t%.0f\t%.2f\n", flits / 1e6, stalls / 1e6, stalls / flits
		}' | mlr --itsv --opprint cat
