# cosched.bats - jobs that share a node's devices: traced by hand, beside an oracle, and with bad input
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$ROOT"/tests/cosched/gf* .
}

# trace POLICY [OPTION…]: "JOB START END" of each job, in one line
trace() {
	cosched -d gf.yaml -k gf-kernels.tsv -p "$@" jobs.tsv | awk -F'\t' '
		/^##/ { next }
		!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%s%s %s %s", (nrows++ ? ", " : ""), $at["job"], $at["start_s"], $at["end_s"] }'
}

# states JOB DEVICE: the rows of a timeline, as "STATE START END, …"
states() {
	grep -v '^##' t.tsv | awk -F'\t' -v job="$1" -v device="$2" '
		$3 == job && $5 == device { printf "%s%s %s %s", (n++ ? ", " : ""), $8, $6, $7 }'
}

# jobs A_SIZE: A from 0 on (init 10), B from 20 on (init 5)
jobs() {
	printf '%s\n' 'job nodes submit_s app size init_s' "A 1 0 a $1 10" 'B 1 20 b 10 5' | table jobs >jobs.tsv
}

# G and F open in 2 s. A: slices of 5 s on G, 10 s on F; B: 10 slices of 3 s on G, 4 s on F.
@test "by hand: baseline waits for G" {
	jobs 20
	[ "$(trace baseline)" = "A 0 112, B 112 149" ]
}

@test "by hand: greedy-up starts B on F" {
	jobs 20
	[ "$(trace greedy-up)" = "A 0 112, B 20 67" ]
	[ "$(trace elastic:max=1)" = "A 0 112, B 20 67" ]
}

@test "by hand: elastic shares A's work, and holds G while F does the last slice" {
	jobs 20
	[ "$(trace elastic --timeline t.tsv)" = "A 0 82, B 82 107" ]
	[ "$(states A G)" = "init 0 10, open 10 12, run 12 77, held 77 82" ]
	[ "$(states A F)" = "init 0 10, open 10 12, run 12 82" ]
	[ "$(states B G)" = "init 82 87, open 87 89, run 89 107" ]
	[ "$(states B F)" = "init 82 87, open 87 89, run 89 105, held 105 107" ]
}

@test "by hand: B migrates to G when A has ended, and pays for it" {
	jobs 4
	[ "$(trace baseline)" = "A 0 32, B 32 69" ]
	[ "$(trace greedy-up --timeline t.tsv)" = "A 0 32, B 20 61" ]
	[ "$(states B F)" = "init 20 25, open 25 27, run 27 35" ]
	[ "$(states B G)" = "reserved 32 35, open 35 37, run 37 61" ]
}

# B arrives at 20: A gives up F, as T(G) is 100 and T(F) 200. A looks at 22, when G has ended 2 slices and F 1; both are
# released. A opens G by 24. B on F: init to 27, open to 29, 10 slices of 4 s to 69. By then A, on G, has ended 9 slices:
# 8 are left. T(G+F) is 70 of 100, so at 69 A takes both, opened by 71: G 5 slices to 96, F 3 to 101.
@test "by hand: contraction gives F to B, and A expands again" {
	jobs 20
	[ "$(trace elastic:contract=arrival --timeline t.tsv)" = "A 0 101, B 22 69" ]
	[ "$(states A F)" = "init 0 10, open 10 12, run 12 22, open 69 71, run 71 101" ]
	[ "$(states A G)" = "init 0 10, open 10 12, run 12 22, open 22 24, run 24 69, open 69 71, run 71 96, held 96 101" ]
	[ "$(states B F)" = "init 22 27, open 27 29, run 29 69" ]
}

# The same: G goes on at 22, and has ended 10 of its slices at 72, when A sees that F is its own again: 7 are left. F is
# open by 74: G 5 slices to 97, F 2 to 94.
@test "by hand: with --release changed a device that a job keeps goes on" {
	jobs 20
	[ "$(trace elastic:contract=arrival --release changed --timeline t.tsv)" = "A 0 97, B 22 69" ]
	[ "$(states A G)" = "init 0 10, open 10 12, run 12 22, run 22 72, run 72 97" ]
	[ "$(states A F)" = "init 0 10, open 10 12, run 12 22, reserved 69 72, open 72 74, run 74 94, held 94 97" ]
}

# C arrives at 25 and waits. At 32 G is free: B moves there and C gets F at 35; or, queue first, C gets G, and B stays.
@test "by hand: jobs that have devices choose before the queue, or after it" {
	jobs 4
	printf 'C\t1\t25\tb\t10\t5\n' >>jobs.tsv
	[ "$(trace greedy-up)" = "A 0 32, B 20 61, C 35 79" ]
	[ "$(trace greedy-up:first=queue)" = "A 0 32, B 20 67, C 32 69" ]
}

# J takes G, F and H, all open by 2; slices of 3, 5 and 7 s. K comes at 4 and gets H, which J misses least. J looks at 5,
# when G and F both end; H drains until 9, and G and F are held meanwhile. Reserved for K is H only from then: it takes it.
@test "by hand: a job drains, and the device that it gives up is taken when it has" {
	printf '%s\n' 'placetools: devices/1' 'devices:' '  - {name: G, open: 2s}' '  - {name: F, open: 2s}' \
		'  - {name: H, open: 2s}' >gf.yaml
	printf '%s\n' 'app size device time_s slices' 'j x G 60 20' 'j x F 100 20' 'j x H 140 20' 'k x H 10 5' |
		table kernels >gf-kernels.tsv
	printf '%s\n' 'job nodes submit_s app size' 'J 1 0 j x' 'K 1 4 k x' | table jobs >jobs.tsv
	trace elastic:contract=arrival --timeline t.tsv >/dev/null
	[[ $(states J G) == "open 0 2, run 2 5, held 5 9, open 9 11, "* ]] || { states J G; false; }
	[[ $(states J H) == "open 0 2, run 2 5, drain 5 9"* ]]
	[[ $(states J F) == "open 0 2, run 2 5, drain 5 7, held 7 9, open 9 11, "* ]]
	[[ $(states K H) == "open 9 11, run 11 21" ]]
}

# A holds G until 22, D holds F. B could run on G, which is half as fast for it as F; C came later, and G is its best device.
@test "by hand: best-fit lets C, which G suits better, pass B, until B has aged" {
	printf '%s\n' 'app size device time_s slices' 'a x G 20 10' 'b x G 40 10' 'b x F 20 10' 'c x G 20 10' \
		'c x F 80 10' 'd x F 100 10' | table kernels >gf-kernels.tsv
	printf '%s\n' 'job nodes submit_s app size' 'A 1 0 a x' 'D 1 0 d x' 'B 1 1 b x' 'C 1 2 c x' | table jobs >jobs.tsv
	[ "$(trace greedy-up)" = "A 0 22, D 0 102, B 22 64, C 64 86" ]
	[ "$(trace best-fit)" = "A 0 22, D 0 102, B 44 86, C 22 44" ]
	[ "$(trace best-fit:age=21)" = "A 0 22, D 0 102, B 22 64, C 64 86" ]
	[ "$(trace best-fit:age=21.001)" = "A 0 22, D 0 102, B 44 86, C 22 44" ]
}

# At 32 G is free and B has one of 6 slices left that F has not started. Its slice on F ends at 35. Moving: open G to 37,
# one slice to 40. Staying: 39.
@test "by hand: aware stays where moving costs more than it saves, greedy-up does not" {
	jobs 4
	printf 'b\t6\tG\t18\t6\nb\t6\tF\t24\t6\n' >>gf-kernels.tsv
	sed -i 's/^B.*/B\t1\t8\tb\t6\t5/' jobs.tsv
	[ "$(trace greedy-up)" = "A 0 32, B 8 40" ]
	[ "$(trace aware:max=1)" = "A 0 32, B 8 39" ]
}

# C initialises on F until 60. G is free at 22; greedy-up reserves it for C, which can't use it yet, and B waits until C has
# been and gone. aware gives G to B.
@test "by hand: aware reserves nothing for a job that initialises while another could run" {
	printf '%s\n' 'app size device time_s slices' 'a x G 20 10' 'b x G 20 10' 'c x G 20 10' 'c x F 40 10' |
		table kernels >gf-kernels.tsv
	printf '%s\n' 'job nodes submit_s app size init_s' 'A 1 0 a x 0' 'C 1 0 c x 60' 'B 1 1 b x 0' | table jobs >jobs.tsv
	[ "$(trace greedy-up)" = "A 0 22, C 0 86, B 86 108" ]
	[[ "$(trace aware:max=1)" == "A 0 22, C 0 "*", B 22 44" ]]
}

# G takes 1 s a slice, C 80 s. Nothing is known at first: A shares its work, and C's one slice keeps it until 82. B knows.
@test "by hand: online learns from A's slices that B is better off without the CPU" {
	printf '%s\n' 'app size device time_s slices' 'a x G 20 20' 'a x F 1600 20' | table kernels >gf-kernels.tsv
	printf '%s\n' 'job nodes submit_s app size' 'A 1 0 a x' 'B 1 1 a x' | table jobs >jobs.tsv
	[ "$(trace online)" = "A 0 82, B 82 104" ]
	[ "$(trace elastic)" = "A 0 22, B 22 44" ]
}

# A gives up G at 5, while F does its first slice, until 102. At 9 B has ended, and nobody knows yet how slow F is: A takes
# G beside F, sees it at 102, and F's next slice ends at 202. Knowing it A would take G alone, and end at 120.
@test "by hand: online learns nothing from a slice that has not ended" {
	printf '%s\n' 'app size device time_s slices' 'a x G 20 20' 'a x F 2000 20' 'b x G 2 2' | table kernels >gf-kernels.tsv
	printf '%s\n' 'job nodes submit_s app size' 'A 1 0 a x' 'B 1 4.5 b x' | table jobs >jobs.tsv
	[ "$(trace online:contract=arrival --release changed)" = "A 0 202, B 5 9" ]
}

@test "among nine free devices the best one is tried, though another has shorter slices" {
	(echo 'placetools: devices/1'; echo 'devices:'; printf '  - {name: d%d}\n' {0..8}) >nine.yaml
	(echo 'app size device time_s slices copy_out_s'; echo 'a x d0 1 1 10'; echo 'a x d1 2 1 0'
		printf 'a x d%d 50 1 0\n' {2..8}) | table kernels >k.tsv
	printf '%s\n' 'job nodes submit_s app size' 'A 1 0 a x' | table jobs >jobs.tsv
	[ "$(cosched -d nine.yaml -k k.tsv -p elastic-dl:start-limit=1.5,max=1 jobs.tsv |
		awk -F'\t' '$1 == "job" { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "A" { print $at["end_s"], $at["devices"] }')" = "2 d1" ]
}

need_bound() {
	jobs 20
	run cosched -d gf.yaml -k gf-kernels.tsv --bound b.tsv jobs.tsv
	[[ $output != *"built without lp_solve"* ]] || skip "built without lp_solve"
}

# A alone, with opening: 102 s on G, 202 s on F, after 10 s of initialisation: 10 + 1 / (1/102 + 1/202). B, as well: on G
# and F it takes 32 and 42 s; both at will until C, B from 25 on.
@test "--bound: by hand, and no policy beats it" {
	need_bound
	jobs 20
	sed -i '/^B/d' jobs.tsv
	cosched -d gf.yaml -k gf-kernels.tsv --bound b.tsv jobs.tsv >one.tsv
	[ "$(awk -F'\t' '$4 == "makespan_s" { printf "%.4f", $5 }' b.tsv)" = 77.7763 ]
	[ "$(evalmetrics -m schedule --baseline b.tsv one.tsv | awk -F'\t' '$4 == "makespan_s" { printf "%.4f", $8 }')" = 1.0543 ]
	for w in 1 2 3 4; do
		jobgen "cosched:w=$w,runs=12" >w.tsv
		"$ROOT/examples/cosched/kernels.sh" slices=64 >k.tsv
		for policy in baseline greedy-up elastic elastic-dl best-fit aware online elastic:contract=arrival,gain=0; do
			cosched --quiet -d @diss-node -k k.tsv -p "$policy" --bound b.tsv w.tsv >out.tsv
			evalmetrics -m schedule --baseline b.tsv out.tsv |
				awk -F'\t' '$5 == "makespan_s" { n++; if ($9 < 1 || $9 > 4) exit 1 } END { exit n != 12 }'
		done
	done
}

# Of each workload all jobs, slices and states of devices; further seeds: campaign.py 53 1000 40 FOLDER.
@test "cosched is what its manual says, slice by slice: random workloads beside an oracle" {
	python3 -c '(1).bit_count()' || skip "no python3 of version 3.10"
	"$ROOT/tests/cosched/campaign.py" 41 52 8 .
}

@test "the same jobs twice in one stream: runs don't touch each other" {
	jobs 20
	(sed 's/^job/run\tjob/; s/^\([AB]\)/x\t\1/' jobs.tsv; sed -n 's/^\([AB]\)/y\t\1/p' jobs.tsv) >two.tsv
	cosched -d gf.yaml -k gf-kernels.tsv -p elastic two.tsv | grep -v '^#' >out
	[ "$(grep ^x out | cut -f 2-)" = "$(grep ^y out | cut -f 2-)" ]
	cosched -d gf.yaml -k gf-kernels.tsv -p elastic jobs.tsv | grep -v '^#' >one
	[ "$(grep ^x out | cut -f 2-)" = "$(tail -n 2 one)" ]
}

@test "the same bytes for any number of threads, also of what breaks off" {
	local j
	"$ROOT/examples/cosched/kernels.sh" >k.tsv
	# 450 runs are several batches of two threads
	jobgen cosched:w=1,runs=450 >jobs.tsv
	# on nodes that come in another order in each run
	awk -F'\t' -v OFS='\t' '/^##/ { print; next } !head++ { print $0, "nodelist"; next }
		{ print $0, "n" ++n % 7 % 3 }' jobs.tsv >nodes.tsv
	sed '5000s/^[^\t]*\t/nothing\t/' jobs.tsv | sed '5001s/$/\t1/' >broken.tsv
	for j in 1 2 5; do
		for of in jobs nodes; do
			cosched --quiet --no-provenance -j $j -d @diss-node -k k.tsv --timeline $of-t$j.tsv \
				--slices $of-s$j.tsv $of.tsv >$of-out$j.tsv
			cmp $of-out1.tsv $of-out$j.tsv
			cmp $of-t1.tsv $of-t$j.tsv
			cmp $of-s1.tsv $of-s$j.tsv
		done
		run -2 --separate-stderr cosched --no-provenance -j $j -d @diss-node -k k.tsv broken.tsv
		echo "$output" >broken-out$j.tsv
		[[ $stderr == *"broken.tsv:5001: has 7 cells"* ]]
		cmp broken-out1.tsv broken-out$j.tsv
	done
	[ "$(grep -vc '^#' jobs-out1.tsv)" -eq 6751 ]
	[ "$(grep -vc '^#' broken-out1.tsv)" -gt 4900 ]
}

@test "a device without a rate is never chosen, and -v reports it once" {
	jobs 20
	printf 'C\t1\t30\ta\t20\t0\n' >>jobs.tsv
	sed '/^a\t20\tF/s/200/0/' gf-kernels.tsv >k.tsv
	run -0 --separate-stderr cosched -v -d gf.yaml -k k.tsv jobs.tsv
	[ "$(grep -c 'a 20 has no rate for F: it never runs there' <<<"$stderr")" -eq 1 ]
	[ "$(awk -F'\t' '$4 == "a" { print $10 }' <<<"$output" | sort -u)" = G ]
	sed '/^a\t20\tF/d' gf-kernels.tsv >absent.tsv
	diff <(cosched -d gf.yaml -k k.tsv jobs.tsv | grep -v '^##') <(cosched -d gf.yaml -k absent.tsv jobs.tsv | grep -v '^##')
}

@test "memory depends on the jobs that are alive, not on the length of the log" {
	jobgen cosched:w=random,count=40000,iat=40 >w.tsv
	"$ROOT/examples/cosched/kernels.sh" >k.tsv
	bounded_memory 20000
	cosched --quiet -d @diss-node -k k.tsv -o out.tsv w.tsv
	[ "$(grep -vc '^#' out.tsv)" -eq 40001 ]
}

@test "nodes of nodelists are simulated apart" {
	jobs 20
	sed 's/$/\tn[1-2]/; 1s/.*/##placetools=jobs\/1/; 2s/n\[1-2\]$/nodelist/; $s/n\[1-2\]/n3/' jobs.tsv >nodes.tsv
	mv nodes.tsv jobs.tsv
	[ "$(trace baseline)" = "A 0 112, B 20 57" ]
}

@test "priority goes before arrival" {
	printf '%s\n' 'job nodes submit_s app size init_s priority' 'A 1 0 a 4 0 0' 'B 1 1 b 10 0 0' 'C 1 2 b 10 0 5' |
		table jobs >jobs.tsv
	[ "$(trace baseline)" = "A 0 22, B 54 86, C 22 54" ]
}

@test "launches: a bag each, and the tail of each" {
	printf '%s\n' 'job nodes submit_s app size init_s launches' 'A 1 0 a 4 0 3' | table jobs >jobs.tsv
	# 4 slices of 5 and 10 s on both: 15 s a launch (G 3, F 1)
	[ "$(trace elastic)" = "A 0 47" ]
}

@test "launches on a measured set: each takes what one launch was measured to take" {
	printf '%s\n' 'app size device time_s slices' 'a 1 G 20 4' 'a 1 F 40 4' 'a 1 G+F 12 4' | table kernels >gf-kernels.tsv
	one=$(printf '%s\n' 'job nodes submit_s app size launches' 'A 1 0 a 1 1' | table jobs)
	three=${one/%1/3}
	# slices of 5 and 10 s, 15 s a launch (G 3, F 1); measured 12 s, so that they take 4 and 8 s. Opening takes 2 s.
	echo "$one" >jobs.tsv
	[ "$(trace elastic)" = "A 0 14" ]
	echo "$three" >jobs.tsv
	[ "$(trace elastic)" = "A 0 38" ]
	# 50 s for a launch on both is more than 20 s on G, and so are three of them
	sed -i 's/\t12\t/\t50\t/' gf-kernels.tsv
	[ "$(trace elastic)" = "A 0 62" ]
}

@test "memory is in GiB: 3 x 22400 x 22400 x 4 B fit 6 GiB, not 6 GB" {
	printf '%s\n' 'app size device time_s slices bytes' 'gemm 22400 G 10 4 6021120000' | table kernels >k.tsv
	printf '%s\n' 'job nodes submit_s app size' 'A 1 0 gemm 22400' | table jobs >j.tsv
	printf 'placetools: devices/1\ndevices:\n  - {name: G, memory: 6GiB}\n' >gib.yaml
	sed 's/6GiB/6GB/' gib.yaml >gb.yaml
	run -0 --separate-stderr cosched -d gib.yaml -k k.tsv j.tsv
	[ -z "$stderr" ]
	run -0 --separate-stderr cosched -d gb.yaml -k k.tsv j.tsv
	[[ ${stderr_lines[0]} == "cosched: gemm 22400 needs 6021120000 bytes, more than G has: it never runs there" ]]
	[[ ${stderr_lines[1]} == "cosched: 1 of 1 jobs can run on no device" ]]
	[[ ${lines[-2]} == *$'\t.\t.\t'*"no device has the memory" ]]
}

@test "one slice, more devices than slices, arrivals at one time, a set slower than its member" {
	printf '%s\n' 'app size device time_s slices' 'a 1 G 5 1' 'a 1 F 7 1' 'a 1 G+F 50 1' | table kernels >gf-kernels.tsv
	printf '%s\n' 'job nodes submit_s app size' 'A 1 0 a 1' 'B 1 0 a 1' 'C 1 0 a 1' | table jobs >jobs.tsv
	[ "$(trace elastic)" = "A 0 7, B 0 9, C 7 14" ]
}

# ratio APP SIZE BEST SET SLICES: T of the best device over that of the set
ratio() {
	local set seconds=()
	"$ROOT/examples/cosched/kernels.sh" init=0 slices="$5" >all.tsv
	printf '%s\n' 'job nodes app size' "A 1 $1 $2" | table jobs >one.tsv
	for set in "$3" "$4"; do
		{
			printf 'placetools: devices/1\ndevices:\n'
			tr + '\n' <<<"$set" | sed 's/.*/  - {name: &}/'
		} >some.yaml
		awk -F'\t' -v set="+$set+" '/^##/ || $1 == "app" || index(set, "+" $3 "+")' all.tsv >some.tsv
		seconds+=("$(cosched -d some.yaml -k some.tsv -p elastic:gain=0 one.tsv | awk -F'\t' '
			$1 == "job" { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "A" { print $at["end_s"] }')")
	done
	awk -v a="${seconds[0]}" -v b="${seconds[1]}" 'BEGIN { printf "%.3f\n", a / b }'
}

@test "--share: T, tail and idle time by hand, and the same T as a job alone has" {
	cosched -d gf.yaml -k gf-kernels.tsv --share b:10 | grep -v '^#' | cut -f 3,5,7- >got
	# 3 and 4 s a slice: G six slices to 18, F four to 16
	diff got - <<-END
		devices	time_s	divisible_s	tail_s	idle_s
		G	30	30	0	0
		F	40	40	0	0
		G+F	18	17.142857142857142	2	2
	END
	"$ROOT/examples/cosched/kernels.sh" init=0 slices=64 >k.tsv
	printf 'placetools: devices/1\ndevices:\n  - {name: cpu}\n  - {name: gpu}\n  - {name: fpga}\n' >three.yaml
	for kernel in mandelbrot:4096 gemm:8192 xsbench:32M; do
		printf '%s\n' 'job nodes app size' "A 1 ${kernel/:/ }" | table jobs >one.tsv
		simulated=$(cosched --quiet -d three.yaml -k k.tsv -p elastic:gain=0 one.tsv | awk -F'\t' '
			$1 == "job" { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "A" { print $at["end_s"], $at["devices"] }')
		[ "$simulated" = "$(cosched -d three.yaml -k k.tsv --share $kernel | awk -F'\t' '
			/^##/ || $1 == "app" { next } min == "" || $5 + 0 < min + 0 { min = $5; set = $3 } END { print min, set }')" ]
	done
	bad "--share: 'gemm' is not APP:SIZE" cosched -d gf.yaml -k gf-kernels.tsv --share gemm
	bad "--share: there are no kernels of a:21" cosched -d gf.yaml -k gf-kernels.tsv --share a:21
	bad "--on: 'H' is not a device*" cosched -d gf.yaml -k gf-kernels.tsv --share a:20 --on H
	bad "--slice-counts: '8:4': expected*" cosched -d gf.yaml -k gf-kernels.tsv --share a:20 -S 8:4
	bad "--on and -S need --share" cosched -d gf.yaml -k gf-kernels.tsv -S 8
}

@test "work sharing: the ratios of section 4.5.1 within 3 % from 64 slices on, and the tail at 16" {
	# shellcheck disable=SC2034 # named by wanted
	while read -r app size best set s16 s64 s256 s1024 paper; do
		for s in 16 64 256 1024; do
			wanted=s$s
			got=$(ratio "$app" "$size" "$best" "$set" $s)
			[ "$got" = "${!wanted}" ] || { echo "$app $set $s: $got"; false; }
			[ "$s" -eq 16 ] || awk -v a="${!wanted}" -v b="$paper" 'BEGIN { exit !(a / b < 1.03 && b / a < 1.03) }'
		done
	done <<-END
		mandelbrot 4096 cpu gpu+fpga 1.220 1.299 1.299 1.299 1.308
		mandelbrot 4096 cpu cpu+gpu+fpga 2.208 2.286 2.294 2.296 2.26
		gemm 8192 gpu gpu+fpga 1.269 1.391 1.391 1.395 1.386
		spmv 29 cpu cpu+gpu 1.231 1.231 1.236 1.236 1.236
		xsbench 32M gpu cpu+gpu 1.270 1.270 1.299 1.299 1.3
	END
}

@test "contraction can't make jobs swap for ever: random workloads without gain end" {
	jobgen cosched:w=1,runs=40,iat=1 >w.tsv
	"$ROOT/examples/cosched/kernels.sh" slices=64 >k.tsv
	cosched --quiet -d @diss-node -k k.tsv -p elastic:contract=arrival,gain=0 w.tsv >out.tsv
	awk -F'\t' '$1 == "run" { for (i = 1; i <= NF; i++) at[$i] = i; next }
		!/^##/ { n++; if ($at["switches"] + 0 > most) most = $at["switches"] }
		END { exit !(n == 600 && most > 1 && most < 30) }' out.tsv
}

@test "jobgen cosched: the jobs of Tables 4.1 and 4.2, each run in an order of its own" {
	jobgen cosched:w=2,runs=3 >w.tsv
	[ "$(grep -vc '^##' w.tsv)" -eq 46 ]
	for run in 1 2 3; do
		[ "$(awk -v run=$run '$1 == run { print $5, $6 }' w.tsv | sort -u | wc -l)" -eq 15 ]
	done
	[ "$(awk '$1 == 1 { print $5, $6 }' w.tsv)" != "$(awk '$1 == 2 { print $5, $6 }' w.tsv)" ]
	[ "$(jobgen cosched:w=4 | awk '$1 == 1 { print $5, $6 }' | sort | uniq -c | awk '{ print $1 }' | sort -u)" = 2 ]
	[ "$(jobgen 'cosched:w=4,mix=[gemm:4096,spmv:29],order=table' | awk '$1 == 1 { print $5, $6 }' | paste -sd,)" = "gemm 4096,spmv 29" ]
	# means of uniform and exponential draws
	for draw in uniform exponential; do
		jobgen cosched:w=3,runs=400,draw=$draw | awk -v want=23.9 '
			!/^##/ && $2 == 15 { sum += $4; n++ } END { mean = sum / n / 14; exit !(mean > 0.95 * want && mean < 1.05 * want) }'
	done
	run -2 --separate-stderr jobgen cosched:iat=1,iat-max=2
	run -2 --separate-stderr jobgen cosched:w=4,mix=gemm
	[[ $stderr == *"'gemm' is not APP:SIZE"* ]]
}

@test "what devices do: idle time, shares and switches by hand" {
	jobs 4
	cosched -d gf.yaml -k gf-kernels.tsv -p greedy-up --timeline t.tsv jobs.tsv >out.tsv
	# to 61: G opens 2, runs 20, opens 2, runs 24; F opens 2, runs 8
	evalmetrics -m device-idle -m device-share t.tsv | awk -F'\t' '!/^##/ { print $5, $6 }' >got
	grep -qx 'device-idle-G 13' got
	grep -qx 'device-idle-F 51' got
	grep -q '^device-share-G 0.84615' got
	[ "$(evalmetrics -m switches out.tsv | awk -F'\t' '$2 == "job" { print $5 }' | paste -sd' ')" = "0 1" ]
}

# In this workload a waiting job is given what another still holds, and then something else.
@test "16 devices, 200 jobs with the arrivals of a real log, under each policy" {
	need_shared
	{
		printf 'placetools: devices/1\ndevices:\n'
		printf '  - {name: d%d, open: 1s, close: 100ms}\n' {0..15}
	} >d.yaml
	for app in a b c; do
		for device in {0..15}; do echo "$app x d$device $(((device * 7 + ${#app} * 3) % 13 + 1))00 64"; done
	done | cat <(echo app size device time_s slices) - | table kernels >k.tsv
	traceconv --from swf --to jobs "$SHARED/data/swf/evalys_easy_mediumWL_smallPF.swf" | awk -F'\t' -v OFS='\t' '
		/^##/ { next }
		$1 == "job" { for (i = 1; i <= NF; i++) at[$i] = i; print "job", "nodes", "submit_s", "app", "size"; next }
		n++ < 200 { print $at["job"], 1, $at["submit_s"] / 10, substr("abc", n % 3 + 1, 1), "x" }' >rows
	{ echo '##placetools=jobs/1'; head -n 1 rows; tail -n +2 rows | sort -s -t $'\t' -k 3,3n; } >j.tsv
	[ "$(grep -vc '^##' j.tsv)" -eq 201 ]
	for policy in baseline greedy-up elastic elastic-dl:max=4 best-fit aware online; do
		cosched --quiet -d d.yaml -k k.tsv -p $policy j.tsv >out.tsv
		awk -F'\t' -v policy=$policy '
			/^##/ { next }
			$1 == "job" { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ n++; bad += $at["end_s"] + 0 <= $at["submit_s"] + 0; most = length($at["devices"]) > most ? length($at["devices"]) : most }
			END { exit bad > 0 || n != 200 || (policy == "elastic" && most < 20) }' out.tsv
	done
}

# bad TEXT COMMAND…
bad() {
	local text=$1
	shift
	run -2 --separate-stderr "$@"
	# shellcheck disable=SC2053 # a pattern
	[[ $stderr == "cosched: "$text ]] || { echo "$stderr"; false; }
	[[ $output != *"##end"* ]]
}

@test "bad input: one line, status 2, no end" {
	jobs 20
	bad "-d, --devices is missing*" cosched -k gf-kernels.tsv jobs.tsv
	bad "-k, --kernels is missing*" cosched -d gf.yaml jobs.tsv
	bad "'@nothing': there is no share/devices/nothing.yaml" cosched -d @nothing -k gf-kernels.tsv jobs.tsv
	sed 's/\tG\t/\tG+H\t/' gf-kernels.tsv >k.tsv
	bad "k.tsv:3: device: 'H' is not a device; expected some of G+F" cosched -d gf.yaml -k k.tsv jobs.tsv
	sed '3s/G/G+G/' gf-kernels.tsv >k.tsv
	bad "k.tsv:3: device: 'G' is named twice in G+G" cosched -d gf.yaml -k k.tsv jobs.tsv
	sed '4s/20$/10/' gf-kernels.tsv >k.tsv
	bad "k.tsv:4: slices: 10, but another row of a 20 has 20" cosched -d gf.yaml -k k.tsv jobs.tsv
	sed '3s/100/-1/' gf-kernels.tsv >k.tsv
	bad "k.tsv:3: time_s:*" cosched -d gf.yaml -k k.tsv jobs.tsv
	sed '3s/100/nan/' gf-kernels.tsv >k.tsv
	bad "k.tsv:3: time_s:*" cosched -d gf.yaml -k k.tsv jobs.tsv
	cat gf-kernels.tsv <(sed -n 3p gf-kernels.tsv) >k.tsv
	bad "k.tsv:9: *" cosched -d gf.yaml -k k.tsv jobs.tsv
	sed 's/\t20\t10$/\t21\t10/' jobs.tsv >j.tsv
	bad "j.tsv:3: there are no kernels of app a, size 21" cosched -d gf.yaml -k gf-kernels.tsv j.tsv
	sed '3s/\t0\t/\t30\t/' jobs.tsv >j.tsv
	bad "j.tsv:4: submit_s goes back*" cosched -d gf.yaml -k gf-kernels.tsv j.tsv
	sed '3s/10$/-1/' jobs.tsv >j.tsv
	bad "j.tsv:3: init_s*" cosched -d gf.yaml -k gf-kernels.tsv j.tsv
	sed 's/open: 2s/open: -2s/' gf.yaml >d.yaml
	bad "d.yaml:3: '-2s' is not a time*" cosched -d d.yaml -k gf-kernels.tsv jobs.tsv
	sed 's/name: F/name: G/' gf.yaml >d.yaml
	bad "d.yaml:4: two devices are called 'G'" cosched -d d.yaml -k gf-kernels.tsv jobs.tsv
	sed 's/open/opens/' gf.yaml >d.yaml
	bad "d.yaml:3: 'opens' is not a field of a device*" cosched -d d.yaml -k gf-kernels.tsv jobs.tsv
	sed '1s/$/ end=yes/' jobs.tsv >j.tsv
	bad "*truncated*" cosched -d gf.yaml -k gf-kernels.tsv j.tsv
}
