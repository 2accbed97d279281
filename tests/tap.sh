# tap.sh - for the .tap programs: tap_plan N; tap NAME COMMAND…; tap_skip NAME REASON
# shellcheck shell=bash
tap_number=0

tap_plan() {
	echo "1..$1"
}

# The test passes when the command's status is 0 and is skipped when it is 77; else what it printed is shown.
tap() {
	local name=$1 output status
	shift
	output=$("$@" 2>&1 </dev/null)
	status=$?
	if ((status == 0)); then
		echo "ok $((++tap_number)) $name"
		return
	fi
	if ((status == 77)); then
		tap_skip "$name" "${output:-what it needs is not here}"
		return
	fi
	echo "not ok $((++tap_number)) $name"
	printf '%s\nstatus %d of: %s\n' "$output" "$status" "$*" | sed 's/^/# /'
}

tap_skip() {
	echo "ok $((++tap_number)) $1 # skip $2"
}
