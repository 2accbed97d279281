#!/bin/bash
# sweep.sh - whether observations 2 to 4 hold, by what the text leaves open: the home of a file and the window of a rank
#
#   examples/burst-buffer/sweep.sh [FOLDER [DIVISOR [PLACEMENTS]]]
#
# GTC and S3D on the fat tree and the dragonfly, without other jobs (1000, 1). The table is FOLDER/sweep.tsv.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
folder=${1:-out} divisor=${2:-1000} placements=${3:-1}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

try() { # HOME WINDOW
	HOME_OF_FILES=$1 WINDOW=$2
	mkdir -p "$folder/$1.$2"
	cd "$folder/$1.$2"
	# shellcheck source=examples/burst-buffer/cells.sh
	. "$here/cells.sh"
	make_machines
	for net in ft df; do
		for where in local grouped global; do
			for app in gtc s3d; do cell "$divisor" $net $where no $app - 1 "$placements"; done
		done
	done
	"$here/observations.sh" "$divisor" <results.tsv |
		awk -F'\t' -v OFS='\t' -v home="$1" -v window="$2" '$1 ~ /^O[234]$|2.7.3/ && $2 ~ /^(ft|df) / && $3 != "cannot be" { print home, window, $1, $2, $3, $4, $5 }'
}
{
	printf 'home\twindow\tclaim\twhat is divided by what\tverdict\tplacements\tmedian\n'
	for home in proportional adjacent list hash; do
		for window in 2 8 32; do (try $home $window); done
	done
} >"$folder/sweep.tsv"
cat "$folder/sweep.tsv"
