# idle.awk - of two metrics streams: the share of runs in which a device is idle longer in the first, and the median ratio
/^##/ { next }
$1 == "run" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; file++; next }
$at["metric"] == "device-idle-" device { idle[file, $at["run"]] = $at["value"]; runs[$at["run"]] = 1; if (file == 1) policy = $at["policy"] }
END {
	for (r in runs) {
		n++; more += idle[1, r] > idle[2, r]
		a += idle[1, r]; b += idle[2, r]
	}
	printf "%s\tW%d\t%s\t%.2f\t%.2f\n", what, w, policy, more / n, a / b
}
