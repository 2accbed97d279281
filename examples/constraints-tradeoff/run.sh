#!/bin/bash
# run.sh - what geometric constraints cost a queue, and what they spare the jobs: every constraint under two queues
#
#   examples/constraints-tradeoff/run.sh [FOLDER]
#
# Places a real log and one of the Lublin-Feitelson model under each constraint and queue, measures the schedules,
# and simulates the jobs that run at some instants: all together, and each alone. FOLDER (default: a new one in /tmp)
# keeps every unit that is done: run it again after an interruption and it goes on. Writes table.txt, table.tsv,
# result.tsv (whether what must hold does) and tradeoff.svg. study.sh is the same, larger.
# shellcheck disable=SC2016,SC1010,SC2317 # Miller has its own variables and its own word "then"; holds calls functions
set -Eeuo pipefail
trap 'echo "run.sh:$LINENO: status $?: $BASH_COMMAND" >&2' ERR
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/constraints-tradeoff.XXXXXX")}
mkdir -p "$out/units"
out=$(cd "$out" && pwd)
cd "$out"
share=${PLACETOOLS_SHARE:-$here/../../share}

IFS=' ' read -ra machines <<<"${MACHINES:-torus:dims=4x4x4}"
IFS=' ' read -ra logs <<<"${LOGS:-metacentrum lublin}"
IFS=' ' read -ra queues <<<"${QUEUES:-easy conservative}"
# constraints joined by + hold together; none is the queue alone
IFS=' ' read -ra constraints <<<"${CONSTRAINTS:-none contiguous connected local convex convex:pad compact proximate clusters:size=8 linkdisjoint contiguous+local}"
jobs=${JOBS:-80} load=${LOAD:-1.2} snapshots=${SNAPSHOTS:-3} bytes=${BYTES:-4KiB} routing=${ROUTING:-dor}

# ---- the logs ----

# A model's log begins with few jobs: it is four times as long. A real log is one of processors, here eight to a node; jobs larger than the machine are left out.
make_log() { # make_log LOG MACHINE
	local per=1 most=$((4 * jobs)) nnodes
	case $1 in
	lublin) jobgen --no-provenance -t "$2" "lublin:load=$load,jobs=$most" ;;
	metacentrum) traceconv --no-provenance --from swf --to jobs "$share/demo/metacentrum-2013-02.swf.gz" ;;
	*) traceconv --no-provenance --from swf --to jobs "$1" ;;
	esac >log.all.tsv
	[[ $1 == lublin ]] || per=${PER_NODE:-8} most=$jobs
	nnodes=$(topogen "$2" --to summary | awk -F'\t' '$3 == "nodes" { print $4 }')
	mlr --tsv --pass-comments put '$nodes = ($nodes + '"$per"' - 1) // '"$per"'' then filter '$nodes <= '"$nnodes"' && $runtime_s > 0' then head -n "$most" then \
		put '$walltime_s = max($walltime_s, $runtime_s)' then \
		cut -o -f job,nodes,submit_s,runtime_s,walltime_s log.all.tsv
}

# ---- one unit: a log on a machine, under a constraint and a queue ----

# The value of a metric, from an evalmetrics table.
value() { # value METRIC COLUMN
	mlr --itsv --onidx --skip-comments filter '$metric == "'"$1"'"' then cut -f "$2" then format-values -f %.6g metrics.tsv
}

# Work of the nodes that jobs asked for, over what the machine could have done from the first start to the last end:
# nodes that only pad a job do not count as work.
useful() { # useful MACHINE
	local nnodes
	nnodes=$(topogen "$1" --to summary | awk -F'\t' '$3 == "nodes" { print $4 }')
	mlr --itsv --onidx --skip-comments filter '$nodelist != "."' then put '
		$work = (is_present($nodes_asked) ? $nodes_asked : $nodes) * ($end_s - $start_s)' then \
		stats1 -a sum,min,max -f work,start_s,end_s then \
		put -q 'print fmtnum($work_sum / ('"$nnodes"' * ($end_s_max - $start_s_min)), "%.4f")' placed.tsv
}

# Jobs of two nodes and more that run at an instant, each with all ranks sending to all: as one run, and each alone.
take_snapshots() {
	local first end i at
	mlr --itsv --onidx --skip-comments filter '$nodelist != "."' then stats1 -a min,max -f start_s,end_s then \
		cut -o -f start_s_min,end_s_max placed.tsv >span.txt
	[[ -s span.txt ]] || return 0 # no job was placed
	read -r first end <span.txt
	for ((i = 1; i <= snapshots; i++)); do
		at=$(awk -v first="$first" -v end="$end" -v i="$i" -v n="$snapshots" 'BEGIN {
			printf "%d", first + (end - first) * i / (n + 1) }')
		mlr --itsv --otsv --skip-comments filter '$nodelist != "." && $nodes > 1 && $start_s <= '"$at"' && $end_s > '"$at" then \
			put '$run = "'"$i"'"; $bytes = "'"$bytes"'"; $pattern = "alltoall"; $iterations = 1' then \
			cut -o -f run,job,nodes,nodelist,pattern,bytes,iterations placed.tsv >snapshot.tsv
		[[ $(wc -l <snapshot.tsv) -gt 2 ]] || continue
		tail -n +2 snapshot.tsv >>together.rows
		mlr --itsv --otsv --headerless-csv-output put '$run = $run . "/" . $job' snapshot.tsv >>alone.rows
	done
}

simulate() { # simulate NAME MACHINE
	{
		printf '##placetools=jobs/1\nrun\tjob\tnodes\tnodelist\tpattern\tbytes\titerations\n'
		cat "$1.rows"
	} | netsim --quiet -t "$2" -r "$routing" | mlr --itsv --otsv --skip-comments cut -o -f run,job,comm_time_s >"$1.tsv"
}

# What neighbours cost: the time together over the time alone, of each job.
slowdowns() { # slowdowns MACHINE
	: >together.rows
	: >alone.rows
	take_snapshots
	if [[ ! -s together.rows ]]; then
		printf '.\t.\t0\n'
		return
	fi
	simulate together "$1"
	simulate alone "$1"
	awk -F'\t' 'FNR == 1 { next }
		FILENAME == "together.tsv" { together[$1 "/" $2] = $3; next }
		$1 in together && $3 > 0 { s = together[$1] / $3; sum += s; most = s > most ? s : most; n++ }
		END { if (n > 0) printf "%.4f\t%.4f\t%d\n", sum / n, most, n; else print ".\t.\t0" }' together.tsv alone.tsv
}

# Some constraints say nothing on some machines: allocate refuses them, and there is no row.
says_something() { # says_something MACHINE [-c CONSTRAINT]…
	local status=0
	printf '##placetools=jobs/1\njob\tnodes\n##end\n' | allocate --quiet -t "$1" "${@:2}" 2>said.txt >one.tsv || status=$?
	[[ $status != 2 ]] || sed 's/^/no row: /' said.txt >&2
	[[ $status != 2 ]]
}

unit() { # unit MACHINE LOG CONSTRAINT QUEUE
	local folder=$out/work.$$ name picks=() checks=() c unplaced gave_up kept values=() column status
	name=$(tr -c 'A-Za-z0-9.=\n-' '_' <<<"$1 $2 $3 $4")
	[[ -s $out/units/$name.tsv ]] && return
	mkdir -p "$folder"
	cd "$folder"
	if [[ $3 != none ]]; then
		for c in ${3//+/ }; do picks+=(-c "$c") checks+=(-c "$c"); done
	fi
	says_something "$1" "${picks[@]}" || return 0
	allocate --quiet --explain -t "$1" -r "$routing" -q "$4" "${picks[@]}" "$out/log.tsv" >placed.tsv
	kept=yes status=0
	placecheck --quiet -r "$routing" "${checks[@]}" placed.tsv || status=$?
	[[ $status == 0 ]] || kept=no
	[[ $status -le 1 ]]
	evalmetrics -t "$1" -m schedule -m wait -m stretch -m idle --by . placed.tsv >metrics.tsv
	unplaced=$(mlr --itsv --onidx --skip-comments filter '$nodelist == "."' then count placed.tsv)
	gave_up=$(mlr --itsv --onidx --skip-comments filter '$reason =~ "bound reached"' then count placed.tsv)
	# one assignment each: an argument of printf that fails goes unnoticed
	for column in 'makespan_s value' useful 'wait_s value' 'wait_s max' 'flow_s value' 'bounded-slowdown value' \
		'idle-fragmentation-mean value'; do
		if [[ $column == useful ]]; then
			values+=("$(useful "$1")")
		else
			# shellcheck disable=SC2086 # two words
			values+=("$(value $column)")
		fi
		[[ -n ${values[-1]} ]]
	done
	printf '%s\t' "$1" "$2" "$3" "$4" "${values[@]}" "$unplaced" "$gave_up" "$kept" >unit.tsv
	slowdowns "$1" >>unit.tsv
	mv unit.tsv "$out/units/$name.tsv"
	cd "$out"
	rm -rf "$folder"
}

for machine in "${machines[@]}"; do
	for log in "${logs[@]}"; do
		make_log "$log" "$machine" >log.tsv
		for queue in "${queues[@]}"; do
			for constraint in "${constraints[@]}"; do
				unit "$machine" "$log" "$constraint" "$queue"
			done
		done
	done
done

# ---- together ----

{
	printf 'machine\tlog\tconstraint\tqueue\tmakespan_s\tutilization\twait_s\twait_max_s\tflow_s\tbounded_slowdown\t'
	printf 'fragmentation\tnot_placed\tgave_up\tkept\tneighbours_mean\tneighbours_max\tsimulated\n'
	for machine in "${machines[@]}"; do
		for log in "${logs[@]}"; do
			for constraint in "${constraints[@]}"; do
				for queue in "${queues[@]}"; do
					name=$(tr -c 'A-Za-z0-9.=\n-' '_' <<<"$machine $log $constraint $queue")
					[[ ! -s units/$name.tsv ]] || cat "units/$name.tsv"
				done
			done
		done
	done
} >table.tsv
for machine in "${machines[@]}"; do
	echo "$machine"
	mlr --itsv --opprint --barred filter '$machine == "'"$machine"'"' then cut -x -f machine,kept then \
		put 'for (k, v in $*) { if (is_float(v)) { $[k] = fmtnum(v, "%.4g") } }' table.tsv
done | tee table.txt

# What must hold: no job's constraint is broken; and where routes are fixed, jobs that a constraint separates do not
# slow each other down.
check() { # check TEXT CONDITION: of all rows
	mlr --itsv --onidx filter '!('"$2"')' table.tsv >wrong
	printf '%s\t%s\n' "$1" "$([[ -s wrong ]] && echo no || echo yes)" >>result.tsv
	[[ ! -s wrong ]] || echo "DOES NOT HOLD: $1"
}
printf 'claim\tholds\n' >result.tsv
check 'every placed job keeps its constraints' '$kept == "yes"'
check 'convex jobs are not slowed by neighbours' '!($constraint =~ "^convex") || $neighbours_max == "." || $neighbours_max < 1.001'
check 'jobs on disjoint links are not slowed by neighbours' '$constraint != "linkdisjoint" || $neighbours_max == "." || $neighbours_max < 1.001'
check 'jobs without constraints are' '$constraint != "none" || $neighbours_mean > 1.001'
check 'every job is placed without constraints' '$constraint != "none" || $not_placed == 0'

# gnuplot's table: how much longer jobs wait and run than under the queue alone, and how much neighbours slow them
mlr --itsv --onidx --ofs tab filter '$constraint == "none"' then put -q '
	print $machine . " " . $log . " " . $queue . "\t" . $flow_s' table.tsv >alone.txt
awk -F'\t' 'NR == FNR { base[$1] = $2; next }
	FNR > 1 && $15 != "." && $12 == 0 {
		x = 100 * ($9 / base[$1 " " $2 " " $4] - 1)
		y = 100 * ($15 - 1)
		if (!seen[$1, $2, $4, x, y]++) print $3, $4, $2, x, y
	}' alone.txt table.tsv >plot.txt
if ! command -v gnuplot >gnuplot.path; then
	echo 'gnuplot is not installed: no tradeoff.svg'
elif [[ ! -s plot.txt ]]; then
	echo 'none is not among the constraints: no tradeoff.svg'
else
	gnuplot -e "logs='${logs[*]##*/}'" "$here/plot.gp"
fi
rm -f wrong gnuplot.path alone.txt log.all.tsv log.tsv
echo "All files lie in $out: table.txt, table.tsv, result.tsv, tradeoff.svg"
