#!/usr/bin/env python3
"""campaign.py - random workloads for cosched and its oracle: campaign.py SEED NRUNS COINCIDENT FOLDER

Writes FOLDER/{devices.yaml,kernels.tsv,jobs.tsv} for cosched and FOLDER/{devices,kernels,jobs}.txt for oracle.py, and prints a
policy and what to release. COINCIDENT 1: all times are small multiples, so that many things happen at one instant.
"""
import random
import sys


def main():
    seed, nruns, coincident, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "1", sys.argv[4]
    rng = random.Random(seed)
    ndevices = rng.choice([1, 2, 2, 3, 3, 3, 4, 5])
    unit = 10 if coincident else 1
    top = 8 if coincident else 997

    def length(low, high):
        return unit * rng.randint(low, max(low, high * top // 8))

    names = ["d%d" % i for i in range(ndevices)]
    zero = rng.random() < 0.4  # nothing costs anything but slices
    open_ns = [0 if zero else length(0, 4) for _ in names]
    close_ns = [0 if zero or rng.random() < 0.5 else length(0, 2) for _ in names]

    def seconds(ns):
        return "%d.%09d" % (ns // 10**9, ns % 10**9)

    with open(folder + "/devices.txt", "w") as plain, open(folder + "/devices.yaml", "w") as yaml:
        print("name open_ns close_ns", file=plain)
        print("placetools: devices/1\ndevices:", file=yaml)
        for n, o, c in zip(names, open_ns, close_ns):
            print(n, o, c, file=plain)
            print("  - {name: %s, open: %dns, close: %dns}" % (n, o, c), file=yaml)
    with open(folder + "/kernels.txt", "w") as plain, open(folder + "/kernels.tsv", "w") as table:
        print("app device slice_ns copy_in_ns copy_out_ns slices", file=plain)
        print("##placetools=kernels/1", file=table)
        print("app size device time_s slices copy_in_s copy_out_s".replace(" ", "\t"), file=table)
        for i in range(12):
            slices = rng.randint(1, 12)
            able = [n for n in names if rng.random() < 0.85] or [rng.choice(names)]
            total = 0
            for n in able:
                s = length(1, rng.choice([2, 4, 30]))
                a, b = (0, 0) if zero else (length(0, 6), length(0, 3))
                total += s * slices
                print("a%d" % i, n, s, a, b, slices, file=plain)
                print("a%d" % i, "x", n, seconds(s * slices), slices, seconds(a), seconds(b), sep="\t", file=table)
            if len(able) > 1 and rng.random() < 0.3:
                devices = "+".join(able[:2])
                t = rng.randint(1, total)
                print("a%d" % i, devices, t, 0, 0, slices, file=plain)
                print("a%d" % i, "x", devices, seconds(t), slices, ".", ".", sep="\t", file=table)
    with open(folder + "/jobs.txt", "w") as plain, open(folder + "/jobs.tsv", "w") as table:
        print("run job submit_ns app init_ns launches priority", file=plain)
        print("##placetools=jobs/1", file=table)
        print("run job nodes submit_s app size init_s launches priority".replace(" ", "\t"), file=table)
        for run in range(nruns):
            t, gap = 0, rng.choice([1, 3, 10])
            prio = rng.random() < 0.2
            for job in range(rng.randint(1, 9)):
                app, init = "a%d" % rng.randrange(12), 0 if zero else length(0, 5)
                launches = rng.choice([1, 1, 1, 2, 5])
                priority = rng.randint(0, 2) if prio else 0
                print(run, job, t, app, init, launches, priority, file=plain)
                print(run, job, 1, seconds(t), app, "x", seconds(init), launches, priority, sep="\t", file=table)
                t += length(0, gap)
    print(rng.choice(["baseline", "greedy-up", "greedy-up:gain=0", "elastic", "elastic", "elastic:contract=arrival",
                      "elastic:first=queue", "elastic:gain=0,start-limit=3", "elastic-dl", "elastic-dl:contract=arrival,gain=0",
                      "elastic:max=3,contract=arrival,first=queue,start-limit=1000"]),
          rng.choice(["all", "all", "changed"]))


main()
