#!/usr/bin/env bats
# output.bats - where -o writes: beside the file, behind links, into what stands for an open file

load helper

@test "-o /dev/stdout writes to standard output, and /dev/stdout stays" {
	before=$(readlink /dev/stdout)
	jobgen --no-provenance job:nodes=4 -o /dev/stdout >to-file
	[[ $(readlink /dev/stdout) == "$before" ]]
	tail -n 1 to-file | grep -x '##end'
	jobgen --no-provenance job:nodes=4 -o /dev/stdout | cmp - to-file
}

@test "-o LINK writes the file behind the link" {
	mkdir there
	echo old >there/file
	ln -s there/file link
	jobgen job:nodes=4 -o link
	[[ -L link ]]
	grep -x '##end' there/file
	[[ $(ls) == $'link\nthere' && $(ls there) == file ]]
}

@test "-o /dev/null and a named pipe are written as they are" {
	jobgen job:nodes=4 -o /dev/null
	[[ -c /dev/null ]]
	mkfifo pipe
	jobgen job:nodes=4 -o pipe &
	grep -x '##end' <pipe
	wait $!
	[[ -p pipe ]]
}

@test "-o keeps the permissions that a new file gets" {
	(umask 027 && jobgen job:nodes=4 -o new)
	[[ $(stat -c %a new) == 640 ]]
}

@test "-o keeps the mode, the owner and the group of the file that it replaces" {
	echo old >secret
	chmod 600 secret
	jobgen job:nodes=4 -o secret
	[[ $(stat -c %a secret) == 600 ]]
	grep -x '##end' secret
	chmod 4711 secret
	jobgen job:nodes=4 -o secret
	[[ $(stat -c %a secret) == 4711 ]]
	[[ $EUID == 0 ]] || skip "only root can give files away"
	chmod 660 secret
	chown daemon:daemon secret
	jobgen job:nodes=4 -o secret
	[[ $(stat -c '%a %U %G' secret) == '660 daemon daemon' ]]
}

@test "-o leaves what may not be written as it is" {
	[[ $EUID == 0 ]] || skip "needs another user"
	chmod 711 "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/.." || true
	mkdir -m 777 there
	echo old >there/file
	chmod 444 there/file
	cp "$PLACETOOLS_BIN/jobgen" there/jobgen
	as=(setpriv --reuid=daemon --regid=daemon --clear-groups)
	"${as[@]}" true 2>/dev/null && (cd there && "${as[@]}" ls >/dev/null) || skip "no way to become another user here"
	cd there
	run -2 --separate-stderr "${as[@]}" ./jobgen job:nodes=4 -o file
	[[ $stderr == "jobgen: file: Permission denied" ]]
	chmod 666 file
	chmod 1777 .
	run -2 --separate-stderr "${as[@]}" ./jobgen job:nodes=4 -o file
	[[ $stderr == "jobgen: file: Operation not permitted" ]]
	# what it could write but not give the group of stays too
	chmod 777 .
	run -2 --separate-stderr "${as[@]}" ./jobgen job:nodes=4 -o file
	[[ $stderr == "jobgen: file: its group can't be kept: "* ]]
	[[ $(cat file) == old && $(ls) == $'file\njobgen' ]]
}

@test "-o LINK that leads nowhere yet makes the file, and the link stays" {
	mkdir there
	ln -s there/file link
	jobgen job:nodes=4 -o link
	[[ -L link ]]
	grep -x '##end' there/file
	ln -s loop loop
	run -2 --separate-stderr jobgen job:nodes=4 -o loop
	[[ $stderr == "jobgen: loop: Too many levels of symbolic links" ]]
	[[ $(ls there) == file ]]
}

@test "-o does not follow another user's link in a folder that anybody may write to" {
	[[ $EUID == 0 ]] || skip "needs another user"
	mkdir -m 1777 public
	echo old >mine
	ln -s "$PWD/mine" public/trap
	jobgen job:nodes=4 -o public/trap # one's own
	echo old >mine
	chown -h daemon public/trap
	run -2 --separate-stderr jobgen job:nodes=4 -o public/trap
	[[ $stderr == "jobgen: public/trap: a symbolic link of another user"* ]]
	[[ $(cat mine) == old && -L public/trap ]]
	chmod 755 public # where only its owner can have put it
	jobgen job:nodes=4 -o public/trap
	grep -x '##end' mine
}

@test "two outputs of one command go to two files" {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\na\t2\tn[0-1]\n' >jobs.tsv
	ln -s x link
	net=(netsim -t ring:nodes=4 --pattern alltoall --bytes 8)
	run -2 --separate-stderr "${net[@]}" jobs.tsv --ranks x --links ./x
	[[ $stderr == "netsim: --links: ./x is where --ranks goes already" ]]
	run -2 --separate-stderr "${net[@]}" jobs.tsv -o link --links x
	[[ $stderr == "netsim: --links: x is where --output goes already" ]]
	run -2 --separate-stderr "${net[@]}" jobs.tsv --ranks -
	[[ $stderr == "netsim: --ranks: standard output is where --output goes already" ]]
	[[ ! -e x ]]
	"${net[@]}" jobs.tsv -o /dev/null --ranks /dev/null
	"${net[@]}" jobs.tsv -o jobs2.tsv --ranks - | grep -x '##end'
}

@test "a run that is killed leaves at most one file, which the next one clears" {
	mkfifo counters
	for signal in USR1 USR2 ALRM TERM KILL KILL; do
		trafficagg -o out.tsv counters 2>/dev/null &
		exec 9>counters # it reads: the output is begun
		[[ -e out.tsv.unfinished ]]
		kill -"$signal" $!
		wait $! || true
		exec 9>&-
		[[ $signal == KILL || $(ls) == counters ]]
	done
	[[ $(ls) == $'counters\nout.tsv.unfinished' ]]
	jobgen job:nodes=4 -o out.tsv
	[[ $(ls) == $'counters\nout.tsv' ]]
}

@test "what another run is writing is not cleared" {
	exec 8>out.tsv.unfinished
	flock 8
	jobgen job:nodes=4 -o out.tsv
	[[ -e out.tsv.unfinished && -e out.tsv ]]
	exec 8>&-
	jobgen job:nodes=4 -o out.tsv
	[[ ! -e out.tsv.unfinished ]]
}

@test "two runs write the same file beside each other, and whole" {
	mkfifo counters
	trafficagg -o out.tsv counters 2>/dev/null &
	exec 9>counters
	jobgen job:nodes=4 --no-provenance -o out.tsv # while the other one holds out.tsv.unfinished
	jobgen job:nodes=4 --no-provenance | cmp - out.tsv
	kill %1
	wait %1 || true
	exec 9>&-
	[[ $(ls) == $'counters\nout.tsv' ]]
}
