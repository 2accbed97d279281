#!/bin/bash
# observations.sh - section 2.7 on the cases in the current folder: a row for each claim, with the share of placements in
# which it holds and the median and quartiles of the ratio that decides it
set -euo pipefail

# values CASE JOB COLUMN: one for each placement
values() {
	grep -v '^##' "$1.tsv" | awk -F'\t' -v job="$2" -v name="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["job"] == job { print $c[name] }'
}
# phase CASE JOB: the length of its phases
phase() {
	grep -v '^##' "$1.phases" | awk -F'\t' -v job="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["job"] == job { print $c["value"] }'
}

# beside CASE JOB <RATIOS: those of placements in which the other job has nodes
beside() { paste - <(values "$1" "$2" io_phase_s) | awk '{ print $2 == "." || $2 == "" ? "." : $1 }'; }

# claim NAME TEXT LOW HIGH <RATIOS: the claim is that a ratio is within; placements that could not be are missing
claim() {
	sort -g | awk -F'\t' -v OFS='\t' -v name="$1" -v text="$2" -v low="$3" -v high="$4" '
		$1 != "." { x[++n] = $1; good += $1 >= low && $1 <= high }
		function at(q) { return x[int(1 + q * (n - 1) + .5)] }
		END {
			if (n == 0) { print name, text, "cannot be", ".", ".", ".", "."; exit }
			print name, text, (good > n / 2 ? "holds" : "does not"), sprintf("%d of %d", good, n),
				sprintf("%.3f", at(.5)), sprintf("%.3f", at(.25)), sprintf("%.3f", at(.75))
		}'
}
# ratio "COMMAND" "COMMAND": placement by placement
ratio() {
	paste <(eval "$1") <(eval "$2") | awk '{ print $1 == "." || $2 == "." || $2 + 0 == 0 || $1 == "" ? "." : $1 / $2 }'
}

printf 'claim\twhat is divided by what\tverdict\tplacements\tmedian\tlower quartile\tupper quartile\n'
ratio 'values df.global.gtc gtc io_hops_mean' 'values df.global.hacc hacc io_hops_mean' | claim O1 'df global: hops of GTC by HACC' 1.05 99
ratio 'values df.global.gtc gtc io_nonminimal_fraction' 'values df.global.hacc hacc io_nonminimal_fraction' | claim O1 'df global: non-minimal packets of GTC by HACC' 1.2 1e9
ratio 'values df.grouped.gtc gtc io_nonminimal_fraction' 'values df.global.gtc gtc io_nonminimal_fraction' | claim O1 'df GTC: non-minimal packets of grouped by global' 0 .9
for app in gtc lammps; do
	ratio "phase df.global.$app $app" "phase df.grouped.$app $app" | claim O2 "df $app: phase of global by grouped" 1.25 99
done
for net in ft tft df; do
	for app in gtc hacc lammps s3d; do
		ratio "values $net.grouped.$app $app io_time_s" "values $net.global.$app $app io_time_s" |
			claim '§2.7.3' "$net $app: mean time in I/O, grouped by global" 0 .9999
	done
done
for net in ft tft; do
	for app in gtc hacc lammps; do
		for where in grouped global; do
			ratio "phase $net.$where.$app $app" "phase $net.local.$app $app" | claim O3 "$net $app: phase of $where by local" .8 1.25
		done
	done
	for where in grouped global; do
		ratio "phase $net.$where.s3d s3d" "phase $net.local.s3d s3d" | claim O3 "$net s3d: phase of $where by local" 0 .9999
		ratio "values $net.$where.s3d s3d io_time_s" "values $net.local.s3d s3d io_time_s" |
			claim O3 "$net s3d: mean time in I/O, $where by local" 0 .9999
	done
done
for net in ft tft df; do
	for app in gtc lammps; do
		for where in grouped global; do
			ratio "phase $net.$where.$app $app" "phase $net.local.$app $app" | claim O4 "$net $app: phase of $where by local" 1.0001 99
		done
	done
	for where in grouped global; do
		ratio "values $net.$where.hacc hacc io_time_s" "values $net.local.hacc hacc io_time_s" |
			claim O4 "$net hacc: mean time in I/O, $where by local" 0 .9
	done
	for app in gtc lammps s3d; do
		for where in grouped global; do
			ratio "phase $net.$where.slow.$app $app" "phase $net.local.slow.$app $app" |
				claim '45 us' "$net $app: phase of $where by local" 1.0001 1e9
		done
	done
done
for net in ft tft df; do
	for where in grouped global; do
		case=$net.$where.slow
		ratio "phase $case.gtc.ior gtc" "phase $case.gtc gtc" | claim O5 "$net $where: GTC's phase with IOR by alone" .9 1.1
		ratio "phase $case.hacc.ior hacc" "phase $case.hacc hacc" | claim O6 "$net $where: HACC's phase with IOR by alone" .9 1.1
		ratio "values $case.hacc.ior hacc io_time_s" "values $case.hacc hacc io_time_s" |
			claim O6 "$net $where: HACC's mean time in I/O with IOR by alone" 1.0001 99
		ratio "phase $case.lammps.ior lammps" "phase $case.lammps lammps" | claim O7 "$net $where: LAMMPS's phase with IOR by alone" 1.1 99
		ratio "phase $case.lammps.s3d lammps" "phase $case.lammps lammps" | beside "$case.lammps.s3d" s3d |
			claim O7 "$net $where: LAMMPS's phase with S3D by alone" .9 1.05
		ratio "phase $case.s3d.ior s3d" "phase $case.s3d s3d" | claim O8 "$net $where: S3D's phases with IOR by alone" 1.1 99
		low=.9 high=1.1
		[ $net = tft ] && low=1.1 high=99
		ratio "phase $case.s3d.gtc s3d" "phase $case.s3d s3d" | claim O8 "$net $where: S3D's phases with GTC by alone" $low $high
	done
done
