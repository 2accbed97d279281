#!/bin/bash
# nightly.sh - last night's placements as one page: for cron, a systemd timer or Slurm's scrontab
#
#   nightly.sh [-c CONFIG]
#
# CONFIG (default: nightly.conf beside this file) is read by the shell. It names FOLDER, where the pages
# and an index lie, and MACHINE, the machine's topology (topogen --from slurm-conf topology.conf); it may
# set KEEP (days, default 366), ALARMS (words METRIC>X) and the commands SACCT, NODES.
# Status: that of placereport: 1 when an alarm was raised, so that cron mails what is printed.
set -euo pipefail
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
config=$here/nightly.conf
[[ ${1-} == -c ]] && config=$2
KEEP=366 ALARMS=
SACCT="sacct -P -a -X -S now-1day -E now -o JobID,User,Partition,Submit,Start,End,ElapsedRaw,TimelimitRaw,State,NNodes,NTasks,Account,AllocTRES,ReqTRES,Constraints,Reservation,NodeList,JobName"
NODES="scontrol show node -o"
# shellcheck source=/dev/null
source "$config"
: "${FOLDER:?is not set in $config}" "${MACHINE:?is not set in $config}"
export SLURM_TIME_FORMAT=%s
mkdir -p "$FOLDER"

# One run at a time: a second one waits, and finds its own place.
exec 9>"$FOLDER/.lock"
flock 9

day=${DAY:-$(date +%F)}
work=$(mktemp -d "$FOLDER/.work.XXXXXX")
trap 'rm -rf "$work"' EXIT
$SACCT | traceconv --quiet --from sacct --to jobs -o "$work/jobs.tsv"
$NODES | traceconv --quiet --from scontrol-node --to nodes -o "$work/nodes.tsv"

before=$(find "$FOLDER" -maxdepth 1 -name '????-??-??.json' ! -name "$day.json" | LC_ALL=C sort | tail -n 1)
options=(-t "$MACHINE" --title "Placements of $day")
[[ -n $before ]] && options+=(--baseline "$before")
for alarm in $ALARMS; do options+=(--alarm "$alarm"); done
status=0
placereport "${options[@]}" -o "$FOLDER/$day.html" "$work/jobs.tsv" "$work/nodes.tsv" || status=$?
if ((status == 1)); then # what cron mails
	placereport "${options[@]}" --to text -o "$work/mail" "$work/jobs.tsv" "$work/nodes.tsv" || true
	sed -n '/^Alarms$/,/^Now$/p' "$work/mail" | sed '$d'
fi
placereport "${options[@]}" --to json -o "$FOLDER/$day.json" "$work/jobs.tsv" "$work/nodes.tsv" || (($? == 1)) || status=2

# ---- old pages go, and the index is written again ----
find "$FOLDER" -maxdepth 1 -name '????-??-??.*' | LC_ALL=C sort -r | awk -F/ -v keep="$KEEP" '
	{ day = substr($NF, 1, 10); if (!(day in seen)) { seen[day] = 1; n++ } if (n > keep) print }' | xargs -r -d '\n' rm -f
find "$FOLDER" -maxdepth 1 -name '????-??-??.json' -print0 | LC_ALL=C sort -rz |
	xargs -0 -r awk -f "$here/index.awk" >"$work/index.html"
mv "$work/index.html" "$FOLDER/index.html"
exit "$status"
