#!/bin/bash
# study.sh - run.sh with a tenth of the bytes and twenty placements
#
#   examples/burst-buffer/study.sh [FOLDER]
#
# FOLDER (default build/burst-buffer-study) keeps every case that is done: run it again after an interruption and it
# goes on. DIVISOR and PLACEMENTS are those of run.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/run.sh" "${1:-$here/../../build/burst-buffer-study}" "${DIVISOR:-10}" "${PLACEMENTS:-20}"
