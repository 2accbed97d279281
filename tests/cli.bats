# cli.bats - the command line that all tools share, tried on one that has an option of every type
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	PATH=$PLACETOOLS_BUILD/tests/tools:$PATH
}

# refused MESSAGE ARGUMENT…: status 2, nothing on standard output, this one line on standard error
refused() {
	local message=$1
	shift
	run -2 --separate-stderr clidemo "$@"
	[ "$output" = "" ]
	[ "$stderr" = "clidemo: $message" ] || { echo "got: $stderr"; echo "not: clidemo: $message"; return 1; }
}

@test "empty input and what is no stream: no line 0, and every kind that is taken is named" {
	run -2 --separate-stderr evalmetrics </dev/null
	[[ $stderr == 'evalmetrics: standard input: is empty: expected a first line ##placetools=KIND/1, where KIND is one of classifier, comm, '*' jobs, '* ]]
	run -2 --separate-stderr placecheck </dev/null
	[[ $stderr == 'placecheck: standard input: is empty: expected a first line ##placetools=KIND/1'* ]]
	run -2 --separate-stderr allocate -t ring:nodes=4 </dev/null
	[ "$stderr" = 'allocate: standard input: is empty: expected a first line such as ##placetools=jobs/1' ]
	run -2 --separate-stderr evalmetrics <<<'job nodes'
	[[ $stderr == 'evalmetrics: standard input:1: is not a placetools stream but separated by blanks: expected a first line ##placetools=KIND/1'* ]]
}

@test "a machine that a stream names wrongly is refused at its line" {
	cd "$BATS_TEST_TMPDIR"
	stream() {
		printf '##placetools=jobs/1\n%s\njob\tnodes\n1\t2\n' "$1" >jobs.tsv
		run -2 --separate-stderr allocate jobs.tsv
	}
	stream '##topology=ring:nodes=4'
	[[ $stderr == 'allocate: jobs.tsv:2: ##topology=ring:nodes=4: expected a machine and its hash'* ]]
	stream '##topology=absent.yaml 5f3a91c20c6e77b1'
	[[ $stderr == 'allocate: jobs.tsv:2: ##topology: '*absent.yaml* ]]
	stream '##topology=- 5f3a91c20c6e77b1'
	[[ $stderr == "allocate: jobs.tsv:2: the input's machine came from standard input"* ]]
	stream '##topology=ring:nodes=4 5f3a91c20c6e77b1'
	[[ $stderr == 'allocate: jobs.tsv:2: ring:nodes=4 is another machine'* ]]
	run -2 --separate-stderr placecheck -t ring:nodes=5 jobs.tsv
	[[ $stderr == 'placecheck: jobs.tsv:2: ring:nodes=5 is another machine'* ]]
}

@test "cli: every type of option is read, short, long and abbreviated" {
	run -0 --separate-stderr clidemo -fc -3 --ratio=.25 --text 'a b' --file f -whigh --sha ball:size=2 -l 1 a --list-item=2 -- -l
	[ "${lines[0]}" = "flag=1 count=-3 ratio=0.25 text=a b file=f word=high shape=ball:size=2" ]
	[ "${lines[1]}" = "item 1" ]
	[ "${lines[2]}" = "item 2" ]
	[ "${lines[3]}" = "operand a" ]
	[ "${lines[4]}" = "operand -l" ]
	[ "${lines[5]}" = "seed=1 threads=1 partial=0 output=- topology=-" ]
	[ "$stderr" = "clidemo: warning" ]
}

@test "cli: common options, and what is said on standard error" {
	run -0 --separate-stderr clidemo --seed 7 -j4 --partial -o f -t @m -v x
	[ "${lines[2]}" = "seed=7 threads=4 partial=1 output=f topology=@m" ]
	[ "$stderr" = "clidemo: verbose
clidemo: warning" ]
	run -0 --separate-stderr clidemo --quiet x
	[ "$stderr" = "" ]
}

@test "cli: the recorded command can be pasted" {
	run -0 clidemo "it's" '' 'a$b'
	[[ $output == *"command=clidemo 'it'\\''s' '' 'a\$b'"* ]]
}

@test "cli: what is wrong is said in one line" {
	refused "unknown option '--nope'; see clidemo --help" --nope x
	refused "unknown option '-z'; see clidemo --help" -fz x
	refused "unknown option '--l'; see clidemo --help" --l
	refused "option '-c' needs an argument; see clidemo --help" x -c
	refused "option '--count' needs an argument; see clidemo --help" x --count
	refused "option '--flag' takes no argument; see clidemo --help" --flag=no x
	refused "--help: clidemo has neither a registry nor a name 'no'; see --list alone" --help=no x
	refused "--count: 'many' is not a whole number from -3 to 9" --count=many x
	refused "--count: '10' is not a whole number from -3 to 9" -c 10 x
	refused "--ratio: 'nan' is not a number from 0 to 1" --ratio nan x
	refused "--seed: '-1' is not a whole number of at least 0" --seed -1 x
	refused "--threads: '0' is not a whole number from 1 to 1024" -j0 x
	refused "--word: 'lo' is not one of low|lower|high (did you mean 'low'?)" --word lo x
	refused "--text: its argument is empty, expected TEXT" --text= x
	refused "--list: clidemo has neither a registry nor a name 'forms'; see --list alone" --list=forms
	refused "--completion: 'fish' is not bash or zsh" --completion=fish
	refused "an operand is missing: clidemo [-f] [-s SHAPE] FILE...; see --help"
	refused "unexpected operand 'd'; see clidemo --help" a b c d
	refused "unknown option '--a␊b'; see clidemo --help" $'--a\nb'
}

@test "cli: did you mean" {
	refused "unknown option '--cuont' (did you mean '--count'?); see clidemo --help" --cuont=3 x
	refused "unknown option '--versoin' (did you mean '--version'?); see clidemo --help" --versoin
	refused "unknown option '--nothing-like-it'; see clidemo --help" --nothing-like-it x
	run -2 --separate-stderr topogen meshh:dims=2x2
	[[ $stderr == *"'meshh' is not a topology (did you mean 'mesh'?); expected one of: "* ]]
	run -2 --separate-stderr topogen dragonfly:groups=3,routers=2,nodes=2,routrs=2
	[[ $stderr == *"dragonfly has no parameter 'routrs' (did you mean 'routers'?); it has:"* ]]
	printf '##placetools=jobs/1\njob\tnodes\tpolicy\n1\t2\tx\n' >jobs.tsv
	run -2 --separate-stderr evalmetrics -m column:name=nodse --by policy jobs.tsv
	[ "$stderr" = "evalmetrics: -m column: the stream has no column 'nodse' (did you mean 'nodes'?)" ]
	run -2 --separate-stderr evalmetrics --by polcy -m column:name=nodes jobs.tsv
	[ "$stderr" = "evalmetrics: --by: the stream has no column 'polcy' (did you mean 'policy'?)" ]
}

@test "cli: -h and -V, for every tool" {
	local tool
	for tool in $(all_tools); do
		"$tool" -h | cmp - <("$tool" --help)
		"$tool" -V | cmp - <("$tool" --version)
	done
}

@test "cells and options take sizes and times with their units" {
	printf '##placetools=jobs/1\njob\tnodes\tbytes\truntime_s\tsubmit_s\n1\t2\t64KiB\t2min\t.\n2\t2\t1e3\t1.5us\t3\n' >jobs.tsv
	run -0 --separate-stderr allocate -t ring:nodes=4 jobs.tsv
	[[ ${lines[-3]} == $'1\t2\t65536\t120\t'* ]]
	[[ ${lines[-2]} == $'2\t2\t1e3\t0.0000015\t3'* ]]
	printf '##placetools=jobs/1\njob\tnodes\tbytes\n1\t2\t64KiX\n' >bad.tsv
	run -2 --separate-stderr allocate -t ring:nodes=4 bad.tsv
	[ "$stderr" = "allocate: bad.tsv:3: bytes: '64KiX' is not a number of at least 0" ]
	printf '##placetools=jobs/1\njob\tnodes\titerations\n1\t2\t1k\n' >bad.tsv
	run -2 --separate-stderr allocate -t ring:nodes=4 bad.tsv
	run -2 --separate-stderr trafficagg --window 2mni </dev/null
	[ "$stderr" = "trafficagg: --window: '2mni' is not a number from 1e-09 to 1000000000" ]
}

@test "cli: one ending: an error, a no, a reader that is gone" {
	refused 'failed as it was told' fail
	run -1 --separate-stderr clidemo no
	[ "$output$stderr" = "" ]
	run -2 --separate-stderr clidemo gone
	[ "$output$stderr" = "" ]
	run -0 clidemo --no-provenance x
	[[ $output == *"command=-"* ]]
}

@test "cli: --help and --list say what the tables say" {
	run -0 --separate-stderr clidemo --help
	[ "$stderr" = "" ]
	[[ $output == "Usage: clidemo [-f] [-s SHAPE] FILE..."* ]]
	[[ $output == *"
  -c, --count=N
          Counts. (from -3 to 9, default 5)"* ]]
	while IFS= read -r line; do
		((${#line} <= 80)) || { echo "too long: $line"; return 1; }
	done <<<"$output"
	clidemo --list=shapes >list
	golden clidemo.list list
	clidemo --list | cmp - list
	[ "$(examples_of clidemo shapes)" = "ball:size=2,fit=first
dot" ]
	[ "$(names_of clidemo shapes)" = "ball
dot" ]
}

@test "cli: a closed pipe is quiet, a full disk is not" {
	run -0 --separate-stderr bash -c 'clidemo --list | head -c1'
	[ "$stderr" = "" ]
	run -2 --separate-stderr bash -c 'clidemo --list >/dev/full'
	[ "$stderr" = "clidemo: standard output: No space left on device" ]
	run -2 --separate-stderr bash -c 'clidemo --quiet x >/dev/full'
	[ "$stderr" = "clidemo: standard output: No space left on device" ]
}

@test "cli: the manual's sections are sound mdoc" {
	{
		printf '.Dd January 1, 2026\n.Dt CLIDEMO 1\n.Os\n.Sh NAME\n.Nm clidemo\n.Nd demo\n'
		clidemo --mdoc
	} >clidemo.1
	mandoc -Tlint -W warning clidemo.1
	run -0 bash -c 'mandoc -Tascii clidemo.1 | sed "s/.\x08//g"'
	[[ $output == *"-c, --count=N"* ]]
	[[ $output == *"--list[=REGISTRY]"* ]]
	[[ $output == *"(--list=shapes shows all, default dot)"* ]]
	[[ $output == *"fit=best|first"*"which hole it takes (default best)"* ]]
}

# What Bash would offer for a command line that ends at the cursor.
offer() {
	# shellcheck disable=SC2034 # read by the completion
	COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
	_placetools_clidemo
	echo "${COMPREPLY[*]}"
}

@test "cli: bash completion" {
	compopt() { :; }
	touch some.tsv other.tsv
	eval "$(clidemo --completion=bash)"
	[ "$(offer 'clidemo --co')" = "--count=" ]
	[ "$(offer 'clidemo --shape=b')" = "ball" ]
	[ "$(offer 'clidemo -f -s ')" = "ball dot" ]
	[ "$(offer 'clidemo -s ball:fit')" = "fit=best fit=first" ]
	[ "$(offer 'clidemo -s ball:size=3,inner=d')" = "dot" ]
	[ "$(offer 'clidemo -w l')" = "low lower" ]
	[ "$(offer 'clidemo --list=')" = "shapes machines" ]
	[ "$(offer 'clidemo --count ')" = "" ]
	[ "$(offer 'clidemo -o so')" = "some.tsv" ]
	[ "$(offer 'clidemo -f o')" = "other.tsv" ]
}

@test "cli: zsh completion" {
	clidemo --completion=zsh >_clidemo
	zsh -n _clidemo
	run -0 zsh -f -c '
		compset() { [[ $PREFIX == *[:,]* ]] || return 1; PREFIX=${PREFIX##*[:,]} }
		compadd() { shift 3; print -r -- "$PREFIX: $*" }
		_arguments() { printf "<%s>\n" "$@" }
		. ./_clidemo
		PREFIX=b; _placetools_clidemo_pick shapes
		PREFIX=ball:size=1,f; _placetools_clidemo_pick shapes'
	[[ $output == *"<(-c --count)-c+[Counts]:N:>
<(-c --count)--count=[Counts]:N:>"* ]]
	[[ $output == *"[The shape; it's \\[round\\]]:SHAPE:_placetools_clidemo_pick shapes>"* ]]
	[[ $output == *"<*:file:_files>
b: ball dot
f: size= fit=best fit=first weight= inner=ball inner=dot" ]]
}

@test "cli: a row whose target is of another type does not compile" {
	# compiles ROW: with a target of each type at hand
	compiles() {
		cat >row.c <<-EOT
			#include "base/options.h"
			static struct registry things;
			static bool flag;
			static int small;
			static int64_t count;
			static double real;
			static float half;
			static const char *text;
			static struct cli_list list;
			const struct option_def options[] = {$1, {0}};
			const void *const used[] = {&things, &flag, &small, &count, &real, &half, &text, &list};
		EOT
		${CC:-gcc} -std=gnu11 -I"$ROOT/src/ground" -fsyntax-only row.c 2>errors
	}
	# takes TYPE ROW-WITHOUT-TARGET: of all targets only that of this type, %s is where it stands
	takes() {
		local target row
		for target in flag small count real half text list; do
			# shellcheck disable=SC2059 # the row is the format
			row=$(printf "$2" "&$target")
			if [[ $target == "$1" ]]; then
				compiles "$row" || { cat errors; return 1; }
			elif compiles "$row"; then
				echo "compiles: $row"
				return 1
			else
				grep -q _Generic errors
			fi
		done
	}
	takes flag 'OPT_FLAG(0, "x", %s, "Help.")'
	takes count 'OPT_INT(0, "x", %s, "N", 0, 9, "Help.")'
	takes real 'OPT_REAL(0, "x", %s, "N", 0, 9, "Help.")'
	takes text 'OPT_TEXT(0, "x", %s, "TEXT", "Help.")'
	takes text 'OPT_FILE(0, "x", %s, "FILE", "Help.", .def = "y")'
	takes text 'OPT_WORD(0, "x", %s, "WORD", "a|b", "Help.")'
	takes text 'OPT_PICK(0, "x", %s, "PICK", &things, "Help.")'
	takes list 'OPT_LIST(0, "x", %s, "TEXT", "Help.")'
	takes list 'OPT_FILES(0, "x", %s, "FILE", "Help.")'
	takes list 'OPT_PICKS(0, "x", %s, "PICK", &things, "Help.")'
}

@test "commands of live systems are broken in manual pages so that they can be pasted" {
	set -o pipefail
	traceconv --list | sed -n 's/^ *from a live system: //p' | tr -s ' ' | sort >whole
	[ "$(wc -l <whole)" -gt 10 ]
	# what the shell reads: a backslash joins lines, other line ends separate commands
	traceconv --mdoc | awk '
		/^From a live system:$/ { getline; live = joins = 1; text = ""; next }
		/^\.Ed/ && live { gsub(/ +/, " ", text); print text; live = 0 }
		live { text = text (joins ? "" : " ") $0; joins = sub(/\\e$/, "", text) }' | sort >shown
	diff whole shown
}
