#!/bin/bash
# study.sh - the trade-off of run.sh on larger machines, whole logs and more instants
#
#   examples/constraints-tradeoff/study.sh [FOLDER]
#
# FOLDER (default build/constraints-tradeoff) keeps every unit that is done: run it again after an interruption and
# it goes on. LOGS may name SWF files, whose processors are PER_NODE (3, with which jobs have to wait) to a node.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export JOBS=${JOBS:-400} LOAD=${LOAD:-0.9} SNAPSHOTS=${SNAPSHOTS:-12} BYTES=${BYTES:-4KiB} PER_NODE=${PER_NODE:-3}
out=${1:-$here/../../build/constraints-tradeoff}
MACHINES=${MACHINES:-torus:dims=6x6x6 mesh:dims=16x16} ROUTING=${ROUTING:-dor} "$here/run.sh" "$out/direct"
MACHINES=${TREES:-fattree:down=6x6x6,up=1x6x6 dragonfly:groups=9,routers=8,nodes=3} ROUTING=minimal "$here/run.sh" "$out/switched"
