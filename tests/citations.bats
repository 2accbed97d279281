# citations.bats - what is cited of the five papers stands in them: titles, authors, sections, tables, figures
load helper

setup_file() {
	need_shared
	[[ -d $SHARED/papers ]] || skip "the papers are not here"
}

# paper AUTHOR: the text whose first lines name the author, with blanks for line ends
paper() {
	local file
	for file in "$SHARED"/papers/*.txt; do
		if head -n 20 "$file" | grep -qi "$1"; then
			tr -s '\n ' '  ' <"$file"
		fi
	done
}

@test "titles and authors in the manual pages are those of the papers" {
	local page title families family found=0
	while IFS=$'\t' read -r page families title; do
		case $families in
		*Khetawat* | *Mirsadeghi* | *Bleuse* | *Zhang*Coskun* | Zhang) ;;
		*) continue ;;
		esac
		# of the first author there may be two papers: one has the title
		paper "${families%% *}" | grep -qF "$title" || { echo "$page: no paper of ${families%% *} is called '$title'"; return 1; }
		for family in $families; do
			paper "$family" | grep -qF "$title" || { echo "$page: $family did not write '$title'"; return 1; }
		done
		found=$((found + 1))
	done < <(awk '
		/^\.Rs/ { families = title = "" }
		/^\.%A/ { families = families (families == "" ? "" : " ") $NF }
		/^\.%T/ { title = substr($0, 5) }
		/^\.Re/ { print FILENAME "\t" families "\t" title }' "$ROOT"/man/*.in)
	((found >= 10))
}

@test "the dissertation's title is printed as it is" {
	local wrong
	wrong=$(cd "$ROOT" && git grep -lE 'Understanding and Improving HPC Systems' -- ':!tests' || true)
	[ "$wrong" = "" ]
}

# cited PATTERN: the numbers cited behind it, as FILE:NUMBER
cited() {
	(cd "$ROOT" && LC_ALL=C.UTF-8 grep -rHoP "$1" --include='*.[ch]' --include='*.in' --include='*.md' --include='*.yaml' --include='*.def' src man examples share README.md) |
		sed -E 's/^([^:]*):.*[^0-9.IVXA-Z-]([0-9]+(\.[0-9]+)*|[IVX]+(-[A-Z])?)$/\1:\2/' | sort -u
}

@test "sections, tables and figures of the dissertation exist" {
	local text=$BATS_TEST_TMPDIR/text line what
	paper KHETAWAT >"$text"
	cited '(Khetawat|dissertation)[^;"]{0,40}?(§§?|section |\\\(sc)[0-9]\.[0-9](\.[0-9])?' >sections
	(($(wc -l <sections) >= 20))
	while IFS=: read -r line what; do
		grep -qE "(^| )${what//./\\.} [A-Z]" "$text" || { echo "$line: the dissertation has no section $what"; return 1; }
	done <sections
	for kind in Table Figure; do
		cited "(Khetawat|dissertation)[^;\"]{0,60}?${kind}s? [0-9]\.[0-9]+" >numbers
		while IFS=: read -r line what; do
			grep -qF "$kind $what" "$text" || { echo "$line: the dissertation has no $kind $what"; return 1; }
		done <numbers
	done
}

@test "sections of the other papers exist" {
	local text=$BATS_TEST_TMPDIR/text author line what
	for author in Mirsadeghi Bleuse; do
		paper "$author" >"$text"
		cited "${author}[^;\"]{0,40}?(§§?|section |\\\\\(sc)[0-9](\.[0-9])?(\.[0-9])?" >sections
		while IFS=: read -r line what; do
			grep -qE "(^| )${what//./\\.}\.? [A-Z]" "$text" || { echo "$line: no section $what of $author"; return 1; }
		done <sections
	done
	for author in Mirsadeghi:PTRAM Aksar:NeDD Tuncer:Level-Spread; do
		paper "${author%:*}" >"$text"
		cited "(${author%:*}|${author#*:})[^;\"]{0,30}?§[IVX]+(-[A-Z])?" >sections
		while IFS=: read -r line what; do
			grep -qE "(^| )${what%-*}\. [A-Z]" "$text" || { echo "$line: no section $what of ${author#*:}"; return 1; }
			[[ $what != *-* ]] || grep -qE "(^| )\*?${what#*-}\. [A-Z]" "$text" || { echo "$line: no section $what of ${author#*:}"; return 1; }
		done <sections
	done
}
