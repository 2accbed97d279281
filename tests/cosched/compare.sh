#!/bin/bash
# compare.sh - cosched against oracle.py on random workloads: compare.sh FIRST_SEED LAST_SEED RUNS_PER_SEED FOLDER
set -eu -o pipefail
here=$(dirname "${BASH_SOURCE[0]}")
for ((seed = $1; seed <= $2; seed++)); do
	read -r policy release < <("$here/campaign.py" "$seed" "$3" $((seed % 2)) "$4")
	"$here/oracle.py" "$4"/{devices,kernels}.txt "$policy" "$release" "$4/jobs.txt" >"$4/wanted"
	cosched -d "$4/devices.yaml" -k "$4/kernels.tsv" -p "$policy" --release "$release" "$4/jobs.tsv" |
		awk -F'\t' '/^##/ { next }
			!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
			function ns(s) { split(s, p, "."); return p[1] * 1000000000 + substr(p[2] "000000000", 1, 9) }
			{ printf "%s %s %d %d %s %s\n", $at["run"], $at["job"], ns($at["start_s"]), ns($at["end_s"]),
				$at["devices"], $at["switches"] }' >"$4/got"
	cmp -s "$4/wanted" "$4/got" || {
		echo "seed $seed, $policy, release $release:"
		diff "$4/wanted" "$4/got" | head -20
		exit 1
	}
done
