#!/bin/bash
# study.sh - NeDD's experiment with ten repetitions and a sample every ten seconds: some minutes
REPS=10 INTERVAL=10 exec "$(dirname "$0")/run.sh" "$@"
