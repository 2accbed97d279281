#!/usr/bin/env python3
"""campaign.py - cosched beside oracle.py on random workloads: campaign.py FIRST_SEED LAST_SEED RUNS FOLDER [POLICY…]

Each seed gives a node, kernels and RUNS runs of a few jobs, simulated with five policies: their jobs, slices and timelines
must be equal. Of every other seed all times are small multiples of a second, so that many things happen at one instant.
Prints what differs, with the command; FOLDER has the files of the last seed. POLICY…: only these.
"""
import random
import subprocess
import sys

sys.dont_write_bytecode = True
from oracle import Node, ns, read_devices, read_jobs, read_kernels, read_table  # noqa: E402
from oracle_policies import Policy, members  # noqa: E402

POLICIES = ["baseline", "greedy-up", "elastic", "elastic", "elastic-dl", "best-fit", "aware", "online"]


class Workload:
    def __init__(self, seed, runs, folder):
        self.rng, self.coarse, self.folder = random.Random(seed), seed % 2 == 1, folder
        self.some = lambda part: self.rng.random() < part
        self.devices()
        self.kernels()
        self.jobs(runs)

    def write(self, name, kind, rows):
        with open("%s/%s" % (self.folder, name), "w") as file:
            file.write("##placetools=%s/1\n" % kind)
            file.writelines("\t".join(str(cell) for cell in row) + "\n" for row in rows)

    def time(self, low, high):
        """Seconds, as text; at times with a unit."""
        if self.coarse:
            t = self.rng.randint(low, high)
            return "%dms" % (1000 * t) if self.some(0.05) else str(t)
        t = self.rng.randint(low * 10**9, high * 10**9)
        return "%dns" % t if self.some(0.05) else "%d.%09d" % (t // 10**9, t % 10**9)

    def maybe(self, part, text, other="."):
        return text if self.some(part) else other

    def devices(self):
        rng = self.rng
        count = rng.randint(9, 11) if self.some(0.04) else rng.choice([1, 2, 2, 3, 3, 3, 4, 4, 5])
        self.names, instant = ["d%d" % d for d in range(count)], self.some(0.3)
        with open(self.folder + "/devices.yaml", "w") as file:
            file.write("placetools: devices/1\ndevices:\n")
            for name in self.names:
                words = ["name: " + name]
                for key, part, high in ("open", 0.8, 3), ("close", 0.5, 2):
                    if not instant and self.some(part):
                        text = self.time(0, high)
                        words.append("%s: %s" % (key, text if text[-1] == "s" else text + "s"))
                words += ["memory: %dGiB" % rng.choice([1, 2, 4])] if self.some(0.6) else []
                words += ["%s: %dGB/s" % (c, rng.randint(1, 3)) for c in ("copy_in", "copy_out") if self.some(0.2)]
                file.write("  - {%s}\n" % ", ".join(words))

    def kernels(self):
        rng, copies, measured = self.rng, self.some(0.5), self.some(0.4)
        columns = "app size device time_s rate_slices_per_s slices slice_overhead_s copy_in_s copy_out_s bytes init_s"
        rows, self.sizes = [columns.split()], rng.randint(1, 4)
        for size in range(self.sizes):
            slices, need = rng.choice([1, 2, 3, 4, 5, 6, 8, 10, 13]), rng.choice([0, 0, 1, 2, 3]) * 2**30
            init, able = rng.choice(["0", ".", self.time(0, 5)]), [n for n in self.names if self.some(0.85)]
            for name in able or self.names[:1]:
                speed = [".", rng.choice(["0.5", "0.25", "2", "0.3"])]
                if self.some(0.9):
                    one = ns(self.time(1, 9)) * slices
                    speed = ["%d.%09d" % (one // 10**9, one % 10**9), "."]
                cost = [self.maybe(0.6, self.time(0, 3), "0") if copies else self.maybe(0.5, "0") for _ in range(2)]
                rows.append(["a", size, name, *speed, slices, self.maybe(0.15, self.time(0, 1)), *cost, need, init])
            for _ in range(rng.randint(1, 6) if measured and len(able) > 1 else 0):
                one = "+".join(n for n in able if self.some(0.6))
                if "+" in one and not any(row[1:3] == [size, one] for row in rows):
                    rows.append(["a", size, one, self.time(slices, 9 * slices), *["."] * 7])
        self.write("kernels.tsv", "kernels", rows)

    def jobs(self, runs):
        rng, prio, launches = self.rng, self.some(0.4), self.some(0.4)
        rows = ["run job nodes app size submit_s init_s launches priority".split()]
        for run in range(runs):
            submit, span = 0, rng.choice([0, 0, 3, 10, 30])
            for job in range(rng.randint(1, 7)):
                if self.coarse:
                    submit += rng.randint(0, span) * 10**9
                elif self.some(0.7):
                    submit += rng.randint(0, span * 10**9)
                rows.append([run, "j%d" % job, 1, "a", rng.randrange(self.sizes), "%d.%09d" % divmod(submit, 10**9),
                             self.maybe(0.4, self.time(0, 6)), rng.choice([".", 1, 2, 2, 3]) if launches else 1,
                             rng.randint(-1, 2) if prio else 0])
        self.write("jobs.tsv", "jobs", rows)

    def policy(self, names):
        rng, name, words = self.rng, self.rng.choice(names), []
        if name != "baseline":
            words += ["gain=" + rng.choice(["0", "0.02", "0.1", "0.25", "0.5"])] if self.some(0.5) else []
            words += ["start-limit=" + rng.choice(["1", "1.5", "2", "4"])] if self.some(0.5) else []
            words += ["first=queue"] if self.some(0.4) else []
            words += ["contract=arrival"] if name in ("elastic", "elastic-dl", "online") and self.some(0.6) else []
            words += ["max=%d" % rng.randint(1, 4)] if name != "greedy-up" and self.some(0.3) else []
            words += ["age=" + rng.choice(["0", "5", "20"])] if name == "best-fit" and self.some(0.6) else []
            words += ["alpha=" + rng.choice(["0.1", "0.3", "1"])] if name == "online" and self.some(0.5) else []
        return name + (":" + ",".join(words) if words else ""), rng.choice(["all", "changed"])


def spans(rows):
    """Rows of a timeline in order; what goes on in the same state is one row."""
    found = []
    for row in sorted(rows, key=lambda row: (row[1], row[2])):
        if found and found[-1][:2] == row[:2] and found[-1][3:] == (row[2], row[4]):
            found[-1] = found[-1][:3] + row[3:]
        else:
            found.append(row)
    return found


def compare(folder, names, policy, release):
    """How many of the runs differ, of how many."""
    files = {what: "%s/%s" % (folder, what) for what in ("jobs", "slices", "timeline")}
    command = ["cosched", "-d", folder + "/devices.yaml", "-k", folder + "/kernels.tsv", "-p", policy, "--release", release,
               "--quiet", "--timeline", files["timeline"], "--slices", files["slices"], "-o", files["jobs"],
               folder + "/jobs.tsv"]
    subprocess.run(command, check=True)
    devices = read_devices(folder + "/devices.yaml")
    runs = read_jobs(folder + "/jobs.tsv", read_kernels(folder + "/kernels.tsv", devices))
    got = {run: ([], [], []) for run in runs}
    for row in read_table(files["jobs"]):
        times = tuple(ns(row[c]) if c in row else None for c in ("start_s", "end_s"))
        got[row["run"]][0].append((row["job"], *times, row.get("devices", ""), int(row.get("switches", 0))))
    for place, column in (1, "slices"), (2, "timeline"):
        for row in read_table(files[column]):
            last = int(row["slice"]) if place == 1 else row["state"]
            device = names.index(row["device"])
            got[row["run"]][place].append((row["job"], device, ns(row["start_s"]), ns(row["end_s"]), last))
    node, bad = Node(devices, Policy(policy), release), 0
    for run, jobs in runs.items():
        node.run(jobs)
        done = [(j.name, j.start, j.end, "+".join(names[d] for d in members(j.had)), j.switches) for j in jobs]
        same = (done == got[run][0], sorted(node.slices) == sorted(got[run][1]), spans(node.timeline) == spans(got[run][2]))
        if not all(same):
            what = [w for w, s in zip(("jobs", "slices", "timeline"), same) if not s]
            print("run", run, "differs in", ", ".join(what) + ":", *command)
            bad += 1
    return bad, len(runs)


def main():
    first, last, runs, folder = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    bad = total = 0
    for seed in range(first, last + 1):
        workload = Workload(seed, runs, folder)
        for policy, release in [workload.policy(sys.argv[5:] or POLICIES) for _ in range(5)]:
            some_bad, some = compare(folder, workload.names, policy, release)
            bad, total = bad + some_bad, total + some
            if some_bad:
                print("seed", seed)
    print(total, "workloads,", bad, "differ")
    sys.exit(bad > 0)


main()
