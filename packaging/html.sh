#!/bin/bash
# html.sh - all manual pages as a small site: an index with a search, the tutorial with its pictures
#
#   packaging/html.sh FOLDER PAGE…
#
# PAGE: a manual page as it is installed. The pictures are made by the tutorial's own commands, so bin/ must be on the PATH.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v mandoc >/dev/null || { echo "html.sh: mandoc is missing" >&2; exit 2; }
out=$1
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
cp "$here/html.css" "$out/placetools.css"

# pictures: the tutorial, in a folder of its own
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/commands" "$work/run"
for page; do
	[[ $page == */placetools-tutorial.7 ]] || continue
	awk -v to="$work/commands" -f "$here/../tests/examples.awk" "$page" >/dev/null
	cp "$here/../share/examples-data/"* "$work/run"
	for command in $(printf '%s\n' "$work"/commands/*.command | sort -V); do
		(cd "$work/run" && bash "$command" >/dev/null)
	done
	cp "$work"/run/*.svg "$out"
done

# A command that writes NAME.svg is followed by the picture; $x.svg of a loop "for x in A B C" by those of A, B and C.
# shellcheck disable=SC2016 # it is awk's $
pictures='
	/<pre>|<pre / { inside = 1; text = "" }
	{ print }
	inside { text = text "\n" $0 }
	/<\/pre>/ && inside {
		inside = 0
		while (match(text, /-o [$a-z-]+\.svg/)) {
			name = substr(text, RSTART + 3, RLENGTH - 7)
			before = substr(text, 1, RSTART)
			text = substr(text, RSTART + RLENGTH)
			n = 1
			names[1] = name
			if (sub(/^\$/, "", name) && match(before, "for " name " in [^;]*;"))
				n = split(substr(before, RSTART + length(name) + 8, RLENGTH - length(name) - 9), names, " ")
			for (i = 1; i <= n; i++)
				printf "<figure><img src=\"%s.svg\" alt=\"%s.svg\"><figcaption>%s.svg</figcaption></figure>\n", names[i], names[i], names[i]
		}
	}'

{
	cat <<-'END'
		<!DOCTYPE html>
		<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
		<title>placetools</title><link rel="stylesheet" href="placetools.css"></head><body class="index">
		<h1>placetools</h1>
		<p>New here? <a href="placetools-tutorial.7.html">The tutorial</a>, then <a href="placetools.7.html">the whole</a>.</p>
		<p><input id="search" type="search" placeholder="words of a page, such as dragonfly wait" aria-label="Search" autofocus></p>
		<dl id="pages">
	END
	for page in $(printf '%s\n' "$@" | awk -F/ '{ n = split($NF, part, "."); print (part[n] == 7 ? 0 : part[n]), $0 }' | sort | cut -d' ' -f2); do
		name=${page##*/}
		mandoc -T html -O "style=placetools.css,man=%N.%S.html,toc" "$page" |
			sed 's|<head>|<head><meta name="viewport" content="width=device-width, initial-scale=1">|; s|<body>|<body><nav><a href="index.html">placetools</a></nav>|' |
			awk "$pictures" >"$out/$name.html"
		words=$(mandoc -T utf8 "$page" | col -b | tr -cs '[:alnum:]_-' '\n' | tr '[:upper:]' '[:lower:]' | sort -u | paste -sd' ')
		summary=$(sed -n 's/^\.Nd //p' "$page" | sed 's/&/\&amp;/g; s/</\&lt;/g')
		printf '<div data-words="%s"><dt><a href="%s.html">%s</a>(%s)</dt><dd>%s</dd></div>\n' "$words" "$name" "${name%.*}" "${name##*.}" "$summary"
	done
	cat <<-'END'
		</dl>
		<p id="nothing" hidden>No page has all these words.</p>
		<script>
		const search = document.getElementById("search"), pages = [...document.querySelectorAll("#pages > div")];
		search.addEventListener("input", () => {
			const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
			let shown = 0;
			for (const page of pages) {
				page.hidden = !words.every(word => page.dataset.words.includes(word) || page.textContent.toLowerCase().includes(word));
				shown += !page.hidden;
			}
			document.getElementById("nothing").hidden = shown > 0;
		});
		</script>
		</body></html>
	END
} >"$out/index.html"
echo "$out/index.html"
