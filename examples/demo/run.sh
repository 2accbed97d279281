#!/bin/bash
# run.sh - a real fabric, a real job log, real MPI reports: where should the jobs that wait go?
#
#   examples/demo/run.sh [FOLDER]
#
# Writes everything to FOLDER (default: a new one in /tmp) and ends with a table, a drawing, a plot.
# shellcheck disable=SC2016,SC1010 # Miller has its own variables and its own word "then"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../share/demo
[[ -d $data ]] || data=$here/../../demo # as it is installed
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/placetools-demo.XXXXXX")}
mkdir -p "$out"
cd "$out"
out=$PWD

now=1361193747 # 18 February 2013, 13:22:27 UTC, in the seconds of the log
hosts='node[001-264]'
step() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || step() { printf '\n%s\n' "$*"; }

step '1. The machine: what ibnetdiscover says of Avakas (topogen)'
topogen --from ibnetdiscover:switch-names=last,cores=12 "$data/avakas.txt.gz" -o avakas.yaml
topogen avakas.yaml --to summary | mlr --itsv --onidx --ofs ' ' --pass-comments \
	filter '$scope == "machine" && $metric =~ "^(nodes|routers|links|diameter)$"' then cut -o -f metric,value |
	grep -v '^##' | paste -sd, | sed 's/,/, /g; s/^/   /'

step '2. Four applications: reports of mpiP and IPM (traceconv), and what they mean (classify)'
{
	for app in alltoall halo ep; do
		traceconv --from mpip:app=$app --to profile "$data/mpi/$app.mpiP"
	done
	traceconv --from ipm:app=lammps --to profile "$data/mpi/lammps.ipm"
} | mlr --tsv --pass-comments cut -x -f binary | classify -o profiles.tsv
mlr --itsv --opprint --pass-comments put '$in_MPI = fmtnum(100 * $mpi_fraction, "%.1f") . " %"' then \
	cut -o -f app,in_MPI,class profiles.tsv | grep -v '^##' | sed 's/^/   /'

step '3. The jobs: MetaCentrum in February 2013, a node for every four processors (traceconv, allocate)'
# The log is replayed: each job takes its nodes at its recorded start and returns them at its end. Which
# nodes of the grid these were does not matter here: weeks of jobs leave the idle nodes scattered either
# way. (One job of 391 does not fit on Avakas, which is smaller than that grid: hence --quiet.)
traceconv --from swf:cores=4 --to jobs "$data/metacentrum-2013-02.swf.gz" -o log.tsv
mlr --tsv --pass-comments filter '$start_s <= '$now' && $nodes <= 64' then put '$submit_s = $start_s' then \
	sort -nf submit_s log.tsv | allocate --quiet -t avakas.yaml -p rdr --idle "$hosts" -o history.tsv
mlr --tsv --pass-comments filter '$end_s > '$now then cut -o -f job,nodes,user,start_s,end_s,nodelist then \
	join -j user -f "$data/users.tsv" then reorder -f job history.tsv >running.tsv
mlr --tsv --pass-comments filter '$submit_s > '$now then cut -o -f job,nodes,submit_s,user then \
	join -j user -f "$data/users.tsv" then reorder -f job log.tsv | classify -d profiles.tsv -o waiting.tsv
for file in running waiting; do
	mlr --itsv --onidx --ofs ' ' --pass-comments stats1 -a count,sum -f nodes $file.tsv | grep -v '^##' |
		sed "s/\(.*\) \(.*\)/   \1 jobs of \2 nodes are $file/"
done

step '4. The network: two minutes of port counters (jobgen), and what they say of each switch (trafficagg)'
jobgen -t avakas.yaml counters:source=infiniband,start=$((now - 120)),seconds=120 running.tsv |
	gzip -1 >counters.csv.gz
trafficagg -t avakas.yaml counters.csv.gz -o traffic.tsv
mlr --itsv --onidx --ofs ' ' --pass-comments filter 'is_numeric($traffic_Bps)' then sort -nf traffic_Bps then \
	put '$text = $router . " " . fmtnum($traffic_Bps / 1e6, "%d")' then cut -f text traffic.tsv | grep -v '^##' |
	sed 's/\([^ ]*\) \(.*\)/\1: \2/' | paste -sd, | sed 's/,/, /g; s/^/   MB\/s: /' | fold -sw 100 | sed '2,$s/^/   /'

step '5. Where should the jobs that wait go? Five answers (allocate), checked (placecheck), measured (evalmetrics)'
mlr --tsv --pass-comments unsparsify --fill-with . running.tsv waiting.tsv >jobs.tsv
for policy in simple random fewer-router low-traffic nedd; do
	allocate --quiet -p $policy --idle "$hosts" --traffic traffic.tsv jobs.tsv -o placed-$policy.tsv
	placecheck placed-$policy.tsv
	# those that waited, under the name that the policy was called by
	mlr --tsv --pass-comments filter '$policy != "."' then put '$policy = "'$policy'"' placed-$policy.tsv
done >placed.tsv
evalmetrics -m spread -m hops -m traffic -m stall --traffic traffic.tsv --by class,policy placed.tsv -o metrics.tsv
evalmetrics --traffic traffic.tsv --by class,policy --baseline policy=random -m traffic placed.tsv -o beside-random.tsv
topogen avakas.yaml --to svg --jobs placed-nedd.tsv -o avakas.svg
mlr --itsv --onidx --ofs ' ' --pass-comments filter '$metric == "traffic-mean"' then \
	put '$value = $value / 1e6; $class = sub($class, "network-", "")' then cut -o -f policy,class,value then \
	reshape -s class,value then sort -nr sensitive then cut -o -f policy,sensitive,insensitive metrics.tsv |
	grep -v '^##' >plot.txt
gnuplot "$here/plot.gp"

{
	echo
	echo 'Other traffic where the jobs were placed: MB/s at their switches, mean over the jobs of a class'
	echo
	mlr --itsv --opprint --barred --pass-comments filter '$metric == "traffic-mean" || $metric == "routers"' then \
		put '$key = sub($class, "network-", "") . ($metric == "routers" ? " switches" : " MB/s");
			$value = fmtnum($metric == "routers" ? $value : $value / 1e6, $metric == "routers" ? "%.1f" : "%d")' then \
		cut -f policy,key,value then reshape -s key,value then nest --evar ';' -f policy then \
		sort -nr 'sensitive MB/s' then rename policy,strategy then \
		cut -o -f 'strategy,sensitive MB/s,insensitive MB/s,sensitive switches,insensitive switches' metrics.tsv |
		grep -v '^##'
	awk -F'\t' '
		/^##/ { next }
		!at["class"] { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == "traffic-mean" && $at["policy"] == "nedd" && $at["class"] == "network-sensitive" {
			printf "\nWith nedd, jobs that are sensitive to the network have %d %% less traffic at their switches\n", 100 * (1 - $at["ratio"])
			print "than placed at random; jobs that are not sensitive take the busy switches, where it costs them nothing."
		}' beside-random.tsv
} | tee table.txt

step '6. The largest sensitive job: simulated times of its all-to-all (netsim), ranks in order and mapped (mapref)'
# 156 ranks in columns of 26, as in a Fourier transform on pencils; each rank sends 64 KiB to each of its column.
jobgen comm:pattern=alltoall-sub,dims=26x6,bytes=64KiB -o columns.tsv
for policy in random nedd; do
	traceconv --to jobs -f where:job=6838 -f set:mapped=no placed-$policy.tsv >in-order.tsv
	traceconv --to jobs -f where:job=6838 -f set:mapped=yes placed-$policy.tsv >mapped.tsv
	mapref -t avakas.yaml -g columns.tsv -a mapped.tsv --ranks-per-node 12 -o mapping.tsv
	netsim -t avakas.yaml -p comm:path=columns.tsv --ranks-per-node 12 in-order.tsv
	netsim -t avakas.yaml -p comm:path=columns.tsv --mapping mapping.tsv mapped.tsv
done >simulated.tsv
traceconv --to jobs simulated.tsv | mlr --tsv --pass-comments put '$ms = $comm_time_s * 1000' |
	traceconv --to 'pretty:columns=[policy,mapped,hops_mean,ms],digits=3' | sed 's/^/   /'

step 'What goes to Slurm (traceconv)'
traceconv --from jobs --to sbatch:style=command,job=6838 placed-nedd.tsv | sed 's/^/   /'

mlr --itsv --otsv --pass-comments put -q 'emit1 {"policy": $policy, "class": $class, "metric": $metric, "mean": fmtnum($value, "%.6g")}' metrics.tsv |
	grep -v '^##' >result.tsv
echo
printf '%-52s%s\n' "The picture (red: sensitive jobs, lower is better):" "$out/strategies.svg" \
	'The machine with its jobs in colours:' "$out/avakas.svg" 'All tables and what they came from:' "$out"
