# ratios.awk - what netsim says of each run of jobs.awk beside what was measured
# set (-v set=), test, ranks per node, bytes, role, measured, simulated, ratio (simulated / measured)
BEGIN { FS = OFS = "\t" }
/^##/ { next }
!nfields { for (i = 1; i <= NF; i++) at[$i] = i; nfields = NF; next }
{
	split($(at["run"]), run, "|")
	seconds = $(at["comm_time_s"]) / run[7]
	if (run[2] == "osu_latency")
		simulated = seconds / 2 * 1e6 # us, half a round trip
	else if (run[2] ~ /bw/)
		simulated = (run[2] == "osu_bibw" ? 2 : 1) * 64 * run[4] * run[3] / seconds / 1e6 # MB/s
	else
		simulated = seconds * 1e6 # us
	print set, run[2], run[4], run[3], run[5], run[6], sprintf("%.5g", simulated), sprintf("%.3f", simulated / run[6])
}
