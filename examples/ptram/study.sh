#!/bin/bash
# study.sh - PTRAM's figures with the paper's 4 096 ranks on 512 nodes: some minutes, most of them for Figs 7 and 9 b
RANKS=4096 SIZES=${SIZES:-64 256 1024 2048 4096 16384 65536} ITERATIONS=${ITERATIONS:-5} exec "$(dirname "$0")/run.sh" "$@"
