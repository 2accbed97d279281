# etiquette.bats - how every tool in bin/ behaves; tests/etiquette.tsv has a command line of each
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$DATA"/* .
}

# each_row COMMAND…: calls it with tool, input, junk and the arguments (with their {}) of each row;
# what goes wrong is told with its row, and fails the test.
each_row() {
	local tool input arguments junk nrows=0 nbad=0
	while IFS=$'\t' read -r -u 9 tool input arguments junk; do
		[[ $tool == \#* || -z $tool ]] && continue
		nrows=$((nrows + 1))
		# shellcheck disable=SC2086 # arguments are words
		"$@" "$tool" "$input" "$junk" $arguments || {
			echo "^ $tool $arguments"
			nbad=$((nbad + 1))
		}
	done 9<"$ROOT/tests/etiquette.tsv"
	[ "$nrows" -gt 0 ]
	[ "$nbad" -eq 0 ]
}

# Whether the tool writes a stream: a checker does not.
writes() {
	"$1" --help | grep -q -- --output
}

# The arguments with the input named; sets line.
fill() {
	local input=$1
	shift
	line=("${@//\{\}/$input}")
}

# try COMMAND…: sets status, and leaves stdout and stderr in files.
try() {
	status=0
	"$@" >stdout 2>stderr </dev/null || status=$?
}

# told STATUS TEXT TOOL: that status, and one line "TOOL: …" with the text in it (a pattern).
told() {
	local message
	message=$(<stderr)
	[[ $status -eq $1 ]] || { echo "status $status, not $1; said: $message"; return 1; }
	[[ $(wc -l <stderr) -eq 1 && $message == "$3: "* ]] || { echo "not one line of $3: $message"; return 1; }
	# shellcheck disable=SC2053 # a pattern
	[[ $message == $2 ]] || { echo "not like '$2': $message"; return 1; }
}

silent() {
	[[ $status -eq 0 && ! -s stderr ]] || { echo "status $status, said: $(<stderr)"; return 1; }
}

# The input as a table that promises its end, and keeps the promise.
promised() {
	sed -e '1s/$/ end=yes/' "$1"
	echo '##end'
}

is_table() {
	[[ $(head -c 13 "$1") == '##placetools=' ]]
}

@test "every tool has a row in etiquette.tsv" {
	run -0 comm -23 <(all_tools | sort) <(cut -f1 "$ROOT/tests/etiquette.tsv" | sort -u)
	[ "$output" = "" ] || { echo "without a row: $output"; return 1; }
	[ "$(all_tools | wc -l)" -ge 5 ]
}

@test "--help and --version: standard output, status 0, no more" {
	for tool in $(all_tools); do
		try "$tool" --help
		silent
		[[ $(head -1 stdout) == "Usage: $tool "* ]]
		[[ $(awk '{ if (length > 100) n++ } END { print n + 0 }' stdout) -le 4 ]]
		try "$tool" --version
		silent
		[[ $(<stdout) == "$tool (placetools) "[0-9]* ]]
	done
}

@test "--list shows every registry, and each of them alone" {
	for tool in $(all_tools); do
		try "$tool" --list
		silent
		"$tool" --help | sed -n -e '/^Names to pick from/,$s/^  \([a-z-]*\):$/\1/p' >names
		while read -r name; do
			try "$tool" --list="$name"
			silent
			[ -s stdout ]
		done <names
		try "$tool" --list=nothing-such
		told 2 '*nothing-such*' "$tool"
	done
}

@test "an unknown option: status 2, one line" {
	for tool in $(all_tools); do
		try "$tool" --nothing-such
		told 2 "*--nothing-such*" "$tool"
		[ ! -s stdout ]
	done
}

junk() {
	local tool=$1 junk=$3
	fill "$2" "${@:4}"
	[[ $junk != - ]] || return 0
	try "$tool" "$junk" "${line[@]}"
	told 2 "*${junk%%=*}: '${junk#*=}' is not *" "$tool" && [ ! -s stdout ]
}
@test "a junk number: status 2, one line with what was expected" {
	each_row junk
}

works() {
	local tool=$1
	fill "$2" "${@:4}"
	try "$tool" "${line[@]}"
	silent || return 1
	[[ -s stdout ]] || ! writes "$tool" || { echo "no output"; return 1; }
	if is_table stdout; then
		[[ $(grep -c '^##end$' stdout) -eq 1 ]] || { echo "no ##end"; return 1; }
	fi
	mv stdout first
	try "$tool" "${line[@]}"
	cmp first stdout
}
@test "a sound command line: output, silence, and the same bytes again" {
	each_row works
}

by_stdin() {
	local tool=$1 input=$2 option=
	[[ $tool != placereport ]] || return 0 # reads its files more than once, and its page names them
	fill - "${@:4}"
	"$tool" --help | grep -q -- --no-provenance && option=--no-provenance
	"$tool" $option "${line[@]}" <"$input" >piped || return 1
	gzip -c "$input" | "$tool" $option "${line[@]}" >unpacked || return 1
	fill "$input" "${@:4}"
	"$tool" $option "${line[@]}" >named || return 1
	sed -i -e '/^# topogen /d' piped unpacked named
	cmp piped named && cmp unpacked named
}
@test "standard input does as a file does, compressed or not" {
	each_row by_stdin
}

absent() {
	local tool=$1
	fill absent.tsv "${@:4}"
	try "$tool" "${line[@]}"
	told 2 "*: absent.tsv: No such file or directory" "$tool" && [ ! -s stdout ]
}
@test "an absent file: status 2, named" {
	each_row absent
}

wrong_kind() {
	local tool=$1
	printf 'a,b\n\n1,2\n' >wrong
	fill wrong "${@:4}"
	try "$tool" "${line[@]}"
	told 2 "*: wrong:[123]: *" "$tool" || return 1
	printf '##placetools=nonsense/1\na\tb\n1\t2\n' >wrong
	try "$tool" "${line[@]}"
	told 2 "*: wrong:[123]: *" "$tool" || return 1
	printf '##placetools=jobs/2\njob\tnodes\n1\t2\n' >wrong
	try "$tool" "${line[@]}"
	told 2 "*: wrong:[123]: *" "$tool"
}
@test "what is no such stream: status 2, FILE:LINE" {
	each_row wrong_kind
}

cut_gzip() {
	local tool=$1 input=$2
	gzip -c "$input" | head -c -9 >cut.gz
	fill cut.gz "${@:4}"
	try "$tool" "${line[@]}"
	[[ $(tail -1 stderr) == "$tool: cut.gz"*truncated* && $status -eq 2 ]] || { cat stderr; return 1; }
	[[ $(grep -c '^##end$' stdout) -eq 0 ]]
}
@test "a truncated gzip: status 2, never taken for whole" {
	each_row cut_gzip
}

cut_input() {
	local tool=$1 input=$2
	is_table "$input" || return 0
	promised "$input" >whole.tsv
	fill whole.tsv "${@:4}"
	try "$tool" "${line[@]}"
	silent || return 1
	sed '$d' whole.tsv >cut.tsv
	fill cut.tsv "${@:4}"
	try "$tool" "${line[@]}"
	told 2 '*input was truncated*' "$tool" || return 1
	[[ $(grep -c '^##end$' stdout) -eq 0 ]] || { echo "##end after a cut input"; return 1; }
	[[ -s stdout ]] || ! writes "$tool" || { echo "not what there was"; return 1; }
	if is_table stdout; then
		[[ $(head -1 stdout) == *end=yes* ]] || { echo "no promise"; return 1; }
	fi
	if writes "$tool" && [[ $tool != placereport ]]; then # whose page says so itself
		echo old >result
		try "$tool" "${line[@]}" -o result
		[[ $status -eq 2 && $(<result) == old ]] || { echo "-o: replaced by half a result"; return 1; }
	fi
	try "$tool" --partial "${line[@]}"
	[[ $status -eq 0 ]] || { echo "--partial: status $status: $(<stderr)"; return 1; }
}
@test "a cut input: worked on, told, no ##end, no -o file, status 2; --partial takes it" {
	each_row cut_input
}

@test "a break anywhere in a pipe is seen at its end" {
	promised jobs.tsv | sed '$d' >cut.tsv
	run -2 --separate-stderr bash -c 'classify -d profiles.tsv cut.tsv | allocate -t machine.yaml | evalmetrics -t machine.yaml'
	[[ ${stderr##*$'\n'} == "evalmetrics: "*"input was truncated"* ]]
	[[ $output != *"##end"* ]]
}

full_disk() {
	local tool=$1
	writes "$tool" || return 0
	fill "$2" "${@:4}"
	status=0
	"$tool" "${line[@]}" >/dev/full 2>stderr || status=$?
	told 2 '*No space left on device' "$tool"
}
@test "a full disk: status 2" {
	each_row full_disk
	for tool in $(all_tools); do
		status=0
		"$tool" --help >/dev/full 2>stderr || status=$?
		told 2 '*No space left on device' "$tool"
	done
}

closed_pipe() {
	local tool=$1
	writes "$tool" || return 0
	fill "$2" "${@:4}"
	# fd 8 is a pipe whose reader has gone
	rm -f pipe
	mkfifo pipe
	exec 7<>pipe 8>pipe
	exec 7>&-
	status=0
	"$tool" "${line[@]}" >&8 8>&- 2>stderr || status=$?
	[[ $status -eq 141 && ! -s stderr ]] || { echo "status $status, said: $(<stderr)"; return 1; }
	status=0
	(trap '' PIPE; exec "$tool" "${line[@]}" >&8 8>&- 2>stderr) || status=$?
	[[ $status -eq 2 && ! -s stderr ]] || { echo "SIGPIPE ignored: status $status, said: $(<stderr)"; return 1; }
	exec 8>&-
	"$tool" "${line[@]}" 2>stderr | head -c1 >/dev/null
	[[ ! -s stderr ]] || { echo "said: $(<stderr)"; return 1; }
}
@test "a closed pipe is quiet" {
	each_row closed_pipe
}

output_file() {
	local tool=$1
	writes "$tool" || return 0
	[[ $tool != placereport ]] || return 0 # its page shows the command line
	fill "$2" "${@:4}"
	"$tool" "${line[@]}" | grep -v '^##command=\|^# topogen' >plain
	echo old >result
	try "$tool" "${line[@]}" -o result
	silent || return 1
	[[ ! -s stdout ]] || { echo "standard output has something too"; return 1; }
	grep -v '^##command=\|^# topogen' result | cmp - plain || return 1
	try "$tool" "${line[@]}" -o result.gz
	silent || return 1
	gzip -dc result.gz | grep -v '^##command=\|^# topogen' | cmp - plain || return 1
	try "$tool" "${line[@]}" -o nowhere/result
	told 2 '*nowhere/result*No such file or directory' "$tool" || return 1
	try "$tool" "${line[@]}" -o /dev/full
	told 2 '*/dev/full*No space left on device' "$tool" || return 1
	rm -f result result.gz
	fill absent.tsv "${@:4}"
	echo old >result
	try "$tool" "${line[@]}" -o result
	[[ $status -eq 2 && $(<result) == old ]] || { echo "the old file is gone"; return 1; }
	[[ $(compgen -G 'result*') == result ]]
}
@test "-o: the whole result or the old file, gzip by name" {
	each_row output_file
}

# Waits until a file beside the result is being written, at most for two seconds: a tool may open
# it only when it has read everything, and then there is nothing that could be left behind.
wait_for_file() {
	local i
	for ((i = 0; i < 40; i++)); do
		compgen -G 'result.*' >/dev/null && return
		read -rt .05 <>never || :
	done
}

signal() {
	local tool=$1 input=$2 pid
	writes "$tool" || return 0
	rm -f feed never result*
	mkfifo feed never
	echo old >result
	fill feed "${@:4}"
	"$tool" "${line[@]}" -o result 2>stderr &
	pid=$!
	exec 8<>feed
	cat "$input" >&8 # and the end does not come
	wait_for_file
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	exec 8>&-
	[[ $status -eq 143 ]] || { echo "status $status: $(<stderr)"; return 1; }
	[[ $(<result) == old ]] || { echo "the old file is gone"; return 1; }
	[[ $(compgen -G 'result*') == result ]]
}
@test "-o under SIGTERM: the old file, and nothing beside it" {
	each_row signal
}

@test "a signal while a large result is written leaves nothing behind" {
	mkfifo never
	topogen torus:dims=100x100x100 --to edges -o result &
	pid=$!
	wait_for_file
	compgen -G 'result.*'
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ "$status" -eq 143 ]
	run ! compgen -G 'result*'
}
