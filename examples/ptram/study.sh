#!/bin/bash
# study.sh - PTRAM's figures with the paper's 4 096 ranks on 512 nodes: about a minute
RANKS=4096 exec "$(dirname "$0")/run.sh" "$@"
