#!/usr/bin/env bats
# output.bats - where -o writes: beside the file, behind links, into what stands for an open file

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

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
