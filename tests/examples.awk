# examples.awk - the examples of a manual page: NUMBER.command and NUMBER.wanted in the folder `to`
#
# An example is a line "$ COMMAND" of a literal block, with the lines that a backslash or a | carries on;
# what follows up to the next one or the end of the block is the output that it must have. Without
# any, the output is not compared.
function plain(line) {
	gsub(/\\&/, "", line); gsub(/\\-/, "-", line); gsub(/\\\(dq/, "\"", line)
	gsub(/\\\(aq/, "'", line); gsub(/\\\[u2026\]/, "\xe2\x80\xa6", line); gsub(/\\e/, "\\", line)
	return line
}
/^\.Bd -literal/ { literal = 1; next }
/^\.Ed/ { literal = 0; goes_on = 0; current = 0; next }
!literal { next }
{ line = plain($0) }
goes_on { print line >(to "/" current ".command"); goes_on = line ~ /[\\|]$/; next }
line ~ /^\$ / {
	current = ++n
	print substr(line, 3) >(to "/" current ".command")
	goes_on = line ~ /[\\|]$/
	next
}
current { print line >(to "/" current ".wanted") }
END { print n + 0 }
