# shellcheck shell=bash
# cells.sh - the cells of the study: one network, one place of the burst buffers, one application (and another beside it),
# one placement. A script that is in this folder sources it in the folder of its results, which are results.tsv: a row for
# each job of each cell. A cell that is there already is not simulated again.

networks='ft tft df'
profile=${PROFILE:-bb}
window=${WINDOW:-8}
home=${HOME_OF_FILES:-proportional}
mean=${FRAGMENT:-64}
settings="profile=$profile,io-window=$window,home=$home,fragment=$mean"

# ---- machines: NETWORK.PLACE.yaml; with 45 us for each request NETWORK.PLACE.slow.yaml ----

declare -A machine=([ft]=summit-bb [tft]=summit-bb-tapered [df]=edison-bb) per_router=([ft]=18 [tft]=18 [df]=4)
declare -A buffer=([ft]=summit-bb [tft]=summit-bb [df]=edison-bb) every=([ft]=1 [tft]=1 [df]=2) whole=([ft]=15 [tft]=15 [df]=180)
# nodes that share a leaf switch, or a pair of routers with a burst buffer
declare -A leaf=([ft]=18 [tft]=18 [df]=8)
make_machines() {
	local net where
	for net in $networks; do
		topogen @"${machine[$net]}" --io per:count="${per_router[$net]}",name=bb,kind=coupled,storage=@summit-node >"$net".local.yaml
		topogen @"${machine[$net]}" --io per:every="${every[$net]}",name=bb,storage=@"${buffer[$net]}" >"$net".grouped.yaml
		topogen @"${machine[$net]}" --io whole:count="${whole[$net]}",name=bb,storage=@"${buffer[$net]}" >"$net".global.yaml
		for where in local grouped global; do
			sed -i "s/stripe: {/&home: $home, /" "$net".$where.yaml
			sed 's/device: {/device: {overhead: 20us, seek: 25us, /' "$net".$where.yaml >"$net".$where.slow.yaml
		done
	done
}

# ---- traces of a divisor: all bytes are divided by it when they are made, all times when they are run ----

declare -A nodes=([gtc]=1280 [hacc]=1366 [lammps]=3600 [s3d]=1000 [ior]=128)
declare -A mib=([gtc]=669.41 [hacc]=386.39 [lammps]=19.78 [s3d]=154.49 [ior]=1024)
# how often IOR writes while the other application runs
declare -A periods=([gtc]=13 [hacc]=5 [lammps]=1 [s3d]=13)
make_traces() { # DIVISOR
	local app
	[ ! -d "by$1" ] || return 0
	mkdir "by$1.new"
	for app in gtc hacc lammps s3d; do
		jobgen io:app=$app,bytes="$(bytes $app "$1")" -o "by$1.new/$app.io"
		jobgen io:app=ior,bytes="$(bytes ior "$1")",count="${periods[$app]}" | never_again >"by$1.new/ior-$app.io"
	done
	mv "by$1.new" "by$1"
}
# Each rank opens its last file once more, when all is over: so it does not begin anew before
never_again() {
	awk -F'\t' -v OFS='\t' '
		function last() { if (rank != "") print rank, "open", 1e6, 0, file, 0 }
		!/^#/ && $1 != "rank" { if ($1 != rank) last(); rank = $1; file = $5 }
		/^##end/ { last() }
		{ print }'
}
bytes() { awk -v m="${mib[$1]}" -v d="$2" 'BEGIN { printf "%.0f\n", m * 1048576 / d }'; }

# row DIVISOR RUN APP TRACE ITERATIONS: a job
row() {
	printf '%s\t%s\t%s\t6\t%s\tiotrace:path=by%s/%s.io,idle,time=%s\n' "$2" "$3" "${nodes[$3]}" "$5" "$1" "$4" \
		"$(awk -v d="$1" 'BEGIN { print 1 / d }')"
}

# ---- cells ----

# a row of the application for each run; without values where a job found no nodes
columns='divisor net where overhead app other run job io_time_s io_phase_s io_hops io_nonminimal neighbours settings'

# neighbours LEAF: of each run how many of the other job's nodes lie on leaves that hold the upper half of the
# application's ranks; a run and a number, from placed jobs
neighbours() {
	awk -F'\t' -v leaf="$1" '
		/^##/ { next }
		!("run" in c) { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{
			run = $c["run"]; list = $c["nodelist"]; gsub(/n\[?|\]/, "", list)
			n = split(list, piece, ","); count = 0
			for (i = 1; i <= n; i++) {
				split(piece[i], ends, "-"); if (ends[2] == "") ends[2] = ends[1]
				for (k = ends[1] + 0; k <= ends[2] + 0; k++) node[++count] = k
			}
			if (!(run in beside)) {
				beside[run] = "."
				for (i = int(count / 2) + 1; i <= count; i++) upper[run, int(node[i] / leaf)] = 1
			} else {
				beside[run] = 0
				for (i = 1; i <= count; i++) beside[run] += (run, int(node[i] / leaf)) in upper
			}
		}
		END { for (run in beside) print run "\t" beside[run] }'
}

# simulate DIVISOR NETWORK PLACE OVERHEAD APP OTHER <RUNS: into cell.placed, cell.jobs and cell.phases. What the other
# job does after the application has ended concerns nobody: its iterations are 0, and it stops then
simulate() {
	local run topo=$2.$3.yaml
	[ "$4" = no ] || topo=$2.$3.slow.yaml
	{
		printf '##placetools=jobs/1\nrun\tjob\tnodes\tranks_per_node\titerations\tpattern\n'
		while read -r run; do
			row "$1" "$run" "$5" "$5" 1
			case $6 in
			-) ;;
			ior) row "$1" "$run" ior "ior-$5" 0 ;;
			*) row "$1" "$run" "$6" "$6" 0 ;;
			esac
		done
	} | allocate -t "$topo" -p fragment:mean="$mean" -o cell.placed 2>cell.log || [ "$5 $6" = 'lammps s3d' ]
	netsim --quiet -j 1 -t "$topo" --profile "$profile" -s io-window="$window" --io cell.ops -o cell.jobs cell.placed
	evalmetrics -m io-phase:gap="$(awk -v d="$1" 'BEGIN { print 5 / d }')s" --by run,job cell.ops -o cell.phases
}

# cell DIVISOR NETWORK PLACE OVERHEAD APP OTHER FIRST LAST: OVERHEAD is no or slow, OTHER is - or an application. The
# runs from FIRST to LAST that are missing: each is a placement
cell() {
	local key
	key=$(printf '%s\t' "${@:1:6}")
	[ -s results.tsv ] || tr ' ' '\t' <<<"$columns" >results.tsv
	seq "$7" "$8" | { grep -vxFf <(grep -F "$key" results.tsv | cut -f 7) || true; } >cell.runs
	[ -s cell.runs ] || return 0
	make_traces "$1"
	simulate "${@:1:6}" <cell.runs
	neighbours "${leaf[$2]}" <cell.placed >cell.neighbours
	awk -F'\t' -v OFS='\t' -v key="$key" -v app="$5" -v settings="$settings" '
		FILENAME == "cell.neighbours" { beside[$1] = $2; next }
		FNR == 1 { is_head = 1; delete c }
		/^##/ { next }
		is_head { is_head = 0; for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ run = $c["run"]; job = $c["job"] }
		FILENAME == "cell.placed" { if ($c["nodelist"] == ".") lacks[run] = 1; next }
		FILENAME == "cell.phases" { phase[run, job] = $c["value"]; next }
		job == app && run in lacks { print key run, job, ".", ".", ".", ".", ".", settings; next }
		job == app {
			print key run, job, $c["io_time_s"], ((run, job) in phase ? phase[run, job] : "."), $c["io_hops_mean"],
				$c["io_nonminimal_fraction"], beside[run], settings
		}' cell.neighbours cell.placed cell.phases cell.jobs >cell.rows
	cat cell.rows >>results.tsv
}

# cells DIVISOR FIRST LAST [APP…]: all cells of these placements, of these applications
cells() {
	local divisor=$1 first=$2 last=$3 net where app
	shift 3
	for net in $networks; do
		# shellcheck disable=SC2048
		for app in ${*:-gtc hacc lammps s3d}; do
			for where in local grouped global; do
				alone "$divisor" "$net" $where "$app" "$first" "$last"
			done
			for where in grouped global; do
				corun "$divisor" "$net" $where "$app" "$first" "$last"
			done
		done
	done
}
alone() { # DIVISOR NETWORK PLACE APP FIRST LAST
	cell "$1" "$2" "$3" no "$4" - "$5" "$6"
	[ "$3 $4" = 'local hacc' ] || cell "$1" "$2" "$3" slow "$4" - "$5" "$6"
}
corun() { # DIVISOR NETWORK PLACE APP FIRST LAST
	cell "$1" "$2" "$3" slow "$4" ior "$5" "$6"
	case $4 in
	hacc) cell "$1" "$2" "$3" no hacc ior "$5" "$6" ;;
	lammps)
		cell "$1" "$2" "$3" no lammps ior "$5" "$6"
		cell "$1" "$2" "$3" slow lammps s3d "$5" "$6"
		;;
	s3d) cell "$1" "$2" "$3" slow s3d gtc "$5" "$6" ;;
	esac
}
