# nightly.bats - examples/nightly/nightly.sh as a service: its ends, its limits, its history; no Slurm is needed
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
	nightly=$ROOT/examples/nightly/nightly.sh
	printf 'SwitchName=s0 Nodes=n[1-4]\nSwitchName=s1 Nodes=n[5-8]\nSwitchName=top Switches=s[0-1]\n' >topology.conf
	topogen --quiet --from slurm-conf topology.conf -o m.yaml
	# each night the same: a job of 4 nodes for 12 hours, a job of 2 nodes that began 2 hours before, and one that waits
	cat >sacct <<-'END'
		#!/bin/sh
		echo 'JobID|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NodeList|JobName'
		[ -z "$EMPTY" ] || exit 0
		echo "1|ada|phys|batch|$SINCE|$((SINCE + 3600))|$((SINCE + 3600 + 43200))|43200|720|COMPLETED|4|n[1-4]|a"
		echo "2|bob|chem|batch|$((SINCE - 9000))|$((SINCE - 7200))|$((SINCE + 21600))|28800|720|COMPLETED|2|n[5-6]|b"
		echo "3|eve|chem|big|$((UNTIL - 7200))|Unknown|Unknown|0|720|PENDING|8|None assigned|c"
	END
	printf '#!/bin/sh\nfor n in 1 2 3 4 5 6 7 8; do s=IDLE; [ $n = "${DOWN:-0}" ] && s="DOWN Reason=fan"; echo "NodeName=n$n CPUTot=4 State=$s"; done\n' >nodes
	chmod +x sacct nodes
	cat >n.conf <<-END
		FOLDER=$PWD/pages
		MACHINE=$PWD/m.yaml
		SACCT=$PWD/sacct
		NODES=$PWD/nodes
		LIMIT=5
		# DAY at 6, UTC
		UNTIL=\$(date -u -d "\$DAY 06:00" +%s) SINCE=\$((UNTIL - 86400))
		export SINCE UNTIL EMPTY DOWN
		[ -z "\${MORE-}" ] || . "\$MORE"
	END
	export DAY=2026-11-22 MORE='' EMPTY='' DOWN=''
}
night() { "$nightly" -c n.conf "$@"; }
with() { # with LINE…: further lines of the configuration
	printf '%s\n' "$@" >more
	export MORE=$PWD/more
}
history() { sqlite3 pages/history.sqlite "$1"; }
number() { jq -r --arg name "$1" '.numbers[] | select(.name == $name) | .value' "pages/${2:-$DAY}.json"; }
whole() { [ "$(find pages -name '.work*' -o -name '*.unfinished' | wc -l)" -eq 0 ]; }

@test "status: 0 quiet, 1 an alarm, 2 anything else, in one line" {
	run -0 --separate-stderr night
	[ -z "$output$stderr" ]
	with 'ALARMS="jobs-waiting>0 wait_s>1e9"'
	run -1 --separate-stderr night
	[[ $output == *"1 of 2 alarms was raised: jobs-waiting is 1, above 0."* ]]
	for end in 'nightly.sh -c /nonexistent' 'nightly.sh -x y' 'nightly.sh -c n.conf --day yesterday'; do
		run -2 --separate-stderr "$ROOT/examples/nightly/"$end
		[ "$(wc -l <<<"$stderr")" -eq 1 ]
	done
	while IFS='|' read -r line says; do
		with "$line"
		run -2 --separate-stderr night
		[ "$(wc -l <<<"$stderr")" -eq 1 ]
		[[ $stderr == "nightly.sh: "*$says* ]]
		[ ! -d pages ] || whole
	done <<-END
		FOLDER=/proc/pages|/proc/pages: the folder cannot be made
		FOLDER=|FOLDER is not set
		MACHINE=/nonexistent|the machine cannot be read
		SACCT=false|false ended with status 1
		NODES=false|false ended with status 1: the page is made without it
	END
}

@test "a command that hangs ends after a limit; the index has the night, and yesterday's page is as it was" {
	DAY=2026-11-21 night
	cp pages/2026-11-21.html before
	with 'LIMIT=1' 'SACCT="sleep 60"'
	run -2 --separate-stderr night
	echo "$stderr"
	[ "$stderr" = "nightly.sh: sleep did not end within 1 s" ]
	cmp before pages/2026-11-21.html
	[ ! -e pages/2026-11-22.html ]
	grep -q '2026-11-22</th><td><strong>failed</strong>: sleep did not end within 1 s' pages/index.html
	[ "$(history "select state from night order by night" | paste -sd ' ')" = "quiet failed" ]
	whole
	# without its nodes the page is there, and says so
	with 'NODES="sleep 60"' LIMIT=1
	run -2 --separate-stderr night
	grep -q 'sleep did not end within 1 s' pages/2026-11-22.html
}

@test "the first night fails: an index, not an empty file" {
	with 'SACCT=false'
	run -2 night
	grep -q '</html>' pages/index.html
	grep -q '1 failed' pages/index.html
}

@test "the lock waits with a limit; what killed runs left goes" {
	mkdir -p pages/.work.aaaaaa
	: >pages/x.unfinished
	night
	whole
	with 'LOCK_WAIT=1'
	exec 8>pages/.lock
	flock 8
	run -2 --separate-stderr night
	[[ $stderr == *"another run has had "*" for 1 s" ]]
}

@test "a configuration that others could write is refused" {
	chmod o+w n.conf
	run -2 --separate-stderr night
	[[ $stderr == *"n.conf: others could write it (mode "*"), expected chmod go-w" ]]
	chmod o-w n.conf
	mkdir open
	cp n.conf open/
	chmod g+w open
	run -2 --separate-stderr "$nightly" -c open/n.conf
	[[ $stderr == *"open: others could write it"* ]]
	[ ! -e pages ]
	# as root alone somebody else's can be tried
	[ "$EUID" -eq 0 ] || return 0
	chown 12345 n.conf
	run -2 --separate-stderr night
	[[ $stderr == *"n.conf belongs to another user (number 12345)"* ]]
}

@test "pages are for the owner and a group; the collector's file is for all" {
	with "OPENMETRICS=$PWD/night.prom" "GROUP=$(id -gn)"
	umask 0
	night
	[ "$(stat -c '%a %G' pages/*.html pages/*.json pages/*.gz | sort -u)" = "640 $(id -gn)" ]
	[ "$(stat -c %a night.prom)" = 644 ]
	[ "$(tail -n 1 night.prom)" = "# EOF" ]
	# the text format: a TYPE before its samples, names and numbers as they must be, no sample twice
	run ! grep -vE '^# (TYPE placetools_[a-z_]+ gauge|UNIT placetools_[a-z_]+ (seconds|ratio)|HELP placetools_[a-z_]+ .+|EOF)$|^placetools_[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"\})? -?[0-9.e+-]+$' night.prom
	[ "$(grep -v '^#' night.prom | sed 's/ [^ ]*$//' | sort | uniq -d | wc -l)" -eq 0 ]
	awk '$2 == "TYPE" { typed[$3] = 1 } !/^#/ { name = $1; sub(/[{].*/, "", name); if (!typed[name]) exit 1 }' night.prom
	[ "$(sed -n 's/^placetools_utilization_ratio //p' night.prom)" = "$(number utilization)" ]
	grep -qx 'placetools_partition_node_hours{partition="batch"} 60' night.prom
}

@test "numbers of a night: clipped to it, and those of the log" {
	night
	# 4 nodes for 12 h and 2 for 6 of 8 for 24
	[ "$(number node-hours)" = 60 ]
	[ "$(number utilization)" = 0.3125 ]
	[ "$(number jobs-waiting) $(number jobs-started) $(number wait-longest_s)" = "1 1 7200" ]
	rows() { jq -c --arg caption "$1" '.tables[] | select(.caption == $caption) | .rows' pages/2026-11-22.json; }
	[ "$(rows 'By partition')" = '[["batch",60,1,0,3600,3600],["big",0,0,1,null,7200]]' ]
	[ "$(rows 'By account')" = '[["phys",48,1,0,3600,3600],["chem",12,0,1,null,7200]]' ]
	[ "$(rows 'By user')" = '[["ada",48,1,0,3600,3600],["bob",12,0,0,null,0],["eve",0,0,1,null,7200]]' ]
}

@test "a night without jobs: a page, the alarm of its utilization, and of what was not measured a word" {
	with 'ALARMS="utilization<0.5 wait_s>1"'
	EMPTY=yes run -1 --separate-stderr night
	[ "$(number utilization)" = 0 ]
	jq -e '[.alarms[] | [.alarm, .raised]] == [["utilization<0.5", true], ["wait_s>1", false]]' pages/2026-11-22.json
	grep -q 'not measured' pages/2026-11-22.html
}

@test "a spoiled baseline costs the comparison, a spoiled history itself" {
	DAY=2026-11-20 night
	: >pages/2026-11-21.json
	run -0 --separate-stderr night
	[[ $stderr == *"--baseline: 2026-11-21.json"* ]]
	grep -q 'No comparison with an earlier report' pages/2026-11-22.html
	DAY=2026-11-23 run -0 --separate-stderr night
	[ -z "$stderr" ]
	echo spoiled >pages/history.sqlite
	DAY=2026-11-24 run -0 --separate-stderr night
	[[ $stderr == *"history.sqlite was spoiled"* ]]
	[ "$(history 'select night from night' | paste -sd ' ')" = "2026-11-20 2026-11-22 2026-11-23 2026-11-24" ]
}

@test "an alarm against the mean of the days before; the page beside yesterday and the month; the history's numbers are the reports'" {
	for day in {10..21}; do DAY=2026-11-$day night; done
	with 'ALARMS="wait-longest_s>2x7d node-hours<0.5x7d"'
	run -0 --separate-stderr night
	history "update number set value = value / 3 where name = 'wait-longest_s' and night < '2026-11-22'"
	run -1 --separate-stderr night
	[[ $output == *"wait-longest_s is 2 h 0 min, above 2x7d"* || $output == *"wait-longest_s is "*", above 2x7d"* ]]
	[[ $output == *"Node-hours"* ]]
	# 8 days before are another week's
	history "update number set value = 1e9 where name = 'wait-longest_s' and night < '2026-11-15'"
	run -1 night
	grep -q 'mean of 12' pages/2026-11-22.html
	[ "$(history "select value from number where night = '2026-11-22' and name = 'utilization'")" = 0.3125 ]
	grep -q '<figcaption>Utilization <b>31.2 %</b>\|<figcaption>Utilization <b>31.3 %</b>' pages/index.html
	# every night of the history is in the index, with what others ask of it
	[ "$(grep -o '<th scope="row">' pages/index.html | wc -l)" -eq 13 ]
	[ "$(history 'select count(*) from metric where metric = "wait_s"')" -eq 13 ]
}

@test "node-hours lost: from accounting's events less the jobs that a draining node had, else from what nights saw" {
	cat >events <<-'END'
		#!/bin/sh
		echo 'NodeName|TimeStart|TimeEnd|State|Reason'
		echo "|$SINCE|$UNTIL||whole cluster"
		echo "n8|$((UNTIL - 7200))|Unknown|DOWN*|fan | ticket 4711"
		echo "n1|$((SINCE - 3600))|$((SINCE + 7200))|DRAIN|kernel"
	END
	chmod +x events
	with "EVENTS=$PWD/events"
	night
	# n8 2 h; n1 drained 2 h into the night, its job began after 1
	[ "$(number node-hours-lost)" = 3 ]
	jq -e '.tables[] | select(.caption | startswith("Node-hours lost")) | .rows == [["down", "fan | ticket 4711", 2, 1, 1, "n8"], ["drained", "kernel", 1, 1, 0, "n1"]]' pages/2026-11-22.json
	grep -q "scontrol show node 'n8'\|scontrol show node &#39;n8&#39;\|scontrol show node .*n8" pages/2026-11-22.html
	# without: from the first run that saw the node down to that which saw it back
	MORE=''
	rm -r pages
	DAY=2026-11-20 night
	DAY=2026-11-21 DOWN=7 night
	[ "$(number node-hours-lost 2026-11-21)" = 0 ]
	DOWN=7 night
	[ "$(number node-hours-lost)" = 24 ]
	DAY=2026-11-23 night
	[ "$(number node-hours-lost 2026-11-23)" = 24 ]
	DAY=2026-11-24 night
	[ "$(number node-hours-lost 2026-11-24)" = 0 ]
	grep -q 'known since 2026-11-20 06:00 UTC' pages/2026-11-22.html
}

@test "--day makes a past night's page again, of its own time" {
	for day in 20 21 22; do DAY=2026-11-$day night; done
	jq 'del(.tables)' pages/2026-11-21.json >before
	rm pages/2026-11-21.html
	with 'SINCE= UNTIL='
	night --day 2026-11-21
	jq 'del(.tables)' pages/2026-11-21.json | diff before -
	[ -s pages/2026-11-21.html ]
	grep -q 'Beside the report 2026-11-20.json' pages/2026-11-21.html
	# one that no run recorded ends at AT
	with 'AT="05:00 UTC"'
	night --day 2026-11-15
	[ "$(jq .until pages/2026-11-15.json)" = "$(date -u -d '2026-11-15 05:00' +%s)" ]
	run -2 --separate-stderr night --day 2999-01-01
	echo "$stderr"
	[[ $stderr == *"is not over" ]]
}

@test "--pseudonyms: nobody's name is on the page, in its JSON, or in the history" {
	with 'PSEUDONYMS=yes'
	night
	run ! grep -qwE 'ada|bob|eve|phys|chem' pages/2026-11-22.json
	run ! grep -qwE 'ada|bob|eve|phys|chem' pages/2026-11-22.html
	jq -e '.tables[] | select(.caption == "By user") | [.rows[][0]] == ["user1", "user2", "user3"]' pages/2026-11-22.json
}

@test "pages and index carry a policy that allows nothing from elsewhere" {
	night
	for page in pages/2026-11-22.html pages/index.html; do
		grep -q "Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\"" "$page"
		xmllint --noout "$page" || xmllint --html --noout "$page"
	done
}

@test "a hostile day: honest rows are as without it, and no byte of a name is active" {
	cat >hostile <<-'END'
		#!/bin/bash
		d=${1#--delimiter=}
		row() { local IFS=$'\x01' text; text="$*"; printf '%s\n' "${text//$'\x01'/$d}"; }
		honest() { # honest NUMBER NODES LIST
			row "$1" ada phys batch "$SINCE" $((SINCE + 3600)) $((SINCE + 46800)) 43200 720 COMPLETED "$2" "$3" a "$1"
		}
		mallory() { # mallory NUMBER NAME
			row "$1" mallory evil batch "$SINCE" "$SINCE" $((SINCE + 60)) 60 720 COMPLETED 1 n8 "$2" "$1"
		}
		row JobID User Account Partition Submit Start End ElapsedRaw TimelimitRaw State NNodes NodeList JobName JobIDRaw
		honest 1 4 'n[1-4]'
		[ -n "$HONEST" ] || {
			mallory 10 $'two\nlines'
			mallory 11 $'x\n12|root|phys|batch|1|2|3|1|1|COMPLETED|8|n[1-8]|forged|12'
			mallory 13 $'\e[2J\a\xc2\x9b31m'
			mallory 14 $'\xe2\x80\xae<img src=x onerror=alert(1)><script>alert(2)</script>|`id`|[a](javascript:b)'
			mallory 15 "$(head -c 1000000 /dev/zero | tr '\0' w)"
			mallory 16 once
			mallory 16 'and again'
			mallory 17 $'\xff\xfe not UTF-8'
			row 18 mallory evil batch "$SINCE" "$SINCE" $((SINCE + 60)) 60 720 COMPLETED 1 login7 'no such node' 18
			row 19 $'<b>eve</b>\e[31m' '=cmd()' batch "$SINCE" "$SINCE" $((SINCE + 60)) 60 720 COMPLETED 1 n8 user 19
			row 20 mallory evil batch soon later never 60 720 COMPLETED 16 'n[1-4]' contradiction 20
		}
		honest 2 2 'n[5-6]'
	END
	chmod +x hostile
	local jobs
	with "SACCT=\"$PWD/hostile --delimiter=\$DELIMITER\"" 'export HONEST=yes'
	run -0 night
	jobs=$(number node-hours)
	[ -n "$jobs" ]
	with "SACCT=\"$PWD/hostile --delimiter=\$DELIMITER\"" 'export HONEST='
	night >out 2>said
	[[ $(<said) == *"that the machine lacks: login7" ]]
	[ -s "pages/$DAY.html" ] && whole
	# eight jobs of mallory's on one node for a minute, nothing of a forged job's eight nodes
	[ "$(jq -n --argjson a "$jobs" --argjson b "$(number node-hours)" '$b - $a < 0.2 and $b >= $a')" = true ]
	[ "$(jq .skipped "pages/$DAY.json")" -eq 1 ]
	run ! grep -qE '<img|<script>alert|<b>eve|javascript:b\)?"' "pages/$DAY.html"
	run ! grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "pages/$DAY.html" out said
	run ! grep -qP '\xc2\x9b|\xe2\x80\xae' "pages/$DAY.html" pages/index.html
	jq -e . "pages/$DAY.json" >/dev/null
	# what the shell or a spreadsheet would take for a command is text
	run ! grep -rqw forged pages/*.html
}
