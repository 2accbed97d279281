#!/bin/bash
# run.sh - place.sh on what a virtual Slurm of 17 nodes said: four jobs around those that run there
#
#   examples/slurm-site/run.sh [FOLDER]
#
# Writes everything to FOLDER (default: a new one in /tmp) and says what holds; status 1 if anything that
# must hold does not. No Slurm is needed: its commands are replayed from recorded/. make check-site runs
# place.sh against a Slurm that lives.
# shellcheck disable=SC2317 # holds calls functions
set -euo pipefail
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/slurm-site.XXXXXX")}
mkdir -p "$out/bin"
cd "$out"
out=$PWD # absolute: it stands in PATH, and a folder that is not found there lets the site's own sbatch through
unset PLACETOOLS_TOPOLOGY

failed=0
holds() { # holds TEXT COMMAND…
	if "${@:2}"; then echo "holds: $1"; else
		echo "DOES NOT HOLD: $1"
		failed=1
	fi
}

# ---- Slurm's commands, replayed; what is submitted is kept as script-101, script-102, … ----
cat >bin/scontrol <<-END
	#!/bin/sh
	case "\$*" in
	*topology*) cat $(printf %q "$here")/recorded/topology.txt ;;
	*' node '*) cat $(printf %q "$here")/recorded/node.txt ;;
	*partition*) cat $(printf %q "$here")/recorded/partition.txt ;;
	*reservation*) cat $(printf %q "$here")/recorded/reservation.txt ;;
	*' job '*) cat $(printf %q "$here")/recorded/job.txt ;;
	*) exit 1 ;;
	esac
END
cat >bin/sbatch <<-'END'
	#!/bin/bash
	id=101
	while [[ -e $OUT/script-$id ]]; do id=$((id + 1)); done
	cat >"$OUT/script-$id"
	echo $id
END
chmod +x bin/*
export OUT=$out PATH=$out/bin:$PATH NOW=1795395600 # when it was recorded
rm -f script-*

# ---- four jobs, of which one is larger than what is left ----
printf '#!/bin/sh\nsrun ./halo\n' >halo.sh
{
	echo '##placetools=jobs/1'
	printf 'job\tnodes\twalltime_s\tscript\n'
	printf 'halo-%s\t%d\t%d\thalo.sh\n' a 2 600 b 4 600 c 9 600 d 1 60
} >requests.tsv
status=0
"$here/place.sh" requests.tsv >submitted.tsv || status=$?
holds 'a job had to wait' test $status -eq 1

# ---- what was submitted is what was decided, on nodes that nobody has ----
idle=$(traceconv --from scontrol-node --to nodes "$here/recorded/node.txt" | awk -F'\t' '$2 == "idle" { print $1 }' | sort -u)
chosen() { # the nodes of all scripts, one a line
	for script in script-*; do
		printf '##placetools=jobs/1\njob\tnodes\tnodelist\nx\t1\t%s\n' \
			"$(sed -n 's/^#SBATCH --nodelist=//p' "$script")" |
			traceconv --from jobs --to hostfile:style=plain
	done
}
all_idle() { ! comm -23 <(chosen | sort) - <<<"$idle" | grep -q .; }
none_twice() { ! chosen | sort | uniq -d | grep -q .; }
holds 'every node that was given out was idle' all_idle
holds 'no node was given out twice' none_twice
holds 'a script for each job that was placed' test "$(find . -name 'script-*' | wc -l)" -eq 3


# ---- by counters: what runs makes traffic, LDMS stores it, its last line is being written ----
topogen --quiet --from slurm-show "$here/recorded/topology.txt" -o machine.yaml
traceconv --quiet --from scontrol-job --to jobs "$here/recorded/job.txt" |
	awk -F'\t' -v OFS='\t' '
		/^##/ { next }
		!at { for (i = 1; i <= NF; i++) column[$i] = i; at = column["nodelist"]; print $0, "intensity"; next }
		$at != "." { print $0, $1 == 2 ? 5e7 : $1 == 3 ? 4e6 : 2e5 }' | sed '1i ##placetools=jobs/1' >running.tsv
jobgen counters:source=infiniband,seconds=240,interval=10,cut=yes -t machine.yaml running.tsv -o counters.csv
{
	echo '##placetools=jobs/1'
	printf 'job\tnodes\twalltime_s\tclass\tscript\n'
	printf 'fft\t1\t600\tnetwork-sensitive\thalo.sh\nmonte-carlo\t1\t600\tnetwork-insensitive\thalo.sh\n'
} >classified.tsv
scripts=$(find . -name 'script-*' | wc -l)
COUNTERS=counters.csv "$here/place.sh" --dry-run classified.tsv >quiet.tsv 2>quiet.log
holds 'a dry run submits nothing' test "$(find . -name 'script-*' | wc -l)" -eq "$scripts"
holds 'a dry run tells what sbatch would get' grep -q '^fft: #SBATCH --nodelist=' quiet.log
leaf_of() { awk -F'\t' -v job="$1" '$1 == job { print $3 }' quiet.tsv | sed 's/nid0*//' | awk '{ print int(($1 - 1) / 4) }'; }
traffic_of() { trafficagg --quiet -t machine.yaml --window 120 --since -120 counters.csv | awk -F'\t' -v leaf="leaf$1" '$3 == leaf { print $4 }'; }
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }
holds 'the sensitive job is on the leaf with less traffic' less "$(traffic_of "$(leaf_of fft)")" "$(traffic_of "$(leaf_of monte-carlo)")"

{
	printf 'job\tslurm\tnodelist\n'
	cat submitted.tsv quiet.tsv
} >result.tsv
exit $failed
