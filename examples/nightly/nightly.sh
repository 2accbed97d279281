#!/bin/bash
# nightly.sh - last night's placements as one page: for cron, a systemd timer or Slurm's scrontab
#
#   nightly.sh [-c CONFIG] [--day DATE]
#
# CONFIG (default: nightly.conf beside this file) is read by the shell; README.md says what it may set. It
# and the folders above it must be writable by nobody but root and the user who runs this.
# --day rebuilds the page of a past night, from what Slurm's accounting still has.
# Status: 0: the page is there, and quiet; 1: it is there, and an alarm was raised (cron mails what is
# printed); 2: anything else, in a line on standard error and in the index.
set -euo pipefail
unset CDPATH
export LC_ALL=C
umask 027
here=$(cd "$(dirname "$0")" && pwd)

# ---- how it ends: 2, unless the last line was reached ----

status=2 why='' day='' work='' locked='' problems=''
warn() { echo "nightly.sh: $*" >&2; }
fail() {
	why=$*
	warn "$*"
	exit 2
}
finish() {
	trap - EXIT
	set +e
	if [[ $status == 2 && -n $locked ]]; then
		remember_failure "${why:-a command failed}"
		write_index
	fi
	[[ -z $work ]] || rm -rf "$work"
	exit "$status"
}
trap finish EXIT
trap 'why="it was ended by a signal"; exit 2' HUP INT TERM

# ---- what it is told ----

config=$here/nightly.conf past=
while (($# > 0)); do
	case $1 in
	-c) config=${2:?-c needs the name of a file} ;;
	--day) past=${2:?--day needs a date, as 2026-11-22} ;;
	*) fail "unknown argument '$1', expected [-c CONFIG] [--day DATE]" ;;
	esac
	shift 2
done

# Who may write a file that the shell reads may do all that its reader may.
check_rights() {
	local at owner mode
	at=$(realpath -e -- "$1" 2>/dev/null) || fail "$1: there is no such file"
	[[ -f $at && -r $at ]] || fail "$1: not a file that can be read"
	while :; do
		read -r owner mode < <(stat -c '%u %a' -- "$at") || fail "$at: cannot be looked at"
		[[ $owner == 0 || $owner == "$EUID" ]] || fail "$at belongs to another user (number $owner), who could change what is done here"
		# others may write into a folder where only owners rename: /tmp
		((8#$mode & 8#022)) && [[ ! -d $at || ! $mode =~ ^1...$ ]] && fail "$at: others could write it (mode $mode), expected chmod go-w"
		[[ $at == / ]] && return
		at=$(dirname -- "$at")
	done
}
check_rights "$config"

UNTIL=$(date +%s)
SINCE=$((UNTIL - 86400)) AT=06:00
KEEP=366 ALARMS='' LIMIT=600 LOCK_WAIT=900 GROUP='' MODE=0640 PSEUDONYMS='' OPENMETRICS='' REPLAY=''
SACCT='' NODES="scontrol show node -o" QUEUE='' EVENTS=''
# Names of jobs may hold bars and line ends, but not what is new in each night: SACCT asks for it between fields.
DELIMITER=$(LC_ALL=C tr -dc a-zA-Z </dev/urandom | head -c 20) || :
if [[ -n $past ]]; then
	[[ $past =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ && -n $(date -d "$past" 2>/dev/null) ]] || fail "--day: '$past' is not a date, expected one as 2026-11-22"
fi
# shellcheck source=/dev/null
source "$config" || fail "$config: the shell cannot read it"
[[ -n ${FOLDER-} ]] || fail "FOLDER is not set in $config"
[[ -n ${MACHINE-} ]] || fail "MACHINE is not set in $config"
[[ -r $MACHINE ]] || fail "$MACHINE: the machine cannot be read (topogen makes it)"
day=${past:-${DAY:-$(date +%F)}}
export SLURM_TIME_FORMAT=%s

mkdir -p -- "$FOLDER" 2>/dev/null || fail "$FOLDER: the folder cannot be made"
cd -- "$FOLDER" || fail "$FOLDER: not a folder that can be entered"

# ---- one run at a time: a second one waits, and finds its own place ----

{ exec 9>.lock; } 2>/dev/null || fail "$FOLDER: cannot be written"
flock -w "$LOCK_WAIT" 9 || fail "another run has had $FOLDER/.lock for $LOCK_WAIT s"
locked=yes
# what killed runs left
rm -rf .work.?????? ./*.unfinished
work=$(mktemp -d .work.XXXXXX)

# ---- the history: one file of SQLite ----

history=history.sqlite
sql() { sqlite3 -batch -bail -cmd '.timeout 10000' "$@" 9>&-; }
has_history() { [[ -n $history ]]; }
add_night() { # add_night DATE FILE: a night by its report
	sql "$history" <<-END
		begin;
		create temp table it as select cast(readfile('$2') as text) as report;
		insert or replace into night select '$1', report ->> 'since', report ->> 'until',
			iif(exists(select 1 from json_each(report, '$.alarms') where value ->> 'raised'), 'alarm', 'quiet'), null from it;
		delete from number where night = '$1';
		insert into number select '$1', value ->> 'name', value ->> 'value', value ->> 'unit' from it, json_each(report, '$.numbers')
			where value ->> 'value' is not null;
		delete from metric where night = '$1';
		insert or replace into metric select '$1', value ->> 'policy', value ->> 'metric', value ->> 'n', value ->> 'mean', value ->> 'min',
			value ->> 'q1', value ->> 'median', value ->> 'q3', value ->> 'max' from it, json_each(report, '$.metrics');
		delete from alarm where night = '$1';
		insert or replace into alarm select '$1', value ->> 'alarm', value ->> 'value', value ->> 'raised' from it, json_each(report, '$.alarms');
		commit;
	END
}
open_history() {
	local report
	if ! command -v sqlite3 >/dev/null; then
		history=
		warn "sqlite3 is not installed: no history, no comparison with the month, and an index without numbers"
		return
	fi
	if [[ -e $history && $(sql "$history" 'pragma quick_check' 2>/dev/null) != ok ]]; then
		mv -f "$history" "$history.spoiled"
		rm -f "$history"-journal "$history"-wal "$history"-shm
		warn "$FOLDER/$history was spoiled: it is kept as $history.spoiled, and made again of the reports"
	fi
	[[ -e $history ]] && return
	sql "$work/new.sqlite" <<-'END'
		create table night(night text primary key, since_s real, until_s real, state text not null, why text);
		create table number(night text, name text, value real, unit text, primary key(night, name)) without rowid;
		create table metric(night text, policy text, metric text, n real, mean real, min real, q1 real, median real, q3 real, max real,
			primary key(night, policy, metric)) without rowid;
		create table alarm(night text, alarm text, value real, raised integer, primary key(night, alarm)) without rowid;
		create table outage(node text, state text, reason text, since_s real, until_s real, primary key(node, since_s)) without rowid;
		create table watched(since_s real);
		pragma user_version = 1;
	END
	sync "$work/new.sqlite"
	mv "$work/new.sqlite" "$history"
	while IFS= read -r report; do
		add_night "${report%.json}" "$report" 2>/dev/null || :
	done < <(reports)
}
reports() { find . -maxdepth 1 -name '????-??-??.json' -printf '%f\n' | sort; }
remember_failure() { # in one line, whatever a command said
	local text
	text=$(tr -s '[:cntrl:]' ' ' <<<"$1" | cut -c 1-300)
	has_history || return 0
	sql "$history" "insert into night(night, state, why) values('$day', 'failed', '${text//\'/\'\'}')
		on conflict(night) do update set state = 'failed', why = excluded.why" || :
}
write_index() {
	{
		find . -maxdepth 1 -name '????-??-??.html' -printf 'page\t%f\n'
		has_history && sql -separator $'\t' "$history" "select 'night', night, state, coalesce(why, '') from night;
			select 'alarm', night, count(*) from alarm where raised group by night;
			select 'number', night, name, value, unit from number order by night"
	} | awk -f "$here/index.awk" >"$work/index.html" && publish "$work/index.html" index.html
}

# Whole, on the disk, and with the rights of pages before it has its name.
publish() {
	chmod "$MODE" "$1"
	[[ -z $GROUP ]] || chgrp -- "$GROUP" "$1"
	sync "$1"
	mv -f "$1" "$2"
	sync .
}
open_history

# ---- what Slurm says ----

seconds() { date -d "$1" +%s; }
if [[ -n $past ]]; then
	SINCE='' UNTIL=''
	if has_history; then
		read -r SINCE UNTIL < <(sql -separator ' ' "$history" "select cast(since_s as integer), cast(until_s as integer) from night where night = '$past' and until_s > since_s") || :
	fi
	[[ -n $UNTIL ]] || UNTIL=$(seconds "$past $AT") SINCE=$(seconds "$past $AT 1 day ago")
	((UNTIL <= $(date +%s))) || fail "--day: $past $AT is not over"
fi
local_time() { date -d "@$1" +%FT%T; }
if [[ -z $SACCT && -z $QUEUE ]] && command -v squeue >/dev/null; then
	QUEUE="squeue -r -t PD -o %i|%u|%a|%P|%T|%V|%S|%e|%l|%D|%C|%b|%h|%N|%r"
fi
: "${SACCT:=sacct -P -a -X --delimiter=$DELIMITER -S $(local_time "$SINCE") -E $(local_time "$UNTIL") -o JobID,User,Partition,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,State,NNodes,NTasks,Account,AllocTRES,ReqTRES,Constraints,Reservation,NodeList,JobName,JobIDRaw}"

# Where PrivateData hides others' jobs, a page would be of one's own.
check_sight() {
	local private level
	[[ ${SACCT%% *} == sacct && $EUID != 0 ]] && command -v sacctmgr >/dev/null || return 0
	private=$({ timeout -k 5 30 sacctmgr -n show configuration || :; } 2>/dev/null 9>&- | sed -n 's/^ *PrivateData *= *//p')
	[[ $private == *jobs* || $private == *usage* ]] || return 0
	level=$({ timeout -k 5 30 sacctmgr -nP show user "$(id -un)" format=AdminLevel || :; } 2>/dev/null 9>&-)
	[[ $level == Operator || $level == Administrator ]] ||
		fail "PrivateData=$private hides others' jobs from $(id -un): sacctmgr modify user $(id -un) set AdminLevel=Operator"
}
check_sight

# ask FILE COMMAND…: what a command prints, within a limit; else 1, with what is wrong in $said
said=
ask() {
	local ended=0
	timeout -k 10 "$LIMIT" "${@:2}" >"$1" 9>&- || ended=$?
	case $ended in
	0) return 0 ;;
	124 | 137) said="${*:2:1} did not end within $LIMIT s" ;;
	*) said="${*:2:1} ended with status $ended" ;;
	esac
	return 1
}
# convert OPTION…: traceconv, whose first line is the reason if it fails
convert() {
	traceconv --quiet "$@" 2>"$work/said" && return
	cat "$work/said" >&2
	said=$(head -n 1 "$work/said")
	return 1
}
problem() { # the page is made without it, and the run has failed
	warn "$1: the page is made without it"
	problems+="${problems:+; }$1"
	options+=(--note "$1")
}

options=(-t "$MACHINE" --title "Placements of $day")
inputs=("$work/jobs.tsv")
# shellcheck disable=SC2086 # commands are words
ask "$work/sacct" $SACCT || fail "$said"
log=sacct
[[ $SACCT != *"$DELIMITER"* ]] || log+=:delimiter=$DELIMITER
convert --from "$log" --to jobs --since "$SINCE" --until "$UNTIL" -o "$work/jobs.tsv" "$work/sacct" || fail "$said"
# shellcheck disable=SC2086
if [[ -z $past ]]; then
	if ask "$work/node" $NODES && convert --from scontrol-node --to nodes -o "$work/nodes.tsv" "$work/node"; then
		inputs+=("$work/nodes.tsv")
	else
		problem "$said"
	fi
elif [[ -r $day.nodes.tsv.gz ]]; then # as they were then
	gzip -dc "$day.nodes.tsv.gz" >"$work/nodes.tsv" && inputs+=("$work/nodes.tsv")
fi

# Why jobs wait: accounting doesn't know it, and omits those that are held.
if [[ -z $past && -n $QUEUE ]]; then
	# shellcheck disable=SC2086
	if ask "$work/queue" $QUEUE && convert --from squeue --to jobs -o "$work/queue.tsv" "$work/queue"; then
		inputs+=("$work/queue.tsv")
	else
		problem "$said"
	fi
fi

# When nodes were out of service: from Slurm's accounting, else from what was seen night by night.
watch_nodes() {
	has_history || return 0
	if [[ -z $past && -r $work/nodes.tsv ]]; then
		awk -F '\t' -v OFS='\t' '/^##/ { next } !n { for (n = 1; n <= NF; n++) at[$n] = n; next }
			$at["state"] ~ /^(down|drain|fail|error|unknown|maint|power|no_respond|not_responding|reboot)/ {
				print $at["node"], $at["state"], at["reason"] ? $at["reason"] : "." }' "$work/nodes.tsv" >"$work/out"
		sql "$history" <<-END
			create temp table now(node, state, reason);
			.mode ascii
			.separator "\t" "\n"
			.import $work/out now
			begin;
			insert into watched select $UNTIL where not exists(select 1 from watched);
			update outage set until_s = $UNTIL where until_s is null and since_s < $UNTIL
				and not exists(select 1 from now where now.node = outage.node and now.state = outage.state);
			insert or ignore into outage select node, state, reason, $UNTIL, null from now
				where not exists(select 1 from outage where outage.node = now.node and outage.until_s is null);
			commit;
		END
	fi
	{
		printf '##placetools=events/1\n##known_since=%s\n' "$(date -u -d "@$(sql "$history" 'select cast(ifnull(min(since_s), 0) as integer) from watched')" +'%F %H:%M UTC')"
		printf 'node\tstart_s\tend_s\tstate\treason\n'
		sql -separator $'\t' "$history" "select node, cast(since_s as integer), ifnull(cast(until_s as integer), '.'), ifnull(state, '.'), ifnull(reason, '.') from outage
			where since_s < $UNTIL and ifnull(until_s, $UNTIL) > $SINCE"
	} >"$work/events.tsv"
}
if [[ ${SACCT%% *} == sacct ]] && command -v sacctmgr >/dev/null; then
	: "${EVENTS:=sacctmgr -P show event Start=$(local_time "$SINCE") End=$(local_time "$UNTIL") format=NodeName,Start,End,State,Reason}"
fi
# shellcheck disable=SC2086
if [[ -n $EVENTS ]] && ask "$work/event" $EVENTS 2>"$work/said" && convert --from sacctmgr-event --to events -o "$work/events.tsv" "$work/event" 2>/dev/null; then
	inputs+=("$work/events.tsv")
else
	watch_nodes || problem "the history of nodes could not be kept"
	[[ ! -r $work/events.tsv ]] || inputs+=("$work/events.tsv")
fi

if has_history; then # the nights before
	{
		printf '##placetools=nights/1\nnight\tuntil_s\tnumber\tvalue\n'
		sql -separator $'\t' "$history" "select night, cast(until_s as integer), name, value from number join night using(night)
			where night <> '$day' and until_s < $UNTIL and until_s > $UNTIL - 401 * 86400"
	} >"$work/nights.tsv"
	inputs+=("$work/nights.tsv")
fi

# ---- the page ----

before=$(reports | awk -v day="$day.json" '$0 < day' | tail -n 1)
[[ -z $before ]] || options+=(--baseline "$before")
for alarm in $ALARMS; do options+=(--alarm "$alarm"); done
[[ -z $PSEUDONYMS ]] || options+=(--pseudonyms)
[[ -z $REPLAY ]] || options+=(--replay "$REPLAY")
[[ -z $OPENMETRICS ]] || options+=(--also "openmetrics=$work/night.prom")
raised=0
placereport "${options[@]}" -o "$work/page.html" --also "json=$work/page.json" --also "text=$work/page.txt" "${inputs[@]}" 2>"$work/said" 9>&- || raised=$?
cat "$work/said" >&2
((raised <= 1)) || fail "$(sed -n '1s/^/placereport failed: /p' "$work/said")"
((raised == 0)) || awk '/^-+$/ && ++n == 2 { exit } NR > 1 { print before } { before = $0 }' "$work/page.txt" # what cron mails

! has_history || add_night "$day" "$work/page.json" || problem "the night was not written to $history"
publish "$work/page.json" "$day.json"
publish "$work/page.html" "$day.html"
if [[ -n $OPENMETRICS && -z $past ]]; then # for the collector, which is another user
	{ install -m 644 "$work/night.prom" "$OPENMETRICS.unfinished" && mv -f "$OPENMETRICS.unfinished" "$OPENMETRICS"; } || problem "$OPENMETRICS: cannot be written"
fi
if [[ -z $past && -r $work/nodes.tsv ]]; then
	gzip -nc "$work/nodes.tsv" >"$work/nodes.gz"
	publish "$work/nodes.gz" "$day.nodes.tsv.gz"
fi

# ---- old pages go, and the index is written again ----

find . -maxdepth 1 -name '????-??-??.*' -printf '%f\n' | sort -r | awk -v keep="$KEEP" '
	{ day = substr($0, 1, 10); if (!(day in seen)) { seen[day] = 1; n++ } if (n > keep) print }' | xargs -r -d '\n' rm -f --
if [[ -n $problems ]]; then
	why=$problems
	exit 2
fi
write_index
status=$raised
