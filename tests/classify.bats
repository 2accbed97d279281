bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	TABLE1=$BATS_TEST_DIRNAME/../share/profiles/nedd-table1.tsv
}

profiles() { # header lines and rows from standard input, blanks become tabs
	echo '##placetools=profile/1'
	tr ' ' '\t'
}

@test "Table I of the paper is classified exactly" {
	run -0 --separate-stderr classify "$TABLE1"
	[ "$(echo "$output" | rows | awk -F'\t' 'NR > 1 {print $1, $9, $10}')" = "\
miniMD network-sensitive 1
LAMMPS network-sensitive 1
MILC network-sensitive 1
HACC network-sensitive 1
QMCPACK network-insensitive 0
HPCG network-insensitive 0" ]
	[ -z "$stderr" ]
}

@test "every threshold from 0.193 on and below 0.482 classifies Table I alike, no other does" {
	want=$(classify "$TABLE1" | rows)
	for f in 0.193 0.2 0.4819999; do
		[ "$(classify --threshold $f "$TABLE1" | rows)" = "$want" ]
	done
	for f in 0.1929999 0.482; do
		[ "$(classify --threshold $f "$TABLE1" | rows)" != "$want" ]
	done
}

@test "the threshold is strict, and recorded" {
	printf 'app ranks mpi_fraction\na 4 0.5\nb 4 0.5000001\n' | profiles > p.tsv
	run -0 classify --threshold 0.5 p.tsv
	[ "${lines[1]}" = "##threshold=0.5" ]
	[ "$(echo "$output" | rows | cut -f4)" = "$(printf 'class\nnetwork-insensitive\nnetwork-sensitive')" ]
	classify p.tsv | grep -qx '##threshold=0.33'
}

@test "the recorded threshold replaces an older one" {
	printf '##threshold=0.9\napp ranks mpi_fraction\na 4 0.5\n' | profiles > p.tsv
	[ "$(classify p.tsv | grep '^##threshold')" = "##threshold=0.33" ]
}

@test "a smooth sensitivity is linear between its bounds" {
	printf 'app ranks mpi_fraction\nlow 4 0.193\nmid 4 0.3375\nhigh 4 0.482\nzero 4 0\none 4 1\n' |
		profiles > p.tsv
	run -0 classify --smooth p.tsv
	[ "$(echo "$output" | rows | cut -f5)" = "$(printf 'sensitivity\n0\n0.5\n1\n0\n1')" ]
	grep -qx '##smooth=0.193:0.482' <<<"$output"
	run -0 classify --smooth --low 0.1 --high 0.6 p.tsv
	[ "$(echo "$output" | rows | awk -F'\t' '$1 == "mid" {printf "%.6f", $5}')" = 0.475000 ]
	run -2 --separate-stderr classify --smooth --low 0.5 --high 0.5 p.tsv
	[[ $stderr == *"--low 0.5 is not less than --high 0.5"* ]]
}

@test "columns that classify does not know stay in place, its own are replaced in place" {
	printf 'app class ranks mpi_fraction site\na old 4 0.9 here\n' | profiles > p.tsv
	[ "$(classify p.tsv | rows)" = "$(printf 'app\tclass\tranks\tmpi_fraction\tsite\tsensitivity\na\tnetwork-sensitive\t4\t0.9\there\t1')" ]
}

@test "jobs: by application, else by binary, and only within the range of nodes" {
	printf '%s\n' 'app ranks nodes_min nodes_max binary mpi_fraction' \
		'miniMD 64 1 32 miniMD_intel,miniMD_ref 0.689' \
		'miniMD 64 33 64 miniMD_intel,miniMD_ref 0.2' \
		'HPCG 64 . . xhpcg 0.115' \
		'LAMMPS 64 8 . lmp 0.515' | profiles > db.tsv
	printf '%s\n' 'job nodes app binary' \
		'1 32 miniMD .' '2 33 miniMD .' '3 64 . miniMD_ref' '4 65 miniMD .' \
		'5 1000 HPCG miniMD_ref' '6 8 md lmp' '7 7 md lmp' '8 4 other a.out' '9 4 . .' |
		table jobs > j.tsv
	run -0 --separate-stderr classify -v -d db.tsv j.tsv
	[ "$(echo "$output" | rows | cut -f1,5,6 | tail -n +2)" = "$(printf '%s\t%s\t%s\n' \
		1 network-sensitive 1 \
		2 network-insensitive 0 \
		3 network-insensitive 0 \
		4 unprofiled . \
		5 network-insensitive 0 \
		6 network-sensitive 1 \
		7 unprofiled . \
		8 unprofiled . \
		9 unprofiled .)" ]
	[[ $stderr == *"network-sensitive=2 network-insensitive=3 unprofiled=4"* ]]
}

@test "jobs without a database are refused with a hint, and so is a database of jobs" {
	printf 'job nodes\n1 2\n' | table jobs > j.tsv
	run -2 --separate-stderr classify j.tsv
	[[ $stderr == *"-d FILE is missing"* ]]
	run -2 --separate-stderr classify -d j.tsv j.tsv
	[[ $stderr == "classify: -d: j.tsv:1: "* ]]
	run -2 --separate-stderr classify -d "$TABLE1" "$TABLE1"
	[[ $stderr == *"expected a stream of jobs"* ]]
}

@test "a database in which a job could have two profiles is refused, with both lines" {
	printf '%s\n' 'app ranks nodes_min nodes_max mpi_fraction' 'a 4 1 8 0.5' 'a 4 8 9 0.1' |
		profiles > db.tsv
	printf 'job nodes app\n1 2 a\n' | table jobs > j.tsv
	run -2 --separate-stderr classify -d db.tsv j.tsv
	[ "$stderr" = "classify: -d: db.tsv:4: the application 'a' has a profile for these node counts already, in line 3" ]
	printf '%s\n' 'app ranks binary mpi_fraction' 'a 4 x,y 0.5' 'b 4 y 0.1' | profiles > db.tsv
	run -2 --separate-stderr classify -d db.tsv j.tsv
	[[ $stderr == *"db.tsv:4: the binary 'y' has a profile"* ]]
}

@test "calibrate prints the interval that separates" {
	{
		head -n 3 "$TABLE1"
		printf 'app\tranks\tmpi_fraction\tslowdown\n'
		printf '%s\t4\t%s\t%s\n' miniMD .689 5 LAMMPS .515 1.4 MILC .482 1.3 HACC .497 1.2 \
			QMCPACK .193 1.01 HPCG .115 1
		echo '##end'
	} > p.tsv
	run -0 --separate-stderr classify --calibrate p.tsv
	[ "${lines[0]}" = "##placetools=metrics/1 end=yes" ]
	[ "$(echo "$output" | rows | cut -f3,4 | tail -n +2)" = "$(printf '%s\t%s\n' separates 1 \
		low 0.193 high 0.482 middle 0.3375 sensitive 4 wrong 0)" ]
	[[ $output == *"that of QMCPACK"*"that of MILC"* ]]
	[ "${lines[-1]}" = "##end" ]
}

@test "calibrate: the threshold may be 1 where that is the end" {
	printf '%s\n' 'app ranks mpi_fraction slowdown' 'a 4 0.1 1' 'b 4 1 1' | profiles > p.tsv
	classify --calibrate p.tsv > out
	[ "$(rows < out | awk -F'\t' '$3 == "low" || $3 == "high" { print $3, $4 }')" = $'low 1\nhigh 1' ]
	grep -q $'\thigh\t1\t.*no profile is above; the threshold may be this, too$' out
	[ "$(classify --threshold 1 p.tsv | rows | grep -c network-insensitive)" = 2 ]
}

@test "calibrate says that nothing separates, with status 1" {
	printf '%s\n' 'app ranks mpi_fraction slowdown' 'a 4 0.1 1' 'b 4 0.2 2' 'c 4 0.3 1' \
		'd 4 0.4 2' 'e 4 0.5 2' 'f 4 0.6 .' | profiles > p.tsv
	run -1 --separate-stderr classify --calibrate p.tsv
	[ "$(echo "$output" | rows | cut -f3,4 | tail -n +2)" = "$(printf '%s\t%s\n' separates 0 \
		low 0.1 high 0.2 middle 0.15 sensitive 3 wrong 1 | sed 's/0.15$/0.15000000000000002/')" ]
	[[ $stderr == *"1 profiles have no slowdown"* ]]
	printf 'app ranks mpi_fraction\na 4 0.1\n' | profiles > p.tsv
	run -2 --separate-stderr classify --calibrate p.tsv
	[[ $stderr == *"no profile has a slowdown"* ]]
}

@test "calibrate: the tolerance decides who counts as slowed down" {
	printf '%s\n' 'app ranks mpi_fraction slowdown' 'a 4 0.1 1.1' 'b 4 0.2 1.3' | profiles > p.tsv
	classify --calibrate p.tsv | rows | grep -q "sensitive	2"
	classify --calibrate --tolerance 1.2 p.tsv | rows | grep -q "sensitive	1"
}

@test "learn makes a database, adds first runs and never overwrites" {
	printf '%s\n' 'app ranks nodes mpi_fraction site' 'a 4 2 0.5 x' 'b 4 2 0.1 x' | profiles |
		classify --learn db.tsv > out.tsv
	grep -q 'network-sensitive' out.tsv
	[ "$(rows < db.tsv)" = "$(printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' \
		app ranks nodes mpi_fraction site nodes_min nodes_max \
		a 4 2 0.5 x 2 2 b 4 2 0.1 x 2 2)" ]
	# the same application at the same size stays; at another size it comes in
	printf '%s\n' 'app ranks nodes mpi_fraction' 'a 4 2 0.9' 'a 8 4 0.7' | profiles > more.tsv
	run -0 --separate-stderr classify -v --learn db.tsv more.tsv
	[[ $stderr == *"learned=1"* ]]
	[ "$(rows < db.tsv | cut -f1,4,6)" = "$(printf '%s\t%s\t%s\n' app mpi_fraction nodes_min \
		a 0.5 2 b 0.1 2 a 0.7 4)" ]
	sum=$(md5sum < db.tsv)
	classify --learn db.tsv more.tsv > /dev/null
	[ "$sum" = "$(md5sum < db.tsv)" ]
	# and it serves
	printf 'job nodes app\n1 2 a\n2 4 a\n3 3 a\n' | table jobs | classify -d db.tsv | rows |
		cut -f4 | tail -n +2 | tr '\n' ' ' > got
	[ "$(cat got)" = "network-sensitive network-sensitive unprofiled " ]
}

@test "learn: many at once lose nothing" {
	for i in $(seq 40); do
		printf 'app ranks nodes mpi_fraction\napp%d 4 2 0.5\nshared 4 2 0.%d\n' "$i" "$i" |
			profiles > "p$i.tsv"
	done
	pids=()
	for i in $(seq 40); do
		classify --learn db.tsv "p$i.tsv" > /dev/null &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid"; done
	[ "$(rows < db.tsv | wc -l)" -eq 42 ] # a line of names, 40 and the first of "shared"
	[ "$(rows < db.tsv | cut -f1 | sort -u | wc -l)" -eq 42 ]
	[ "$(tail -n 1 db.tsv)" = "##end" ]
	# no unfinished file is left
	[ "$(find . -name 'db.tsv*' | sort | tr '\n' ' ')" = "./db.tsv ./db.tsv.lock " ]
}

@test "learn: input that was truncated teaches nothing" {
	printf '##placetools=profile/1 end=yes\napp\tranks\tnodes\tmpi_fraction\na\t4\t2\t0.5\n' > p.tsv
	run -2 --separate-stderr classify --learn db.tsv p.tsv
	[[ $stderr == *"input was truncated"* ]]
	[ ! -e db.tsv ]
}

@test "learn: a database that can't be read, or was truncated, stays as it is" {
	printf 'app ranks nodes mpi_fraction\na 4 2 0.5\n' | profiles > p.tsv
	printf '##placetools=profile/1 end=yes\napp\tranks\tmpi_fraction\nb\t4\t0.5\n' > db.tsv
	cp db.tsv old.tsv
	run -2 --separate-stderr classify --learn db.tsv p.tsv
	[[ $stderr == *"--learn: "*truncated* ]]
	cmp db.tsv old.tsv
	echo junk > db.tsv
	run -2 --separate-stderr classify --learn db.tsv p.tsv
	[[ $stderr == "classify: --learn: db.tsv:1: "* ]]
	[ "$(cat db.tsv)" = junk ]
}

@test "real profile reports are learned and classify jobs, in one pipe" {
	need_shared
	traceconv --from mpip:app=lammps --to profile \
		"$SHARED"/data/mpiprof/mpip-3.5.0-lammps-lj-2ranks-local.mpiP | classify --learn db.tsv > /dev/null
	printf 'job nodes binary\n1 1 lmp\n2 2 lmp\n' | table jobs | classify -d db.tsv | rows > got
	[ "$(cut -f4 got | tail -n +2 | tr '\n' ' ')" = "network-sensitive unprofiled " ]
}

@test "options that would have no effect are refused" {
	printf '##placetools=profile/1\napp\tranks\tmpi_fraction\nA\t4\t.5\n' > p.tsv
	run -2 --separate-stderr classify --low .2 p.tsv
	[[ $stderr == *"--smooth"* ]]
	run -2 --separate-stderr classify --tolerance 1.1 p.tsv
	[[ $stderr == *"--calibrate"* ]]
}

@test "a profile for a range of nodes that is none is refused" {
	printf '##placetools=profile/1\napp\tranks\tmpi_fraction\tnodes_min\tnodes_max\nA\t4\t.5\t9\t3\n' > p.tsv
	run -2 --separate-stderr classify p.tsv
	[ "$stderr" = "classify: p.tsv:3: nodes_min is greater than nodes_max" ]
}

@test "learn: an empty file is a database without profiles" {
	printf '##placetools=profile/1\napp\tranks\tmpi_fraction\nA\t4\t.5\n' > p.tsv
	: > db.tsv
	run -0 --separate-stderr classify -v --learn db.tsv p.tsv
	[[ $stderr == *"learned=1"* ]]
}

@test "learn: what comes in is what -d takes; a binary of another application stays out, said once" {
	printf 'app ranks nodes mpi_fraction binary\na 4 2 0.5 x,x,y\n' | profiles | classify --learn db.tsv > /dev/null
	printf 'app ranks nodes mpi_fraction binary\nb 4 2 0.1 z,y\nb 4 4 0.1 z,y\n' | profiles > p.tsv
	run -0 --separate-stderr classify -v --learn db.tsv p.tsv
	[[ $stderr == *"classify: b is not learned: its binary 'y' is a's, for the same node counts"* ]]
	[[ $stderr == *"learned=1"* ]]
	printf 'job nodes binary\n1 2 y\n2 4 y\n' | table jobs | classify -d db.tsv | rows | cut -f4 | tail -n +2 > got
	[ "$(paste -sd' ' got)" = "network-sensitive network-insensitive" ]
}

@test "learn: a database that -d refuses is refused, and stays as it is" {
	printf 'app ranks mpi_fraction binary\na 4 0.5 x\nb 4 0.1 x\n' | profiles > db.tsv
	cp db.tsv old.tsv
	printf 'app ranks nodes mpi_fraction\nc 4 2 0.5\n' | profiles > p.tsv
	run -2 --separate-stderr classify --learn db.tsv p.tsv
	[[ $stderr == *"db.tsv:4: the binary 'x' has a profile for these node counts already, in line 3" ]]
	cmp db.tsv old.tsv
	printf 'job nodes binary\n1 2 y\n' | table jobs > j.tsv
	run -2 --separate-stderr classify -d db.tsv j.tsv
	[[ $stderr == *"db.tsv:4: the binary 'x' has a profile for these node counts already, in line 3" ]]
}

@test "learn: many at once, by two names of the database, lose nothing" {
	mkdir there
	ln -s there/db.tsv link # leads nowhere yet
	for i in $(seq 20); do
		printf 'app ranks nodes mpi_fraction\napp%d 4 2 0.5\n' "$i" | profiles > "p$i.tsv"
	done
	pids=()
	for i in $(seq 20); do
		classify --learn "$([[ $((i % 2)) == 0 ]] && echo link || echo there/db.tsv)" "p$i.tsv" > /dev/null &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid"; done
	[ "$(rows < there/db.tsv | wc -l)" -eq 21 ]
	[ -L link ]
	[ "$(find . -name '*.lock')" = ./there/db.tsv.lock ]
}

@test "learn: the database keeps its mode, owner and group" {
	printf 'app ranks nodes mpi_fraction\na 4 2 0.5\n' | profiles > p.tsv
	: > db.tsv
	chmod 660 db.tsv
	[[ $EUID != 0 ]] || chown daemon:daemon db.tsv
	before=$(stat -c '%a %U %G' db.tsv)
	classify --learn db.tsv p.tsv > /dev/null
	[ "$(stat -c '%a %U %G' db.tsv)" = "$before" ]
	[ "$(rows < db.tsv | wc -l)" -eq 2 ]
}

@test "at the threshold, and at the tolerance, exactly" {
	printf '%s\n' 'app ranks nodes mpi_fraction' 'a 4 2 0.3375' 'b 4 2 0.3375000001' | profiles >p.tsv
	[ "$(classify --threshold 0.3375 p.tsv | rows | awk -F'\t' 'NR > 1 { print $5 }' | paste -sd' ')" = 'network-insensitive network-sensitive' ]
	# a slowdown of just the tolerance is none; one of more is
	printf '%s\n' 'app ranks mpi_fraction slowdown' 'a 4 0.1 1.05' 'b 4 0.2 1.0500001' | profiles >p.tsv
	[ "$(classify --calibrate p.tsv | rows | cut -f3,4 | tail -n +2 | paste -sd' ' | tr '\t' '=')" = 'separates=1 low=0.1 high=0.2 middle=0.15000000000000002 sensitive=1 wrong=0' ]
	# two profiles of one fraction, on both sides of the tolerance, are never apart
	printf '%s\n' 'app ranks mpi_fraction slowdown' 'a 4 0.2 1' 'b 4 0.2 2' 'c 4 0.4 2' | profiles >p.tsv
	run -1 classify --calibrate p.tsv
	[[ $output == *"separates	0"*"wrong	1"* ]]
}

# slow: profiles of which the odd ones of a kind are slowed down by what the time in MPI does not show
slow() {
	profiles <<-'END'
		app ranks nodes mpi_fraction wait_fraction slowdown
		a 4 8 0.6 0.5 2
		b 4 8 0.5 0.4 1.5
		c 4 8 0.2 0.2 1.3
		d 4 8 0.6 0.1 1.01
		e 4 8 0.4 0 1
		f 4 8 0.1 0 1
	END
}

@test "--train and --model: columns decide that the threshold does not look at; --test counts both" {
	slow > slow.tsv
	classify --train --columns mpi_fraction,wait_fraction --ridge 0.1 slow.tsv -o m.tsv
	[ "$(rows < m.tsv | cut -f1 | tr '\n' ' ')" = "column (intercept) mpi_fraction wait_fraction " ]
	# mean and deviation of wait_fraction, by hand: 1.2/6, sqrt((.09+.04+0+.01+.04+.04)/6)
	[ "$(rows < m.tsv | tail -1 | cut -f3-)" = "$(printf '0.2\t0.191485422')" ]
	[ "$(classify --model m.tsv slow.tsv | rows | awk -F'\t' 'NR > 1 { print $1, $7 }' | sed 's/network-//' | tr '\n' ' ')" = \
		"a sensitive b sensitive c sensitive d insensitive e insensitive f insensitive " ]
	run -0 classify --test --model m.tsv slow.tsv
	grep -qP '^threshold\taccuracy\t0.5\t' <<< "$output"
	grep -qP '^threshold\tsensitive-wrong\t1\t' <<< "$output"
	grep -qP '^threshold\tinsensitive-wrong\t2\t' <<< "$output"
	grep -qP '^model\taccuracy\t1\t' <<< "$output"
	# another tolerance, other kinds
	run -0 classify --test --tolerance 1.6 slow.tsv
	grep -qP '^threshold\tsensitive-right\t1\t' <<< "$output"
	# the probability is the formula of the manual; a missing value is the mean
	printf 'app ranks mpi_fraction wait_fraction\nx 4 0.45 0.3\ny 4 0.45 .\n' | profiles > p.tsv
	classify --model m.tsv p.tsv > got.tsv
	awk -F'\t' 'FILENAME == "m.tsv" && !/^##/ { w[$1] = $2; m[$1] = $3; s[$1] = $4 }
		FILENAME == "got.tsv" && /^[xy]\t/ {
			z = w["(intercept)"] + w["mpi_fraction"] * ($3 - m["mpi_fraction"]) / s["mpi_fraction"]
			if ($4 != ".") z += w["wait_fraction"] * ($4 - m["wait_fraction"]) / s["wait_fraction"]
			d = $6 - 1 / (1 + exp(-z)); n++
			if (d > 1e-7 || d < -1e-7) bad = 1
		}
		END { exit bad || n != 2 }' m.tsv got.tsv
	grep -qx '##model=m.tsv' got.tsv
}

@test "a model does not depend on the order of the profiles, and jobs are classified by it" {
	slow > slow.tsv
	(slow | head -2; slow | tail -n +3 | tac) > other.tsv
	classify --train --no-provenance slow.tsv > m.tsv
	classify --train --no-provenance other.tsv | diff m.tsv -
	printf 'job nodes app\n1 8 c\n2 8 d\n3 8 z\n' | table jobs > j.tsv
	[ "$(classify -d slow.tsv j.tsv | rows | cut -f4 | tr '\n' ' ')" = "class network-insensitive network-sensitive unprofiled " ]
	[ "$(classify --model m.tsv -d slow.tsv j.tsv | rows | cut -f4 | tr '\n' ' ')" = "class network-sensitive network-insensitive unprofiled " ]
}

@test "--train refuses what has no answer, --model what is none" {
	slow > slow.tsv
	slow | sed 's/1\.01$/2/; s/\t1$/\t2/' > all.tsv
	run -2 --separate-stderr classify --train all.tsv
	[[ $stderr == *"6 of 6 profiles with a slowdown are sensitive; expected some of both kinds" ]]
	slow | awk -F'\t' '!/^(c|d)\t/' > apart.tsv
	run -2 --separate-stderr classify --train --columns wait_fraction --ridge 0 apart.tsv
	[[ $stderr == *"a plane separates the classes"*"expected a larger ridge" ]]
	run -2 --separate-stderr classify --train --columns ranks slow.tsv
	[[ $stderr == *"the column 'ranks' is the same in all rows"* ]]
	run -2 --separate-stderr classify --train --columns nothing slow.tsv
	[[ $stderr == *"'nothing' is not a column to learn from"* ]]
	run -2 --separate-stderr classify --train --test slow.tsv
	[[ $stderr == *"expected one of -d, --learn, --calibrate, --train and --test" ]]
	printf '##placetools=classifier/1\ncolumn\tweight\tmean\tsd\n' > head
	(cat head; printf 'mpi_fraction\t1\t0\t1\n') > m.tsv
	run -2 --separate-stderr classify --model m.tsv slow.tsv
	[ "$stderr" = "classify: --model: m.tsv:3: expected the column '(intercept)' first and once" ]
	(cat head; printf '(intercept)\t1\t.\t.\nmpi_fraction\t1\t0\t0\n') > m.tsv
	run -2 --separate-stderr classify --model m.tsv slow.tsv
	[[ $stderr == *"m.tsv:4: sd is 0"* ]]
	(cat head; printf '(intercept)\t1\t.\t.\nother_fraction\t1\t0\t1\n') > m.tsv
	run -2 --separate-stderr classify --model m.tsv slow.tsv
	[[ $stderr == *"no column 'other_fraction', which the model needs" ]]
	[[ $output != *"##end"* ]]
}

@test "--range: ends that are whole in decimals belong to it" {
	printf 'app ranks nodes mpi_fraction\nx 4 100 0.5\ny 4 23 0.5\n' | profiles | classify --learn db --range 1.15 > /dev/null
	[ "$(mlr --itsv --onidx --pass-comments cut -o -f app,nodes_min,nodes_max db | rows)" = $'x 87 115\ny 20 26' ]
}

@test "--range: a learned profile holds for a range of node counts, up to the next one's" {
	one() { printf 'app ranks nodes mpi_fraction\na 4 %s 0.5\n' "$1" | profiles; }
	ranges() { rows < db | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { print $c["nodes_min"] "-" $c["nodes_max"] }' | tr '\n' ' '; }
	one 32 | classify --learn db --range 2 > /dev/null
	[ "$(ranges)" = "16-64 " ]
	# 64 has a profile; 100 gets what is above 64, 9 what is below 16
	for n in 64 100 9; do one $n | classify --learn db --range 2 > /dev/null; done
	[ "$(ranges)" = "16-64 65-200 5-15 " ]
	# a range that is given is kept; the default is the own number
	printf 'app ranks nodes nodes_min nodes_max mpi_fraction\na 4 300 300 300 0.5\n' | profiles | classify --learn db --range 2 > /dev/null
	one 1000 | classify --learn db > /dev/null
	[ "$(ranges)" = "16-64 65-200 5-15 300-300 1000-1000 " ]
	printf 'job nodes app\n1 5 a\n2 4 a\n3 200 a\n4 201 a\n' | table jobs | classify -d db | rows | cut -f4 | tail -n +2 > got
	[ "$(sed 's/network-//' got | tr '\n' ' ')" = "sensitive unprofiled sensitive unprofiled " ]
}
